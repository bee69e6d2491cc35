#include "local/depth.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <utility>

namespace sim {

namespace {

constexpr double least_square = 1e-30;  // m^2: of distances that weights are made from

void join(const Model& model, DepthScratch& s) {
  if (!s.begin.empty()) return;
  std::vector<std::array<Index, 2>> edges;
  for (const Tet& tet : model.mesh.tets) {
    for (const Index a : tet) {
      for (const Index b : tet) {
        if (a != b) edges.push_back({a, b});
      }
    }
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  s.begin.assign(model.mesh.vertices.size() + 1, 0);
  for (const auto& edge : edges) ++s.begin[edge[0] + 1];
  for (std::size_t i = 0; i + 1 < s.begin.size(); ++i) s.begin[i + 1] += s.begin[i];
  for (const auto& edge : edges) s.neighbours.push_back(edge[1]);
}

std::span<const Index> neighbours(const DepthScratch& s, Index vertex) {
  return {s.neighbours.data() + s.begin[vertex], s.neighbours.data() + s.begin[vertex + 1]};
}

struct Exit {
  double way = std::numeric_limits<double>::infinity();  // in lengths of the direction
  Index triangle = -1;
  std::array<double, 3> h{};
  Vec3 normal{0, 0, 0};
};

// Where p + way * direction goes through the triangle from its inner side (Moeller & Trumbore 1997).
std::optional<Exit> exit_through(const Triangle& corners, const VecX& x, const Vec3& p, const Vec3& direction) {
  const Vec3 a = block(x, corners[0]), ab = Vec3(block(x, corners[1])) - a, ac = Vec3(block(x, corners[2])) - a;
  const Vec3 normal = ab.cross(ac);
  const double facing = normal.dot(direction);
  if (!(facing > 0)) return {};
  const Vec3 ap = p - a, across = ap.cross(direction);
  const double u = -ac.dot(across) / facing, v = ab.dot(across) / facing, way = -normal.dot(ap) / facing;
  if (u < 0 || v < 0 || u + v > 1 || way < 0) return {};
  return Exit{way, -1, {1 - u - v, u, v}, normal.normalized()};
}

Exit first_exit(const Model& model, Index object, const VecX& x, const Vec3& p, const Vec3& direction) {
  Exit first;
  const Range& triangles = model.objects[object].triangles;
  for (Index t = triangles.begin; t < triangles.end; ++t) {
    const std::optional<Exit> found = exit_through(model.mesh.triangles[t], x, p, direction);
    if (!found || found->way >= first.way) continue;
    first = *found;
    first.triangle = t;
  }
  return first;
}

// A weighted mean on its way.
struct Mean {
  double weight = 0, depth = 0;
  Vec3 out{0, 0, 0};
  void add(double w, double d, const Vec3& r) {
    weight += w;
    depth += w * d;
    out += w * r;
  }
  bool take(Penetration& p) const {
    if (!(weight > 0) || !(out.norm() > 0)) return false;
    p.depth = depth / weight;
    p.out = out.normalized();
    return true;
  }
};

const Penetration* find(const std::vector<Penetration>& all, Index vertex, Index object) {
  const Inside wanted{vertex, object};
  const auto is_before = [](const Penetration& p, const Inside& i) { return Inside{p.vertex, p.object} < i; };
  const auto place = std::lower_bound(all.begin(), all.end(), wanted, is_before);
  return place != all.end() && place->vertex == vertex && place->object == object ? &*place : nullptr;
}

bool has_depth(const Penetration& p) {
  return !p.out.isZero(0);
}

bool at_border(const Model& model, const VecX& x, const DepthScratch& s, const std::vector<Penetration>& all,
               Penetration& p) {
  Mean mean;
  const Vec3 at = block(x, p.vertex);
  for (const Index q : neighbours(s, p.vertex)) {
    if (find(all, q, p.object) != nullptr) continue;
    const Vec3 edge = Vec3(block(x, q)) - at;
    const Exit exit = first_exit(model, p.object, x, at, edge);
    if (!(exit.way <= 1)) continue;
    const Vec3 to = exit.way * edge;
    mean.add(1 / std::max(to.squaredNorm(), least_square), to.dot(exit.normal), exit.normal);
  }
  return mean.take(p);
}

bool from_neighbours(const VecX& x, const DepthScratch& s, const std::vector<Penetration>& all, Penetration& p) {
  Mean mean;
  for (const Index q : neighbours(s, p.vertex)) {
    const Penetration* known = find(all, q, p.object);
    if (known == nullptr || !has_depth(*known)) continue;
    const Vec3 to = block(x, q) - block(x, p.vertex);
    mean.add(1 / std::max(to.squaredNorm(), least_square), to.dot(known->out) + known->depth, known->out);
  }
  return mean.take(p);
}

// One layer of vertices farther in; false where nothing more is reached.
bool go_inwards(const VecX& x, const DepthScratch& s, std::vector<Penetration>& all) {
  std::vector<Penetration> next = all;
  bool goes_on = false;
  for (Penetration& p : next) {
    if (!has_depth(p) && from_neighbours(x, s, all, p)) goes_on = true;
  }
  all = std::move(next);
  return goes_on;
}

}  // namespace

void find_penetrations(const Model& model, const VecX& x, DepthScratch& s, std::vector<Penetration>& found) {
  join(model, s);
  find_inside(model, x, s.table, s.inside);
  found.clear();
  for (const Inside& one : s.inside) found.push_back({.vertex = one.vertex, .object = one.object});
  for (Penetration& p : found) at_border(model, x, s, found, p);
  while (go_inwards(x, s, found)) {
  }
  for (Penetration& p : found) {
    if (!has_depth(p)) continue;
    const Exit exit = first_exit(model, p.object, x, block(x, p.vertex), p.out);
    p.triangle = exit.triangle;
    p.h = exit.h;
  }
}

}  // namespace sim
