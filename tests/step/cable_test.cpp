// Cables in whole steps, against what the code does not know.
#include <cmath>
#include <numbers>

#include "elasticity/cable.hpp"
#include "support/played.hpp"

namespace sim {
namespace cable_test {

using test::Played;
using test::with;

constexpr double g = 9.81;

constexpr const char* hanging = R"({"time": {"step": 0.02, "duration": 1},
  "materials": {"m": {"model": "cable", "stretch": 40, "density": 1000, "thickness": 0.02, "damping": {"mass": 6}}},
  "meshes": {"s": {"generate": "path", "points": [[0, 0, 0], [0, 0, -0.8]], "segments": 20}},
  "objects": [{"name": "cable", "mesh": "s", "material": "m", "boundary": [{"list": [0]}]}],
  "contact": {"enabled": false}, "solver": {"linear_tolerance": 1e-13}})";

// sigma g L^2 / (2 EA), also for the lumped one, and the tension of a link is the weight below it.
TEST(HangingCable, GetsLongerByItsWeight) {
  Played run(hanging);
  run.advance(1500);
  const double sigma = mass_per_length(run.model.materials[0]), L = 0.8, link = 0.04;
  const double longer = sigma * g * L * L / (2 * 40 * link);
  EXPECT_NEAR(-run.at(20)[2] - L, longer, 1e-7 * longer);
  const std::vector<double> tension = run.tension();
  for (int i = 0; i < 20; ++i) EXPECT_NEAR(tension[i], sigma * link * g * (19.5 - i), 1e-7 * tension[0]) << i;
}

// Span 1, length 1.2: a = 0.46954, sag 0.29234. Between links the horizontal pull is the same, and the vertical one
// grows by the weight of a vertex.
TEST(Catenary, HangsAsItIsKnownTo) {
  Played run(R"({"time": {"step": 0.01, "duration": 1},
    "materials": {"m": {"model": "cable", "stretch": 1e7, "density": 1000, "thickness": 0.02, "damping": {"mass": 8}}},
    "meshes": {"s": {"generate": "path", "points": [[-0.5, 0, 0], [0, 0, -0.33166247903554], [0.5, 0, 0]],
                     "segments": 100}},
    "objects": [{"name": "cable", "mesh": "s", "material": "m", "boundary": [{"list": [0, 100]}]}],
    "contact": {"enabled": false}, "solver": {"linear_tolerance": 1e-13}})");
  run.advance(1500);
  EXPECT_NEAR(-run.at(50)[2], 0.29234, 1e-4);
  const double sigma = mass_per_length(run.model.materials[0]);
  const std::vector<double> tension = run.tension();
  std::vector<Vec3> pull;
  for (Index i = 0; i < 100; ++i) pull.push_back(tension[i] * (run.at(i + 1) - run.at(i)).normalized());
  EXPECT_NEAR(pull[50][0], sigma * g * 0.46954, 2e-4 * pull[50][0]);
  for (std::size_t i = 1; i < 100; ++i) {
    EXPECT_NEAR(pull[i][0], pull[0][0], 1e-6 * pull[0][0]) << i;
    EXPECT_NEAR(pull[i][2] - pull[i - 1][2], sigma * 0.012 * g, 1e-6 * pull[0][0]) << i;
  }
}

// Of 30 links of 1e4 N, from the origin to ENDS.
constexpr const char* straight = R"({"time": {"step": 0.001, "duration": 1}, "gravity": GRAVITY,
  "materials": {"m": {"model": "cable", "stretch": 1e4, "bend": 1e-5, "density": 1000, "thickness": 0.004}},
  "meshes": {"s": {"generate": "path", "points": [[0, 0, 0], ENDS], "segments": 30}},
  "objects": [{"name": "cable", "mesh": "s", "material": "m", "angular_velocity": SPIN}]})";

// Let go from level about its end, stiff against bending: links turn as their body does, now more, now less.
TEST(StraightCable, SwingsAsARod) {
  Played run(R"({"time": {"step": 0.002, "duration": 1},
    "materials": {"m": {"model": "cable", "stretch": 5e7, "bend": 1, "density": 2000, "thickness": 0.004}},
    "meshes": {"s": {"generate": "path", "points": [[0, 0, 0], [0.5, 0, 0]], "segments": 25}},
    "objects": [{"name": "cable", "mesh": "s", "material": "m", "boundary": [{"list": [0]}]}]})");
  double angle = 0.5 * std::numbers::pi, rate = 0, expected = 0;  // from the vertical
  for (constexpr double h = 1e-5; angle > 0; expected += h) {
    rate -= h * 1.5 * g / 0.5 * std::sin(angle);
    angle += h * rate;
  }
  double before = run.at(25)[0];
  while (run.state.time < 1) {
    run.advance(1);
    const double x = run.at(25)[0];
    if (x < 0) {
      EXPECT_NEAR(run.state.time - 0.002 * -x / (before - x), expected, 0.02 * expected);
      return;
    }
    before = x;
  }
  FAIL() << "it does not come to the vertical";
}

