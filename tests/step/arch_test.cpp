// A semicircular arch of 60 rigid stones that cannot slide stands where it is thicker than 0.1075 of its radius
// (Milankovitch 1907), and falls on five hinges where it is thinner.
#include "support/played.hpp"

namespace sim {
namespace arch_test {

using test::Played;

constexpr int stones = 60;
constexpr double degrees_apart = 1e-4;  // of neighbours when it begins: 2 um

std::string masonry_arch(double thickness) {
  const double angle = 180.0 / stones;
  std::string poses;
  for (int i = 0; i < stones; ++i) {
    poses += (i > 0 ? "," : "") + std::string(R"({"position": [0, 0, 0], "rotation": {"degrees": )") +
             std::to_string((i + 0.5) * angle) + "}}";
  }
  return test::with(R"({"gravity": [0, -9.81, 0], "time": {"step": 0.005, "duration": 1},
      "materials": {"stone": {"density": 2000}},
      "meshes": {
        "stone": {"generate": "wedge", "radii": [INNER, OUTER], "degrees": ANGLE, "depth": 0.1, "cells": [1, 1, 1]},
        "base": {"generate": "wedge", "radii": [0.8, 1.2], "degrees": 10, "depth": 0.3, "cells": [1, 1, 1]}},
      "objects": [{"name": "stones", "type": "rigid", "mesh": "stone", "material": "stone", "poses": [POSES]},
        {"name": "left", "type": "fixed", "mesh": "base", "rotation": {"degrees": LEFT}},
        {"name": "right", "type": "fixed", "mesh": "base", "rotation": {"degrees": RIGHT}}],
      "contact": {"friction": 1}})",
                    {{"INNER", std::to_string(1 - thickness / 2)},
                     {"OUTER", std::to_string(1 + thickness / 2)},
                     {"ANGLE", std::to_string(angle - degrees_apart)},
                     {"POSES", poses},
                     {"LEFT", std::to_string(185 + degrees_apart)},
                     {"RIGHT", std::to_string(-5 - degrees_apart)}});
}

// How far the stone beside the crown comes down in this many steps, in m.
double comes_down(const std::string& scene, int steps) {
  Played played(scene);
  const double at_start = played.state.rigid[stones / 2].center.y();
  played.advance(steps);
  return at_start - played.state.rigid[stones / 2].center.y();
}

TEST(MasonryArch, StandsAboveTheThicknessOfMilankovitch) {
  EXPECT_NEAR(comes_down(masonry_arch(0.12), 30), 0, 5e-4);
}

TEST(MasonryArch, FallsBelow) {
  EXPECT_GT(comes_down(masonry_arch(0.095), 30), 5e-3);
}

}  // namespace arch_test
}  // namespace sim
