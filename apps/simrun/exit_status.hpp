// The exit statuses of the programs: part of the contract with scripts.
#pragma once

#include "common/interrupt.hpp"
#include "common/program.hpp"

namespace simrun {

constexpr int exit_done = 0;
using apps::exit_usage;          // usage or scene error
constexpr int exit_stopped = 2;  // the simulation stopped early
using apps::exit_file;           // a file could not be read or written
using apps::exit_interrupted;    // the file is whole

}  // namespace simrun
