// Numbers in other units than those of the format are told, and what is unusual and right is not.
#include <gtest/gtest.h>

#include "scene/load.hpp"
#include "scene/messages.hpp"

namespace sim {
namespace units_test {

std::vector<std::string> warnings(const std::string& text, std::optional<std::int64_t> steps = {}) {
  LoadReport report;
  Scene scene = parse_scene(text, "test.json", ".");
  if (steps) set_steps(*steps, scene);
  load_model(scene, report);
  return report.warnings;
}

// One box of these edges, in m.
std::string box(const std::string& material, const std::string& size = "[1, 1, 1]", const std::string& more = "",
                const std::string& type = "deformable") {
  return R"({ "materials": { "m": { )" + material + R"( } }, "meshes": { "b": { "generate": "box", "size": )" + size +
         R"( } }, "objects": [ { "name": "cube", "mesh": "b", "material": "m", "type": ")" + type + "\" } ]" + more +
         " }";
}

void expect_one(const std::vector<std::string>& told, const std::string& beginning, const std::string& end) {
  ASSERT_EQ(told.size(), 1U) << beginning;
  EXPECT_EQ(told[0].find(beginning), 0U) << told[0];
  EXPECT_NE(told[0].find(end), std::string::npos) << told[0];
}

// g/cm^3 is heavier than air; what sound would do tells it.
TEST(Units, ASteelOfSevenKilogramsACubicMetreIsToldOf) {
  expect_one(warnings(box(R"("young": 2.1e11, "density": 7.8)")), "material \"m\" has a density of 7.8 kg/m^3",
             "faster in it than in diamond (1.64e+05 m/s)");
  EXPECT_TRUE(warnings(box(R"("density": 7.8)", "[1, 1, 1]", "", "rigid")).empty());
}

// rho g h is 9810 Pa of a cube of water of 1 m.
TEST(Units, ABodyThatItsOwnWeightCrushesIsTold) {
  expect_one(warnings(box(R"("young": 1e4)")), "\"cube\": its own weight shortens it by about 49 % of its height: ",
             "material \"m\", 1e+04 Pa, in kPa, MPa or GPa, or its mesh in mm?");
  expect_one(warnings(box(R"("young": 2000)")),
             "\"cube\": its own weight crushes it (4.91 times its young at the foot): ", "Pa and m are expected");
  expect_one(warnings(box(R"("young": 1)")), "material \"m\" has a young of 1 Pa, softer than any gel", "GPa");
  expect_one(warnings(box(R"("young": 3e4)", "[1, 1, 2]")), "\"cube\": its own weight shortens it by ", "");
  expect_one(warnings(box(R"("young": 3e4)", "[2, 1, 1]", R"(, "gravity": [-9.81, 0, 0])")), "\"cube\": ", "");
}

TEST(Units, ABodyThatBearsItsWeightIsNot) {
  EXPECT_TRUE(warnings(box(R"("young": 3e4)")).empty());
  EXPECT_TRUE(warnings(box(R"("young": 3e4)", "[9, 1, 1]")).empty());  // lies
  EXPECT_TRUE(warnings(box(R"("young": 1e3)", "[1, 1, 1]", R"(, "gravity": [0, 0, 0])")).empty());
  EXPECT_TRUE(warnings(box(R"("young": 1e3)", "[1, 1, 1]", "", "rigid")).empty());
}

TEST(Units, UnusualScenesAreNotTold) {
  const std::string micro = R"(, "time": { "step": 1e-6, "duration": 1e-3 })";
  EXPECT_TRUE(warnings(box(R"("young": 1e3)", "[1e-6, 1e-6, 1e-6]", micro)).empty());
  EXPECT_TRUE(
      warnings(box(R"("young": 7e10, "density": 2700)", "[100, 100, 100]", R"(, "gravity": [0, 0, 0])")).empty());
  EXPECT_TRUE(warnings(box(R"("young": 2e4, "density": 5)")).empty());
  EXPECT_TRUE(warnings(box(R"("young": 4e11, "density": 19300)")).empty());
  EXPECT_TRUE(warnings(box(R"("young": 1.05e12, "density": 3510)")).empty());  // diamond
  EXPECT_TRUE(
      warnings(box(R"("young": 1e7, "density": 2000)", "[1, 1, 0.5]", R"(, "gravity": [0, 0, -294])")).empty());
}

TEST(Units, DensitiesThatNoMatterHasAreTold) {
  for (const char* type : {"deformable", "rigid"}) {
    expect_one(warnings(box(R"("density": 7.8e-9)", "[1, 1, 1]", "", type)),
               "material \"m\" has a density of 7.8e-09 kg/m^3, lighter than air", "g/cm^3 or t/mm^3?");
    expect_one(warnings(box(R"("young": 1e12, "density": 1e6)", "[1, 1, 1]", "", type)),
               "material \"m\" has a density of 1e+06 kg/m^3, heavier than any metal", "kg/m^3 is expected");
    EXPECT_TRUE(warnings(box(R"("density": 1)", "[1, 1, 1]", "", type)).empty());
  }
}

TEST(Units, SheetsMayHaveTheDensityThatGivesTheirMass) {
  EXPECT_TRUE(warnings(R"({ "materials": { "m": { "model": "edge-springs", "density": 0.02, "thickness": 0.05 } },
    "meshes": { "s": { "generate": "sheet" } }, "objects": [ { "name": "s", "mesh": "s", "material": "m" } ] })")
                  .empty());
}

TEST(Units, GravityInMillimetresIsTold) {
  expect_one(warnings(box(R"("young": 1e9)", "[1, 1, 1]", R"(, "gravity": [0, -9810, 0])")),
             "gravity is 9810 m/s^2, 1e+03 times that of the Earth: was it meant to be in mm/s^2?", "expected");
}

TEST(Units, StepsInMillisecondsAreTold) {
  const auto with = [](const std::string& time, const std::string& more = "") {
    return box("", "[1, 1, 1]", R"(, "time": { )" + time + " }" + more);
  };
  const std::string weightless = R"(, "gravity": [0, 0, 0])";
  expect_one(warnings(with(R"("step": 2, "duration": 3)")),
             "time.step is 2 s, in which what is free falls by 19.6 m, farther than \"cube\" is large (1.73 m)",
             "in ms?");
  expect_one(warnings(with(R"("step": 2, "duration": 3)", weightless)),
             "time.step is 2 s, more than a third of time.duration, 3 s", "in ms?");
  EXPECT_TRUE(warnings(with(R"("step": 1, "duration": 3)", weightless)).empty());
  EXPECT_TRUE(warnings(with(R"("step": 2, "duration": 3, "scheme": "quasi-static")")).empty());
  EXPECT_TRUE(warnings(with(R"("step": 0.01, "duration": 1)")).empty());
  EXPECT_TRUE(warnings(with(R"("step": 0.01, "duration": 1)"), 1).empty());  // asked for
}

}  // namespace units_test
}  // namespace sim
