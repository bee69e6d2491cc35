// One problem, one method, and what came of it.
#pragma once

#include <optional>
#include <string>

#include "command_line.hpp"
#include "output/fclib.hpp"

namespace simsolve {

struct StateCounts {
  sim::Index open = 0, sticking = 0, sliding = 0;
};

// The solution that the problem's file holds, against ours.
struct Reference {
  double difference = 0;          // |v - v_ref| / |v_ref|; not a number where v_ref = 0 and v is not
  sim::ContactResidual residual;  // of the reference
};

struct Finding {
  sim::FclibProblem file;
  sim::ContactSolution solution;
  sim::SolveReport report;
  StateCounts states;
  double seconds = 0;  // of the fastest solve
  std::optional<Reference> reference;
};

// Throws InputError and FileError.
Finding solve(const CommandLine& command_line);
void write_solution(const CommandLine& command_line, const Finding& finding);

std::string table_text(const CommandLine& command_line, const Finding& finding);
std::string json_text(const CommandLine& command_line, const Finding& finding);
int exit_status(const Finding& finding);

}  // namespace simsolve
