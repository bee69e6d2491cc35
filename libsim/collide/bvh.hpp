// A binary tree of boxes over all triangles (a bounding volume hierarchy), built rarely and refitted every step.
//
// Nodes lie in one array, a node before everything below it, its first child right behind it: refitting is one sweep
// from the back, in place. Boxes are single precision, rounded outward: they filter, and decide nothing. A node is
// marked where a triangle below it moves, and with its rigid body where all below it are of that one; two nodes
// without a mark are never compared, so that obstacles meet moving surfaces only, nor are two of the same body.
// Two nodes of one moving frame (moving_frames.hpp) are compared by their boxes in that one.
#pragma once

#include "collide/reach.hpp"

namespace sim {

struct BvhNode {
  Eigen::Array4f low{0, 0, 0, 0}, high{0, 0, 0, 0};  // m
  Index second = 0;                                  // of an inner node the other child; of a leaf ~triangle
  Index parent = -1;                                 // -1: the root
  float size = 0;                                    // m, sum of the box's edge lengths
  bool endless = false;                              // a half-space is below: its area says nothing about the tree
  std::uint32_t moves = 0;                           // 0: nothing does; 2 + i: rigid body i and nothing else; 1: else

  bool is_leaf() const { return second < 0; }
  Index triangle() const { return ~second; }
};

struct OwnBox {
  Eigen::Array4f low, high;  // m
  Index frame = -1;          // that all below it are of; -1: none, or several
};

struct Bvh {
  std::vector<BvhNode> nodes;           // none when there are no triangles
  std::vector<OwnBox> own;              // of the nodes; none where nothing has such a frame
  std::vector<Index> leaf_of_triangle;  // into nodes
  double built_cost = 0;                // of the tree when it was built, and
  double cost = 0;                      // now: area of all boxes over the area of the leaves' boxes
};

// Surface area heuristic in bins (Wald 2007). The tree depends on the boxes only.
void build(const CollisionSurface& surface, std::span<const Box> triangle_boxes, double separation, Bvh& bvh);

void refit(std::span<const Box> triangle_boxes, double separation, Bvh& bvh);

// Takes in the grown box of one triangle: its leaf and what is above it.
void extend(const Box& triangle_box, double separation, Index triangle, Bvh& bvh);

// The same of boxes in the frames of their objects.
void refit_own(const CollisionSurface& surface, std::span<const Index> frame_of_object,
               std::span<const Box> triangle_boxes, double separation, Bvh& bvh);
void extend_own(const CollisionSurface& surface, std::span<const Index> frame_of_object, const Box& triangle_box,
                double separation, Index triangle, Bvh& bvh);

// Also where a number is none: such boxes are the whole space.
template <class Node>
bool overlap(const Node& a, const Node& b) {
  return !((a.high - b.low).min(b.high - a.low).minCoeff() < 0);
}

struct NodePair {
  Index a, b;
};

// Pairs of nodes, at least `wanted` or as many as there are, that together stand for all pairs of triangles whose
// boxes overlap: the work to be shared out among threads. Depends on the tree only.
void split_work(const Bvh& bvh, Index wanted, std::vector<NodePair>& pairs);

namespace detail {

inline bool of_one_body(const BvhNode& x, const BvhNode& y) {
  return x.moves > 1 && x.moves == y.moves;
}
inline bool worth_a_visit(const Bvh& bvh, Index a, Index b) {
  const BvhNode &x = bvh.nodes[a], &y = bvh.nodes[b];
  if ((x.moves | y.moves) == 0 || of_one_body(x, y)) return false;
  if (bvh.own.empty()) return overlap(x, y);
  const OwnBox &s = bvh.own[a], &t = bvh.own[b];
  return s.frame >= 0 && s.frame == t.frame ? overlap(s, t) : overlap(x, y);
}

// take(a, b) for the pairs of children that overlap, which replace a pair that is not two different leaves.
template <class Take>
void divide(const Bvh& bvh, NodePair pair, const Take& take) {
  const BvhNode* nodes = bvh.nodes.data();
  const BvhNode &x = nodes[pair.a], &y = nodes[pair.b];
  const auto take_if_near = [&](Index a, Index b) {
    if (worth_a_visit(bvh, a, b)) take(a, b);
  };
  if (pair.a == pair.b) {
    if (x.is_leaf() || x.moves == 0 || of_one_body(x, x)) return;
    take(pair.a + 1, pair.a + 1);
    take(x.second, x.second);
    take_if_near(pair.a + 1, x.second);
  } else if (y.is_leaf() || (!x.is_leaf() && x.size > y.size)) {
    take_if_near(pair.a + 1, pair.b);
    take_if_near(x.second, pair.b);
  } else {
    take_if_near(pair.a, pair.b + 1);
    take_if_near(pair.a, y.second);
  }
}

// Every division goes one level down on one side and leaves at most two pairs behind.
inline constexpr int deepest_tree = 96;
inline constexpr int most_waiting = 4 * deepest_tree;

}  // namespace detail

// visit(s, t) for every two triangles below the pair whose boxes overlap and of which one moves, but for those of one
// rigid body.
template <class Visit>
void visit_pairs(const Bvh& bvh, NodePair start, const Visit& visit) {
  std::array<NodePair, detail::most_waiting> waiting;
  int count = 0;
  const auto take = [&](Index a, Index b) {
    const BvhNode &x = bvh.nodes[a], &y = bvh.nodes[b];
    if (x.is_leaf() && y.is_leaf()) {
      if (a != b) visit(x.triangle(), y.triangle());
    } else {
      waiting[count++] = {a, b};
    }
  };
  if (start.a == start.b || !detail::of_one_body(bvh.nodes[start.a], bvh.nodes[start.b])) take(start.a, start.b);
  while (count > 0) detail::divide(bvh, waiting[--count], take);
}

// visit(t) for every other triangle whose box overlaps that of `triangle`, where one of the two moves and they
// are not of one rigid body.
template <class Visit>
void visit_neighbours(const Bvh& bvh, Index triangle, const Visit& visit) {
  if (bvh.nodes.size() < 2) return;
  visit_pairs(bvh, {bvh.leaf_of_triangle[triangle], 0}, [&](Index, Index t) { visit(t); });
}

// visit(t) for every triangle whose box overlaps that of `triangle`, whatever moves.
template <class Visit>
void visit_overlapping(const Bvh& bvh, Index triangle, const Visit& visit) {
  if (bvh.nodes.empty()) return;
  const BvhNode& box = bvh.nodes[bvh.leaf_of_triangle[triangle]];
  std::array<Index, detail::most_waiting> waiting{0};
  int count = 1;
  while (count > 0) {
    const Index n = waiting[--count];
    const BvhNode& node = bvh.nodes[n];
    if (!overlap(box, node)) continue;
    if (node.is_leaf()) {
      if (node.triangle() != triangle) visit(node.triangle());
    } else {
      waiting[count++] = n + 1;
      waiting[count++] = node.second;
    }
  }
}

}  // namespace sim
