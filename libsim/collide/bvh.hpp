// A binary tree of boxes over all triangles (a bounding volume hierarchy), built rarely and refitted every step.
//
// Nodes lie in one array, a node before everything below it, its first child right behind it: refitting is one sweep
// from the back, in place. Boxes are single precision, rounded outward: they filter, and decide nothing. A node is
// marked where a triangle below it moves; two nodes without a mark are never compared, so that obstacles meet moving
// surfaces only.
#pragma once

#include "collide/reach.hpp"

namespace sim {

struct BvhNode {
  Eigen::Array4f low{0, 0, 0, 0}, high{0, 0, 0, 0};  // m
  Index second = 0;                                  // of an inner node the other child; of a leaf ~triangle
  Index parent = -1;                                 // -1: the root
  float size = 0;                                    // m, sum of the box's edge lengths
  std::uint32_t moves = 0;

  bool is_leaf() const { return second < 0; }
  Index triangle() const { return ~second; }
};

struct Bvh {
  std::vector<BvhNode> nodes;           // none when there are no triangles
  std::vector<Index> leaf_of_triangle;  // into nodes
  double built_cost = 0;                // of the tree when it was built, and
  double cost = 0;                      // now: area of all boxes over the area of the leaves' boxes
};

// Surface area heuristic in bins (Wald 2007). The tree depends on the boxes only.
void build(const CollisionSurface& surface, std::span<const Box> triangle_boxes, double separation, Bvh& bvh);

void refit(std::span<const Box> triangle_boxes, double separation, Bvh& bvh);

// Takes in the grown box of one triangle: its leaf and what is above it.
void extend(const Box& triangle_box, double separation, Index triangle, Bvh& bvh);

inline bool overlap(const BvhNode& a, const BvhNode& b) {
  return (a.high - b.low).min(b.high - a.low).minCoeff() >= 0;
}

struct NodePair {
  Index a, b;
};

// Pairs of nodes, at least `wanted` or as many as there are, that together stand for all pairs of triangles whose
// boxes overlap: the work to be shared out among threads. Depends on the tree only.
void split_work(const Bvh& bvh, Index wanted, std::vector<NodePair>& pairs);

namespace detail {

inline void push_if_near(const Bvh& bvh, Index a, Index b, std::vector<NodePair>& stack) {
  const BvhNode &x = bvh.nodes[a], &y = bvh.nodes[b];
  if ((x.moves | y.moves) != 0 && overlap(x, y)) stack.push_back({a, b});
}

// Replaces a pair that is not two leaves by the pairs of children that overlap.
inline void push_children(const Bvh& bvh, NodePair pair, std::vector<NodePair>& stack) {
  const BvhNode &x = bvh.nodes[pair.a], &y = bvh.nodes[pair.b];
  if (pair.a == pair.b) {
    if (x.is_leaf() || x.moves == 0) return;
    stack.push_back({pair.a + 1, pair.a + 1});
    stack.push_back({x.second, x.second});
    push_if_near(bvh, pair.a + 1, x.second, stack);
  } else if (y.is_leaf() || (!x.is_leaf() && x.size > y.size)) {
    push_if_near(bvh, pair.a + 1, pair.b, stack);
    push_if_near(bvh, x.second, pair.b, stack);
  } else {
    push_if_near(bvh, pair.a, pair.b + 1, stack);
    push_if_near(bvh, pair.a, y.second, stack);
  }
}

}  // namespace detail

// visit(s, t) for every two triangles below the pair whose boxes overlap and of which one moves.
template <class Visit>
void visit_pairs(const Bvh& bvh, NodePair start, std::vector<NodePair>& stack, const Visit& visit) {
  stack.assign(1, start);
  while (!stack.empty()) {
    const NodePair pair = stack.back();
    stack.pop_back();
    const BvhNode &x = bvh.nodes[pair.a], &y = bvh.nodes[pair.b];
    if (pair.a != pair.b && x.is_leaf() && y.is_leaf()) {
      visit(x.triangle(), y.triangle());
    } else {
      detail::push_children(bvh, pair, stack);
    }
  }
}

// visit(t) for every other triangle whose box overlaps that of `triangle`, where one of the two moves.
template <class Visit>
void visit_neighbours(const Bvh& bvh, Index triangle, std::vector<NodePair>& stack, const Visit& visit) {
  const Index leaf = bvh.leaf_of_triangle[triangle];
  visit_pairs(bvh, {leaf, 0}, stack, [&](Index, Index t) { visit(t); });
}

}  // namespace sim
