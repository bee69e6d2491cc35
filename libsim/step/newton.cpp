#include "step/newton.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "collide/limits.hpp"
#include "math/parallel.hpp"
#include "model/guides.hpp"
#include "step/advance.hpp"
#include "step/arc_search.hpp"
#include "step/lead_back.hpp"
#include "step/work_forces.hpp"

namespace sim {

namespace {

constexpr double force_part = 1e-6;   // of the forces on its elements that a body may miss
constexpr double contact_part = 0.1;  // of what it may miss in contact (step/tolerance.hpp)
constexpr double rounding = 16 * std::numeric_limits<double>::epsilon();
constexpr double less_static_mass = 0.1;  // a round
constexpr double farthest_fall = 1e3;     // of a body's size, in a quasi-static step

const BlockMatrix& A_of(const Part& part) {
  return part.s.problem.A;
}

bool is_elastic(const Part& part, Index row) {
  return row < static_cast<Index>(part.model.plan.vertex_of_block.size());
}

// Where loads find rigid bodies: those of second order at the end of the part, as they move at its start.
std::vector<RigidState> rigid_under_loads(const Part& part) {
  if (part.model.loads.empty()) return {};
  std::vector<RigidState> states = part.state.rigid;
  for (std::size_t i = 0; i < states.size(); ++i) {
    const RigidBody& body = part.model.rigid[i];
    if (!part.s.inertia.is_of_second_order(part.model.surface.vertex_object[body.vertices.begin])) continue;
    const Vec3 turn = part.dt * angular_velocity(body, states[i]);
    states[i].center += part.dt * states[i].velocity;
    states[i].turn = exponential(turn) * states[i].turn;
  }
  return states;
}

bool add_loads(Part& part, VecX& v) {
  Scratch& s = part.s;
  const Inertia& in = s.inertia;
  const Index object =
      in.newton() ? find_loads_at(part.model, in.place, rigid_under_loads(part), part.state.time + part.dt, s.loads)
                  : find_loads(part.model, part.state, part.dt, s.loads);
  if (object >= 0) {
    tell(part.failed, StepStatus::breakdown,
         "the loads of \"" + part.model.objects[object].name + "\" are not finite numbers");
    part.beyond_division = true;
    return false;
  }
  add_loads(part.model, s.loads, part.model.rigid_blocks(part.dt), s.rigid, s.problem.A, s.problem.b, v);
  drives(part.model, part.state, s.loads, s.groups.bodies, s.drive);
  if (!std::isfinite(norm(s.problem.b))) {
    tell(part.failed, StepStatus::breakdown,
         "loads, masses or velocities are too large: what moves by them is no number");
    part.beyond_division = true;
    return false;
  }
  return true;
}

void assemble(Part& part) {
  Scratch& s = part.s;
  const Inertia& in = s.inertia;
  if (!in.newton()) {
    StepInput input{part.state.x, part.state.v, s.prescribed, part.model.gravity, part.dt};
    if (!part.options.contact.as_published) {
      look_back({part.model, s.groups.bodies, part.state.x, part.state.v, part.dt, part.state.time > 0}, s.turning);
      input.unseen = unseen_of(part.state);
    }
    return assemble(part.model.elastic, part.model.plan, input, s.elements, s.problem.A, s.problem.b);
  }
  place_point(part.model, part.state, s.prescribed, part.dt, s.inertia);
  const StrainsOfStep strains{part.model.strains, in.strains};
  const bool with_strains = !in.is_static() && part.model.strains.numbers > 0;
  const StepInput input{
      in.place, in.mean, in.prescribed, part.model.gravity, part.dt, &in.damping, with_strains ? &strains : nullptr};
  assemble(part.model.elastic, part.model.plan, input, s.elements, s.problem.A, s.problem.b);
  add_inertia(part.model, part.dt, in, s.problem.A, s.problem.b);
}

// Of contacts as they push now, at the start of a step as they pushed in the one before.
void find_impulses(const Part& part, VecX& impulse) {
  const Model& model = part.model;
  impulse.setZero(part.s.problem.b.size());
  for (const Contact& contact : part.state.contacts.contacts) {
    if (is_limit(contact)) continue;
    const Vec3 p = part.dt * force_at_end(contact);
    if (p.isZero(0)) continue;
    for (std::size_t k = 0; k < 4; ++k) {
      for_each_node(model.embedding, contact.vertices[k], contact.weights[k], [&](Index node, double weight) {
        if (const Index row = model.plan.block_of_vertex[node]; row >= 0) block(impulse, row) += weight * p;
      });
    }
  }
}

// Elastic bodies that turn (step/turning.hpp). Newton's schemes have the elastic forces of the end, which turn, too.
void turn_elastic(Part& part, VecX& v) {
  Scratch& s = part.s;
  if (part.options.contact.as_published || s.inertia.newton()) return turn_nothing(s.turning);
  find_impulses(part, s.newton.impulse);
  turn({part.model, s.groups.bodies, s.elements, s.problem.A, part.state.x, part.state.v, s.newton.impulse, part.dt,
        s.guides},
       s.turning, s.problem.b, v);
}

// Free flight of the unknowns of vertices.
void fly(const Part& part, VecX& v) {
  const Inertia& in = part.s.inertia;
  const Vec3 fall = in.is_static() ? Vec3(Vec3::Zero()) : Vec3(part.dt * part.model.gravity);
  for (Index row = 0; row < static_cast<Index>(part.model.plan.vertex_of_block.size()); ++row)
    block(v, row) = block(part.state.v, part.model.plan.vertex_of_block[row]) + fall;
}

// Restless bodies that are solved for. (Rigid ones change with their order, and with their static mass.)
void choose_bodies(Part& part) {
  Scratch& s = part.s;
  s.newton.bodies.clear();
  for (Index body = 0; body < s.groups.bodies.count(); ++body) {
    if (s.settling.restless[body] == 0) continue;
    if (s.division.share[s.settling.object_of_body[body]] != Share::solved) continue;
    s.newton.bodies.push_back(body);
  }
}

void measure_forces(Part& part) {
  Scratch& s = part.s;
  const ElasticBodies& bodies = part.model.elastic;
  std::vector<double>& force = s.newton.force;
  force.assign(static_cast<std::size_t>(s.groups.bodies.count()), 0.0);
  for (std::size_t corner = 0; corner < bodies.numbering.vertex.size(); ++corner) {
    const Index body = s.settling.body_of_vertex[bodies.numbering.vertex[corner]];
    if (body < 0) continue;
    for (std::size_t k = 0; k < 3; ++k) force[body] += std::pow(s.elements.forces[3 * corner + k], 2);
  }
  for (double& f : force) f = std::sqrt(f);
}

// kg m/s: what the first solve of a body in contact may miss.
double may_miss(const Part& part, Index body) {
  const bool again = part.s.newton.solved_again[body] != 0;
  return part.s.units.momentum[body] / (again ? part_of_solves_again : 1);
}

// kg m/s: what a body may miss.
double tolerance(const Part& part, Index body) {
  const Scratch& s = part.s;
  const std::span<const Index> rows = s.groups.bodies.rows_of(body);
  double stiffness = 0, farthest = 0;
  for (const Index row : rows) {
    stiffness = std::max(stiffness, A_of(part).at(A_of(part).find(row, row)).trace());
    if (is_elastic(part, row))
      farthest = std::max(farthest, block(s.x1, part.model.plan.vertex_of_block[row]).cwiseAbs().maxCoeff());
  }
  const double noise = rounding * std::sqrt(static_cast<double>(rows.size())) * stiffness * farthest / part.dt;
  const double weight = part.dt * part.model.gravity.norm() * s.body_mass[body];
  const bool touches = s.groups.group_of[body] >= 0 && body < static_cast<Index>(s.units.momentum.size());
  return std::max({noise, force_part * (part.dt * s.newton.force[body] + weight),
                   touches ? contact_part * may_miss(part, body) : 0.0});
}

// Quasi-static: what has gone far beyond its size in a step is not going to be caught.
bool falls_for_ever(Part& part) {
  Scratch& s = part.s;
  if (!s.inertia.is_static()) return false;
  for (const Index body : s.newton.bodies) {
    const auto object = static_cast<std::size_t>(s.settling.object_of_body[body]);
    const Index vertex = part.model.objects[object].vertices.begin;
    const double way = (block(s.x1, vertex) - block(part.state.x, vertex)).norm();
    if (way <= farthest_fall * s.inertia.size[object]) continue;
    part.failed = {StepStatus::breakdown,
                   "nothing holds \"" + part.model.objects[object].name +
                       "\": quasi-static steps find equilibrium, and every body needs contacts, friction or "
                       "`boundary` that hold it against its weight and loads"};
    part.beyond_division = true;
    return true;
  }
  return false;
}

// kg m/s: sigma M (w - y), what holds a body back that would go farther.
double held_back(const Part& part, Index body) {
  const Scratch& s = part.s;
  double sum = 0;
  for (const Index row : s.groups.bodies.rows_of(body)) {
    const Vec3 way = block(s.newton.way, row);
    if (is_elastic(part, row)) {
      const Index vertex = part.model.plan.vertex_of_block[row];
      sum += (s.inertia.shrinking * s.inertia.mass[vertex] * part.model.elastic.mass[vertex] * way).squaredNorm();
    } else {
      sum += (A_of(part).at(A_of(part).find(row, row)) * way).squaredNorm();
    }
  }
  return std::sqrt(sum);
}

// Quasi-static, a body: elastic, and no contact pushes what drives it by more than rounding.
std::vector<std::uint8_t> falling(const Part& part, const std::vector<std::uint8_t>& pushed) {
  std::vector<std::uint8_t> result(pushed.size(), 0);
  for (Index body = 0; body < static_cast<Index>(pushed.size()); ++body) {
    if (pushed[body] == 0 && is_elastic(part, part.s.groups.bodies.rows_of(body).front()))
      result[body] = held_back(part, body) > tolerance(part, body) ? 1 : 0;
  }
  return result;
}

// Quasi-static: sigma shrinks tenfold where all bodies went all of their way in the last round, less where one did
// not, and grows where one went less than a tenth. Where contacts push all bodies and it holds back nothing that
// counts, it grows tenfold, and it is never so small that what a solve may miss moves a body by its size: what
// nothing holds, as a beam along frictionless rollers, would go far by next to no force, and without sigma it makes A
// singular. That is not said of bodies whose rounding is more than what a solve may miss. It waits for what is led
// back.
double change_of_static_mass(Part& part, const std::vector<std::uint8_t>& pushed) {
  NewtonScratch& n = part.s.newton;
  const Inertia& in = part.s.inertia;
  n.borne_by_mass.assign(pushed.size(), 0);
  double shortest = 1, least = 0;
  bool counts = false;
  for (const Index body : n.bodies) {
    if (n.led_back[body] != 0) return 1;
    if (n.length[body] > 0) shortest = std::min(shortest, n.length[body]);
    if (pushed[body] == 0) {
      counts = true;
      continue;
    }
    const double misses = tolerance(part, body), of_solve = may_miss(part, body), held = held_back(part, body);
    n.borne_by_mass[body] = held > of_solve ? 1 : 0;
    if (held > misses || misses > of_solve) counts = true;
    if (misses > of_solve) continue;
    const Object& object = part.model.objects[part.s.settling.object_of_body[body]];
    const double speed = in.size[part.s.settling.object_of_body[body]] / part.dt;
    least = std::max(least, of_solve / (in.mass[object.vertices.begin] * part.s.body_mass[body] * speed));
  }
  return std::max(counts ? less_static_mass / shortest : 1 / less_static_mass, least / in.shrinking);
}

}  // namespace

void begin(const Part& part, NewtonScratch& n) {
  const auto bodies = static_cast<std::size_t>(part.s.groups.bodies.count());
  n.met.clear();
  n.length.assign(bodies, 1.0);
  n.force.assign(bodies, 0.0);
  n.solved_again.assign(bodies, 0);
  n.rated.clear();
  n.pushing.clear();  // asked for by impacts only
  if (part.s.inertia.options.scheme == TimeScheme::generalized_alpha)
    n.pushing = pushes_of_objects(part.model, part.state.contacts);
}

namespace {

// Whether contacts push all that moves, as the last step left them.
bool is_borne(const Part& part) {
  std::vector<std::uint8_t> pushed(part.model.objects.size(), 0);
  for (const Contact& contact : part.state.contacts.contacts) {
    if (!(contact.lambda > 0)) continue;
    for (const Index vertex : contact.vertices) pushed[part.model.surface.vertex_object[vertex]] = 1;
  }
  for (std::size_t i = 0; i < pushed.size(); ++i) {
    const bool moves = part.s.division.moves[i] != 0;  // obstacles wait for nothing that pushes them
    if (moves && part.s.division.share[i] == Share::solved && pushed[i] == 0) return false;
  }
  return true;
}

}  // namespace

void weigh_loads(Part& part) {
  Scratch& s = part.s;
  if (!s.inertia.is_static()) return;
  if (is_borne(part)) s.inertia.shrinking = part.options.contact.relative_momentum;
  const double end = part.state.time + part.dt;
  if (find_loads_at(part.model, part.state.x, part.state.rigid, end, s.loads) >= 0) return;  // make_system() tells
  drives(part.model, part.state, s.loads, s.groups.bodies, s.drive);
  for (std::size_t body = 0; body < s.drive.size(); ++body)
    weigh(part.model, s.settling.object_of_body[body], s.drive[body], part.dt, s.inertia);
}

bool make_system(Part& part, VecX& v) {
  Scratch& s = part.s;
  const Model& model = part.model;
  assemble(part);
  fly(part, v);
  turn_elastic(part, v);
  for (Index row = 0; row < static_cast<Index>(model.plan.vertex_of_block.size()); ++row)
    block(s.problem.b, row) += block(part.state.left_over, model.plan.vertex_of_block[row]);
  const RigidBlocks rigid = model.rigid_blocks(part.dt);
  if (s.inertia.newton()) {
    const std::vector<RigidState> states = turning_by_means(model, part.state, s.inertia);
    integrate(rigid, states, model.gravity, s.rigid, s.problem.A, s.problem.b, v);
    add_rigid_inertia(model, part.state, part.dt, s.inertia, s.rigid, s.problem.A, s.problem.b, v);
  } else {
    integrate(rigid, part.state.rigid, model.gravity, s.rigid, s.problem.A, s.problem.b, v);
  }
  if (!add_loads(part, v)) return false;
  guide(model, s.guides, s.prescribed, s.problem.A, s.problem.b, v);
  return true;
}

namespace {

// m/s: of a body in the step.
double change_of_motion(const Part& part, Index body) {
  double sum = 0;
  for (const Index row : part.s.groups.bodies.rows_of(body)) {
    const Index vertex = part.model.plan.vertex_of_block[row];
    const Vec3 change = block(part.s.motion, vertex) - block(part.state.v, vertex);
    sum += std::pow(part.model.elastic.mass[vertex], 2) * change.squaredNorm();
  }
  return std::sqrt(sum) / part.s.body_mass[body];
}

// kg m^2/s, a body: what contacts spin it by with arms that are off by as much as their gaps may be.
std::vector<double> spins_of_gaps(const Part& part) {
  const Scratch& s = part.s;
  const std::vector<Contact>& contacts = part.state.contacts.contacts;
  std::vector<double> result(static_cast<std::size_t>(s.groups.bodies.count()), 0.0);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (is_limit(contacts[i])) continue;
    const double spin = part.dt * force_at_end(contacts[i]).norm() * s.gap_tolerance[i];
    if (!(spin > 0)) continue;
    for (std::size_t k = 0; k < 4; ++k) {
      const Index body = s.settling.body_of_vertex[contacts[i].vertices[k]];
      if (body >= 0) result[body] += std::abs(contacts[i].weights[k]) * spin;
    }
  }
  return result;
}

// b of bodies whose turn is not what it was taken for, with the turn as it was solved. They may miss `part` of m u^2,
// with u of step/tolerance.hpp, i as it was.
void turn_as_solved(Part& part) {
  Scratch& s = part.s;
  NewtonScratch& n = s.newton;
  if (part.options.contact.as_published) return;
  choose_bodies(part);
  const double relative = part.options.contact.relative_momentum;
  find_impulses(part, n.impulse);
  const TurnInput input{part.model, s.groups.bodies, s.elements, s.problem.A, part.state.x,
                        s.motion,   n.impulse,       part.dt,    s.guides};
  const Push drive = push(part);
  const std::vector<double> spins = spins_of_gaps(part);
  std::vector<std::uint8_t> turned(n.bodies.size(), 0);
  parallel_for(static_cast<Index>(n.bodies.size()), 1, [&](Index i, Index) {
    const Index body = n.bodies[i];
    if (s.turning.hold[body] == Hold::rigid) return;
    const double touching = s.units.momentum.empty() ? 0 : s.units.momentum[body] / (relative * s.body_mass[body]);
    const double u = std::max({touching, part.dt * drive.of(body), settling_part * change_of_motion(part, body)});
    const MayMiss miss{relative * s.body_mass[body] * u, relative * u * u, spins[body]};
    turned[i] = turn_as_solved(input, body, miss, s.turning, s.problem.b, s.solution.v) ? 1 : 0;
  });
  for (std::size_t i = 0; i < turned.size(); ++i) {
    if (turned[i] != 0) n.unbalanced.push_back(n.bodies[i]);
  }
  if (n.unbalanced.empty()) return;
  keep_free(part.model, s.guides, s.problem.b);
  renew_b(n.unbalanced, s.groups);
  for (const Index body : n.unbalanced) s.groups.solved[body] = 0;
  s.problem.version = s.groups.version;
}

// Of bodies that were taken to be pressed by too much, those that were by more in the round before: only they may be
// taken to be pressed by less in the next.
std::vector<std::uint8_t> rated_lower(const Part& part, std::vector<std::uint8_t> overrated) {
  std::vector<double>& before = part.s.newton.rated;
  const std::vector<double>& now = part.s.pressing.total;
  before.resize(overrated.size(), std::numeric_limits<double>::infinity());
  for (std::size_t body = 0; body < overrated.size() && body < now.size(); ++body) {
    if (!(now[body] < before[body])) overrated[body] = 0;
    before[body] = now[body];
  }
  return overrated;
}

// Whether what holds its vertices takes weight: along a plane that it is held in, nothing does.
bool is_held_up(const Part& part, const Object& object) {
  const Model& model = part.model;
  const Vec3 down = model.gravity.normalized();
  constexpr double none = 1e-6;  // of it
  for (std::size_t k = 0; k < model.prescribed.size(); ++k) {
    if (part.s.guides.holds[k] == 0) continue;
    for (const Index vertex : model.prescribed[k].vertices) {
      if (vertex < object.vertices.begin || vertex >= object.vertices.end) continue;
      if (model.guide_of_vertex[vertex] < 0 || (held_part(model, part.s.guides, vertex) * down).norm() > none)
        return true;
    }
  }
  return false;
}

// Quasi-static: elastic bodies that nothing bears, although they have weight: no contact pushes them, nothing holds
// them up, and `missed` (kg m/s) has half of it and more. That is no balance, whatever rounding leaves of their
// forces.
std::vector<std::uint8_t> unborne(const Part& part, const std::vector<std::uint8_t>& pushed, const VecX& missed) {
  const Scratch& s = part.s;
  const Model& model = part.model;
  std::vector<std::uint8_t> result(static_cast<std::size_t>(s.groups.bodies.count()), 0);
  for (const Index body : s.newton.bodies) {
    const std::span<const Index> rows = s.groups.bodies.rows_of(body);
    if (pushed[body] != 0 || !is_elastic(part, rows.front()) ||
        is_held_up(part, model.objects[s.settling.object_of_body[body]]))
      continue;
    Vec3 net = Vec3::Zero();
    double mass = 0;
    for (const Index row : rows) {
      mass += model.elastic.mass[model.plan.vertex_of_block[row]];
      net += block(missed, row);
    }
    const double weight = part.dt * model.gravity.norm() * mass;
    result[body] = weight > 0 && net.norm() >= 0.5 * weight ? 1 : 0;
  }
  return result;
}

}  // namespace

