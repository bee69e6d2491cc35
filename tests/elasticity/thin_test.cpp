// Springs, membranes, hinges and bends by themselves.
#include "elasticity/thin.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <numbers>

#include "elasticity/damped_forces.hpp"
#include "elasticity/reference.hpp"
#include "elasticity/strain_rate_forces.hpp"

namespace sim {
namespace thin_test {

using test::random_rotation;
using Dense = Eigen::MatrixXd;

template <class Thin>
using CornersOf = Corners<std::tuple_size_v<decltype(Thin::vertices)>>;

template <std::size_t count>
VecX stacked(const Corners<count>& x) {
  VecX all(3 * static_cast<Eigen::Index>(count));
  for (std::size_t k = 0; k < count; ++k) block(all, static_cast<Index>(k)) = x[k];
  return all;
}

template <std::size_t count>
Corners<count> moved(const Corners<count>& x, const VecX& by, double factor) {
  Corners<count> result = x;
  for (std::size_t k = 0; k < count; ++k) result[k] += factor * block(by, static_cast<Index>(k));
  return result;
}

template <std::size_t count>
Corners<count> jittered(Random& random, const Corners<count>& x, double by) {
  Corners<count> result = x;
  for (Vec3& point : result) point += Vec3(random.uniform(-by, by), random.uniform(-by, by), random.uniform(-by, by));
  return result;
}

template <class Thin>
VecX forces(const Thin& thin, const CornersOf<Thin>& x) {
  VecX f(3 * static_cast<Eigen::Index>(x.size()));
  element_forces(thin, x, f.data());
  return f;
}

// The full matrix of an element from its blocks.
template <class Thin>
Dense matrix(const Thin& thin, const CornersOf<Thin>& x, double whole, double damping) {
  constexpr auto count = static_cast<int>(std::tuple_size_v<CornersOf<Thin>>);
  VecX f(3 * count);
  std::vector<double> blocks(9 * count * (count - 1) / 2);
  element_forces_and_stiffness(thin, x, {whole, damping}, f.data(), blocks.data());
  EXPECT_EQ(f, forces(thin, x));
  Dense K = Dense::Zero(3 * count, 3 * count);
  const double* next = blocks.data();
  for (int i = 0; i < count; ++i) {
    for (int j = i + 1; j < count; ++j, next += 9) {
      const Eigen::Map<const Mat3> B(next);
      K.block<3, 3>(3 * i, 3 * j) = B;
      K.block<3, 3>(3 * j, 3 * i) = B.transpose();
      K.block<3, 3>(3 * i, 3 * i) -= B;
      K.block<3, 3>(3 * j, 3 * j) -= B.transpose();
    }
  }
  return K;
}

double least_eigenvalue(const Dense& K) {
  return Eigen::SelfAdjointEigenSolver<Dense>(0.5 * (K + K.transpose())).eigenvalues().minCoeff();
}

constexpr Index material = 3;

Spring a_spring() {
  return make_spring({0, 1}, {Vec3(0.1, 0, 0), Vec3(0.1, 0.3, -0.4)}, 70, material);
}
Membrane a_membrane() {
  return make_membrane({0, 1, 2}, {Vec3(0.1, 0, 0), Vec3(0.4, 0.3, -0.1), Vec3(0, 0.25, 0.1)}, {2e5, 0.3, 1e-3},
                       material);
}
const Corners<4> folded{Vec3(0, 0, 0), Vec3(0.3, 0.1, 0), Vec3(0.1, 0.2, 0.05), Vec3(0.15, -0.2, 0.1)};
Hinge a_hinge() {
  return make_hinge({0, 1, 2, 3}, folded, 0.02, material);
}

const Corners<3> two_edges{Vec3(0, 0, 0), Vec3(0.3, 0.1, 0), Vec3(0.5, 0.1, 0.1)};
Bend a_bend() {
  return make_bend({0, 1, 2}, two_edges, 0.02, material);
}

// Every check that all kinds have in common, in states `x` that are strained by about `noise`.
template <class Thin>
void check(const Thin& thin, const CornersOf<Thin>& rest, double noise) {
  Random random(7);
  for (int trial = 0; trial < 40; ++trial) {
    SCOPED_TRACE(trial);
    const Mat3 Q = random_rotation(random);
    auto x = jittered(random, rest, noise);
    for (Vec3& point : x) point = Q * point + Vec3(2, -1, 1);
    const VecX f = forces(thin, x);
    const double scale = f.norm() + 1e-9;
    // The force is minus the gradient.
    for (Eigen::Index i = 0; i < f.size(); ++i) {
      VecX e = VecX::Zero(f.size());
      e[i] = 1;
      const double slope = test::derivative([&](double h) { return element_energy(thin, moved(x, e, h)); }, 1e-4);
      EXPECT_NEAR(-slope, f[i], 2e-6 * scale) << i;
    }
    // No force and no torque in all.
    Vec3 sum = Vec3::Zero(), torque = Vec3::Zero();
    for (std::size_t k = 0; k < x.size(); ++k) {
      const Vec3 part = block(f, static_cast<Index>(k));
      sum += part;
      torque += (x[k] - x[0]).cross(part);
    }
    EXPECT_LT(sum.norm(), 1e-14 * scale);
    EXPECT_LT(torque.norm(), 1e-13 * scale);
    // K is symmetric and semi-definite, and so is D, which turns do not meet.
    const Dense K = matrix(thin, x, 1, 0), with_D = matrix(thin, x, 1, 1), D = with_D - K;
    EXPECT_LT((K - K.transpose()).norm(), 1e-13 * K.norm());
    EXPECT_GT(least_eigenvalue(K), -1e-12 * K.norm());
    EXPECT_GT(least_eigenvalue(D), -1e-12 * K.norm());
    EXPECT_LT((matrix(thin, x, 0.3, 2) - 0.3 * (K + 2 * D)).norm(), 1e-13 * K.norm());
    const Vec3 w(0.3, -0.7, 0.2);
    auto turn = x, other = x;
    for (std::size_t k = 0; k < x.size(); ++k) turn[k] = w.cross(x[k]) + Vec3(1, 2, 3);
    EXPECT_LT((D * stacked(turn)).norm(), 1e-12 * D.norm());
    EXPECT_LT(strain_rate_product(thin, x, turn), 1e-24 * D.norm());
    other = jittered(random, other, 1.0);
    const VecX v = stacked(other);
    VecX damping = f;
    add_strain_rate_forces(thin, x, other, 0.7, damping.data());
    EXPECT_LT((damping - f + 0.7 * (D * v)).norm(), 1e-12 * D.norm() * v.norm());
    VecX at_once = f;
    EXPECT_NEAR(damped_forces(thin, x, other, 0.7, at_once.data()), 0.7 * v.dot(D * v),
                1e-11 * D.norm() * v.squaredNorm());
    EXPECT_LT((at_once - damping).norm(), 1e-12 * (f.norm() + D.norm() * v.norm()));
    EXPECT_NEAR(strain_rate_product(thin, x, other), v.dot(D * v), 1e-11 * D.norm() * v.squaredNorm());
  }
}

TEST(Spring, ForceStiffnessAndDampingAreThoseOfItsEnergy) {
  check(a_spring(), {Vec3(0.1, 0, 0), Vec3(0.1, 0.3, -0.4)}, 0.15);
}
TEST(Membrane, ForceStiffnessAndDampingAreThoseOfItsEnergy) {
  check(a_membrane(), {Vec3(0.1, 0, 0), Vec3(0.4, 0.3, -0.1), Vec3(0, 0.25, 0.1)}, 0.05);
}
TEST(Hinge, ForceStiffnessAndDampingAreThoseOfItsEnergy) {
  check(a_hinge(), folded, 0.05);
}

TEST(Bend, ForceStiffnessAndDampingAreThoseOfItsEnergy) {
  check(a_bend(), two_edges, 0.05);
}

template <class Thin>
void check_rigid(const Thin& thin, const CornersOf<Thin>& rest) {
  Random random(11);
  for (int trial = 0; trial < 10; ++trial) {
    const Mat3 Q = random_rotation(random);
    auto x = rest;
    for (Vec3& point : x) point = Q * point + Vec3(1, 2, -1);
    EXPECT_LT(forces(thin, x).norm(), 1e-12 * matrix(thin, x, 1, 0).norm());
    EXPECT_LT(element_energy(thin, x), 1e-24 * matrix(thin, x, 1, 0).norm());
  }
}

TEST(ThinElements, RigidMotionCausesNoForce) {
  check_rigid(a_spring(), {Vec3(0.1, 0, 0), Vec3(0.1, 0.3, -0.4)});
  check_rigid(a_membrane(), {Vec3(0.1, 0, 0), Vec3(0.4, 0.3, -0.1), Vec3(0, 0.25, 0.1)});
  check_rigid(a_hinge(), folded);
  check_rigid(a_bend(), {Vec3(0, 0, 0), Vec3(0.3, 0.1, 0), Vec3(0.6, 0.2, 0)});
}

TEST(Spring, StiffnessIsTheForceDerivativeWhereItIsPulled) {
  const Spring spring = a_spring();
  const Corners<2> x{Vec3(0, 0.1, 0), Vec3(0.5, 0.4, 0.2)};
  const Dense K = matrix(spring, x, 1, 0);
  for (Eigen::Index i = 0; i < 6; ++i) {
    const VecX e = VecX::Unit(6, i);
    const VecX slope = test::derivative([&](double h) { return forces(spring, moved(x, e, h)); }, 1e-4);
    EXPECT_LT((slope + K.col(i)).norm(), 1e-8 * K.norm());
  }
}

TEST(Spring, WithoutLengthHasNoForceAndIsStiffAllRound) {
  const Spring spring = a_spring();
  const Corners<2> x{Vec3(1, 1, 1), Vec3(1, 1, 1)};
  EXPECT_EQ(forces(spring, x).norm(), 0);
  EXPECT_EQ(Mat3(matrix(spring, x, 1, 0).topLeftCorner<3, 3>()), Mat3(70 * Mat3::Identity()));
}

// Of the triangle whose edges are the axes at rest, corners 1 and 2 are F, and the forces on them -P/2.
TEST(Membrane, StiffnessIsTheForceDerivativeWithoutItsNegativeEigenvalues) {
  const Corners<3> rest{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)};
  const Membrane m = make_membrane({0, 1, 2}, rest, {2e5, 0.3, 1e-3}, material);
  Random random(3);
  int projected = 0;
  for (const auto& [along, across] : {std::pair{1.2, 1.1}, {0.97, 0.99}, {1.3, 0.7}, {0.5, 1.0}, {0.1, 0.2}}) {
    const Mat3 Q = random_rotation(random), R = random_rotation(random);
    Corners<3> x;
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec2 flat = Eigen::Rotation2Dd(0.4) * Vec2(along * rest[k][0], across * rest[k][1] + 0.1 * rest[k][0]);
      x[k] = Q * Vec3(flat[0], flat[1], 0) + R.col(0);
    }
    Dense exact(6, 6);
    for (Eigen::Index i = 0; i < 6; ++i) {
      const VecX e = VecX::Unit(9, i + 3);
      exact.col(i) = -test::derivative([&](double h) { return forces(m, moved(x, e, h)); }, 1e-4).tail(6);
    }
    const Eigen::SelfAdjointEigenSolver<Dense> eigen(0.5 * (exact + exact.transpose()));
    const Dense expected =
        eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0.0).asDiagonal() * eigen.eigenvectors().transpose();
    EXPECT_LT((matrix(m, x, 1, 0).bottomRightCorner(6, 6) - expected).norm(), 1e-7 * exact.norm()) << along;
    projected += eigen.eigenvalues()[0] < -1e-3 * exact.norm() ? 1 : 0;
  }
  EXPECT_GE(projected, 3);
}

