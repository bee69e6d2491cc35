#include "asynchronous/report.hpp"

#include <algorithm>
#include <bit>

#include "model/measure.hpp"

namespace sim {

namespace {

constexpr double nearly_all = 0.99;  // of Coulomb's bound: less is what alternated, of what sticks

Vec3 sum_of(const VecX& vectors) {
  Vec3 sum = Vec3::Zero();
  for (Index i = 0; i < static_cast<Index>(vectors.size() / 3); ++i) sum += block(vectors, i);
  return sum;
}

// What gravity and loads gave, the media that bodies move in, and what is along the way of vertices.
// Loads stay what they are for a step: their work is that along its way.
void record_external(const InFlight& bodies, const State& start, const State& end, StepReport& report) {
  const VertexLedger::Chunk given = bodies.ledger.of_chunks();
  report.impulse_external = given.drag;
  for (const Index i : bodies.plan.vertices.items)
    report.impulse_external += kicked_seconds(bodies, i) * steady_force(bodies, i);
  report.angular_impulse_external = given.angular;
  if (bodies.loads.any()) report.work_loads = bodies.loads.force.dot(end.x - start.x);
  report.dissipation_damping = given.damped;
  report.dissipation_friction -= given.rubbed;
}

double energy_of(const Measures& m) {
  return m.kinetic_energy + m.elastic_energy + m.potential_energy;
}

double smallest_h(const Course& course) {
  if (course.free_clocks != nullptr)
    return static_cast<double>(shortest_period(course.bodies.plan, course.table)) * course.bodies.flights.tick;
  return length_of(std::max(course.bodies.plan.finest, course.table.finest()), course.bodies.flights.dt);
}

Contact contact_of(const Course& course, const ActivePair& pair) {
  const Flights& flights = course.bodies.flights;
  const Nearest near = nearest_of(pair, places(flights, pair.vertices, ticks_a_step));
  Contact contact;
  contact.id = pair.id;
  contact.kind = pair.kind;
  contact.pair = pair.pair;
  contact.vertices = pair.vertices;
  contact.weights = near.weights;
  contact.n = pair.push.normalized();
  const auto [t1, t2] = tangents(contact.n);
  contact.t1 = t1;
  contact.t2 = t2;
  contact.gap = near.distance;
  contact.lambda = pair.push.norm() / flights.dt;
  contact.friction = {-t1.dot(pair.rub) / flights.dt, -t2.dot(pair.rub) / flights.dt};
  const bool slides =
      pair.kind != ContactKind::limit && pair.rub.norm() >= nearly_all * pair.friction * pair.push.norm();
  const Tick last = ticks_a_step / ticks_of(pair.body_level);
  if (pair.friction > 0 && course.free_clocks == nullptr && pair.stretch == last) remember(pair, contact);
  contact.state = slides ? FrictionState::sliding : FrictionState::sticking;
  return contact;
}

}  // namespace

void record(const Course& course, const State& start, const State& end, StepReport& report) {
  const Model& model = course.bodies.model;
  const VertexLedger& ledger = course.bodies.ledger;
  const Measures before = measure(model, start), after = measure(model, end);
  report.kinetic_energy = after.kinetic_energy;
  report.elastic_energy = after.elastic_energy;
  report.potential_energy = after.potential_energy;
  report.contact_energy = course.sums.energy_last;
  report.momentum = after.momentum;
  report.angular_momentum = after.angular_momentum;
  report.min_volume_ratio = after.volumes.of_all.ratio;
  report.smallest_tet = after.volumes.of_all.tet;
  report.inverted = after.volumes.inverted;
  report.extrapolated = after.volumes.continued;
  report.smallest_extrapolated_tet = after.volumes.of_continued.tet;
  report.max_strain = largest_strain(model.elastic.springs, end.x);
  report.work_prescribed = ledger.held_work.sum();
  report.dissipation_friction = course.sums.friction_loss;
  record_external(course.bodies, start, end, report);
  report.impulse_prescribed = sum_of(ledger.held);
  report.angular_impulse_prescribed = sum_of(ledger.angular_held);
  const double change = energy_of(after) - energy_of(before) + course.sums.energy_last - course.sums.energy_first;
  report.dissipation_scheme =
      report.work_prescribed + report.work_loads - report.dissipation_friction - report.dissipation_damping - change;
  report.events.pairs = static_cast<Index>(course.table.pairs.size());
  report.events.smallest_h = smallest_h(course);
}

std::vector<Contact> pushing_contacts(const Course& course) {
  std::vector<Contact> contacts;
  for (const ActivePair& pair : course.table.pairs) {
    if (!pair.push.isZero(0)) contacts.push_back(contact_of(course, pair));
  }
  return contacts;
}

std::vector<Contact> remembered(std::span<const Contact> contacts) {
  std::vector<Contact> kept;
  std::copy_if(contacts.begin(), contacts.end(), std::back_inserter(kept),
               [](const Contact& contact) { return pressed_before(contact) > 0; });
  return kept;
}

double smallest_gap(std::span<const Contact> contacts) {
  double smallest = no_gap;
  for (const Contact& contact : contacts)
    smallest = std::isnan(smallest) ? contact.gap : std::min(smallest, contact.gap);
  return smallest;
}

void count_layers(const Course& course, Index rest_depth, StepEvents& events) {
  for (const ActivePair& pair : course.table.pairs) {
    const Nearest near = nearest_of(pair, places(course.bodies.flights, pair.vertices, ticks_a_step));
    const Index deepest = layers_at(course.law.layers, near.distance, pair.thickness);
    if (deepest > rest_depth) ++events.rest_too_deep;
    if (deepest > 0) ++events.by_octave[std::bit_width(static_cast<std::uint32_t>(deepest)) - 1];
  }
}

}  // namespace sim
