#include "elasticity/element_impulse.hpp"

#include <algorithm>

#include "elasticity/element_at.hpp"
#include "elasticity/straight_ways.hpp"

namespace sim {

namespace {

template <std::size_t count>
Mat3 way_of(const TurnOfElements& turn, const std::array<Index, count>& vertices) {
  if (turn.way.empty()) return Mat3::Zero();
  for (const Index vertex : vertices) {
    if (const Index body = turn.body_of_vertex[vertex]; body >= 0) return turn.way[body];
  }
  return Mat3::Zero();
}

template <ElementKind kind>
double part_of(const TurnOfElements& turn, Index i) {
  const std::span<const double> parts = kind == ElementKind::spring ? turn.part_of_spring : turn.part_of_membrane;
  return parts.empty() ? 1 : parts[i];
}

// v of the header of element i of its kind, but for what all corners have in common.
template <ElementKind kind, class Vertices>
auto besides_turn(const ElasticBodies& bodies, const ElementMotion& motion, const Vertices& vertices, Index i) {
  const Mat3 way = way_of(motion.turn, vertices);
  Corners<std::tuple_size_v<Vertices>> x, v;
  for (std::size_t k = 0; k < x.size(); ++k) {
    x[k] = block(motion.x0, vertices[k]);
    v[k] = block(motion.v1, vertices[k]) - way * (x[k] - x[0]);
  }
  if constexpr (has_straight_ways(kind)) {
    const double out = 1 - part_of<kind>(motion.turn, i);
    if (out > 0) {
      const auto strain = straining(elements_of<kind>(bodies)[i], x, way);
      for (std::size_t k = 1; k < x.size(); ++k) v[k] += out * strain[k];
    }
  }
  return v;
}

template <std::size_t count>
struct ElementPlace {
  std::array<Index, count> vertices;
  const double *forces, *blocks;
};

template <std::size_t count>
void add_impulses(const ElementPlace<count>& element, std::span<const std::uint8_t> chosen, double dt,
                  const Corners<count>& v, VecX& impulse) {
  const Corners<count> pull = stiffness_times(element.blocks, v);
  for (std::size_t k = 0; k < count; ++k) {
    if (chosen[element.vertices[k]] == 0) continue;
    block(impulse, element.vertices[k]) += dt * Eigen::Map<const Vec3>(element.forces + 3 * k) - pull[k];
  }
}

}  // namespace

void add_impulses_on(std::span<const std::uint8_t> chosen, const ElasticBodies& bodies, const ElementBuffer& elements,
                     const ElementMotion& motion, VecX& impulse, std::span<const Index> rigid) {
  const auto is_one = [&](std::span<const Index> corners) {
    const Index one = rigid.empty() ? -1 : rigid[corners.front()];
    return one >= 0 && std::all_of(corners.begin(), corners.end(), [&](Index v) { return rigid[v] == one; });
  };
  const ElementNumbering& numbering = bodies.numbering;
  for_each_kind([&](auto kind) {
    constexpr auto corners = static_cast<std::size_t>(corners_of(decltype(kind)::value));
    for (Index i = 0; i < numbering.count_of(kind.value); ++i) {
      const auto first = static_cast<std::size_t>(numbering.corner_of(kind.value, i));
      ElementPlace<corners> element{};
      std::copy_n(&numbering.vertex[first], corners, element.vertices.begin());
      if (std::none_of(element.vertices.begin(), element.vertices.end(), [&](Index v) { return chosen[v] != 0; }) ||
          is_one(element.vertices))
        continue;
      element.forces = &elements.forces[3 * first];
      element.blocks = &elements.blocks[9 * static_cast<std::size_t>(numbering.pair_of(kind.value, i))];
      add_impulses(element, chosen, motion.dt, besides_turn<kind.value>(bodies, motion, element.vertices, i),
                   impulse);
    }
  });
}

double impulse_work(const ElasticBodies& bodies, const ElementBuffer& elements, const ElementMotion& motion,
                    Index tet) {
  const ElementNumbering& numbering = bodies.numbering;
  const std::array<Index, 4>& vertices = bodies.tets[tet];
  const double* forces = &elements.forces[3 * static_cast<std::size_t>(numbering.corner_of(ElementKind::tet, tet))];
  const double* blocks = &elements.blocks[9 * static_cast<std::size_t>(numbering.pair_of(ElementKind::tet, tet))];
  const Corners<4> pull = stiffness_times(blocks, besides_turn<ElementKind::tet>(bodies, motion, vertices, tet));
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
             strain_rate_product(element, corners_at(element, motion.x0),
                                 besides_turn<kind.value>(bodies, motion, element.vertices, i));
    }
  });
}

}  // namespace sim
