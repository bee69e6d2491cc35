#include "job.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "exit_status.hpp"
#include "math/error.hpp"
#include "math/stopwatch.hpp"
#include "output/descriptor.hpp"
#include "output/version.hpp"

namespace simsolve {

namespace {

namespace fs = std::filesystem;

StateCounts count_states(const sim::ContactSolution& solution) {
  const auto count = [&](sim::FrictionState state) {
    return static_cast<sim::Index>(std::count(solution.state.begin(), solution.state.end(), state));
  };
  return {count(sim::FrictionState::open), count(sim::FrictionState::sticking), count(sim::FrictionState::sliding)};
}

Reference compare(const sim::ContactProblem& problem, const sim::FclibSolution& reference, const sim::VecX& v) {
  const double distance = (v - reference.v).norm(), size = reference.v.norm();
  return {.difference = distance == 0 ? 0
                        : size == 0   ? std::numeric_limits<double>::quiet_NaN()
                                      : distance / size,
          .residual = sim::contact_residual(problem, sim::from_fclib(problem, reference))};
}

// The input holds what a solution is compared with, perhaps nowhere else: it is never replaced.
void check_output(const CommandLine& line) {
  std::error_code ignored;
  if (line.output.empty()) return;
  if (fs::equivalent(line.output, line.problem, ignored))
    throw sim::InputError("-o " + line.output + " is the problem's own file; expected another one");
  if (fs::exists(line.output, ignored) && fs::file_size(line.output, ignored) > 0 && !sim::is_fclib_file(line.output))
    throw sim::InputError("-o " + line.output +
                          " exists and is no problem in FCLIB's format that may be replaced; expected another name");
  const sim::NewFile probe(line.output);  // what cannot be written is found before a long solve, not after it
}

sim::ContactSolution start(const CommandLine& line, const sim::ContactProblem& problem) {
  if (!line.guess.empty()) {
    return sim::from_fclib(problem, sim::read_fclib_solution(line.guess, 3 * problem.A.rows(), problem.contacts()));
  }
  sim::ContactSolution solution;
  sim::start_cold(problem, solution);
  return solution;
}

}  // namespace

Finding solve(const CommandLine& line) {
  check_output(line);
  Finding finding;
  finding.file = sim::read_fclib(line.problem);
  const sim::ContactProblem& problem = finding.file.problem;
  const sim::ContactSolution begin = start(line, problem);
  sim::SolveOptions options = line.options;
  options.stop = apps::stop_on_interrupt();
  sim::SolveScratch scratch;
  finding.seconds = std::numeric_limits<double>::infinity();
  for (int k = 0; k < line.repeat && finding.report.status != sim::SolveStatus::interrupted; ++k) {
    finding.solution = begin;
    sim::Stopwatch watch;
    finding.report = sim::solve(problem, options, scratch, finding.solution);
    finding.seconds = std::min(finding.seconds, watch.lap());
  }
  finding.states = count_states(finding.solution);
  if (finding.file.solution) finding.reference = compare(problem, *finding.file.solution, finding.solution.v);
  return finding;
}

void write_solution(const CommandLine& line, const Finding& finding) {
  sim::FclibSolution solution = sim::to_fclib(finding.file.problem, finding.solution);
  solution.provenance = {{"program", std::string("simsolve ") + sim::program_version()},
                         {"solver", line.solver},
                         {"status", to_string(finding.report.status)}};
  sim::write_fclib(line.output, finding.file.problem, &solution);
}

int exit_status(const Finding& finding) {
  switch (finding.report.status) {
    case sim::SolveStatus::converged:
      return exit_converged;
    case sim::SolveStatus::interrupted:
      return exit_interrupted;
    default:
      return exit_not_converged;
  }
}

}  // namespace simsolve
