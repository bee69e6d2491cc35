#include "geometry/rational_reference.hpp"

#include <algorithm>
#include <functional>
#include <optional>

#include "geometry/rational_polynomial.hpp"

namespace sim::reference {

namespace {

using Moving = std::array<Polynomial, 3>;  // a point on a straight line, as a function of t

// Coordinates are made whole by one power of two for all, which changes no answer and keeps the numbers short.
std::array<Moving, 4> moving(const MovingPoints& m) {
  mpz_class scale = 1;
  const auto widen = [&scale](double x) { scale = lcm(scale, Rational(x).get_den()); };
  for (const auto* x : {&m.x0, &m.x1}) {
    for (const Vec3& p : *x) std::for_each(p.data(), p.data() + 3, widen);
  }
  std::array<Moving, 4> result;
  for (int k = 0; k < 4; ++k) {
    for (int c = 0; c < 3; ++c) {
      const Rational begin = scale * Rational(m.x0[k][c]), end = scale * Rational(m.x1[k][c]);
      result[k][c] = Polynomial({begin, end - begin});
    }
  }
  return result;
}

Moving operator-(const Moving& a, const Moving& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

Polynomial dot(const Moving& a, const Moving& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

Moving cross(const Moving& a, const Moving& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

// When does the moving triangle (d0, d1, d2) hold the origin? At a given t it does exactly if
//   volume = d0 . (d1 x d2) = 0, the three areas c01 = d0 x d1, c12, c20 point the same way (no pair has a negative
//   product), and, if all of them vanish (everything on one line through the origin), some d_i . d_j <= 0.
struct Conditions {
  Polynomial volume;
  std::vector<Polynomial> not_negative;  // products of two areas
  std::vector<Polynomial> areas;         // squares
  std::vector<Polynomial> products;      // d_i . d_j, i <= j
};

Conditions conditions(const std::array<Moving, 3>& d) {
  Conditions result;
  const std::array<Moving, 3> c{cross(d[0], d[1]), cross(d[1], d[2]), cross(d[2], d[0])};
  result.volume = dot(c[0], d[2]);
  for (int i = 0; i < 3; ++i) {
    result.not_negative.push_back(dot(c[i], c[(i + 1) % 3]));
    result.areas.push_back(dot(c[i], c[i]));
    result.products.push_back(dot(d[i], d[i]));
    result.products.push_back(dot(d[i], d[(i + 1) % 3]));
  }
  return result;
}

using Sign = std::function<int(const Polynomial&)>;

bool holds_origin(const Conditions& c, const Sign& sign) {
  const auto negative = [&](const Polynomial& p) { return sign(p) < 0; };
  const auto positive = [&](const Polynomial& p) { return sign(p) > 0; };
  const auto not_positive = [&](const Polynomial& p) { return sign(p) <= 0; };
  if (sign(c.volume) != 0 || std::ranges::any_of(c.not_negative, negative)) return false;
  return std::ranges::any_of(c.areas, positive) || std::ranges::any_of(c.products, not_positive);
}

// The coefficients of the cubic in Bernstein's basis have one sign: no root in [0, 1].
bool has_no_root(const Polynomial& p) {
  if (p.degree() > 3 || p.is_zero()) return false;
  std::array<Rational, 4> a;
  for (int i = 0; i <= p.degree(); ++i) a[i] = p[i];
  const Rational b1 = a[0] + a[1] / 3, b2 = a[0] + 2 * a[1] / 3 + a[2] / 3, b3 = a[0] + a[1] + a[2] + a[3];
  const int s = sgn(a[0]);
  return s != 0 && sgn(b1) == s && sgn(b2) == s && sgn(b3) == s;
}

struct Bracket {
  Rational low, high;
};

// The set of these t is closed, so its first member is 0 or a root: of the volume, or, where the volume is zero for
// all t, of one of the other polynomials.
std::optional<Bracket> first_time(const std::array<Moving, 3>& d) {
  const Polynomial volume = dot(cross(d[1], d[2]), d[0]);
  if (has_no_root(volume)) return {};
  std::vector<Root> roots = roots_in_unit_interval(volume);
  if (roots.empty() && volume.sign_at(0) != 0) return {};
  const Conditions c = conditions(d);
  if (holds_origin(c, [](const Polynomial& p) { return p.sign_at(0); })) return Bracket{0, 0};

  if (volume.is_zero()) {
    for (const auto* list : {&c.not_negative, &c.areas, &c.products}) {
      for (const Polynomial& p : *list) std::ranges::copy(roots_in_unit_interval(p), std::back_inserter(roots));
    }
  }
  std::optional<Bracket> first;
  for (Root& root : roots) {
    if (first && root.low() >= first->high) continue;
    root.narrow(Rational(1, 1L << 52));
    if (!holds_origin(c, [&root](const Polynomial& p) { return root.sign_of(p); })) continue;
    if (!first || root.high() < first->high) first = Bracket{root.low(), root.high()};
  }
  return first;
}

FirstContact earlier(const std::optional<Bracket>& a, const std::optional<Bracket>& b) {
  if (!a && !b) return {};
  const Bracket& first = !b || (a && a->high < b->high) ? *a : *b;
  return {true, first.low.get_d(), std::nextafter(first.high.get_d(), 2.0)};
}

}  // namespace

FirstContact vertex_face(const MovingPoints& m) {
  const std::array<Moving, 4> x = moving(m);
  return earlier(first_time({x[0] - x[1], x[0] - x[2], x[0] - x[3]}), {});
}

// The differences of the points of two edges fill a parallelogram, which is two triangles.
FirstContact edge_edge(const MovingPoints& m) {
  const std::array<Moving, 4> x = moving(m);
  const Moving d00 = x[0] - x[2], d01 = x[0] - x[3], d10 = x[1] - x[2], d11 = x[1] - x[3];
  return earlier(first_time({d00, d10, d11}), first_time({d00, d01, d11}));
}

int orientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const auto at = [&a](const Vec3& p, int i) -> Rational { return Rational(p[i]) - Rational(a[i]); };
  Rational det = 0;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    det += at(d, i) * (at(b, j) * at(c, k) - at(b, k) * at(c, j));
  }
  return sgn(det);
}

}  // namespace sim::reference
