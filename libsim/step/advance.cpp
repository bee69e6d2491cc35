#include "step/advance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "collide/limits.hpp"
#include "collide/proximity.hpp"
#include "contact/residual.hpp"
#include "elasticity/volumes.hpp"
#include "math/number_text.hpp"
#include "math/parallel.hpp"
#include "math/stopwatch.hpp"
#include "step/explain.hpp"

namespace sim {

namespace {

bool has_contacts(const Part& part) {
  return !part.state.contacts.contacts.empty();
}

RigidBlocks rigid_blocks(const Part& part) {
  return part.model.rigid_blocks(part.dt);
}

Index elastic_rows(const Part& part) {
  return static_cast<Index>(part.model.plan.vertex_of_block.size());
}

AimRule aim_rule(const Part& part) {
  return {part.options.contact, push(part), part.s.start_motion, part.dt};
}

Situation situation(const Part& part) {
  return {part.model, part.state.contacts.contacts, part.state.x, part.s.start_motion, part.dt};
}

// The islands of these objects do not get to the end of this part.
void fail(Part& part, std::span<const Index> objects, StepStatus status, const std::string& reason) {
  tell(part.failed, status, reason);
  divide(objects, part.model.surface, part.state.contacts.contacts, part.options.contact.together, part.s.division);
}

// Shorter parts would not help: this is told, whatever else has failed.
void give_up(Part& part, StepStatus status, const std::string& reason) {
  part.failed = {status, reason};
  part.hopeless = true;
}

bool is_solved(const Part& part, Index body) {
  return part.s.division.share[part.s.settling.object_of_body[body]] == Share::solved;
}

bool is_solved(const Part& part, const RigidBody& body) {
  return part.s.division.of(part.model.surface, body.vertices.begin) == Share::solved;
}

// A and b of the step, and the free flight of the unknowns as a first guess of their velocities. False where vertices
// are told to move to where there is nothing.
bool integrate(Part& part) {
  const Model& model = part.model;
  Scratch& s = part.s;
  if (s.problem.A.rows() != model.plan.pattern.rows() || s.told.size() != part.state.v.size()) {
    s.problem.A = model.plan.pattern;
    find_bodies(s.problem.A, s.groups);
    body_masses(model, s.groups.bodies, s.body_mass);
    s.problem.body = s.groups.bodies.of_row;
    prepare(model, s.groups.bodies, s.settling);
    prepare(model, s.groups.bodies, s.turning);
    s.guides = {};
    s.problem.b.resize(3 * Eigen::Index{s.problem.A.rows()});
    s.solution.v.resize(s.problem.b.size());
    s.told.setZero(part.state.v.size());
  }
  if (find_holds(model, part.state.time, s.guides))
    find_free(model, s.groups.bodies, s.settling.object_of_body, s.guides, s.turning);
  told_velocities(model, part.state, part.dt, s.guides, s.told);
  if (const Index object = first_non_finite(model, s.told); object >= 0) {
    give_up(
        part, StepStatus::breakdown,
        "vertices of \"" + model.objects[object].name + "\" are told to move to places that are not finite numbers");
    return false;
  }
  begin(model, part.state, part.options.time, part.dt, s.inertia);
  s.newton.length.assign(static_cast<std::size_t>(s.groups.bodies.count()), 1.0);
  if (!make_system(part, s.solution.v)) return false;
  s.flight = s.solution.v;
  forget(s.problem.A, s.groups);
  begin(s.division, s.settling);
  std::fill(s.units.momentum.begin(), s.units.momentum.end(), 0.0);
  s.problem.version = s.groups.version;
  s.problem.mobility = s.groups.mobility;
  inverse_diagonal(s.problem, s.inverse_diagonal);
  part.report.t_integrate += part.watch.lap();
  return true;
}

// Velocities of all vertices: those told or known, and the unknowns as they stand; of rigid ones along the chords of
// their arcs.
void spread(Part& part) {
  Scratch& s = part.s;
  s.motion = s.start_motion;
  for (Index row = 0; row < elastic_rows(part); ++row) {
    if (!is_solved(part, s.groups.bodies.of_row[row])) continue;
    const Index vertex = part.model.plan.vertex_of_block[row];
    block(s.motion, vertex) = block(s.solution.v, row);
    if (part.model.guide_of_vertex[vertex] >= 0) block(s.motion, vertex) += block(s.told, vertex);
  }
  stop_divided(part.model.surface, s.division, s.motion);
  s.x1 = part.state.x + part.dt * s.motion;
  move(rigid_blocks(part), part.state.rigid, s.solution.v, s.rigid);
  for (std::size_t i = 0; i < s.rigid.size(); ++i) {
    const RigidBody& body = part.model.rigid[i];
    if (!is_solved(part, body)) continue;
    place(body, s.rigid[i].end, part.model.mesh.vertices, s.x1);
    for (Index vertex = body.vertices.begin; vertex < body.vertices.end; ++vertex)
      block(s.motion, vertex) = (block(s.x1, vertex) - block(part.state.x, vertex)) / part.dt;
  }
}

// Hits of divided objects are left to shorter parts, and with known ones they end this part.
void sort_hits(Part& part) {
  Division& division = part.s.division;
  const CollisionSurface& surface = part.model.surface;
  std::erase_if(part.s.hits, [&](const Hit& hit) {
    return has(division, surface, stencil(surface, hit.kind, hit.pair), Share::divided);
  });
  for (const Hit& hit : part.s.hits) {
    const std::array<Index, 4> vertices = stencil(surface, hit.kind, hit.pair);
    if (!has(division, surface, vertices, Share::known)) continue;
    for (const Index vertex : vertices) {
      if (division.of(surface, vertex) == Share::known) division.met.push_back(surface.vertex_object[vertex]);
    }
  }
  std::erase_if(division.met, [&](Index object) { return division.moves[object] == 0; });
}

// The pairs that may meet during the step, if it goes about as foreseen, and the contacts of before.
void detect(Part& part) {
  Scratch& s = part.s;
  begin_motion(part.state, s.division, part.model.surface, s.start_motion);
  go_as_told(part.model, s.guides, s.told, s.start_motion);
  if (!part.options.detect_collisions && part.model.surface.limits.empty()) return;
  if (part.options.detect_collisions) {
    spread(part);
    find_candidates(part.model.surface, {part.state.x, s.motion, part.dt}, part.options.detection, s.detection,
                    s.candidates);
  }
  keep_solved(s.division, part.model.surface, part.state.contacts.contacts);
  begin_step(part.model.surface, part.state.contacts, part.state.x);
  if (part.options.contact.proximity_set) {
    find_near(part.model.surface, s.candidates, part.state.x, s.hits);
    sort_hits(part);
    add_contacts(part.model.surface, s.hits, part.state.x, part.state.x, part.state.contacts);
  }
  set_aims(aim_rule(part), part.state.contacts);
  // Contacts hold the bodies: last step's velocity is the better guess. Bodies apart begin with their free flight.
  for (Index row = 0; row < elastic_rows(part); ++row) {
    block(s.solution.v, row) = block(part.state.v, part.model.plan.vertex_of_block[row]);
  }
  keep_free(part.model, s.guides, s.solution.v);
  set_last_velocities(rigid_blocks(part), part.state.rigid, s.rigid, s.solution.v);
  ++part.report.detection_rounds;
  part.report.t_detect += part.watch.lap();
}

// Bodies at rest start within the tolerance, and would keep for ever what motion it allows them. So the first solve
// of a step comes nearer to balance by `closer` than it starts, down to `closest` of the tolerance. The same for the
// gaps and slips of rigid bodies: what a row misses moves the whole body, and it has no inside that would damp it.
ContactTolerance nearer(const ContactTolerance& tolerance, bool with_rigid, const ContactResidual& start) {
  constexpr double closer = 0.1, closest_momentum = 1e-3, closest_constraint = 1e-2;
  const auto wish = [](double residual, double closest, double& wanted) {
    wanted = std::clamp(closer * residual, closest * wanted, wanted);
  };
  ContactTolerance result = tolerance;
  wish(start.momentum, closest_momentum, result.momentum);
  if (with_rigid) wish(start.constraint(), closest_constraint, result.constraint);
  return result;
}

// Nearer is wished for, not asked for: rows may contradict each other by less than the tolerance, and a wish must not
// cost more than the step.
SolveReport solve_contacts(Part& part, bool first, const ContactTolerance& tolerance, ContactGroup& group) {
  const ContactProblem& problem = group.problem;
  ContactSolution& solution = group.solution;
  constexpr Index most_for_a_wish = 1000;
  const ContactOptions& options = part.options.contact;
  const Index most = options.max_iterations;
  const auto solve_to = [&](const Precision& asked, Index most_iterations) {
    return solve(problem, {asked.tolerance, most_iterations, options.method, options.stop, asked.wish}, part.s.solver,
                 solution, part.options.trace ? &part.s.trace : nullptr);
  };
  const Precision enough{tolerance, tolerance};
  if (!first || options.as_published) return solve_to(enough, most);
  const bool with_rigid = group.rows.back() >= elastic_rows(part);
  const ContactTolerance wanted = nearer(tolerance, with_rigid, contact_residual(problem, solution));
  if (comes_nearer(options.method)) return solve_to({tolerance, wanted}, most);
  if (wanted.momentum == tolerance.momentum && wanted.constraint == tolerance.constraint)
    return solve_to(enough, most);
  SolveReport wish = solve_to({wanted, wanted}, std::min(most, most_for_a_wish));
  if (within(wish.residual, tolerance)) {
    wish.status = SolveStatus::converged;
    return wish;
  }
  SolveReport report = solve_to(enough, most);
  report.iterations += wish.iterations;
  report.resets += wish.resets;
  report.evaluations += wish.evaluations;
  report.products += wish.products;
  report.passes += wish.passes;
  report.factorisations += wish.factorisations;
  return report;
}

template <class Status>  // of a linear solve, or of one with contacts
StepStatus status_of(Status status) {
  return status == Status::breakdown ? StepStatus::breakdown : StepStatus::iteration_limit;
}

// Of bodies: without a solution of what they are in. Where that is accepted it is told, else they fail.
void end_unsolved(Part& part, std::span<const Index> bodies, StepStatus status, const std::string& reason) {
  if (part.options.contact.accept_unconverged) return tell(part.accepted, status, reason);
  std::vector<Index> objects;
  for (const Index body : bodies) objects.push_back(part.s.settling.object_of_body[body]);
  fail(part, objects, status, reason);
}

// What may be missed: nothing but eps1 and eps2 where the method is to run as published.
void choose_units(Part& part, bool first) {
  Scratch& s = part.s;
  const ContactOptions& options = part.options.contact;
  compliance(s.problem, s.inverse_diagonal, s.compliance);
  if (options.as_published) {
    s.units = {};
    s.gap_tolerance.assign(part.state.contacts.contacts.size(), 0);
    for (std::size_t i = 0; i < s.gap_tolerance.size(); ++i)
      s.gap_tolerance[i] = solver_part * part.state.contacts.contacts[i].eps2;
    return;
  }
  if (first) {
    reaction(s.solution, s.forces);
    due_changes(part.model, s.problem, s.inverse_diagonal, s.groups.bodies, s.solution.v, s.forces, s.body_mass,
                s.due, s.inertia.newton() ? std::span<const double>(s.inertia.mass) : std::span<const double>());
  }
  find_units({part.model, options, part.state.contacts.contacts, s.start_motion, s.problem, s.compliance, s.body_mass,
              s.due, push(part), part.options.detection.separation_part, part.dt},
             s.groups, s.units);
  s.gap_tolerance = s.units.gap;
}

ContactTolerance tolerance_of(const Part& part, const ContactGroup& group) {
  ContactTolerance published = part.options.contact.tolerance;
  published.constraint *= solver_part;
  return part.options.contact.as_published ? published : tolerance_in_units(group);
}

bool has_solved(const SolveReport& report) {
  return report.status == SolveStatus::converged || report.status == SolveStatus::interrupted ||
         report.status == SolveStatus::by_its_rule;
}

// First the bodies that nothing touches, then each group of the others.
void solve_groups(Part& part, bool first) {
  Scratch& s = part.s;
  const bool factors = !part.options.contact.as_published;
  const CgReport flight = solve_apart(s.problem, part.options.linear, factors, s.flight, s.groups, s.solution.v);
  part.report.residual = std::max(part.report.residual, flight.residual);
  for (std::size_t i = 0; i < s.groups.to_solve.size(); ++i) {
    const CgReport& one = s.groups.apart_scratch.reports[i];
    if (one.status != CgStatus::converged && one.status != CgStatus::interrupted)
      end_unsolved(part, {&s.groups.to_solve[i], 1}, status_of(one.status),
                   describe(one) + unsolved_apart(situation(part), s.groups));
  }
  SolveReport all;
  part.by_its_rule = 0;
  for (ContactGroup& group : s.groups.groups) {
    if (group.settled) continue;
    take(s.problem, s.solution, s.groups, s.units, group);
    const SolveReport solved = solve_contacts(part, first, tolerance_of(part, group), group);
    join(solved, all);
    part.by_its_rule += solved.status == SolveStatus::by_its_rule ? 1 : 0;
    if (!has_solved(solved))
      end_unsolved(part, group.bodies, status_of(solved.status),
                   solved.reason + unsolved_island(situation(part), part.options.contact, group, solved.status));
    if (is_solved(part, group.bodies.front())) put_back(group, s.solution);
  }
  // All at a time, as it were: the longest counts.
  part.report.iterations += std::max(flight.iterations, all.iterations);
  part.report.resets += all.resets;
  part.report.evaluations += all.evaluations;
  part.report.products += std::max(flight.iterations, all.products);
  part.report.passes += all.passes;
  part.report.factorisations += all.factorisations;
  part.report.by_exact += all.by_exact;
}

// Contacts of islands that have failed say nothing: as if there were none.
void silence_failed(Part& part) {
  Scratch& s = part.s;
  if (!has_any(s.division, Share::divided)) return;
  for (std::size_t i = 0; i < part.state.contacts.contacts.size(); ++i) {
    if (!has(s.division, part.model.surface, part.state.contacts.contacts[i].vertices, Share::divided)) continue;
    s.solution.lambda[i] = 0;
    s.solution.gamma[i].setZero();
    block(s.slips, static_cast<Index>(i)).setZero();
  }
}

// Those who are not solved for are not flown either.
void leave_out_others(Part& part) {
  for (Index body = 0; body < part.s.groups.bodies.count(); ++body) {
    if (!is_solved(part, body)) part.s.groups.solved[body] = 1;
  }
}

// Of islands that are settled the rows stay as they were solved.
void linearise_arcs(Part& part) {
  Scratch& s = part.s;
  move(rigid_blocks(part), part.state.rigid, s.solution.v, s.rigid);
  s.linearised.resize(s.rigid.size());
  for (std::size_t i = 0; i < s.rigid.size(); ++i) {
    if (s.settling.restless[s.settling.body_of_vertex[part.model.rigid[i].vertices.begin]] != 0)
      s.linearised[i] = s.rigid[i];
  }
}

void solve(Part& part, bool first) {
  Scratch& s = part.s;
  linearise_arcs(part);
  make_rows(part.model, part.state.contacts, {part.state.x, s.told, s.guides, rigid_blocks(part), s.linearised},
            s.similarity, s.problem);
  load(part.state.contacts, s.solution);
  find_groups(s.problem.L, part.options.contact.together, s.groups);
  leave_out_others(part);
  choose_units(part, first);
  solve_groups(part, first);
  keep_free(part.model, s.guides, s.solution.v);
  if (has_contacts(part)) {
    slip(s.problem, s.solution.v, s.slips);
    silence_failed(part);
    if (part.options.contact.as_published) {
      reaction(s.solution, s.forces);
    } else {
      exact_forces(s.problem, s.slips, s.compliance.k, has_exact_cone(part.options.contact.method), s.gap_tolerance,
                   s.solution, s.forces);
    }
    part.constraint_error = conditions_residual(s.problem.mu, s.compliance.k, s.slips, s.solution).constraint();
    store(s.solution, s.slips, s.forces, s.gap_tolerance, part.state.contacts);
  }
  part.report.t_solve += part.watch.lap();
}

// Of what is solved for: known objects keep theirs at both ends of their motion.
void find_passed_limits(Part& part) {
  const CollisionSurface& surface = part.model.surface;
  find_passed_limits(surface, part.state.contacts, part.s.x1, part.s.hits);
  std::erase_if(part.s.hits, [&](const Hit& hit) {
    return hit.kind == ContactKind::limit &&
           part.s.division.of(surface, surface.limits[hit.pair.first].vertices[0]) != Share::solved;
  });
}

// Where the solved motion leads, and through which pairs. Those that were not foreseen are looked up first.
void look_for_collisions(Part& part) {
  Scratch& s = part.s;
  spread(part);
  s.hits.clear();
  if (!part.options.detect_collisions) return find_passed_limits(part);
  find_escaped(part.model.surface, s.x1, s.detection, s.escaped);
  if (!s.escaped.empty()) {
    look_up_again(part.model.surface, s.escaped, part.state.x, s.x1, part.options.detection, s.detection,
                  s.candidates, s.added);
    ++part.report.detection_rounds;
    find_escaped(part.model.surface, s.x1, s.detection, s.escaped);
  }
  if (!s.escaped.empty()) {
    std::vector<Index> objects;
    for (const Index vertex : s.escaped) objects.push_back(part.model.surface.vertex_object[vertex]);
    fail(part, objects, StepStatus::breakdown,
         "the motion takes vertices of \"" + part.model.objects[objects.front()].name +
             "\" to places that are not finite numbers");
    return look_for_collisions(part);  // of the others
  }
  part.report.candidates = s.candidates.size();
  check_candidates(part.model.surface, s.candidates, part.state.x, s.x1, part.options.detection, s.check, s.hits,
                   s.settling.known_free);
  find_passed_limits(part);
  sort_hits(part);
  part.report.t_detect += part.watch.lap();
}

// No element has a way through zero volume: a step that leads one through is too long for its linearisation. As part
// of the shortest kind it is taken all the same, and told.
void fail_where_elements_turn_inside_out(Part& part) {
  if (part.shortest) return;
  std::vector<Index> turned = turned_inside_out(part.model.elastic, part.state.x, part.s.x1), objects;
  std::erase_if(turned, [&](Index tet) {
    return part.s.division.of(part.model.surface, part.model.elastic.tets[tet][0]) != Share::solved;
  });
  for (const Index tet : turned) objects.push_back(part.model.surface.vertex_object[part.model.elastic.tets[tet][0]]);
  if (!objects.empty()) fail(part, objects, StepStatus::breakdown, turned_elements(situation(part), turned));
}

// The triangle of a half-space is its plane within its inradius only, which is 10,000 times the scene. Motion is
// straight: what begins and ends there has been there all the time.
void fail_where_half_spaces_end(Part& part) {
  const CollisionSurface& surface = part.model.surface;
  for (const Index plane : surface.half_spaces) {
    const Index first = part.model.objects[plane].vertices.begin;
    const Vec3 a = block(part.s.x1, first), b = block(part.s.x1, first + 1), c = block(part.s.x1, first + 2);
    const Vec3 middle = (a + b + c) / 3;
    const double farthest = 0.5 * (0.5 * (a + b) - middle).norm();
    std::vector<Index> objects;
    for (const Index v : surface.vertices) {
      if (surface.vertex_moves[v] != 0 && !((block(part.s.x1, v) - middle).norm() <= farthest))
        objects.push_back(surface.vertex_object[v]);
    }
    if (objects.empty()) continue;
    const std::string name = "\"" + part.model.objects[objects.front()].name + "\"";
    fail(part, objects, StepStatus::breakdown,
         name + " is farther than " + number_text(farthest, 3) + " m from the middle of the half-space \"" +
             part.model.objects[plane].name + "\", farther than its plane is computed");
  }
}

// What collides is initialised and activated (Verschoor & Jalba 2019, section 5.2), its friction kinetic.
void activate(std::span<const Hit> hits, ContactSet& contacts) {
  for (const Hit& hit : hits) {
    Contact* contact = find(contacts, contact_id(hit.kind, hit.pair));
    if (contact == nullptr || contact->state != FrictionState::open) continue;
    contact->state = FrictionState::sliding;
    contact->delta = {};
  }
}

// New contacts where the motion collides, and those of islands that are not settled as they are at its end. True
// where that changes a problem: it must be solved again.
bool relinearise(Part& part) {
  Scratch& s = part.s;
  const ContactOptions& options = part.options.contact;
  ContactSet& contacts = part.state.contacts;
  s.solving = contacts.contacts;
  keep_solved(s.division, part.model.surface, contacts.contacts);
  s.updated.left = std::move(contacts.left);
  s.updated.contacts.clear();
  for (const Contact& contact : contacts.contacts) {
    if (is_restless(s.settling, contact.vertices)) s.updated.contacts.push_back(contact);
  }
  part.kept = update_contacts(part.model.surface, part.state.x, s.x1, options.upkeep, s.updated);
  contacts.left = std::move(s.updated.left);
  const bool again = settle(part.model.surface, s.hits, part.kept.restless, s.newton.unbalanced, s.groups, s.settling,
                            s.updated.contacts, contacts.contacts);
  keep_off(part.model.surface, s.hits, aim_rule(part), part.state.x, s.x1, contacts);
  add_contacts(part.model.surface, s.hits, part.state.x, s.x1, contacts);
  if (options.as_published) activate(s.hits, contacts);
  set_aim_of_new_contacts(aim_rule(part), contacts);
  part.report.t_relinearize += part.watch.lap();
  return again;
}

// Of one linearisation only where there are contacts: the other solve is exact but for its tolerance.
void keep_what_is_left_over(Part& part) {
  part.state.left_over.setZero();
  VecX& missing = part.s.missing;
  missing.setZero(part.s.problem.b.size());
  const Inertia& inertia = part.s.inertia;
  if (!has_contacts(part) && !inertia.newton()) return;
  const bool with_rows = part.s.problem.L.rows() > 0;  // also of contacts that have been left to shorter parts
  momentum_residual(part.s.problem, part.s.solution.v, with_rows ? part.s.forces : VecX(), missing);
  const auto forget_rows = [&](Index body) {
    for (const Index row : part.s.groups.bodies.rows_of(body)) block(missing, row).setZero();
  };
  if (!inertia.newton()) {  // what is exact but for its tolerance
    for (const Index body : part.s.groups.apart) forget_rows(body);
  }
  for (Index body = 0; body < part.s.groups.bodies.count(); ++body) {
    if (!is_solved(part, body)) forget_rows(body);
  }
  part.report.residual = std::max(part.report.residual, norm(missing));
  // Equilibrium owes nothing to the step before, and the papers know of nothing that is left over.
  if (inertia.is_static() || part.options.contact.as_published) return;
  for (Index row = 0; row < elastic_rows(part); ++row) {
    block(part.state.left_over, part.model.plan.vertex_of_block[row]) = block(missing, row);
  }
  set_left_over(rigid_blocks(part), missing, part.s.rigid);
}

// Of the pairs in contact: whatever plane a contact has, nothing overlaps. Infinite where there are none.
double smallest_distance(const ContactSet& contacts, const VecX& x) {
  double smallest = std::numeric_limits<double>::infinity();
  for (const Contact& contact : contacts.contacts) {
    if (!is_limit(contact)) smallest = std::min(smallest, distance(contact, x));
  }
  return smallest;
}

// Objects of the part that step by implicit Euler although the scheme is of second order.
Index count_first_order(const Part& part) {
  if (part.options.time.scheme != TimeScheme::generalized_alpha) return 0;
  Index count = 0;
  for (std::size_t i = 0; i < part.model.objects.size(); ++i)
    count += part.s.division.moves[i] != 0 && part.s.inertia.second[i] == 0 ? 1 : 0;
  return count;
}

void commit(Part& part) {
  keep_what_is_left_over(part);
  update_contacts(part.model.surface, part.state.x, part.s.x1, part.options.contact.upkeep, part.state.contacts);
  part.min_gap = smallest_distance(part.state.contacts, part.s.x1);
  part.report.constraint_error = std::max(part.report.constraint_error, part.constraint_error);
  part.report.by_its_rule += part.by_its_rule;
  const State start = part.s.inertia.newton() ? part.state : State{};
  part.state.x = part.s.x1;  // the very positions that were checked
  part.state.v = part.s.motion;
  for (std::size_t i = 0; i < part.s.rigid.size(); ++i) {
    if (is_solved(part, part.model.rigid[i])) part.state.rigid[i] = part.s.rigid[i].end;
  }
  part.report.first_order = count_first_order(part);
  finish(part.model, part.s.inertia, {start, part.s.guides, part.s.motion, part.dt, part.s.division}, part.state);
  for (std::size_t i = 0; i < part.s.rigid.size(); ++i) {
    if (is_solved(part, part.model.rigid[i]))
      set_velocities(part.model.rigid[i], part.state.rigid[i], part.state.x, part.state.v);
  }
  part.state.time += part.dt;
  keep_for_next_step(part.state.x, part.options.contact.upkeep, part.options.contact.hold_position,
                     part.state.contacts);
}

std::string out_of_balance(const Part& part) {
  const Scratch& s = part.s;
  const Index object = s.settling.object_of_body[s.newton.unbalanced.front()];
  return "the elastic forces of \"" + part.model.objects[object].name + "\" were not in balance after " +
         std::to_string(part.options.contact.most_rounds) + " Newton steps" +
         (s.inertia.is_static() ? ": is it held, by contacts or by `boundary`, against what pulls it?" : "");
}

}  // namespace

Push push(const Part& part) {
  return {part.model.gravity.norm(), part.s.drive, part.s.settling.body_of_vertex};
}

void tell(Verdict& verdict, StepStatus status, const std::string& reason) {
  if (verdict.status == StepStatus::converged) verdict = {status, reason};
}

void advance(Part& part) {
  if (!integrate(part)) return;
  detect(part);
  for (Index round = 0; round < part.options.contact.most_rounds; ++round) {
    solve(part, round == 0);
    if (part.options.contact.stop.asked()) return give_up(part, StepStatus::interrupted, "interrupted");
    look_for_collisions(part);
    rebalance(part);
    if (part.s.newton.unbalanced.empty()) fail_where_elements_turn_inside_out(part);
    fail_where_half_spaces_end(part);
    if (part.hopeless || !part.s.division.met.empty()) return;
    if (!relinearise(part)) return commit(part);
    ++part.report.relinearizations;
    if (!part.s.trace.empty()) part.s.trace.back().mark = TraceMark::relinearised;
  }
  if (part.s.newton.unbalanced.empty() || !part.s.hits.empty()) {
    fail(part, restless_objects(part.s.settling), StepStatus::collision,
         out_of_rounds({situation(part), part.options.contact, part.s.hits, part.kept}));
  } else {
    fail(part, restless_objects(part.s.settling), StepStatus::iteration_limit, out_of_balance(part));
  }
  keep_solved(part.s.division, part.model.surface, part.state.contacts.contacts);
  commit(part);
}

}  // namespace sim
