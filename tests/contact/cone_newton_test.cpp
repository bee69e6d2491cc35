#include "contact/cone_newton.hpp"

#include "contact/chain.hpp"
#include "contact/exact.hpp"
#include "contact/hard_problems.hpp"
#include "contact/solving.hpp"

namespace sim {
namespace cone_newton_test {

TEST(ConeNewton, DerivativeIsThatOfTheProjection) {
  Random random(7);
  constexpr double h = 1e-6, mu = 0.6;
  int open = 0, sticking = 0, sliding = 0;
  for (int n = 0; n < 1500; ++n) {
    const Vec3 s(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
    const double to_cone = std::abs(s.tail<2>().norm() - mu * s[0]);
    if (std::abs(s[0]) < 10 * h || to_cone < 10 * h) continue;  // a kink
    Mat3 differences;
    for (int k = 0; k < 3; ++k) {
      const Vec3 e = h * Vec3::Unit(k);
      differences.col(k) = (project_on_cone(s + e, mu) - project_on_cone(s - e, mu)) / (2 * h);
    }
    EXPECT_LT((project_on_cone_derivative(s, mu) - differences).norm(), 1e-6) << s.transpose();
    ++(s[0] < 0 ? open : s.tail<2>().norm() < mu * s[0] ? sticking : sliding);
  }
  EXPECT_GT(std::min({open, sticking, sliding}), 20);
}

// Contacts of a positive definite W, as dense_reference() solves them.
TEST(ConeNewton, EndsAtRoundingFromNearTheSolution) {
  Random random(11);
  for (int n = 0; n < 20; ++n) {
    const Index contacts = 6;
    BlockMatrix W = make_pattern(contacts, {});
    std::vector<std::array<Index, 2>> all;
    for (Index i = 0; i < contacts; ++i)
      for (Index j = i + 1; j < contacts; ++j) all.push_back({i, j});
    W = make_pattern(contacts, all);
    Eigen::MatrixXd root = Eigen::MatrixXd::Zero(3 * contacts, 3 * contacts);
    for (Index i = 0; i < root.size(); ++i) root.data()[i] = random.uniform(-1, 1);
    const Eigen::MatrixXd dense = root * root.transpose() / 10 + Eigen::MatrixXd::Identity(root.rows(), root.rows());
    for (Index i = 0; i < contacts; ++i)
      for (Index slot = W.row_begin[i]; slot < W.row_begin[i + 1]; ++slot)
        W.at(slot) = dense.block<3, 3>(3 * i, 3 * W.column[slot]);
    // Any s has a q that it solves: q = -(s - P(s)) - W P(s).
    const std::vector<double> mu(contacts, 0.4);
    VecX solution(3 * contacts), z(3 * contacts), q(3 * contacts);
    for (Index i = 0; i < contacts; ++i) {
      block(solution, i) = 2 * Vec3(random.uniform(-0.5, 1), random.uniform(-1, 1), random.uniform(-1, 1));
      block(z, i) = project_on_cone(block(solution, i), mu[i]);
    }
    multiply(W, z, q);
    q = -(solution - z) - q;
    VecX s = solution;
    for (Index i = 0; i < s.size(); ++i) s[i] += random.uniform(-1e-4, 1e-4);
    ConeNewtonScratch scratch;
    const VecX soft = VecX::Zero(contacts);
    for (int k = 0; k < 6; ++k) ASSERT_TRUE(newton_step(W, q, mu, soft, scratch, s));
    EXPECT_LT((s - solution).norm(), 1e-12) << n;
  }
}

TEST(ConeNewton, SaysWhenItLeadsToNoNumber) {
  BlockMatrix W = make_pattern(1, {});
  W.at(0).setZero();
  VecX s(3);
  s << 1, 0, 0;
  const VecX before = s, q = VecX::Ones(3), soft = VecX::Zero(1);
  ConeNewtonScratch scratch;
  EXPECT_FALSE(newton_step(W, q, {0.5}, soft, scratch, s));
  EXPECT_TRUE((s.array() == before.array()).all());
}

}  // namespace cone_newton_test
}  // namespace sim