// All of it by g dt^2 n (n + 1) / 2, whatever its direction: it has no inertia about itself, but rounding.
TEST(StraightCable, FallsFreelyInAnyDirection) {
  for (const char* ends :
       {"[0.2, 0.2, 0]", "[-0.2, 0.2, 0]", "[0.7, 0.7, 0]", "[0.1, 0.1, 0.1]", "[0.3, 0, 0]", "[0.2, -0.1, 0.3]"}) {
    Played run(with(straight, {{"GRAVITY", "[0, 0, -9.81]"}, {"ENDS", ends}, {"SPIN", "[0, 0, 0]"}}));
    const VecX before = run.state.x;
    run.advance(50);
    for (Index i = 0; i <= 30; ++i)
      EXPECT_NEAR((run.at(i) - block(before, i) - Vec3(0, 0, -g * 1e-6 * 50 * 51 / 2)).norm(), 0, 1e-12) << ends;
  }
}

// It is stretched by its turn, n sigma w^2 L^2 / (12 k) in all, and keeps its kinetic energy, sigma L^3 w^2 / 24 of
// an even rod, of lumped masses (1 + 2 / n^2) times that.
TEST(StraightCable, SpinsAcrossItselfInAnyDirection) {
  for (const char* ends : {"[0.2, 0.2, 0]", "[1, 1, 0]", "[-1, 1, 0]", "[0.3, 0, 0]", "[0.2, -0.1, 0]"}) {
    Played run(with(straight, {{"GRAVITY", "[0, 0, 0]"}, {"ENDS", ends}, {"SPIN", "[0, 0, 3]"}}));
    const double length = (run.at(30) - run.at(0)).norm();
    const double sigma = mass_per_length(run.model.materials[0]);
    const double energy = sigma * std::pow(length, 3) * 9 / 24 * (1 + 2.0 / 900);
    const double longer = 30 * sigma * 9 * length * length / (12 * 1e4);
    run.advance(100);
    double kinetic = 0;
    for (Index i = 0; i <= 30; ++i) kinetic += 0.5 * run.model.elastic.mass[i] * block(run.state.v, i).squaredNorm();
    EXPECT_NEAR(kinetic, energy, 1e-3 * energy) << ends;
    EXPECT_NEAR((run.at(30) - run.at(0)).norm() - length, longer, 0.05 * longer) << ends;
  }
}

// q L^4 / (8 B). Its first two vertices are held; the bend at the second takes half of the first link too, so that L
// is l sqrt(n (n - 1)) of n links of the length l: summed up as the bends are.
TEST(CableCantilever, SagsAsABeam) {
  Played run(R"({"time": {"step": 0.05, "duration": 1}, "gravity": [0, 0, -0.01],
    "materials": {"m": {"model": "cable", "stretch": 2e5, "bend": 0.05, "density": 1000, "thickness": 0.02,
                        "damping": {"mass": 1}}},
    "meshes": {"s": {"generate": "path", "points": [[0, 0, 0], [1, 0, 0]], "segments": 30}},
    "objects": [{"name": "cable", "mesh": "s", "material": "m", "boundary": [{"list": [0, 1]}]}],
    "contact": {"enabled": false}, "solver": {"linear_tolerance": 1e-13}})");
  run.advance(2500);
  const double q = mass_per_length(run.model.materials[0]) * 0.01, L = std::sqrt(30.0 * 29.0) / 30;
  const double sag = q * std::pow(L, 4) / (8 * 0.05);
  EXPECT_NEAR(-run.at(30)[2], sag, 2e-4 * sag);
  EXPECT_LT(sag, 0.01);
}

// Free flight: nothing but gravity changes its momentum, and nothing its spin.
TEST(Cable, KeepsItsMomentum) {
  Played run(R"({"time": {"step": 0.005, "duration": 1}, "gravity": [0, 0, 0],
    "materials": {"m": {"model": "cable", "stretch": 2000, "bend": 0.02, "density": 1000, "thickness": 0.02,
                        "strain_limit": [1, 0.05]}},
    "meshes": {"s": {"generate": "path", "points": [[0, 0, 0], [0.6, 0, 0], [0.6, 0.4, 0]], "segments": 20}},
    "objects": [{"name": "cable", "mesh": "s", "material": "m", "velocity": [1, 2, 0],
                 "angular_velocity": [0, 0, 30]}]})");
  const auto momentum = [&] {
    Vec3 sum = Vec3::Zero();
    for (Index i = 0; i < 21; ++i) sum += run.model.elastic.mass[i] * block(run.state.v, i);
    return sum;
  };
  const Vec3 before = momentum();
  Index limited = 0;
  for (int n = 0; n < 100; ++n) {
    const StepReport report = run.advance(1);
    limited = std::max(limited, report.limited);
    EXPECT_LT(report.max_strain, 0.05 + 1e-9);
  }
  EXPECT_GT(limited, 3);
  // Each solve may miss what the tolerance of an island lets it; it is carried over.
  EXPECT_LT((momentum() - before).norm(), 1e-3 * before.norm());
}

}  // namespace cable_test
}  // namespace sim
