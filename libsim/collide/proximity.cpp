#include "collide/proximity.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

#include "collide/contact_geometry.hpp"
#include "collide/limits.hpp"
#include "collide/target_gap.hpp"

namespace sim {

namespace {

constexpr double rounding = 1e-3;  // of the gap of what pushes: the same vertex on the next face is no nearer

struct Apart {
  double least = -std::numeric_limits<double>::infinity(), most = 0;  // m
};

// Pairs that are as far apart as apart_of(vertices) says.
template <class ApartOf>
void look(const CollisionSurface& surface, ContactKind kind, const std::vector<Pair>& pairs, const VecX& x,
          const ApartOf& apart_of, std::vector<Hit>& hits) {
  for (const Pair pair : pairs) {
    const std::array<Index, 4> vertices = stencil(surface, kind, pair);
    const Apart wanted = apart_of(vertices);
    if (!(wanted.most > 0)) continue;
    const double apart = nearest_points(kind, gather(vertices, x)).r.norm() - pair_thickness(surface, kind, vertices);
    if (apart >= wanted.least && apart < wanted.most) hits.push_back({kind, pair, 0});
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
  const auto apart_of = [&](const std::array<Index, 4>& vertices) {
    return Apart{.most = gap_tolerance(surface, vertices)};
  };
  look(surface, ContactKind::vertex_face, candidates.vertex_face, x, apart_of, hits);
  look(surface, ContactKind::edge_edge, candidates.edge_edge, x, apart_of, hits);
}

void find_nearer_than_pushing(const CollisionSurface& surface, std::span<const Contact> contacts,
                              const Candidates& candidates, const VecX& x, std::vector<Hit>& hits) {
  hits.clear();
  const std::vector<Nearest> nearest = nearest_that_push(surface, contacts, x);
  if (nearest.empty()) return;
  // Nearer than contacts may be asked to stay, it would be raised: that is for collisions to find.
  const auto apart_of = [&](const std::array<Index, 4>& vertices) {
    const std::array<Index, 2> objects = objects_of(surface, vertices);
    const auto found =
        std::lower_bound(nearest.begin(), nearest.end(), objects,
                         [](const Nearest& a, const std::array<Index, 2>& b) { return a.objects < b; });
    if (found == nearest.end() || found->objects != objects) return Apart{};
    return Apart{lowest_target_gap * gap_tolerance(surface, vertices), (1 - rounding) * found->gap};
  };
  look(surface, ContactKind::vertex_face, candidates.vertex_face, x, apart_of, hits);
}

}  // namespace sim
