#include "geometry/predicates.hpp"

#include <cmath>

#include "geometry/expansion.hpp"

namespace sim {

namespace {

// The filters of Shewchuk 1997: |error of the computed determinant| <= factor * (the same sum with all terms
// positive). His factors are 7.8e-16 and 3.4e-16. The floor keeps underflow, and what dust decides, on the exact
// side.
constexpr double filter_3 = 1e-15;
constexpr double filter_2 = 5e-16;
constexpr double filter_floor = 1e-60;
constexpr double dust = 1e-90;  // in coordinates

int sign_of(double value) {
  return (value > 0) - (value < 0);
}

double without_dust(double x) {
  return std::abs(x) < dust ? 0 : x;
}

auto difference(double a, double b) {
  return exact_difference(without_dust(a), without_dust(b));
}

int exact_orientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const auto row = [&a](const Vec3& p) {
    return std::array{difference(p[0], a[0]), difference(p[1], a[1]), difference(p[2], a[2])};
  };
  const auto u = row(b), v = row(c), w = row(d);
  const auto x = u[1] * v[2] - u[2] * v[1];
  const auto y = u[2] * v[0] - u[0] * v[2];
  const auto z = u[0] * v[1] - u[1] * v[0];
  return (x * w[0] + y * w[1] + z * w[2]).sign();
}

int exact_orientation_in_plane(const Vec3& a, const Vec3& b, const Vec3& c, int i, int j) {
  const auto left = difference(b[i], a[i]) * difference(c[j], a[j]);
  const auto right = difference(b[j], a[j]) * difference(c[i], a[i]);
  return (left - right).sign();
}

}  // namespace

int orientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const Vec3 u = b - a, v = c - a, w = d - a;
  const double yz = u[1] * v[2], zy = u[2] * v[1];
  const double zx = u[2] * v[0], xz = u[0] * v[2];
  const double xy = u[0] * v[1], yx = u[1] * v[0];
  const double value = w[0] * (yz - zy) + w[1] * (zx - xz) + w[2] * (xy - yx);
  const double size = std::abs(w[0]) * (std::abs(yz) + std::abs(zy)) +
                      std::abs(w[1]) * (std::abs(zx) + std::abs(xz)) + std::abs(w[2]) * (std::abs(xy) + std::abs(yx));
  if (std::abs(value) > filter_3 * size + filter_floor) return sign_of(value);
  return exact_orientation(a, b, c, d);
}

int orientation_in_plane(const Vec3& a, const Vec3& b, const Vec3& c, int dropped) {
  const int i = (dropped + 1) % 3, j = (dropped + 2) % 3;
  const double left = (b[i] - a[i]) * (c[j] - a[j]);
  const double right = (b[j] - a[j]) * (c[i] - a[i]);
  const double value = left - right;
  if (std::abs(value) > filter_2 * (std::abs(left) + std::abs(right)) + filter_floor) return sign_of(value);
  return exact_orientation_in_plane(a, b, c, i, j);
}

Vec3 without_dust(const Vec3& a) {
  return {without_dust(a[0]), without_dust(a[1]), without_dust(a[2])};
}

bool collinear(const Vec3& a, const Vec3& b, const Vec3& c) {
  for (int dropped = 0; dropped < 3; ++dropped) {
    if (orientation_in_plane(a, b, c, dropped) != 0) return false;
  }
  return true;
}

}  // namespace sim
