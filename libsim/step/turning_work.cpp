#include "step/turning_work.hpp"

#include <Eigen/Geometry>
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

Eigen::Vector4d arm_of(const PartOfStep& part, Index vertex, const PrescribedTurn& turn) {
  Eigen::Vector4d arm;
  arm << part.model.mesh.vertices[vertex] - turn.center, turn.size;
  return arm;
}

Vec3 way_of_arm(const PrescribedTurn& turn, const Vec3& arm) {
  return 0.5 * (turn.turn * arm - turn.turn.transpose() * arm);
}

void add_at_end(const Vec3& force, const Vec3& way, const Vec3& chord, PrescribedTurn& turn) {
  turn.end += force.dot(way);
  turn.chord += force.dot(chord);
  turn.turned += 0.5 * (force + turn.turn.transpose() * force).dot(chord);
}

Vec3 at_rest(const Pose& pose, const Vec3& place) {
  return pose.turn.transpose() * (place - pose.shift);
}

Vec3 chord_of_arm(const PrescribedTurn& turn, const Vec3& arm) {
  return arm - turn.turn.transpose() * arm;
}

// What a contact has on what turns: visits nodes with their weights, and the lever.
template <class OnNode, class OnLever>
void for_turning(const PartOfStep& part, const Contact& contact, PrescribedTurns& turns, const OnNode& on_node,
                 const OnLever& on_lever) {
  for (std::size_t k = 0; k < 4; ++k) {
    for_each_node(part.model.embedding, contact.vertices[k], contact.weights[k], [&](Index node, double weight) {
      if (PrescribedTurn* turn = turns.of(node)) on_node(node, weight, *turn);
    });
  }
  const Lever lever = lever_of(part.model, contact);
  if (lever.vertex < 0) return;
  if (PrescribedTurn* turn = turns.of(lever.vertex)) on_lever(lever.reach, *turn);
}

// s of the header.
double goes_along(const PartOfStep& part, const Contact& contact, const Vec3& way, PrescribedTurns& turns) {
  Vec3 own = Vec3::Zero();
  for_turning(
      part, contact, turns,
      [&](Index node, double weight, const PrescribedTurn& turn) { own += weight * ways_of(part, node, turn).chord; },
      [&](const Vec3& reach, const PrescribedTurn& turn) { own += chord_of_arm(turn, reach); });
  const auto along = [&](const Vec3& x) { return Vec3(x - x.dot(contact.n) * contact.n).norm(); };
  return along(own) > 0 ? std::max(0.0, 1 - along(way) / along(own)) : 1.0;
}

void add_contact_before(const PartOfStep& part, const Contact& contact, PrescribedTurns& turns) {
  const Vec3 force = force_at_end(contact);
  if (force.isZero(0)) return;
  const bool turning = std::any_of(contact.vertices.begin(), contact.vertices.end(),
                                   [&](Index vertex) { return turns.of(vertex) != nullptr; });
  if (!turning) return;
  Vec3 way = Vec3::Zero();
  for (std::size_t k = 0; k < 4; ++k)
    way += contact.weights[k] * (block(part.end.x, contact.vertices[k]) - block(part.start.x, contact.vertices[k]));
  const Vec3 given = -goes_along(part, contact, way, turns) * force;
  for_turning(
      part, contact, turns,
      [&](Index node, double weight, PrescribedTurn& turn) { give_before(part, node, weight * given, turn); },
      [&](const Vec3& reach, PrescribedTurn& turn) { turn.start += given.dot(way_of_arm(turn, reach)); });
}

}  // namespace

PrescribedTurn* PrescribedTurns::of(Index vertex) {
  return !any() || of_vertex[vertex] < 0 ? nullptr : &turns[of_vertex[vertex]];
}

PrescribedTurns find_turns(const PartOfStep& part) {
  PrescribedTurns result;
  const double t0 = part.start.time;
  for (const PrescribedVertices& one : part.model.prescribed) {
    if (one.motion.stands_still() || !one.directions.empty() || one.vertices.empty() || !holds(one, t0)) continue;
    PrescribedTurn turn{.object = part.model.surface.vertex_object[one.vertices.front()]};
    turn.first = one.motion.pose(t0);
    turn.last = one.motion.pose(t0 + part.dt);
    turn.turn = turn.last.turn * turn.first.turn.transpose();
    if ((turn.turn - Mat3::Identity()).norm() <= rounding) continue;
    turn.middle = one.motion.pose(t0 + 0.5 * part.dt);
    const Eigen::AngleAxisd angle(turn.turn);
    turn.angle = angle.angle() * angle.axis();
    result.of_vertex.resize(part.model.mesh.vertices.size(), -1);
    const auto mean = [&](const auto& term) {
      decltype(term(Index{})) sum = term(one.vertices.front());
      for (std::size_t k = 1; k < one.vertices.size(); ++k) sum += term(one.vertices[k]);
      return decltype(sum)(sum / static_cast<double>(one.vertices.size()));
    };
    turn.center = mean([&](Index vertex) { return Vec3(part.model.mesh.vertices[vertex]); });
    turn.size =
        std::sqrt(mean([&](Index vertex) { return (part.model.mesh.vertices[vertex] - turn.center).squaredNorm(); }));
    for (const Index vertex : one.vertices) result.of_vertex[vertex] = static_cast<Index>(result.turns.size());
    result.turns.push_back(turn);
  }
  if (!result.any()) return result;
  for (const Contact& contact : part.start.contacts.contacts) {
    const bool counts = has(part.division, part.model.surface, contact.vertices, Share::solved) &&
                        !has(part.division, part.model.surface, contact.vertices, Share::divided);
    if (counts && !is_limit(contact) && !works_by_means(part, contact)) add_contact_before(part, contact, result);
  }
  return result;
}

