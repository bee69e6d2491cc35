#include "elasticity/sheet_bending.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <algorithm>
#include <map>
#include <numbers>

#include "elasticity/sheet.hpp"
#include "math/parallel.hpp"

namespace sim {

namespace {

constexpr Index free_rings = 3;            // of vertices about that in the middle of a patch
constexpr Index middle_rings = 1;          // the triangles about their vertices are its middle
constexpr Index deep = free_rings + 1;     // edges from what lacks a hinge: a patch about such a vertex is whole
constexpr std::size_t most_patches = 100;  // of random meshes their mean is within 1 % of that of all

// a.K a, as a function of (K11, K22, 2 K12).
Vec3 twice(const Vec2& a) {
  return {a[0] * a[0], a[1] * a[1], a[0] * a[1]};
}

struct Flap {  // a triangle of a hinge
  Index triangle = 0;
  double angle = 0;   // in its plane, from the first of its edges to that of the hinge
  double along = 0;   // s
  double height = 0;  // h, below 0 where the apex is on the right of the edge
};

struct Fold {                       // a hinge
  std::array<Index, 4> vertices{};  // as those of Hinge
  std::array<Flap, 2> flaps;
  double length = 0;  // l
  double weight = 0;  // 2 k_B c / D
};

// The triangles that hinges have, in numbers of their own; so are vertices.
struct Net {
  std::vector<Fold> folds;
  std::vector<double> area;  // of triangles
  std::vector<std::vector<Index>> triangle_folds, vertex_folds, vertex_triangles;
  std::vector<std::array<Index, 3>> corners;
  std::vector<Index> depth;  // of vertices: edges to the nearest of a triangle without three hinges, at most deep
};

Flap flap_of(const std::array<Vec3, 3>& corners, const Vec3& from, const Vec3& e, const Vec3& apex, bool left) {
  const Vec3 p = apex - from, normal = (left ? e.cross(p) : p.cross(e)).normalized();
  const Vec3 first = corners[1] - corners[0];
  return {.angle = std::atan2(normal.dot(first.cross(e)), first.dot(e)),
          .along = p.dot(e),
          .height = normal.dot(e.cross(p))};
}

struct Builder {
  std::span<const Vec3> rest;
  double plate = 0;                               // D
  Index first_vertex = 0;                         // of the net
  std::map<std::array<Index, 3>, Index> numbers;  // of triangles, by their corners
  Net net;

  Index number(const std::array<Index, 3>& corners, double area) {
    const auto [entry, is_new] = numbers.try_emplace(corners, static_cast<Index>(net.area.size()));
    if (is_new) {
      net.area.push_back(area);
      net.corners.push_back(corners);
      net.triangle_folds.emplace_back();
      for (const Index v : corners) net.vertex_triangles[v].push_back(entry->second);
    }
    return entry->second;
  }

