#include "step/step.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include "step/measure.hpp"

namespace sim {

namespace {

class Stopwatch {
 public:
  double lap() {  // seconds since the last lap
    const auto now = Clock::now();
    return std::chrono::duration<double>(now - std::exchange(last_, now)).count();
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point last_ = Clock::now();
};

// A and b of the step, and the free flight of the unknowns as a first guess of their velocities.
void integrate(const Model& model, const Options& options, const State& state, Scratch& scratch) {
  if (scratch.A.rows() != model.plan.pattern.rows() || scratch.told.size() != state.v.size()) {
    scratch.A = model.plan.pattern;
    scratch.b.resize(3 * Eigen::Index{scratch.A.rows()});
    scratch.v.resize(scratch.b.size());
    scratch.told.setZero(state.v.size());
  }
  told_velocities(model, state, options.dt, scratch.told);
  const StepInput input{state.x, state.v, scratch.told, model.gravity, options.dt};
  assemble(model.elastic, model.plan, input, scratch.elements, scratch.A, scratch.b);
  for (Index row = 0; row < scratch.A.rows(); ++row) {
    block(scratch.v, row) = block(state.v, model.plan.vertex_of_block[row]) + options.dt * model.gravity;
  }
}

void solve(const Options& options, Scratch& scratch, StepReport& report) {
  const CgReport cg = conjugate_gradient(scratch.A, scratch.b, options.linear, scratch.cg, scratch.v);
  report.iterations = cg.iterations;
  report.residual = cg.residual;
  if (cg.status == CgStatus::converged) return;
  report.status = cg.status == CgStatus::breakdown ? StepStatus::breakdown : StepStatus::iteration_limit;
  report.reason = describe(cg);
}

// Velocities of all vertices: those told, and the unknowns as they stand.
void spread(const Model& model, const State& state, Scratch& scratch) {
  scratch.motion = state.v;
  for (const ToldVertices& told : model.told) {
    for (const Index i : told.vertices) block(scratch.motion, i) = block(scratch.told, i);
  }
  for (Index row = 0; row < scratch.A.rows(); ++row) {
    block(scratch.motion, model.plan.vertex_of_block[row]) = block(scratch.v, row);
  }
}

// The pairs that may meet during the step, if it goes about as foreseen.
void detect(const Model& model, const Options& options, const State& state, Scratch& scratch, StepReport& report) {
  if (!options.detect_collisions) return;
  spread(model, state, scratch);
  find_candidates(model.surface, {state.x, scratch.motion, options.dt}, options.detection, scratch.detection,
                  scratch.candidates);
  report.detection_rounds = 1;
}

std::string describe(const Model& model, const Scratch& scratch) {
  const Hit& hit = *std::min_element(scratch.hits.begin(), scratch.hits.end(),
                                     [](const Hit& a, const Hit& b) { return a.time < b.time; });
  const std::array<Index, 4> vertices = stencil(model.surface, hit.kind, hit.pair);
  const auto owner = [&](Index vertex) {
    return "\"" + model.objects[model.surface.vertex_object[vertex]].name + "\"";
  };
  const bool edges = hit.kind == ContactKind::edge_edge;
  return std::string(edges ? "an edge" : "a vertex") + " of " + owner(vertices[0]) + " meets " +
         (edges ? "an edge" : "a face") + " of " + owner(vertices[edges ? 2 : 1]) + " (" +
         std::to_string(scratch.hits.size()) + " collisions in this step), and this version has no contact forces";
}

// Is the solved motion free of collisions? Pairs that were not foreseen are looked up first.
void check_motion(const Model& model, const Options& options, const State& state, Scratch& scratch,
                  StepReport& report) {
  spread(model, state, scratch);
  scratch.x1 = state.x + options.dt * scratch.motion;
  if (!options.detect_collisions || report.status != StepStatus::converged) return;
  while (find_escaped(model.surface, scratch.x1, scratch.detection, scratch.escaped), !scratch.escaped.empty()) {
    look_up_again(model.surface, scratch.escaped, state.x, scratch.x1, options.detection, scratch.detection,
                  scratch.candidates, scratch.added);
    ++report.detection_rounds;
  }
  report.candidates = scratch.candidates.size();
  check_candidates(model.surface, scratch.candidates, state.x, scratch.x1, options.detection.separation,
                   scratch.check, scratch.hits);
  if (scratch.hits.empty()) return;
  report.status = StepStatus::collision;
  report.reason = describe(model, scratch);
}

void commit(const Options& options, const Scratch& scratch, State& state) {
  state.x = scratch.x1;  // the very positions that were checked
  state.v = scratch.motion;
  ++state.step;
  state.time = static_cast<double>(state.step) * options.dt;
}

void record(const Measures& measures, StepReport& report) {
  report.kinetic_energy = measures.kinetic_energy;
  report.elastic_energy = measures.elastic_energy;
  report.potential_energy = measures.potential_energy;
  report.momentum = measures.momentum;
  report.angular_momentum = measures.angular_momentum;
}

}  // namespace

StepReport step(const Model& model, const Options& options, State& state, Scratch& scratch) {
  StepReport report;
  report.step = state.step + 1;
  report.time = static_cast<double>(report.step) * options.dt;
  report.dt = options.dt;
  Stopwatch total, watch;

  integrate(model, options, state, scratch);
  report.t_integrate = watch.lap();
  detect(model, options, state, scratch, report);
  report.t_detect = watch.lap();
  solve(options, scratch, report);
  report.t_solve = watch.lap();
  check_motion(model, options, state, scratch, report);
  report.t_detect += watch.lap();
  if (report.status == StepStatus::converged) {
    commit(options, scratch, state);
    record(measure(model, state), report);
  }
  report.t_integrate += watch.lap();
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
  }
  return "unknown";
}

}  // namespace sim
