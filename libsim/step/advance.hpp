// Algorithm 1 for one part of a step, all of it in the best case, and for the objects that are to be solved for:
//
//     integrate -> detect -> (solve -> look for collisions -> re-linearise) until nothing changes -> commit
#pragma once

#include <limits>

#include "math/stopwatch.hpp"
#include "step/options.hpp"
#include "step/report.hpp"
#include "step/scratch.hpp"

namespace sim {

struct Verdict {
  StepStatus status = StepStatus::converged;
  std::string reason;  // for people
};
void tell(Verdict& verdict, StepStatus status, const std::string& reason);  // the first one stays

struct Part {
  const Model& model;
  const Options& options;
  double dt;     // s, of this part of the step
  State& state;  // `next` of the scratch
  Scratch& s;
  StepReport& report;
  bool shortest = false;        // it will not be divided
  bool hopeless = false;        // shorter parts would not help
  Verdict failed;               // why objects are divided
  Verdict accepted;             // of solves that did not converge and are accepted all the same
  double constraint_error = 0;  // m, of the last solve
  Index by_its_rule = 0;        // islands of the last solve that ended so (contact/report.hpp)
  double min_gap = std::numeric_limits<double>::infinity();
  UpkeepReport kept{};  // of the last round
  Stopwatch watch;
};

Push push(const Part& part);  // what drives its bodies

// Takes what is `solved` (Scratch::division) to the end of the part. Objects of islands that do not get there are
// `divided` then, and where known ones are met (Division::met) nothing is advanced.
void advance(Part& part);

}  // namespace sim
