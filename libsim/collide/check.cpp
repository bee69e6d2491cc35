#include "collide/check.hpp"

#include "geometry/continuous.hpp"
#include "math/parallel.hpp"

namespace sim {

namespace {

constexpr Index chunk = 512;

struct MovingSurface {
  const CollisionSurface& surface;
  const VecX &x0, &x1;

  MovingPoints points(ContactKind kind, Pair pair) const {
    const std::array<Index, 4> vertices = stencil(surface, kind, pair);
    MovingPoints points;
    for (int k = 0; k < 4; ++k) {
      points.x0[k] = block(x0, vertices[k]);
      points.x1[k] = block(x1, vertices[k]);
    }
    return points;
  }
};

}  // namespace

void check_candidates(const CollisionSurface& surface, const Candidates& candidates, const VecX& x0, const VecX& x1,
                      double separation, CheckBuffers& buffers, std::vector<Hit>& hits) {
  const MovingSurface motion{surface, x0, x1};
  const auto faces = static_cast<Index>(candidates.vertex_face.size());
  const Index all = candidates.size();
  const auto chunks = static_cast<std::size_t>((all + chunk - 1) / chunk);
  if (buffers.by_chunk.size() < chunks) buffers.by_chunk.resize(chunks);
  parallel_for(all, chunk, [&](Index begin, Index end) {
    std::vector<Hit>& found = buffers.by_chunk[begin / chunk];
    found.clear();
    for (Index i = begin; i < end; ++i) {
      if (i < faces) {
        const Pair pair = candidates.vertex_face[i];
        const ContinuousResult r = vertex_face_collision(motion.points(ContactKind::vertex_face, pair), separation);
        if (r.hit) found.push_back({ContactKind::vertex_face, pair, r.time});
      } else {
        const Pair pair = candidates.edge_edge[i - faces];
        const ContinuousResult r = edge_edge_collision(motion.points(ContactKind::edge_edge, pair), separation);
        if (r.hit) found.push_back({ContactKind::edge_edge, pair, r.time});
      }
    }
  });
  hits.clear();
  for (const std::vector<Hit>& found : std::span(buffers.by_chunk).first(chunks)) {
    hits.insert(hits.end(), found.begin(), found.end());
  }
}

}  // namespace sim
