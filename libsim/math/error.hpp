// The one exception of the library: something the user gave us is wrong. Solvers never throw; they return a report.
#pragma once

#include <stdexcept>

namespace sim {

// what() is one message for the user: which file or place, the value, what was expected, and what to do about it.
struct InputError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A file could not be read or written (exit status 3 of simrun, where InputError is 1).
struct FileError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace sim
