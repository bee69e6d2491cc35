// A scene with everything that is not a plain body: an embedded body on the floor, a sheet with strain limits over
// it, and a cable across both. Without friction the velocities that solve a step are one, whatever the method.
#include <algorithm>
#include <cmath>

#include "collide/intersections.hpp"
#include "collide/limits.hpp"
#include "support/methods.hpp"
#include "support/played.hpp"

namespace sim {
namespace mixed_test {

using test::Played;
using test::with;

constexpr const char* mixed = R"({"time": {"step": 0.004, "duration": 1},
  "materials": {
    "jelly": {"young": 5e4, "poisson": 0.3, "density": 500, "damping": {"mass": 2}},
    "cloth": {"model": "grid-springs", "stretch": 5, "density": 200, "thickness": 0.004, "strain_limit": [1, 0.02],
              "damping": {"mass": 2}},
    "wire": {"model": "cable", "stretch": 200, "bend": 1e-4, "density": 1000, "thickness": 0.01, "damping": {"mass": 2}}},
  "meshes": {
    "block": {"generate": "box", "size": [0.2, 0.2, 0.1], "cells": [3, 3, 2], "embed": {"cell": 0.1}},
    "cloth": {"generate": "sheet", "size": [0.4, 0.4], "cells": [8, 8], "pattern": "grid"},
    "rope": {"generate": "path", "points": [[-0.25, 0, 0], [0.25, 0.03, 0]], "segments": 12},
    "floor": {"generate": "half-space"}},
  "objects": [
    {"name": "block", "mesh": "block", "material": "jelly", "position": [0, 0, 0.051]},
    {"name": "cloth", "mesh": "cloth", "material": "cloth", "position": [0.01, 0.02, 0.104],
     "rotation": {"axis": [0, 0, 1], "degrees": 10}},
    {"name": "rope", "mesh": "rope", "material": "wire", "position": [0, 0, 0.112]},
    {"name": "floor", "type": "fixed", "mesh": "floor"}],
  "contact": {"friction": 0}, "solver": {"method": "METHOD", "relative_tolerance": 1e-5}})";

Index pushing(std::span<const Contact> contacts, const Model& model, Index a, Index b) {
  return static_cast<Index>(std::count_if(contacts.begin(), contacts.end(), [&](const Contact& contact) {
    const Index first = model.surface.vertex_object[contact.vertices[0]];
    const Index second = model.surface.vertex_object[contact.vertices[3]];
    return contact.state != FrictionState::open && std::minmax(first, second) == std::minmax(a, b);
  }));
}

// Where all kinds of contacts push.
const State& settled() {
  static const State made = [] {
    Played run(with(mixed, {{"METHOD", "auto"}}));
    run.advance(40);
    return run.state;
  }();
  return made;
}

struct Settled : Played {
  explicit Settled(const std::string& method) : Played(with(mixed, {{"METHOD", method}})) { state = settled(); }
};

TEST(Mixed, HasContactsOfAllKinds) {
  Settled run("auto");
  const StepReport report = run.advance(1);
  EXPECT_GT(report.limited, 0);
  EXPECT_GT(pushing(run.scratch.solved, run.model, 0, 3), 0);  // block on the floor
  EXPECT_GT(pushing(run.scratch.solved, run.model, 0, 1), 0);  // cloth on the block
  EXPECT_GT(pushing(run.scratch.solved, run.model, 1, 2), 0);  // rope on the cloth
  EXPECT_TRUE(find_overlaps(run.model.surface, run.state.x).empty());
}

class MixedMethod : public testing::TestWithParam<std::string> {};

TEST_P(MixedMethod, TakesTheStepOfAllOthers) {
  const auto one_step = [](const std::string& method) {
    Settled run(method);
    run.advance(1);
    return run.state.v;
  };
  static const VecX expected = one_step("exact");
  const VecX v = one_step(GetParam());
  EXPECT_LT((v - expected).lpNorm<Eigen::Infinity>(), 0.01 * 9.81 * 0.004);
}

INSTANTIATE_TEST_SUITE_P(EveryMethod, MixedMethod, testing::ValuesIn(test::every_method()), test::name_of_method);

TEST(Mixed, HasTheSameBitsForAnyNumberOfThreadsAndWithNewScratch) {
  Settled one("auto"), three("auto");
  test::expect_same_bits(one, three, 3, 2, 5);
}

}  // namespace mixed_test
}  // namespace sim
