#include "asynchronous/dop_tree.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sim {

namespace {

constexpr double half_root = 0.70710678118654752;
const std::array<Vec3, most_axes> axis_of{Vec3{1, 0, 0},
                                          Vec3{0, 1, 0},
                                          Vec3{0, 0, 1},
                                          Vec3{half_root, half_root, 0},
                                          Vec3{half_root, -half_root, 0},
                                          Vec3{half_root, 0, half_root},
                                          Vec3{half_root, 0, -half_root},
                                          Vec3{0, half_root, half_root},
                                          Vec3{0, half_root, -half_root}};

constexpr double endless = std::numeric_limits<double>::infinity();

// Rounded away from zero by more than computing it was off.
double outward(double value, double direction) {
  return value + direction * 0x1p-49 * std::abs(value);
}

struct Builder {
  const CollisionSurface& surface;
  const VecX& x;
  DopTree& tree;
  std::vector<Index> triangles;

  Vec3 middle(Index triangle) const {
    const Triangle& t = surface.triangles[triangle];
    return (block(x, t[0]) + block(x, t[1]) + block(x, t[2])) / 3;
  }

  int longest_axis(Range some) const {
    Vec3 low = middle(triangles[some.begin]), high = low;
    for (Index k = some.begin; k < some.end; ++k) {
      low = low.cwiseMin(middle(triangles[k]));
      high = high.cwiseMax(middle(triangles[k]));
    }
    int axis = 0;
    (high - low).maxCoeff(&axis);
    return axis;
  }

  void note_vertices(Range some, DopNode& node) const {
    std::vector<Index> found;
    for (Index k = some.begin; k < some.end; ++k)
      for (const Index v : surface.triangles[triangles[k]]) found.push_back(v);
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    node.vertices.begin = static_cast<Index>(tree.vertices.size());
    tree.vertices.insert(tree.vertices.end(), found.begin(), found.end());
    node.vertices.end = static_cast<Index>(tree.vertices.size());
    node.moves = std::any_of(found.begin(), found.end(), [&](Index v) { return surface.vertex_moves[v] != 0; });
  }

  Index build(Range some) {
    const auto made = static_cast<Index>(tree.nodes.size());
    tree.nodes.emplace_back();
    tree.nodes[made].size = some.size();
    note_vertices(some, tree.nodes[made]);
    if (some.size() == 1) {
      tree.nodes[made].triangle = triangles[some.begin];
      return made;
    }
    const int axis = longest_axis(some);
    const Index half = some.begin + some.size() / 2;
    std::sort(triangles.begin() + some.begin, triangles.begin() + some.end,
              [&](Index a, Index b) { return std::pair(middle(a)[axis], a) < std::pair(middle(b)[axis], b); });
    const Index left = build({some.begin, half}), right = build({half, some.end});
    tree.nodes[made].left = left;
    tree.nodes[made].right = right;
    return made;
  }
};

struct Bound {
  double place = 0, slope = 0;
};
Bound high_of(const DopView& view, Tick now, const DopNode& node, int axis) {
  return {node.high[axis] + node.rise[axis] * (static_cast<double>(now - node.since) * view.flights.tick),
          node.rise[axis]};
}
Bound low_of(const DopView& view, Tick now, const DopNode& node, int axis) {
  return {node.low[axis] + node.fall[axis] * (static_cast<double>(now - node.since) * view.flights.tick),
          node.fall[axis]};
}

// s, until the one above comes down to the one below; negative where it has.
double seconds_until(const Bound& above, const Bound& below, double separation) {
  const double gap = above.place - below.place - separation, closing = below.slope - above.slope;
  if (!(gap > 0)) return -1;
  return closing > 0 ? gap / closing : endless;
}

}  // namespace

Tick ticks_until(Tick now, double seconds, const Flights& flights) {
  const double ticks = seconds / flights.tick;
  return ticks < static_cast<double>(ticks_a_step) ? now + static_cast<Tick>(ticks) : 2 * ticks_a_step;
}

DopTree make_dop_tree(const CollisionSurface& surface, const VecX& x) {
  DopTree tree;
  if (surface.triangles.empty()) return tree;
  Builder builder{surface, x, tree, {}};
  for (Index t = 0; t < static_cast<Index>(surface.triangles.size()); ++t) builder.triangles.push_back(t);
  builder.build({0, static_cast<Index>(builder.triangles.size())});
  std::vector<Index>& begin = tree.above.begin;
  begin.assign(surface.vertex_object.size() + 1, 0);
  for (const Index v : tree.vertices) ++begin[v + 1];
  for (std::size_t v = 1; v < begin.size(); ++v) begin[v] += begin[v - 1];
  tree.above.items.resize(tree.vertices.size());
  std::vector<Index> next(begin.begin(), begin.end() - 1);
  for (Index n = 0; n < static_cast<Index>(tree.nodes.size()); ++n)
    for (Index k = tree.nodes[n].vertices.begin; k < tree.nodes[n].vertices.end; ++k)
      tree.above.items[next[tree.vertices[k]]++] = n;
  return tree;
}

void enclose(const DopView& view, Tick now, DopTree& tree, Index index) {
  DopNode& node = tree.nodes[index];
  node.tight = node.since = now;
  node.high.fill(-endless);
  node.rise.fill(-endless);
  node.low.fill(endless);
  node.fall.fill(endless);
  for (Index k = node.vertices.begin; k < node.vertices.end; ++k) {
    const Index v = tree.vertices[k];
    const Vec3 x = view.flights.at(v, now);
    const Tube& tube = view.tubes[v];
    for (int i = 0; i < view.axes; ++i) {
      const double place = axis_of[i].dot(x), slope = axis_of[i].dot(tube.v);
      node.high[i] = std::max(node.high[i], place);
      node.low[i] = std::min(node.low[i], place);
      node.rise[i] = std::max(node.rise[i], slope + tube.strays);
      node.fall[i] = std::min(node.fall[i], slope - tube.strays);
    }
  }
}

bool steepen(const DopView& view, Tick now, Index vertex, DopNode& node) {
  if (node.tight < 0) return false;
  const Tube& tube = view.tubes[vertex];
  std::array<double, most_axes> slope;
  bool held = true;
  for (int i = 0; i < view.axes; ++i) {
    slope[i] = axis_of[i].dot(tube.v);
    held = held && slope[i] + tube.strays <= node.rise[i] && slope[i] - tube.strays >= node.fall[i];
  }
  if (held) return false;
  for (int i = 0; i < view.axes; ++i) {
    node.high[i] = outward(high_of(view, now, node, i).place, 1);
    node.low[i] = outward(low_of(view, now, node, i).place, -1);
    node.rise[i] = std::max(node.rise[i], slope[i] + tube.strays);
    node.fall[i] = std::min(node.fall[i], slope[i] - tube.strays);
  }
  node.since = now;
  return true;
}

Tick apart_until(const DopView& view, Tick now, double separation, const DopNode& a, const DopNode& b) {
  double latest = -1;
  for (int i = 0; i < view.axes && latest < endless; ++i) {
    latest = std::max({latest, seconds_until(low_of(view, now, a, i), high_of(view, now, b, i), separation),
                       seconds_until(low_of(view, now, b, i), high_of(view, now, a, i), separation)});
  }
  return latest < 0 ? now - 1 : ticks_until(now, latest, view.flights);
}

}  // namespace sim
