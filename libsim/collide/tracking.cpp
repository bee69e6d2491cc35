#include "collide/tracking.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <limits>
#include <numbers>
#include <optional>
#include <span>

#include "collide/contact_geometry.hpp"
#include "collide/normal_cone.hpp"
#include "geometry/closest_points.hpp"

namespace sim {

namespace {

constexpr double degree = std::numbers::pi / 180;
constexpr int longest_walk = 32;  // faces that a vertex may cross in one go

double angle(const Vec3& a, const Vec3& b) {
  return std::atan2(a.cross(b).norm(), a.dot(b));
}

// n, made perpendicular to the edges that are met inside. The direction between the nearest points is no guide: they
// are micrometres apart, and a slip of as much turns it by half a right angle.
Vec3 across(const Vec3& n, const std::array<Vec3, 2>& edges) {
  const Vec3 once = n - edges[0] * edges[0].dot(n);
  const Vec3 twice = once - edges[1] * edges[1].dot(once);
  return twice.norm() > 0.5 ? Vec3(twice.normalized()) : n;
}

// Where the normal should point by the geometry, on the side of n. On a border the face's own normal stays the right
// one, since next to it there may be another face in the same plane; but not for a contact beside the face. What is
// thick is round at its edges, but not at those inside a plane: there its nearest points say how far it has slid.
Vec3 normal_of_geometry(const CollisionSurface& surface, const Contact& contact, const NearestPoints& near,
                        const VecX& x) {
  const Vec3& n = contact.n;
  const auto normal_towards = [&](const Vec3& direction) {
    return near.normal.dot(direction) < 0 ? Vec3(-near.normal) : near.normal;
  };
  const auto in_cones = [&](const Vec3& direction) {
    return within_cones(surface, contact.kind, contact.vertices, near.weights, x, direction);
  };
  if (contact.thickness > 0) {
    if (!resolved(near, contact.thickness) || near.r.dot(n) <= 0) return n;
    const Vec3 apart = near.r.normalized();
    if (near.inside && !near.doubtful()) return apart;
    const Vec3 of_both = in_cones(apart);
    return near.r.dot(of_both) > contact.thickness ? of_both : apart;
  }
  if (near.doubt > 0) {
    const Vec3 kept = in_cones(across(n, near.along));
    return near.doubt < 1 ? Vec3((near.doubt * kept + (1 - near.doubt) * normal_towards(kept)).normalized()) : kept;
  }
  const bool beside = !near.inside && !serves(near.normal, n);
  if (beside && !resolved(near)) return in_cones(n);
  if (beside && near.r.dot(n) > 0) return in_cones(near.r.normalized());
  if (near.normal.isZero()) return n;
  return normal_towards(n);
}

// The same; of a pair without thickness that of a plane that cannot bend, where it is much the same.
Vec3 target_normal(const CollisionSurface& surface, const Contact& contact, const NearestPoints& near,
                   const VecX& x) {
  const Vec3 n = normal_of_geometry(surface, contact, near, x);
  if (contact.thickness > 0) return n;
  return normal_of_plane(surface, contact.kind, contact.vertices, near.weights, x, n, Planes::of_rigid_too)
      .value_or(n);
}

// From n towards `target` by the fraction w of the angle between them.
Vec3 turned(const Vec3& n, const Vec3& target, double full_angle, double w) {
  if (w >= 1) return target;
  const Vec3 across = target - n * n.dot(target);
  if (!(across.norm() > 0)) return n;
  return std::cos(w * full_angle) * n + std::sin(w * full_angle) * across.normalized();
}

// Is the contact still over its face or edges? Just outside of them it is as long as the other side is not below:
// what has slid over a sharp edge and down beside it is not held by the face it left.
bool is_over(ContactKind kind, const Stencil& points, const Foot& at, const Vec3& n, double border) {
  if (at.outside <= 0) return true;
  return at.outside <= border && nearest_points(kind, points).r.dot(n) >= -border;
}

struct Blend {
  double full_angle, w;
};

Blend blend_towards(Contact& contact, const Vec3& target, double share, const TrackingOptions& options) {
  // Just under the limit: "less than" survives the rounding of sine and cosine.
  const double limit = options.turn * degree * (1 - 1e-9);
  const double full_angle = angle(contact.n, target);
  const double w = share * (full_angle > limit ? limit / full_angle : 1);
  turn_frame(contact, turned(contact.n, target, full_angle, w).normalized());
  return {full_angle, w};
}

// The contact as that of another pair, where one of its vertices moves and its normal is near enough.
std::optional<Contact> handed_over(const CollisionSurface& surface, const Contact& contact, Pair pair, const VecX& x,
                                   const TrackingOptions& options) {
  Contact next = contact;
  next.pair = pair;
  next.id = contact_id(contact.kind, pair);
  next.vertices = stencil(surface, contact.kind, pair);
  if (std::none_of(next.vertices.begin(), next.vertices.end(), [&](Index v) { return surface.vertex_moves[v] != 0; }))
    return {};
  next.slid_from = contact.id;
  next.thickness = pair_thickness(surface, contact.kind, next.vertices);
  const NearestPoints near = nearest_points(contact.kind, gather(next.vertices, x));
  next.weights = near.weights;
  const Vec3 target = target_normal(surface, next, near, x);
  if (angle(contact.n, target) > options.neighbour_turn * degree) return {};
  blend_towards(next, target, 1, options);
  next.gap = gap(next, x);
  return next;
}

Slide walk_over_faces(const CollisionSurface& surface, Contact& contact, const VecX& x,
                      const TrackingOptions& options) {
  const Index vertex = contact.pair.first;
  Index face = contact.pair.second, before = -1;
  for (int step = 0; step < longest_walk; ++step) {
    const Stencil points = gather(stencil(surface, contact.kind, {vertex, face}), x);
    const Foot at = foot(contact.kind, points);
    if (is_over(contact.kind, points, at, contact.n, contact.eps2)) {
      if (face == contact.pair.second) return Slide::stays;
      const auto next = handed_over(surface, contact, {vertex, face}, x, options);
      if (!next) return Slide::gone;
      contact = *next;
      return Slide::moved;
    }
    const auto [one, other] = surface.edge_triangles[surface.triangle_edges[face][at.border]];
    const Index next = one == face ? other : one;
    // Over a border; back over the edge it just crossed (it is beside a ridge); or among its own faces.
    if (next == -1 || next == before || shares_vertex(surface.triangles[next], vertex)) return Slide::gone;
    before = face;
    face = next;
  }
  return Slide::gone;
}

// The same contact with the roles of its two sides exchanged: r and n change sign. So must the rows of the tangents;
// for the frame to stay right-handed, t1 does so itself and for t2 the numbers along it do.
Contact with_sides_exchanged(Contact contact) {
  contact.n = -contact.n;
  contact.t1 = -contact.t1;
  for (auto* along : {&contact.c_t, &contact.gamma, &contact.friction, &contact.delta, &contact.slip, &contact.drift})
    (*along)[1] = -(*along)[1];
  return contact;
}

// Candidates for the pair that takes a contact on; the one whose points are nearest.
struct Successor {
  const CollisionSurface& surface;
  const VecX& x;
  const TrackingOptions& options;
  std::optional<Contact> best;