void give_at_end(const PartOfStep& part, Index vertex, const Vec3& force, PrescribedTurn& turn) {
  const Ways way = ways_of(part, vertex, turn);
  turn.now += force * arm_of(part, vertex, turn).transpose();
  add_at_end(force, way.end, way.chord, turn);
}

void give_as_at_start(const PartOfStep& part, Index vertex, const Vec3& force, const Vec3& change,
                      PrescribedTurn& turn) {
  const Ways way = ways_of(part, vertex, turn);
  turn.before += force * arm_of(part, vertex, turn).transpose();
  turn.now += (force + change) * arm_of(part, vertex, turn).transpose();
  turn.start += force.dot(way.start);
  turn.end += (force + change).dot(way.end);
  turn.chord += force.dot(way.chord);
  turn.turned += 0.5 * (force + turn.turn * force).dot(way.chord);
}

void give_before(const PartOfStep& part, Index vertex, const Vec3& force, PrescribedTurn& turn) {
  turn.before += force * arm_of(part, vertex, turn).transpose();
  turn.start += force.dot(ways_of(part, vertex, turn).start);
}

OnTurning give_by_contact(const PartOfStep& part, const Contact& contact, const Vec3& force, const Vec3& way,
                          const Vec3& rubbed, PrescribedTurns& turns) {
  const double s = goes_along(part, contact, rubbed, turns);
  const Vec3 given = -in_space(contact, force), normal = -force[0] * contact.n;
  double turned = 0;  // J: what turning the normal force back does
  PrescribedTurn* last = nullptr;
  const auto count = [](PrescribedTurn& turn, const auto& give) {
    const double before = turn.turned - turn.chord;
    give();
    turn.of_contacts += turn.turned - turn.chord - before;
  };
  for_turning(
      part, contact, turns,
      [&](Index node, double weight, PrescribedTurn& turn) {
        count(turn, [&] { give_at_end(part, node, s * weight * given, turn); });
        const Vec3 chord = ways_of(part, node, turn).chord;
        turned += 0.5 * weight * (turn.turn.transpose() * normal - normal).dot(chord);
        last = &turn;
      },
      [&](const Vec3& reach, PrescribedTurn& turn) {
        const Vec3 chord = chord_of_arm(turn, reach);
        count(turn, [&] { add_at_end(s * given, way_of_arm(turn, reach), chord, turn); });
        turned += 0.5 * (turn.turn.transpose() * normal - normal).dot(chord);
        last = &turn;
      });
  if (!last) return {};
  const double other = force[0] * contact.n.dot(way);
  const double slides = (1 - s) * std::clamp(other, std::min(0.0, 2 * turned), std::max(0.0, 2 * turned));
  last->slides += slides;
  return {s, slides};
}

Vec3 way_beside_rigid(const PartOfStep& part, const Contact& contact, const Vec3& way, PrescribedTurns& turns) {
  const auto rigid = std::find_if(contact.vertices.begin(), contact.vertices.end(),
                                  [&](Index vertex) { return part.model.surface.vertex_body[vertex] >= 0; });
  if (rigid == contact.vertices.end()) return way;
  const RigidStep& body = part.rigid[part.model.surface.vertex_body[*rigid]];
  const Vec3 &c0 = body.start, &c1 = body.end.center;
  Vec3 result = way;
  for_turning(
      part, contact, turns,
      [&](Index node, double weight, const PrescribedTurn& turn) {
        const Vec3 ends = c1 - turn.first.apply(at_rest(turn.last, c1));
        const Vec3 begins = turn.last.apply(at_rest(turn.first, c0)) - c0;
        const Vec3 own = 0.5 * (ends + begins) + turn.angle.cross(Vec3(block(part.end.x, node)) - c1);
        result += weight * (own - ways_of(part, node, turn).chord);
      },
      [&](const Vec3& reach, const PrescribedTurn& turn) {
        result += turn.angle.cross(reach) - chord_of_arm(turn, reach);
      });
  return result;
}

BesideChords work_beside_chords(const PrescribedTurn& turn) {
  const double before = turn.before.norm(), turned = turn.turned - turn.chord;
  if (!(before > 0) || turned == 0) return {turn.slides, turn.slides};
  const double mean = 0.5 * (turn.now.norm() / before * turn.start + turn.end);
  const double beside = std::clamp(mean - turn.chord, std::min(0.0, turned), std::max(0.0, turned));
  return {turn.slides + beside, turn.slides + beside / turned * turn.of_contacts};
}

}  // namespace sim
