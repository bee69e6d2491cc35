// Mass properties against integrals worked out otherwise, and free motion against closed forms.
#include "bodies/rigid.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <numbers>

#include "bodies/points.hpp"
#include "mesh/generate.hpp"

namespace sim {
namespace rigid_test {

constexpr double density = 800;

void expect_near(const Mat3& a, const Mat3& b, double tolerance) {
  EXPECT_LT((a - b).norm(), tolerance) << a << "\nis not\n" << b;
}

Mat3 inertia_of_box(double mass, const Vec3& size) {
  const Vec3 squares = size.cwiseAbs2();
  return mass / 12 * Mat3((Vec3::Constant(squares.sum()) - squares).asDiagonal());
}

// ---- mass properties

TEST(MassProperties, OfABoxFarFromTheOrigin) {
  Mesh mesh = generate(BoxShape{.size = {0.2, 0.3, 0.7}, .cells = {1, 2, 3}});
  const Vec3 place(50, -20, 10);
  for (Vec3& x : mesh.vertices) x += place;
  const MassProperties box = mass_properties(mesh.vertices, mesh.triangles, density);
  const double mass = density * 0.2 * 0.3 * 0.7;
  EXPECT_NEAR(box.mass, mass, 1e-12 * mass);
  EXPECT_LT((box.center - place).norm(), 1e-12);
  expect_near(box.inertia, inertia_of_box(mass, {0.2, 0.3, 0.7}), 1e-11 * mass);
}

TEST(MassProperties, OfATetrahedronByHand) {
  // Corners 0, a ex, b ey, c ez: over it the mean of x^2 is a^2 / 10, of x y it is a b / 20.
  const double a = 0.3, b = 0.5, c = 0.9;
  const std::vector<Vec3> corners{{0, 0, 0}, {a, 0, 0}, {0, b, 0}, {0, 0, c}};
  const std::vector<Triangle> faces{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  const MassProperties tet = mass_properties(corners, faces, density);
  const double mass = density * a * b * c / 6;
  EXPECT_NEAR(tet.mass, mass, 1e-15 * mass);
  EXPECT_LT((tet.center - Vec3(a, b, c) / 4).norm(), 1e-15);
  Mat3 inertia;  // about the centre: 1/10 - 1/16 = 3/80 and 1/20 - 1/16 = -1/80
  inertia << 3 * (b * b + c * c), a * b, a * c, a * b, 3 * (a * a + c * c), b * c, a * c, b * c, 3 * (a * a + b * b);
  expect_near(tet.inertia, mass / 80 * inertia, 1e-15 * mass);
}

TEST(MassProperties, OfATorusAreThoseOfItsTets) {
  const Mesh mesh = generate(TorusShape{});
  // Four points of equal weight integrate quadratic functions over a tet exactly (Hammer & Stroud 1956).
  const double far = (5 + 3 * std::sqrt(5.0)) / 20, near = (5 - std::sqrt(5.0)) / 20;
  double mass = 0;
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();
  for (const Tet& t : mesh.tets) {
    std::array<Vec3, 4> x;
    for (int k = 0; k < 4; ++k) x[k] = mesh.vertices[t[k]];
    const double part = density * six_volume(x[0], x[1], x[2], x[3]) / 24;
    for (int k = 0; k < 4; ++k) {
      const Vec3 point = (far - near) * x[k] + near * (x[0] + x[1] + x[2] + x[3]);
      mass += part;
      first += part * point;
      second += part * point * point.transpose();
    }
  }
  const Mat3 about = second - first * first.transpose() / mass;
  const MassProperties torus = mass_properties(mesh.vertices, mesh.triangles, density);
  EXPECT_NEAR(torus.mass, mass, 1e-13 * mass);
  EXPECT_LT((torus.center - first / mass).norm(), 1e-15);
  expect_near(torus.inertia, about.trace() * Mat3::Identity() - about, 1e-14 * mass);
}

TEST(MassProperties, OfACavityAreTakenAway) {
  Mesh mesh = generate(BoxShape{.size = {1, 1, 1}, .cells = {1, 1, 1}});
  const Mesh hole = generate(BoxShape{.size = {0.4, 0.2, 0.6}, .cells = {1, 1, 1}});
  for (const Vec3& x : hole.vertices) mesh.vertices.push_back(x);
  for (const Triangle& t : hole.triangles) mesh.triangles.push_back({t[0] + 8, t[2] + 8, t[1] + 8});
  const MassProperties body = mass_properties(mesh.vertices, mesh.triangles, density);
  const double hollow = density * 0.4 * 0.2 * 0.6;
  EXPECT_NEAR(body.mass, density - hollow, 1e-11);
  expect_near(body.inertia, inertia_of_box(density, {1, 1, 1}) - inertia_of_box(hollow, {0.4, 0.2, 0.6}), 1e-11);
}

TEST(RigidBody, HasRightHandedPrincipalAxes) {
  Mesh mesh = generate(BoxShape{.size = {0.2, 0.3, 0.7}, .cells = {1, 1, 1}});
  const Mat3 turn = Eigen::AngleAxisd(0.7, Vec3(1, 2, -0.5).normalized()).toRotationMatrix();
  for (Vec3& x : mesh.vertices) x = turn * x;
  const MassProperties properties = mass_properties(mesh.vertices, mesh.triangles, density);
  const RigidBody body = make_rigid_body(properties);
  EXPECT_NEAR(body.axes.determinant(), 1, 1e-14);
  expect_near(body.axes * body.inertia.asDiagonal() * body.axes.transpose(), properties.inertia, 1e-14);
  const double trace = inertia_of_box(properties.mass, {0.2, 0.3, 0.7}).trace();
  EXPECT_NEAR(body.radius, std::sqrt(trace / (3 * properties.mass)), 1e-14);
}

// ---- motion of one body without contacts

RigidBody box_body(const Vec3& size) {
  const Mesh mesh = generate(BoxShape{.size = size, .cells = {1, 1, 1}});
  return make_rigid_body(mass_properties(mesh.vertices, mesh.triangles, density));
}

struct Flight {
  RigidBody body;
  RigidState state = initial_state(body);
  std::vector<RigidStep> steps{};
  BlockMatrix A = make_pattern(2, {});
  VecX b = VecX::Zero(6), v = VecX::Zero(6);

  // `torque`, where given, is what acts at the pose of the start of the step.
  void step(double dt, const Vec3& gravity = Vec3::Zero(), const Vec3& torque = Vec3::Zero()) {
    const std::span<const RigidBody> bodies(&body, 1);
    const std::span<const RigidState> states(&state, 1);
    const RigidBlocks blocks{bodies, 0, dt};
    integrate(blocks, states, gravity, steps, A, b, v);
    block(b, 1) += dt * steps[0].axes.transpose() * torque / body.radius;
    for (Index i = 0; i < 2; ++i) block(v, i) = Mat3(A.at(A.find(i, i))).inverse() * block(b, i);
    move(blocks, states, v, steps);
    state = steps[0].end;
  }
  Vec3 axis(int k) const { return state.turn * body.axes.col(k); }
};

Flight flight(const Vec3& size, const Vec3& w) {
  RigidBody body = box_body(size);
  body.angular_velocity = w;
  return {body};
}

TEST(RigidFlight, FallsAsEulerHasIt) {
  Flight f = flight({0.1, 0.2, 0.3}, {0, 0, 0});
  const Vec3 g(0, 1, -9.81);
  for (int n = 0; n < 100; ++n) f.step(0.01, g);
  EXPECT_LT((f.state.velocity - g).norm(), 1e-13);
  EXPECT_LT((f.state.center - 0.5 * g * 1.01).norm(), 1e-13);  // sum of n dt^2 g
}

TEST(RigidFlight, SpinAboutAPrincipalAxisIsExact) {
  Flight f = flight({0.1, 0.2, 0.3}, {0, 0, 30});
  for (int n = 0; n < 1000; ++n) f.step(0.01);
  const double angle = std::remainder(30 * 10.0, 2 * std::numbers::pi);
  const Vec3 x = f.state.turn * Vec3::UnitX();
  EXPECT_LT((x - Vec3(std::cos(angle), std::sin(angle), 0)).norm(), 1e-11);
  EXPECT_NEAR(f.state.turn.norm(), 1, 1e-15);
}

// Where the axis of a symmetric top is after 1 s: it goes round L at |L| / I1.
double precession_error(double dt) {
  Flight f = flight({0.2, 0.2, 0.5}, {4, 0, 20});
  const Vec3 L = f.state.spin, axis = f.axis(2);
  const double rate = L.norm() / f.body.inertia[0];
  for (int n = 0; n < std::lround(1 / dt); ++n) f.step(dt);
  return (f.axis(2) - Eigen::AngleAxisd(rate, L.normalized()) * axis).norm();
}

TEST(RigidFlight, TorqueFreePrecessionIsOfSecondOrder) {
  const double coarse = precession_error(0.004), fine = precession_error(0.002), finest = precession_error(0.001);
  EXPECT_NEAR(coarse / fine, 4, 0.1);
  EXPECT_NEAR(fine / finest, 4, 0.1);
  EXPECT_LT(finest, 1e-4);
}

TEST(RigidFlight, ATennisRacketTurnsOverAndKeepsSpinAndEnergy) {
  Flight f = flight({0.1, 0.2, 0.4}, {0.01, 10, 0});  // about the middle axis
  const Vec3 L = f.state.spin;
  const double start = kinetic_energy(f.body, f.state), epsilon = std::numeric_limits<double>::epsilon();
  double first_half = 0, second_half = 0, lowest = 1;
  for (int n = 0; n < 40000; ++n) {
    f.step(0.005);
    double& largest = n < 20000 ? first_half : second_half;
    largest = std::max(largest, std::abs(kinetic_energy(f.body, f.state) / start - 1));
    lowest = std::min(lowest, f.axis(1).normalized().y());
  }
  EXPECT_LT((f.state.spin - L).norm(), 40000 * 4 * epsilon * L.norm());
  EXPECT_LT(lowest, -0.9);
  EXPECT_LT(first_half, 1e-3);
  EXPECT_LT(second_half, 1.05 * first_half);
}

// A rod turns about its axis easily, 600 times as much as across: the middle of a step of 0.2 rad is not found by
// iteration. It is a symmetric top, whose axis goes round L at |L| / I1 without tilting.
TEST(RigidFlight, ASlenderRodThatTumblesFastKeepsItsEnergy) {
  for (const double turn : {0.2, 1.0}) {  // rad a step
    Flight f = flight({0.02, 0.02, 0.7}, {20, 0, 2});
    const Vec3 L = f.state.spin, axis = f.axis(2);
    ASSERT_GT(f.body.inertia[0], 600 * f.body.inertia[2]);
    const double start = kinetic_energy(f.body, f.state), dt = turn / 20, rate = L.norm() / f.body.inertia[0];
    const int steps = 100;
    for (int n = 0; n < steps; ++n) {
      f.step(dt);
      EXPECT_NEAR(kinetic_energy(f.body, f.state), start, 1e-3 * start) << turn;
    }
    EXPECT_LT((f.state.spin - L).norm(), 1e-12 * L.norm());
    const Vec3 exact = Eigen::AngleAxisd(rate * steps * dt, L.normalized()) * axis;
    EXPECT_LT((f.axis(2) - exact).norm(), 0.02) << turn;
  }
}

TEST(RigidFlight, TorqueOnARodThatTumblesFastGoesToItsSpin) {
  Flight f = flight({0.02, 0.02, 0.7}, {20, 0, 2});
  const Vec3 L = f.state.spin, torque(0.01, -0.02, 0.03);
  f.step(0.05, Vec3::Zero(), torque);
  EXPECT_LT((f.state.spin - L - 0.05 * torque).norm(), 1e-12 * L.norm());
}

// A top with its axis level goes round at torque / (I3 w3), whatever I1 is.
double heavy_top_error(double dt) {
  const double force = 40, arm = 0.1, spin = 150;    // N, m, rad/s
  const RigidBody body = box_body({0.1, 0.2, 0.2});  // the axis is x
  const double rate = force * arm / (body.inertia[0] * spin);
  Flight f = flight({0.1, 0.2, 0.2}, {spin, 0, rate});
  const double time = 0.5;
  for (int n = 0; n < std::lround(time / dt); ++n)
    f.step(dt, Vec3::Zero(), (arm * f.axis(0)).cross(Vec3(0, 0, -force)));
  const double angle = rate * time;  // the torque on a weight at +x is along +y: there the axis goes
  return (f.axis(0) - Vec3(std::cos(angle), std::sin(angle), 0)).norm();
}

TEST(RigidFlight, AHeavyTopPrecessesAtTorqueOverSpin) {
  EXPECT_LT(heavy_top_error(1e-3), 1e-3);  // rad, of 0.66; a step turns it by 0.15
  const double coarse = heavy_top_error(2.5e-4), fine = heavy_top_error(1.25e-4);
  EXPECT_NEAR(coarse / fine, 2, 0.1);  // the torque is that at the start of a step: first order
}

TEST(RigidFlight, MassDampingTakesVelocityAndSpinAlike) {
  Flight f = flight({0.1, 0.2, 0.3}, {1, 2, 3});
  f.body.damping = 5;
  f.state.velocity = {1, 0, -1};
  const Vec3 L = f.state.spin;
  for (int n = 0; n < 10; ++n) f.step(0.01);
  const double left = std::pow(1.05, -10);
  EXPECT_LT((f.state.velocity - left * Vec3(1, 0, -1)).norm(), 1e-14);
  EXPECT_LT((f.state.spin - left * L).norm(), 1e-12 * L.norm());
}

// ---- points

TEST(PointBlocks, RowsTellWhereThePointsOfABodyGo) {
  const Flight made = flight({0.1, 0.2, 0.3}, {1, 2, 3});
  Flight f = made;
  const double dt = 1e-6;
  f.step(dt);
  // Two vertices of one body, as in a contact with a face of it.
  const std::array<Vec3, 2> arms{Vec3(0.05, 0.1, -0.15), Vec3(-0.05, 0.1, 0.15)};
  const std::array<double, 2> weights{-0.3, -0.7};
  const RigidBlocks blocks{std::span(&f.body, 1), 0, dt};
  PointBlocks point;
  Vec3 moved = Vec3::Zero(), bent = Vec3::Zero();
  const Mat3 turn = (f.state.turn * made.state.turn.inverse()).toRotationMatrix();
  for (int k = 0; k < 2; ++k) {
    bent += point.add(blocks, 0, f.steps[0], weights[k], arms[k]);
    moved += weights[k] * (f.state.center - made.state.center + turn * arms[k] - arms[k]);
  }
  ASSERT_EQ(point.count, 2);
  const Mat3 rows = Eigen::AngleAxisd(0.4, Vec3(3, 1, 2).normalized()).toRotationMatrix();
  Vec3 prescribed = rows * bent;
  for (int k = 0; k < point.count; ++k)
    prescribed += block_of_rows(point.blocks[k], blocks, f.steps, rows) * block(f.v, point.blocks[k].column);
  EXPECT_LT((prescribed - rows * moved).norm(), 1e-20 + 1e-9 * moved.norm());
}

}  // namespace rigid_test
}  // namespace sim
