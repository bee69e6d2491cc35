#include "step/geometric_stiffness.hpp"

#include <algorithm>

#include "collide/limits.hpp"
#include "step/part.hpp"

namespace sim {

namespace {

bool pulls_across(const Contact& contact) {
  return is_limit(contact) && contact.transverse > 0;
}

// m/s: of a vertex, as far as it is prescribed.
Vec3 prescribed_part(const Part& part, Index vertex) {
  const bool known = part.model.plan.block_of_vertex[vertex] < 0 || part.model.guide_of_vertex[vertex] >= 0;
  return known ? Vec3(block(part.s.prescribed, vertex)) : Vec3(Vec3::Zero());
}

Vec3 velocity(const Part& part, Index vertex) {
  const Index row = part.model.plan.block_of_vertex[vertex];
  return prescribed_part(part, vertex) + (row < 0 ? Vec3(Vec3::Zero()) : Vec3(block(part.s.solution.v, row)));
}

// r at the end of the step of vertices that go by `velocity_of`.
template <class VelocityOf>
Vec3 separation_at_end(const Part& part, const Contact& limit, const VelocityOf& velocity_of) {
  return separation_vector(limit, part.state.x) +
         part.dt * (velocity_of(part, limit.vertices[0]) - velocity_of(part, limit.vertices[1]));
}

Mat3 across(const Vec3& n) {
  return Mat3::Identity() - n * n.transpose();
}

void add(Part& part, const Contact& limit) {
  Scratch& s = part.s;
  const Mat3 g = part.dt * limit.transverse * across(limit.n);
  const Vec3 pull = g * separation_at_end(part, limit, prescribed_part);
  std::array<Index, 2> row;
  std::array<Mat3, 2> free;
  for (std::size_t k = 0; k < 2; ++k) {
    row[k] = part.model.plan.block_of_vertex[limit.vertices[k]];
    free[k] = Mat3::Identity() - held_part(part.model, s.guides, limit.vertices[k]);
  }
  for (std::size_t i = 0; i < 2; ++i) {
    if (row[i] < 0) continue;
    block(s.problem.b, row[i]) -= limit.weights[i] * (free[i] * pull);
    for (std::size_t j = 0; j < 2; ++j) {
      if (row[j] < 0) continue;
      const Index slot = s.problem.A.find(row[i], row[j]);
      s.geometric.blocks.push_back({slot, s.problem.A.at(slot)});
      s.problem.A.at(slot) += part.dt * limit.weights[i] * limit.weights[j] * (free[i] * g * free[j]);
    }
  }
}

void mark(const Part& part, ContactId id, std::vector<std::uint8_t>& changed) {
  const LengthLimit& limit = part.model.surface.limits[pair_of_contact(id).pair.first];
  for (const Index vertex : limit.vertices) {
    if (const Index body = part.s.settling.body_of_vertex[vertex]; body >= 0) changed[body] = 1;
  }
}

// Bodies of limits whose term is not what it was.
std::vector<Index> changed_bodies(const Part& part, const std::vector<GeometricStiffness::Term>& before,
                                  const std::vector<GeometricStiffness::Term>& now) {
  std::vector<std::uint8_t> changed(static_cast<std::size_t>(part.s.groups.bodies.count()), 0);
  auto a = before.begin();
  auto b = now.begin();
  while (a != before.end() || b != now.end()) {
    if (b == now.end() || (a != before.end() && a->id < b->id)) {
      mark(part, (a++)->id, changed);
    } else if (a == before.end() || b->id < a->id) {
      mark(part, (b++)->id, changed);
    } else {
      if (!(*a == *b)) mark(part, a->id, changed);
      ++a, ++b;
    }
  }
  std::vector<Index> bodies;
  for (Index body = 0; body < static_cast<Index>(changed.size()); ++body) {
    if (changed[body] != 0) bodies.push_back(body);
  }
  return bodies;
}

}  // namespace

void find_transverse_stiffness(const Part& part, std::vector<Contact>& contacts) {
  if (part.options.contact.as_published) return;
  for (Contact& contact : contacts) {
    if (is_upper_limit(contact)) contact.transverse = std::max(0.0, contact.lambda) / -contact.thickness;
  }
}

void add_geometric_stiffness(Part& part) {
  Scratch& s = part.s;
  std::vector<GeometricStiffness::Term> terms;
  for (const Contact& contact : part.state.contacts.contacts) {
    if (pulls_across(contact)) terms.push_back({contact.id, contact.transverse, contact.n});
  }
  s.geometric.blocks.clear();
  s.geometric.b.resize(0);
  if (terms.empty() && s.geometric.terms.empty()) return;
  const std::vector<Index> changed = changed_bodies(part, s.geometric.terms, terms);
  s.geometric.terms = std::move(terms);
  s.geometric.b = s.problem.b;
  for (const Contact& contact : part.state.contacts.contacts) {
    if (pulls_across(contact)) add(part, contact);
  }
  inverse_diagonal(s.problem, s.inverse_diagonal);
  if (changed.empty()) return;
  renew(s.problem.A, changed, s.groups);
  s.problem.version = s.groups.version;
  s.problem.mobility = s.groups.mobility;
}

void remove_geometric_stiffness(Part& part) {
  Scratch& s = part.s;
  if (s.geometric.b.size() == 0) return;
  for (auto change = s.geometric.blocks.rbegin(); change != s.geometric.blocks.rend(); ++change)
    s.problem.A.at(change->slot) = change->before;
  std::swap(s.problem.b, s.geometric.b);
}

void add_transverse_forces(Part& part) {
  const std::vector<Contact>& contacts = part.state.contacts.contacts;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const Contact& limit = contacts[i];
    if (!pulls_across(limit) || has(part.s.division, part.model.surface, limit.vertices, Share::divided)) continue;
    const Vec3 force = -limit.transverse * separation_at_end(part, limit, velocity);
    const auto row = 3 * static_cast<Eigen::Index>(i);
    part.s.forces[row + 1] += limit.t1.dot(force);
    part.s.forces[row + 2] += limit.t2.dot(force);
  }
}

void find_stale_limits(const Part& part, std::vector<std::array<Index, 4>>& restless) {
  const Scratch& s = part.s;
  for (const Contact& limit : part.state.contacts.contacts) {
    if (!pulls_across(limit) || limit.state != FrictionState::open || !is_restless(s.settling, limit.vertices))
      continue;
    const double missed = part.dt * limit.transverse * (across(limit.n) * separation_vector(limit, s.x1)).norm();
    const auto may_miss = [&](Index vertex) {
      const Index body = s.settling.body_of_vertex[vertex];
      return body < 0 || missed <= s.units.momentum[body];
    };
    if (!may_miss(limit.vertices[0]) || !may_miss(limit.vertices[1])) restless.push_back(limit.vertices);
  }
}

}  // namespace sim
