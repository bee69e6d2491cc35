// A rigid wedge that is pressed between two fixed walls. Where tan of its half angle b is less than mu it locks, and
// nothing that its walls do pushes it out again: a gap that is to grow there asks for what no forces can do.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "mesh/generate.hpp"
#include "step/step.hpp"
#include "support/methods.hpp"
#include "support/objects.hpp"

namespace sim {
namespace wedge_test {

constexpr double degree = std::numbers::pi / 180, half_angle = 10 * degree;
constexpr double size = 0.1, top = 0.09, depth = 0.05, apart = 2e-6;  // m; apart: from the walls, at the start

// Its sides lean outwards by the half angle; its middle is at the origin.
Mesh wedge() {
  Mesh mesh = generate(BoxShape{.size = {1, depth, size}, .cells = {1, 1, 1}});
  for (Vec3& x : mesh.vertices) x.x() *= top - 2 * std::tan(half_angle) * (size / 2 - x.z());
  return mesh;
}

// On the side that `side` tells (1 or -1); it faces the wedge.
Mesh wall(double side) {
  Mesh mesh = generate(SlabShape{.size = {1, 1}, .thickness = 0.1, .cells = {10, 10}});
  const Mat3 turn = Eigen::AngleAxisd(side * (half_angle - 90 * degree), Vec3::UnitY()).toRotationMatrix();
  const Vec3 outwards(side * std::cos(half_angle), 0, -std::sin(half_angle));  // of the wedge
  const Vec3 at = Vec3(side * top / 2, 0.0031, size / 2) + (apart + 0.05) * outwards;
  for (Vec3& x : mesh.vertices) x = turn * x + at;
  return mesh;
}

struct Wedge {
  Model model;
  Options options{.dt = 2e-3};
  State state;
  Scratch scratch;
  double mass = 0;

  Wedge(double friction, const std::string& method) {
    model.materials = {{.name = "steel", .young = 1e7, .poisson = 0.3, .density = 1000}};
    model.friction = friction;
    test::add_object(model, "right", ObjectType::fixed, wall(1), Vec3::Zero());
    test::add_object(model, "left", ObjectType::fixed, wall(-1), Vec3::Zero());
    test::add_object(model, "wedge", ObjectType::rigid, wedge(), Vec3::Zero());
    finish_model(model);
    options.contact.method = method_by_name(method);
    state = initial_state(model);
    mass = 1000 * (top - std::tan(half_angle) * size) * depth * size;
  }

  // N, of all contacts together along their normals, after a step under this load.
  double pressed_by(double load) {
    model.gravity = {0, 0, -load / mass};
    const StepReport report = step(model, options, state, scratch);
    EXPECT_EQ(report.status, StepStatus::converged) << "step " << report.step << ": " << report.reason;
    iterations += report.iterations;
    double force = 0;
    for (const Contact& contact : scratch.solved) force += contact.lambda;
    return force;
  }
  double iterations = 0;
};

// Pushed in, it is held by  F = N (sin b + mu cos b),  N of both sides together. While gaps were to grow come what
// may, these were 1e3 to 1e28 N: friction that locks leaves them open, up to what a method's way there happened to
// brace (with `auto` 1.1 times and, on another processor, 1.4 times what holds it).
TEST(Wedge, IsPressedByNoMoreThanItsLoadAndFriction) {
  constexpr double load = 20;  // N
  constexpr int grows = 50, steps = 150;
  for (const auto& [method, most_braced] :
       {std::pair<std::string, double>("auto", 1.5), {"exact", 3}, {"cr-full", 3}}) {
    for (const double mu : {0.18, 0.3, 0.6}) {
      SCOPED_TRACE(method + ", mu " + std::to_string(mu));
      const double expected = load / (std::sin(half_angle) + mu * std::cos(half_angle));
      Wedge wedge(mu, method);
      const Vec3 start = wedge.state.rigid[0].center;
      double most = 0, last = 0;
      for (int n = 0; n < steps; ++n) {
        last = wedge.pressed_by(load * std::min(1.0, n / double{grows}));
        most = std::max(most, last);
      }
      EXPECT_LT(most, most_braced * expected);
      EXPECT_GT(last, 0.99 * expected);
      EXPECT_LT((wedge.state.rigid[0].center - start).norm(), 1e-4);
      EXPECT_LT(wedge.iterations, 500 * steps);  // 1,800 to 11,000 a step while each asked for more gap
    }
  }
}

}  // namespace wedge_test
}  // namespace sim
