// What the user typed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace simrun {

enum class Verbosity { quiet, normal, verbose };

struct CommandLine {
  std::string scene;                   // may be empty with --resume
  std::string resume;                  // result file to go on from; empty: the scene's initial state
  std::optional<std::int64_t> from;    // the step of its checkpoint; none: the last
  std::vector<std::string> overrides;  // "path=value" of --set, and of the options that are short for one
  std::string output;                  // empty: the scene's name with .h5, or the file to go on from
  std::optional<std::int64_t> steps;
  int threads = 0;  // 0: all cores
  bool validate = false;
  bool print_scene = false;
  Verbosity verbosity = Verbosity::normal;
  std::string log_file;
  bool trace = false;
  std::vector<std::int64_t> dump_problem;  // numbers of steps, ascending, each once
  bool dump_hardest = false;               // of each, not the last problem
  std::string text;                        // the whole command line, for the result file
};

// Either a run to do, or an exit status because all that was asked for (--help, --version, --list-solvers,
// --print-schema) or all that can be said (a usage error) has been printed.
struct Parsed {
  CommandLine command_line;
  std::optional<int> exit_status;
};
Parsed parse_command_line(int argc, char** argv);

}  // namespace simrun
