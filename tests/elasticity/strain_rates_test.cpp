// Stiffness damping of whole steps: blind to turns by any angle, the rates of the strains of every kind of element.
#include "elasticity/strain_rates.hpp"

#include <gtest/gtest.h>

#include <numbers>
#include <numeric>

#include "elasticity/specimen.hpp"

namespace sim {
namespace strain_rates_test {

using namespace test;
using sim::block;

constexpr double beta = 0.03, dt = 0.01;

// A body of one kind of element or law, and a state of it.
struct Case {
  std::string name;
  ElasticBodies bodies;
  VecX x;
  double most_turn = std::numbers::pi;  // that its strains tell from a change of shape
};

Case of_law(const std::string& name, const Material& m, const Vec3& stretch, double noise) {
  Specimen s = make_specimen({m});
  deform(s, stretch, noise);
  s.bodies.stiffness_damping = {beta};
  return {name, s.bodies, s.x};
}

Case of_thin(const std::string& name, const std::vector<Vec3>& rest, ThinParts parts, double noise) {
  Material m = material(MaterialModel::corotational, 5e5, 0.3, Stiffness::exact);
  m.stiffness_damping = beta;
  const std::vector<Material> materials{m};
  for (Index i = 0; i < static_cast<Index>(rest.size()); ++i) parts.masses.push_back({i, 0, 0.1});
  Case result{name, make_elastic_bodies(rest, {}, {}, materials, std::move(parts)), stacked(rest)};
  result.x += random_vector(result.x.size(), 5, noise);
  return result;
}

std::vector<Case> thin_cases() {
  const std::vector<Vec3> four{Vec3(0, 0, 0), Vec3(0.3, 0.1, 0), Vec3(0.1, 0.2, 0.05), Vec3(0.15, -0.2, 0.1)};
  ThinParts springs, membranes, hinges, bends;
  springs.springs = {make_spring({0, 1}, {four[0], four[1]}, 70, 0), make_spring({2, 3}, {four[2], four[3]}, 90, 0)};
  membranes.membranes = {make_membrane({0, 1, 2}, {four[0], four[1], four[2]}, {2e5, 0.3, 1e-3}, 0)};
  hinges.hinges = {make_hinge({0, 1, 2, 3}, {four[0], four[1], four[2], four[3]}, 0.02, 0)};
  bends.bends = {make_bend({0, 1, 2}, {four[0], four[1], four[2]}, 0.02, 0)};
  std::vector<Case> all{of_thin("spring", four, springs, 0.03), of_thin("membrane", four, membranes, 0.03),
                        of_thin("hinge", four, hinges, 0.03), of_thin("bend", four, bends, 0.03)};
  all.back().most_turn = 0.45 * std::numbers::pi;
  return all;
}

std::vector<Case> all_cases(bool with_inverted = true) {
  std::vector<Case> all = thin_cases();
  const std::vector<std::pair<std::string, Material>> laws{
      {"rotated linear", material(MaterialModel::corotational, 5e5, 0.3, Stiffness::rotated_linear)},
      {"corotational", material(MaterialModel::corotational, 5e5, 0.3, Stiffness::exact)},
      {"neo-hookean", material(MaterialModel::neo_hookean, 5e5, 0.3)},
      {"neo-hookean as published", material(MaterialModel::neo_hookean, 5e5, 0.3, Stiffness::exact, true)},
      {"stable neo-hookean", material(MaterialModel::stable_neo_hookean, 5e5, 0.3)},
      {"mooney-rivlin", material(MaterialModel::mooney_rivlin, 5e5, 0.3)},
      {"saint venant-kirchhoff", material(MaterialModel::st_venant_kirchhoff, 5e5, 0.3)}};
  for (const auto& [name, m] : laws) {
    for (const auto& [stretch, noise] : states) {
      if (with_inverted || (stretch[2] > 0 && noise < 0.05)) all.push_back(of_law(name, m, stretch, noise));
    }
  }
  return all;
}

VecX turned(const VecX& x, const Vec3& axis, double angle) {
  const Mat3 Q = Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix();
  VecX result(x.size());
  for (Index i = 0; i < static_cast<Index>(x.size() / 3); ++i) block(result, i) = Q * block(x, i) + Vec3(1, -2, 3);
  return result;
}

// What damping adds to A and b of a part of a step from x0 where it is linearised at x1.
struct System {
  Eigen::MatrixXd A;
  VecX b;
};
System assembled(const Case& c, const VecX& x0, const VecX& x1, double kappa) {
  std::vector<Index> blocks(static_cast<std::size_t>(x0.size() / 3));
  std::iota(blocks.begin(), blocks.end(), 0);
  const AssemblyPlan plan = plan_assembly(c.bodies, blocks);
  const StrainLayout layout = plan_strains(c.bodies);
  StrainStart start;
  begin(c.bodies, layout, x0, start);
  const StrainsOfStep strains{layout, start};
  const VecX zero = VecX::Zero(x0.size());
  const std::vector<double> factor(blocks.size(), kappa);
  ElasticBodies bare = c.bodies;
  bare.stiffness_damping = {0};
  System difference{Eigen::MatrixXd::Zero(x0.size(), x0.size()), VecX::Zero(x0.size())};
  for (const bool damped : {true, false}) {
    ElementBuffer buffer;
    BlockMatrix A;
    VecX b;
    const StepInput input{x1, zero, zero, Vec3::Zero(), dt, &factor, damped ? &strains : nullptr};
    assemble(damped ? c.bodies : bare, plan, input, buffer, A, b);
    const double sign = damped ? 1 : -1;
    difference.b += sign * b;
    for (Index row = 0; row < A.rows(); ++row) {
      for (Index k = A.row_begin[row]; k < A.row_begin[row + 1]; ++k)
        difference.A.block<3, 3>(3 * row, 3 * A.column[k]) += sign * A.at(k);
    }
  }
  return difference;
}
VecX damping_force(const Case& c, const VecX& x0, const VecX& x1, double kappa = 1) {
  return assembled(c, x0, x1, kappa).b / dt;
}
double loss(const Case& c, const VecX& x0, const VecX& x1) {
  return strain_damping_loss(c.bodies, plan_strains(c.bodies), {x0, x1, dt, {}, {}});
}
VecX change(const Case& c, const VecX& x0, const VecX& x1) {
  const StrainLayout layout = plan_strains(c.bodies);
  StrainStart start;
  begin(c.bodies, layout, x0, start);
  const VecX none = VecX::Zero(layout.numbers);
  return strain_changes(c.bodies, {layout, start}, x1, {none, none}).by;
}

TEST(StrainRates, ARigidMotionByAnyAngleGivesNoForceAndNoLoss) {
  for (const Case& c : all_cases()) {
    const VecX strained = c.x + random_vector(c.x.size(), 9, 1e-3);
    const double force = damping_force(c, c.x, strained).norm(), lost = loss(c, c.x, strained);
    ASSERT_GT(lost, 0) << c.name;
    for (const double part : {0.03, 0.3, 0.7, 1.0}) {
      for (const Vec3& axis : {Vec3(3, -1, 2), Vec3(0, 0, 1), Vec3(-1, 4, 0.5)}) {
        const VecX x1 = turned(c.x, axis, part * c.most_turn);
        EXPECT_LT(damping_force(c, c.x, x1).norm(), 1e-9 * force) << c.name << " " << part;
        EXPECT_LT(loss(c, c.x, x1), 1e-18 * lost) << c.name << " " << part;
      }
    }
  }
}

// A turn changes nothing of what is lost besides, and turns the forces.
TEST(StrainRates, LoseTheSameWhateverTurnsBesides) {
  for (const Case& c : all_cases()) {
    const VecX strained = c.x + random_vector(c.x.size(), 9, 1e-4);
    const VecX both = turned(strained, Vec3(3, -1, 2), 0.9 * c.most_turn);
    const double lost = loss(c, c.x, strained);
    EXPECT_NEAR(loss(c, c.x, both), lost, 1e-8 * lost) << c.name;
    const double force = damping_force(c, c.x, strained).norm();
    EXPECT_NEAR(damping_force(c, c.x, both).norm(), force, 1e-8 * force) << c.name;
  }
}

TEST(StrainRates, AreTheDerivativesOfTheStrains) {
  for (const Case& c : all_cases()) {
    const VecX v = random_vector(c.x.size(), 9, 1), rates = strain_rates(c.bodies, plan_strains(c.bodies), c.x, v);
    constexpr double h = 1e-6;
    const VecX by_difference = change(c, c.x - h * v, c.x + h * v) / (2 * h);
    if (c.bodies.tets.empty() || c.bodies.laws.empty()) {
      EXPECT_LT((rates - by_difference).norm(), 1e-6 * rates.norm()) << c.name;
      continue;
    }
    for (Index tet = 0; tet < static_cast<Index>(c.bodies.tets.size()); ++tet) {
      const Mat3 F = (Mat3() << block(c.x, c.bodies.tets[tet][1]) - block(c.x, c.bodies.tets[tet][0]),
                      block(c.x, c.bodies.tets[tet][2]) - block(c.x, c.bodies.tets[tet][0]),
                      block(c.x, c.bodies.tets[tet][3]) - block(c.x, c.bodies.tets[tet][0]))
                         .finished() *
                     c.bodies.inverse_shape[tet];
      if (F.determinant() < 0) continue;  // its changes are those of the root of F^T F
      const double scale = rates.segment(6 * tet, 6).norm();
      EXPECT_LT((rates - by_difference).segment(6 * tet, 6).norm(), 1e-4 * scale) << c.name;
    }
  }
}

// The potential dt beta r . C r / 2, with C as it is at x1: where strains change by little, what changes C does not
// count.
TEST(StrainRates, ForcesAreMinusTheDerivativeOfTheDissipationPotential) {
  for (const Case& c : all_cases()) {
    const VecX x0 = c.x, x1 = turned(c.x + random_vector(c.x.size(), 9, 1e-6), Vec3(3, -1, 2), 0.8 * c.most_turn);
    const VecX force = damping_force(c, x0, x1);
    for (const std::uint64_t seed : {11U, 12U, 13U}) {
      const VecX v = random_vector(c.x.size(), seed, 1);
      constexpr double h = 1e-6;
      const double slope = (loss(c, x0, x1 + h * v) - loss(c, x0, x1 - h * v)) / (2 * h) / 2;
      EXPECT_NEAR(force.dot(v), -slope, 1e-3 * force.norm() * v.norm()) << c.name;
    }
  }
}

TEST(StrainRates, TheMatrixIsTheDerivativeOfTheForcesOfSmallChanges) {
  for (const Case& c : all_cases()) {
    for (const double kappa : {1.0, 1.875}) {
      const VecX x1 = turned(c.x, Vec3(3, -1, 2), 0.8 * c.most_turn), v = random_vector(c.x.size(), 9, 1);
      constexpr double h = 1e-7;
      const VecX slope =
          (damping_force(c, c.x, x1 + h * v, kappa) - damping_force(c, c.x, x1 - h * v, kappa)) / (2 * h);
      const VecX product = assembled(c, c.x, x1, kappa).A * v / (dt * dt);
      EXPECT_LT((slope + product).norm(), 1e-4 * product.norm()) << c.name << " " << kappa;
    }
  }
}

TEST(StrainRates, LoseTheWorkOfTheForcesOfAShortWayAndNeverGive) {
  for (const Case& c : all_cases()) {
    for (const std::uint64_t seed : {9U, 10U, 11U}) {
      const VecX x1 = c.x + random_vector(c.x.size(), seed, 1e-6);
      const double work = -damping_force(c, c.x, x1).dot(x1 - c.x);
      EXPECT_NEAR(loss(c, c.x, x1), work, 1e-3 * work) << c.name;
      EXPECT_GE(loss(c, c.x, c.x + random_vector(c.x.size(), seed, 0.1)), 0);
    }
  }
}

TEST(StrainRates, KeepMomentumAndAngularMomentum) {
  for (const Case& c : all_cases()) {
    const VecX x1 = turned(c.x + random_vector(c.x.size(), 9, 0.01), Vec3(3, -1, 2), 0.5);
    const VecX force = damping_force(c, c.x, x1);
    Vec3 sum = Vec3::Zero(), torque = Vec3::Zero();
    for (Index i = 0; i < static_cast<Index>(x1.size() / 3); ++i) {
      sum += block(force, i);
      torque += Vec3(block(x1, i)).cross(Vec3(block(force, i)));
    }
    EXPECT_LT(sum.norm(), 1e-10 * force.norm()) << c.name;
    EXPECT_LT(torque.norm(), 1e-9 * force.norm()) << c.name;
  }
}

// As D of the elements has it, for ways so short that they turn nothing.
TEST(StrainRates, OfShortWaysAreThoseOfTheVelocity) {
  for (const Case& c : all_cases(false)) {
    const VecX v = random_vector(c.x.size(), 9, 1), x1 = c.x + 1e-7 * v;
    std::vector<double> of_corners;
    VecX force;
    stiffness_damping_force(c.bodies, x1, 1e-7 / dt * v, of_corners, force);
    EXPECT_LT((damping_force(c, c.x, x1) - force).norm(), 1e-4 * force.norm()) << c.name;
  }
}

// An element turned inside out so far that two stretches add up to nothing has no nearest rotation: it jumps there.
// What changes by little has small rates all the same.
TEST(StrainRates, NothingJumpsWhereTheNearestRotationDoes) {
  Mat3 mirror, turn;
  mirror << 1, 0, 0, 0, 0.6, 0, 0, 0, -0.6;
  turn << 0, 0, 0, 0, 1, 0, 0, 0, 1;
  const Stretch start = stretch_of(rotation_svd(mirror + 1e-3 * turn));
  const RotationSvd end = rotation_svd(mirror - 1e-3 * turn);
  ASSERT_GT((stretch_of(end).S - start.S).norm(), 1);
  EXPECT_LT(stretch_change(start, end).by.rate.norm(), 3e-3);
}

TEST(StrainRates, ABendGoesOnThroughStraight) {
  const auto at = [](double angle, double turn) {
    const Mat3 Q = Eigen::AngleAxisd(turn, Vec3::UnitZ()).toRotationMatrix();
    return Corners<3>{Q * Vec3(-0.1, 0, 0), Q * Vec3(0, 0, 0),
                      Q * Vec3(0.1 * std::cos(angle), 0.1 * std::sin(angle), 0)};
  };
  const Bend bend = make_bend({0, 1, 2}, at(0, 0), 0.02, 0);
  const auto norm = [](const Strains<3>& n) { return std::hypot(n[0], n[1], n[2]); };
  for (const double turn : {0.0, 0.4, 1.0}) {
    const double over = norm(strain_change(bend, at(0.3, 0), at(-0.1, turn)).by);
    EXPECT_NEAR(over, 2 * (std::tan(0.05) + std::tan(0.15)), 1e-12) << turn;
    const double on = norm(strain_change(bend, at(0.3, 0), at(0.1, turn)).by);
    EXPECT_NEAR(on, 2 * (std::tan(0.15) - std::tan(0.05)), 1e-12) << turn;
  }
}

// Near straight a bend has no direction to roll: what it moves across the little that it is bent is its rate.
TEST(StrainRates, ABendThatIsNearlyStraightKeepsItsRate) {
  const auto at = [](double up, double aside) {
    return Corners<3>{Vec3(-0.1, 0, 0), Vec3(0, up, aside), Vec3(0.1, 0, 0)};
  };
  const Bend bend = make_bend({0, 1, 2}, at(0, 0), 0.02, 0);
  const BendChange change = strain_change(bend, at(1e-9, 0), at(0, 1e-3));
  const Strains<3> straight = strain_change(bend, at(0, 0), at(0, 1e-3)).by, rate{0, 3, 0};
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(change.by[k], straight[k], 1e-7);
    EXPECT_NEAR(carried(change, rate)[k], rate[k], 1e-5);
  }
}

// A cable that comes to lie on a flat face is bent by noise there: whatever its direction, the forces are those of
// what has straightened it, and the matrix knows them.
TEST(StrainRates, ABendThatComesToBeStraightHasTheForcesOfWhatStraightenedIt) {
  const auto at = [](double up, double aside) {
    return stacked({Vec3(-0.1, 0, 0), Vec3(0, up, aside), Vec3(0.1, 0, 0)});
  };
  ThinParts parts;
  parts.bends = {make_bend({0, 1, 2}, {Vec3(-0.1, 0, 0), Vec3(0, 0, 0), Vec3(0.1, 0, 0)}, 0.02, 0)};
  const Case c = of_thin("bend", {Vec3(-0.1, 0, 0), Vec3(0, 0, 0), Vec3(0.1, 0, 0)}, parts, 0);
  const VecX x0 = at(0.01, 0), straight = damping_force(c, x0, at(0, 0));
  ASSERT_GT(straight.norm(), 0);
  for (const double noise : {1e-12, 1e-9, 1e-7}) {
    for (const double angle : {0.0, 0.7, 1.5, 2.5, 4.0}) {
      const VecX x1 = at(noise * std::cos(angle), noise * std::sin(angle));
      EXPECT_LT((damping_force(c, x0, x1) - straight).norm(), 0.02 * straight.norm()) << noise << ' ' << angle;
      const VecX way = random_vector(x1.size(), 9, 1e-9);
      const System here = assembled(c, x0, x1, 1);
      const VecX change = damping_force(c, x0, x1 + way) - here.b / dt;
      EXPECT_LT((change + here.A * way / (dt * dt)).norm(),
                0.1 * (here.A * way / (dt * dt)).norm() + 1e-3 * straight.norm());
    }
  }
}

// The energy of the volume of corotational elements begins with a curvature at J = 0.3. Where a step ends on the one
// side of it or on the other the forces are the same, or nothing could be in balance there.
TEST(StrainRates, DoNotJumpWhereTheVolumeEnergyBegins) {
  for (const Stiffness stiffness : {Stiffness::exact, Stiffness::rotated_linear}) {
    const Material m = material(MaterialModel::corotational, 5e5, 0.3, stiffness);
    const auto squeezed = [&](double J) { return of_law("", m, Vec3::Constant(std::cbrt(J)), 0); };
    for (const double J0 : {0.5, 0.2}) {
      const Case start = squeezed(J0), above = squeezed(0.3 * (1 + 1e-7)), below = squeezed(0.3 * (1 - 1e-7));
      const VecX at_above = damping_force(start, start.x, above.x), at_below = damping_force(start, start.x, below.x);
      EXPECT_GT(at_above.norm(), 1);
      EXPECT_LT((at_above - at_below).norm(), 1e-5 * at_above.norm()) << J0;
      EXPECT_NEAR(loss(start, start.x, below.x), loss(start, start.x, above.x), 1e-5 * loss(start, start.x, above.x));
    }
    // And the forces are those of the rate of the volume's stress: all of it for small steps below.
    const Case start = squeezed(0.2), end = squeezed(0.2 * (1 - 1e-6));
    const VecX rate = (end.x - start.x) / dt;
    std::vector<double> of_corners;
    VecX instant;
    stiffness_damping_force(start.bodies, end.x, rate, of_corners, instant);
    EXPECT_LT((damping_force(start, start.x, end.x) - instant).norm(), 1e-4 * instant.norm());
  }
}

}  // namespace strain_rates_test
}  // namespace sim
