// The proof that a pair does not enter its next layer (Harmon et al. 2009, section 5.1): a slab of constant normal
// that moves at constant speed, with the one feature above it and the other below.
//
//     n . x_k - c - w (t - since) >= apart / 2       each vertex of the first side
//                                 <= -apart / 2      of the second
//
// So the distance is `apart` or more, the next layer's eta with a margin for rounding, as long as the vertices keep
// to their tubes. Of strain limits the proof is the length itself: of straight flights its square is one of time,
// too.
#pragma once

#include "asynchronous/dop_tree.hpp"
#include "asynchronous/pair_force.hpp"

namespace sim {

struct Slab {
  ContactKind kind = ContactKind::vertex_face;
  Pair pair;
  std::array<Index, 4> vertices{};
  double thickness = 0;  // m, eta(1)
  double bound = 0;      // m, of a strain limit
  Index depth = 0;       // layers that are active
  double apart = 0;      // m
  Vec3 n{0, 0, 0};
  double c = 0;    // m
  double w = 0;    // m/s
  Tick since = 0;  // when it was made
  Tick until = 0;  // no later than it fails
};

double distance_of(const Slab& slab, const std::array<Vec3, 4>& x);

// Around where the features are now.
void place_slab(const DopView& view, Tick now, Slab& slab);

// When it fails at the earliest, as velocities are now: all of it, or what vertex k makes of it.
Tick slab_until(const DopView& view, Tick now, const Slab& slab);
Tick slab_until(const DopView& view, Tick now, const Slab& slab, std::size_t k);

}  // namespace sim
