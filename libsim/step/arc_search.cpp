#include "step/arc_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "step/part.hpp"

namespace sim {

namespace {

constexpr double most_overshoot = 0.9;  // of the force against the way, over what drives it
constexpr double shortest_length = 1e-3;

// visit(row, vertex, bow or bow_rate of it) at the length that the body goes, as far as nothing holds the vertex.
template <class Of, class Visit>
void each_bow(const Part& part, const ArcSearch& search, Index body, Of of, const Visit& visit) {
  const auto found = search.arc.find(body);
  if (found == search.arc.end()) return;
  for (const Index row : part.s.groups.bodies.rows_of(body)) {
    const Index vertex = part.model.plan.vertex_of_block[row];
    Vec3 bow = (found->second.*of)(block(search.place, vertex), part.s.newton.length[body] * part.dt);
    if (part.model.guide_of_vertex[vertex] >= 0) bow -= held_part(part.model, part.s.guides, vertex) * bow;
    visit(row, vertex, bow);
  }
}

// Lets a body that went straight go along its arc; false where it does so already, or does not turn, and in
// quasi-static steps, whose ways are no motion: what falls there before it is caught turns by any angle.
bool bend(const Part& part, Index body, ArcSearch& search) {
  const Scratch& s = part.s;
  if (s.inertia.is_static() || s.turning.hold[body] == Hold::rigid || search.arc.contains(body)) return false;
  if (search.place.size() == 0) {
    search.place = part.state.x + part.dt * s.newton.from;
    search.way = s.motion - s.newton.from;
  }
  const Whole whole = whole_body(part.model, s.groups.bodies.rows_of(body), search.place, search.way);
  const Arc arc = arc_of(whole, s.turning.hold[body] == Hold::prescribed);
  if (!(std::pow(part.dt, 2) * arc.turn.squaredNorm() > std::numeric_limits<double>::epsilon())) return false;
  search.arc[body] = arc;
  return true;
}

}  // namespace

void point_rows(const Part& part, const VecX& point, const VecX& rigid_point, VecX& rows) {
  const Model& model = part.model;
  rows.resize(part.s.problem.b.size());
  const auto elastic = static_cast<Index>(model.plan.vertex_of_block.size());
  for (Index row = 0; row < elastic; ++row) {
    const Index vertex = model.plan.vertex_of_block[row];
    block(rows, row) = block(point, vertex);
    if (model.guide_of_vertex[vertex] >= 0) block(rows, row) -= block(part.s.prescribed, vertex);
  }
  rows.tail(rigid_point.size()) = rigid_point;
  keep_free(model, part.s.guides, rows);
}

void put_points(Part& part, const ArcSearch& search) {
  Scratch& s = part.s;
  NewtonScratch& n = s.newton;
  const Index rigid_begin = static_cast<Index>(part.model.plan.vertex_of_block.size());
  for (const Index body : n.bodies) {
    const std::span<const Index> rows = s.groups.bodies.rows_of(body);
    const double length = n.length[body];
    if (rows.front() >= rigid_begin) {
      for (const Index row : rows) {
        const Vec3 from = block(n.rigid_from, row - rigid_begin);
        block(s.inertia.rigid_point, row - rigid_begin) = from + length * (block(s.solution.v, row) - from);
      }
      continue;
    }
    const Range vertices = part.model.objects[s.settling.object_of_body[body]].vertices;
    for (Index i = vertices.begin; i < vertices.end; ++i) {
      const Index of = s.settling.body_of_vertex[i];
      if (of >= 0 && of != body) continue;
      const Vec3 from = block(n.from, i);
      block(s.inertia.point, i) = from + length * (block(s.motion, i) - from);
    }
    each_bow(part, search, body, &Arc::bow,
             [&](Index, Index vertex, const Vec3& bow) { block(s.inertia.point, vertex) += bow / part.dt; });
  }
}

bool shorten(Part& part, ArcSearch& search) {
  Scratch& s = part.s;
  NewtonScratch& n = s.newton;
  VecX rows;
  point_rows(part, s.inertia.point, s.inertia.rigid_point, rows);
  multiply(s.problem.A, rows, n.product);
  n.product = s.problem.b - n.product - n.before;
  VecX& tangent = rows;
  tangent = n.way;
  bool again = false;
  for (const Index body : n.bodies) {
    each_bow(part, search, body, &Arc::bow_rate,
             [&](Index row, Index, const Vec3& rate) { block(tangent, row) += rate; });
    const double along = dot_of_rows(n.product, tangent, s.groups.bodies.rows_of(body)), drive = n.curvature[body];
    if (along >= -most_overshoot * drive || n.length[body] <= shortest_length) continue;
    if (n.length[body] < 1 || !bend(part, body, search))
      n.length[body] *= std::clamp(drive / (drive - along), 0.1, 0.5);
    again = true;
  }
  return again;
}

}  // namespace sim
