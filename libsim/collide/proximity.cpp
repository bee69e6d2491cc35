#include "collide/proximity.hpp"

#include "collide/contact_geometry.hpp"

namespace sim {

void find_near(const CollisionSurface& surface, const Candidates& candidates, const VecX& x, std::vector<Hit>& hits) {
  hits.clear();
  const auto look = [&](ContactKind kind, const std::vector<Pair>& pairs) {
    for (const Pair pair : pairs) {
      const std::array<Index, 4> vertices = stencil(surface, kind, pair);
      const double apart =
          nearest_points(kind, gather(vertices, x)).r.norm() - pair_thickness(surface, kind, vertices);
      if (apart < gap_tolerance(surface, vertices)) hits.push_back({kind, pair, 0});
    }
  };
  look(ContactKind::vertex_face, candidates.vertex_face);
  look(ContactKind::edge_edge, candidates.edge_edge);
}

}  // namespace sim
