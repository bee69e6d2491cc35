// From where on pairs push, eta(1). Objects that begin nearer to each other than `most` push from there on: nothing
// is pushed where a scene begins, and all pairs of two objects agree, so that they may slide. Pairs of one object
// push from half their distance at rest on, where that is nearer: else the shape at rest would explode.
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "collide/candidates.hpp"
#include "model/model.hpp"

namespace sim {

struct CloseObjects {
  std::array<Index, 2> objects{};  // the lower first
  double distance = 0;             // m, where the scene begins
};

struct Thickness {
  double most = 0;                  // m
  std::vector<CloseObjects> close;  // ascending: objects that begin nearer than that

  double between(Index a, Index b) const;  // m; of two objects
};
Thickness find_thickness(const Model& model, double most);

double pair_thickness(const Model& model, const Thickness& thickness, ContactKind kind,
                      const std::array<Index, 4>& vertices);  // m

// Pairs that are nearer than `distance` at x. `detection` keeps near pairs from one call to the next.
struct NearPair {
  ContactKind kind = ContactKind::vertex_face;
  Pair pair;
  std::array<Index, 4> vertices{};
  double distance = 0;  // m
};
using SeePair = std::function<void(const NearPair&)>;
void for_each_near(const CollisionSurface& surface, const VecX& x, double distance, Detection& detection,
                   const SeePair& see);

}  // namespace sim
