// Bodies so stiff and light for their time step that the last bits of their equations are more than the gaps that
// their weight would ask for.
#include <gtest/gtest.h>

#include "support/played.hpp"

namespace sim {
namespace rounding_test {

using test::Played;
using test::with;

// A ball of 0.5 mm and 0.08 mg, 4.5e10 Pa, falls by 1 um and rocks onto a facet: dt^2 K is a thousand million times
// its mass.
const char* const ball = R"({
  "time": { "step": 0.0036, "duration": 0.72, "scheme": "implicit-euler" },
  "materials": { "m": { "young": 4.5e10, "poisson": 0.3, "density": 152 } },
  "meshes": { "b": { "generate": "sphere", "radius": 0.0005, "resolution": 3 },
              "t": { "generate": "slab", "size": [2, 2], "thickness": 0.05 } },
  "objects": [ { "name": "t", "type": "fixed", "mesh": "t", "position": [0, 0, -0.025] },
               { "name": "b", "mesh": "b", "material": "m", "position": [0, 0, 0.000501] } ],
  "contact": { "friction": 0.2 }, "solver": { "method": "METHOD" } })";

class Rounding : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Methods, Rounding, ::testing::Values("auto", "exact"),
                         [](const ::testing::TestParamInfo<const char*>& method) {
                           return std::string(method.param);
                         });

TEST_P(Rounding, AStiffLightBallIsBorneInWholeStepsOfFewIterations) {
  Played run(with(ball, {{"METHOD", GetParam()}}));
  const double weight = 9.81 * run.model.elastic.mass.sum();
  double borne = 0;
  for (int step = 1; step <= 200; ++step) {
    const StepReport report = run.advance(1);
    EXPECT_EQ(report.substeps, 1) << "step " << step;
    EXPECT_LE(report.iterations, 2000) << "step " << step;
    if (step > 100) borne += report.impulse_prescribed.z();
  }
  EXPECT_NEAR(borne, 100 * 0.0036 * weight, 0.01 * 100 * 0.0036 * weight);
}

}  // namespace rounding_test
}  // namespace sim
