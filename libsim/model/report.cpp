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

StepReport begin_report(std::int64_t step, double dt) {
  StepReport report;
  report.step = step;
  report.time = static_cast<double>(step) * dt;
  report.dt = dt;
  return report;
}

void set_verdict(const Verdict& verdict, StepReport& report) {
  report.status = verdict.status;
  report.reason = verdict.reason;
}

}  // namespace sim
