#include "step/islands.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <variant>

#include "contact/even_forces.hpp"
#include "contact/residual.hpp"
#include "contact/self_stress.hpp"
#include "step/geometric_stiffness.hpp"
#include "step/held_bodies.hpp"

namespace sim {

namespace {

constexpr double closer = 0.1;         // than a solve starts: how near it comes to a body at rest
constexpr double coarsest_part = 0.5;  // of the tolerance, where nothing is

// Bodies at rest start within the tolerance, and would keep for ever what motion it allows them. So the first solve
// of a step comes nearer to balance by `closer` than it starts, down to `closest` of the tolerance. The same for the
// gaps and slips of rigid bodies: what a row misses moves the whole body, and it has no inside that would damp it.
ContactTolerance nearer(const ContactTolerance& tolerance, bool with_rigid, const ContactResidual& start) {
  constexpr double closest_momentum = 1e-3;
  const auto target = [](double residual, double closest, double& wanted) {
    wanted = std::clamp(closer * residual, closest * wanted, wanted);
  };
  ContactTolerance result = tolerance;
  target(start.momentum, closest_momentum, result.momentum);
  if (with_rigid) target(start.constraint(), finest_part, result.constraint);
  return result;
}

// What pushes slides: nothing is held, or can be braced.
bool all_slides(const ContactProblem& problem, double tolerance, const ContactSolution& solution) {
  VecX slips;
  slip(problem, solution.v, slips);
  bool any = false;
  for (Index i = 0; i < problem.contacts(); ++i) {
    if (!(solution.lambda[i] > 0)) continue;
    if (!(slips.segment<2>(3 * i + 1).norm() > tolerance)) return false;
    any = true;
  }
  return any;
}

// The same for gaps and slips, of methods that come nearer by themselves: far from rest, at an impact say or where
// all slides, half of the tolerance. For them it ends at that, and it is nothing that they begin for.
double finer_part(const ContactTolerance& tolerance, const ContactResidual& start) {
  return std::clamp(closer * start.constraint() / tolerance.constraint, finest_part, coarsest_part);
}

// What slides ends with even forces. Conjugate residuals keep to them on their way, but as the contacts were that
// were closed there: what has come as near at its end shares, too. Where that changes friction, a few iterations
// bring the motion that follows, of conjugate residuals after the exact method, which would share anew by what it
// goes through. What these do not solve stays as it was.
SolveReport end_evenly(Part& part, const ContactProblem& problem, const ContactTolerance& tolerance,
                       const SolveReport& report, ContactSolution& solution) {
  const ContactOptions& options = part.options.contact;
  if (options.as_published || report.status != SolveStatus::converged) return report;
  const ContactSolution solved = solution;
  if (!share_evenly(problem, tolerance.constraint, solution)) return report;
  SolveReport even = report;
  even.residual = even.cone_residual = contact_residual(problem, solution);
  if (within(even.residual, tolerance)) return even;
  const Method method = comes_nearer(options.method) ? Method{CrOptions{}} : options.method;
  even = solve(problem, {tolerance, AutoOptions{}.few, method, options.stop}, part.s.solver, solution);
  if (even.status != SolveStatus::converged) {
    solution = solved;
    even.status = report.status;
    even.reason = report.reason;
    even.residual = report.residual;
    even.cone_residual = report.cone_residual;
  }
  even.by_exact = report.by_exact;
  return one_after_the_other(report, even);
}

// Nearer is aimed at, not asked for: rows may contradict each other by less than the tolerance, and a target must not
// cost more than the step.
SolveReport solve_contacts(Part& part, bool first, const ContactTolerance& tolerance, ContactGroup& group) {
  const ContactProblem& problem = group.problem;
  ContactSolution& solution = group.solution;
  constexpr Index most_for_a_target = 1000;
  const ContactOptions& options = part.options.contact;
  const Index most = options.max_iterations;
  Method method = options.method;
  const auto solve_to = [&](const Precision& asked, Index most_iterations) {
    const SolveReport report =
        solve(problem, {asked.tolerance, most_iterations, method, options.stop, asked.target, asked.finer},
              part.s.solver, solution, part.options.trace ? &part.s.trace : nullptr);
    const SolveReport even = end_evenly(part, problem, asked.tolerance, report, solution);
    if (!options.as_published) relieve(problem, solution);
    return even;
  };
  const Precision enough{tolerance, tolerance};
  if (!options.as_published) {
    share_evenly(problem, tolerance.constraint, solution);
    relieve(problem, solution);
  }
  const bool with_rigid = group.rows.back() >= elastic_rows(part);
  const bool asks_for_more = comes_nearer(method) || (first && (with_rigid || asks_for_more_of_elastic(method)));
  if (options.as_published || !asks_for_more) return solve_to(enough, most);
  const ContactResidual start = contact_residual(problem, solution);
  const ContactTolerance wanted = first ? nearer(tolerance, with_rigid, start) : tolerance;
  const bool slides = all_slides(problem, tolerance.constraint, solution);
  // The exact method's forces are even by chance only: it is not asked for what is aimed at.
  if (auto* automatic = std::get_if<AutoOptions>(&method); automatic && slides && with_rigid)
    automatic->for_a_target = 0;
  if (comes_nearer(options.method))
    return solve_to({tolerance, wanted, slides ? coarsest_part : finer_part(tolerance, start)}, most);
  if (wanted.momentum == tolerance.momentum && wanted.constraint == tolerance.constraint)
    return solve_to(enough, most);
  SolveReport close = solve_to({wanted, wanted}, std::min(most, most_for_a_target));
  if (within(close.residual, tolerance)) {
    close.status = SolveStatus::converged;
    return close;
  }
  return one_after_the_other(close, solve_to(enough, most));
}

template <class Status>  // of a linear solve, or of one with contacts
StepStatus status_of(Status status) {
  return status == Status::breakdown ? StepStatus::breakdown : StepStatus::iteration_limit;
}

// Nearer to a solution than it began: what a method has thrown off is nothing to go on with.
bool came_nearer(const ContactProblem& problem, const ContactTolerance& tolerance, const ContactSolution& start,
                 const ContactSolution& end) {
  const auto off = [&](const ContactSolution& one) {
    const ContactResidual residual = contact_residual(problem, one);
    return in_tolerances(residual.momentum, residual.constraint(), tolerance);
  };
  return off(end) <= off(start);
}

// Of bodies: without a solution of what they are in. Where that is accepted it is told, else they fail.
void end_unsolved(Part& part, std::span<const Index> bodies, StepStatus status, const std::string& reason,
                  bool acceptable) {
  if (acceptable) return tell(part.accepted, status, reason);
  std::vector<Index> objects;
  for (const Index body : bodies) objects.push_back(part.s.settling.object_of_body[body]);
  fail(part, objects, status, reason);
}

// Of what contacts touch; those that were found before while A is the same. The little mass of quasi-static steps
// would have their forces as exact as its weight asks.
void find_held_bodies(Part& part) {
  Scratch& s = part.s;
  constexpr double unbounded = std::numeric_limits<double>::infinity();
  std::vector<HeldBody> before = std::exchange(s.problem.held, {});
  if (std::exchange(s.held_version, s.groups.version) != s.groups.version) before.clear();
  for (Index body = 0; body < s.groups.bodies.count(); ++body) {
    if (s.turning.hold[body] != Hold::prescribed || s.groups.group_of[body] < 0) continue;
    const HeldBody* same = find_held(before, body);
    s.problem.held.push_back(
        same ? *same
             : held_body({part.model, s.guides, s.problem.A, part.state.x, s.inertia.is_static() ? 1 : unbounded},
                         body, s.groups.bodies.rows_of(body)));
  }
  if (s.problem.held.empty()) return;
  s.problem.place.setZero(s.problem.b.size());
  for (Index row = 0; row < static_cast<Index>(part.model.plan.vertex_of_block.size()); ++row)
    block(s.problem.place, row) = block(part.state.x, part.model.plan.vertex_of_block[row]);
}

// m/s, rows of A: of all bodies that are held, as those that nothing touches yet may come to touch in this step.
// Empty where all that holds them stood.
VecX carried_along(const Part& part) {
  const Scratch& s = part.s;
  const CarriedInput input{part.model, s.guides, part.state.x, part.state.v, s.turning.holders};
  if (std::ranges::find(s.turning.hold, Hold::prescribed) == s.turning.hold.end()) return {};
  VecX carried = VecX::Zero(s.problem.b.size());
  bool any = false;
  for (Index body = 0; body < s.groups.bodies.count(); ++body) {
    if (s.turning.hold[body] != Hold::prescribed) continue;
    any = carry_along(input, body, s.groups.bodies.rows_of(body), carried) || any;
  }
  return any ? carried : VecX();
}

// What may be missed: nothing but eps1 and eps2 where the method is to run as published.
void choose_units(Part& part, bool first) {
  Scratch& s = part.s;
  const ContactOptions& options = part.options.contact;
  find_held_bodies(part);
  compliance(s.problem, s.inverse_diagonal, s.compliance);
  if (options.as_published) {
    s.units = {};
    s.gap_tolerance.assign(part.state.contacts.contacts.size(), 0);
    for (std::size_t i = 0; i < s.gap_tolerance.size(); ++i)
      s.gap_tolerance[i] = part.state.contacts.contacts[i].eps2;
    return;
  }
  if (first) {
    reaction(s.solution, s.forces);
    due_changes({part.model, s.problem, s.inverse_diagonal, s.groups.bodies, s.solution.v, s.forces, s.body_mass,
                 s.inertia.newton() ? std::span<const double>(s.inertia.mass) : std::span<const double>(),
                 carried_along(part)},
                s.due);
  }
  const bool is_static = s.inertia.is_static();
  if (is_static) find_pressing(part.model, s.problem, s.inverse_diagonal, s.compliance, s.solution, s.pressing);
  find_units({part.model, options, part.state.contacts.contacts, part.state.x, s.start_motion, s.problem,
              s.compliance, s.inverse_diagonal, s.body_mass, s.due, push(part),
              part.options.detection.separation_part, part.dt, is_static ? &s.pressing : nullptr},
             s.groups, s.units);
  if (is_static) {
    for (std::size_t body = 0; body < s.units.momentum.size(); ++body) {
      if (s.newton.solved_again[body] != 0) s.units.momentum[body] *= part_of_solves_again;
    }
  }
  s.gap_tolerance = s.units.gap;
}

ContactTolerance tolerance_of(const Part& part, const ContactGroup& group) {
  return part.options.contact.as_published ? part.options.contact.tolerance : tolerance_in_units(group);
}

bool has_solved(const SolveReport& report) {
  return report.status == SolveStatus::converged || report.status == SolveStatus::interrupted ||
         report.status == SolveStatus::by_its_rule || report.status == SolveStatus::unsettled;
}

// Rows of a body that turns are linearised at the turn that is foreseen, and have the second order of that turn: a
// standstill would violate them by r (w dt)^2 / 2. True where a body of the island was to turn.
bool linearise_at_rest(Part& part, const ContactGroup& group) {
  Scratch& s = part.s;
  bool turned = false;
  for (std::size_t i = 0; i < s.linearised.size(); ++i) {
    const Index body = s.settling.body_of_vertex[part.model.rigid[i].vertices.begin];
    if (s.linearised[i].turn.isZero(0) || std::ranges::find(group.bodies, body) == group.bodies.end()) continue;
    s.linearised[i].turn.setZero();
    s.linearised[i].turned.setIdentity();
    turned = true;
  }
  return turned;
}

void make_rows(Part& part) {
  Scratch& s = part.s;
  make_rows(part.model, part.state.contacts, {part.state.x, s.prescribed, s.guides, rigid_blocks(part), s.linearised},
            s.similarity, s.problem);
  if (part.options.contact.as_published) s.problem.area.clear();  // the papers know of no even pressure
}

// Contacts that hook into each other may have no room for the gaps that they are to end with, and friction may hold
// what would have to slide, as in a groove that locks itself: then they end as near as they began, take back nothing,
// hold from the start on, and a standstill violates none of them. True where that asks for less.
bool ask_for_no_corrections(Part& part, const ContactGroup& group) {
  Scratch& s = part.s;
  ContactSet& set = part.state.contacts;
  const bool lowered = ask_for_no_corrections(group.contacts, part.state.x, set);
  if (!linearise_at_rest(part, group) && !lowered) return false;
  make_rows(part);
  for (const Index i : group.contacts) {
    s.units.gap[i] =
        std::min(s.units.gap[i], room_below_target(set.contacts[i], part.options.detection.separation_part));
    s.gap_tolerance[i] = s.units.gap[i];
  }
  return true;
}

struct Impulses {
  double all = 0;    // kg m/s: of every contact on each of its blocks
  double moves = 0;  // and what of them is left of every block's
};

Impulses impulses(const ContactProblem& problem, const ContactSolution& solution) {
  const BlockMatrix& L = problem.L;
  VecX r, sum = VecX::Zero(problem.b.size());
  reaction(solution, r);
  Impulses result;
  for (Index i = 0; i < problem.contacts(); ++i) {
    for (Index slot = L.row_begin[i]; slot < L.row_begin[i + 1]; ++slot) {
      const Vec3 impulse = L.at(slot).transpose() * block(r, i);
      block(sum, L.column[slot]) += impulse;
      result.all += impulse.norm();
    }
  }
  for (Index k = 0; k < sum.size() / 3; ++k) result.moves += block(sum, k).norm();
  return result;
}

// Of what has come to the forces of the contacts nine tenths and more move nothing: bodies are braced between them.
bool is_braced(const Impulses& before, const Impulses& after, double part) {
  return part * (after.all - before.all) > after.moves;
}

// Rigid bodies that are pressed against each other by forces most of which move nothing.
bool is_stressed(const Part& part, const ContactGroup& group) {
  if (part.options.contact.as_published || group.rows.front() < elastic_rows(part)) return false;
  if (!is_braced({}, impulses(group.problem, group.solution), 0.5)) return false;
  VecX r;
  reaction(group.solution, r);
  return is_self_stress(group.problem, r);
}

double norm_of_forces(const ContactSolution& solution) {
  VecX r;
  reaction(solution, r);
  return r.norm();
}

void start_without_forces(ContactSolution& solution) {
  std::fill(solution.lambda.begin(), solution.lambda.end(), 0.0);
  std::fill(solution.gamma.begin(), solution.gamma.end(), Vec2::Zero());
}

// First the bodies that nothing touches, then each group of the others. False where one of these was not solved.
bool solve_groups(Part& part, bool first) {
  Scratch& s = part.s;
  const bool factors = !part.options.contact.as_published;
  const CgReport flight = solve_apart(s.problem, part.options.linear, factors, s.flight, s.groups, s.solution.v);
  part.report.residual = std::max(part.report.residual, flight.residual);
  for (std::size_t i = 0; i < s.groups.to_solve.size(); ++i) {
    const CgReport& one = s.groups.apart_scratch.reports[i];
    if (one.status != CgStatus::converged && one.status != CgStatus::interrupted)
      end_unsolved(part, {&s.groups.to_solve[i], 1}, status_of(one.status),
                   describe(one) + unsolved_apart(situation(part), s.groups),
                   part.options.contact.accept_unconverged);
  }
  SolveReport all;
  bool all_solved = true;
  part.by_its_rule = 0;
  part.unsettled = false;
  for (ContactGroup& group : s.groups.groups) {
    if (group.settled) continue;
    take(s.problem, s.solution, s.groups, s.units, group);
    const ContactOptions& options = part.options.contact;
    const Impulses before = options.as_published ? Impulses{} : impulses(group.problem, group.solution);
    const ContactSolution start = options.accept_unconverged ? group.solution : ContactSolution{};
    SolveReport solved = solve_contacts(part, first, tolerance_of(part, group), group);
    const auto is_wedged = [&] {
      return !has_solved(solved) ||
             is_braced(before, impulses(group.problem, group.solution), gap_part * options.relative_momentum);
    };
    if (!options.as_published && is_wedged() && ask_for_no_corrections(part, group)) {
      const ContactSolution braced = group.solution;
      take(s.problem, s.solution, s.groups, s.units, group);
      const SolveReport again = solve_contacts(part, first, tolerance_of(part, group), group);
      const bool is_worse = has_solved(solved) && !has_solved(again);
      if (is_worse) group.solution = braced;
      solved = is_worse ? one_after_the_other(again, solved) : one_after_the_other(solved, again);
    }
    if (has_solved(solved) && is_stressed(part, group)) {
      const ContactSolution stressed = group.solution;
      start_without_forces(group.solution);
      const SolveReport again = solve_contacts(part, first, tolerance_of(part, group), group);
      const bool is_better = has_solved(again) && norm_of_forces(group.solution) < norm_of_forces(stressed);
      if (!is_better) group.solution = stressed;
      solved = is_better ? one_after_the_other(solved, again) : one_after_the_other(again, solved);
    }
    join(solved, all);
    part.unsettled = part.unsettled || solved.status == SolveStatus::unsettled;
    part.by_its_rule += solved.status == SolveStatus::by_its_rule ? 1 : 0;
    all_solved = all_solved && has_solved(solved);
    if (!has_solved(solved)) {
      end_unsolved(
          part, group.bodies, status_of(solved.status),
          solved.reason + unsolved_island(situation(part), options, group, solved.status),
          options.accept_unconverged && came_nearer(group.problem, tolerance_of(part, group), start, group.solution));
    }
    if (is_solved(part, group.bodies.front())) put_back(group, s.solution);
  }
  // All at a time, as it were: the longest counts.
  const bool with_flight = counts_free_flight(part.options.contact.method);
  part.report.iterations += with_flight ? std::max(flight.iterations, all.iterations) : all.iterations;
  part.report.resets += all.resets;
  part.report.evaluations += all.evaluations;
  part.report.products += std::max(flight.iterations, all.products);
  part.report.passes += all.passes;
  part.report.factorisations += all.factorisations;
  part.report.by_exact += all.by_exact;
  return all_solved;
}

// Of the solve that has just ended.
void keep_hardest(Part& part, Index iterations, bool solved) {
  Scratch& s = part.s;
  HardestSolve& hardest = s.hardest;
  if (!hardest.wanted || s.problem.contacts() == 0) return;
  ++hardest.solves;
  const bool more = hardest.solve == 0 || iterations > hardest.iterations;
  if (solved ? hardest.unsolved || !more : hardest.unsolved && !more) return;
  hardest = {.wanted = true,
             .problem = s.problem,
             .solution = s.solution,
             .forces = s.forces,
             .solve = hardest.solves,
             .solves = hardest.solves,
             .iterations = iterations,
             .unsolved = !solved};
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

}  // namespace

void forget(HardestSolve& hardest) {
  hardest = {.wanted = hardest.wanted};
}

void solve(Part& part, bool first) {
  Scratch& s = part.s;
  linearise_arcs(part);
  make_rows(part);
  load(part.state.contacts, s.solution);
  find_groups(s.problem.L, part.options.contact.together, s.groups);
  leave_out_others(part);
  add_geometric_stiffness(part);
  choose_units(part, first);
  const Index before = part.report.iterations;
  const bool solved = solve_groups(part, first);
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
    add_transverse_forces(part);
  }
  keep_hardest(part, part.report.iterations - before, solved);
  remove_geometric_stiffness(part);
  part.report.t_solve += part.watch.lap();
}

}  // namespace sim
