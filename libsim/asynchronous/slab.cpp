#include "asynchronous/slab.hpp"

#include <algorithm>
#include <cmath>

#include "asynchronous/batch.hpp"
#include "collide/limits.hpp"

namespace sim {

namespace {

bool is_upper(const Slab& limit) {
  return limit.pair.second == static_cast<Index>(LimitSide::longest);
}

bool is_first(const Slab& slab, std::size_t k) {
  return k < first_of_second(slab.kind);
}

// The first time at which |e + v t| = B + s t, for an e that is shorter than B or, of a lower bound, longer.
double seconds_of_limit(const Vec3& e, const Vec3& v, double B, double s) {
  const double a = v.squaredNorm() - s * s, b = e.dot(v) - s * B, c = e.squaredNorm() - B * B;
  constexpr double endless = std::numeric_limits<double>::infinity();
  const double square = b * b - a * c;
  if (!(square >= 0)) return endless;
  const double root = std::sqrt(square), q = -(b + (b >= 0 ? root : -root));
  double first = endless;
  for (const double t : {q / a, c / q})
    if (t >= 0) first = std::min(first, t);
  return first * (1 - 0x1p-40);
}

Tick limit_until(const DopView& view, Tick now, const Slab& limit) {
  const auto [i, j, same1, same2] = limit.vertices;
  const double strays = view.tubes[i].strays + view.tubes[j].strays;
  const Vec3 e = view.flights.at(i, now) - view.flights.at(j, now), v = view.tubes[i].v - view.tubes[j].v;
  const bool upper = is_upper(limit);
  const double B = upper ? limit.bound - limit.apart : limit.bound + limit.apart;
  if (upper ? !(e.norm() < B) : !(e.norm() > B)) return now;
  return ticks_until(now, seconds_of_limit(e, v, B, upper ? -strays : strays), view.flights);
}

}  // namespace

double distance_of(const Slab& slab, const std::array<Vec3, 4>& x) {
  if (slab.kind != ContactKind::limit) return nearest_of(slab.kind, x).distance;
  const double length = (x[0] - x[1]).norm();
  return is_upper(slab) ? slab.bound - length : length - slab.bound;
}

void place_slab(const DopView& view, Tick now, Slab& slab) {
  slab.since = now;
  if (slab.kind == ContactKind::limit) return;
  const std::array<Vec3, 4> x = places(view.flights, slab.vertices, now);
  const Nearest near = nearest_of(slab.kind, x);
  slab.n = near.n;
  Vec3 first = Vec3::Zero(), speed = Vec3::Zero();
  for (std::size_t k = 0; k < 4; ++k) {
    if (is_first(slab, k)) first += near.weights[k] * x[k];
    speed += 0.5 * std::abs(near.weights[k]) * block(view.flights.v, slab.vertices[k]);
  }
  slab.c = near.n.dot(first) - 0.5 * near.distance;
  slab.w = near.n.dot(speed);
}

Tick slab_until(const DopView& view, Tick now, const Slab& slab, std::size_t k) {
  if (slab.kind == ContactKind::limit) return limit_until(view, now, slab);
  const Index i = slab.vertices[k];
  const Tube& tube = view.tubes[i];
  const double side = is_first(slab, k) ? 1 : -1;
  const double passed = static_cast<double>(now - slab.since) * view.flights.tick;
  const double slack = side * (slab.n.dot(view.flights.at(i, now)) - slab.c - slab.w * passed) - 0.5 * slab.apart;
  if (!(slack > 0)) return now;
  const double closing = side * (slab.w - slab.n.dot(tube.v)) + (1 + 0x1p-40) * tube.strays;
  return closing > 0 ? ticks_until(now, slack / closing, view.flights) : 2 * ticks_a_step;
}

Tick slab_until(const DopView& view, Tick now, const Slab& slab) {
  Tick first = slab_until(view, now, slab, 0);
  if (slab.kind == ContactKind::limit) return first;
  for (std::size_t k = 1; k < 4; ++k) first = std::min(first, slab_until(view, now, slab, k));
  return first;
}

}  // namespace sim
