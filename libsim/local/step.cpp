#include "local/step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "collide/limits.hpp"
#include "local/account.hpp"
#include "local/integrate.hpp"
#include "local/passes.hpp"
#include "local/published.hpp"
#include "local/records.hpp"
#include "math/number_text.hpp"
#include "model/contact_counts.hpp"

namespace sim {

namespace {

constexpr int most_refinements = 3;  // of a step that gains energy: each has twice as many parts

// A step on its way, in ticks: the shortest parts that there may be.
struct Clock {
  std::int64_t ticks, whole;  // of the step, of a part that is not halved
};

struct LocalStep {
  const Model& model;
  const Options& options;
  LocalScratch& s;
  StepReport& report;
  double begin;  // s
  Index parts = 0;
};

double time_at(const LocalStep& step, std::int64_t tick, const Clock& clock) {
  if (tick == clock.ticks) return static_cast<double>(step.report.step) * step.options.dt;
  return step.begin + step.options.dt * (static_cast<double>(tick) / static_cast<double>(clock.ticks));
}

// One part; false where it is to be halved, or has failed.
bool take(LocalPart& part) {
  part.s.start = part.state;
  fly(part);
  if (part.failed()) return false;
  if (part.options.contact.as_published) {
    respond_as_published(part);
  } else if (!respond(part)) {
    return false;
  }
  finish(part);
  if (!part.state.v.allFinite()) fail(part, StepStatus::breakdown, "the motion is not of finite numbers any more");
  if (part.failed()) return false;
  note_forces(part);
  account_for(part, part.s.ledger);
  add_to_records(part, part.s.solving);
  keep_contacts(part);
  if (!part.is_implicit()) std::swap(part.s.before, part.s.after);
  return true;
}

Verdict take_parts(LocalStep& step, Index count) {
  const std::int64_t halvings = step.options.contact.most_halvings, whole = std::int64_t{1} << halvings;
  const Clock clock{count * whole, whole};
  step.parts = 0;
  std::int64_t length = whole;
  for (std::int64_t tick = 0; tick < clock.ticks;) {
    if (step.options.contact.stop.asked()) return {StepStatus::interrupted, "interrupted"};
    const double dt = step.options.dt * (static_cast<double>(length) / static_cast<double>(clock.ticks));
    LocalPart part{step.model,  step.options, dt,         time_at(step, tick + length, clock),
                   step.s.next, step.s,       step.report};
    if (!take(part)) {
      if (part.failed()) return {part.status, part.reason};
      if (length == 1) return {StepStatus::collision, out_of_passes(part)};
      std::swap(step.s.next, step.s.start);
      length /= 2;
      continue;
    }
    tick += length;
    ++step.parts;
    while (length < whole && tick % (2 * length) == 0) length *= 2;
  }
  return {};
}

// J: what bodies have gained that nothing gave them.
double gained(const StepReport& report) {
  return -report.dissipation_scheme - report.dissipation_friction - report.dissipation_damping +
         report.work_correction;
}

// Explicit schemes do that where a step is too long for a stiffness that they did not foresee. What moves by less
// than the tolerance of gaps in a step may be rounding.
bool has_blown_up(const Model& model, const Options& options, const StepReport& report) {
  constexpr double grown_by_half = 1.0 / 3;  // of what there is then
  const double in_play = report.kinetic_energy + report.elastic_energy;
  const double gap = options.contact.tolerance.constraint, slow = gap / options.dt;
  const double small = model.elastic.mass.sum() * (model.gravity.norm() * gap + slow * slow);
  const double given = std::abs(report.work_prescribed) + std::abs(report.work_loads);
  return !(gained(report) <= grown_by_half * in_play + small + given);
}

void commit(LocalStep& step, State& state) {
  LocalScratch& s = step.s;
  s.next.step = step.report.step;
  std::swap(state, s.next);
  std::swap(s.solved, s.solving);
  finish_records(state.x, step.options.dt, s.solved);
  split_limits(s.solved, s.limits);
  count(s.solved, step.report);
  step.report.limited = count_pushing(s.limits);
  step.report.max_strain = largest_strain(step.model.elastic.springs, state.x);
  if (step.report.contacts > 0) {
    const double smallest = smallest_distance(state.contacts, state.x);
    if (std::isfinite(smallest)) step.report.min_gap = smallest;
  }
  if (step.options.contact.as_published && step.options.detect_collisions)
    step.report.overlap = deepest_overlap(step.model, state.x, s.depth);
}

// All parts from the start of the step. A step that blows up is as one that was not taken.
Verdict attempt(LocalStep& step, const State& state, Index count) {
  LocalScratch& s = step.s;
  s.next = state;
  s.next.left_over.setZero();
  s.next.unseen.resize(0);
  s.solving.clear();
  s.ledger = {};
  const Verdict verdict = take_parts(step, count);
  if (verdict.status != StepStatus::converged) return verdict;
  record(step.model, state, s.next, s.ledger, s.energy, step.report);
  // The paper takes what it gets; and overlaps fly apart the faster, the shorter a part is.
  if (step.options.contact.as_published || !has_blown_up(step.model, step.options, step.report)) return {};
  return {StepStatus::breakdown, "energy grew by more than half in a step of " + std::to_string(step.parts) +
                                     " parts: elements have become stiffer than an explicit scheme can follow; "
                                     "local.integrator=implicit-euler has no such limit"};
}

}  // namespace

StepReport step(const Model& model, const Options& options, State& state, LocalScratch& scratch) {
  StepReport report = begin_report(state.step + 1, options.dt);
  Stopwatch total;
  LocalStep whole{model, options, scratch, report, state.time};
  const Index least = parts_of_step(model, options, state.x, scratch.frequency);
  report.t_integrate += total.lap();
  double seconds = report.t_integrate;
  if (!options.contact.as_published) detect(model, options, state, scratch, report);
  Verdict verdict = attempt(whole, state, least);
  for (int i = 0; i < most_refinements && verdict.status == StepStatus::breakdown; ++i)
    verdict = attempt(whole, state, least << (i + 1));
  set_verdict(verdict, report);
  report.accepted = verdict.status == StepStatus::converged;
  report.substeps = whole.parts;
  if (report.accepted) commit(whole, state);
  seconds += total.lap();
  report.t_total = seconds;
  return report;
}

}  // namespace sim
