#include <iostream>

#include "common/program.hpp"
#include "exit_status.hpp"
#include "job.hpp"
#include "math/error.hpp"

namespace {

int run(const simsolve::CommandLine& command_line) {
  apps::use_threads(command_line.threads);
  const simsolve::Finding finding = simsolve::solve(command_line);
  std::cout << (command_line.json ? json_text(command_line, finding) : table_text(command_line, finding))
            << std::flush;
  if (!std::cout) throw sim::FileError("the result cannot be written to the standard output");
  if (!command_line.output.empty()) simsolve::write_solution(command_line, finding);
  if (simsolve::exit_status(finding) != simsolve::exit_converged) {
    const sim::SolveReport& report = finding.report;
    std::cerr << "simsolve: " << command_line.problem << ": " << command_line.solver << " did not converge ("
              << to_string(report.status) << ") in " << report.iterations << " iterations"
              << (report.reason.empty() ? "" : ": " + report.reason) << '\n';
  }
  return simsolve::exit_status(finding);
}

}  // namespace

int main(int argc, char** argv) {
  return apps::exit_status_of("simsolve", simsolve::exit_file, [&] {
    const simsolve::Parsed parsed = simsolve::parse_command_line(argc, argv);
    return parsed.exit_status ? *parsed.exit_status : run(parsed.command_line);
  });
}
