#include "elasticity/element_impulse.hpp"

#include <algorithm>

#include "elasticity/element_at.hpp"

namespace sim {

namespace {

// What the buffer holds times v, at the corners. A common velocity of the corners drops out before it is
// multiplied: what is left has the rounding of strain rates.
template <std::size_t count>
Corners<count> stiffness_times(const double* blocks, const Corners<count>& v) {
  Corners<count> y;
  y.fill(Vec3::Zero());
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = i + 1; j < count; ++j, blocks += 9) {
      const Eigen::Map<const Mat3> K(blocks);
      const Vec3 difference = v[j] - v[i];
      y[i] += K * difference;
      y[j] -= K.transpose() * difference;
    }
  }
  return y;
}

template <std::size_t count>
struct ElementPlace {
  std::array<Index, count> vertices;
  const double *forces, *blocks;
};

template <std::size_t count>
void add_impulses(const ElementPlace<count>& element, std::span<const std::uint8_t> chosen,
                  const ElementMotion& motion, VecX& impulse) {
  const auto is_chosen = [&](Index vertex) { return chosen[vertex] != 0; };
  if (std::none_of(element.vertices.begin(), element.vertices.end(), is_chosen)) return;
  Corners<count> v;
  for (std::size_t k = 0; k < count; ++k) v[k] = block(motion.v1, element.vertices[k]);
  const Corners<count> pull = stiffness_times(element.blocks, v);
  for (std::size_t k = 0; k < count; ++k) {
    if (!is_chosen(element.vertices[k])) continue;
    block(impulse, element.vertices[k]) += motion.dt * Eigen::Map<const Vec3>(element.forces + 3 * k) - pull[k];
  }
}

}  // namespace

void add_impulses_on(std::span<const std::uint8_t> chosen, const ElasticBodies& bodies, const ElementMotion& motion,
                     VecX& impulse) {
  const ElementNumbering& numbering = bodies.numbering;
  for_each_kind([&](auto kind) {
    constexpr auto corners = static_cast<std::size_t>(corners_of(decltype(kind)::value));
    for (Index i = 0; i < numbering.count_of(kind.value); ++i) {
      const auto first = static_cast<std::size_t>(numbering.corner_of(kind.value, i));
      ElementPlace<corners> element{};
      std::copy_n(&numbering.vertex[first], corners, element.vertices.begin());
      element.forces = &motion.elements.forces[3 * first];
      element.blocks = &motion.elements.blocks[9 * static_cast<std::size_t>(numbering.pair_of(kind.value, i))];
      add_impulses(element, chosen, motion, impulse);
    }
  });
}

double stiffness_damping_loss(const ElasticBodies& bodies, const VecX& x0, const VecX& v, double dt) {
  const auto damps = [](double beta) { return beta > 0; };
  if (std::none_of(bodies.stiffness_damping.begin(), bodies.stiffness_damping.end(), damps)) return 0;
  return sum_over_elements(bodies, [&](auto kind, Index i) {
    const double beta = bodies.stiffness_damping[material_of<kind.value>(bodies, i)];
    if (!(beta > 0)) return 0.0;
    if constexpr (kind.value == ElementKind::tet) {
      return dt * beta * strain_rate_product(element_at(bodies, x0, i), gradient_at(bodies, v, i));
    } else {
      const auto& element = elements_of<kind.value>(bodies)[i];
      return dt * beta * strain_rate_product(element, corners_at(element, x0), corners_at(element, v));
    }
  });
}

}  // namespace sim
