// Rings dropped one after the other onto each other, each until it nearly touches: a heap as it is found in the
// middle of a run, with many near pairs and no intersection.
#pragma once

#include "collide/surface.hpp"

namespace sim::benchmark {

struct Heap {
  CollisionSurface surface;
  VecX x, v;  // m, m/s: every ring at 1 m/s in a direction of its own
};

// Twelve stacks of flat rings, 10 micrometres apart and each turned against the next: faces lie on faces everywhere.
Heap ring_stacks();

// `copies` heaps of `rings` rings side by side.
Heap ring_heap(Index rings, Index copies, std::uint64_t seed);

}  // namespace sim::benchmark
