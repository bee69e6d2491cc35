// The exit statuses of the programs: part of the contract with scripts.
#pragma once

namespace simrun {

constexpr int exit_done = 0;
constexpr int exit_usage = 1;    // usage or scene error
constexpr int exit_stopped = 2;  // the simulation stopped early
constexpr int exit_file = 3;     // a file could not be read or written
constexpr int exit_interrupted = 130;

}  // namespace simrun
