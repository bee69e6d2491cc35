#include "asynchronous/step.hpp"

#include <algorithm>
#include <string>

#include "asynchronous/report.hpp"
#include "collide/limits.hpp"
#include "collide/prescribed.hpp"
#include "math/stopwatch.hpp"
#include "model/contact_counts.hpp"
#include "model/crossing.hpp"
#include "model/names.hpp"

namespace sim {

namespace {

void plan(const Model& model, const Options& options, AsyncScratch& s) {
  if (s.planned) return;
  s.plan = make_kick_plan(model, options);
  s.law = make_law(options);
  if (options.detect_collisions && s.thickness.most == 0)
    s.thickness = find_thickness(model, options.asynchronous.thickness);
  s.planned = true;
}

PairRules rules_of(const Model& model, const Options& options, const AsyncScratch& s) {
  return {model, s.plan, s.law, s.thickness, options.asynchronous.contact_fraction};
}

// The clocks of this step. Free ones stay what they are: their ticks are multiples since the run began.
void set_clocks(const Model& model, const Options& options, const State& state, AsyncScratch& s) {
  if (options.asynchronous.clocks == Clocks::free) return;
  std::vector<std::uint8_t> contact_level(s.plan.cap.size(), 0);
  if (options.detect_collisions) contact_level = levels_of_contacts(rules_of(model, options, s), state.x, s.resting);
  follow(model, options, state.x, std::move(contact_level), s.plan);
}

// Everything but contact, as the step begins.
Verdict begin(const Model& model, const Options& options, const State& state, AsyncScratch& s) {
  if (s.plan.too_stiff)
    return {StepStatus::breakdown, "an element is too stiff for its mass: no clock of this time step is fine enough"};
  s.ledger.begin(model, s.plan);
  find_holds(model, state.time, s.guides);
  s.prescribed = VecX::Zero(state.v.size());
  prescribed_velocities(model, state, options.dt, s.guides, s.prescribed);
  if (const Index object = first_non_finite(model, s.prescribed); object >= 0)
    return {StepStatus::breakdown, goes_to_non_finite(model, object)};
  if (const Index object = find_loads(model, state, options.dt, s.loads); object >= 0)
    return {StepStatus::breakdown, "a load on " + object_text(model, object) + " is not a finite number"};
  begin_flights(state.x, state.v, options.dt, s.flights);
  s.flights.origin = state.step * ticks_a_step;
  s.flights.ways.kept = false;
  return {};
}

std::string out_of_layers(const Model& model, const Options& options, const ActivePair& pair) {
  const auto& object = model.surface.vertex_object;
  const std::string most = std::to_string(options.asynchronous.max_layers) + " layers (acm.max_layers)";
  if (pair.kind == ContactKind::limit)
    return "a strain limit of " + object_text(model, object[pair.vertices[0]]) +
           " is pulled so hard that it needs more than " + most;
  return object_text(model, object[pair.vertices[0]]) + " and " + object_text(model, object[pair.vertices[3]]) +
         " are pressed together so hard that a pair of them needs more than " + most;
}

Verdict verdict_of(const Course& course, const Options& options, const CourseEnd& end) {
  switch (end.status) {
    case StepStatus::layer_limit:
      return {end.status, out_of_layers(course.bodies.model, options, end.pair)};
    case StepStatus::event_limit:
      return {end.status, "the step would take more kicks than acm.max_events"};
    case StepStatus::breakdown:
      return {end.status,
              "vertices came to places that are not finite numbers: forces grew beyond what their clocks "
              "can follow; a smaller acm.elastic_fraction or acm.contact_fraction may do"};
    case StepStatus::interrupted:
      return {end.status, "interrupted"};
    default:
      return {};
  }
}

Verdict fly_step(const Course& course, const Options& options, AsyncScratch& s) {
  if (!options.detect_collisions && course.bodies.model.surface.limits.empty()) {
    s.table = {};
    fly(course, 0, ticks_a_step);
    return options.contact.stop.asked() ? Verdict{StepStatus::interrupted, "interrupted"} : Verdict{};
  }
  const PairRules rules = rules_of(course.bodies.model, options, s);
  begin_step(rules, s.table);
  if (options.asynchronous.culler == Culler::windows)
    return verdict_of(course, options, fly_in_windows(course, rules, options, s.windows));
  if (options.asynchronous.culler == Culler::kds)
    return verdict_of(course, options, fly_with_certificates(course, rules, options, s.kinetic));
  watch_all(rules, options.detect_collisions, options.asynchronous.max_layers, s.table);
  find_levels(s.table);
  fly(course, 0, ticks_a_step);
  return {};
}

// Of `flown` seconds.
void divide_time(const Options& options, double flown, const AsyncScratch& s, StepReport& report) {
  const bool certificates = options.asynchronous.culler == Culler::kds;
  const double of_certificates = certificates ? s.kinetic.queueing.seconds : 0,
               of_clocks = options.asynchronous.clocks == Clocks::free ? s.free_clocks.queueing.seconds : 0;
  const double watched = certificates ? s.kinetic.seconds : s.windows.seconds;
  report.events.t_queue = of_certificates + of_clocks;
  report.events.t_cull = std::max(0.0, watched - of_certificates);
  report.events.t_force = std::max(0.0, flown - watched - of_clocks);
  report.t_detect = watched;
}

// Where all have come to at the end.
State end_of(const State& start, const Options& options, AsyncScratch& s) {
  State end = start;
  for (Index i = 0; i < static_cast<Index>(s.flights.time.size()); ++i) s.flights.fly_to(i, ticks_a_step);
  end.x = s.flights.x;
  end.v = s.flights.v;
  end.unseen.resize(0);
  ++end.step;
  end.time = static_cast<double>(end.step) * options.dt;
  return end;
}

}  // namespace

StepReport step(const Model& model, const Options& options, State& state, AsyncScratch& s) {
  StepReport report = begin_report(state.step + 1, options.dt);
  Stopwatch total;
  plan(model, options, s);
  set_clocks(model, options, state, s);
  Verdict verdict = begin(model, options, state, s);
  const InFlight bodies{model, s.plan, s.guides, s.loads, s.flights, s.ledger};
  CourseSums sums;
  const Course course{.bodies = bodies,
                      .law = s.law,
                      .table = s.table,
                      .buffers = s.buffers,
                      .pair_kicks = s.pair_kicks,
                      .pushing = s.pushing,
                      .parted = s.parted,
                      .rubbing = s.rubbing,
                      .before = s.before,
                      .before_step = state.contacts,
                      .events = report.events,
                      .sums = sums,
                      .free_clocks = options.asynchronous.clocks == Clocks::free ? &s.free_clocks : nullptr};
  if (verdict.status == StepStatus::converged) {
    hold_as_prescribed(bodies, s.prescribed);
    s.free_clocks.queueing = {};
    Stopwatch flight;
    verdict = fly_step(course, options, s);
    divide_time(options, flight.lap(), s, report);
  }
  if (verdict.status == StepStatus::converged && !(s.flights.x.allFinite() && s.flights.v.allFinite()))
    verdict = verdict_of(course, options, {StepStatus::breakdown, {}});
  State end;
  if (verdict.status == StepStatus::converged) {
    end = end_of(state, options, s);
    if (options.detect_collisions) {
      const auto hit = find_prescribed_crossing(model.surface, state.x, end.x, options.detection);
      if (hit) verdict = {StepStatus::breakdown, leads_through_text(model, *hit, state.x)};
    }
  }
  set_verdict(verdict, report);
  report.accepted = verdict.status == StepStatus::converged;
  if (report.accepted) {
    record(course, state, end, report);
    std::swap(state, end);
    s.solved = pushing_contacts(course);
    state.contacts.contacts = remembered(s.solved);
    split_limits(s.solved, s.limits);
    report.limited = static_cast<Index>(s.limits.size());
    count_layers(course, options.asynchronous.rest_depth, report.events);
    count(s.solved, report);
    report.min_gap = smallest_gap(s.solved);
  }
  report.t_total = total.lap();
  report.t_integrate = report.t_total - report.t_detect;
  return report;
}

}  // namespace sim
