// What a scene may say and hardly means, and names that it may not have.
#include <gtest/gtest.h>

#include "mesh/generate.hpp"
#include "scene/load.hpp"
#include "scene/messages.hpp"
#include "scene/warnings.hpp"
#include "support/objects.hpp"

namespace sim {
namespace {

std::vector<std::string> warnings(const std::string& text) {
  LoadReport report;
  load_model(parse_scene(text, "test.json", "."), report);
  return report.warnings;
}

// Two cubes of 1 m in one surface, the second `aside` along x and y and a little along z.
Mesh two_cubes(double aside) {
  Mesh mesh = generate(BoxShape{.size = {1, 1, 1}, .cells = {1, 1, 1}});
  mesh.tets.clear();
  const std::vector<Vec3> vertices = mesh.vertices;
  const std::vector<Triangle> triangles = mesh.triangles;
  const auto count = static_cast<Index>(vertices.size());
  for (const Vec3& X : vertices) mesh.vertices.push_back(X + Vec3(aside, aside, 0.3));
  for (const Triangle& t : triangles) mesh.triangles.push_back({t[0] + count, t[1] + count, t[2] + count});
  return mesh;
}

TEST(Warnings, OfARigidSurfaceThatCutsItself) {
  for (const double aside : {0.6, 2.0}) {
    Model model;
    model.materials = {{.name = "stone"}};
    test::add_object(model, "pair.1", ObjectType::rigid, two_cubes(aside), {0, 0, 0});
    test::add_object(model, "pair.2", ObjectType::rigid, two_cubes(aside), {9, 0, 0});
    LoadReport report;
    warn_of_rigid_surfaces_that_cut_themselves(model, report);
    ASSERT_EQ(report.warnings.size(), aside < 1 ? 1U : 0U);
    if (aside < 1) {
      EXPECT_EQ(report.warnings[0].find("the surface of \"pair.1\" cuts itself ("), 0U) << report.warnings[0];
    }
  }
}

// Doubles of 2^k to 2^(k+1) are 2^(k-52) apart; contacts of a torus keep a fiftieth of a tolerance that is a part of
// its edges.
TEST(Warnings, OfBodiesWhoseCoordinatesAreTooFarApart) {
  const auto at = [](const std::string& x) { return warnings(with_object("\"position\": [" + x + ", 0, 0]")); };
  EXPECT_TRUE(at("1e6").empty());
  ASSERT_EQ(at("1e12").size(), 1U);
  EXPECT_EQ(at("1e12")[0].find("\"left\" is 1e+12 m from the origin, where coordinates are 0.000222 m apart: "), 0U)
      << at("1e12")[0];
}

TEST(Warnings, OfARelativeToleranceThatStepsAsPublishedDoNotHave) {
  const std::string both = R"("solver": { "as_published": true, "relative_tolerance": 0.001 })";
  ASSERT_EQ(warnings(with_top_level(both)).size(), 1U);
  EXPECT_EQ(warnings(with_top_level(both))[0].find("solver.relative_tolerance does nothing: "), 0U);
  EXPECT_TRUE(warnings(with_top_level(R"("solver": { "as_published": true })")).empty());
}

TEST(Warnings, NamesThatStandForOthersOrEndEarlyAreRefused) {
  EXPECT_EQ(
      message(spoilt("\"left\"", "\"*\"")),
      "test.json: /objects/0/name: \"*\": expected a name without *, which stands for any text in contact.pairs");
  EXPECT_EQ(message(spoilt("\"left\"", "\"a\\u0000b\"")),
            "test.json: /objects/0/name: \"a\\u0000b\": expected text without the letter of code 0, which files end "
            "names at");
}

TEST(Warnings, MessagesDoNotRepeatLongExpressions) {
  const std::string wrong = std::string(100000, '(') + "t";
  const std::string text = message(spoilt(
      "\"material\": \"rubber\" }", "\"type\": \"scripted\", \"motion\": { \"degrees\": \"" + wrong + "\" } }"));
  EXPECT_EQ(text.find("test.json: /objects/0/motion/degrees: "), 0U) << text.substr(0, 200);
  EXPECT_LT(text.size(), 1000U);
  EXPECT_NE(text.find("...\""), std::string::npos);
}

}  // namespace
}  // namespace sim
