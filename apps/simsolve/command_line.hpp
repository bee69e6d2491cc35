// What the user typed.
#pragma once

#include <optional>
#include <string>

#include "contact/solve.hpp"

namespace simsolve {

struct CommandLine {
  std::string problem;
  std::string solver = "cr-full";
  sim::SolveOptions options;
  std::string guess;   // file to start from; empty: from nothing
  std::string output;  // empty: write none
  int repeat = 1;      // solves, of which the fastest is timed
  int threads = 0;     // 0: all cores
  bool as_published = false;
  bool json = false;
};

// Either a problem to solve, or an exit status because all has been printed (--help, --version, a usage error).
struct Parsed {
  CommandLine command_line;
  std::optional<int> exit_status;
};
Parsed parse_command_line(int argc, char** argv);  // throws InputError for a solver that is not there

}  // namespace simsolve
