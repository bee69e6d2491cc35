#include "step/held_bodies.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
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

// The shortest q of least |A q - b|, A symmetric.
template <int n>
Eigen::Vector<double, n> shortest(const Eigen::Matrix<double, n, n>& A, const Eigen::Vector<double, n>& b) {
  Eigen::CompleteOrthogonalDecomposition<Eigen::Matrix<double, n, n>> parts;
  parts.setThreshold(nothing);
  parts.compute(A);
  return parts.solve(b);
}

struct Carrier {
  Vec3 velocity = Vec3::Zero();
  HeldBody frame;  // its motions only
  Eigen::Vector<double, 6> turn = Eigen::Vector<double, 6>::Zero();
  Vec3 at(const Vec3& place) const { return velocity + frame.motions_at(place) * turn; }
};

Carrier carrier_of(const CarriedInput& in, std::span<const Index> holders) {
  Carrier carrier;
  Mat3 held = Mat3::Zero();
  Vec3 sum = Vec3::Zero();
  for (const Index vertex : holders) {
    const Mat3 H = held_part(in.model, in.guides, vertex);
    held += H;
    sum += H * block(in.v0, vertex);
    carrier.frame.center += block(in.x0, vertex) / static_cast<double>(holders.size());
  }
  if (held.isZero(0)) return carrier;
  carrier.velocity = shortest<3>(held, sum);
  double size = 0;
  for (const Index vertex : holders) size = std::max(size, (block(in.x0, vertex) - carrier.frame.center).norm());
  if (size > 0) carrier.frame.size = size;
  Mat6 held_motions = Mat6::Zero();
  Eigen::Vector<double, 6> rest = Eigen::Vector<double, 6>::Zero();
  for (const Index vertex : holders) {
    const Mat3 H = held_part(in.model, in.guides, vertex);
    const Motions motions = carrier.frame.motions_at(block(in.x0, vertex));
    held_motions += motions.transpose() * H * motions;
    rest += motions.transpose() * H * (block(in.v0, vertex) - carrier.velocity);
  }
  carrier.turn = shortest<6>(held_motions, rest);
  return carrier;
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

bool carry_along(const CarriedInput& in, Index body, std::span<const Index> rows, VecX& carried) {
  const std::vector<Index>& holders = in.holders[body];
  const auto stands = [&](Index vertex) {
    return (held_part(in.model, in.guides, vertex) * block(in.v0, vertex)).isZero(0);
  };
  if (std::ranges::all_of(holders, stands)) return false;
  const Carrier carrier = carrier_of(in, holders);
  for (const Index row : rows) {
    const Index vertex = in.model.plan.vertex_of_block[row];
    const Vec3 velocity = carrier.at(block(in.x0, vertex));
    block(carried, row) = velocity - held_part(in.model, in.guides, vertex) * velocity;
  }
  return true;
}

}  // namespace sim
