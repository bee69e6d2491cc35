#include "ending.hpp"

#include "model/overstretched.hpp"

namespace simrun {

namespace {

const char* remedy_of(sim::StepStatus status, bool is_static) {
  switch (status) {
    case sim::StepStatus::collision:
      return "A smaller time step (--dt) is the first thing to try";
    case sim::StepStatus::layer_limit:
      return "Motions that press bodies together beyond this need more acm.thickness, acm.stiffness or "
             "acm.max_layers; what cannot give way stops any run";
    case sim::StepStatus::event_limit:
      return "A larger acm.max_events goes on; a larger acm.thickness or a smaller acm.stiffness takes fewer kicks";
    default:
      break;
  }
  if (is_static) {
    return "What slides, rolls or tips has no balance, and no smaller step finds one: hold it, or let it move in "
           "time (time.scheme=implicit-euler). Where it is held: a smaller step of what loads it (--dt), then "
           "more iterations (solver.max_iterations)";
  }
  if (status == sim::StepStatus::breakdown)
    return "Check the motions that the scene tells; then try a smaller time step (--dt)";
  return "A smaller time step (--dt) is the first thing to try, then more iterations (solver.max_iterations); "
         "solver.on_failure=continue goes on where no surface is crossed";
}

// The default method, where another one stopped in a step that any of them could have taken.
std::string other_method(const sim::Options& options, sim::StepStatus status) {
  const bool could = options.stepper == sim::StepperKind::implicit && !options.contact.as_published &&
                     status != sim::StepStatus::collision && status != sim::StepStatus::breakdown;
  return could && options.method != "auto" ? "The default method, --solver auto, may go on. " : "";
}

}  // namespace

Ending interrupted() {
  return {"interrupted", "interrupted by the user", exit_interrupted};
}

Ending stopped(const sim::Model& model, const sim::Options& options, const sim::State& state,
               const sim::StepReport& report) {
  const std::string step = "step " + std::to_string(report.step) + ": " + to_string(report.status) + ": ";
  const std::string kept = ". The last good state is the last frame. ";
  if (const auto asked = overstretched(model, state, options.dt)) {
    return {"stopped",
            step + overstretched_text(model, *asked) + " (" + report.reason + ")" + kept +
                "No smaller step helps: prescribe a motion that asks for less, or widen strain_limit of the material",
            exit_stopped};
  }
  const bool is_static = options.time.scheme == sim::TimeScheme::quasi_static;
  return {"stopped",
          step + report.reason + kept + other_method(options, report.status) + remedy_of(report.status, is_static),
          exit_stopped};
}

}  // namespace simrun
