#include "model/method.hpp"

#include <vector>

#include "contact/solve.hpp"
#include "math/error.hpp"

namespace sim {

std::span<const MethodName> known_methods() {
  static const std::vector<MethodName> methods = [] {
    std::vector<MethodName> all;
    for (const SolverName& solver : known_solvers())
      all.push_back({solver.name, solver.meaning, StepperKind::implicit});
    all.push_back({"local", "Spillmann, Becker & Teschner 2007: a step of its own, contact forces without iteration",
                   StepperKind::local});
    all.push_back({"acm", "asynchronous contact mechanics: layers of penalties, each with a clock of its own",
                   StepperKind::asynchronous});
    return all;
  }();
  return methods;
}

StepperKind stepper_of(const std::string& method) {
  std::string available;
  for (const MethodName& known : known_methods()) {
    if (method == known.name) return known.stepper;
    available += (available.empty() ? "" : ", ") + known.name;
  }
  throw InputError("there is no method \"" + method + "\"; available: " + available);
}

}  // namespace sim
