// What a user is told of tetrahedra that are squeezed too far: once in the run, in its summary, and by simcheck.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "output/result_reader.hpp"
#include "support/program_test.hpp"

namespace sim {
namespace squeezed_test {

using test::expect_contains;

// A cube that stands on pinned vertices under a weight of five times its stiffness, beside one that floats. What is
// turned inside out meets itself, from inside: without contacts.
std::string scene(const std::string& material) {
  return R"({ "name": "pressed", "time": { "step": 0.01, "duration": 0.02 }, "gravity": [0, 0, -5000],
  "materials": { "soft": { "young": 1e5, "poisson": 0.3, "damping": { "stiffness": 0.02 }, )" +
         material + R"( }, "stiff": { "young": 1e9 } },
  "meshes": { "cube": { "generate": "box", "size": [0.1, 0.1, 0.1], "cells": [3, 3, 3] } },
  "objects": [
    { "name": "other", "mesh": "cube", "material": "stiff", "position": [3, 0, 0] },
    { "name": "cube", "mesh": "cube", "material": "soft", "boundary": [ { "box": [[-1, -1, -0.051], [1, 1, -0.049]] } ] } ],
  "contact": { "enabled": false }, "output": { "every": 1 } })";
}

class Squeezed : public test::ProgramTest {
 protected:
  test::Outcome run(const std::string& material, const std::string& more = "") const {
    write("scene.json", scene(material));
    test::Outcome outcome = simrun("scene.json -o out.h5 " + more);
    EXPECT_EQ(outcome.exit_status, 0) << outcome.text;
    return outcome;
  }
  nlohmann::json judge(int exit_status) const {
    const test::Outcome outcome = run_here(SIMCHECK_PROGRAM, "out.h5 --json");
    EXPECT_EQ(outcome.exit_status, exit_status) << outcome.text;
    return nlohmann::json::parse(outcome.text, nullptr, false);
  }
};

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

const char* const as_published = R"("as_published": true)";

TEST_F(Squeezed, TheFirstTetrahedronTurnedInsideOutIsToldOnceWithObjectNumberPlaceAndTime) {
  const std::string text = run(as_published).text;
  EXPECT_EQ(count(text, "turned inside out, its volume is"), 1U) << text;
  expect_contains(text, "step 1, t 0.01 s: tetrahedron ");
  expect_contains(text, " of \"cube\", at (");
  expect_contains(text, "of that at rest");
  // Its number is one of its object, of which there are 162.
  const std::string before = "t 0.01 s: tetrahedron ";
  EXPECT_LT(std::stoi(text.substr(text.find(before) + before.size())), 162);
}

TEST_F(Squeezed, AWarningOfAMaterialAsPublishedNamesTheKeyThatLetsIt) {
  expect_contains(run(as_published).text,
                  "\"soft\" is as published, which does not resist it: see materials.soft.as_published");
}

TEST_F(Squeezed, TheSummaryCountsTheStepsAndTheMostTetrahedra) {
  const std::string text = run(as_published).text;
  expect_contains(text, "2 of 2 steps ended with tetrahedra turned inside out");
  expect_contains(text, "  inverted                2 steps   (at most ");
  expect_contains(text, "  min volume ");
}

TEST_F(Squeezed, ItIsToldAtTheEndWithQuietTooAndTheLogHasTheTetrahedron) {
  const std::string text = run(as_published, "--quiet --log-file log.txt").text;
  expect_contains(text, "2 of 2 steps ended with tetrahedra turned inside out");
  EXPECT_EQ(count(read("log.txt"), "turned inside out, its volume is"), 1U) << read("log.txt");
}

TEST_F(Squeezed, SimcheckEndsWithStatus5) {
  run(as_published);
  const nlohmann::json j = judge(5);
  EXPECT_EQ(j["verdict"], "inverted");
  EXPECT_EQ(j["totals"]["inverted_frames"], 2);
  EXPECT_EQ(j["totals"]["first_inverted_frame"], 1);
  EXPECT_EQ(j["totals"]["min_volume_object"], "cube");
}

TEST_F(Squeezed, ByDefaultNothingIsTurnedAndThatAnotherEnergyTookOverIsToldOnce) {
  for (const char* model : {"corotational", "neo-hookean"}) {
    const std::string text = run(R"("model": ")" + std::string(model) + "\"").text;
    EXPECT_EQ(count(text, "turned inside out"), 0U) << text;
    expect_contains(text, "  inverted                0 steps");
    const nlohmann::json j = judge(0);
    EXPECT_EQ(j["verdict"], "clean");
    EXPECT_GT(j["totals"]["min_volume_ratio"], 0);
    const bool took_over = std::string(model) == "corotational";  // neo-Hookean resists with its own down to 0.01
    EXPECT_EQ(count(text, "of its rest volume, where another energy takes the place"), took_over ? 1U : 0U) << text;
  }
}

}  // namespace squeezed_test
}  // namespace sim
