#include "stepper/stepper.hpp"

#include "local/step.hpp"
#include "step/step.hpp"

namespace sim {

Stepper make_stepper(const Options& options, Thickness known) {
  switch (options.stepper) {
    case StepperKind::implicit:
      break;
    case StepperKind::local:
      return Stepper(std::in_place_type<LocalScratch>);
    case StepperKind::asynchronous: {
      AsyncScratch scratch;
      scratch.thickness = std::move(known);
      return scratch;
    }
  }
  return Stepper(std::in_place_type<Scratch>);
}

StepReport advance(const Model& model, const Options& options, State& state, Stepper& stepper) {
  return std::visit([&](auto& scratch) { return step(model, options, state, scratch); }, stepper);
}

StepRecords records(Stepper& stepper) {
  return std::visit(
      [](auto& scratch) {
        return StepRecords{scratch.solved, scratch.limits, scratch.trace};
      },
      stepper);
}

}  // namespace sim
