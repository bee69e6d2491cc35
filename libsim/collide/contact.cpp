#include "collide/contact.hpp"

#include <Eigen/Geometry>
#include <algorithm>

#include "collide/contact_geometry.hpp"
#include "collide/normal_cone.hpp"

namespace sim {

namespace {

constexpr double shortly_before = 0.9;  // of the time of the impact

Vec3 weighted(const std::array<double, 4>& weights, const Stencil& x) {
  // Relative to one of the points: their sum of weights is zero, and far from the origin digits are kept.
  Vec3 r = Vec3::Zero();
  for (int k = 1; k < 4; ++k) r += weights[k] * (x[k] - x[0]);
  return r;
}

// The normal of a pair that is `r0` apart at the start and moves by `move` relative to each other in the step;
// `start` is where its points are then, `near` how they meet.
Vec3 normal_from_the_start(ContactKind kind, const NearestPoints& near, const Stencil& start, const Vec3& r0,
                           const Vec3& move) {
  const double tiny = 1e-12 * (near.size + move.norm());
  if (!near.inside && resolved(near) && !serves(near.normal, near.r)) return near.r.normalized();
  const double side = near.normal.dot(r0), motion = near.normal.dot(move);
  if (std::abs(side) > tiny) return side > 0 ? near.normal : Vec3(-near.normal);
  if (std::abs(motion) > tiny) return motion < 0 ? near.normal : Vec3(-near.normal);
  // All happens in one plane, or there is no normal: apart as they were at the start, or against the motion.
  const Vec3 apart = nearest_points(kind, start).r;
  if (apart.norm() > tiny) return apart.normalized();
  if (move.norm() > tiny) return -move.normalized();
  return near.normal.norm() > 0 ? near.normal : Vec3::UnitZ();
}

// Of a pair with thickness: the direction between the nearest points.
void point_apart(Contact& contact, const NearestPoints& near, const Stencil& start) {
  contact.n = near.r.normalized();
  if (contact.n.dot(weighted(near.weights, start)) > contact.thickness) return;
  const NearestPoints before = nearest_points(contact.kind, start);
  if (!resolved(before, contact.thickness)) return;
  contact.weights = before.weights;
  contact.n = before.r.normalized();
}

}  // namespace

ContactId contact_id(ContactKind kind, Pair pair) {
  return static_cast<ContactId>(kind) << 62U | static_cast<ContactId>(pair.first) << 31U |
         static_cast<ContactId>(pair.second);
}

KindAndPair pair_of_contact(ContactId id) {
  constexpr ContactId mask = (ContactId{1} << 31U) - 1;
  return {static_cast<ContactKind>(id >> 62U), {static_cast<Index>(id >> 31U & mask), static_cast<Index>(id & mask)}};
}

Contact make_contact(const CollisionSurface& surface, const Hit& hit, const VecX& x0, const VecX& x1) {
  Contact contact;
  contact.id = contact_id(hit.kind, hit.pair);
  contact.kind = hit.kind;
  contact.pair = hit.pair;
  contact.vertices = stencil(surface, hit.kind, hit.pair);
  contact.time = hit.time;
  contact.eps2 = gap_tolerance(surface, contact.vertices);
  contact.thickness = pair_thickness(surface, hit.kind, contact.vertices);

  const Stencil start = gather(contact.vertices, x0), end = gather(contact.vertices, x1);
  Stencil impact;
  for (int k = 0; k < 4; ++k) impact[k] = start[k] + hit.time * (end[k] - start[k]);
  const NearestPoints near = nearest_points(hit.kind, impact);
  contact.weights = near.weights;

  const bool is_thick = contact.thickness > 0 && resolved(near, contact.thickness);
  if (is_thick) point_apart(contact, near, start);
  Vec3 r0 = weighted(contact.weights, start), move = weighted(contact.weights, end) - r0;
  if (!is_thick) contact.n = normal_from_the_start(hit.kind, near, start, r0, move);
  if (near.doubtful() && !is_thick) {
    Stencil before;
    for (int k = 0; k < 4; ++k) before[k] = start[k] + shortly_before * hit.time * (end[k] - start[k]);
    const NearestPoints apart = nearest_points(hit.kind, before);
    if (resolved(apart)) contact.n = apart.r.normalized();
  }
  if ((near.doubtful() || !near.inside) && !is_thick) {
    const Vec3 n = within_cones(surface, contact.kind, contact.vertices, contact.weights,
                                places_at(surface, contact.vertices, x0, x1, hit.time), contact.n);
    if (n.dot(r0) > 0) {
      contact.n = n;
    } else if (std::abs(n.dot(contact.n)) < cone_slack) {
      // Along the surfaces, as far as they slid to where they meet: that says nothing. They were apart, whatever the
      // tilt of n that shows it.
      const double beside = r0.norm(), tilt = (near.r.norm() - n.dot(r0)) / beside;
      if (tilt < cone_slack) contact.n = (n + r0 * (tilt / beside)).normalized();
    }
  }
  if (!is_thick) {
    const auto plane = normal_of_plane(surface, contact.kind, contact.vertices, contact.weights,
                                       places_at(surface, contact.vertices, x0, x1, hit.time), contact.n,
                                       Planes::of_what_does_not_move);
    if (plane && plane->dot(r0) > 0) contact.n = *plane;
  }
  if (!is_thick && slide_past_a_face(surface, x0, x1, contact)) {
    r0 = weighted(contact.weights, start);
    move = weighted(contact.weights, end) - r0;
  }
  std::tie(contact.t1, contact.t2) = std::tuple_cat(tangents(contact.n));
  contact.gap = contact.n.dot(r0) - contact.thickness;
  contact.c_t = {hit.time * contact.t1.dot(move), hit.time * contact.t2.dot(move)};
  return contact;
}

// Between a sheet and a body that of the sheet: a twentieth of its thickness is enough for both. Obstacles leave it
// to what touches them, thick ones too.
double gap_tolerance(const CollisionSurface& surface, const std::array<Index, 4>& vertices) {
  const Index a = surface.vertex_object[vertices[0]], b = surface.vertex_object[vertices[3]];
  const auto is_sheet = [&](Index vertex, Index object) {
    return surface.radius_of(vertex) > 0 && std::isfinite(gap_tolerance(surface, object, object));
  };
  const bool a_is_sheet = is_sheet(vertices[0], a), b_is_sheet = is_sheet(vertices[3], b);
  if (a_is_sheet == b_is_sheet) return gap_tolerance(surface, a, b);
  return a_is_sheet ? gap_tolerance(surface, a, a) : gap_tolerance(surface, b, b);
}

double pair_thickness(const CollisionSurface& surface, ContactKind kind, const std::array<Index, 4>& vertices) {
  constexpr double near_at_rest = 1.5;
  if (surface.object_radius.empty()) return 0;
  const double thickness = surface.radius_of(vertices[0]) + surface.radius_of(vertices[3]);
  if (thickness == 0 || surface.vertex_object[vertices[0]] != surface.vertex_object[vertices[3]]) return thickness;
  Stencil rest;
  for (int k = 0; k < 4; ++k) rest[k] = surface.rest[vertices[k]];
  return nearest_points(kind, rest).r.norm() < near_at_rest * thickness ? 0 : thickness;
}

Vec3 separation_vector(const Contact& contact, const VecX& x) {
  return weighted(contact.weights, gather(contact.vertices, x));
}

double gap(const Contact& contact, const VecX& x) {
  return contact.n.dot(separation_vector(contact, x)) - contact.thickness;
}

double distance(const Contact& contact, const VecX& x) {
  return nearest_points(contact.kind, gather(contact.vertices, x)).r.norm() - contact.thickness;
}

std::array<Vec3, 2> tangents(const Vec3& n) {
  Index axis = 0;
  n.cwiseAbs().minCoeff(&axis);
  const Vec3 t1 = n.cross(Vec3::Unit(axis)).normalized();
  return {t1, n.cross(t1)};
}

void turn_frame(Contact& contact, const Vec3& n) {
  const Vec3 sum = contact.n + n;
  if (!(sum.squaredNorm() > 1e-12)) {  // half a turn: there is no shortest rotation
    contact.n = n;
    contact.t2 = n.cross(contact.t1);
    return;
  }
  Vec3 t1 = contact.t1 - sum * (contact.t1.dot(n) / (1 + contact.n.dot(n)));
  t1 = (t1 - n * n.dot(t1)).normalized();
  contact.n = n;
  contact.t1 = t1;
  contact.t2 = n.cross(t1);
}

}  // namespace sim
