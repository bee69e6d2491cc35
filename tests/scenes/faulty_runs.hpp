// A scene with every kind of body, and runs of it that are killed or whose disk is full at a chosen moment
// (support/faults.cpp).
#pragma once

#include <sys/resource.h>
#include <algorithm>

#include <cstdlib>

#include "math/error.hpp"
#include "math/random.hpp"
#include "output/checkpoint.hpp"
#include "output/result_reader.hpp"
#include "scenes/result_equality.hpp"
#include "support/program_test.hpp"

namespace sim::test {

// A soft box that slides, a rigid one that falls on it, a plate with one end that is moved, a scripted box that
// pushes, and a floor.
inline constexpr const char* every_kind_of_body = R"scene({
  "name": "mixed",
  "time": { "step": 0.002, "duration": 0.2 },
  "materials": { "rubber": { "young": 2e5, "poisson": 0.3, "density": 1000 }, "wood": { "density": 600 } },
  "meshes": { "box": { "generate": "box", "size": [0.1, 0.1, 0.1] },
              "plate": { "generate": "box", "size": [0.3, 0.1, 0.03], "cells": [3, 1, 1] },
              "floor": { "generate": "slab", "size": [2, 2], "thickness": 0.1 } },
  "objects": [
    { "name": "soft", "mesh": "box", "material": "rubber", "position": [0.003, 0.007, 0.056],
      "rotation": { "axis": [1, 2, 3], "degrees": 6 }, "velocity": [0.8, 0, -0.5] },
    { "name": "hard", "type": "rigid", "mesh": "box", "material": "wood", "position": [0.013, 0.017, 0.17],
      "velocity": [0.2, 0.1, -0.5] },
    { "name": "held", "mesh": "plate", "material": "rubber", "position": [0.25, 0, 0.06],
      "boundary": [ { "box": [[0.38, -1, -1], [0.41, 1, 1]], "motion": { "translation": [0, 0, "-0.02*sin(30*t)"] } } ] },
    { "name": "pusher", "type": "scripted", "mesh": "box", "position": [0.003, -0.11, 0.0513],
      "motion": { "translation": [0, "0.05*sin(20*t)", 0] } },
    { "name": "floor", "type": "fixed", "mesh": "floor", "position": [0, 0, -0.05] } ],
  "contact": { "friction": 0.4 },
  "output": { "every": 7, "contacts": true, "stress": true, "contact_forces": true, "checkpoint": 5 }
})scene";

// How many rounds a test makes; SIMRUN_KILLS in the environment asks for more.
inline int rounds(int usual) {
  const char* wanted = std::getenv("SIMRUN_KILLS");
  return wanted != nullptr ? std::atoi(wanted) : usual;
}

// From 1 to `most`.
inline long draw(Random& random, long most) {
  return 1 + static_cast<long>(random.uniform() * static_cast<double>(most));
}

// Microseconds of processor time of all programs that have ended so far.
inline long processor_time_of_children() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  const auto microseconds = [](const timeval& t) { return 1000000L * t.tv_sec + t.tv_usec; };
  return microseconds(usage.ru_utime) + microseconds(usage.ru_stime);
}

class FaultyRuns : public SceneTest {
 protected:
  static constexpr int killed = 128 + SIGKILL;

  FaultyRuns() : SceneTest(every_kind_of_body) {}

  // simrun with one of the variables of support/faults.cpp.
  Outcome simrun_with(const std::string& fault, const std::string& arguments) const {
    return run("cd '" + folder_.string() + "' && ASAN_OPTIONS=verify_asan_link_order=0 " + fault + " LD_PRELOAD='" +
               FAULTS_LIBRARY + "' '" SIMRUN_PROGRAM "' --quiet " + arguments);
  }
  // A run that nothing disturbs; returns the number of changes that it makes to files.
  long run_whole(const std::string& arguments) const {
    const Outcome outcome = simrun_with("SIMRUN_TEST_CHANGES=changes.txt", arguments);
    EXPECT_EQ(outcome.exit_status, 0) << arguments << "\n" << outcome.text;
    return std::atol(read("changes.txt").c_str());
  }
  void expect_done(const std::string& arguments) const {
    const Outcome outcome = simrun("--quiet " + arguments);
    EXPECT_EQ(outcome.exit_status, 0) << arguments << "\n" << outcome.text;
  }

  // What the end of a run has left of a.h5: nothing, or a file all of whose rows are those of whole.h5.
  void expect_what_is_left_is_whole() const {
    if (!exists("a.h5")) return;
    expect_beginning_of(path("whole.h5"), path("a.h5"));
    const Outcome judged = run_here(SIMCHECK_PROGRAM, "a.h5");
    const ResultReader result(path("a.h5"));
    if (result.frame_count() == 0) {
      EXPECT_EQ(judged.exit_status, 3) << judged.text;
      expect_contains(judged.text, "holds no frame");
    } else {
      // Accepted steps that did not converge may have given energy: then the whole run is told the same.
      const std::vector<double> status = result.step_column("status");
      const bool unconverged = std::any_of(status.begin(), status.end(), [](double s) { return s != 0; });
      const auto says = [&](const char* words) { return judged.text.find(words) != std::string::npos; };
      const bool gave = says("but the scheme gave energy") || (unconverged && says("but energy came from nothing"));
      EXPECT_EQ(judged.exit_status, gave ? run_here(SIMCHECK_PROGRAM, "whole.h5").exit_status : 0) << judged.text;
      if (!gave) expect_contains(judged.text, "verdict: clean");
      if (result.info().status != "done") expect_contains(judged.text, "still going on, or was killed");
    }
  }

  // The command line that brings a.h5 to its end from whatever is left: `anew` where that holds no state yet.
  std::string way_on(const std::string& anew) const {
    if (!exists("a.h5")) return anew;
    if (ResultReader(path("a.h5")).info().status == "done") return "";
    try {
      checkpoint_steps(path("a.h5"));
      return "--resume a.h5";
    } catch (const FileError& error) {
      expect_contains(error.what(), "the run was killed before its first. Run its scene anew");
      EXPECT_LE(ResultReader(path("a.h5")).frame_count(), 1);
      return anew;
    }
  }
  void go_on_to_the_end(const std::string& anew, const std::string& options) const {
    const std::string arguments = way_on(anew);
    if (!arguments.empty()) expect_done(arguments + options);
    expect_same_datasets(path("whole.h5"), path("a.h5"));
    EXPECT_EQ(ResultReader(path("a.h5")).info().status, "done");
  }
};

}  // namespace sim::test
