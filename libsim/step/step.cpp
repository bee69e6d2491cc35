#include "step/step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "contact/residual.hpp"
#include "elasticity/volumes.hpp"
#include "math/parallel.hpp"
#include "math/stopwatch.hpp"
#include "step/explain.hpp"

namespace sim {

namespace {

// What the stages of a step work on.
struct Step {
  const Model& model;
  const Options& options;
  double dt;     // s, of this part of the step
  State& state;  // `next` of the scratch
  Scratch& s;
  StepReport& report;
  StepStatus status = StepStatus::converged;  // of the last solve, or why the part ended
  std::string reason;
  UpkeepReport kept{};  // of the last round
  Stopwatch watch;

  bool has_contacts() const { return !state.contacts.contacts.empty(); }
  RigidBlocks rigid_blocks() const { return model.rigid_blocks(dt); }
  Index elastic_rows() const { return static_cast<Index>(model.plan.vertex_of_block.size()); }
  Situation situation() const { return {model, state.contacts.contacts, state.x, s.start_motion, dt}; }
  AimRule aim_rule() const { return {options.contact, model.gravity, s.start_motion, dt}; }
};

void fail(Step& step, StepStatus status, const std::string& reason) {
  step.status = status;
  step.reason = reason;
}

// A and b of the step, and the free flight of the unknowns as a first guess of their velocities. False where vertices
// are told to move to where there is nothing.
bool integrate(Step& step) {
  const Model& model = step.model;
  Scratch& s = step.s;
  if (s.problem.A.rows() != model.plan.pattern.rows() || s.told.size() != step.state.v.size()) {
    s.problem.A = model.plan.pattern;
    find_bodies(s.problem.A, s.groups);
    body_masses(model, s.groups.bodies, s.body_mass);
    s.problem.body = s.groups.bodies.of_row;
    prepare(model, s.groups.bodies, s.settling);
    s.problem.b.resize(3 * Eigen::Index{s.problem.A.rows()});
    s.solution.v.resize(s.problem.b.size());
    s.told.setZero(step.state.v.size());
  }
  told_velocities(model, step.state, step.dt, s.told);
  if (const Index object = first_non_finite(model, s.told); object >= 0) {
    fail(step, StepStatus::breakdown,
         "vertices of \"" + model.objects[object].name + "\" are told to move to places that are not finite numbers");
    return false;
  }
  const StepInput input{step.state.x, step.state.v, s.told, model.gravity, step.dt};
  assemble(model.elastic, model.plan, input, s.elements, s.problem.A, s.problem.b);
  for (Index row = 0; row < step.elastic_rows(); ++row) {
    const Index vertex = model.plan.vertex_of_block[row];
    block(s.problem.b, row) += block(step.state.left_over, vertex);
    block(s.solution.v, row) = block(step.state.v, vertex) + step.dt * model.gravity;
  }
  integrate(step.rigid_blocks(), step.state.rigid, model.gravity, s.rigid, s.problem.A, s.problem.b, s.solution.v);
  s.flight = s.solution.v;
  forget(s.problem.A, s.groups);
  begin(s.groups.bodies, s.settling);
  std::fill(s.units.momentum.begin(), s.units.momentum.end(), 0.0);
  s.problem.version = s.groups.version;
  s.problem.mobility = s.groups.mobility;
  inverse_diagonal(s.problem, s.inverse_diagonal);
  step.report.t_integrate += step.watch.lap();
  return true;
}

// Velocities of all vertices at the start of the step, prescribed ones as they will move.
void begin_motion(Step& step, VecX& v) {
  v = step.state.v;
  for (const ToldVertices& told : step.model.told) {
    for (const Index i : told.vertices) block(v, i) = block(step.s.told, i);
  }
}

// Velocities of all vertices: those told, and the unknowns as they stand; of rigid ones along the chords of their
// arcs.
void spread(Step& step) {
  Scratch& s = step.s;
  s.motion = s.start_motion;
  for (Index row = 0; row < step.elastic_rows(); ++row) {
    block(s.motion, step.model.plan.vertex_of_block[row]) = block(s.solution.v, row);
  }
  s.x1 = step.state.x + step.dt * s.motion;
  move(step.rigid_blocks(), step.state.rigid, s.solution.v, s.rigid);
  for (std::size_t i = 0; i < s.rigid.size(); ++i) {
    const RigidBody& body = step.model.rigid[i];
    place(body, s.rigid[i].end, step.model.mesh.vertices, s.x1);
    for (Index vertex = body.vertices.begin; vertex < body.vertices.end; ++vertex)
      block(s.motion, vertex) = (block(s.x1, vertex) - block(step.state.x, vertex)) / step.dt;
  }
}

// The pairs that may meet during the step, if it goes about as foreseen, and the contacts of before.
void detect(Step& step) {
  Scratch& s = step.s;
  begin_motion(step, s.start_motion);
  if (!step.options.detect_collisions) return;
  spread(step);
  find_candidates(step.model.surface, {step.state.x, s.motion, step.dt}, step.options.detection, s.detection,
                  s.candidates);
  begin_step(step.model.surface, step.state.contacts, step.state.x);
  set_aims(step.aim_rule(), step.state.contacts);
  // Contacts hold the bodies: last step's velocity is the better guess. Bodies apart begin with their free flight.
  for (Index row = 0; row < step.elastic_rows(); ++row) {
    block(s.solution.v, row) = block(step.state.v, step.model.plan.vertex_of_block[row]);
  }
  set_last_velocities(step.rigid_blocks(), step.state.rigid, s.rigid, s.solution.v);
  ++step.report.detection_rounds;
  step.report.t_detect += step.watch.lap();
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
SolveReport solve_contacts(Step& step, bool first, const ContactTolerance& tolerance, ContactGroup& group) {
  const ContactProblem& problem = group.problem;
  ContactSolution& solution = group.solution;
  constexpr Index most_for_a_wish = 1000;
  const Index most = step.options.contact.max_iterations;
  const auto solve_to = [&](const ContactTolerance& wanted, Index most_iterations) {
    return solve(problem, {wanted, most_iterations, step.options.contact.method, step.options.contact.stop},
                 step.s.solver, solution, step.options.trace ? &step.s.trace : nullptr);
  };
  if (!first) return solve_to(tolerance, most);
  const bool with_rigid = group.rows.back() >= step.elastic_rows();
  const ContactTolerance wanted = nearer(tolerance, with_rigid, contact_residual(problem, solution));
  if (wanted.momentum == tolerance.momentum && wanted.constraint == tolerance.constraint)
    return solve_to(tolerance, most);
  SolveReport wish = solve_to(wanted, std::min(most, most_for_a_wish));
  if (within(wish.residual, tolerance)) {
    wish.status = SolveStatus::converged;
    return wish;
  }
  SolveReport report = solve_to(tolerance, most);
  report.iterations += wish.iterations;
  report.resets += wish.resets;
  report.evaluations += wish.evaluations;
  return report;
}

void end_with(Step& step, const CgReport& cg) {
  step.report.iterations += cg.iterations;
  step.report.residual = cg.residual;
  step.report.constraint_error = 0;
  if (cg.status == CgStatus::converged) return;
  fail(step, cg.status == CgStatus::breakdown ? StepStatus::breakdown : StepStatus::iteration_limit, describe(cg));
}

void end_with(Step& step, const SolveReport& solved) {
  step.report.iterations += solved.iterations;
  step.report.resets += solved.resets;
  step.report.evaluations += solved.evaluations;
  step.report.by_exact += solved.by_exact;
  if (solved.status == SolveStatus::converged) return;
  fail(step, solved.status == SolveStatus::breakdown ? StepStatus::breakdown : StepStatus::iteration_limit,
       solved.reason);
}

// What may be missed: nothing but eps1 and eps2 where the method is to run as published.
void choose_units(Step& step, bool first) {
  Scratch& s = step.s;
  const ContactOptions& options = step.options.contact;
  compliance(s.problem, s.inverse_diagonal, s.compliance);
  if (options.as_published) {
    s.units = {};
    s.gap_tolerance.assign(step.state.contacts.contacts.size(), 0);
    for (std::size_t i = 0; i < s.gap_tolerance.size(); ++i)
      s.gap_tolerance[i] = solver_part * step.state.contacts.contacts[i].eps2;
    return;
  }
  if (first) {
    reaction(s.solution, s.forces);
    due_changes(step.model, s.problem, s.groups.bodies, s.solution.v, s.forces, s.body_mass, s.due);
  }
  find_units({step.model, options, step.state.contacts.contacts, s.start_motion, s.problem, s.compliance, s.body_mass,
              s.due, step.options.detection.separation_part, step.dt},
             s.groups, s.units);
  s.gap_tolerance = s.units.gap;
}

ContactTolerance tolerance_of(const Step& step, const ContactGroup& group) {
  ContactTolerance as_published = step.options.contact.tolerance;
  as_published.constraint *= solver_part;
  return step.options.contact.as_published ? as_published : tolerance_in_units(group);
}

// First the bodies that nothing touches, then each group of the others.
void solve_groups(Step& step, bool first) {
  Scratch& s = step.s;
  const CgReport flight = solve_apart(s.problem, step.options.linear, s.flight, s.groups, s.solution.v);
  end_with(step, flight);
  if (flight.status != CgStatus::converged) step.reason += unsolved_apart(step.situation(), s.groups);
  SolveReport all;
  for (ContactGroup& group : s.groups.groups) {
    if (group.settled) continue;
    take(s.problem, s.solution, s.groups, s.units, group);
    SolveReport one = solve_contacts(step, first, tolerance_of(step, group), group);
    if (one.status != SolveStatus::converged && one.status != SolveStatus::interrupted)
      one.reason += unsolved_island(step.situation(), step.options.contact, group, one.status);
    join(one, all);
    put_back(group, s.solution);
  }
  end_with(step, all);
  // All at a time, as it were: the longest counts.
  step.report.iterations -= std::min(flight.iterations, all.iterations);
}

void solve(Step& step, bool first) {
  Scratch& s = step.s;
  move(step.rigid_blocks(), step.state.rigid, s.solution.v, s.rigid);
  make_rows(step.model, step.state.contacts, {step.state.x, s.told, step.rigid_blocks(), s.rigid},
            step.options.contact.hold_position, s.similarity, s.problem);
  load(step.state.contacts, s.solution);
  find_groups(s.problem.L, step.options.contact.together, s.groups);
  choose_units(step, first);
  solve_groups(step, first);
  if (step.has_contacts()) {
    slip(s.problem, s.solution.v, s.slips);
    exact_forces(s.problem, s.slips, s.compliance.k, has_exact_cone(step.options.contact.method), s.gap_tolerance,
                 s.solution, s.forces);
    step.report.constraint_error =
        conditions_residual(s.problem.mu, s.compliance.k, s.slips, s.solution).constraint();
    store(s.solution, s.slips, s.forces, s.gap_tolerance, step.state.contacts);
  }
  step.report.t_solve += step.watch.lap();
}

// Where the solved motion leads, and through which pairs. Those that were not foreseen are looked up first. False
// where it leads to places that are not finite numbers.
bool look_for_collisions(Step& step) {
  Scratch& s = step.s;
  spread(step);
  s.hits.clear();
  if (!step.options.detect_collisions) return true;
  find_escaped(step.model.surface, s.x1, s.detection, s.escaped);
  if (!s.escaped.empty()) {
    look_up_again(step.model.surface, s.escaped, step.state.x, s.x1, step.options.detection, s.detection,
                  s.candidates, s.added);
    ++step.report.detection_rounds;
    find_escaped(step.model.surface, s.x1, s.detection, s.escaped);
  }
  if (!s.escaped.empty()) {
    fail(step, StepStatus::breakdown,
         "the motion takes vertices of \"" +
             step.model.objects[step.model.surface.vertex_object[s.escaped.front()]].name +
             "\" to places that are not finite numbers");
    return false;
  }
  step.report.candidates = s.candidates.size();
  check_candidates(step.model.surface, s.candidates, step.state.x, s.x1, step.options.detection, s.check, s.hits,
                   s.settling.known_free);
  step.report.t_detect += step.watch.lap();
  return true;
}

// No element has a way through zero volume: a step that leads one through is too long for its linearisation. As part
// of the shortest kind it is taken all the same, and told.
bool turns_elements_inside_out(Step& step) {
  if (step.report.substeps >= Index{1} << step.options.contact.most_halvings) return false;
  const std::vector<Index> turned = turned_inside_out(step.model.elastic, step.state.x, step.s.x1);
  if (turned.empty()) return false;
  fail(step, StepStatus::breakdown, turned_elements(step.situation(), turned));
  return true;
}

// New contacts where the motion collides, and those of islands that are not settled as they are at its end. True
// where that changes a problem: it must be solved again.
bool relinearise(Step& step) {
  Scratch& s = step.s;
  const ContactOptions& options = step.options.contact;
  ContactSet& contacts = step.state.contacts;
  s.solving = contacts.contacts;
  s.updated.left = std::move(contacts.left);
  s.updated.contacts.clear();
  for (const Contact& contact : contacts.contacts) {
    if (is_restless(s.settling, contact.vertices)) s.updated.contacts.push_back(contact);
  }
  step.kept = update_contacts(step.model.surface, step.state.x, s.x1, options.upkeep, s.updated);
  contacts.left = std::move(s.updated.left);
  const bool again = settle(step.model.surface, s.hits, step.kept.restless, s.groups, s.settling, s.updated.contacts,
                            contacts.contacts);
  keep_off(step.model.surface, s.hits, step.aim_rule(), step.state.x, s.x1, contacts);
  add_contacts(step.model.surface, s.hits, step.state.x, s.x1, contacts);
  set_aim_of_new_contacts(step.aim_rule(), contacts);
  step.report.t_relinearize += step.watch.lap();
  return again;
}

// Only where there are contacts: the other solve is exact but for its tolerance.
void keep_what_is_left_over(Step& step) {
  step.state.left_over.setZero();
  if (!step.has_contacts()) return;
  VecX& missing = step.s.missing;
  momentum_residual(step.s.problem, step.s.solution.v, step.s.forces, missing);
  for (const Index body : step.s.groups.apart) {
    for (const Index row : step.s.groups.bodies.rows_of(body)) block(missing, row).setZero();
  }
  step.report.residual = norm(missing);
  for (Index row = 0; row < step.elastic_rows(); ++row) {
    block(step.state.left_over, step.model.plan.vertex_of_block[row]) = block(missing, row);
  }
  set_left_over(step.rigid_blocks(), missing, step.s.rigid);
}

// Of the pairs in contact: whatever plane a contact has, nothing overlaps.
double smallest_distance(const ContactSet& contacts, const VecX& x) {
  double smallest = std::numeric_limits<double>::infinity();
  for (const Contact& contact : contacts.contacts) smallest = std::min(smallest, distance(contact, x));
  return std::isfinite(smallest) ? smallest : no_gap;
}

void commit(Step& step) {
  keep_what_is_left_over(step);
  update_contacts(step.model.surface, step.state.x, step.s.x1, step.options.contact.upkeep, step.state.contacts);
  step.report.min_gap = smallest_distance(step.state.contacts, step.s.x1);
  step.state.x = step.s.x1;  // the very positions that were checked
  step.state.v = step.s.motion;
  for (std::size_t i = 0; i < step.s.rigid.size(); ++i) {
    step.state.rigid[i] = step.s.rigid[i].end;
    set_velocities(step.model.rigid[i], step.state.rigid[i], step.state.x, step.state.v);
  }
  step.state.time += step.dt;
  keep_for_next_step(step.state.x, step.options.contact.upkeep, step.state.contacts);
}

// One part of a step, all of it in the best case: Algorithm 1. False where the state has not been advanced.
bool advance(Step& step) {
  if (!integrate(step)) return false;
  detect(step);
  for (Index round = 0; round < step.options.contact.most_rounds; ++round) {
    step.status = StepStatus::converged;
    solve(step, round == 0);
    if (step.options.contact.stop.asked()) {
      fail(step, StepStatus::interrupted, "interrupted");
      return false;
    }
    if (step.status != StepStatus::converged && !step.options.contact.accept_unconverged) return false;
    if (!look_for_collisions(step) || turns_elements_inside_out(step)) return false;
    if (!relinearise(step)) {
      commit(step);
      return true;
    }
    ++step.report.relinearizations;
    if (!step.s.trace.empty()) step.s.trace.back().mark = TraceMark::relinearised;
  }
  fail(step, StepStatus::collision, out_of_rounds({step.situation(), step.options.contact, step.s.hits, step.kept}));
  return false;
}

void count(const std::vector<Contact>& contacts, StepReport& report) {
  report.contacts = static_cast<Index>(contacts.size());
  report.active = report.sticking = report.sliding = 0;
  for (const Contact& contact : contacts) {
    report.sticking += contact.state == FrictionState::sticking ? 1 : 0;
    report.sliding += contact.state == FrictionState::sliding ? 1 : 0;
  }
  report.active = report.sticking + report.sliding;
}

}  // namespace

StepReport step(const Model& model, const Options& options, State& state, Scratch& scratch) {
  StepReport report;
  report.step = state.step + 1;
  report.time = static_cast<double>(report.step) * options.dt;
  report.dt = options.dt;
  Stopwatch total;
  scratch.trace.clear();
  scratch.next = state;
  Ledger ledger;

  bool moved = true;
  for (Index done = 0; moved && done < report.substeps;) {
    scratch.start = scratch.next;
    Step part{model, options, options.dt / report.substeps, scratch.next, scratch, report};
    moved = advance(part);
    if (moved) {
      ++done;
      add({model, scratch.start, scratch.next, part.dt, scratch.elements, scratch.solving, scratch.forces,
           scratch.rigid},
          ledger);
    }
    if (part.status != StepStatus::converged) {
      report.status = part.status;
      report.reason = part.reason;
    }
    if (!moved && part.status != StepStatus::interrupted &&
        report.substeps < Index{1} << options.contact.most_halvings) {
      moved = true;
      scratch.next = scratch.start;
      report.substeps *= 2;
      done *= 2;
      report.status = StepStatus::converged;
    }
  }
  report.accepted = moved;
  if (moved) {
    record(model, state, scratch.next, ledger, scratch.energy, report);
    std::swap(state, scratch.next);
    std::swap(scratch.solved, scratch.solving);
    keep_for_records(state.x, scratch.solved);
    ++state.step;
    state.time = static_cast<double>(state.step) * options.dt;
    count(scratch.solved, report);
  }
  if (report.contacts == 0) report.min_gap = no_gap;
  report.t_total = total.lap();
  return report;
}

const char* to_string(StepStatus status) {
  switch (status) {
    case StepStatus::converged:
      return "converged";
    case StepStatus::iteration_limit:
      return "iteration limit";
    case StepStatus::breakdown:
      return "breakdown";
    case StepStatus::collision:
      return "collision";
    case StepStatus::interrupted:
      return "interrupted";
  }
  return "unknown";
}

}  // namespace sim
