#include "step/work_forces.hpp"

#include <algorithm>

namespace sim {

namespace {

// As it was at the start of the part, also where its point slid over a border since; null where there was none.
const Contact* at_start(const PartOfStep& part, const Contact& contact) {
  const ContactSet& before = part.start.contacts;
  if (const Contact* same = find(before, contact.id)) return same;
  return contact.slid_from == no_contact ? nullptr : find(before, contact.slid_from);
}

// Those of the end of the way at which the part did not take its loads.
const LoadForces& other_loads(const PartOfStep& part, const StartForces& start, Index vertex) {
  return is_of_second_order(part, vertex) ? start.loads : start.other;
}

}  // namespace

Vec3 in_space(const Contact& contact, const Vec3& force) {
  return force[0] * contact.n + force[1] * contact.t1 + force[2] * contact.t2;
}

Vec3 force_at_end(const Contact& contact) {
  return in_space(contact, {std::max(0.0, contact.lambda), -contact.friction[0], -contact.friction[1]});
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

StartForces forces_at_start(const PartOfStep& part, std::span<const std::uint8_t> is_held, bool turns) {
  StartForces start;
  const std::vector<Load>& all = part.model.loads;
  if (part.loads.any() && std::any_of(all.begin(), all.end(), [](const Load& load) { return load.follows; })) {
    const bool of_end = part.inertia.newton();  // elastic bodies; rigid ones take theirs at x0
    find_loads_at(part.model, of_end ? part.start.x : part.end.x, part.end.rigid,
                  part.start.time + (of_end ? 1 : 0.5) * part.dt, start.other);
  }
  const std::vector<std::uint8_t>& second = part.inertia.second;
  const bool any = std::count(second.begin(), second.end(), 1) > 0;
  if (any && part.loads.any())
    find_loads_at(part.model, part.start.x, part.start.rigid, part.start.time, start.loads);
  if (!(any || turns) || std::count(is_held.begin(), is_held.end(), 1) == 0) return start;
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
  const Vec3 was = rubbed + std::max(0.0, before->lambda) * before->n;
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