// Plane stress: pulled by e along one side, free along the other, the force is Y t e a length, and it gets narrower
// by nu e.
TEST(Membrane, SmallPullIsHookesLaw) {
  const double young = 2e5, nu = 0.3, t = 1e-3, e = 1e-6;
  const Corners<3> rest{Vec3(0, 0, 0), Vec3(0.4, 0, 0), Vec3(0, 0.3, 0)};
  const Membrane m = make_membrane({0, 1, 2}, rest, {young, nu, t}, material);
  Corners<3> x = rest;
  for (Vec3& point : x) point = Vec3(point[0] * (1 + e), point[1] * (1 - nu * e), 0);
  const VecX f = forces(m, x);
  EXPECT_NEAR(f[3], -young * t * e * 0.3 / 2, 1e-5 * young * t * e);  // half of what crosses the side of 0.3
  EXPECT_NEAR(f[7], 0, 1e-5 * young * t * e);
  EXPECT_NEAR(element_energy(m, x), 0.5 * young * t * e * e * 0.06, 1e-5 * young * t * e * e * 0.06);
}

TEST(Membrane, WithoutAreaStaysFinite) {
  const Membrane m = a_membrane();
  for (const Vec3& end : {Vec3(0, 0, 0), Vec3(0.2, 0, 0)}) {
    const Corners<3> x{Vec3(0, 0, 0), Vec3(0.1, 0, 0), end};
    EXPECT_TRUE(matrix(m, x, 1, 1).allFinite());
    EXPECT_GT(least_eigenvalue(matrix(m, x, 1, 1)), -1e-12 * matrix(m, x, 1, 1).norm());
  }
}