  // `as_seen`: the contact with its kind and sides in the order of the pair.
  void try_pair(const Contact& as_seen, Pair pair) {
    const Stencil there = gather(stencil(surface, as_seen.kind, pair), x);
    if (!is_over(as_seen.kind, there, foot(as_seen.kind, there), as_seen.n, as_seen.eps2)) return;
    const auto next = handed_over(surface, as_seen, pair, x, options);
    if (!next || has_left(*next, x, options)) return;
    if (!best || distance(*next, x) < distance(*best, x)) best = next;
  }

  // A vertex of the first or second of two edges that a contact has been of, over the faces around `corners`.
  void try_faces(Contact contact, bool is_of_second, Index vertex, std::span<const Index> corners) {
    if (is_of_second) contact = with_sides_exchanged(contact);
    contact.kind = ContactKind::vertex_face;
    for (const Index corner : corners) {
      for (const Index face : surface.vertex_triangles.of(corner)) {
        if (!shares_vertex(surface.triangles[face], vertex)) try_pair(contact, {vertex, face});
      }
    }
  }
};

// An edge at the end that was passed takes the contact on. Where there is none, as the other edge has passed its end,
// too, or begins and ends there, that vertex does, over a face around the other edge: what slides flat on something
// flat touches with its vertices.
Slide pass_on_from_an_edge(const CollisionSurface& surface, Contact& contact, const VecX& x,
                           const TrackingOptions& options) {
  const Stencil here = gather(contact.vertices, x);
  const Foot at = foot(contact.kind, here);
  if (is_over(contact.kind, here, at, contact.n, contact.eps2)) return Slide::stays;
  const bool first_leaves = at.border < 2;
  const Index left = first_leaves ? contact.pair.first : contact.pair.second;
  const Index kept = first_leaves ? contact.pair.second : contact.pair.first;
  const Index end = surface.edges[left][at.border % 2];
  Successor successor{surface, x, options, {}};
  for (const Index e : surface.vertex_edges.of(end)) {
    if (e == left || !is_segment(surface.edges[e]) || shares_vertex(surface.edges[e], surface.edges[kept])) continue;
    const Pair pair{std::min(e, kept), std::max(e, kept)};
    // The lower edge comes first, which may not be the one it was.
    const bool exchanged = (contact.pair.first == kept) != (pair.first == kept);
    successor.try_pair(exchanged ? with_sides_exchanged(contact) : contact, pair);
  }
  if (!successor.best && contact.thickness > 0) return Slide::gone;  // it is round: slide()
  if (!successor.best) successor.try_faces(contact, !first_leaves, end, surface.edges[kept]);
  if (!successor.best) {
    for (const Index v : surface.edges[kept]) successor.try_faces(contact, first_leaves, v, {&end, 1});
  }
  if (!successor.best) return Slide::gone;
  contact = *successor.best;
  return Slide::moved;
}

}  // namespace

double angle_between(const Vec3& a, const Vec3& b) {
  return angle(a, b) / degree;
}

bool may_have_gap(const Contact& contact, const TrackingOptions& options) {
  const double highest = options.highest_gap * contact.eps2;
  const double lowest = contact.target_gap > 0 ? 0 : contact.target_gap - 0.3 * highest;
  return contact.gap > lowest && contact.gap < std::max(highest, contact.target_gap + 0.3 * highest);
}

bool has_left(const Contact& contact, const VecX& x, const TrackingOptions& options) {
  return distance(contact, x) > std::max(contact.gap, 0.0) + options.farthest * contact.eps2;
}

double distance_from_objects(const CollisionSurface& surface, const Contact& contact, const VecX& x) {
  const std::size_t second = first_of_second(contact.kind);
  std::array<Vec3, 2> points{Vec3::Zero(), Vec3::Zero()};
  for (std::size_t k = 0; k < 4; ++k)
    points[k < second ? 0 : 1] += std::abs(contact.weights[k]) * block(x, contact.vertices[k]);
  const std::array<Index, 2> others{surface.vertex_object[contact.vertices[3]],
                                    surface.vertex_object[contact.vertices[0]]};
  double farthest = 0;
  for (std::size_t side = 0; side < 2; ++side) {
    double nearest = std::numeric_limits<double>::infinity();
    for (const Triangle& t : surface.triangles) {
      if (surface.vertex_object[t[0]] != others[side]) continue;
      nearest = std::min(
          nearest, closest_point_triangle(points[side], block(x, t[0]), block(x, t[1]), block(x, t[2])).distance);
    }
    farthest = std::max(farthest, nearest);
  }
  return farthest - contact.thickness;
}

Turn relinearise(const CollisionSurface& surface, Contact& contact, const VecX& x, const TrackingOptions& options,
                 double share) {
  const NearestPoints near = nearest_points(contact.kind, gather(contact.vertices, x));
  const auto [full_angle, w] = blend_towards(contact, target_normal(surface, contact, near, x), share, options);
  for (int k = 0; k < 4; ++k) contact.weights[k] = w * near.weights[k] + (1 - w) * contact.weights[k];
  contact.gap = gap(contact, x);
  return {w * full_angle / degree, (1 - w) * full_angle / degree};
}

Slide slide(const CollisionSurface& surface, Contact& contact, const VecX& x, const TrackingOptions& options) {
  const Slide outcome = contact.kind == ContactKind::vertex_face ? walk_over_faces(surface, contact, x, options)
                                                                 : pass_on_from_an_edge(surface, contact, x, options);
  // What is thick is round at its edges: the contact goes round them as long as its pair is near.
  const bool is_round = contact.thickness > 0 && distance(contact, x) <= options.farthest * contact.eps2;
  return outcome == Slide::gone && is_round ? Slide::stays : outcome;
}

}  // namespace sim
