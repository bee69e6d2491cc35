#include "model/report.hpp"

namespace sim {

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
    case StepStatus::layer_limit:
      return "layer limit";
    case StepStatus::event_limit:
      return "event limit";
  }
  return "unknown";
}

}  // namespace sim
