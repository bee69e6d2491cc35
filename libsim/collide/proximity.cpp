#include "collide/proximity.hpp"

#include <algorithm>
#include <tuple>

#include "collide/contact_geometry.hpp"
#include "collide/limits.hpp"
#include "collide/target_gap.hpp"

namespace sim {

namespace {

constexpr double rounding = 1e-3;  // of the gap of what pushes: the same vertex on the next face is no nearer

double distance_of(const CollisionSurface& surface, ContactKind kind, const std::array<Index, 4>& vertices,
                   const VecX& x) {
  return nearest_points(kind, gather(vertices, x)).r.norm() - pair_thickness(surface, kind, vertices);
}

// Pairs that are nearer than within(vertices), m.
template <class Within>
void look(const CollisionSurface& surface, ContactKind kind, const std::vector<Pair>& pairs, const VecX& x,
          const Within& within, std::vector<Hit>& hits) {
  for (const Pair pair : pairs) {
    const std::array<Index, 4> vertices = stencil(surface, kind, pair);
    const double most = within(vertices);
    if (!(most > 0)) continue;
    if (distance_of(surface, kind, vertices, x) < most) hits.push_back({kind, pair, 0});
  }
}

struct Nearest {  // of what pushes between two objects
  std::array<Index, 2> objects;
  double gap = 0;  // m
};

std::vector<Nearest> nearest_that_push(const CollisionSurface& surface, std::span<const Contact> contacts,
                                       const VecX& x) {
  std::vector<Nearest> nearest;
  for (const Contact& contact : contacts) {
    if (contact.lambda > 0 && !is_limit(contact))
      nearest.push_back({objects_of(surface, contact.vertices), distance(contact, x)});
  }
  std::sort(nearest.begin(), nearest.end(), [](const Nearest& a, const Nearest& b) {
    return std::tie(a.objects, a.gap) < std::tie(b.objects, b.gap);
  });
  const auto last = std::unique(nearest.begin(), nearest.end(),
                                [](const Nearest& a, const Nearest& b) { return a.objects == b.objects; });
  nearest.erase(last, nearest.end());
  return nearest;
}

}  // namespace

void find_near(const CollisionSurface& surface, const Candidates& candidates, const VecX& x, std::vector<Hit>& hits) {
  hits.clear();
  const auto within = [&](const std::array<Index, 4>& vertices) { return gap_tolerance(surface, vertices); };
  look(surface, ContactKind::vertex_face, candidates.vertex_face, x, within, hits);
  look(surface, ContactKind::edge_edge, candidates.edge_edge, x, within, hits);
}

void find_nearer_than_pushing(const CollisionSurface& surface, std::span<const Contact> contacts,
                              const Candidates& candidates, const VecX& x, std::vector<Hit>& hits) {
  hits.clear();
  const std::vector<Nearest> nearest = nearest_that_push(surface, contacts, x);
  if (nearest.empty()) return;
  const auto within = [&](const std::array<Index, 4>& vertices) {
    const std::array<Index, 2> objects = objects_of(surface, vertices);
    const auto found =
        std::lower_bound(nearest.begin(), nearest.end(), objects,
                         [](const Nearest& a, const std::array<Index, 2>& b) { return a.objects < b; });
    return found != nearest.end() && found->objects == objects ? (1 - rounding) * found->gap : 0.0;
  };
  look(surface, ContactKind::vertex_face, candidates.vertex_face, x, within, hits);
  // Nearer than contacts may be asked to stay, it would be raised: that is for collisions to find.
  std::erase_if(hits, [&](const Hit& hit) {
    const std::array<Index, 4> vertices = stencil(surface, hit.kind, hit.pair);
    return distance_of(surface, hit.kind, vertices, x) < lowest_target_gap * gap_tolerance(surface, vertices);
  });
}

}  // namespace sim
