#include "model/loads.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "model/state.hpp"

namespace sim {

namespace {

Vec3 area_vector(const Vec3& a, const Vec3& b, const Vec3& c) {
  return 0.5 * (b - a).cross(c - a);
}

// Puts forces where they belong: on vertices, or on the rigid body of a vertex.
struct Collector {
  const Model& model;
  const VecX& x;
  std::span<const RigidState> rigid;
  LoadForces& loads;

  void add(Index vertex, const Vec3& force) const {
    const Index body = model.surface.vertex_body[vertex];
    if (body < 0) {
      for_each_node(model.embedding, vertex, 1,
                    [&](Index node, double weight) { block(loads.force, node) += weight * force; });
    } else {
      add(body, block(x, vertex), force);
    }
  }
  void add(Index body, const Vec3& place, const Vec3& force) const {
    Wrench& wrench = loads.wrench[body];
    wrench.force += force;
    wrench.torque += (place - rigid[body].center).cross(force);
  }
};

void add_pressure(const Collector& to, const Load& load, double pressure) {
  for (std::size_t k = 0; k < load.vertices.size(); ++k) to.add(load.vertices[k], -pressure * load.area[k]);
  for (const Triangle& t : load.triangles) {
    const VecX& x = to.x;
    const Vec3 third = -pressure / 3 * area_vector(block(x, t[0]), block(x, t[1]), block(x, t[2]));
    for (const Index vertex : t) to.add(vertex, third);
  }
}

// On a rigid body as a whole.
void add_wrench(const Collector& to, const Load& load, Vec3 value) {
  const Index body = to.model.surface.vertex_body[to.model.objects[load.object].vertices.begin];
  const RigidState& state = to.rigid[body];
  if (load.follows) value = state.turn * value;
  if (load.kind == LoadKind::torque) {
    to.loads.wrench[body].torque += value;
  } else if (load.kind == LoadKind::body_force) {
    to.loads.wrench[body].force += load.share.front() * value;
  } else {
    to.add(body, state.center + state.turn * (load.point - to.model.rigid[body].center), value);
  }
}

}  // namespace

Index find_loads(const Model& model, const State& state, double dt, LoadForces& loads) {
  return find_loads_at(model, state.x, state.rigid, state.time + 0.5 * dt, loads);
}

Index find_loads_at(const Model& model, const VecX& x, std::span<const RigidState> rigid, double time,
                    LoadForces& loads) {
  if (model.loads.empty()) return -1;
  loads.force.setZero(x.size());
  loads.wrench.assign(model.rigid.size(), {});
  const Collector to{model, x, rigid, loads};
  for (const Load& load : model.loads) {
    Vec3 value;
    for (int k = 0; k < 3; ++k) value[k] = load.value[static_cast<std::size_t>(k)].at(time);
    if (!value.allFinite()) return load.object;
    if (load.kind == LoadKind::pressure) {
      add_pressure(to, load, value[0]);
    } else if (load.vertices.empty()) {
      add_wrench(to, load, value);
    } else {
      for (std::size_t k = 0; k < load.vertices.size(); ++k) to.add(load.vertices[k], load.share[k] * value);
    }
  }
  return -1;
}

void add_loads(const Model& model, const LoadForces& loads, const RigidBlocks& blocks,
               std::span<const RigidStep> steps, const BlockMatrix& A, VecX& b, VecX& v) {
  if (!loads.any()) return;
  for (std::size_t row = 0; row < model.plan.vertex_of_block.size(); ++row)
    block(b, static_cast<Index>(row)) += blocks.dt * block(loads.force, model.plan.vertex_of_block[row]);
  for (std::size_t i = 0; i < loads.wrench.size(); ++i) {
    const auto body = static_cast<Index>(i);
    const Index linear = blocks.linear(body), angular = blocks.angular(body);
    block(b, linear) += blocks.dt * loads.wrench[i].force;
    block(b, angular) += blocks.dt / model.rigid[i].radius * (steps[i].axes.transpose() * loads.wrench[i].torque);
    for (const Index row : {linear, angular})
      block(v, row) = block(b, row).cwiseQuotient(Vec3(A.at(A.find(row, row)).diagonal()));
  }
}

void share_of_triangles(std::span<const Vec3> rest, std::span<const Triangle> triangles, Load& load) {
  std::map<Index, std::pair<double, Vec3>> of_vertex;
  for (const Triangle& t : triangles) {
    const Vec3 third = area_vector(rest[t[0]], rest[t[1]], rest[t[2]]) / 3;
    for (const Index vertex : t) {
      auto& [share, area] = of_vertex.try_emplace(vertex, 0.0, Vec3::Zero()).first->second;
      share += third.norm();
      area += third;
    }
  }
  for (const auto& [vertex, sums] : of_vertex) {
    load.vertices.push_back(vertex);
    load.share.push_back(sums.first);
    load.area.push_back(sums.second);
  }
}

}  // namespace sim