void rebalance(Part& part) {
  Scratch& s = part.s;
  NewtonScratch& n = s.newton;
  n.unbalanced.clear();
  if (!s.inertia.newton()) return turn_as_solved(part);
  std::vector<std::uint8_t> lowered;
  lower_orders(part, lowered);
  choose_bodies(part);
  if (falls_for_ever(part)) return;
  const auto bodies = static_cast<std::size_t>(s.groups.bodies.count());
  n.from = s.inertia.point;
  n.rigid_from = s.inertia.rigid_point;

  point_rows(part, n.from, n.rigid_from, n.way);
  n.way = s.solution.v - n.way;
  keep_free(part.model, s.guides, n.way);
  std::vector<std::uint8_t> pushed;
  if (s.inertia.is_static()) pushed = pushed_bodies(part);
  lead_back(part, falling(part, pushed));
  if (s.inertia.is_static()) s.inertia.shrinking *= change_of_static_mass(part, pushed);
  n.length.assign(bodies, 1.0);
  for (const Index body : n.bodies) {
    if (n.led_back[body] != 0) n.length[body] = 0;
  }

  n.curvature.assign(bodies, 0.0);
  n.product.resize(s.problem.b.size());
  multiply(A_of(part), s.solution.v, n.product);
  n.before = s.problem.b - n.product;
  multiply(A_of(part), n.way, n.product);
  for (const Index body : n.bodies) n.curvature[body] = dot_of_rows(n.way, n.product, s.groups.bodies.rows_of(body));

  n.guess.resize(s.problem.b.size());
  ArcSearch search;
  put_points(part, search);
  if (!make_system(part, n.guess)) return;
  measure_forces(part);
  multiply(A_of(part), s.solution.v, n.product);
  n.product = s.problem.b - n.product - n.before;
  std::vector<std::uint8_t> loosely(bodies, 0), in_the_air(bodies, 0);
  if (s.inertia.is_static()) in_the_air = unborne(part, pushed, n.product);
  if (s.inertia.is_static() && has_contacts(part))
    loosely = rated_lower(part, overrated(s.problem, s.groups.bodies, s.solution.lambda, s.pressing));
  for (const Index body : n.bodies) {
    const double missed = norm_of_rows(n.product, s.groups.bodies.rows_of(body));
    if (!(missed <= tolerance(part, body)) || lowered[s.settling.object_of_body[body]] != 0 || loosely[body] != 0 ||
        in_the_air[body] != 0 || (s.inertia.is_static() && n.borne_by_mass[body] != 0) || n.led_back[body] != 0)
      n.unbalanced.push_back(body);
  }
  if (!n.unbalanced.empty()) {
    const std::vector<Index> all = std::move(n.bodies);
    n.bodies = n.unbalanced;  // of these the search goes on
    while (shorten(part, search)) {
      put_points(part, search);
      if (!make_system(part, n.guess)) return;
    }
    n.bodies = all;
  }
  turn_back(part);
  for (const Index body : n.unbalanced) n.solved_again[body] = s.inertia.is_static() && n.led_back[body] == 0 ? 1 : 0;
  s.flight = s.solution.v;
  renew(s.problem.A, n.bodies, s.groups);
  for (const Index body : n.unbalanced) s.groups.solved[body] = 0;
  s.problem.version = s.groups.version;
  s.problem.mobility = s.groups.mobility;
  inverse_diagonal(s.problem, s.inverse_diagonal);
}

}  // namespace sim
