#include "step/contact_area.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <span>

namespace sim {

namespace {

// The area of triangles that is seen from where `towards` leads; of sheets from both sides. All of it where none is.
struct Seen {
  const CollisionSurface& surface;
  const VecX& x;
  Vec3 towards;
  double projected = 0, whole = 0;

  void add(Index triangle) {
    const Triangle& t = surface.triangles[triangle];
    const Vec3 a = block(x, t[0]), b = block(x, t[1]), c = block(x, t[2]);
    const Vec3 area = 0.5 * (b - a).cross(c - a);
    const double along = area.dot(towards);
    projected += surface.is_open(t[0]) ? std::abs(along) : std::max(0.0, along);
    whole += area.norm();
  }
  double area() const { return projected > 0 ? projected : whole; }
};

double area_of_vertex(const CollisionSurface& surface, Index vertex, const Vec3& towards, const VecX& x) {
  Seen seen{surface, x, towards};
  for (const Index triangle : surface.vertex_triangles.of(vertex)) seen.add(triangle);
  return seen.area() / 3;
}

double area_of_edge(const CollisionSurface& surface, Index a, Index b, const Vec3& towards, const VecX& x) {
  Seen seen{surface, x, towards};
  for (const Index triangle : surface.vertex_triangles.of(a)) {
    if (shares_vertex(surface.triangles[triangle], b)) seen.add(triangle);
  }
  return seen.area() / 3;
}

double area_of_face(const Contact& contact, const VecX& x) {
  const Vec3 a = block(x, contact.vertices[1]), b = block(x, contact.vertices[2]), c = block(x, contact.vertices[3]);
  return 0.5 * (b - a).cross(c - a).norm();
}

// The lesser of two, if both are something.
double lesser(double a, double b) {
  return a > 0 && b > 0 ? std::min(a, b) : std::max(a, b);
}

}  // namespace

double contact_area(const CollisionSurface& surface, const Contact& contact, const VecX& x) {
  const auto& v = contact.vertices;
  const Vec3 towards = -contact.n;  // the second side
  if (contact.kind == ContactKind::vertex_face)
    return lesser(area_of_vertex(surface, v[0], towards, x), 2 * area_of_face(contact, x));
  return lesser(area_of_edge(surface, v[0], v[1], towards, x), area_of_edge(surface, v[2], v[3], contact.n, x));
}

}  // namespace sim
