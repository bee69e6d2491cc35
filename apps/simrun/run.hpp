// One run from the scene file to the result file.
#pragma once

#include "command_line.hpp"

namespace simrun {

int run(const CommandLine& command_line);  // the exit status; throws sim::InputError and sim::FileError

}  // namespace simrun
