// Random motions of a vertex and a face, or of two edges, of eight kinds from harmless to degenerate.
#pragma once

#include "geometry/continuous.hpp"
#include "math/random.hpp"

namespace sim::reference {

enum MotionKind {
  uniform,          // everything anywhere
  small_steps,      // a step of 5 % of the size, near each other or touching: as in a simulation
  near_miss,        // past the border of the face, or the end of an edge, at a distance of 1e-1 to 1e-12, or just not
  grazing,          // relative motion in the plane of the face or the edges but for 1e-9, at 1e-1 to 1e-12 from it
  all_scales,       // near misses at sizes of 1e-6 to 1e6
  far_from_origin,  // near misses 1e6 sizes away from the origin
  lattice,          // whole coordinates from -2 to 2: full of coplanar, parallel, touching and motionless cases
  planar_lattice,   // the same with everything in the plane z = 0
  motion_kinds      // how many there are
};

const char* name_of(int kind);
MovingPoints random_motion(Random& random, int kind, bool edges);

}  // namespace sim::reference
