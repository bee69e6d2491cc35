#include "collide/check.hpp"

#include <algorithm>
#include <limits>

#include "collide/contact.hpp"
#include "geometry/closest_points.hpp"
#include "geometry/continuous.hpp"
#include "math/parallel.hpp"

namespace sim {

namespace {

constexpr Index chunk = 512;

struct Motion {
  const VecX &x0, &x1;

  MovingPoints points(const std::array<Index, 4>& vertices) const {
    MovingPoints points;
    for (int k = 0; k < 4; ++k) {
      points.x0[k] = block(x0, vertices[k]);
      points.x1[k] = block(x1, vertices[k]);
    }
    return points;
  }
};

// By its number: those of vertices and faces come first.
KindAndPair candidate(const Candidates& candidates, Index i) {
  const auto faces = static_cast<Index>(candidates.vertex_face.size());
  if (i < faces) return {ContactKind::vertex_face, candidates.vertex_face[i]};
  return {ContactKind::edge_edge, candidates.edge_edge[i - faces]};
}

bool all_marked(const std::array<Index, 4>& vertices, std::span<const std::uint8_t> marked) {
  return std::all_of(vertices.begin(), vertices.end(), [&](Index vertex) { return marked[vertex] != 0; });
}

ContinuousResult collision(ContactKind kind, const MovingPoints& points, double separation) {
  return kind == ContactKind::vertex_face ? vertex_face_collision(points, separation)
                                          : edge_edge_collision(points, separation);
}

double distance(ContactKind kind, const std::array<Vec3, 4>& x) {
  return kind == ContactKind::vertex_face ? closest_point_triangle(x[0], x[1], x[2], x[3]).distance
                                          : closest_segment_segment(x[0], x[1], x[2], x[3]).distance;
}

double separation_of(const CollisionSurface& surface, const std::array<Index, 4>& vertices,
                     const DetectionOptions& options) {
  if (options.separation_part == 0) return options.separation;
  return std::min(options.separation, options.separation_part * gap_tolerance(surface, vertices));
}

// Does the pair come nearer than its thickness and `separation`, or where it is that near already, than half its
// distance?
ContinuousResult comes_near(ContactKind kind, const MovingPoints& points, double thickness, double separation) {
  const ContinuousResult result = collision(kind, points, thickness + separation);
  if (!result.hit || thickness + separation == 0) return result;
  const double apart = distance(kind, points.x0), half = 0.5 * (apart - thickness);
  if (half >= separation && half > 0) return result;
  return collision(kind, points, half > 0 ? thickness + half : 0.5 * apart);
}

struct Check {
  const CollisionSurface& surface;
  const Candidates& candidates;
  const Motion motion;
  const DetectionOptions& options;

  // nearest[v] of the vertices of hits that have no thickness, infinite before; others are passed over.
  void find_nearest(std::vector<double>& nearest) const {
    for (Index i = 0; i < candidates.size(); ++i) {
      const auto [kind, pair] = candidate(candidates, i);
      const std::array<Index, 4> vertices = stencil(surface, kind, pair);
      const auto is_met = [&](Index v) { return nearest[v] >= 0; };
      if (std::none_of(vertices.begin(), vertices.end(), is_met) || pair_thickness(surface, kind, vertices) > 0)
        continue;
      const double apart = distance(kind, motion.points(vertices).x0);
      for (const Index v : vertices) {
        if (is_met(v)) nearest[v] = std::min(nearest[v], apart);
      }
    }
  }

  // Whether it is one; and when.
  bool comes_as_near(const std::vector<double>& nearest, Hit& hit) const {
    const std::array<Index, 4> vertices = stencil(surface, hit.kind, hit.pair);
    if (pair_thickness(surface, hit.kind, vertices) > 0) return true;
    double least = std::numeric_limits<double>::infinity();
    for (const Index v : vertices) least = std::min(least, nearest[v]);
    if (0.5 * least >= separation_of(surface, vertices, options)) return true;
    const ContinuousResult result = collision(hit.kind, motion.points(vertices), 0.5 * least);
    hit.time = result.time;
    return result.hit;
  }

  void leave_out_what_passes(std::vector<double>& nearest, std::vector<Hit>& hits) const {
    if (hits.empty() || options.separation == 0) return;
    nearest.resize(static_cast<std::size_t>(motion.x0.size() / 3), -1.0);
    std::vector<Index> met;
    for (const Hit& hit : hits) {
      for (const Index v : stencil(surface, hit.kind, hit.pair)) {
        if (nearest[v] < 0) met.push_back(v);
        nearest[v] = std::numeric_limits<double>::infinity();
      }
    }
    find_nearest(nearest);
    std::size_t kept = 0;
    for (Hit& hit : hits) {
      if (comes_as_near(nearest, hit)) hits[kept++] = hit;
    }
    hits.resize(kept);
    for (const Index v : met) nearest[v] = -1;
  }
};

}  // namespace

void check_candidates(const CollisionSurface& surface, const Candidates& candidates, const VecX& x0, const VecX& x1,
                      const DetectionOptions& options, CheckBuffers& buffers, std::vector<Hit>& hits,
                      std::span<const std::uint8_t> known_free) {
  const Motion motion{x0, x1};
  const Index all = candidates.size();
  const auto chunks = static_cast<std::size_t>((all + chunk - 1) / chunk);
  if (buffers.by_chunk.size() < chunks) buffers.by_chunk.resize(chunks);
  parallel_for(all, chunk, [&](Index begin, Index end) {
    std::vector<Hit>& found = buffers.by_chunk[begin / chunk];
    found.clear();
    for (Index i = begin; i < end; ++i) {
      const auto [kind, pair] = candidate(candidates, i);
      const std::array<Index, 4> vertices = stencil(surface, kind, pair);
      if (!known_free.empty() && all_marked(vertices, known_free)) continue;
      const ContinuousResult r = comes_near(kind, motion.points(vertices), pair_thickness(surface, kind, vertices),
                                            separation_of(surface, vertices, options));
      if (r.hit) found.push_back({kind, pair, r.time});
    }
  });
  hits.clear();
  for (const std::vector<Hit>& found : std::span(buffers.by_chunk).first(chunks)) {
    hits.insert(hits.end(), found.begin(), found.end());
  }
  Check{surface, candidates, motion, options}.leave_out_what_passes(buffers.nearest, hits);
}

}  // namespace sim
