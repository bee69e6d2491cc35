#include "step/step.hpp"

#include <chrono>
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

void commit(const Model& model, const Options& options, const Scratch& scratch, State& state) {
  for (const ToldVertices& told : model.told) {
    for (const Index i : told.vertices) block(state.v, i) = block(scratch.told, i);
  }
  for (Index row = 0; row < scratch.A.rows(); ++row) {
    block(state.v, model.plan.vertex_of_block[row]) = block(scratch.v, row);
  }
  state.x += options.dt * state.v;
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
  solve(options, scratch, report);
  report.t_solve = watch.lap();
  if (report.status == StepStatus::converged) {
    commit(model, options, scratch, state);
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
  }
  return "unknown";
}

}  // namespace sim
