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

struct Stretch {
  MovingPoints points;  // along the chords
  double stray = 0;     // m, of both sides together
};

Stretch stretch_of(ContactKind kind, const std::array<Chord, 4>& chords) {
  Stretch s;
  for (std::size_t k = 0; k < 4; ++k) {
    s.points.x0[k] = chords[k].x0;
    s.points.x1[k] = chords[k].x1;
  }
  const double a = chords[0].stray, b = chords[1].stray, c = chords[2].stray, d = chords[3].stray;
  s.stray = kind == ContactKind::edge_edge ? std::max(a, b) + std::max(c, d) : a + std::max({b, c, d});
  return s;
}

// Of the line with the most knots; none where all are straight.
std::optional<Tick> middle_knot(const PathTest& test, Tick begin, Tick end) {
  std::optional<Tick> middle;
  std::size_t most = 0;
  for (const Path path : test.paths) {
    const Path knots = inside(path, begin, end);
    if (knots.size() <= most) continue;
    most = knots.size();
    middle = knots[most / 2].time;
  }
  return middle;
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

Chord chord_of(Path path, Tick begin, Tick end) {
  Chord chord{place_on(path, begin), place_on(path, end)};
  double farthest = 0;
  for (const Knot& knot : inside(path, begin, end)) {
    const double t = static_cast<double>(knot.time - begin) / static_cast<double>(end - begin);
    farthest = std::max(farthest, (knot.x - chord.x0 - t * (chord.x1 - chord.x0)).squaredNorm());
  }
  chord.stray = std::sqrt(farthest);
  return chord;
}

bool may_come_near(const PathTest& test) {
  const Stretch s = stretch_of(test.pair.kind, test.chords);
  return comes_nearer(test.pair, s.points, test.separation + s.stray).hit;
}

std::optional<Approach> comes_near(const PathTest& test, Tick begin, Tick end) {
  const Stretch s = stretch_of(test.pair.kind, test.chords);
  const ContinuousResult result = comes_nearer(test.pair, s.points, test.separation + s.stray);
  if (!result.hit) return std::nullopt;
  const std::optional<Tick> middle = middle_knot(test, begin, end);
  if (!middle) return Approach{begin, smallest_seen(test, s.points, result.time)};
  PathTest half = test;
  for (std::size_t k = 0; k < 4; ++k) half.chords[k] = chord_of(test.paths[k], begin, *middle);
  if (const auto found = comes_near(half, begin, *middle)) return found;
  for (std::size_t k = 0; k < 4; ++k) half.chords[k] = chord_of(test.paths[k], *middle, end);
  return comes_near(half, *middle, end);
}

}  // namespace sim
