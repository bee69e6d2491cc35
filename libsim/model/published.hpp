// The step of a method's paper around its published form (docs/papers): one system, absolute tolerances, surfaces
// kept eps2 apart, and nothing that goes from step to step but the warm start.
#pragma once

#include "model/options.hpp"

namespace sim {

// Of a solve: the papers have no limit, and what cycles is to end some day.
constexpr Index most_iterations_as_published = 100'000;

// `options` has the tolerances eps1 and eps2. A method without a published form stays what it is.
void run_as_published(const std::string& method, Options& options);

}  // namespace sim
