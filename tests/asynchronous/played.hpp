// Small models for tests of the asynchronous stepper.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "asynchronous/step.hpp"
#include "math/random.hpp"
#include "support/objects.hpp"

namespace sim::test {

struct Played {
  Model model;
  Options options;
  State state;
  AsyncScratch scratch;

  void begin() {
    finish_model(model);
    options.stepper = StepperKind::asynchronous;
    options.method = "acm";
    state = initial_state(model);
  }
  StepReport advance(int steps) {
    StepReport report;
    for (int n = 0; n < steps; ++n) {
      report = step(model, options, state, scratch);
      EXPECT_TRUE(report.accepted) << n << ": " << to_string(report.status) << " " << report.reason;
      if (!report.accepted) break;
    }
    return report;
  }
};

// What a scheme gives, in any stretch of the steps that are added.
struct SchemeLedger {
  double taken = 0, most = 0, made = 0;  // J

  void add(const StepReport& report) {
    taken += report.dissipation_scheme;
    most = std::max(most, taken);
    made = std::max(made, most - taken);
  }
};

// Appends an object of bare triangles, or of tets with their surface.
inline Object& add(Model& model, ObjectType type, const Mesh& mesh, Index material, const Vec3& velocity = {0, 0, 0},
                   Motion motion = {}) {
  Object& object =
      add_object(model, "object" + std::to_string(model.objects.size()), type, mesh, Vec3::Zero(), std::move(motion));
  object.material = material;
  set_velocity(model, object, velocity);
  return object;
}

// A cable along x of these lengths; of unit mass per metre.
inline Played cable(const std::vector<double>& lengths, double stretch) {
  Played played;
  constexpr double thickness = 0.01;
  played.model.gravity.setZero();
  played.model.materials = {{.name = "m",
                             .model = MaterialModel::cable,
                             .density = 1 / (0.25 * M_PI * thickness * thickness),
                             .thickness = thickness,
                             .stretch = stretch}};
  Mesh mesh;
  mesh.vertices.emplace_back(0, 0, 0);
  for (const double length : lengths) {
    mesh.vertices.push_back(mesh.vertices.back() + Vec3(length, 0, 0));
    const auto last = static_cast<Index>(mesh.vertices.size()) - 1;
    mesh.triangles.push_back({last - 1, last, last});
  }
  add(played.model, ObjectType::deformable, mesh, 0);
  played.options.detect_collisions = false;
  return played;
}

inline Mesh one_triangle(const Vec3& a, const Vec3& b, const Vec3& c) {
  Mesh mesh;
  mesh.vertices = {a, b, c};
  mesh.triangles = {{0, 1, 2}};
  return mesh;
}

// A flat equilateral triangle of three unit masses above a large fixed one at z = 0.
inline Played triangle_above_floor(double height, const Vec3& velocity) {
  Played played;
  Model& model = played.model;
  model.gravity.setZero();
  model.friction = 0;
  const double area = std::sqrt(3.0) / 4;
  model.materials = {
      {.name = "m", .model = MaterialModel::edge_springs, .density = 3 / area, .thickness = 1, .stretch = 1000}};
  add(model, ObjectType::deformable, one_triangle({0, 0, height}, {1, 0, height}, {0.5, std::sqrt(0.75), height}), 0,
      velocity);
  add(model, ObjectType::fixed, one_triangle({-50, -50, 0}, {100, -50, 0}, {-50, 100, 0}), -1);
  played.options.asynchronous.thickness = 0.1;
  played.options.asynchronous.stiffness = 1000;
  played.options.asynchronous.restitution = 1;
  played.options.dt = 0.01;
  return played;
}

// m/s: what a body gains in 80 steps along a slope, without restitution, after `settling` steps; gravity 10 m/s^2.
inline double gained_on_slope(Played& played, double angle, double mu, int settling) {
  played.model.gravity = 10 * Vec3(std::sin(angle), 0, -std::cos(angle));
  played.model.friction = mu;
  played.options.asynchronous.restitution = 0;
  played.begin();
  played.advance(settling);
  const double before = played.state.v[0];
  played.advance(80);
  return played.state.v[0] - before;
}

// Small triangles at random places in a box, thrown at its middle.
inline Played soup(int count, double speed, std::uint64_t seed) {
  Played played;
  Random random(seed);
  Model& model = played.model;
  model.gravity.setZero();
  model.materials = {
      {.name = "m", .model = MaterialModel::edge_springs, .density = 1000, .thickness = 1e-3, .stretch = 20}};
  for (int i = 0; i < count; ++i) {
    const int row = i % 3, column = i / 3 % 3, floor = i / 9;
    const Vec3 middle(0.15 * row, 0.15 * column, 0.15 * floor);
    const auto corner = [&] {
      return Vec3(middle + 0.06 * Vec3(random.uniform() - 0.5, random.uniform() - 0.5, random.uniform() - 0.5));
    };
    const Vec3 velocity = speed * (Vec3(0.15, 0.15, 0.075) - middle + 0.05 * Vec3(random.uniform(), 0, 0)) / 0.2;
    const Vec3 a = corner(), b = corner() + Vec3(0.05, 0, 0), c = corner() + Vec3(0, 0.05, 0);
    add(model, ObjectType::deformable, one_triangle(a, b, c), 0, velocity);
  }
  played.options.asynchronous.thickness = 5e-3;
  played.options.asynchronous.stiffness = 1000;
  played.options.dt = 0.05 / speed;
  return played;
}

}  // namespace sim::test
