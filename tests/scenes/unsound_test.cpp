// What simrun says at its end of a run that simcheck would call unsound: the same.
#include <gtest/gtest.h>

#include "model/soundness.hpp"
#include "support/program_test.hpp"

namespace sim {
namespace unsound_test {

using test::expect_contains;

// A cord without tension, held by one end and thrown across at two segments a step: by the published step, which
// knows no stiffness across it, it is stretched to twice its length for nothing.
const char* const whip = R"({ "name": "whip", "time": { "step": 0.01, "duration": 0.1 },
  "materials": { "cord": { "model": "cable", "stretch": 1000, "density": 1000, "thickness": 0.004 } },
  "meshes": { "cord": { "generate": "path", "points": [[0, 0, 0], [1, 0, 0]], "segments": 10 } },
  "objects": [ { "name": "cord", "mesh": "cord", "material": "cord", "velocity": [0, 0, 20],
                 "boundary": [ { "box": [[-0.01, -1, -1], [0.01, 1, 1]] } ] } ],
  "output": { "every": 1, "checkpoint": 1 }, "solver": { "as_published": true } })";

class Unsound : public test::SceneTest {
 protected:
  Unsound() : SceneTest(whip) {}
  test::Outcome run(const std::string& arguments) const {
    test::Outcome outcome = simrun(arguments);
    EXPECT_EQ(outcome.exit_status, 0) << outcome.text;
    return outcome;
  }
  // What simcheck says of out.h5: "energy came from nothing, ... J from step ... to ... where ... J are allowed".
  std::string verdict() const {
    const test::Outcome judged = run_here(SIMCHECK_PROGRAM, "out.h5");
    EXPECT_EQ(judged.exit_status, 4) << judged.text;
    const std::size_t begin = judged.text.find("energy came from nothing"),
                      end = judged.text.find(" are allowed", begin);
    EXPECT_LT(end, judged.text.size()) << judged.text;
    return judged.text.substr(begin, end - begin);
  }
};

TEST_F(Unsound, ARunSaysAtItsEndWhatSimcheckSaysOfItQuietOnesToo) {
  const test::Outcome outcome = run("scene.json --quiet -o out.h5");
  expect_contains(verdict(), " J from step 0 to ");
  expect_contains(outcome.text, "unsound: " + verdict());
  expect_contains(outcome.text, "simcheck out.h5 tells more");
}

TEST_F(Unsound, ARunThatGoesOnKnowsOfTheStepsBefore) {
  run("scene.json --quiet --steps 5 -o out.h5");
  const test::Outcome outcome = run("--resume out.h5 --quiet --steps 10");
  expect_contains(verdict(), " J from step 0 to ");
  expect_contains(outcome.text, "unsound: " + verdict());
}

TEST_F(Unsound, NothingIsSaidOfASoundOne) {
  EXPECT_EQ(run("scene.json --quiet --set solver.as_published=false -o out.h5").text, "");
  EXPECT_EQ(run_here(SIMCHECK_PROGRAM, "out.h5").exit_status, 0);
}

TEST(UnborneLoads, AreThoseThatNoContactAndLessThanHalfOfWhatIsPrescribedBears) {
  UnborneLoads loads;
  loads.add(1, 0.5, 0, {0, 0, -4}, {0, 0, 2});    // half
  loads.add(2, 0.5, 1, {0, 0, -4}, {0, 0, 0});    // a contact
  loads.add(3, 0.5, 0, {0, 0, 0}, {0, 0, 0});     // no load
  loads.add(4, 0.5, 0, {0, 0, -4}, {0, 0, 1.9});  // 8 N
  loads.add(5, 0.5, 0, {0, 3, 0}, {0, 0, 0});
  const Unborne found = loads.finding(1e-6, 1);
  EXPECT_EQ(found.steps, 2);
  EXPECT_EQ(found.first, 4);
  EXPECT_EQ(found.force, 8);
  // As work along a gap less than the rounding of what is in play.
  EXPECT_EQ(loads.finding(1e-6, 1e12).steps, 0);
}

}  // namespace unsound_test
}  // namespace sim
