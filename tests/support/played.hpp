// A scene as text, and its run step by step.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "math/parallel.hpp"
#include "step/step.hpp"
#include "support/loaded.hpp"

namespace sim::test {

struct Played : Loaded<Scratch> {
  using Loaded::Loaded;

  StepReport advance(int steps) {
    StepReport report;
    for (int n = 0; n < steps; ++n) {
      report = step(model, options, state, scratch);
      EXPECT_TRUE(report.accepted) << n << ": " << to_string(report.status) << ": " << report.reason;
      EXPECT_EQ(report.status, StepStatus::converged) << n << ": " << report.reason;
      if (!report.accepted) break;
    }
    return report;
  }

  Vec3 at(Index vertex) const { return block(state.x, vertex); }
  std::vector<double> tension() const { return tensions(model.elastic.springs, state.x, unseen_of(state)); }
};

// The same steps of two runs that begin alike: of the one at a stretch, of the other by some threads in pieces, each
// with new scratch. They have the same bits.
template <class Run>
void expect_same_bits(Run& one, Run& other, int threads, int pieces, int steps) {
  one.advance(pieces * steps);
  set_thread_count(threads);
  for (int n = 0; n < pieces; ++n) {
    other.advance(steps);
    other.scratch = Scratch();
  }
  set_thread_count(1);
  EXPECT_EQ(one.state.x, other.state.x);
  EXPECT_EQ(one.state.v, other.state.v);
}

// The text with every `name` replaced by its value.
inline std::string with(std::string text, const std::vector<std::pair<std::string, std::string>>& values) {
  for (const auto& [name, value] : values) {
    for (auto at = text.find(name); at != std::string::npos; at = text.find(name))
      text.replace(at, name.size(), value);
  }
  return text;
}

}  // namespace sim::test
