#include "asynchronous/paths.hpp"

#include <algorithm>

#include "collide/limits.hpp"
#include "geometry/closest_points.hpp"
#include "geometry/continuous.hpp"

namespace sim {

namespace {

// The knots strictly between.
Path inside(Path path, Tick begin, Tick end) {
  const auto earlier = [](const Knot& knot, Tick now) { return knot.time < now; };
  const auto first = std::lower_bound(path.begin(), path.end(), begin + 1, earlier);
  return {first, std::lower_bound(first, path.end(), end, earlier)};
}

double strays(Path knots, const Vec3& x0, const Vec3& x1, Tick begin, Tick end) {
  double farthest = 0;
  for (const Knot& knot : knots) {
    const double t = static_cast<double>(knot.time - begin) / static_cast<double>(end - begin);
    farthest = std::max(farthest, (knot.x - x0 - t * (x1 - x0)).squaredNorm());
  }
  return std::sqrt(farthest);
}

struct Stretch {
  MovingPoints chords;
  double stray = 0;                 // m, of both sides together
  std::optional<Tick> middle_knot;  // of the line with the most; none: all are straight
};

Stretch stretch_of(const PathTest& test, Tick begin, Tick end) {
  Stretch s;
  std::array<double, 4> stray{};
  std::size_t most = 0;
  for (std::size_t k = 0; k < 4; ++k) {
    s.chords.x0[k] = place_on(test.paths[k], begin);
    s.chords.x1[k] = place_on(test.paths[k], end);
    const Path knots = inside(test.paths[k], begin, end);
    if (knots.size() > most) {
      most = knots.size();
      s.middle_knot = knots[most / 2].time;
    }
    stray[k] = strays(knots, s.chords.x0[k], s.chords.x1[k], begin, end);
  }
  s.stray = test.pair.kind == ContactKind::edge_edge ? std::max(stray[0], stray[1]) + std::max(stray[2], stray[3])
                                                     : stray[0] + std::max({stray[1], stray[2], stray[3]});
  return s;
}

ContinuousResult limit_reached(const ActivePair& limit, const MovingPoints& chords, double separation) {
  const Vec3 e0 = chords.x0[0] - chords.x0[1], e1 = chords.x1[0] - chords.x1[1];
  if (is_upper(limit)) return {!(limit.bound - std::max(e0.norm(), e1.norm()) > separation), 0};
  const Vec3 way = e1 - e0;
  const double t = way.isZero(0) ? 0.0 : std::clamp(-e0.dot(way) / way.squaredNorm(), 0.0, 1.0);
  return {!((e0 + t * way).norm() - limit.bound > separation), t};
}

ContinuousResult comes_nearer(const ActivePair& pair, const MovingPoints& chords, double separation) {
  if (pair.kind == ContactKind::limit) return limit_reached(pair, chords, separation);
  return pair.kind == ContactKind::vertex_face ? vertex_face_collision(chords, separation)
                                               : edge_edge_collision(chords, separation);
}

double smallest_seen(const PathTest& test, const MovingPoints& chords, double time) {
  double smallest = nearest_of(test.pair, chords.x0).distance;
  for (const double t : {time, 0.5 * (1 + time), 1.0}) {
    std::array<Vec3, 4> x;
    for (std::size_t k = 0; k < 4; ++k) x[k] = (1 - t) * chords.x0[k] + t * chords.x1[k];
    smallest = std::min(smallest, nearest_of(test.pair, x).distance);
  }
  return smallest;
}

}  // namespace

Vec3 place_on(Path path, Tick now) {
  const auto after =
      std::lower_bound(path.begin(), path.end(), now, [](const Knot& knot, Tick time) { return knot.time < time; });
  if (after == path.end()) return path.back().x;
  if (after->time == now || after == path.begin()) return after->x;
  const Knot& before = *(after - 1);
  const double t = static_cast<double>(now - before.time) / static_cast<double>(after->time - before.time);
  return before.x + t * (after->x - before.x);
}

std::optional<Approach> comes_near(const PathTest& test, Tick begin, Tick end) {
  const Stretch s = stretch_of(test, begin, end);
  const double separation = test.separation + s.stray;
  const ContinuousResult result = comes_nearer(test.pair, s.chords, separation);
  if (!result.hit) return std::nullopt;
  if (!s.middle_knot) return Approach{begin, smallest_seen(test, s.chords, result.time)};
  if (const auto found = comes_near(test, begin, *s.middle_knot)) return found;
  return comes_near(test, *s.middle_knot, end);
}

}  // namespace sim
