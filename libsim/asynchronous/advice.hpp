// What to know of a scene before it is run with acm.
#pragma once

#include <string>
#include <vector>

#include "model/model.hpp"
#include "model/options.hpp"

namespace sim {

struct AsyncAdvice {
  std::string description;            // clocks and kicks, for `simrun --validate`
  std::vector<std::string> warnings;  // thickness against the mesh, and what begins inside of it
};
AsyncAdvice advise(const Model& model, const Options& options);

}  // namespace sim
