#include "local/account.hpp"

#include <algorithm>
#include <cmath>

#include "elasticity/element_impulse.hpp"
#include "local/response.hpp"

namespace sim {

namespace {

Vec3 way(const LocalPart& part, Index vertex) {
  return block(part.state.x, vertex) - block(part.s.start.x, vertex);
}

// N: the mean over the part.
Vec3 load_on(const LocalPart& part, Index vertex) {
  const LocalScratch& s = part.s;
  if (!s.before.loads.any()) return Vec3::Zero();
  if (part.is_implicit()) return block(s.before.loads.force, vertex);
  return 0.5 * (block(s.before.loads.force, vertex) + block(s.after.loads.force, vertex));
}

// m/s: at which mass damping has acted.
Vec3 damped_velocity(const LocalPart& part, Index vertex) {
  if (part.is_implicit()) return block(part.s.flight, vertex);
  return 0.5 * (block(part.s.start.v, vertex) + block(part.state.v, vertex));
}

Vec3 external_impulse(const LocalPart& part, Index vertex) {
  const ElasticBodies& bodies = part.model.elastic;
  return part.dt * (bodies.mass[vertex] * part.model.gravity + load_on(part, vertex) -
                    bodies.damping_mass[vertex] * damped_velocity(part, vertex));
}

void add_vertices(const LocalPart& part, Ledger& ledger) {
  const ElasticBodies& bodies = part.model.elastic;
  for (Index i = 0; i < static_cast<Index>(bodies.mass.size()); ++i) {
    if (bodies.mass[i] == 0) continue;
    const Vec3 impulse = external_impulse(part, i);
    ledger.impulse_external += impulse;
    ledger.angular_impulse_external += block(part.s.start.x, i).cross(impulse);
    ledger.work_loads += load_on(part, i).dot(way(part, i));
    ledger.dissipation_damping += std::max(0.0, bodies.damping_mass[i] * damped_velocity(part, i).dot(way(part, i)));
  }
}

double loss_of_stiffness_damping(const LocalPart& part) {
  const ElasticBodies& bodies = part.model.elastic;
  if (!has_stiffness_damping(bodies)) return 0;
  if (part.is_implicit()) return stiffness_damping_loss(bodies, {part.s.start.x, part.s.flight, part.dt});
  return -part.s.damping.dot(part.state.x - part.s.start.x);
}

void add_given(const LocalPart& part, Index vertex, const Vec3& impulse, Ledger& ledger) {
  ledger.impulse_prescribed += impulse;
  ledger.angular_impulse_prescribed += block(part.s.start.x, vertex).cross(impulse);
}

// Vertices with mass that are prescribed, along the directions in which they are: what they lack.
void add_held(const LocalPart& part, Ledger& ledger) {
  const Model& model = part.model;
  LocalScratch& s = part.s;
  std::vector<std::uint8_t> is_held(static_cast<std::size_t>(model.elastic.mass.size()), 0);
  for (const PrescribedVertices& prescribed : model.prescribed) {
    for (const Index i : prescribed.vertices)
      is_held[i] = model.elastic.mass[i] > 0 && !held_part(model, s.guides, i).isZero(0) ? 1 : 0;
  }
  if (std::count(is_held.begin(), is_held.end(), 1) == 0) return;
  VecX inside = VecX::Zero(s.x1.size());
  if (part.is_implicit()) {
    add_impulses_on(is_held, model.elastic, s.elements, {s.start.x, s.flight, part.dt}, inside);
  } else {
    inside = 0.5 * part.dt * (s.before.elastic + s.after.elastic);
    if (has_stiffness_damping(model.elastic)) inside += part.dt * s.damping;
  }
  for (Index i = 0; i < static_cast<Index>(is_held.size()); ++i) {
    if (is_held[i] == 0) continue;
    const Vec3 change = model.elastic.mass[i] * (block(part.state.v, i) - block(s.start.v, i));
    const Vec3 held = held_part(model, s.guides, i) * (change - external_impulse(part, i) - Vec3(block(inside, i)));
    add_given(part, i, held, ledger);
    ledger.work_prescribed += held.dot(way(part, i)) / part.dt;
  }
}

// N s, on each node. A side that was not to move hands its part to what holds it.
OfNodes impulses(const LocalPart& part, const Contact& contact, const Pushed& pushed) {
  OfNodes given;
  std::array<double, 2> prescribed{0, 0};
  std::array<Vec3, 2> missing{pushed.now.total / part.dt, -pushed.now.total / part.dt};
  const auto is_prescribed = [&](Index vertex) { return !can_move(part.model, part.s.guides, vertex, contact.n); };
  for_each_node(part.model, contact, [&](const ContactNode& node) {
    given[node.number] = pushed.moved[node.number] / part.dt;
    missing[node.side] -= given[node.number];
    if (is_prescribed(node.vertex)) prescribed[node.side] += node.weight;
  });
  for_each_node(part.model, contact, [&](const ContactNode& node) {
    if (is_prescribed(node.vertex) && prescribed[node.side] > 0)
      given[node.number] += node.weight / prescribed[node.side] * missing[node.side];
  });
  return given;
}

void add_contact(const LocalPart& part, const Contact& contact, const Pushed& pushed, Ledger& ledger) {
  if (pushed.now.normal == 0) return;
  const Model& model = part.model;
  const OfNodes given = impulses(part, contact, pushed);
  const auto is_obstacle = [&](Index vertex) { return !is_free(model, vertex) && model.elastic.mass[vertex] == 0; };
  bool with_obstacle = false;
  for_each_node(model, contact,
                [&](const ContactNode& node) { with_obstacle = with_obstacle || is_obstacle(node.vertex); });
  double work = 0, along = 0;  // J, and what is not along n
  for_each_node(model, contact, [&](const ContactNode& node) {
    const Index vertex = node.vertex;
    const Vec3 &impulse = given[node.number], w = way(part, vertex) / part.dt;
    work += impulse.dot(w);
    along += impulse.dot(w - contact.n * contact.n.dot(w));
    if (with_obstacle && !is_obstacle(vertex)) add_given(part, vertex, impulse, ledger);
    if (is_free(model, vertex) && model.guide_of_vertex[vertex] < 0) return;
    const Vec3 on_held = held_part(model, part.s.guides, vertex) * impulse;
    ledger.work_prescribed -= on_held.dot(way(part, vertex)) / part.dt;
    if (!is_obstacle(vertex)) add_given(part, vertex, -on_held, ledger);
  });
  // Coulomb's, of a contact that slides; what one that sticks takes back is work of corrections.
  const double loss = contact.state == FrictionState::sliding ? std::max(0.0, -along) : 0;
  ledger.dissipation_friction += loss;
  ledger.work_correction += work + loss;
}

}  // namespace

void account_for(const LocalPart& part, Ledger& ledger) {
  add_vertices(part, ledger);
  ledger.dissipation_damping += loss_of_stiffness_damping(part);
  add_held(part, ledger);
  const std::vector<Contact>& contacts = part.state.contacts.contacts;
  for (std::size_t i = 0; i < part.s.pushed.size(); ++i) add_contact(part, contacts[i], part.s.pushed[i], ledger);
}

}  // namespace sim
