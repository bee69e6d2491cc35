#include "step/work_forces.hpp"

#include <algorithm>
#include <cmath>

#include "collide/limits.hpp"

namespace sim {

namespace {

constexpr double rounding = 1e-14;   // of a turn
constexpr double least_sine = 0.01;  // edges are parallel below

// As it was at the start of the part, also where its point slid over a border since; null where there was none.
const Contact* at_start(const PartOfStep& part, const Contact& contact) {
  const ContactSet& before = part.start.contacts;
  if (const Contact* same = find(before, contact.id)) return same;
  return contact.slid_from == no_contact ? nullptr : find(before, contact.slid_from);
}

// N, in space, on its first side.
Vec3 force_of(const Contact& contact) {
  return in_space(contact, {std::max(0.0, contact.lambda), -contact.friction[0], -contact.friction[1]});
}

// Those of the end of the way at which the part did not take its loads.
const LoadForces& other_loads(const PartOfStep& part, const StartForces& start, Index vertex) {
  return is_of_second_order(part, vertex) ? start.loads : start.other;
}

}  // namespace

Vec3 in_space(const Contact& contact, const Vec3& force) {
  return force[0] * contact.n + force[1] * contact.t1 + force[2] * contact.t2;
}

bool is_of_second_order(const PartOfStep& part, Index vertex) {
  return part.inertia.is_of_second_order(part.model.surface.vertex_object[vertex]);
}

bool works_by_means(const PartOfStep& part, const Contact& contact) {
  if (part.inertia.second.empty()) return false;
  const std::vector<char>& moves = part.division.moves;
  return std::all_of(contact.vertices.begin(), contact.vertices.end(), [&](Index vertex) {
    return moves[part.model.surface.vertex_object[vertex]] == 0 || is_of_second_order(part, vertex);
  });
}

PrescribedTurn* PrescribedTurns::of(Index vertex) {
  return !any() || of_vertex[vertex] < 0 ? nullptr : &turns[of_vertex[vertex]];
}

PrescribedTurns find_turns(const PartOfStep& part) {
  PrescribedTurns result;
  const std::vector<Vec3>& rest = part.model.mesh.vertices;
  for (const PrescribedVertices& one : part.model.prescribed) {
    const bool may_turn = !one.motion.stands_still() && one.directions.empty() && !one.vertices.empty();
    if (!may_turn || !holds(one, part.start.time)) continue;
    PrescribedTurn turn;
    turn.turn = one.motion.pose(part.start.time + part.dt).turn * one.motion.pose(part.start.time).turn.transpose();
    if ((turn.turn - Mat3::Identity()).norm() <= rounding) continue;
    result.of_vertex.resize(rest.size(), -1);
    turn.center.setZero();
    for (const Index vertex : one.vertices) {
      result.of_vertex[vertex] = static_cast<Index>(result.turns.size());
      turn.center += rest[vertex] / static_cast<double>(one.vertices.size());
    }
    result.turns.push_back(turn);
  }
  return result;
}

void take(PrescribedTurn& turn, const Vec3& X, const Vec3& impulse, const Vec3& v) {
  turn.now += impulse * (X - turn.center).transpose();
  turn.chord += (impulse - turn.turn.transpose() * impulse).dot(v);
}

void take_before(PrescribedTurn& turn, const Vec3& X, const Vec3& impulse) {
  turn.before += impulse * (X - turn.center).transpose();
}

void take_contacts_before(const PartOfStep& part, PrescribedTurns& turns) {
  if (!turns.any()) return;
  for (const Contact& contact : part.start.contacts.contacts) {
    if (is_limit(contact) || has(part.division, part.model.surface, contact.vertices, Share::divided) ||
        works_by_means(part, contact))
      continue;
    const Vec3 p = part.dt * force_of(contact);
    for (std::size_t k = 0; k < 4; ++k) {
      for_each_node(part.model.embedding, contact.vertices[k], contact.weights[k], [&](Index node, double weight) {
        if (PrescribedTurn* turn = turns.of(node)) take_before(*turn, part.model.mesh.vertices[node], -weight * p);
      });
    }
  }
}

double turned_away(const PrescribedTurn& turn) {
  const Mat3 across = 0.5 * (turn.turn - turn.turn.transpose()) * turn.now;
  const double sizes = across.squaredNorm() * turn.before.norm();
  if (!(sizes > 0)) return 0;
  const double theta = -turn.before.cwiseProduct(across).sum() * turn.now.norm() / sizes;
  return 0.5 * std::clamp(theta, 0.0, 1.0) * turn.chord;
}

Beside go_beside(const PartOfStep& part, const Contact& contact, const Vec3& apart) {
  if (contact.state != FrictionState::sliding) return {};
  if (contact.kind == ContactKind::vertex_face) return {Vec3::Zero(), apart};
  const auto edge = [&](std::size_t k) {
    return Vec3(block(part.end.x, contact.vertices[k + 1]) - block(part.end.x, contact.vertices[k])).normalized();
  };
  const Vec3 e1 = edge(0), e2 = edge(2);
  const double sine = e2.cross(e1).dot(contact.n);
  if (std::abs(sine) < least_sine) return {-0.5 * apart, 0.5 * apart};
  return {apart.cross(e2).dot(contact.n) / sine * e1, apart.cross(e1).dot(contact.n) / sine * e2};
}

StartForces forces_at_start(const PartOfStep& part, std::span<const std::uint8_t> is_held, bool anything_turns) {
  StartForces start;
  const std::vector<Load>& all = part.model.loads;
  const std::vector<std::uint8_t>& second = part.inertia.second;
  const bool any_second = std::count(second.begin(), second.end(), 1) > 0;
  if (part.loads.any() && std::any_of(all.begin(), all.end(), [](const Load& load) { return load.follows; })) {
    const bool of_end = part.inertia.newton();  // elastic bodies; rigid ones take theirs at x0
    find_loads_at(part.model, of_end ? part.start.x : part.end.x, part.end.rigid,
                  part.start.time + (of_end ? 1 : 0.5) * part.dt, start.other);
  }
  if (any_second && part.loads.any())
    find_loads_at(part.model, part.start.x, part.start.rigid, part.start.time, start.loads);
  if ((!any_second && !anything_turns) || std::count(is_held.begin(), is_held.end(), 1) == 0) return start;
  const ElasticBodies& bodies = part.model.elastic;
  start.elements = elastic_force(bodies, part.start.x);
  if (part.start.history.strain_rate.size() > 0) {
    start.elements += strain_rate_forces(bodies, part.model.strains, part.start.x, part.start.history.strain_rate);
  }
  return start;
}

ContactForces contact_forces_of_work(const PartOfStep& part, const Contact& contact, const Vec3& force) {
  const ContactForces of_end{force, {0, force[1], force[2]}};
  if (!works_by_means(part, contact)) return of_end;
  const Contact* before = at_start(part, contact);
  if (!before) return of_end;
  const Vec3 rubbed = in_space(*before, {0, -before->friction[0], -before->friction[1]});
  const Vec3 was = force_of(*before);
  const auto here = [&](const Vec3& f) { return Vec3(contact.n.dot(f), contact.t1.dot(f), contact.t2.dot(f)); };
  return {0.5 * (here(was) + force),
          {0, 0.5 * (contact.t1.dot(rubbed) + force[1]), 0.5 * (contact.t2.dot(rubbed) + force[2])}};
}

Vec3 load_of_work(const PartOfStep& part, const StartForces& start, Index vertex) {
  if (!part.loads.any()) return Vec3::Zero();
  const Vec3 taken = block(part.loads.force, vertex);
  const LoadForces& other = other_loads(part, start, vertex);
  return other.any() ? Vec3(0.5 * (Vec3(block(other.force, vertex)) + taken)) : taken;
}

Wrench load_of_work_on(const PartOfStep& part, const StartForces& start, Index body) {
  if (!part.loads.any()) return {};
  const Wrench& taken = part.loads.wrench[body];
  const LoadForces& other = other_loads(part, start, part.model.rigid[body].vertices.begin);
  if (!other.any()) return taken;
  return {0.5 * (other.wrench[body].force + taken.force), 0.5 * (other.wrench[body].torque + taken.torque)};
}

}  // namespace sim
