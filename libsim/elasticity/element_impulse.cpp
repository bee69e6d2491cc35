#include "elasticity/element_impulse.hpp"

#include <algorithm>

#include "elasticity/element_at.hpp"
#include "math/parallel.hpp"

namespace sim {

namespace {

using Corners = std::array<Vec3, 4>;

constexpr Index tets_a_chunk = 256;

// What the buffer holds times v, at the corners. A common velocity of the corners drops out before it is
// multiplied: what is left has the rounding of strain rates.
Corners stiffness_times(const ElementBuffer& elements, Index tet, const Corners& v) {
  Corners y{Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
  const double* blocks = &elements.blocks[54 * static_cast<std::size_t>(tet)];
  for (std::size_t pair = 0; pair < corner_pairs.size(); ++pair) {
    const auto i = static_cast<std::size_t>(corner_pairs[pair][0]),
               j = static_cast<std::size_t>(corner_pairs[pair][1]);
    const Eigen::Map<const Mat3> K(blocks + 9 * pair);
    const Vec3 difference = v[j] - v[i];
    y[i] += K * difference;
    y[j] -= K.transpose() * difference;
  }
  return y;
}

Corners velocities(const ElasticBodies& bodies, Index tet, const VecX& v) {
  const auto [a, b, c, d] = bodies.tets[tet];
  return {block(v, a), block(v, b), block(v, c), block(v, d)};
}

Corners forces_of(const ElementBuffer& elements, Index tet) {
  const Eigen::Map<const Mat3> F(&elements.forces[9 * static_cast<std::size_t>(tet)]);
  return {-(F.col(0) + F.col(1) + F.col(2)), F.col(0), F.col(1), F.col(2)};
}

}  // namespace

void add_impulses_on(std::span<const std::uint8_t> chosen, const ElasticBodies& bodies, const ElementMotion& motion,
                     VecX& impulse) {
  const auto is_chosen = [&](Index vertex) { return chosen[vertex] != 0; };
  for (Index tet = 0; tet < static_cast<Index>(bodies.tets.size()); ++tet) {
    const Tet& corners = bodies.tets[tet];
    if (std::none_of(corners.begin(), corners.end(), is_chosen)) continue;
    const Corners force = forces_of(motion.elements, tet);
    const Corners pull = stiffness_times(motion.elements, tet, velocities(bodies, tet, motion.v1));
    for (std::size_t k = 0; k < 4; ++k) {
      if (is_chosen(corners[k])) block(impulse, corners[k]) += motion.dt * force[k] - pull[k];
    }
  }
}

double stiffness_damping_loss(const ElasticBodies& bodies, const VecX& x0, const VecX& v, double dt) {
  const auto damps = [](double beta) { return beta > 0; };
  if (std::none_of(bodies.stiffness_damping.begin(), bodies.stiffness_damping.end(), damps)) return 0;
  return parallel_sum(static_cast<Index>(bodies.tets.size()), tets_a_chunk, [&](Index begin, Index end) {
    double sum = 0;
    for (Index tet = begin; tet < end; ++tet) {
      const double beta = bodies.stiffness_damping[bodies.material[tet]];
      if (!(beta > 0)) continue;
      sum += dt * beta * strain_rate_product(element_at(bodies, x0, tet), gradient_at(bodies, v, tet));
    }
    return sum;
  });
}

}  // namespace sim
