// kill -9 at any moment: what is left, and that going on with it gives the file of a run that nothing disturbed.
#include <gtest/gtest.h>
#include <signal.h>

#include <sstream>

#include "scenes/faulty_runs.hpp"

namespace sim {
namespace killed_test {

using test::draw;
using test::expect_contains;
using test::rounds;

// Moments are counted in writes to the file, so that they are the same however fast the machine is.
class KilledWithMethod : public test::FaultyRuns, public ::testing::WithParamInterface<const char*> {};

TEST_P(KilledWithMethod, GoesOnBitForBitFromAnyWrite) {
  const std::string method = GetParam();
  const bool friction = method != "qp-active-set";
  // Staggered projections stall at the default where rows depend on each other.
  const bool staggered = method.starts_with("sp-");
  const std::string solver = method == "generalized-alpha" ? "auto --set time.scheme=generalized-alpha" : method;
  const std::string anew = "scene.json --trace -o a.h5 --solver " + solver +
                           (friction ? "" : " --set contact.friction=0") +
                           (staggered ? " --set solver.relative_tolerance=0.1 --set solver.on_failure=continue" : "");
  std::string whole = anew;
  whole.replace(whole.find("a.h5"), 4, "whole.h5");
  const long changes = run_whole(whole + " --threads 1");
  ASSERT_GT(changes, 1000);
  const ResultReader result(path("whole.h5"));
  const auto most = [&](const char* column) {
    const std::vector<double> values = result.step_column(column);
    return *std::max_element(values.begin(), values.end());
  };
  ASSERT_GT(most("contacts"), 20);
  if (friction) {
    ASSERT_GT(most("sticking"), 0);
    ASSERT_GT(most("sliding"), 0);
  }
  Random random(7);
  for (int round = 0; round < rounds(3); ++round) {
    for (const char* name : {"a.h5", "a.xdmf", "a.h5.new", "a.xdmf.new"}) std::filesystem::remove(folder_ / name);
    const long first = draw(random, changes), second = draw(random, changes);
    SCOPED_TRACE("killed at change " + std::to_string(first) + " and then at " + std::to_string(second) + " of " +
                 std::to_string(changes));
    EXPECT_EQ(simrun_with("SIMRUN_TEST_KILL=" + std::to_string(first), anew + " --threads 1").exit_status, killed);
    expect_what_is_left_is_whole();
    if (const std::string on = way_on(anew); !on.empty()) {
      const test::Outcome again = simrun_with("SIMRUN_TEST_KILL=" + std::to_string(second), on + " --threads 2");
      EXPECT_TRUE(again.exit_status == killed || again.exit_status == 0) << again.text;  // 0: it had less to write
      expect_what_is_left_is_whole();
    }
    go_on_to_the_end(anew, " --threads 1");
  }
}

INSTANTIATE_TEST_SUITE_P(Every, KilledWithMethod,
                         ::testing::Values("cr-full", "cr-diag", "ica", "sp-cr", "sp-active-set", "qp-active-set",
                                           "constraint-anticipation", "generalized-alpha"),
                         [](const auto& method) {
                           std::string name = method.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

class Killed : public test::FaultyRuns {};

// Moments of the processor time of the run itself, so that a busy machine does not shift them.
TEST_F(Killed, GoesOnBitForBitFromTwentyRandomTimes) {
  const std::string anew = "scene.json --trace -o a.h5";
  const long before = test::processor_time_of_children();
  run_whole("scene.json --trace -o whole.h5 --threads 1");
  const long whole_run = test::processor_time_of_children() - before;
  const auto seed = static_cast<std::uint64_t>(getpid());
  SCOPED_TRACE("seed " + std::to_string(seed));
  Random random(seed);
  const auto kill_at_some_time = [&](const std::string& arguments) {
    const long moment = draw(random, whole_run);
    const test::Outcome outcome = simrun_with("SIMRUN_TEST_KILL_CPU=" + std::to_string(moment), arguments);
    EXPECT_TRUE(outcome.exit_status == killed || outcome.exit_status == 0) << outcome.text;
    expect_what_is_left_is_whole();
    return outcome.exit_status == killed ? 1 : 0;
  };
  const int wanted = rounds(20);
  int kills = 0, runs = 0;
  while (kills < wanted && runs++ < 20 * wanted) {
    std::filesystem::remove(folder_ / "a.h5");
    kills += kill_at_some_time(anew + " --threads 1");
    if (const std::string on = way_on(anew); !on.empty()) kills += kill_at_some_time(on + " --threads 2");
    go_on_to_the_end(anew, " --threads 1");
  }
  EXPECT_GE(kills, wanted) << "in " << runs << " runs";
}

TEST_F(Killed, WhileItBeginsToGoOnLeavesTheOldFileAsItWas) {
  run_whole("scene.json --trace -o whole.h5");
  expect_done("scene.json --trace -o a.h5 --steps 62");
  const std::string before = read("a.h5");
  for (const int change : {1, 2, 5, 20, 40}) {
    const std::string fault = "SIMRUN_TEST_KILL=" + std::to_string(change);
    EXPECT_EQ(simrun_with(fault, "--resume a.h5 --duration 0.2").exit_status, killed);
    EXPECT_TRUE(read("a.h5") == before) << change;
    EXPECT_TRUE(exists("a.h5.new")) << change;
  }
  expect_done("--resume a.h5 --duration 0.2");
  test::expect_same_datasets(path("whole.h5"), path("a.h5"));
  EXPECT_FALSE(exists("a.h5.new"));
}

// A kill can divide only a write over several pages, and what it divides must be new. 9000 rows are more than the
// blocks of an index take that lie within a page.
TEST_F(Killed, NoBlockOfALongFileIsWrittenInPlaceOverSeveralPages) {
  const auto divisible_writes = [&] {
    long changes = 0, divisible = -1;
    std::istringstream(read("changes.txt")) >> changes >> divisible;
    return divisible;
  };
  run_whole("scene.json -o a.h5 --trace");
  EXPECT_EQ(divisible_writes(), 0);
  write("one.json", R"({ "name": "one", "materials": { "rubber": {} }, "meshes": { "box": { "generate": "box" } },
    "objects": [ { "name": "box", "mesh": "box", "material": "rubber" } ], "output": { "every": 1, "checkpoint": 1 } })");
  run_whole("one.json -o a.h5 --steps 9000");
  const ResultReader result(path("a.h5"));
  EXPECT_EQ(result.frame_count(), 9001);
  EXPECT_EQ(checkpoint_steps(path("a.h5")).size(), 9001U);
  EXPECT_EQ(divisible_writes(), 0);
}

class DiskFull : public test::FaultyRuns {};

TEST_F(DiskFull, EndsTheRunWithTheReasonAndGoesOnWhenThereIsRoom) {
  const std::string anew = "scene.json --trace -o a.h5";
  const long changes = run_whole("scene.json --trace -o whole.h5");
  Random random(11);
  for (int round = 0; round < rounds(6); ++round) {
    std::filesystem::remove(folder_ / "a.h5");
    const long moment = draw(random, changes);
    SCOPED_TRACE("full from change " + std::to_string(moment) + " of " + std::to_string(changes));
    const test::Outcome outcome = simrun_with("SIMRUN_TEST_FULL=" + std::to_string(moment), anew);
    EXPECT_EQ(outcome.exit_status, 3) << outcome.text;
    const bool companion = outcome.text.find("a.xdmf: ") != std::string::npos;
    expect_contains(outcome.text, companion ? "a.xdmf: " : "a.h5: ");
    expect_contains(outcome.text, "No space left on device");
    expect_what_is_left_is_whole();
    if (const std::string on = way_on(anew); on != anew && !on.empty())
      expect_contains(outcome.text, "When there is room again, go on with: simrun " + on);
    EXPECT_FALSE(exists("a.h5.new"));
    go_on_to_the_end(anew, "");
  }
}

TEST_F(DiskFull, WhenARunBeginsOrGoesOnLeavesTheOldFileAsItWas) {
  expect_done("scene.json --trace -o a.h5 --steps 62");
  const std::string before = read("a.h5");
  for (const char* arguments : {"--resume a.h5 --duration 0.2", "scene.json -o a.h5"}) {
    for (const int change : {1, 2, 5, 20, 40}) {
      const test::Outcome outcome = simrun_with("SIMRUN_TEST_FULL=" + std::to_string(change), arguments);
      EXPECT_EQ(outcome.exit_status, 3) << outcome.text;
      expect_contains(outcome.text, "a.h5: ");
      expect_contains(outcome.text, "No space left on device");
      EXPECT_TRUE(read("a.h5") == before) << arguments << ", " << change;
      EXPECT_FALSE(exists("a.h5.new")) << arguments << ", " << change;
    }
  }
}

}  // namespace killed_test
}  // namespace sim
