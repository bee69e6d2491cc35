#include "ending.hpp"

#include "model/overstretched.hpp"

namespace simrun {

namespace {

const char* remedy_of(sim::StepStatus status) {
  switch (status) {
    case sim::StepStatus::collision:
      return "A smaller time step (--dt) is the first thing to try";
    case sim::StepStatus::layer_limit:
      return "Motions that press bodies together beyond this need more acm.stiffness or acm.max_layers; what cannot "
             "give way stops any run";
    case sim::StepStatus::event_limit:
      return "A larger acm.max_events goes on; a larger acm.thickness or a smaller acm.stiffness takes fewer kicks";
    case sim::StepStatus::breakdown:
      return "Check the motions that the scene tells; then try a smaller time step (--dt)";
    default:
      return "A smaller time step (--dt) is the first thing to try, then more iterations (solver.max_iterations); "
             "solver.on_failure=continue goes on where no surface is crossed";
  }
}

}  // namespace

Ending interrupted() {
  return {"interrupted", "interrupted by the user", exit_interrupted};
}

Ending stopped(const sim::Model& model, const sim::State& state, double dt, const sim::StepReport& report) {
  const std::string step = "step " + std::to_string(report.step) + ": " + to_string(report.status) + ": ";
  const std::string kept = ". The last good state is the last frame. ";
  if (const auto asked = overstretched(model, state, dt)) {
    return {"stopped",
            step + overstretched_text(model, *asked) + " (" + report.reason + ")" + kept +
                "No smaller step helps: prescribe a motion that asks for less, or widen strain_limit of the material",
            exit_stopped};
  }
  return {"stopped", step + report.reason + kept + remedy_of(report.status), exit_stopped};
}

}  // namespace simrun
