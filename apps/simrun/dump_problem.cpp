#include "dump_problem.hpp"

#include <spdlog/spdlog.h>

#include <filesystem>

#include "math/error.hpp"
#include "output/fclib.hpp"
#include "output/version.hpp"

namespace simrun {

ProblemDumps::ProblemDumps(const std::string& result, const std::string& method,
                           const std::vector<std::int64_t>& steps)
    : stem_(std::filesystem::path(result).replace_extension("").string()), method_(method), steps_(steps) {}

void ProblemDumps::write(const sim::StepReport& report, const sim::Scratch& scratch, spdlog::logger& log) {
  while (next_ < steps_.size() && steps_[next_] < report.step) ++next_;
  if (next_ == steps_.size() || steps_[next_] != report.step) return;
  ++next_;
  const sim::ContactProblem& problem = scratch.problem;
  if (problem.contacts() == 0) {
    log.error("--dump-problem {}: the step has no contacts, nothing is written", report.step);
    return;
  }
  const std::string path = stem_ + ".step" + std::to_string(report.step) + ".hdf5";
  try {
    sim::ContactSolution exact = scratch.solution;  // with the forces that /contacts has
    sim::set_reaction(scratch.forces, exact);
    sim::FclibSolution solution = sim::to_fclib(problem, exact);
    solution.provenance = {{"program", std::string("simrun ") + sim::program_version()},
                           {"method", method_},
                           {"step", std::to_string(report.step)},
                           {"status", to_string(report.status)}};
    sim::write_fclib(path, problem, &solution);
    log.info("--dump-problem {}: {} contacts, {} unknowns, written to {}", report.step, problem.contacts(),
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
