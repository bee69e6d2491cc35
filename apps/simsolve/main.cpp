#include <cstdio>
#include <exception>
#include <iostream>
#include <thread>

#include "exit_status.hpp"
#include "job.hpp"
#include "math/error.hpp"
#include "math/parallel.hpp"

namespace {

int fail(const std::exception& error, int exit_status) {
  std::cerr << "simsolve: " << error.what() << '\n';
  return exit_status;
}

int run(const simsolve::CommandLine& command_line) {
  sim::set_thread_count(command_line.threads > 0 ? command_line.threads
                                                 : static_cast<int>(std::thread::hardware_concurrency()));
  const simsolve::Finding finding = simsolve::solve(command_line);
  std::cout << (command_line.json ? json_text(command_line, finding) : table_text(command_line, finding))
            << std::flush;
  if (!std::cout) throw sim::FileError("the result cannot be written to the standard output");
  if (!command_line.output.empty()) simsolve::write_solution(command_line, finding);
  if (simsolve::exit_status(finding) == simsolve::exit_not_converged) {
    const sim::SolveReport& report = finding.report;
    std::cerr << "simsolve: " << command_line.problem << ": " << command_line.solver << " did not converge ("
              << to_string(report.status) << ") in " << report.iterations << " iterations"
              << (report.reason.empty() ? "" : ": " + report.reason) << '\n';
  }
  return simsolve::exit_status(finding);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const simsolve::Parsed parsed = simsolve::parse_command_line(argc, argv);
    return parsed.exit_status ? *parsed.exit_status : run(parsed.command_line);
  } catch (const sim::InputError& error) {
    return fail(error, simsolve::exit_usage);
  } catch (const sim::FileError& error) {
    return fail(error, simsolve::exit_file);
  } catch (const std::bad_alloc&) {
    std::cerr << "simsolve: out of memory\n";
    return simsolve::exit_file;
  }
}
