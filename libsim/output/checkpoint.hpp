// Going on from a result file: the states that it keeps (docs/result-format.md, /checkpoint).
#pragma once

#include <string>
#include <vector>

#include "model/state.hpp"

namespace sim {

// The steps after which the file holds the whole state, ascending. Throws FileError where the file cannot be read, is
// no result file, or holds none.
std::vector<std::int64_t> checkpoint_steps(const std::string& path);

// The state after `step`, one of checkpoint_steps(): step() goes on from it as if nothing had been in between, bit
// for bit. Throws FileError where it is damaged, or where the model is not the one of the file: other vertices, tets,
// triangles or objects.
State read_checkpoint(const std::string& path, std::int64_t step, const Model& model);

}  // namespace sim
