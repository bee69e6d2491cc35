#include "step/held_bodies.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>

#include "math/parallel.hpp"

namespace sim {

namespace {

constexpr Index rows_a_chunk = 512;
constexpr double nothing = 1e-9;  // of the mass of a motion: a motion that is held, or of a line about itself

// P R of a row.
Motions motions_left(const HeldInput& in, const HeldBody& body, Index row) {
  const Index vertex = in.model.plan.vertex_of_block[row];
  const Motions motions = body.motions_at(block(in.x0, vertex));
  if (in.model.guide_of_vertex[vertex] < 0) return motions;
  return motions - held_part(in.model, in.guides, vertex) * motions;
}

// (P R)^T M P R.
Mat6 inertia_of(const HeldInput& in, const HeldBody& body, std::span<const Index> rows) {
  Mat6 sum = Mat6::Zero();
  for (const Index row : rows) {
    const Motions motions = motions_left(in, body, row);
    sum += in.model.elastic.mass[in.model.plan.vertex_of_block[row]] * motions.transpose() * motions;
  }
  return sum;
}

// (P R)^T A P R.
Mat6 product(const HeldInput& in, const HeldBody& body, std::span<const Index> rows) {
  const auto count = static_cast<Index>(rows.size());
  std::vector<Mat6> sums(static_cast<std::size_t>((count + rows_a_chunk - 1) / rows_a_chunk), Mat6::Zero());
  parallel_for(count, rows_a_chunk, [&](Index begin, Index end) {
    Mat6& sum = sums[begin / rows_a_chunk];
    for (Index i = begin; i < end; ++i) {
      Motions moved = Motions::Zero();
      for (Index slot = in.A.row_begin[rows[i]]; slot < in.A.row_begin[rows[i] + 1]; ++slot)
        moved += in.A.at(slot) * motions_left(in, body, in.A.column[slot]);
      sum += motions_left(in, body, rows[i]).transpose() * moved;
    }
  });
  Mat6 all = Mat6::Zero();
  for (const Mat6& sum : sums) all += sum;
  return 0.5 * (all + all.transpose());
}

}  // namespace

HeldBody held_body(const HeldInput& in, Index index, std::span<const Index> rows) {
  HeldBody body;
  body.body = index;
  double mass = 0, spread = 0;
  const auto for_each = [&](const auto& visit) {
    for (const Index row : rows) {
      const Index vertex = in.model.plan.vertex_of_block[row];
      visit(in.model.elastic.mass[vertex], block(in.x0, vertex));
    }
  };
  for_each([&](double m, const Vec3& x) {
    mass += m;
    body.center += m * x;
  });
  body.center /= mass;
  for_each([&](double m, const Vec3& x) { spread += m * (x - body.center).squaredNorm(); });
  body.size = spread > 0 ? std::sqrt(spread / mass) : 1;

  const Eigen::SelfAdjointEigenSolver<Mat6> inertia(inertia_of(in, body, rows));
  Mat6 Z = Mat6::Zero();  // the motions that there are, each of unit mass
  Index motions = 0;
  for (Index i = 0; i < 6; ++i) {
    const double one = inertia.eigenvalues()[i];
    if (one > nothing * mass) Z.col(motions++) = inertia.eigenvectors().col(i) / std::sqrt(one);
  }
  if (motions == 0) return body;
  const auto own = Z.leftCols(motions);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> A(own.transpose() * product(in, body, rows) * own);
  const double rounding = std::numeric_limits<double>::epsilon() * A.eigenvalues()[motions - 1];
  for (Index i = 0; i < motions; ++i) {
    const double mobile = std::min(in.most, 1 / std::max(rounding, A.eigenvalues()[i]));
    const Eigen::VectorXd motion = own * A.eigenvectors().col(i);
    body.mobility += mobile * motion * motion.transpose();
    body.stays = std::max(body.stays, std::min(1.0, mobile));
  }
  return body;
}

}  // namespace sim
