#include "elasticity/element_frequency.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "elasticity/element_at.hpp"

namespace sim {

namespace {

constexpr int most_corners = 4;
constexpr double of_rounding = 1e-14;  // a hinge does not move corners opposite right angles
using Stiffness12 = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 3 * most_corners, 3 * most_corners>;

// K_e from its blocks above the diagonal: its rows add up to nothing.
Stiffness12 whole_stiffness(int corners, const double* blocks) {
  Stiffness12 K = Stiffness12::Zero(3 * corners, 3 * corners);
  for (int i = 0; i < corners; ++i) {
    for (int j = i + 1; j < corners; ++j, blocks += 9) {
      const Eigen::Map<const Mat3> block(blocks);
      K.block<3, 3>(3 * i, 3 * j) = block;
      K.block<3, 3>(3 * j, 3 * i) = block.transpose();
      K.block<3, 3>(3 * i, 3 * i) -= block;
      K.block<3, 3>(3 * j, 3 * j) -= block.transpose();
    }
  }
  return K;
}

template <class Kind>
Stiffness12 stiffness_of(const ElasticBodies& bodies, const VecX& x, Kind kind, Index i) {
  std::array<double, 3 * most_corners> forces{};
  std::array<double, 9 * corner_pairs.size()> blocks{};
  if constexpr (kind.value == ElementKind::tet) {
    element_forces_and_stiffness(element_at(bodies, x, i), {}, forces.data(), blocks.data());
  } else {
    const auto& element = elements_of<kind.value>(bodies)[i];
    element_forces_and_stiffness(element, corners_at(element, x), {}, forces.data(), blocks.data());
  }
  return whole_stiffness(corners_of(kind.value), blocks.data());
}

// How stiff each corner is, and the sum over the corners of a vertex that are of one kind.
struct Shares {
  std::vector<double> corner;                             // N/m
  std::array<std::vector<double>, element_kinds> vertex;  // N/m
  std::vector<int> kinds;                                 // a vertex: that it has elements of
};

Shares find_shares(const ElasticBodies& bodies, const VecX& x) {
  Shares shares;
  const auto vertices = static_cast<std::size_t>(bodies.mass.size());
  shares.corner.assign(bodies.numbering.vertex.size(), 0);
  shares.vertex.fill(std::vector<double>(vertices, 0.0));
  shares.kinds.assign(vertices, 0);
  for_each_element(bodies, [&](auto kind, Index i) {
    const Stiffness12 K = stiffness_of(bodies, x, kind, i);
    const Index first = bodies.numbering.corner_of(kind.value, i);
    double largest = 0;
    for (int c = 0; c < corners_of(kind.value); ++c)
      largest = std::max(largest, K.diagonal().segment<3>(3 * c).sum());
    for (int c = 0; c < corners_of(kind.value); ++c) {
      const double stiff = K.diagonal().segment<3>(3 * c).sum();
      shares.corner[first + c] = stiff > of_rounding * largest ? stiff : 0;
    }
  });
  for_each_kind([&](auto kind) {
    std::vector<double>& sum = shares.vertex[static_cast<std::size_t>(kind.value)];
    const Index begin = bodies.numbering.corner_of(kind.value, 0);
    const Index end = bodies.numbering.corner_of(kind.value, bodies.numbering.count_of(kind.value));
    for (Index c = begin; c < end; ++c) sum[bodies.numbering.vertex[c]] += shares.corner[c];
    for (std::size_t v = 0; v < vertices; ++v) shares.kinds[v] += sum[v] > 0 ? 1 : 0;
  });
  return shares;
}

}  // namespace

ByKind element_frequencies(const ElasticBodies& bodies, const VecX& x, std::span<const std::uint8_t> moves) {
  const Shares shares = find_shares(bodies, x);
  ByKind omega;
  for_each_kind([&](auto kind) {
    omega[static_cast<std::size_t>(kind.value)].assign(
        static_cast<std::size_t>(bodies.numbering.count_of(kind.value)), 0.0);
  });
  for_each_element(bodies, [&](auto kind, Index i) {
    Stiffness12 K = stiffness_of(bodies, x, kind, i);
    const Index first = bodies.numbering.corner_of(kind.value, i);
    for (int c = 0; c < corners_of(kind.value); ++c) {
      const Index v = bodies.numbering.vertex[first + c];
      const double whole = shares.vertex[static_cast<std::size_t>(kind.value)][v];
      const double share = whole > 0 ? bodies.mass[v] * shares.corner[first + c] / whole / shares.kinds[v] : 0;
      const double scale = moves[v] != 0 && share > 0 ? 1 / std::sqrt(share) : 0;
      K.middleRows<3>(3 * c) *= scale;
      K.middleCols<3>(3 * c) *= scale;
    }
    const Eigen::SelfAdjointEigenSolver<Stiffness12> eigen(K, Eigen::EigenvaluesOnly);
    omega[static_cast<std::size_t>(kind.value)][i] = std::sqrt(std::max(0.0, eigen.eigenvalues().maxCoeff()));
  });
  return omega;
}

}  // namespace sim
