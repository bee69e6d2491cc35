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
Mat3 way_of(const TurnOfElements& turn, const std::array<Index, count>& vertices) {
  if (turn.way.empty()) return Mat3::Zero();
  for (const Index vertex : vertices) {
    if (const Index body = turn.body_of_vertex[vertex]; body >= 0) return turn.way[body];
  }
  return Mat3::Zero();
}

// v of the header of element i of its kind, but for what all corners have in common.
template <std::size_t count>
Corners<count> besides_turn(const ElementMotion& motion, const std::array<Index, count>& vertices, Index i) {
  const Mat3 way = way_of(motion.turn, vertices);
  const Vec3 from = block(motion.x0, vertices[0]);
  Corners<count> v;
  for (std::size_t k = 0; k < count; ++k)
    v[k] = block(motion.v1, vertices[k]) - way * (block(motion.x0, vertices[k]) - from);
  if constexpr (count == 2) {
    if (!motion.turn.takes_part.empty())
      v[1] += no_turn_of_spring(block(motion.x0, vertices[1]) - from, way, motion.turn.takes_part[i]);
  }
  return v;
}

template <std::size_t count>
struct ElementPlace {
  std::array<Index, count> vertices;
  const double *forces, *blocks;
  Index number;  // of its kind
};

template <std::size_t count>
void add_impulses(const ElementPlace<count>& element, std::span<const std::uint8_t> chosen,
                  const ElementMotion& motion, VecX& impulse) {
  const auto is_chosen = [&](Index vertex) { return chosen[vertex] != 0; };
  if (std::none_of(element.vertices.begin(), element.vertices.end(), is_chosen)) return;
  const Corners<count> pull = stiffness_times(element.blocks, besides_turn(motion, element.vertices, element.number));
  for (std::size_t k = 0; k < count; ++k) {
    if (!is_chosen(element.vertices[k])) continue;
    block(impulse, element.vertices[k]) += motion.dt * Eigen::Map<const Vec3>(element.forces + 3 * k) - pull[k];
  }
}

}  // namespace

Vec3 no_turn_of_spring(const Vec3& e, const Mat3& way, double takes_part) {
  const double square = e.squaredNorm();
  return square > 0 ? Vec3((1 - takes_part) * e.dot(way * e) / square * e) : Vec3(Vec3::Zero());
}

void add_impulses_on(std::span<const std::uint8_t> chosen, const ElasticBodies& bodies, const ElementBuffer& elements,
                     const ElementMotion& motion, VecX& impulse) {
  const ElementNumbering& numbering = bodies.numbering;
  for_each_kind([&](auto kind) {
    constexpr auto corners = static_cast<std::size_t>(corners_of(decltype(kind)::value));
    for (Index i = 0; i < numbering.count_of(kind.value); ++i) {
      const auto first = static_cast<std::size_t>(numbering.corner_of(kind.value, i));
      ElementPlace<corners> element{};
      std::copy_n(&numbering.vertex[first], corners, element.vertices.begin());
      element.forces = &elements.forces[3 * first];
      element.blocks = &elements.blocks[9 * static_cast<std::size_t>(numbering.pair_of(kind.value, i))];
      element.number = i;
      add_impulses(element, chosen, motion, impulse);
    }
  });
}

double impulse_work(const ElasticBodies& bodies, const ElementBuffer& elements, const ElementMotion& motion,
                    Index tet) {
  const ElementNumbering& numbering = bodies.numbering;
  const std::array<Index, 4>& vertices = bodies.tets[tet];
  const double* forces = &elements.forces[3 * static_cast<std::size_t>(numbering.corner_of(ElementKind::tet, tet))];
  const double* blocks = &elements.blocks[9 * static_cast<std::size_t>(numbering.pair_of(ElementKind::tet, tet))];
  const Corners<4> pull = stiffness_times(blocks, besides_turn(motion, vertices, tet));
  const Vec3 common = block(motion.v1, vertices[0]);
  double sum = 0;
  for (std::size_t k = 1; k < 4; ++k) {
    const Vec3 given = motion.dt * Eigen::Map<const Vec3>(forces + 3 * k) - pull[k];
    sum += given.dot(block(motion.v1, vertices[k]) - common);
  }
  return sum;
}

double stiffness_damping_loss(const ElasticBodies& bodies, const ElementMotion& motion) {
  const auto damps = [](double beta) { return beta > 0; };
  if (std::none_of(bodies.stiffness_damping.begin(), bodies.stiffness_damping.end(), damps)) return 0;
  return sum_over_elements(bodies, [&](auto kind, Index i) {
    const double beta = bodies.stiffness_damping[material_of<kind.value>(bodies, i)];
    if (!(beta > 0)) return 0.0;
    if constexpr (kind.value == ElementKind::tet) {
      const Element element = element_at(bodies, motion.x0, i);
      const Mat3 way = way_of(motion.turn, bodies.tets[i]);
      return motion.dt * beta * strain_rate_product(element, gradient_at(bodies, motion.v1, i) - way * element.F);
    } else {
      const auto& element = elements_of<kind.value>(bodies)[i];
      return motion.dt * beta *
             strain_rate_product(element, corners_at(element, motion.x0), besides_turn(motion, element.vertices, i));
    }
  });
}

}  // namespace sim
