// simcheck on files with embedded surfaces: vertices that are not where their weights put them.
#include <gtest/gtest.h>
#include <hdf5.h>

#include <nlohmann/json.hpp>

#include "output/hdf5.hpp"
#include "support/program_test.hpp"

namespace sim {
namespace simcheck_embedding_test {

using Json = nlohmann::json;
using test::expect_contains;

// A bar that turns and falls, 60 nodes and then 54 vertices of its surface.
class SimcheckEmbedding : public test::SceneTest {
 protected:
  SimcheckEmbedding()
      : SceneTest(R"({ "name": "bar", "time": { "step": 0.005, "duration": 0.05 },
    "materials": { "m": { "young": 1e5, "poisson": 0.3 } },
    "meshes": { "bar": { "generate": "box", "size": [0.4, 0.3, 0.2], "cells": [4, 3, 2], "embed": { "cell": 0.1 } },
                "plane": { "generate": "half-space" } },
    "objects": [ { "name": "bar", "mesh": "bar", "material": "m", "position": [0.1, 0.2, 0.13], "velocity": [0.3, 0, -1],
                   "angular_velocity": [0, 2, 1], "rotation": { "axis": [1, 2, 3], "degrees": 20 } },
                 { "name": "floor", "type": "fixed", "mesh": "plane", "position": [0, 0, -0.11] } ],
    "output": { "every": 1 } })") {}
  void SetUp() override {
    SceneTest::SetUp();
    ASSERT_EQ(simrun("scene.json --quiet -o out.h5").exit_status, 0);
  }

  // One number of a dataset becomes `change` more.
  void damage(const std::string& dataset, const std::vector<hsize_t>& place, double change) const {
    const hdf5::Handle file(H5Fopen(path("out.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
    const hdf5::Handle data = hdf5::open_dataset(file, dataset);
    const hdf5::Handle space(H5Dget_space(data), H5Sclose), one(H5Screate(H5S_SCALAR), H5Sclose);
    double value = 0;
    H5Sselect_elements(space, H5S_SELECT_SET, 1, place.data());
    ASSERT_GE(H5Dread(data, H5T_NATIVE_DOUBLE, one, space, H5P_DEFAULT, &value), 0);
    value += change;
    ASSERT_GE(H5Dwrite(data, H5T_NATIVE_DOUBLE, one, space, H5P_DEFAULT, &value), 0);
  }
  Json judged(int exit_status) const {
    const test::Outcome outcome = run_here(SIMCHECK_PROGRAM, "out.h5 --json");
    EXPECT_EQ(outcome.exit_status, exit_status) << outcome.text;
    return Json::parse(outcome.text);
  }
  void expect_found(std::int64_t frame, int vertex) const {
    const Json j = judged(4);
    EXPECT_EQ(j["verdict"], "unsound");
    EXPECT_EQ(j["totals"]["misplaced_frame"], frame);
    EXPECT_EQ(j["totals"]["misplaced_vertex"], vertex);
    const std::string text = run_here(SIMCHECK_PROGRAM, "out.h5").text;
    expect_contains(text, "verdict: UNSOUND, nothing overlaps, but embedded vertices are not where their weights");
    expect_contains(text, "vertex " + std::to_string(vertex) + " of bar, frame " + std::to_string(frame));
  }
  void expect_refused(const std::string& reason) const {
    const test::Outcome outcome = run_here(SIMCHECK_PROGRAM, "out.h5");
    EXPECT_EQ(outcome.exit_status, 3) << outcome.text;
    expect_contains(outcome.text, "out.h5: /model: object \"bar\": embedded vertex " + reason);
  }
};

TEST_F(SimcheckEmbedding, ARunPutsThemWhereTheirWeightsSay) {
  const Json j = judged(0);
  EXPECT_LT(j["totals"]["misplaced"], 1e-13);
  EXPECT_EQ(j["totals"]["frames_judged"], 11);
}

// 1 um of a cell of 0.1 m with edges of 0.17 m: 6e-6.
TEST_F(SimcheckEmbedding, AVertexThatIsElsewhereIsFound) {
  damage("/frames/positions", {3, 70, 1}, 1e-6);
  expect_found(3, 70);
}

TEST_F(SimcheckEmbedding, AVelocityThatIsNotThatOfTheCageIsFound) {
  damage("/frames/velocities", {7, 100, 2}, 1e-4);
  expect_found(7, 100);
}

TEST_F(SimcheckEmbedding, ANodeThatIsElsewhereIsFoundByWhatGoesWithIt) {
  damage("/frames/positions", {5, 10, 0}, 1e-5);
  EXPECT_EQ(judged(4)["totals"]["misplaced_frame"], 5);
}

TEST_F(SimcheckEmbedding, WeightsThatAreNoPlaceInATetAreRefused) {
  damage("/model/embedding/weights", {4, 1}, 1e-3);
  expect_refused("64 has weights that are no place in a tetrahedron");
}

TEST_F(SimcheckEmbedding, APlaceAtRestThatIsNotThatOfTheWeightsIsRefused) {
  damage("/model/rest_positions", {66, 2}, 1e-5);
  expect_refused("66 is not where its weights put it at rest");
}

TEST_F(SimcheckEmbedding, AVertexThatIsEmbeddedTwiceIsRefused) {
  damage("/model/embedding/vertex", {5}, -1);
  expect_refused("64 is not among its last vertices, or comes twice");
}

TEST_F(SimcheckEmbedding, CornersThatAreEmbeddedThemselvesAreRefused) {
  damage("/model/embedding/corners", {3, 0}, 60);
  expect_refused("63 has corners that are no nodes of its cage");
}

}  // namespace simcheck_embedding_test
}  // namespace sim
