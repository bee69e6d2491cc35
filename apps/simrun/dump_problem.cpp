#include "dump_problem.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <filesystem>

#include "math/error.hpp"
#include "output/fclib.hpp"
#include "output/version.hpp"

namespace simrun {

ProblemDumps::ProblemDumps(const std::string& result, const std::string& method,
                           const std::vector<std::int64_t>& steps, bool hardest)
    : stem_(std::filesystem::path(result).replace_extension("").string()),
      method_(method),
      steps_(steps),
      hardest_(hardest) {}

void ProblemDumps::prepare(std::int64_t step, sim::Scratch& scratch) const {
  scratch.hardest.wanted = hardest_ && std::binary_search(steps_.begin(), steps_.end(), step);
}

void ProblemDumps::write(const sim::StepReport& report, const sim::Scratch& scratch, spdlog::logger& log) {
  while (next_ < steps_.size() && steps_[next_] < report.step) ++next_;
  if (next_ == steps_.size() || steps_[next_] != report.step) return;
  ++next_;
  const sim::HardestSolve& hardest = scratch.hardest;
  const sim::ContactProblem& problem = hardest_ ? hardest.problem : scratch.problem;
  if (problem.contacts() == 0) {
    log.error("--dump-problem {}: the step has no contacts, nothing is written", report.step);
    return;
  }
  const std::string path = stem_ + ".step" + std::to_string(report.step) + ".hdf5";
  try {
    sim::ContactSolution exact = hardest_ ? hardest.solution : scratch.solution;
    sim::set_reaction(hardest_ ? hardest.forces : scratch.forces, exact);  // as /contacts has them
    sim::FclibSolution solution = sim::to_fclib(problem, exact);
    solution.provenance = {{"program", std::string("simrun ") + sim::program_version()},
                           {"method", method_},
                           {"step", std::to_string(report.step)},
                           {"status", to_string(report.status)}};
    if (hardest_) {
      solution.provenance.push_back(
          {"solve", std::to_string(hardest.solve) + " of " + std::to_string(hardest.solves)});
      solution.provenance.push_back({"iterations", std::to_string(hardest.iterations)});
      solution.provenance.push_back({"solved", hardest.unsolved ? "no" : "yes"});
    }
    sim::write_fclib(path, problem, &solution);
    const std::string which = hardest_ ? "solve " + std::to_string(hardest.solve) + " of " +
                                             std::to_string(hardest.solves) + ", " +
                                             std::to_string(hardest.iterations) + " iterations, "
                                       : "";
    log.info("--dump-problem {}: {}{} contacts, {} unknowns, written to {}", report.step, which, problem.contacts(),
             problem.b.size(), path);
  } catch (const sim::FileError& error) {
    failed_ = true;
    log.error("--dump-problem {}: {}", report.step, error.what());
  }
}

void ProblemDumps::finish(std::int64_t last_step, spdlog::logger& log) const {
  for (std::size_t i = next_; i < steps_.size(); ++i) {
    log.error("--dump-problem {}: never reached, the run ended after step {}", steps_[i], last_step);
  }
}

}  // namespace simrun
