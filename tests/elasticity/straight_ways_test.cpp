// What straight ways strain springs and membranes by, beyond what a linearised step sees.
#include "elasticity/straight_ways.hpp"

#include <gtest/gtest.h>

#include "elasticity/reference.hpp"
#include "elasticity/strain_rate_forces.hpp"
#include "elasticity/strains.hpp"
#include "math/random.hpp"

namespace sim {
namespace straight_ways_test {

using test::random_rotation;
using Mat32 = Eigen::Matrix<double, 3, 2>;

template <std::size_t count>
Corners<count> random_corners(Random& random, double size) {
  Corners<count> x;
  for (Vec3& point : x)
    point = Vec3(random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size));
  return x;
}

template <std::size_t count, class By>
Corners<count> mapped(const Corners<count>& x, const By& by) {
  Corners<count> result;
  for (std::size_t k = 0; k < count; ++k) result[k] = by(x[k]);
  return result;
}

Mat3 symmetric_part_left(const Mat3& Q) {
  return Mat3::Identity() - 0.5 * (Q + Q.transpose());
}

Mat32 gradient(const Membrane& m, const Corners<3>& x) {
  Mat32 E;
  E << x[1] - x[0], x[2] - x[0];
  return E * m.inverse_shape;
}

TEST(StraightWays, AndTheLinearisedStrainAreAllOfIt) {
  Random random(3);
  for (int n = 0; n < 50; ++n) {
    const auto rest2 = random_corners<2>(random, 1), by2 = random_corners<2>(random, 0.3);
    const Spring spring = make_spring({0, 1}, rest2, 10, 0);
    const Corners<2> end2 = {rest2[0] + by2[0], rest2[1] + by2[1]};
    const Vec3 e0 = rest2[1] - rest2[0], e1 = end2[1] - end2[0];
    const double linear = e0.norm() + e0.normalized().dot(e1 - e0);
    EXPECT_NEAR(linear + lengthening(spring, rest2, end2), e1.norm(), 1e-14);

    const auto rest = random_corners<3>(random, 1), start = random_corners<3>(random, 1),
               by = random_corners<3>(random, 0.3);
    const Membrane m = make_membrane({0, 1, 2}, rest, {1, 0.3, 1}, 0);
    const Corners<3> end = {start[0] + by[0], start[1] + by[1], start[2] + by[2]};
    const Mat32 F0 = gradient(m, start), F1 = gradient(m, end);
    const Mat2 E0 = 0.5 * (F0.transpose() * F0 - Mat2::Identity()),
               E1 = 0.5 * (F1.transpose() * F1 - Mat2::Identity());
    const Mat2 product = F0.transpose() * (F1 - F0), seen = 0.5 * (product + product.transpose());
    EXPECT_LT((E0 + seen + lengthening(m, start, end) - E1).norm(), 1e-12 * (1 + E1.norm()));
  }
}

// Of what turns as a whole, the chord of the turn takes out all that its straight way lengthens it by.
TEST(StraightWays, OfATurnAreWhatItsChordTakesOut) {
  Random random(4);
  for (int n = 0; n < 50; ++n) {
    const Mat3 Q = random_rotation(random), C = symmetric_part_left(Q);
    const auto turn = [&](const Vec3& x) -> Vec3 { return Q * x; };
    const auto a = random_corners<2>(random, 1);
    const Spring spring = make_spring({0, 1}, a, 10, 0);
    EXPECT_NEAR(lengthening(spring, a, mapped(a, turn)), shortening(spring, a, C), 1e-14);
    const auto b = random_corners<3>(random, 1);
    const Membrane m = make_membrane({0, 1, 2}, b, {1, 0.3, 1}, 0);
    const Mat2 long_by = lengthening(m, b, mapped(b, turn));
    EXPECT_LT((long_by - shortening(m, b, C)).norm(), 1e-12 * long_by.norm());
  }
}

TEST(Straining, HasTheRatesOfStrainOfTheWay) {
  Random random(5);
  for (int n = 0; n < 50; ++n) {
    const Mat3 way = random_rotation(random) - Mat3::Identity();
    const auto move = [&](const Vec3& x) -> Vec3 { return way * x; };
    const auto a = random_corners<2>(random, 1);
    const Spring spring = make_spring({0, 1}, a, 10, 0);
    EXPECT_NEAR(strain_rates(spring, a, straining(spring, a, way))[0], strain_rates(spring, a, mapped(a, move))[0],
                1e-14);
    const auto rest = random_corners<3>(random, 1), b = random_corners<3>(random, 1);
    const Membrane m = make_membrane({0, 1, 2}, rest, {1, 0.3, 1}, 0);
    const Strains<3> had = strain_rates(m, b, straining(m, b, way)), wanted = strain_rates(m, b, mapped(b, move));
    double size = 0;
    for (const double rate : wanted) size = std::max(size, std::abs(rate));
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(had[k], wanted[k], 1e-10 * size);
  }
}

// A membrane that is pulled by a force F across its edge turns it with the stiffness F / l of that force, not of the
// strain that its straight way has added.
TEST(StiffnessOfStress, IsThatOfTheStrainWithoutWhatIsUnseen) {
  const Corners<2> rest = {Vec3(0, 0, 0), Vec3(1, 0, 0)}, pulled = {Vec3(0, 0, 0), Vec3(1.1, 0, 0)};
  const Spring spring = make_spring({0, 1}, rest, 10, 0);
  std::array<double, 6> forces{};
  std::array<double, 9> block{};
  element_forces_and_stiffness(spring, pulled, {1, 0}, forces.data(), block.data(), 0.06);
  EXPECT_NEAR(forces[0], 10 * 0.1, 1e-13);
  EXPECT_NEAR(block[0], -10, 1e-13);
  EXPECT_NEAR(block[4], -10 * 0.04 / 1.1, 1e-13);
  element_forces_and_stiffness(spring, pulled, {1, 0}, forces.data(), block.data(), 0.2);
  EXPECT_EQ(block[4], 0) << "as of what is pressed";

  const Corners<3> flat = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)};
  const Corners<3> larger = {Vec3(0, 0, 0), Vec3(1.1, 0, 0), Vec3(0, 1.1, 0)};
  const Membrane m = make_membrane({0, 1, 2}, flat, {10, 0.25, 1}, 0);
  std::array<double, 9> f{};
  std::array<double, 27> blocks{};
  element_forces_and_stiffness(m, larger, {1, 0}, f.data(), blocks.data(), 0.065 * Mat2::Identity());
  // S = Y / (1 - nu) (E - 0.065) of the same pull both ways, E = (1.1^2 - 1) / 2 = 0.105; across it A b_1 . S b_2.
  const double S = 10 / 0.75 * 0.04;
  EXPECT_NEAR(blocks[8], 0.5 * (-S), 1e-12);      // corners 0 and 1: b_0 . b_1 = -1
  EXPECT_NEAR(blocks[9 + 8], 0.5 * (-S), 1e-12);  // 0 and 2
  EXPECT_NEAR(blocks[18 + 8], 0, 1e-12);          // 1 and 2
}

}  // namespace straight_ways_test
}  // namespace sim
