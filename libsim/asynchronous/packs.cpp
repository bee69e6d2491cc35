#include "asynchronous/packs.hpp"

#include "elasticity/damped_forces.hpp"

namespace sim {

namespace {

double rest_of(const Spring& spring) {
  return spring.rest_length;
}
double rest_of(const Hinge& hinge) {
  return hinge.rest_angle;
}

template <std::size_t corners, class Thin>
std::vector<ElementPack<corners>> pack(const ElasticBodies& bodies, const std::vector<Thin>& elements,
                                       ElementKind kind, std::span<const Index> items, const PackPlaces& places) {
  std::vector<ElementPack<corners>> packs((items.size() + lanes - 1) / lanes);
  for (std::size_t item = 0; item < items.size(); ++item) {
    ElementPack<corners>& p = packs[item / lanes];
    const std::size_t lane = item % lanes;
    const Thin& element = elements[items[item]];
    const auto corner = static_cast<std::size_t>(bodies.numbering.corner_of(kind, items[item]));
    for (std::size_t k = 0; k < corners; ++k) {
      p.vertices[k][lane] = element.vertices[k];
      p.rows[k][lane] = places.row[corner + k];
      p.slots[k][lane] = places.slot[corner + k];
      if (lane > 0) continue;
      for (auto* of_corner : {&p.vertices[k], &p.rows[k], &p.slots[k]}) of_corner->fill((*of_corner)[0]);
    }
    p.level[lane] = places.level[corner];
    p.rest[lane] = rest_of(element);
    p.stiffness[lane] = element.stiffness;
    p.damping[lane] = bodies.stiffness_damping[element.material];
  }
  return packs;
}

// An angle less another one, in (-pi, pi]; both in [-pi, pi].
Pack turned_by(const Pack& angle, const Pack& rest) {
  constexpr double pi = std::numbers::pi;
  Pack by = angle - rest;
  where(by > pi, by) = by - 2 * pi;
  where(by <= -pi, by) = by + 2 * pi;
  return by;
}

[[gnu::always_inline]] inline Pack3 gathered(const VecX& vectors, const std::array<Index, lanes>& vertices) {
  const auto numbers = [&](Eigen::Index axis) {
    return Pack([&](auto lane) { return vectors[3 * Eigen::Index{vertices[lane]} + axis]; });
  };
  return {numbers(0), numbers(1), numbers(2)};
}

[[gnu::always_inline]] inline void scatter(const Pack3& given, const std::array<Index, lanes>& to,
                                           std::span<Pack> rows) {
  const auto add = [&](auto lane) { rows[to[lane]] += row_of(given.x[lane], given.y[lane], given.z[lane]); };
  [&]<std::size_t... lane>(std::index_sequence<lane...>) {
    (add(std::integral_constant<std::size_t, lane>{}), ...);
  }
  (std::make_index_sequence<lanes>{});
}

[[gnu::always_inline]] inline void give(const SpringPack& s, const Pack3& pull, std::span<Pack> rows) {
  scatter(pull, s.rows[0], rows);
  scatter(Pack(-1.0) * pull, s.rows[1], rows);
}

// These add their impulses to rows.
[[gnu::always_inline]] inline void add_pack(const SpringPack& s, const PackMoment& now, const Pack& h,
                                            const ImpulseRows& rows) {
  const Pack3 e = gathered(now.x, s.vertices[1]) - gathered(now.x, s.vertices[0]);
  const Pack3 moving = gathered(now.v, s.slots[1]) - gathered(now.v, s.slots[0]);
  const Pack length = sqrt(dot(e, e)), inverse = inverse_where(length > shortest_spring * s.rest, length);
  const Pack rate = dot(e, moving) * inverse;
  give(s, (h * s.stiffness * (length - s.rest + s.damping * rate) * inverse) * e, rows.all);
  if (!rows.damping.empty()) give(s, (h * s.stiffness * s.damping * rate * inverse) * e, rows.damping);
}

// As in elasticity/hinge.cpp: with e = x1 - x0, l = x2 - x0, r = x3 - x0, n1 = e x l, n2 = r x e
//
//     theta = atan2(-|e| l.n2, n1.n2)                                         (n1 x n2 = -(l.n2) e)
//     grad_2 = -|e|^2 p1,   grad_3 = -|e|^2 p2,   grad_1 = (l.e) p1 + (r.e) p2,   p = n / (|e| |n|^2)
struct HingeGradient {  // in its parts
  Pack3 p1, p2;
  Pack along1, along2, square;
};
[[gnu::always_inline]] inline void give(const HingePack& hinge, const HingeGradient& g, const Pack& moment,
                                        std::span<Pack> rows) {
  const Pack3 q1 = moment * g.p1, q2 = moment * g.p2;
  const Pack3 f1 = g.along1 * q1 + g.along2 * q2, f2 = -g.square * q1, f3 = -g.square * q2;
  scatter(Pack(-1.0) * (f1 + f2 + f3), hinge.rows[0], rows);
  scatter(f1, hinge.rows[1], rows);
  scatter(f2, hinge.rows[2], rows);
  scatter(f3, hinge.rows[3], rows);
}

[[gnu::always_inline]] inline void add_pack(const HingePack& hinge, const PackMoment& now, const Pack& h,
                                            const ImpulseRows& rows) {
  const auto& [i0, i1, i2, i3] = hinge.vertices;
  const auto& [s0, s1, s2, s3] = hinge.slots;
  const Pack3 x0 = gathered(now.x, i0), v0 = gathered(now.v, s0);
  const Pack3 e = gathered(now.x, i1) - x0, l = gathered(now.x, i2) - x0, r = gathered(now.x, i3) - x0;
  const Pack3 n1 = cross(e, l), n2 = cross(r, e);
  const Pack square = dot(e, e), length = sqrt(square), area1 = dot(n1, n1), area2 = dot(n2, n2);
  const auto has_angle = length > 0.0 && area1 > 0.0 && area2 > 0.0;
  const Pack3 p1 = inverse_where(has_angle, length * area1) * n1, p2 = inverse_where(has_angle, length * area2) * n2;
  const Pack angle = atan2(-length * dot(l, n2), dot(n1, n2)), along1 = dot(l, e), along2 = dot(r, e);
  const Pack3 v1 = gathered(now.v, s1) - v0, v2 = gathered(now.v, s2) - v0, v3 = gathered(now.v, s3) - v0;
  const Pack rate = dot(p1, along1 * v1 - square * v2) + dot(p2, along2 * v1 - square * v3);
  const HingeGradient gradient{p1, p2, along1, along2, square};
  give(hinge, gradient, -2.0 * h * hinge.stiffness * (turned_by(angle, hinge.rest) + hinge.damping * rate), rows.all);
  if (!rows.damping.empty()) give(hinge, gradient, -2.0 * h * hinge.stiffness * hinge.damping * rate, rows.damping);
}

// Compiled once: see visit_chunk() of elasticity/element_at.hpp.
template <class Elements>
[[gnu::noinline]] void add_all(std::span<const Elements> packs, const PackMoment& now, const ImpulseRows& rows) {
  for (const Elements& pack : packs)
    add_pack(pack, now, Pack([&](auto lane) { return now.h[pack.level[lane]]; }), rows);
}

}  // namespace

std::vector<SpringPack> pack_springs(const ElasticBodies& bodies, std::span<const Index> springs,
                                     const PackPlaces& places) {
  return pack<2>(bodies, bodies.springs, ElementKind::spring, springs, places);
}
std::vector<HingePack> pack_hinges(const ElasticBodies& bodies, std::span<const Index> hinges,
                                   const PackPlaces& places) {
  return pack<4>(bodies, bodies.hinges, ElementKind::hinge, hinges, places);
}

void add_impulses(std::span<const SpringPack> springs, const PackMoment& now, const ImpulseRows& rows) {
  add_all(springs, now, rows);
}
void add_impulses(std::span<const HingePack> hinges, const PackMoment& now, const ImpulseRows& rows) {
  add_all(hinges, now, rows);
}

}  // namespace sim