// |q| = 2 tan(angle / 2), over the mean length of both edges at rest.
TEST(Bend, EnergyIsThatOfTheAngleBetweenItsEdges) {
  const Bend bend = make_bend({0, 1, 2}, {Vec3(0, 0, 0), Vec3(0.2, 0, 0), Vec3(0.2, 0.4, 0)}, 0.06, material);
  EXPECT_NEAR(bend.stiffness, 0.06 / 0.3, 1e-16);
  for (const double angle : {0.0, 1e-3, 0.5, 1.5, 3.0}) {
    const Corners<3> x{Vec3(0, 0, 0), Vec3(0.2, 0, 0), Vec3(0.2 + 0.3 * std::cos(angle), 0, 0.3 * std::sin(angle))};
    const double q = 2 * std::tan(angle / 2);
    EXPECT_NEAR(element_energy(bend, x), 0.1 * q * q, 1e-12 * (1 + q * q)) << angle;
  }
}

// Straight, every change of q opens it: D is K then.
TEST(Bend, ThatIsStraightIsDampedInAllDirections) {
  const Corners<3> x{Vec3(0, 0, 0), Vec3(0.25, 0, 0), Vec3(0.5, 0, 0)};
  const Dense K = matrix(a_bend(), x, 1, 0);
  EXPECT_LT((matrix(a_bend(), x, 1, 1) - 2 * K).norm(), 1e-14 * K.norm());
  EXPECT_GT(K.norm(), 0);
  Corners<3> v{Vec3(0, 0, 0), Vec3(0, 0.3, 1), Vec3(0, 0, 0)};
  EXPECT_NEAR(strain_rate_product(a_bend(), x, v), stacked(v).dot(K * stacked(v)), 1e-12 * K.norm());
}

