#include "step/turning_work.hpp"

#include <algorithm>
#include <cmath>

#include "collide/limits.hpp"
#include "model/lever.hpp"
#include "step/work_forces.hpp"

namespace sim {

namespace {

constexpr double rounding = 1e-14;  // of a turn

// m: dt v at the ends of the part, of the parabola through three places.
struct Ways {
  Vec3 start, end, chord;
};
Ways ways_of(const PartOfStep& part, Index vertex, const PrescribedTurn& turn) {
  const Vec3 x0 = block(part.start.x, vertex), x1 = block(part.end.x, vertex);
  const Vec3 middle = turn.middle.apply(part.model.mesh.vertices[vertex]);
  return {4 * middle - 3 * x0 - x1, 3 * x1 - 4 * middle + x0, x1 - x0};
}

Vec3 way_of_arm(const PrescribedTurn& turn, const Vec3& arm) {
  return 0.5 * (turn.turn * arm - turn.turn.transpose() * arm);
}

void add_contact_before(const PartOfStep& part, const Contact& contact, PrescribedTurns& turns) {
  const Vec3 force = in_space(contact, {std::max(0.0, contact.lambda), -contact.friction[0], -contact.friction[1]});
  if (force.isZero(0)) return;
  for (std::size_t k = 0; k < 4; ++k) {
    for_each_node(part.model.embedding, contact.vertices[k], contact.weights[k], [&](Index node, double weight) {
      if (PrescribedTurn* turn = turns.of(node)) give_before(part, node, -weight * force, *turn);
    });
  }
  const Lever lever = lever_of(part.model, contact);
  if (lever.vertex < 0) return;
  if (PrescribedTurn* turn = turns.of(lever.vertex)) turn->start -= force.dot(way_of_arm(*turn, lever.reach));
}

}  // namespace

PrescribedTurn* PrescribedTurns::of(Index vertex) {
  return !any() || of_vertex[vertex] < 0 ? nullptr : &turns[of_vertex[vertex]];
}

PrescribedTurns find_turns(const PartOfStep& part) {
  PrescribedTurns result;
  const double t0 = part.start.time;
  for (const PrescribedVertices& one : part.model.prescribed) {
    if (one.motion.stands_still() || !one.directions.empty() || !holds(one, t0)) continue;
    PrescribedTurn turn;
    turn.turn = one.motion.pose(t0 + part.dt).turn * one.motion.pose(t0).turn.transpose();
    if ((turn.turn - Mat3::Identity()).norm() <= rounding) continue;
    turn.middle = one.motion.pose(t0 + 0.5 * part.dt);
    result.of_vertex.resize(part.model.mesh.vertices.size(), -1);
    for (const Index vertex : one.vertices) result.of_vertex[vertex] = static_cast<Index>(result.turns.size());
    result.turns.push_back(turn);
  }
  if (!result.any()) return result;
  for (const Contact& contact : part.start.contacts.contacts) {
    if (!is_limit(contact) && !has(part.division, part.model.surface, contact.vertices, Share::divided) &&
        !works_by_means(part, contact))
      add_contact_before(part, contact, result);
  }
  return result;
}

void give_at_end(const PartOfStep& part, Index vertex, const Vec3& force, PrescribedTurn& turn) {
  const Ways way = ways_of(part, vertex, turn);
  turn.end += force.dot(way.end);
  turn.chord += force.dot(way.chord);
  turn.turned += 0.5 * (force + turn.turn.transpose() * force).dot(way.chord);
}

void give_as_at_start(const PartOfStep& part, Index vertex, const Vec3& force, const Vec3& change,
                      PrescribedTurn& turn) {
  const Ways way = ways_of(part, vertex, turn);
  turn.start += force.dot(way.start);
  turn.end += (force + change).dot(way.end);
  turn.chord += force.dot(way.chord);
  turn.turned += 0.5 * (force + turn.turn * force).dot(way.chord);
}

void give_before(const PartOfStep& part, Index vertex, const Vec3& force, PrescribedTurn& turn) {
  turn.start += force.dot(ways_of(part, vertex, turn).start);
}

void give_at_end_by_lever(const Vec3& reach, const Vec3& force, PrescribedTurn& turn) {
  const Vec3 chord = reach - turn.turn.transpose() * reach;
  turn.end += force.dot(way_of_arm(turn, reach));
  turn.chord += force.dot(chord);
  turn.turned += 0.5 * (force + turn.turn.transpose() * force).dot(chord);
}

double work_beside_chords(const PrescribedTurn& turn) {
  const double turned = turn.turned - turn.chord;
  return std::clamp(0.5 * (turn.start + turn.end) - turn.chord, std::min(0.0, turned), std::max(0.0, turned));
}

}  // namespace sim
