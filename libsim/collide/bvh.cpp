#include "collide/bvh.hpp"

#include <algorithm>
#include <limits>

namespace sim {

namespace {

using Float4 = Eigen::Array4f;

// The next float is at most 2^-23 away in proportion; below the normal numbers a fixed step does. What is not a
// number may be anywhere.
template <class Node>
void set_box(const Box& box, double separation, Node& node) {
  constexpr float relative = 0x1p-23F, absolute = 1e-37F;
  const Eigen::Array4d reach(0.5 * separation, 0.5 * separation, 0.5 * separation, 0.0);
  const Float4 low = (box.low - reach).cast<float>(), high = (box.high + reach).cast<float>();
  node.low = low - (relative * low.abs() + absolute);
  node.high = high + (relative * high.abs() + absolute);
  constexpr float infinity = std::numeric_limits<float>::infinity();
  node.low = (node.low == node.low).select(node.low, -infinity);
  node.high = (node.high == node.high).select(node.high, infinity);
}

Float4 extent(const BvhNode& node) {
  Float4 e = node.high - node.low;
  e[3] = 0;
  return e;
}

double half_area(const BvhNode& node) {
  const Float4 e = extent(node);
  return static_cast<double>(e[0] * e[1] + e[1] * e[2] + e[2] * e[0]);
}

void unite(const BvhNode& a, const BvhNode& b, BvhNode& node) {
  node.low = a.low.min(b.low);
  node.high = a.high.max(b.high);
  node.size = extent(node).sum();
}

void unite_own(Index n, Bvh& bvh) {
  const OwnBox &a = bvh.own[n + 1], &b = bvh.own[bvh.nodes[n].second];
  bvh.own[n] = {a.low.min(b.low), a.high.max(b.high), a.frame == b.frame ? a.frame : -1};
}

void set_own(const CollisionSurface& surface, std::span<const Index> frame_of_object, const Box& triangle_box,
             double separation, Index triangle, OwnBox& own) {
  set_box(triangle_box, separation, own);
  own.frame = frame_of_object[surface.object_of_triangle(triangle)];
}

constexpr int bins = 16;

struct Item {  // a triangle while the tree is built
  Eigen::Array3d low, high;
  Index triangle = 0;

  double middle(int axis) const { return low[axis] + high[axis]; }  // twice, for all alike
};

struct Bounds {
  Eigen::Array3d low = Eigen::Array3d::Constant(std::numeric_limits<double>::infinity());
  Eigen::Array3d high = -low;
  Index count = 0;

  void add(const Item& item) {
    low = low.min(item.low);
    high = high.max(item.high);
    ++count;
  }
  void add(const Bounds& other) {
    low = low.min(other.low);
    high = high.max(other.high);
    count += other.count;
  }
  double cost() const {
    if (count == 0) return 0;
    const Eigen::Array3d e = high - low;
    return (e[0] * e[1] + e[1] * e[2] + e[2] * e[0]) * count;
  }
};

struct Split {
  int axis = 0;
  double low = 0, scale = 0;
  int bin = 0;  // the first one of the second half

