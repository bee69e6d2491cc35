#include "asynchronous/packs.hpp"

namespace sim {

namespace {

constexpr double shortest = 1e-9;  // of a spring's rest length: below that there is no direction

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
      if (lane == 0) p.vertices[k].fill(p.vertices[k][0]), p.rows[k].fill(p.rows[k][0]);
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

template <std::size_t corners>
struct PackImpulse {
  std::array<Pack3, corners> of_corner;
  Pack damped;
};

[[gnu::always_inline]] inline PackImpulse<2> pack_impulse(const SpringPack& s, const std::array<Pack3, 2>& x,
                                                          const std::array<Pack3, 2>& v, const Pack& h) {
  const Pack3 e = x[1] - x[0];
  const Pack length = sqrt(dot(e, e)), inverse = inverse_where(length > shortest * s.rest, length);
  const Pack rate = dot(e, v[1] - v[0]) * inverse;
  const Pack3 pull = (h * s.stiffness * (length - s.rest + s.damping * rate) * inverse) * e;
  return {{pull, Pack(-1.0) * pull}, h * s.damping * s.stiffness * rate * rate};
}

// As in elasticity/hinge.cpp: with e = x1 - x0, l = x2 - x0, r = x3 - x0, n1 = e x l, n2 = r x e
//
//     theta = atan2(-|e| l.n2, n1.n2)                                         (n1 x n2 = -(l.n2) e)
//     grad_2 = -|e|^2 p1,   grad_3 = -|e|^2 p2,   grad_1 = (l.e) p1 + (r.e) p2,   p = n / (|e| |n|^2)
[[gnu::always_inline]] inline PackImpulse<4> pack_impulse(const HingePack& hinge, const std::array<Pack3, 4>& x,
                                                          const std::array<Pack3, 4>& v, const Pack& h) {
  const Pack3 e = x[1] - x[0], l = x[2] - x[0], r = x[3] - x[0], n1 = cross(e, l), n2 = cross(r, e);
  const Pack square = dot(e, e), length = sqrt(square), area1 = dot(n1, n1), area2 = dot(n2, n2);
  const auto has_angle = length > 0.0 && area1 > 0.0 && area2 > 0.0;
  const Pack3 p1 = inverse_where(has_angle, length * area1) * n1, p2 = inverse_where(has_angle, length * area2) * n2;
  const Pack angle = atan2(-length * dot(l, n2), dot(n1, n2)), along1 = dot(l, e), along2 = dot(r, e);
  const Pack3 moving = v[1] - v[0];
  const Pack rate =
      dot(p1, along1 * moving - square * (v[2] - v[0])) + dot(p2, along2 * moving - square * (v[3] - v[0]));
  const Pack moment = -2.0 * h * hinge.stiffness * (turned_by(angle, hinge.rest) + hinge.damping * rate);
  const Pack3 q1 = moment * p1, q2 = moment * p2;
  const Pack3 f1 = along1 * q1 + along2 * q2, f2 = -square * q1, f3 = -square * q2;
  return {{Pack(-1.0) * (f1 + f2 + f3), f1, f2, f3}, 2.0 * h * hinge.damping * hinge.stiffness * rate * rate};
}

template <std::size_t corners>
[[gnu::always_inline]] inline std::array<Pack3, corners> at_corners(const ElementPack<corners>& pack,
                                                                    const VecX& vectors) {
  std::array<Pack3, corners> packed;
  for (std::size_t k = 0; k < corners; ++k) {
    const std::array<Index, lanes>& of = pack.vertices[k];
    packed[k] = {Pack([&](auto lane) { return vectors[3 * Eigen::Index{of[lane]}]; }),
                 Pack([&](auto lane) { return vectors[3 * Eigen::Index{of[lane]} + 1]; }),
                 Pack([&](auto lane) { return vectors[3 * Eigen::Index{of[lane]} + 2]; })};
  }
  return packed;
}

template <std::size_t corners>
[[gnu::noinline]] double add_all(std::span<const ElementPack<corners>> packs, const PackMoment& now,
                                 std::span<Pack> rows) {
  Pack damped = 0.0;
  for (const ElementPack<corners>& pack : packs) {
    const Pack h([&](auto lane) { return now.h[pack.level[lane]]; });
    const PackImpulse<corners> given = pack_impulse(pack, at_corners(pack, now.x), at_corners(pack, now.v), h);
    for (std::size_t k = 0; k < corners; ++k) {
      const Pack3& f = given.of_corner[k];
      for (std::size_t lane = 0; lane < lanes; ++lane)
        rows[pack.rows[k][lane]] += row_of(f.x[lane], f.y[lane], f.z[lane]);
    }
    damped += given.damped;
  }
  return reduce(damped);
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

double add_impulses(std::span<const SpringPack> springs, const PackMoment& now, std::span<Pack> rows) {
  return add_all(springs, now, rows);
}
double add_impulses(std::span<const HingePack> hinges, const PackMoment& now, std::span<Pack> rows) {
  return add_all(hinges, now, rows);
}

}  // namespace sim
