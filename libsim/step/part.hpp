// One part of a step on its way, as the stages of step/advance.hpp have it between them. Private to the room.
#pragma once

#include <limits>
#include <span>

#include "math/stopwatch.hpp"
#include "model/options.hpp"
#include "model/report.hpp"
#include "step/explain.hpp"
#include "step/scratch.hpp"

namespace sim {

void tell(Verdict& verdict, StepStatus status, const std::string& reason);  // the first one stays

struct Part {
  const Model& model;
  const Options& options;
  double dt;     // s, of this part of the step
  State& state;  // `next` of the scratch
  Scratch& s;
  StepReport& report;
  bool shortest = false;         // it will not be divided
  bool beyond_division = false;  // shorter parts would not help
  Verdict failed;                // why objects are divided
  Verdict accepted;              // of solves that did not converge and are accepted all the same
  double constraint_error = 0;   // m, of the last solve
  Index by_its_rule = 0;         // islands of the last solve that ended so (contact/report.hpp)
  bool unsettled = false;        // the method goes on after detection: no end of a step, rows stay as they are
  double min_gap = std::numeric_limits<double>::infinity();
  TrackingReport kept{};                    // of the last round
  std::vector<std::uint8_t> pushed_before;  // an object: contacts pushed it at the start; quasi-static only
  Stopwatch watch;
};

Push push(const Part& part);  // what drives its bodies

Situation situation(const Part& part);  // for reasons
RigidBlocks rigid_blocks(const Part& part);
Index elastic_rows(const Part& part);

bool has_contacts(const Part& part);
bool is_solved(const Part& part, Index body);
bool is_solved(const Part& part, const RigidBody& body);

// The islands of these objects do not get to the end of this part.
void fail(Part& part, std::span<const Index> objects, StepStatus status, const std::string& reason);
// Shorter parts would not help: this is told, whatever else has failed.
void give_up(Part& part, StepStatus status, const std::string& reason);

}  // namespace sim
