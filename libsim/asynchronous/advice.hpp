// What to know of a scene before it is run with acm.
#pragma once

#include <string>
#include <vector>

#include "asynchronous/thickness.hpp"
#include "model/options.hpp"

namespace sim {

struct AsyncAdvice {
  std::string description;            // clocks and kicks, for `simrun --validate`
  std::vector<std::string> warnings;  // thickness against the mesh, and what begins inside of it
  Thickness thickness;                // AsyncScratch has it from here: it takes a while to find
};
AsyncAdvice advise(const Model& model, const Options& options);

}  // namespace sim
