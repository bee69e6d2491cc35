#include "asynchronous/paths.hpp"

#include <algorithm>

#include "asynchronous/pair_force.hpp"
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
  s.stray = test.kind == ContactKind::vertex_face ? stray[0] + std::max({stray[1], stray[2], stray[3]})
                                                  : std::max(stray[0], stray[1]) + std::max(stray[2], stray[3]);
  return s;
}

double smallest_seen(const PathTest& test, const MovingPoints& chords, double time) {
  double smallest = nearest_of(test.kind, chords.x0).distance;
  for (const double t : {time, 0.5 * (1 + time), 1.0}) {
    std::array<Vec3, 4> x;
    for (std::size_t k = 0; k < 4; ++k) x[k] = (1 - t) * chords.x0[k] + t * chords.x1[k];
    smallest = std::min(smallest, nearest_of(test.kind, x).distance);
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
  const ContinuousResult result = test.kind == ContactKind::vertex_face ? vertex_face_collision(s.chords, separation)
                                                                        : edge_edge_collision(s.chords, separation);
  if (!result.hit) return std::nullopt;
  if (!s.middle_knot) return Approach{begin, smallest_seen(test, s.chords, result.time)};
  if (const auto found = comes_near(test, begin, *s.middle_knot)) return found;
  return comes_near(test, *s.middle_knot, end);
}

}  // namespace sim
