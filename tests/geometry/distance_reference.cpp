// The nearest point of a convex set lies inside it, where the gradient vanishes, or on its border.
#include <gmpxx.h>

#include <algorithm>

#include "geometry/rational_reference.hpp"

namespace sim::reference {

namespace {

using Rational = mpq_class;
using Point = std::array<Rational, 3>;

Point exact(const Vec3& p) {
  return {Rational(p[0]), Rational(p[1]), Rational(p[2])};
}
Point operator-(const Point& a, const Point& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
Point operator+(const Point& a, const Point& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
Point operator*(const Rational& s, const Point& a) {
  return {s * a[0], s * a[1], s * a[2]};
}
Rational dot(const Point& a, const Point& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// From the origin to the segment a, b.
Rational to_segment(const Point& a, const Point& b) {
  const Point e = b - a;
  const Rational length2 = dot(e, e);
  Rational t = length2 == 0 ? Rational(0) : Rational(-dot(a, e) / length2);
  t = std::clamp(t, Rational(0), Rational(1));
  const Point q = a + t * e;
  return dot(q, q);
}

// The x, y where |r + x u + y v| is smallest; false where they are not the only ones.
bool lowest(const Point& r, const Point& u, const Point& v, Rational& x, Rational& y) {
  const Rational uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), ur = dot(u, r), vr = dot(v, r);
  const Rational det = uu * vv - uv * uv;
  if (det == 0) return false;
  x = (uv * vr - vv * ur) / det;
  y = (uv * ur - uu * vr) / det;
  return true;
}

}  // namespace

double point_triangle_squared(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
  const Point d = exact(a) - exact(p), e = exact(b) - exact(p), f = exact(c) - exact(p);
  const Rational border = std::min({to_segment(d, e), to_segment(e, f), to_segment(f, d)});
  Rational x, y;
  if (!lowest(d, e - d, f - d, x, y) || x < 0 || y < 0 || x + y > 1) return border.get_d();
  const Point q = d + x * (e - d) + y * (f - d);
  return dot(q, q).get_d();
}

double segment_segment_squared(const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1) {
  const Point d00 = exact(a0) - exact(b0), d01 = exact(a0) - exact(b1);
  const Point d10 = exact(a1) - exact(b0), d11 = exact(a1) - exact(b1);
  const Rational border =
      std::min({to_segment(d00, d01), to_segment(d10, d11), to_segment(d00, d10), to_segment(d01, d11)});
  Rational x, y;
  if (!lowest(d00, d10 - d00, d01 - d00, x, y) || x < 0 || x > 1 || y < 0 || y > 1) return border.get_d();
  const Point q = d00 + x * (d10 - d00) + y * (d01 - d00);
  return dot(q, q).get_d();
}

}  // namespace sim::reference
