#include "contact/body_compliance.hpp"

#include <gtest/gtest.h>

#include "contact/dense_reference.hpp"
#include "contact/hard_problems.hpp"

namespace sim {
namespace {

// Rows of L, of every `stride`-th contact, as another round of a step leaves them.
void relinearise(ContactProblem& problem, Random& random, Index stride) {
  for (Index i = 0; i < problem.contacts(); i += stride) {
    for (Index slot = problem.L.row_begin[i]; slot < problem.L.row_begin[i + 1]; ++slot)
      problem.L.at(slot) *= random.uniform(0.9, 1.1);
  }
}

struct Operator {
  BodyCompliances kept;
  BlockMatrix W;

  // Returns the flops.
  double make(const ContactProblem& problem) {
    prepare(problem, kept);
    double flops = 0;
    EXPECT_TRUE(factor_bodies(problem, kept, flops, {}));
    coupling_pattern(problem, kept, W);
    return delassus(problem, kept, W, {});
  }
};

ContactProblem one_body_with_many_contacts(Random& random) {
  ContactProblem problem = test::random_problem(random, 10, 60, 0.3);
  problem.versions = {{1, 1}};
  return problem;
}

TEST(BodyCompliance, IsTheDenseProductWithTheInverseWhateverRowsItHasMet) {
  Random random(7);
  ContactProblem problem = one_body_with_many_contacts(random);
  Operator op;
  for (const Index stride : {1, 3, 1, 7, 2, 16, 1}) {
    SCOPED_TRACE(stride);
    relinearise(problem, random, stride);
    op.make(problem);
    const Eigen::MatrixXd A = test::dense(problem.A, 30), L = test::dense(problem.L, 30);
    const Eigen::MatrixXd exact = L * A.inverse() * L.transpose();
    EXPECT_LT((test::dense(op.W, exact.cols()) - exact).norm(), 1e-13 * exact.norm());
  }
}

TEST(BodyCompliance, IsMadeOnceOfRowsThatStay) {
  Random random(7);
  const ContactProblem problem = one_body_with_many_contacts(random);
  Operator op;
  EXPECT_GT(op.make(problem), 0);
  EXPECT_EQ(op.make(problem), 0);
}

// The tenth round takes what the first one took, and no more memory.
TEST(BodyCompliance, TakesNoMoreTheMoreRoundsThereWere) {
  Random random(7);
  ContactProblem problem = one_body_with_many_contacts(random);
  Operator op;
  const double first = op.make(problem);
  const std::size_t panels = op.kept.bodies[0].panels.size();
  for (int round = 2; round <= 10; ++round) {
    SCOPED_TRACE(round);
    relinearise(problem, random, 1);
    EXPECT_EQ(op.make(problem), first);
    EXPECT_EQ(op.kept.bodies[0].panels.size(), panels);
    EXPECT_EQ(op.kept.bodies[0].sides.size(), 60);
  }
}

}  // namespace
}  // namespace sim
