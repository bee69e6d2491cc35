// Elements of bodies at the positions x of all vertices, and loops over all of them.
#pragma once

#include "elasticity/assembly.hpp"
#include "elasticity/element.hpp"
#include "elasticity/straight_ways.hpp"
#include "math/parallel.hpp"

namespace sim {

// F where x are positions, its rate where they are velocities.
inline Mat3 gradient_at(const ElasticBodies& bodies, const VecX& x, Index tet) {
  const auto [a, b, c, d] = bodies.tets[tet];
  const Vec3 x0 = block(x, a);
  Mat3 shape;
  shape << block(x, b) - x0, block(x, c) - x0, block(x, d) - x0;
  return shape * bodies.inverse_shape[tet];
}

inline Element element_at(const ElasticBodies& bodies, const VecX& x, Index tet) {
  return {bodies.laws[bodies.material[tet]], bodies.inverse_shape[tet], bodies.rest_volume[tet],
          gradient_at(bodies, x, tet)};
}

// ---- templates only from here

template <ElementKind kind>
struct KindTag {
  static constexpr ElementKind value = kind;
};

template <ElementKind kind>
const auto& elements_of(const ElasticBodies& bodies) {
  if constexpr (kind == ElementKind::tet) return bodies.tets;
  if constexpr (kind == ElementKind::spring) return bodies.springs;
  if constexpr (kind == ElementKind::membrane) return bodies.membranes;
  if constexpr (kind == ElementKind::hinge) return bodies.hinges;
  if constexpr (kind == ElementKind::bend) return bodies.bends;
}

template <ElementKind kind>
Index material_of(const ElasticBodies& bodies, Index element) {
  if constexpr (kind == ElementKind::tet) {
    return bodies.material[element];
  } else {
    return elements_of<kind>(bodies)[element].material;
  }
}

// Of a thin element: where its corners are.
template <class Thin>
auto corners_at(const Thin& element, const VecX& x) {
  Corners<std::tuple_size_v<decltype(element.vertices)>> corners;
  for (std::size_t k = 0; k < corners.size(); ++k) corners[k] = block(x, element.vertices[k]);
  return corners;
}

// Of a spring or a membrane: the first of its numbers, and they as its strain (m; of Green).
template <ElementKind kind>
Index first_unseen(Index springs, Index element) {
  return kind == ElementKind::spring ? element : springs + 3 * element;  // as strains_of() counts
}
// visit(vertex of its first corner, its first number, how many it has)
template <class Visit>
void each_unseen(const ElasticBodies& bodies, const Visit& visit) {
  const auto springs = static_cast<Index>(bodies.springs.size());
  for (Index i = 0; i < springs; ++i) visit(bodies.springs[i].vertices[0], i, 1);
  for (Index i = 0; i < static_cast<Index>(bodies.membranes.size()); ++i)
    visit(bodies.membranes[i].vertices[0], first_unseen<ElementKind::membrane>(springs, i), 3);
}
template <ElementKind kind>
auto unseen_of(UnseenStrains unseen, Index springs, Index element) {
  const double* n = unseen.empty() ? nullptr : &unseen[first_unseen<kind>(springs, element)];
  if constexpr (kind == ElementKind::spring) {
    return n ? *n : 0.0;
  } else {
    Mat2 strain = Mat2::Zero();
    if (n) strain << n[0], n[2], n[2], n[1];
    return strain;
  }
}

// J, of a thin element, without what is unseen.
template <ElementKind kind>
double thin_energy(const ElasticBodies& bodies, Index i, const VecX& x, UnseenStrains unseen) {
  const auto& element = elements_of<kind>(bodies)[i];
  if constexpr (has_straight_ways(kind)) {
    const Index springs = bodies.numbering.count_of(ElementKind::spring);
    return element_energy(element, corners_at(element, x), unseen_of<kind>(unseen, springs, i));
  } else {
    return element_energy(element, corners_at(element, x));
  }
}

inline constexpr Index elements_a_chunk = 256;

template <class Body>
void for_each_kind(const Body& body) {
  body(KindTag<ElementKind::tet>{});
  body(KindTag<ElementKind::spring>{});
  body(KindTag<ElementKind::membrane>{});
  body(KindTag<ElementKind::hinge>{});
  body(KindTag<ElementKind::bend>{});
}

// The loops over a chunk are compiled once. Inlined where one thread runs them and where several do, a product may be
// fused with a sum in the one copy and not in the other, and the last bits differ.
template <class Kind, class Body>
[[gnu::noinline]] void visit_chunk(Kind kind, const Body& body, Index begin, Index end) {
  for (Index i = begin; i < end; ++i) body(kind, i);
}
template <class Kind, class Term>
[[gnu::noinline]] double sum_of_chunk(Kind kind, const Term& term, Index begin, Index end) {
  double sum = 0;
  for (Index i = begin; i < end; ++i) sum += term(kind, i);
  return sum;
}

// body(kind, element), in parallel.
template <class Body>
void for_each_element(const ElasticBodies& bodies, const Body& body) {
  for_each_kind([&](auto kind) {
    parallel_for(bodies.numbering.count_of(kind.value), elements_a_chunk,
                 [&](Index begin, Index end) { visit_chunk(kind, body, begin, end); });
  });
}

// The sum of term(kind, element), the same for any number of threads.
template <class Term>
double sum_over_elements(const ElasticBodies& bodies, const Term& term) {
  double total = 0;
  for_each_kind([&](auto kind) {
    total += parallel_sum(bodies.numbering.count_of(kind.value), elements_a_chunk,
                          [&](Index begin, Index end) { return sum_of_chunk(kind, term, begin, end); });
  });
  return total;
}

}  // namespace sim
