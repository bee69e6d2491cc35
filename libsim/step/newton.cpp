#include "step/newton.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "collide/limits.hpp"
#include "math/parallel.hpp"
#include "model/guides.hpp"
#include "step/advance.hpp"
#include "step/whole_body.hpp"
#include "step/work_forces.hpp"

namespace sim {

namespace {

constexpr double force_part = 1e-6;     // of the forces on its elements that a body may miss
constexpr double contact_part = 0.1;    // of what it may miss in contact (step/tolerance.hpp)
constexpr double most_overshoot = 0.9;  // of the force against the way, over what drives it
constexpr double shortest_length = 1e-3;
constexpr double rounding = 16 * std::numeric_limits<double>::epsilon();
constexpr double less_static_mass = 0.1;  // a round
constexpr double turned_back = 0.5;       // of a way that goes back: cosine, and its length over that before
constexpr Index most_swings = 3;
constexpr double farthest_fall = 1e3;  // of a body's size, in a quasi-static step

const BlockMatrix& A_of(const Part& part) {
  return part.s.problem.A;
}

bool is_elastic(const Part& part, Index row) {
  return row < static_cast<Index>(part.model.plan.vertex_of_block.size());
}

bool add_loads(Part& part, VecX& v) {
  Scratch& s = part.s;
  const Inertia& in = s.inertia;
  const Index object = in.newton()
                           ? find_loads_at(part.model, in.place, part.state.rigid, part.state.time + part.dt, s.loads)
                           : find_loads(part.model, part.state, part.dt, s.loads);
  if (object >= 0) {
    tell(part.failed, StepStatus::breakdown,
         "the loads of \"" + part.model.objects[object].name + "\" are not finite numbers");
    part.beyond_division = true;
    return false;
  }
  add_loads(part.model, s.loads, part.model.rigid_blocks(part.dt), s.rigid, s.problem.A, s.problem.b, v);
  drives(part.model, part.state, s.loads, s.groups.bodies, s.drive);
  return true;
}

void assemble(Part& part) {
  Scratch& s = part.s;
  const Inertia& in = s.inertia;
  if (!in.newton()) {
    const StepInput input{part.state.x, part.state.v, s.prescribed, part.model.gravity, part.dt};
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
    const Vec3 p =
        part.dt * in_space(contact, Vec3(std::max(0.0, contact.lambda), -contact.friction[0], -contact.friction[1]));
    if (p.isZero(0)) continue;
    for (std::size_t k = 0; k < 4; ++k) {
      for_each_node(model.embedding, contact.vertices[k], contact.weights[k], [&](Index node, double weight) {
        if (const Index row = model.plan.block_of_vertex[node]; row >= 0) block(impulse, row) += weight * p;
      });
    }
  }
}

// Elastic bodies that turn (step/turning.hpp).
void turn_elastic(Part& part, VecX& v) {
  Scratch& s = part.s;
  if (part.options.contact.as_published || s.inertia.newton()) turn_nothing(s.turning);
  if (part.options.contact.as_published || s.inertia.is_static()) return;
  find_impulses(part, s.newton.impulse);
  const VecX& motion = s.inertia.newton() ? s.inertia.point : part.state.v;
  const TurnInput input{part.model,   s.groups.bodies, s.elements,       s.problem.A,
                        part.state.x, motion,          s.newton.impulse, part.dt};
  if (s.inertia.newton()) {
    push_at_ends(input, s.turning, s.problem.b, v);
  } else {
    turn(input, s.turning, s.problem.b, v);
  }
}

// Free flight of the unknowns of vertices.
void fly(const Part& part, VecX& v) {
  const Inertia& in = part.s.inertia;
  const Vec3 fall = in.is_static() ? Vec3(Vec3::Zero()) : Vec3(part.dt * part.model.gravity);
  for (Index row = 0; row < static_cast<Index>(part.model.plan.vertex_of_block.size()); ++row)
    block(v, row) = block(part.state.v, part.model.plan.vertex_of_block[row]) + fall;
}

// w of the unknowns in the way of `point`.
void point_rows(const Part& part, const VecX& point, const VecX& rigid_point, VecX& rows) {
  const Model& model = part.model;
  rows.resize(part.s.problem.b.size());
  const auto elastic = static_cast<Index>(model.plan.vertex_of_block.size());
  for (Index row = 0; row < elastic; ++row) {
    const Index vertex = model.plan.vertex_of_block[row];
    block(rows, row) = block(point, vertex);
    if (model.guide_of_vertex[vertex] >= 0) block(rows, row) -= block(part.s.prescribed, vertex);
  }
  rows.tail(rigid_point.size()) = rigid_point;
  keep_free(model, part.s.guides, rows);
}

double dot_of(const VecX& a, const VecX& b, std::span<const Index> rows) {
  double sum = 0;
  for (const Index row : rows) sum += block(a, row).dot(block(b, row));
  return sum;
}

double norm_of(const VecX& a, std::span<const Index> rows) {
  return std::sqrt(dot_of(a, a, rows));
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

// Of one search: the arcs of bodies that go along one, and where and how those began.
struct Search {
  std::map<Index, Arc> arc;  // a body
  VecX place, way;           // of all vertices: x0 + dt y, m, and w - y, m/s; empty: none went along an arc yet
};

// visit(row, vertex, bow or bow_rate of it) at the length that the body goes, as far as nothing holds the vertex.
template <class Of, class Visit>
void each_bow(const Part& part, const Search& search, Index body, Of of, const Visit& visit) {
  const auto found = search.arc.find(body);
  if (found == search.arc.end()) return;
  for (const Index row : part.s.groups.bodies.rows_of(body)) {
    const Index vertex = part.model.plan.vertex_of_block[row];
    Vec3 bow = (found->second.*of)(block(search.place, vertex), part.s.newton.length[body] * part.dt);
    if (part.model.guide_of_vertex[vertex] >= 0) bow -= held_part(part.model, part.s.guides, vertex) * bow;
    visit(row, vertex, bow);
  }
}

// y = from + length (w - from), and the bow of what goes on an arc, of all vertices of the bodies, prescribed ones
// included.
void put_points(Part& part, const Search& search) {
  Scratch& s = part.s;
  NewtonScratch& n = s.newton;
  const Index rigid_begin = static_cast<Index>(part.model.plan.vertex_of_block.size());
  for (const Index body : n.bodies) {
    const std::span<const Index> rows = s.groups.bodies.rows_of(body);
    const double length = n.length[body];
    if (!is_elastic(part, rows.front())) {
      for (const Index row : rows) {
        const Vec3 from = block(n.rigid_from, row - rigid_begin);
        block(s.inertia.rigid_point, row - rigid_begin) = from + length * (block(s.solution.v, row) - from);
      }
      continue;
    }
    const Range vertices = part.model.objects[s.settling.object_of_body[body]].vertices;
    for (Index i = vertices.begin; i < vertices.end; ++i) {
      const Index of = s.settling.body_of_vertex[i];
      if (of >= 0 && of != body) continue;
      const Vec3 from = block(n.from, i);
      block(s.inertia.point, i) = from + length * (block(s.motion, i) - from);
    }
    each_bow(part, search, body, &Arc::bow,
             [&](Index, Index vertex, const Vec3& bow) { block(s.inertia.point, vertex) += bow / part.dt; });
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
                   touches ? contact_part * s.units.momentum[body] : 0.0});
}

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
// contact may miss, go on smoothly with what drives them and how they were accelerated.
bool is_impact(const Part& part, Index i, double driven) {
  const Contact& contact = part.state.contacts.contacts[i];
  const FrictionState state = part.s.solution.state[i];
  const double smallest = contact_speed(contact, part.s.start_motion, 0, part.options.contact, part.dt);
  const double before = speed_that_ends(contact, state, part.s.start_motion);
  if (!(part.s.compliance.k[i] * pushed_before(part, contact) > part.s.gap_tolerance[i])) {
    const double within_gaps = gap_part * part.options.contact.relative_momentum * part.dt * driven;
    return std::max(before, speed_that_ends(contact, state, part.s.motion)) >
           smallest + within_gaps + off_by(part, contact);
  }
  const Vec3 smooth = smooth_acceleration(part, contact);
  const double accelerated = state == FrictionState::sticking ? smooth.norm() : std::abs(contact.n.dot(smooth));
  return before > smallest + part.dt * (driven + accelerated);
}

// Those that have hit something, and what touches them, step by implicit Euler from now on. `changed`: objects that
// did not before.
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

// Bodies of the islands in which the way of a rigid one met what it has no contact with. Elastic ones yield: what
// they meet pushes them back in the rounds that follow.
void lead_back(Part& part) {
  Scratch& s = part.s;
  NewtonScratch& n = s.newton;
  n.led_back.assign(static_cast<std::size_t>(s.groups.bodies.count()), 0);
  if (!s.inertia.is_static()) return;
  bool any = false;
  for (const Hit& hit : s.hits) {
    const ContactId id = contact_id(hit.kind, hit.pair);
    if (hit.kind == ContactKind::limit || find(part.state.contacts, id) != nullptr) continue;
    const auto place = std::lower_bound(n.met.begin(), n.met.end(), id);
    if (place != n.met.end() && *place == id) continue;
    const std::array<Index, 4> vertices = stencil(part.model.surface, hit.kind, hit.pair);
    if (std::none_of(vertices.begin(), vertices.end(),
                     [&](Index vertex) { return part.model.surface.vertex_body[vertex] >= 0; }))
      continue;
    n.met.insert(place, id);
    for (const Index vertex : vertices) {
      const Index body = s.settling.body_of_vertex[vertex];
      if (body < 0 || s.settling.restless[body] == 0) continue;
      n.led_back[body] = n.led_back[s.settling.turn_of_body[body]] = 1;
      any = true;
    }
  }
  if (!any) return;
  for (const ContactGroup& group : s.groups.groups) {
    if (std::none_of(group.bodies.begin(), group.bodies.end(), [&](Index body) { return n.led_back[body] != 0; }))
      continue;
    for (const Index body : group.bodies) n.led_back[body] = std::max(n.led_back[body], s.settling.restless[body]);
  }
}

// Quasi-static: sigma shrinks tenfold where all bodies went all of their way in the last round, less where one did
// not, and grows where one went less than a tenth. It waits for what is led back.
double change_of_static_mass(const NewtonScratch& n) {
  double shortest = 1;
  for (const Index body : n.bodies) {
    if (n.led_back[body] != 0) return 1;
    if (n.length[body] > 0) shortest = std::min(shortest, n.length[body]);
  }
  return less_static_mass / shortest;
}

// n.way against that of the round before.
void count_swings(const Part& part, NewtonScratch& n) {
  if (n.last_way.size() == n.way.size()) {
    for (const Index body : n.bodies) {
      const std::span<const Index> rows = part.s.groups.bodies.rows_of(body);
      const double now = norm_of(n.way, rows), last = norm_of(n.last_way, rows);
      const bool back = dot_of(n.way, n.last_way, rows) < -turned_back * now * last && now > turned_back * last;
      n.swings[body] = back ? n.swings[body] + 1 : 0;
    }
  }
  n.last_way = n.way;
}

// Lets a body that went straight go along its arc; false where it does so already, or does not turn, and in
// quasi-static steps, whose ways are no motion: what falls there before it is caught turns by any angle.
bool bend(const Part& part, Index body, Search& search) {
  const Scratch& s = part.s;
  if (s.inertia.is_static() || s.turning.hold[body] == Hold::rigid || search.arc.contains(body)) return false;
  if (search.place.size() == 0) {
    search.place = part.state.x + part.dt * s.newton.from;
    search.way = s.motion - s.newton.from;
  }
  const Whole whole = whole_body(part.model, s.groups.bodies.rows_of(body), search.place, search.way);
  const Arc arc = arc_of(whole, s.turning.hold[body] == Hold::prescribed);
  if (!(std::pow(part.dt, 2) * arc.turn.squaredNorm() > std::numeric_limits<double>::epsilon())) return false;
  search.arc[body] = arc;
  return true;
}

// The search of the header: the force at y, (b' - A' y) - (b - A w), along the way. True where a body has to go less
// far, or along its arc, for it points back.
bool shorten(Part& part, Search& search) {
  Scratch& s = part.s;
  NewtonScratch& n = s.newton;
  VecX rows;
  point_rows(part, s.inertia.point, s.inertia.rigid_point, rows);
  multiply(A_of(part), rows, n.product);
  n.product = s.problem.b - n.product - n.before;
  VecX& tangent = rows;
  tangent = n.way;
  bool again = false;
  for (const Index body : n.bodies) {
    each_bow(part, search, body, &Arc::bow_rate,
             [&](Index row, Index, const Vec3& rate) { block(tangent, row) += rate; });
    const double along = dot_of(n.product, tangent, s.groups.bodies.rows_of(body)), drive = n.curvature[body];
    if (along >= -most_overshoot * drive || n.length[body] <= shortest_length) continue;
    if (n.length[body] < 1 || !bend(part, body, search))
      n.length[body] *= std::clamp(drive / (drive - along), 0.1, 0.5);
    again = true;
  }
  return again;
}

}  // namespace

void begin(const Part& part, NewtonScratch& n) {
  const auto bodies = static_cast<std::size_t>(part.s.groups.bodies.count());
  n.last_way.resize(0);
  n.met.clear();
  n.swings.assign(bodies, 0);
  n.length.assign(bodies, 1.0);
  n.pushing.clear();  // asked for by impacts only
  if (part.s.inertia.options.scheme != TimeScheme::generalized_alpha) return;
  for (const Contact& contact : part.state.contacts.contacts) {
    if (contact.lambda > 0) n.pushing[objects_of(part.model.surface, contact.vertices)] += contact.lambda;
  }
}

void weigh_loads(Part& part) {
  Scratch& s = part.s;
  if (!s.inertia.is_static()) return;
  const double end = part.state.time + part.dt;
  if (find_loads_at(part.model, part.state.x, part.state.rigid, end, s.loads) >= 0) return;  // make_system() tells
  drives(part.model, part.state, s.loads, s.groups.bodies, s.drive);
  for (std::size_t body = 0; body < s.drive.size(); ++body)
    weigh(part.model, s.settling.object_of_body[body], s.drive[body], part.dt, s.inertia);
}

void hold_contacts(const Part& part, std::vector<Contact>& contacts) {
  const NewtonScratch& n = part.s.newton;
  const auto swings = [&](Index vertex) {
    const Index body = part.s.settling.body_of_vertex[vertex];
    return body >= 0 && n.swings[body] >= most_swings;
  };
  for (Contact& contact : contacts) {
    if (!is_limit(contact) && std::any_of(contact.vertices.begin(), contact.vertices.end(), swings))
      contact.frozen = true;
  }
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

// b of bodies whose turn is not what it was taken for, with the turn as it was solved. They may miss `part` of m u^2,
// with u of step/tolerance.hpp, i as it was.
void turn_as_solved(Part& part) {
  Scratch& s = part.s;
  NewtonScratch& n = s.newton;
  if (part.options.contact.as_published) return;
  choose_bodies(part);
  const double relative = part.options.contact.relative_momentum;
  find_impulses(part, n.impulse);
  const TurnInput input{part.model,   s.groups.bodies, s.elements, s.problem.A,
                        part.state.x, s.motion,        n.impulse,  part.dt};
  const Push drive = push(part);
  std::vector<std::uint8_t> turned(n.bodies.size(), 0);
  parallel_for(static_cast<Index>(n.bodies.size()), 1, [&](Index i, Index) {
    const Index body = n.bodies[i];
    if (s.turning.hold[body] == Hold::rigid) return;
    const double touching = s.units.momentum.empty() ? 0 : s.units.momentum[body] / (relative * s.body_mass[body]);
    const double u = std::max({touching, part.dt * drive.of(body), settling_part * change_of_motion(part, body)});
    const MayMiss miss{relative * s.body_mass[body] * u, relative * u * u};
    turned[i] = turn_as_solved(input, body, miss, s.turning, s.problem.b, s.solution.v) ? 1 : 0;
  });
  for (std::size_t i = 0; i < turned.size(); ++i) {
    if (turned[i] != 0) n.unbalanced.push_back(n.bodies[i]);
  }
  if (n.unbalanced.empty()) return;
  keep_free(part.model, s.guides, s.problem.b);
  renew(s.problem.A, n.unbalanced, s.groups);
  for (const Index body : n.unbalanced) s.groups.solved[body] = 0;
  s.problem.version = s.groups.version;
  s.problem.mobility = s.groups.mobility;
}

// Quasi-static: elastic bodies that nothing bears, although they have weight: no contact pushes them, nothing of them
// is held, and `missed` (kg m/s) has half of it and more. That is no balance, whatever rounding leaves of their
// forces.
std::vector<std::uint8_t> unborne(const Part& part, const VecX& missed) {
  const Scratch& s = part.s;
  const Model& model = part.model;
  std::vector<std::uint8_t> result(static_cast<std::size_t>(s.groups.bodies.count()), 0);
  for (const Index body : s.newton.bodies) {
    const std::span<const Index> rows = s.groups.bodies.rows_of(body);
    if (!is_elastic(part, rows.front()) || is_held(model, model.objects[s.settling.object_of_body[body]])) continue;
    Vec3 net = Vec3::Zero();
    double mass = 0;
    for (const Index row : rows) {
      mass += model.elastic.mass[model.plan.vertex_of_block[row]];
      net += block(missed, row);
    }
    const double weight = part.dt * model.gravity.norm() * mass;
    result[body] = weight > 0 && net.norm() >= 0.5 * weight ? 1 : 0;
  }
  const BlockMatrix& L = s.problem.L;
  for (Index i = 0; i < s.problem.contacts(); ++i) {
    if (!(s.solution.lambda[i] > 0)) continue;
    for (Index slot = L.row_begin[i]; slot < L.row_begin[i + 1]; ++slot)
      result[s.groups.bodies.of_row[L.column[slot]]] = 0;
  }
  return result;
}

// Rows of contacts are linearised where the arms of rigid bodies have been turned to: of those that are led back at
// y.
void turn_back(Part& part) {
  Scratch& s = part.s;
  const Index rigid_begin = static_cast<Index>(part.model.plan.vertex_of_block.size());
  for (const Index body : s.newton.bodies) {
    if (s.newton.led_back[body] == 0) continue;
    for (const Index row : s.groups.bodies.rows_of(body)) {
      if (row >= rigid_begin) block(s.solution.v, row) = block(s.inertia.rigid_point, row - rigid_begin);
    }
  }
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
  lead_back(part);
  if (s.inertia.is_static()) s.inertia.shrinking *= change_of_static_mass(n);
  n.length.assign(bodies, 1.0);
  for (const Index body : n.bodies) {
    if (n.led_back[body] != 0) n.length[body] = 0;
  }
  n.curvature.assign(bodies, 0.0);
  n.product.resize(s.problem.b.size());
  n.from = s.inertia.point;
  n.rigid_from = s.inertia.rigid_point;

  multiply(A_of(part), s.solution.v, n.product);
  n.before = s.problem.b - n.product;
  point_rows(part, n.from, n.rigid_from, n.way);
  n.way = s.solution.v - n.way;
  keep_free(part.model, s.guides, n.way);
  count_swings(part, n);
  multiply(A_of(part), n.way, n.product);
  for (const Index body : n.bodies) n.curvature[body] = dot_of(n.way, n.product, s.groups.bodies.rows_of(body));

  n.guess.resize(s.problem.b.size());
  Search search;
  put_points(part, search);
  if (!make_system(part, n.guess)) return;
  measure_forces(part);
  multiply(A_of(part), s.solution.v, n.product);
  n.product = s.problem.b - n.product - n.before;
  std::vector<std::uint8_t> loosely(bodies, 0), in_the_air(bodies, 0);
  if (s.inertia.is_static()) in_the_air = unborne(part, n.product);
  if (s.inertia.is_static() && has_contacts(part))
    loosely = overrated(s.problem, s.groups.bodies, s.solution.lambda, s.pressing);
  for (const Index body : n.bodies) {
    const double missed = norm_of(n.product, s.groups.bodies.rows_of(body));
    if (!(missed <= tolerance(part, body)) || lowered[s.settling.object_of_body[body]] != 0 || loosely[body] != 0 ||
        in_the_air[body] != 0 || n.led_back[body] != 0)
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
  s.flight = s.solution.v;
  renew(s.problem.A, n.bodies, s.groups);
  for (const Index body : n.unbalanced) s.groups.solved[body] = 0;
  s.problem.version = s.groups.version;
  s.problem.mobility = s.groups.mobility;
  inverse_diagonal(s.problem, s.inverse_diagonal);
}

}  // namespace sim
