#include "contact/residual.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "contact/friction_states.hpp"
#include "contact/point_mass.hpp"

namespace sim {
namespace residual_test {

using test::compliance_of_mass;
using test::dt;
using test::mass;
using test::point_on_plane;
using test::solution_of;

constexpr double rounding = 1e-15;

void expect_residual(const ContactProblem& problem, const ContactSolution& solution, double momentum, double normal,
                     double tangential) {
  const ContactResidual residual = contact_residual(problem, solution);
  EXPECT_NEAR(residual.momentum, momentum, 1e-14);
  EXPECT_NEAR(residual.normal, normal, rounding);
  EXPECT_NEAR(residual.tangential, tangential, rounding);
}

FrictionState state_of(const ContactProblem& problem, ContactSolution solution) {
  derive_states(problem, solution);
  return solution.state[0];
}

// Falls with 1 m/s: the floor takes the momentum of 2 kg m/s in a step of 0.01 s, with 200 N.
const Vec3 sticking_start(0.1, 0, -1), sliding_start(1, 0, -1);

TEST(ContactResidual, IsZeroForAMassThatFliesOff) {
  const ContactProblem problem = point_on_plane({0.3, 0, 1}, 0.5);
  const ContactSolution solution = solution_of({0.3, 0, 1}, 0, {0, 0});
  expect_residual(problem, solution, 0, 0, 0);
  EXPECT_EQ(state_of(problem, solution), FrictionState::open);
}

TEST(ContactResidual, IsZeroForAMassThatSticks) {
  const ContactProblem problem = point_on_plane(sticking_start, 0.5);
  const ContactSolution solution = solution_of({0, 0, 0}, 200, {20, 0});
  expect_residual(problem, solution, 0, 0, 0);
  EXPECT_EQ(state_of(problem, solution), FrictionState::sticking);
}

TEST(ContactResidual, IsZeroForAMassThatSlides) {
  const ContactProblem problem = point_on_plane(sliding_start, 0.5);
  ContactSolution solution = solution_of({0.5, 0, 0}, 200, {100, 0});
  expect_residual(problem, solution, 0, 0, 0);
  derive_states(problem, solution);
  EXPECT_EQ(solution.state[0], FrictionState::sliding);
  EXPECT_NEAR((solution.delta[0] - Vec2(1, 0)).norm(), 0, rounding);
}

TEST(ContactResidual, IsZeroOnAPlaneWithoutFriction) {
  const ContactProblem problem = point_on_plane(sliding_start, 0);
  ContactSolution solution = solution_of({1, 0, 0}, 200, {0, 0});
  expect_residual(problem, solution, 0, 0, 0);
  derive_states(problem, solution);
  EXPECT_EQ(solution.state[0], FrictionState::sliding);
}

TEST(ContactResidual, IsZeroForAStuckMassThatIsToldToComeBack) {
  ContactProblem problem = point_on_plane({0, 0, -1}, 0.5);
  problem.c = Vec3(1e-3, 2e-4, 0);  // the gap must open by 1 mm, and 0.2 mm of drift be taken back
  // v = c / dt; forces from the balance: m (v - v0) = dt (-gamma, lambda)
  const ContactSolution solution = solution_of({0.02, 0, 0.1}, mass * 1.1 / dt, {-mass * 0.02 / dt, 0});
  expect_residual(problem, solution, 0, 0, 0);
}

TEST(ContactResidual, AMissedContactIsPenetration) {
  const ContactProblem problem = point_on_plane(sticking_start, 0.5);
  const ContactSolution solution = solution_of(sticking_start, 0, {0, 0});
  expect_residual(problem, solution, 0, 0.01, 0);
  EXPECT_NEAR(contact_residual(problem, solution).penetration, 0.01, rounding);
  EXPECT_EQ(state_of(problem, solution), FrictionState::sliding);  // what a projected iteration would make of it
}

TEST(ContactResidual, GlueIsANegativeForceTimesTheCompliance) {
  const ContactProblem problem = point_on_plane({0, 0, 1}, 0.5);
  const ContactSolution solution = solution_of({0, 0, 0}, -200, {0, 0});
  expect_residual(problem, solution, 0, 200 * compliance_of_mass, 0);
  EXPECT_EQ(contact_residual(problem, solution).pull, 200);
}

TEST(ContactResidual, AForceAcrossAGapIsTheSmallerOfTheTwo) {
  const ContactProblem problem = point_on_plane({0, 0, -1}, 0.5);
  // Pushed off with 300 N instead of 200 N: leaves with 0.5 m/s, 5 mm a step; 300 N are worth 15 mm.
  expect_residual(problem, solution_of({0, 0, 0.5}, 300, {0, 0}), 0, 0.005, 0);
  // 800 N: leaves with 3 m/s, 30 mm a step; 800 N are worth 40 mm.
  expect_residual(problem, solution_of({0, 0, 3}, 800, {0, 0}), 0, 0.03, 0);
}

TEST(ContactResidual, StickingBeyondTheConeIsWhatIsOutsideTimesTheCompliance) {
  const ContactProblem problem = point_on_plane(sliding_start, 0.5);
  const ContactSolution solution = solution_of({0, 0, 0}, 200, {200, 0});
  expect_residual(problem, solution, 0, 0, 100 * compliance_of_mass);
  EXPECT_NEAR(contact_residual(problem, solution).cone, 100, 1e-12);
}

TEST(ContactResidual, SlidingWithLessThanFullFrictionIsWhatIsMissing) {
  const ContactProblem problem = point_on_plane(sliding_start, 0.5);
  expect_residual(problem, solution_of({0.7, 0, 0}, 200, {60, 0}), 0, 0, 40 * compliance_of_mass);
}

TEST(ContactResidual, ASmallSlipInsideTheConeIsTheSlip) {
  const ContactProblem problem = point_on_plane(sticking_start, 0.5);
  expect_residual(problem, solution_of({0.01, 0, 0}, 200, {18, 0}), 0, 0, 0.01 * dt);
}

TEST(ContactResidual, FrictionAlongTheMotionIsTwiceTheBound) {
  const ContactProblem problem = point_on_plane(sliding_start, 0.5);
  expect_residual(problem, solution_of({1.5, 0, 0}, 200, {-100, 0}), 0, 0, 200 * compliance_of_mass);
}

TEST(ContactResidual, FrictionAcrossTheSlipIsNotMaximalDissipation) {
  const ContactProblem problem = point_on_plane(sliding_start, 0.5);
  // Slip (10, -5) mm and friction (0, 5) mm in lengths: asked (10, 0), allowed (5, 0).
  expect_residual(problem, solution_of({1, -0.5, 0}, 200, {0, 100}), 0, 0, 0.005 * std::sqrt(2.0));
}

TEST(ContactResidual, FrictionWithoutANormalForceIsNotAllowed) {
  const ContactProblem problem = point_on_plane({0.3, 0, 1}, 0.5);
  expect_residual(problem, solution_of({0.25, 0, 1}, 0, {10, 0}), 0, 0, 10 * compliance_of_mass);
}

TEST(ContactResidual, AWrongVelocityIsMissingMomentum) {
  const ContactProblem problem = point_on_plane({0.3, 0, 1}, 0.5);
  expect_residual(problem, solution_of({0.3, 0.4, 1.3}, 0, {0, 0}), mass * 0.5, 0, 0);
}

TEST(ContactResidual, DoesNotDependOnHowTheTangentsLie) {
  const Vec3 v(0.4, -0.3, -0.2);  // wrong in every respect
  const Vec2 gamma(90, 55);
  const ContactResidual first = contact_residual(point_on_plane(sliding_start, 0.5), solution_of(v, 150, gamma));
  for (const double angle : {0.3, 1.5, 3.0}) {
    const Vec2 turned = Eigen::Rotation2Dd(-angle) * gamma;
    const ContactResidual residual =
        contact_residual(point_on_plane(sliding_start, 0.5, angle), solution_of(v, 150, turned));
    EXPECT_NEAR(residual.momentum, first.momentum, 1e-14);
    EXPECT_NEAR(residual.normal, first.normal, rounding);
    EXPECT_NEAR(residual.tangential, first.tangential, rounding);
    EXPECT_GT(first.tangential, 1e-4);
  }
}

// Contact 0 is a vertex (weight 1, mass 2) on a face (weights 1/4, 1/4, 1/2, masses 4, 4, 8), contact 1 the vertex on
// the floor. The frame of contact 0 is turned; the compliance is dt^2 times the sum of w^2 / m whatever the frame.
TEST(Compliance, IsTheStepSquaredTimesWeightsSquaredByMasses) {
  ContactProblem problem;
  problem.A = make_pattern(4, {});
  const double masses[] = {2, 4, 4, 8}, weights[] = {1, -0.25, -0.25, -0.5};
  const Mat3 frame = Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  problem.L.row_begin = {0, 4, 5};
  problem.L.column = {0, 1, 2, 3, 0};
  problem.L.values.assign(9 * 5 + 1, 0.0);
  for (Index i = 0; i < 4; ++i) {
    problem.A.at(problem.A.find(i, i)) = masses[i] * Mat3::Identity();
    problem.L.at(i) = dt * weights[i] * frame;
  }
  problem.L.at(4) = dt * Mat3::Identity();
  std::vector<double> k;
  compliance(problem, k);
  EXPECT_NEAR(k[0], dt * dt * (1.0 / 2 + 0.0625 / 4 + 0.0625 / 4 + 0.25 / 8), 1e-19);
  EXPECT_NEAR(k[1], dt * dt / 2, 1e-19);
}

// Masses of 2 kg in a row, tied to the next by `stiffness` (kg, as A has it); a contact on the first.
ContactProblem tied_masses(Index masses, double stiffness) {
  std::vector<std::array<Index, 2>> ties;
  for (Index i = 0; i + 1 < masses; ++i) ties.push_back({i, i + 1});
  ContactProblem problem = point_on_plane({0, 0, -1}, 0.5);
  problem.A = make_pattern(masses, ties);
  for (Index i = 0; i < masses; ++i) {
    const int tied = (i > 0 ? 1 : 0) + (i + 1 < masses ? 1 : 0);
    problem.A.at(problem.A.find(i, i)) = (mass + tied * stiffness) * Mat3::Identity();
    if (i > 0) problem.A.at(problem.A.find(i, i - 1)) = -stiffness * Mat3::Identity();
    if (i + 1 < masses) problem.A.at(problem.A.find(i, i + 1)) = -stiffness * Mat3::Identity();
  }
  problem.b.setZero(3 * Eigen::Index{masses});
  problem.body.assign(static_cast<std::size_t>(masses), 0);
  problem.mobility = {1 / (masses * mass)};
  return problem;
}

// L A^-1 L^T of the contact of tied_masses(): by elimination from the far end.
double true_compliance(Index masses, double stiffness) {
  double end = mass;  // what a mass and all behind it weigh to the one before
  for (Index i = 1; i < masses; ++i) end = mass + stiffness * end / (stiffness + end);
  return dt * dt / end;
}

double compliance_of(const ContactProblem& problem) {
  std::vector<double> k;
  compliance(problem, k);
  return k[0];
}

TEST(Compliance, OfAStiffBodyIsThatOfItsWholeMass) {
  const Index masses = 30;
  ContactProblem problem = tied_masses(masses, 1e6);
  EXPECT_NEAR(compliance_of(problem) * masses * mass / (dt * dt), 1, 1e-12);
  EXPECT_NEAR(compliance_of(problem) / true_compliance(masses, 1e6), 1, 0.01);
  // A without its neighbours knows nothing of that: the contact seems to stand on 1,000 tons.
  problem.body.clear();
  problem.mobility.clear();
  EXPECT_NEAR(compliance_of(problem) * (mass + 1e6) / (dt * dt), 1, 1e-12);
}

TEST(Compliance, OfASoftBodyIsThatOfTheVertex) {
  const Index masses = 30;
  const double soft = 0.01 * mass;
  EXPECT_NEAR(compliance_of(tied_masses(masses, soft)) * (mass + soft) / (dt * dt), 1, 1e-12);
  EXPECT_NEAR(compliance_of(tied_masses(masses, soft)) / true_compliance(masses, soft), 1, 0.01);
}

TEST(Compliance, IsNeverMoreThanTheTrueOne) {
  for (const Index masses : {1, 2, 5, 30}) {
    for (double stiffness = 1e-3; stiffness < 1e9; stiffness *= 3) {
      const double k = compliance_of(tied_masses(masses, stiffness));
      EXPECT_LE(k, true_compliance(masses, stiffness) * (1 + 1e-9)) << masses << ", " << stiffness;
    }
  }
}

// The end of a stiff row of 10 masses on a mass of 3 kg: both give way.
TEST(Compliance, OfTwoBodiesIsTheSumOfBoth) {
  ContactProblem problem = tied_masses(10, 1e6);
  std::vector<std::array<Index, 2>> ties;
  for (Index i = 0; i < 9; ++i) ties.push_back({i, i + 1});
  const BlockMatrix row = problem.A;
  problem.A = make_pattern(11, ties);
  for (Index i = 0; i < 10; ++i) {
    for (Index slot = row.row_begin[i]; slot < row.row_begin[i + 1]; ++slot)
      problem.A.at(problem.A.find(i, row.column[slot])) = row.at(slot);
  }
  problem.A.at(problem.A.find(10, 10)) = 3 * Mat3::Identity();
  const Mat3 rows = problem.L.at(0);
  problem.L = {};
  problem.L.row_begin = {0, 2};
  problem.L.column = {0, 10};
  problem.L.values.resize(19, 0.0);
  problem.L.at(0) = rows;
  problem.L.at(1) = -rows;
  problem.b.setZero(33);
  problem.body.push_back(1);
  problem.mobility.push_back(1.0 / 3);
  VecX inverse;
  Compliance found;
  inverse_diagonal(problem, inverse);
  compliance(problem, inverse, found);
  EXPECT_NEAR(found.k[0] / (dt * dt * (1 / (10 * mass) + 1.0 / 3)), 1, 1e-12);
  EXPECT_NEAR(found.whole[0] / (dt * dt * (1 / (10 * mass) + 1.0 / 3)), 1, 1e-12);
}

TEST(ContactResidual, IsTheWorstOfAllContacts) {
  ContactProblem problem = point_on_plane({0, 0, -1}, 0.5);
  problem.L.row_begin = {0, 1, 2};
  problem.L.column = {0, 0};
  problem.L.values.resize(19, 0.0);
  problem.L.at(1) = problem.L.at(0);
  problem.c = VecX::Zero(6);
  problem.c[3] = 0.02;  // the second plane is 20 mm above the first
  problem.mu = {0.5, 0.5};
  const ContactSolution solution{.v = Vec3::Zero(), .lambda = {200, 0}, .gamma = {{0, 0}, {0, 0}}};
  expect_residual(problem, solution, 0, 0.02, 0);
}

// A pyramid turned by 30 degrees, |gamma . a| and |gamma . a'| <= 100 N: friction at its corner has 100 sqrt(2) N.
constexpr double turn = 0.5235987755982988;
const Vec2 along(std::cos(turn), std::sin(turn)), across(-std::sin(turn), std::cos(turn));
const FrictionLaw pyramid{{along}};

TEST(PyramidResidual, IsZeroAtTheCornerWhereTheConeMissesWhatIsOutside) {
  // 100 N along each axis slow the mass down by 0.5 m/s along each; it goes on with 0.5 and 0.3 m/s.
  const Vec2 v0 = along + 0.8 * across, v = 0.5 * along + 0.3 * across;
  const ContactProblem problem = point_on_plane({v0[0], v0[1], -1}, 0.5);
  const ContactSolution solution = solution_of({v[0], v[1], 0}, 200, 100 * (along + across));
  const ContactResidual own = contact_residual(problem, solution, pyramid);
  EXPECT_NEAR(own.momentum, 0, 1e-14);
  EXPECT_NEAR(own.constraint(), 0, rounding);
  EXPECT_NEAR(own.cone, 0, 1e-12);
  // gamma + s / k: 200 and 160 N along the axes, which the cone takes to 100 N in this direction.
  const Vec2 allowed = 100 * Vec2(200, 160).normalized();
  const ContactResidual cone = contact_residual(problem, solution);
  EXPECT_NEAR(cone.tangential, (Vec2(100, 100) - allowed).norm() * compliance_of_mass, rounding);
  EXPECT_NEAR(cone.cone, 100 * (std::sqrt(2.0) - 1), 1e-12);
}

TEST(PyramidResidual, IsThatOfTheConeWhereTheSlipIsAlongAnAxis) {
  const Vec2 v = 0.7 * along;
  const ContactProblem problem = point_on_plane({along[0], along[1], -1}, 0.5);
  const ContactSolution solution = solution_of({v[0], v[1], 0}, 200, 60 * along);
  EXPECT_NEAR(contact_residual(problem, solution, pyramid).tangential, 40 * compliance_of_mass, rounding);
  EXPECT_NEAR(contact_residual(problem, solution).tangential, 40 * compliance_of_mass, rounding);
}

TEST(PyramidResidual, StickingBeyondOneSideIsWhatIsOutsideOfIt) {
  const ContactProblem problem = point_on_plane({0, 0, -1}, 0.5);
  const ContactSolution solution = solution_of({0, 0, 0}, 200, 90 * along - 130 * across);
  const ContactResidual residual = contact_residual(problem, solution, pyramid);
  EXPECT_NEAR(residual.tangential, 30 * compliance_of_mass, rounding);
  EXPECT_NEAR(residual.cone, 30, 1e-12);
}

TEST(PyramidStates, AreThoseOfTheSquare) {
  // 90 N along each axis are 127 N, outside of the cone and inside of the square.
  const ContactProblem problem = point_on_plane({0, 0, -1}, 0.5);
  ContactSolution solution = solution_of({0, 0, 0}, 200, 90 * (along + across));
  derive_states(problem, solution);
  EXPECT_EQ(solution.state[0], FrictionState::sliding);
  derive_states(problem, solution, pyramid);
  EXPECT_EQ(solution.state[0], FrictionState::sticking);
  solution.v.head<2>() = 0.1 * along + 1.0 * across;  // 20 and 200 N: outside of both sides
  derive_states(problem, solution, pyramid);
  EXPECT_EQ(solution.state[0], FrictionState::sliding);
  EXPECT_NEAR((solution.delta[0] - (along + across).normalized()).norm(), 0, rounding);
}

TEST(ContactResidual, WhatIsNotANumberIsNotASmallResidual) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const ContactProblem problem = point_on_plane(sticking_start, 0.5);
  const ContactResidual velocity = contact_residual(problem, solution_of({nan, nan, nan}, 200, {20, 0}));
  EXPECT_FALSE(velocity.momentum <= 1);
  EXPECT_FALSE(velocity.normal <= 1);
  EXPECT_FALSE(velocity.tangential <= 1);
  const ContactResidual force = contact_residual(problem, solution_of({0, 0, 0}, nan, {20, 0}));
  EXPECT_FALSE(force.momentum <= 1);
  EXPECT_FALSE(force.normal <= 1);
  EXPECT_FALSE(force.pull <= 1);
  EXPECT_FALSE(contact_residual(problem, solution_of({nan, nan, nan}, 200, {20, 0}), pyramid).tangential <= 1);
}

TEST(ContactResidual, AGapThatIsNotANumberIsNotPassedOver) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const ContactSolution solution = solution_of({0, 0, 0}, 200, {20, 0});
  for (const int row : {0, 1}) {
    ContactProblem problem = point_on_plane(sticking_start, 0.5);
    problem.c[row] = nan;
    EXPECT_FALSE(contact_residual(problem, solution).constraint() <= 1) << row;
  }
}

TEST(ContactResidual, WithoutContactsIsTheBalanceAlone) {
  ContactProblem problem = point_on_plane({0, 0, 1}, 0.5);
  problem.L = {};
  problem.c.resize(0);
  problem.mu.clear();
  expect_residual(problem, {.v = Vec3(0, 0, 0)}, 2, 0, 0);
}

}  // namespace residual_test
}  // namespace sim