  void add(const Hinge& hinge) {
    const auto at = [&](Index v) -> const Vec3& { return rest[first_vertex + v]; };
    Fold fold;
    for (std::size_t k = 0; k < 4; ++k) fold.vertices[k] = hinge.vertices[k] - first_vertex;
    const auto [a, b, left, right] = fold.vertices;
    const Vec3 edge = at(b) - at(a);
    fold.length = edge.norm();
    fold.weight = 2 * hinge.stiffness / plate;
    const auto number_of_fold = static_cast<Index>(net.folds.size());
    for (const Index apex : {left, right}) {
      std::array<Index, 3> t{a, b, apex};
      std::sort(t.begin(), t.end());
      Flap flap = flap_of({at(t[0]), at(t[1]), at(t[2])}, at(a), edge / fold.length, at(apex), apex == left);
      flap.triangle = number(t, 0.5 * fold.length * std::abs(flap.height));
      net.triangle_folds[flap.triangle].push_back(number_of_fold);
      fold.flaps[apex == left ? 0 : 1] = flap;
    }
    for (const Index v : fold.vertices) net.vertex_folds[v].push_back(number_of_fold);
    net.folds.push_back(fold);
  }
};

// visit(v) for the vertices of the triangles about v.
template <class Visit>
void visit_ring(const Net& net, Index v, const Visit& visit) {
  for (const Index t : net.vertex_triangles[v]) {
    for (const Index w : net.corners[t]) visit(w);
  }
}

// At a border of the mesh hinges are missing, and vertices of their triangles would not stay where curvature has
// them.
bool lacks_a_hinge(const Net& net, Index v) {
  return std::any_of(net.vertex_triangles[v].begin(), net.vertex_triangles[v].end(),
                     [&](Index t) { return net.triangle_folds[t].size() < 3; });
}

void measure_depth(Net& net) {
  net.depth.assign(net.vertex_folds.size(), deep);
  std::vector<Index> ring;
  for (Index v = 0; v < static_cast<Index>(net.depth.size()); ++v) {
    if (!net.vertex_triangles[v].empty() && !lacks_a_hinge(net, v)) continue;
    net.depth[v] = 0;
    ring.push_back(v);
  }
  for (Index depth = 1; depth < deep; ++depth) {
    std::vector<Index> next;
    for (const Index v : ring) {
      visit_ring(net, v, [&](Index w) {
        if (net.depth[w] <= depth) return;
        net.depth[w] = depth;
        next.push_back(w);
      });
    }
    ring = std::move(next);
  }
}

Net make_net(std::span<const Vec3> rest, std::span<const Hinge> hinges, double plate) {
  Index first = hinges[0].vertices[0], last = first;
  for (const Hinge& hinge : hinges) {
    for (const Index v : hinge.vertices) first = std::min(first, v), last = std::max(last, v);
  }
  Builder builder{.rest = rest, .plate = plate, .first_vertex = first, .numbers = {}, .net = {}};
  builder.net.vertex_folds.resize(static_cast<std::size_t>(last - first + 1));
  builder.net.vertex_triangles.resize(builder.net.vertex_folds.size());
  for (const Hinge& hinge : hinges) builder.add(hinge);
  measure_depth(builder.net);
  return std::move(builder.net);
}

void make_set(std::vector<Index>& numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

// The vertices at most so many edges from v, ascending.
std::vector<Index> rings_about(const Net& net, Index v, Index rings) {
  std::vector<Index> found{v};
  for (Index k = 0; k < rings; ++k) {
    std::vector<Index> more = found;
    for (const Index w : found) {
      visit_ring(net, w, [&](Index x) { more.push_back(x); });
    }
    make_set(more);
    found = std::move(more);
  }
  return found;
}

std::vector<Index> all_about(const std::vector<std::vector<Index>>& things, const std::vector<Index>& vertices) {
  std::vector<Index> all;
  for (const Index v : vertices) all.insert(all.end(), things[v].begin(), things[v].end());
  make_set(all);
  return all;
}

Index place_in(const std::vector<Index>& sorted, Index number) {  // -1: it is not there
  const auto place = std::lower_bound(sorted.begin(), sorted.end(), number);
  return place != sorted.end() && *place == number ? static_cast<Index>(place - sorted.begin()) : -1;
}

// By how much each triangle is turned that is laid flat beside the one before, from `start` on through the folds.
std::map<Index, double> laid_flat(const Net& net, const std::vector<Index>& folds, Index start) {
  std::map<Index, double> turn{{start, 0}};
  std::vector<Index> queue{start};
  for (std::size_t next = 0; next < queue.size(); ++next) {
    for (const Index f : net.triangle_folds[queue[next]]) {
      if (place_in(folds, f) < 0) continue;
      const auto& [a, b] = net.folds[f].flaps;
      const Flap &here = a.triangle == queue[next] ? a : b, &there = a.triangle == queue[next] ? b : a;
      if (turn.try_emplace(there.triangle, turn.at(here.triangle) + here.angle - there.angle).second)
        queue.push_back(there.triangle);
    }
  }
  return turn;
}

// What theta is of a curvature of the patch.
Vec3 bent_by_curvature(const Fold& fold, const std::map<Index, double>& turn) {
  Vec3 theta = Vec3::Zero();
  for (const Flap& flap : fold.flaps) {
    const double angle = flap.angle + turn.at(flap.triangle);
    const Vec2 e(std::cos(angle), std::sin(angle)), across(-e[1], e[0]);
    const Vec2 p = flap.along * e + flap.height * across;
    theta += (twice(p) - flap.along * fold.length * twice(e)) / (2 * std::abs(flap.height));
  }
  return theta;
}

// And of the distances u of its vertices.
std::array<double, 4> bent_by_vertices(const Fold& fold) {
  std::array<double, 4> theta{};
  for (std::size_t k = 0; k < 2; ++k) {
    const double h = std::abs(fold.flaps[k].height), part = fold.flaps[k].along / fold.length;
    theta[0] -= (1 - part) / h;
    theta[1] -= part / h;
    theta[2 + k] = 1 / h;
  }
  return theta;
}

struct Patch {
  std::vector<Index> free;    // vertices that u moves: those that lack no hinge
  std::vector<Index> folds;   // of its vertices
  std::vector<Vec3> bent;     // theta of these, as a function of curvature
  std::vector<Index> middle;  // triangles of three hinges; none where nothing holds the patch at its rim
};

Patch patch_about(const Net& net, Index v) {
  Patch patch;
  patch.free = rings_about(net, v, free_rings);
  std::vector<Index>& folds = patch.folds;
  folds = all_about(net.vertex_folds, patch.free);
  std::erase_if(patch.free, [&](Index w) { return net.depth[w] == 0; });
  const std::map<Index, double> turn = laid_flat(net, folds, net.vertex_triangles[v][0]);
  // Of parts of the mesh that have but a vertex in common, one.
  std::erase_if(folds, [&](Index f) { return !turn.contains(net.folds[f].flaps[0].triangle); });
  const auto is_free = [&](Index w) { return place_in(patch.free, w) >= 0; };
  bool has_rim = false;
  for (const Index f : folds) {
    patch.bent.push_back(bent_by_curvature(net.folds[f], turn));
    has_rim |= !std::all_of(net.folds[f].vertices.begin(), net.folds[f].vertices.end(), is_free);
  }
  if (!has_rim) return patch;
  patch.middle = all_about(net.vertex_triangles, rings_about(net, v, middle_rings));
  std::erase_if(patch.middle, [&](Index t) { return net.triangle_folds[t].size() < 3 || !turn.contains(t); });
  return patch;
}

// visit(i, angle) for the free vertices of a fold: where they are in the list, and what theta is of one.
template <class Visit>
void visit_free(const Patch& patch, const Fold& fold, const Visit& visit) {
  const std::array<double, 4> theta = bent_by_vertices(fold);
  for (std::size_t k = 0; k < 4; ++k) {
    const Index i = place_in(patch.free, fold.vertices[k]);
    if (i >= 0) visit(i, theta[k]);
  }
}

// Adds what u does.
void let_go(const Net& net, Patch& patch) {
  const auto count = static_cast<Eigen::Index>(patch.free.size());
  Eigen::MatrixXd stiffness = Eigen::MatrixXd::Zero(count, count), load = Eigen::MatrixXd::Zero(count, 3);
  for (std::size_t k = 0; k < patch.folds.size(); ++k) {
    const Fold& fold = net.folds[patch.folds[k]];
    visit_free(patch, fold, [&](Index i, double theta) {
      load.row(i) -= fold.weight * theta * patch.bent[k].transpose();
      visit_free(patch, fold, [&](Index j, double other) { stiffness(i, j) += fold.weight * theta * other; });
    });
  }
  const Eigen::MatrixXd u = stiffness.ldlt().solve(load);
  for (std::size_t k = 0; k < patch.folds.size(); ++k)
    visit_free(patch, net.folds[patch.folds[k]],
               [&](Index i, double theta) { patch.bent[k] += theta * u.row(i).transpose(); });
}

struct Plate {
  Mat3 stiffness = Mat3::Zero();  // C times the area
  double area = 0;                // m^2
};

Plate middle_of(const Net& net, const Patch& patch) {
  Plate plate;
  for (const Index t : patch.middle) {
    plate.area += net.area[t];
    for (const Index f : net.triangle_folds[t]) {
      const Fold& fold = net.folds[f];
      const Vec3& bent = patch.bent[place_in(patch.folds, f)];
      const double both = net.area[fold.flaps[0].triangle] + net.area[fold.flaps[1].triangle];
      plate.stiffness += fold.weight * net.area[t] / both * bent * bent.transpose();
    }
  }
  return plate;
}

BendingRange range_of(const Mat3& stiffness, double poisson) {
  constexpr int directions = 180;  // a degree apart
  const Mat3 compliance = stiffness.inverse();
  BendingRange range{.smallest = std::numeric_limits<double>::infinity(), .largest = 0};
  for (int i = 0; i < directions; ++i) {
    const double angle = std::numbers::pi * i / directions;
    const Vec3 moment = twice({std::cos(angle), std::sin(angle)}), curvature(moment[0], moment[1], 2 * moment[2]);
    const double cylinder = curvature.dot(stiffness * curvature);
    const double strip = 1 / (moment.dot(compliance * moment) * (1 - poisson * poisson));
    range.smallest = std::min({range.smallest, cylinder, strip});
    range.largest = std::max({range.largest, cylinder, strip});
  }
  return range;
}

// Those farthest from what lacks a hinge, of very many some.
std::vector<Index> middles_of_patches(const Net& net) {
  const Index deepest = *std::max_element(net.depth.begin(), net.depth.end());
  std::vector<Index> all;
  for (Index v = 0; v < static_cast<Index>(net.depth.size()); ++v) {
    if (net.depth[v] == deepest && !net.vertex_triangles[v].empty()) all.push_back(v);
  }
  if (all.size() <= most_patches) return all;
  std::vector<Index> some;
  for (std::size_t i = 0; i < most_patches; ++i) some.push_back(all[i * all.size() / most_patches]);
  return some;
}

}  // namespace

std::optional<BendingRange> bending_range(std::span<const Vec3> rest, std::span<const Hinge> hinges,
                                          const Material& shell) {
  if (hinges.empty()) return std::nullopt;
  const Net net = make_net(rest, hinges, 6 * bending_stiffness(shell));
  const std::vector<Index> middles = middles_of_patches(net);
  struct Part {
    double area = 0;
    BendingRange range;
  };
  std::vector<Part> parts(middles.size());
  parallel_for(static_cast<Index>(middles.size()), 16, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      Patch patch = patch_about(net, middles[i]);
      if (patch.middle.empty()) continue;
      let_go(net, patch);
      const Plate plate = middle_of(net, patch);
      parts[i] = {plate.area, range_of(plate.stiffness / plate.area, shell.poisson)};
    }
  });
  double area = 0;
  BendingRange sum{.smallest = 0, .largest = 0};
  for (const Part& part : parts) {
    area += part.area;
    sum.smallest += part.area * part.range.smallest;
    sum.largest += part.area * part.range.largest;
  }
  if (!(area > 0)) return std::nullopt;
  return BendingRange{.smallest = sum.smallest / area, .largest = sum.largest / area};
}

}  // namespace sim