TEST(Bend, ThatIsFoldedDoesNothing) {
  const Corners<3> x{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0.4, 0, 0)};
  EXPECT_EQ(forces(a_bend(), x).norm(), 0);
  EXPECT_EQ(matrix(a_bend(), x, 1, 1).norm(), 0);
}

TEST(Hinge, AngleIsThatBetweenTheNormals) {
  for (const double angle : {-3.0, -1.0, -1e-8, 0.0, 0.5, 2.0, 3.1}) {
    const Corners<4> x{Vec3(0, 0, 0), Vec3(2, 0, 0), Vec3(0.7, 1, 0), Vec3(1.2, -std::cos(angle), std::sin(angle))};
    EXPECT_NEAR(std::abs(hinge_angle(x)), std::abs(angle), 1e-14);
    // Folded towards where the normals point, its sides come together: negative.
    EXPECT_EQ(std::signbit(hinge_angle(x)), angle > 0) << angle;
  }
}

TEST(Hinge, GoesOnThroughAFlatFold) {
  Corners<4> x{Vec3(0, 0, 0), Vec3(2, 0, 0), Vec3(0.7, 1, 0), Vec3(0.7, 0.99, 0)};
  const Hinge nearly_closed = make_hinge({0, 1, 2, 3}, {x[0], x[1], x[2], Vec3(0.7, 1, 0.05)}, 0.02, material);
  // From an angle just below pi to one just above -pi it turns by little.
  x[3] = Vec3(0.7, 1, -0.05);
  EXPECT_NEAR(element_energy(nearly_closed, x), nearly_closed.stiffness * std::pow(2 * std::atan(0.05), 2), 1e-9);
}

TEST(Hinge, OfATriangleWithoutAreaDoesNothing) {
  const Corners<4> x{Vec3(0, 0, 0), Vec3(2, 0, 0), Vec3(1, 0, 0), Vec3(1, 1, 0)};
  EXPECT_EQ(forces(a_hinge(), x).norm(), 0);
  EXPECT_EQ(matrix(a_hinge(), x, 1, 1).norm(), 0);
}

}  // namespace thin_test
}  // namespace sim