  bool first_half(const Item& item) const { return bin_of(item) < bin; }
  int bin_of(const Item& item) const {
    const double place = (item.middle(axis) - low) * scale;
    return place >= 0 ? static_cast<int>(std::min(place, bins - 1.0)) : 0;  // 0 also for what is not a number
  }
};

// The cut between two bins of the longest axis of the middles that makes the boxes of both halves, times what they
// hold, smallest. `bin` is 0 where all middles are the same.
Split best_split(std::span<const Item> items) {
  Eigen::Array3d low = Eigen::Array3d::Constant(std::numeric_limits<double>::infinity()), high = -low;
  for (const Item& item : items) {
    low = low.min(item.low + item.high);
    high = high.max(item.low + item.high);
  }
  Split split;
  const double length = (high - low).maxCoeff(&split.axis);
  if (!(length > 0 && length < std::numeric_limits<double>::infinity())) return split;
  split.low = low[split.axis];
  split.scale = bins / length;
  std::array<Bounds, bins> bin;
  for (const Item& item : items) bin[split.bin_of(item)].add(item);

  std::array<double, bins> cost_behind{};
  Bounds behind;
  for (int k = bins - 1; k > 0; --k) {
    behind.add(bin[k]);
    cost_behind[k] = behind.cost();
  }
  Bounds before;
  double best = std::numeric_limits<double>::infinity();
  for (int k = 1; k < bins; ++k) {
    before.add(bin[k - 1]);
    if (before.cost() + cost_behind[k] < best && before.count > 0 &&
        before.count < static_cast<Index>(items.size())) {
      best = before.cost() + cost_behind[k];
      split.bin = k;
    }
  }
  return split;
}

// Appends the tree over the items and returns its root. Where bins do not divide, or have done so all too often, the
// items are halved as they come, which takes 32 levels at most.
constexpr int deepest = detail::deepest_tree - 32;
Index append_tree(std::span<Item> items, Index parent, int depth, Bvh& bvh) {
  const auto node = static_cast<Index>(bvh.nodes.size());
  bvh.nodes.emplace_back();
  bvh.nodes[node].parent = parent;
  if (items.size() == 1) {
    bvh.nodes[node].second = ~items[0].triangle;
    bvh.leaf_of_triangle[items[0].triangle] = node;
    return node;
  }
  const Split split = depth < deepest ? best_split(items) : Split{};
  auto border = items.begin() + static_cast<std::ptrdiff_t>(items.size() / 2);
  if (split.bin > 0) {
    border = std::stable_partition(items.begin(), items.end(), [&](const Item& i) { return split.first_half(i); });
  }
  const auto count = static_cast<std::size_t>(border - items.begin());
  append_tree(items.first(count), node, depth + 1, bvh);
  bvh.nodes[node].second = append_tree(items.subspan(count), node, depth + 1, bvh);
  return node;
}

}  // namespace

void build(const CollisionSurface& surface, std::span<const Box> triangle_boxes, double separation, Bvh& bvh) {
  std::vector<Item> items(triangle_boxes.size());
  for (Index t = 0; t < static_cast<Index>(items.size()); ++t) {
    items[t] = {triangle_boxes[t].low.head<3>(), triangle_boxes[t].high.head<3>(), t};
  }
  bvh.nodes.clear();
  bvh.own.clear();
  bvh.leaf_of_triangle.assign(items.size(), -1);
  if (items.empty()) return;
  bvh.nodes.reserve(2 * items.size() - 1);
  append_tree(items, -1, 0, bvh);
  for (Index n = static_cast<Index>(bvh.nodes.size()) - 1; n >= 0; --n) {
    BvhNode& node = bvh.nodes[n];
    if (node.is_leaf()) {
      const Index body = surface.body_of_triangle(node.triangle());
      node.endless = surface.is_half_space(surface.object_of_triangle(node.triangle()));
      node.moves = body >= 0 ? static_cast<std::uint32_t>(body) + 2 : surface.triangle_moves[node.triangle()];
    } else {
      const std::uint32_t one = bvh.nodes[n + 1].moves, other = bvh.nodes[node.second].moves;
      node.moves = one == other ? one : 1;
      node.endless = bvh.nodes[n + 1].endless || bvh.nodes[node.second].endless;
    }
  }
  refit(triangle_boxes, separation, bvh);
  bvh.built_cost = bvh.cost;
}

void refit(std::span<const Box> triangle_boxes, double separation, Bvh& bvh) {
  double all = 0, leaves = 0;
  for (Index n = static_cast<Index>(bvh.nodes.size()) - 1; n >= 0; --n) {
    BvhNode& node = bvh.nodes[n];
    if (node.is_leaf()) {
      set_box(triangle_boxes[node.triangle()], separation, node);
      node.size = extent(node).sum();
      if (!node.endless) leaves += half_area(node);
    } else {
      unite(bvh.nodes[n + 1], bvh.nodes[node.second], node);
    }
    if (!node.endless) all += half_area(node);
  }
  bvh.cost = leaves > 0 ? all / leaves : 1;
}

void extend(const Box& triangle_box, double separation, Index triangle, Bvh& bvh) {
  Index n = bvh.leaf_of_triangle[triangle];
  set_box(triangle_box, separation, bvh.nodes[n]);
  bvh.nodes[n].size = extent(bvh.nodes[n]).sum();
  for (n = bvh.nodes[n].parent; n != -1; n = bvh.nodes[n].parent) {
    unite(bvh.nodes[n + 1], bvh.nodes[bvh.nodes[n].second], bvh.nodes[n]);
  }
}

void refit_own(const CollisionSurface& surface, std::span<const Index> frame_of_object,
               std::span<const Box> triangle_boxes, double separation, Bvh& bvh) {
  bvh.own.resize(bvh.nodes.size());
  for (Index n = static_cast<Index>(bvh.own.size()) - 1; n >= 0; --n) {
    if (bvh.nodes[n].is_leaf()) {
      const Index triangle = bvh.nodes[n].triangle();
      set_own(surface, frame_of_object, triangle_boxes[triangle], separation, triangle, bvh.own[n]);
    } else {
      unite_own(n, bvh);
    }
  }
}

void extend_own(const CollisionSurface& surface, std::span<const Index> frame_of_object, const Box& triangle_box,
                double separation, Index triangle, Bvh& bvh) {
  Index n = bvh.leaf_of_triangle[triangle];
  set_own(surface, frame_of_object, triangle_box, separation, triangle, bvh.own[n]);
  for (n = bvh.nodes[n].parent; n != -1; n = bvh.nodes[n].parent) unite_own(n, bvh);
}

void split_work(const Bvh& bvh, Index wanted, std::vector<NodePair>& pairs) {
  pairs.clear();
  if (bvh.nodes.empty()) return;
  pairs.push_back({0, 0});
  std::size_t begin = 0;  // what is before has been replaced
  bool divided = true;
  while (divided && pairs.size() - begin < static_cast<std::size_t>(wanted)) {
    divided = false;
    const std::size_t end = pairs.size();
    for (std::size_t i = begin; i < end; ++i) {
      const NodePair pair = pairs[i];
      if (pair.a != pair.b && bvh.nodes[pair.a].is_leaf() && bvh.nodes[pair.b].is_leaf()) {
        pairs.push_back(pair);
      } else {
        detail::divide(bvh, pair, [&pairs](Index a, Index b) { pairs.push_back({a, b}); });
        divided = true;
      }
    }
    begin = end;
  }
  pairs.erase(pairs.begin(), pairs.begin() + static_cast<std::ptrdiff_t>(begin));
}

}  // namespace sim
