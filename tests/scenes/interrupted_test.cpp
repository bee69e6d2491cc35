// Ctrl-C in the middle of a solve that takes long: the run ends with the state before that step, and goes on from it.
#include <gtest/gtest.h>

#include "contact/chain.hpp"
#include "contact/residual.hpp"
#include "output/checkpoint.hpp"
#include "output/fclib.hpp"
#include "output/result_reader.hpp"
#include "scenes/result_equality.hpp"
#include "support/program_test.hpp"

namespace sim {
namespace interrupted_test {

using test::expect_contains;

// A stiff card set down on a floor. Conjugate residuals take tens of thousands of iterations in its first step.
class InterruptedCard : public test::SceneTest {
 protected:
  InterruptedCard()
      : SceneTest(R"({
    "name": "card",
    "time": { "step": 0.025, "duration": 0.05 },
    "materials": { "stiff": { "young": 1e8, "poisson": 0.3, "density": 1000 } },
    "meshes": { "card": { "generate": "box", "size": [0.5, 0.5, 0.005], "cells": [19, 19, 1] },
                "floor": { "generate": "slab", "size": [2, 2], "thickness": 0.1 } },
    "objects": [
      { "name": "card", "mesh": "card", "material": "stiff", "position": [0, 0, 0.0026] },
      { "name": "floor", "type": "fixed", "mesh": "floor", "position": [0, 0, -0.05] } ],
    "contact": { "friction": 0.1 },
    "output": { "every": 1, "checkpoint": 1 }
  })") {}
};

// With a tolerance that nothing reaches and iterations without end, so that Ctrl-C comes within the step on any
// machine.
TEST_F(InterruptedCard, StopsInsideItsFirstStepAndGoesOnToTheSameBits) {
  const std::string able = " --set solver.max_iterations=10000 --set solver.relative_tolerance=0.01 --solver exact";
  const test::Outcome whole = simrun("scene.json --quiet --threads 1 -o whole.h5" + able);
  ASSERT_EQ(whole.exit_status, 0) << whole.text;
  for (const char* method : {"cr-full", "ica", "sp-cr"}) {
    SCOPED_TRACE(method);
    const std::string endless =
        std::string("scene.json --threads 2 -o a.h5 --set solver.max_iterations=1000000000 ") +
        "--set solver.relative_tolerance=1e-20 --solver " + method;
    const test::Outcome stopped = interrupt(endless, "a.h5");
    ASSERT_EQ(stopped.exit_status, 130) << stopped.text;
    expect_contains(stopped.text, "interrupted by the user");
    expect_contains(stopped.text, "simrun --resume a.h5");
    {
      const ResultReader result(path("a.h5"));
      EXPECT_EQ(result.info().status, "interrupted");
      EXPECT_EQ(result.frame_count(), 1);
      EXPECT_TRUE(result.step_column("status").empty());
    }
    EXPECT_EQ(checkpoint_steps(path("a.h5")), std::vector<std::int64_t>{0});
    const test::Outcome on = simrun("--resume a.h5 --quiet --threads 1 -o b.h5" + able);
    ASSERT_EQ(on.exit_status, 0) << on.text;
    test::expect_same_datasets(path("whole.h5"), path("b.h5"));
    for (const char* name : {"a.h5", "b.h5"}) std::filesystem::remove(path(name));
  }
}

class InterruptedSimsolve : public test::ProgramTest {};

TEST_F(InterruptedSimsolve, TellsAndWritesWhatItHas) {
  const ContactProblem problem = test::chain_on_floor({});
  write_fclib(path("problem.hdf5"), problem);
  // Signals are sent once the program listens to them: bit 1 of SigCgt. A solve ends by itself where rounding is in
  // its way, so there are many.
  const test::Outcome stopped = test::run(
      "cd '" + folder_.string() +
      "' && { '" SIMSOLVE_PROGRAM "' problem.hdf5 --solver exact -o s.hdf5 --repeat 1000000 " +
      "--tolerance 1e-300 --constraint-tolerance 1e-300 --max-iterations 1000000000 & " +
      "while ! grep -q '^SigCgt:.*[2367abef]$' /proc/$!/status && kill -0 $!; do sleep 0.01; done; sleep 0.1; "
      "kill -INT $!; wait $!; }");
  EXPECT_EQ(stopped.exit_status, 130) << stopped.text;
  expect_contains(stopped.text, "status       interrupted: interrupted after ");
  expect_contains(stopped.text, "exact did not converge (interrupted) in ");
  // As far as it came, which may be not at all.
  ContactSolution solution = from_fclib(problem, read_fclib_solution(path("s.hdf5"), 90, 30));
  const std::string told = "residual     momentum ";
  const double residual = std::stod(stopped.text.substr(stopped.text.find(told) + told.size()));
  EXPECT_NEAR(contact_residual(problem, solution).momentum, residual, 0.01 * residual + 1e-12) << stopped.text;
}

}  // namespace interrupted_test
}  // namespace sim
