// The methods by name: those for the contact problem of an implicit step (contact/solve.hpp), and those that step in
// a way of their own (stepper/stepper.hpp).
#pragma once

#include <span>
#include <string>

namespace sim {

enum class StepperKind { implicit, local, asynchronous };

struct MethodName {
  std::string name, meaning;
  StepperKind stepper = StepperKind::implicit;
};
std::span<const MethodName> known_methods();  // in the order in which to list them

StepperKind stepper_of(const std::string& method);  // throws InputError for a name that is not known

}  // namespace sim
