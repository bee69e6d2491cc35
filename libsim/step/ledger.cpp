#include "step/ledger.hpp"

#include <algorithm>

#include "collide/limits.hpp"
#include "elasticity/element_impulse.hpp"
#include "model/lever.hpp"
#include "step/turning_work.hpp"
#include "step/work_forces.hpp"

namespace sim {

namespace {

bool is_obstacle(const Model& model, Index vertex) {
  return model.surface.vertex_moves[vertex] == 0 && model.elastic.mass[vertex] == 0 && !model.embedding.holds(vertex);
}

// Whether this part has taken it to its end: what is divided or known is in the ledgers of other parts.
bool counts(const PartOfStep& part, Index vertex) {
  return part.division.of(part.model.surface, vertex) == Share::solved;
}

double damping_of_stiffness(const PartOfStep& part) {
  const Model& model = part.model;
  if (part.inertia.newton()) {
    if (part.inertia.is_static() || model.strains.numbers == 0) return 0;
    std::vector<std::uint8_t> solved(static_cast<std::size_t>(model.elastic.mass.size())), second(solved.size());
    for (Index i = 0; i < static_cast<Index>(solved.size()); ++i) {
      solved[i] = counts(part, i) ? 1 : 0;
      second[i] = is_of_second_order(part, i) ? 1 : 0;
    }
    return strain_damping_loss(model.elastic, model.strains, {part.start.x, part.end.x, part.dt, solved, second});
  }
  VecX v = part.end.v;
  std::vector<Mat3> way = part.turning.way;
  for (Index i = 0; i < static_cast<Index>(model.elastic.mass.size()); ++i) {
    if (counts(part, i)) continue;
    block(v, i).setZero();
    if (const Index body = part.body_of_vertex[i]; body >= 0) way[body].setZero();
  }
  return stiffness_damping_loss(model.elastic, {part.start.x,
                                                v,
                                                part.dt,
                                                {part.body_of_vertex, way, part.turning.springs.takes_part,
                                                 part.turning.membranes.takes_part}});
}

// v1 at which C acts, of a vertex or the centre of a rigid body that goes by w.
Vec3 damped_velocity(const PartOfStep& part, Index entry, const Vec3& w) {
  if (!part.inertia.newton()) return w;
  return part.inertia.damping[entry] * w + block(part.inertia.rest, entry);
}

Vec3 load_on(const PartOfStep& part, Index vertex) {
  return part.loads.any() ? Vec3(block(part.loads.force, vertex)) : Vec3(0, 0, 0);
}

// dt alpha; quasi-static increments are no motion, which nothing damps.
double mass_damping(const PartOfStep& part, double alpha) {
  return part.inertia.is_static() ? 0 : part.dt * alpha;
}

// Gravity and damping of vertices, held ones included: the medium damps whatever moves in it.
void add_vertices(const PartOfStep& part, const StartForces& start, Ledger& ledger) {
  const ElasticBodies& bodies = part.model.elastic;
  for (Index i = 0; i < static_cast<Index>(bodies.mass.size()); ++i) {
    if (bodies.mass[i] == 0 || !counts(part, i)) continue;
    const Vec3 v = block(part.motion, i), v1 = damped_velocity(part, i, v);
    const double damping = mass_damping(part, bodies.damping_mass[i]);
    const Vec3 load = load_on(part, i);
    const Vec3 impulse = part.dt * (bodies.mass[i] * part.model.gravity + load) - damping * v1;
    ledger.work_loads += part.dt * load_of_work(part, start, i).dot(v);
    ledger.impulse_external += impulse;
    ledger.angular_impulse_external += block(part.start.x, i).cross(impulse);
    const Vec3 left = block(part.start.left_over, i) - block(part.end.left_over, i);
    ledger.impulse_left_over += left;
    ledger.work_correction += left.dot(v);
    ledger.dissipation_damping += damping * v.dot(v);
    if (const Index body = part.body_of_vertex[i]; body >= 0) {
      const Vec3 pushed = part.turning.push[body].on(bodies.mass[i], block(part.start.x, i));
      ledger.impulse_prescribed += pushed;
      ledger.angular_impulse_prescribed += block(part.start.x, i).cross(pushed);
      ledger.work_correction += pushed.dot(v);
    }
  }
  ledger.dissipation_damping += damping_of_stiffness(part);
}

void add_rigid(const PartOfStep& part, const StartForces& at_start, Ledger& ledger) {
  for (std::size_t i = 0; i < part.model.rigid.size(); ++i) {
    const RigidBody& body = part.model.rigid[i];
    if (!counts(part, body.vertices.begin)) continue;
    const RigidState &start = part.start.rigid[i], &end = part.rigid[i].end;  // with w for its velocity
    const Vec3 velocity = damped_velocity(part, body.vertices.begin, end.velocity);
    const Mat3& axes = part.rigid[i].axes;
    const Vec3 turning = end.spin - part.rigid[i].carried;  // I* w
    const Vec3 w = axes * (axes.transpose() * turning).cwiseQuotient(body.inertia);
    const double spin = momentum_of_turning(body);
    const Vec3 damped = spin * damped_velocity(part, body.vertices.begin + 1, turning / spin);
    const double damping = mass_damping(part, body.damping);
    const Wrench load = part.loads.any() ? part.loads.wrench[i] : Wrench{};
    const Vec3 impulse = body.mass * (part.dt * part.model.gravity - damping * velocity) + part.dt * load.force;
    ledger.impulse_external += impulse;
    ledger.angular_impulse_external += start.center.cross(impulse) - damping * damped + part.dt * load.torque;
    const Wrench pull = load_of_work_on(part, at_start, static_cast<Index>(i));
    ledger.work_loads += part.dt * (pull.force.dot(end.velocity) + pull.torque.dot(w));
    const Vec3 left = start.left_over - end.left_over;
    ledger.impulse_left_over += left;
    ledger.work_correction += left.dot(end.velocity) + w.dot(start.left_over_spin - end.left_over_spin);
    ledger.dissipation_damping += damping * (body.mass * end.velocity.squaredNorm() + w.dot(turning));
  }
}

void add_given(const Vec3& place, const Vec3& impulse, Ledger& ledger) {
  ledger.impulse_prescribed += impulse;
  ledger.angular_impulse_prescribed += place.cross(impulse);
}

// Vertices of elastic bodies that are pinned or scripted, guided ones as far as they are held.
std::vector<std::uint8_t> find_held(const PartOfStep& part) {
  const Model& model = part.model;
  std::vector<std::uint8_t> is_held(static_cast<std::size_t>(model.elastic.mass.size()), 0);
  for (const PrescribedVertices& prescribed : model.prescribed) {
    for (const Index i : prescribed.vertices)
      is_held[i] = model.elastic.mass[i] > 0 && !held_part(model, part.guides, i).isZero(0) ? 1 : 0;
  }
  return is_held;
}

// What is known of a held vertex: its velocities, of its elements the impulse on it, and the change of its velocity.
struct Held {
  Index vertex;
  Vec3 v, inside, change;
  double mass;
};

// J: of what its row misses without contacts, (F(x0) + F(x1)) / 2 where it is of second order (step/work_forces.hpp).
double work_on_held(const PartOfStep& part, const StartForces& start, const VecX& elements_at_end,
                    PrescribedTurns& turns, const Held& one, const Vec3& held) {
  if (!is_of_second_order(part, one.vertex)) {
    PrescribedTurn* turn = turns.of(one.vertex);
    if (!turn) return held.dot(one.v);
    const Vec3 before = -Vec3(block(start.elements, one.vertex)), now = -1 / part.dt * one.inside;
    if (part.inertia.newton()) {
      give_before(part, one.vertex, before, *turn);
      give_at_end(part, one.vertex, now, *turn);
    } else {
      give_as_at_start(part, one.vertex, now, -Vec3(block(elements_at_end, one.vertex)) - before, *turn);
    }
    return held.dot(one.v) - 0.5 * one.mass * one.change.squaredNorm();  // its own inertia: change of kinetic energy
  }
  const Mat3 H = held_part(part.model, part.guides, one.vertex);
  const Vec3 forces = 0.5 * (one.inside + part.dt * Vec3(block(start.elements, one.vertex))) +
                      part.dt * (one.mass * part.model.gravity + load_of_work(part, start, one.vertex));
  const double medium = part.dt * part.model.elastic.damping_mass[one.vertex];
  const Vec3 damping = medium * damped_velocity(part, one.vertex, one.v);
  const Vec3 mean = block(part.start.v, one.vertex) + 0.5 * one.change;
  return (H * one.change).dot(one.mass * mean) + (H * (damping - forces)).dot(one.v);
}

// What their rows miss without contacts.
void add_held(const PartOfStep& part, const StartForces& start, PrescribedTurns& turns,
              std::span<const std::uint8_t> is_held, Ledger& ledger) {
  const Model& model = part.model;
  if (std::count(is_held.begin(), is_held.end(), 1) == 0) return;
  VecX inside = VecX::Zero(part.end.v.size()), v1 = part.motion, elements_at_end;
  if (turns.any() && !part.inertia.newton()) elements_at_end = elastic_force(model.elastic, part.end.x);
  if (part.inertia.newton()) v1 -= part.inertia.point;
  add_impulses_on(is_held, model.elastic, part.elements,
                  {part.start.x, v1, part.dt, part.turning.of_elements(part.body_of_vertex)}, inside,
                  turns.of_vertex);
  for (Index i = 0; i < static_cast<Index>(model.elastic.mass.size()); ++i) {
    if (is_held[i] == 0 || !counts(part, i)) continue;
    const Vec3 v = block(part.motion, i);
    const Vec3 change = part.inertia.is_static() ? Vec3(Vec3::Zero())
                        : part.inertia.newton()  ? Vec3(block(part.end.v, i) - block(part.start.v, i))
                                                 : Vec3(v - block(part.start.v, i));
    const Vec3 wanted = model.elastic.mass[i] * (change - part.dt * model.gravity) +
                        part.dt * (model.elastic.damping_mass[i] * damped_velocity(part, i, v) - load_on(part, i));
    const Vec3 held = held_part(model, part.guides, i) * (wanted - block(inside, i));
    add_given(block(part.start.x, i), held, ledger);
    ledger.work_prescribed += work_on_held(part, start, elements_at_end, turns,
                                           {i, v, block(inside, i), change, model.elastic.mass[i]}, held);
  }
}

// J: Coulomb's, of a contact that slides; one that sticks loses nothing. It is what friction does along the way of
// the one side along the other, also before an impact: the force acts all through the part. Within the tolerance
// friction need not oppose that way, and then nothing is lost.
double friction_loss(const Contact& contact, const Vec3& force, const Vec3& way) {
  if (contact.state != FrictionState::sliding || is_limit(contact)) return 0;
  return std::max(0.0, -force[1] * contact.t1.dot(way) - force[2] * contact.t2.dot(way));
}

struct Given {  // by a contact to a vertex: momentum, and what does work along its way, both kg m/s
  Vec3 impulse, working;
  Given operator*(double share) const { return {share * impulse, share * working}; }
};

// On a vertex or, where that is embedded, a node of it: what holds it takes its part.
void add_on_node(const PartOfStep& part, Index vertex, const Given& given, bool obstacle, Ledger& ledger) {
  if (part.model.surface.vertex_moves[vertex] != 0 && part.model.guide_of_vertex[vertex] < 0) return;
  const Mat3 H = held_part(part.model, part.guides, vertex);
  ledger.work_prescribed -= (H * given.working).dot(block(part.motion, vertex));
  if (!obstacle) add_given(block(part.start.x, vertex), -(H * given.impulse), ledger);
}

// m: where a contact acts on a vertex. Of a rigid body that is its arm at the end of the part about the centre at its
// start (bodies/points.hpp).
Vec3 place_of_force(const PartOfStep& part, Index vertex) {
  const Vec3 x0 = block(part.start.x, vertex);
  const Index body = part.model.surface.vertex_body[vertex];
  if (body < 0) return x0;
  const RigidStep& rows = part.rigid_rows[body];
  return rows.start + rows.turned * (x0 - rows.start);
}

// m: along which a contact does work on a vertex in the part. Of a rigid body that is a tangent of its arc.
Vec3 way_of_work(const PartOfStep& part, Index vertex) {
  const Index body = part.model.surface.vertex_body[vertex];
  if (body < 0) return block(part.end.x, vertex) - block(part.start.x, vertex);
  const RigidStep& step = part.rigid[body];
  return part.dt * step.end.velocity + step.turn.cross(place_of_force(part, vertex) - step.start);
}

// m: what the side of a contact that reaches to the other's point (model/lever.hpp) comes by there besides.
Vec3 way_of_lever(const PartOfStep& part, const Lever& lever) {
  if (lever.vertex < 0) return Vec3::Zero();
  const Index body = part.model.surface.vertex_body[lever.vertex];
  return body >= 0 ? Vec3(part.rigid[body].turn.cross(lever.reach))
                   : Vec3(part.guides.way_of_turn[part.model.surface.vertex_object[lever.vertex]] * lever.reach);
}

// J: of the force of a contact on the objects of its two sides, along the ways above.
void add_to_objects(const PartOfStep& part, const Contact& contact, const Vec3& working, const Lever& lever,
                    Ledger& ledger) {
  if (is_limit(contact)) return;
  const auto work_on = [&](Index vertex) -> double& {
    return ledger.contact_work[part.model.surface.vertex_object[vertex]];
  };
  for (std::size_t k = 0; k < 4; ++k)
    work_on(contact.vertices[k]) += contact.weights[k] * working.dot(way_of_work(part, contact.vertices[k]));
  if (lever.vertex >= 0) work_on(lever.vertex) += working.dot(way_of_lever(part, lever));
}

// What a contact gives to its four vertices. Where one side is an obstacle, the other side has it from there.
void add_contact(const PartOfStep& part, PrescribedTurns& turns, const Contact& contact, const Vec3& force,
                 Ledger& ledger) {
  const ContactForces of_work = contact_forces_of_work(part, contact, force);
  const Vec3 whole = in_space(contact, force), working = in_space(contact, of_work.whole);
  const Given given{part.dt * whole, part.dt * working};
  const bool with_obstacle = std::any_of(contact.vertices.begin(), contact.vertices.end(),
                                         [&](Index vertex) { return is_obstacle(part.model, vertex); });
  const Lever lever = lever_of(part.model, contact);
  add_to_objects(part, contact, working, lever, ledger);
  Vec3 way = way_of_lever(part, lever);
  if (lever.vertex >= 0 && is_obstacle(part.model, lever.vertex)) ledger.work_prescribed -= working.dot(way);
  for (std::size_t k = 0; k < 4; ++k) {
    const Index vertex = contact.vertices[k];
    const double weight = contact.weights[k];
    way += weight * way_of_work(part, vertex);
    const bool obstacle = is_obstacle(part.model, vertex);
    if (with_obstacle && !obstacle) add_given(place_of_force(part, vertex), weight * given.impulse, ledger);
    for_each_node(part.model.embedding, vertex, weight,
                  [&](Index node, double share) { add_on_node(part, node, given * share, obstacle, ledger); });
  }
  // What pushes on at the end has closed or made up the gap, with the force that it has there.
  const Vec3 on_way = in_space(contact, force[0] > 0 ? Vec3(force[0], of_work.whole[1], of_work.whole[2]) : force);
  Vec3 rubbed = way;
  double beside = 0;  // J: what turns did besides, where it was counted along chords
  if (turns.any() && !works_by_means(part, contact)) {
    rubbed = way_beside_rigid(part, contact, way, turns);
    const OnTurning turning = give_by_contact(part, contact, of_work.whole, way, rubbed, turns);
    beside = turning.slides + turning.along * on_way.dot(contact.n) * contact.n.dot(way - rubbed);
  }
  const double loss = friction_loss(contact, force[0] > 0 ? of_work.friction : force, rubbed);
  const double along = on_way.dot(contact.n) * contact.n.dot(way);
  const double across = on_way.dot(rubbed) - on_way.dot(contact.n) * contact.n.dot(rubbed);
  ledger.dissipation_friction += loss;
  ledger.work_correction += along - beside + across + loss;
}

// What the solver left over and the next step does not get (as published).
void add_forgotten(const PartOfStep& part, Ledger& ledger) {
  const AssemblyPlan& plan = part.model.plan;
  for (Index row = 0; row < static_cast<Index>(plan.vertex_of_block.size()); ++row)
    ledger.impulse_left_over -= block(part.missing, row) - block(part.end.left_over, plan.vertex_of_block[row]);
  for (Index i = 0; i < static_cast<Index>(part.model.rigid.size()); ++i)
    ledger.impulse_left_over -=
        block(part.missing, part.model.rigid_blocks(part.dt).linear(i)) - part.rigid[i].end.left_over;
}

// What generalized alpha remembers, and what quasi-static steps do not keep.
void add_scheme(const PartOfStep& part, Ledger& ledger) {
  const Model& model = part.model;
  if (!part.inertia.newton()) return add_forgotten(part, ledger);
  if (part.inertia.is_static()) {
    for (Index row = 0; row < static_cast<Index>(model.plan.vertex_of_block.size()); ++row)
      ledger.impulse_scheme -= block(part.missing, row);
    for (Index i = 0; i < static_cast<Index>(model.rigid.size()); ++i)
      ledger.impulse_scheme -= block(part.missing, model.rigid_blocks(part.dt).linear(i));
    return;
  }
  const auto add = [&](Index object, Index entry, double mass, const Vec3& change) {
    if (part.inertia.second[object] != 0)
      ledger.impulse_scheme += mass * (change - part.dt * block(part.end.history.force, entry));
  };
  for (const Index vertex : model.plan.vertex_of_block) {
    if (counts(part, vertex))
      add(model.surface.vertex_object[vertex], vertex, model.elastic.mass[vertex],
          block(part.end.v, vertex) - block(part.start.v, vertex));
  }
  for (std::size_t i = 0; i < model.rigid.size(); ++i) {
    const Index entry = model.rigid[i].vertices.begin;
    if (counts(part, entry))
      add(model.surface.vertex_object[entry], entry, model.rigid[i].mass,
          part.end.rigid[i].velocity - part.start.rigid[i].velocity);
  }
}

}  // namespace

double work_of_gaps(const PartOfStep& part) {
  double sum = 0;
  for (Index i = 0; i < static_cast<Index>(part.contacts.size()); ++i) {
    const Contact& contact = part.contacts[i];
    if (!has(part.division, part.model.surface, contact.vertices, Share::divided))
      sum += part.forces[3 * static_cast<Eigen::Index>(i)] * contact.eps2;
  }
  return sum;
}

void add(const PartOfStep& part, Ledger& ledger) {
  const std::vector<std::uint8_t> is_held = find_held(part);
  PrescribedTurns turns = find_turns(part);
  const StartForces start = forces_at_start(part, is_held, turns.any());
  add_vertices(part, start, ledger);
  add_rigid(part, start, ledger);
  add_held(part, start, turns, is_held, ledger);
  add_scheme(part, ledger);
  ledger.contact_work.resize(part.model.objects.size());
  for (Index i = 0; i < static_cast<Index>(part.contacts.size()); ++i) {
    if (!has(part.division, part.model.surface, part.contacts[i].vertices, Share::divided))
      add_contact(part, turns, part.contacts[i], block(part.forces, i), ledger);
  }
  for (const PrescribedTurn& turn : turns.turns) {
    const BesideChords beside = work_beside_chords(turn);
    ledger.work_prescribed += beside.whole;
    ledger.contact_work[turn.object] -= beside.of_contacts;
  }
}

}  // namespace sim
