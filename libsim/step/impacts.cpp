#include "step/impacts.hpp"

#include <algorithm>

#include "collide/limits.hpp"
#include "step/part.hpp"
#include "step/push.hpp"

namespace sim {

namespace {

// Of one side of a contact against the other: of what `at` says of a vertex.
template <class At>
Vec3 of_sides(const Contact& contact, const At& at) {
  Vec3 sum = Vec3::Zero();
  for (std::size_t k = 0; k < 4; ++k) sum += contact.weights[k] * at(contact.vertices[k]);
  return sum;
}

// m/s^2: in the step before; 0 where that was an impact.
Vec3 smooth_acceleration(const Part& part, const Contact& contact) {
  const History& history = part.state.history;
  const auto has_hit = [&](Index vertex) {
    const Index object = part.model.surface.vertex_object[vertex];
    return part.s.division.moves[object] != 0 && (history.holds.empty() || history.holds[object] == 0);
  };
  if (std::any_of(contact.vertices.begin(), contact.vertices.end(), has_hit)) return Vec3::Zero();
  return of_sides(contact, [&](Index vertex) -> Vec3 {
    const Index body = part.model.surface.vertex_body[vertex];
    return block(history.acceleration, body < 0 ? vertex : part.model.rigid[body].vertices.begin);
  });
}

// N: with which its objects pushed each other at the start of the part, all their contacts.
double pushed_before(const Part& part, const Contact& contact) {
  const auto& pushing = part.s.newton.pushing;
  const auto found = pushing.find(objects_of(part.model.surface, contact.vertices));
  return found == pushing.end() ? 0 : found->second;
}

// m/s: how fast its sides came nearer, or where they stick now also slid, with these velocities.
double speed_that_ends(const Contact& contact, FrictionState state, const VecX& v) {
  if (state != FrictionState::sticking) return approach(contact, v);
  return of_sides(contact, [&](Index vertex) -> Vec3 { return block(v, vertex); }).norm();
}

// m/s: velocities of what is prescribed are means of a step, and those of what an impact has stopped on it, too. They
// are off by half of what they change by from the last step to this one.
double off_by(const Part& part, const Contact& contact) {
  const Vec3 change = of_sides(contact, [&](Index vertex) -> Vec3 {
    if (part.model.surface.vertex_moves[vertex] != 0) return Vec3::Zero();
    return block(part.s.start_motion, vertex) - block(part.state.v, vertex);
  });
  return 0.5 * change.norm();
}

// Whether a contact that pushes ends a motion at once. Where two objects begin to push each other they end what there
// was at the start of the step, and in the next one what is left of it, which has taken them as far as they touch:
// more than gaps may miss, and than velocities are off by, is an impact. Those that pushed before, by more than a
// contact may miss, may also go on as they were accelerated.
bool is_impact(const Part& part, Index i, double driven) {
  const Contact& contact = part.state.contacts.contacts[i];
  const FrictionState state = part.s.solution.state[i];
  const double smallest = contact_speed(contact, part.s.start_motion, 0, part.options.contact, part.dt);
  const double before = speed_that_ends(contact, state, part.s.start_motion);
  const double within_gaps = gap_part * part.options.contact.relative_momentum * part.dt * driven;
  if (!(part.s.compliance.k[i] * pushed_before(part, contact) > part.s.gap_tolerance[i])) {
    return std::max(before, speed_that_ends(contact, state, part.s.motion)) >
           smallest + within_gaps + off_by(part, contact);
  }
  const Vec3 smooth = smooth_acceleration(part, contact);
  const double accelerated = state == FrictionState::sticking ? smooth.norm() : std::abs(contact.n.dot(smooth));
  return before > smallest + within_gaps + part.dt * accelerated;
}

}  // namespace

ObjectPushes pushes_of_objects(const Model& model, const ContactSet& contacts) {
  ObjectPushes pushes;
  for (const Contact& contact : contacts.contacts) {
    if (contact.lambda > 0) pushes[objects_of(model.surface, contact.vertices)] += contact.lambda;
  }
  return pushes;
}

void lower_orders(Part& part, std::vector<std::uint8_t>& changed) {
  Scratch& s = part.s;
  Inertia& in = s.inertia;
  changed.assign(part.model.objects.size(), 0);
  if (in.options.scheme != TimeScheme::generalized_alpha) return;
  const Push drive = push(part);
  std::vector<Index> lowered;
  for (const ContactGroup& group : s.groups.groups) {
    const auto is_hit = [&](Index i) {
      return s.solution.lambda[i] > 0 && is_impact(part, i, drive.on(part.state.contacts.contacts[i]));
    };
    const bool hit = std::any_of(group.contacts.begin(), group.contacts.end(), is_hit);
    const auto is_first = [&](Index body) { return in.second[s.settling.object_of_body[body]] == 0; };
    const bool lower = hit || std::any_of(group.bodies.begin(), group.bodies.end(), is_first);
    for (const Index body : group.bodies) {
      const Index object = s.settling.object_of_body[body];
      if (hit) in.hit[object] = 1;
      if (!lower || in.second[object] == 0) continue;
      in.second[object] = 0;
      changed[object] = 1;
      lowered.push_back(object);
    }
  }
  if (!lowered.empty()) lower_orders(part.model, part.state, lowered, in);
}

}  // namespace sim
