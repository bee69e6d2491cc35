// Do candidates collide on the straight way from x0 to x1? (Verschoor & Jalba 2019, section 5.2)
#pragma once

#include "collide/candidates.hpp"

namespace sim {

struct Hit {
  ContactKind kind = ContactKind::vertex_face;
  Pair pair;
  double time = 0;  // in [0, 1]: the pair is farther apart than the separation all through [0, time)
};

struct CheckBuffers {
  std::vector<std::vector<Hit>> by_chunk;
  std::vector<double> nearest;  // m, a vertex: what any of its pairs is apart at x0; of those that hits have
};

// Tests all candidates (geometry/continuous.hpp: errs on the safe side only) and returns those that come as near as
// their thickness and the separation of DetectionOptions, in the order of the candidates, vertex-face first. Pairs
// that begin nearer than twice that may come to half their distance: what lies close is not pushed apart for it, and
// a gap stays a gap. (All but their thickness counts; of what has come nearer than that, all.) The same holds of half
// the distance at which any of their vertices begins from anything: what slides along a wall nearer than the
// separation is to come past the end of that wall.
//
// `known_free` (of every vertex of the model; empty: none): pairs all of whose vertices are marked are passed over,
// they were found free on this very way.
void check_candidates(const CollisionSurface& surface, const Candidates& candidates, const VecX& x0, const VecX& x1,
                      const DetectionOptions& options, CheckBuffers& buffers, std::vector<Hit>& hits,
                      std::span<const std::uint8_t> known_free = {});

}  // namespace sim
