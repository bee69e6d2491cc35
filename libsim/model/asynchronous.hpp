// What asynchronous contact mechanics (asynchronous/step.hpp) is told, and what it tells of a step.
#pragma once

#include <array>
#include <cstdint>

#include "math/types.hpp"

namespace sim {

// all_pairs is for tests: every pair with all layers, all the time.
enum class Clocks { binary, free };
enum class Culler { windows, kds, all_pairs };

struct AsyncOptions {
  double thickness = 1e-3;         // m, eta(1): where the outermost layer begins to push
  double stiffness = 1000;         // N/m, r(1)
  double restitution = 0;          // in [0, 1]: the part of the energy of an impact that comes back
  double contact_fraction = 0.02;  // of layers: h omega / 2
  double elastic_fraction = 0.25;  // of elements
  Index rest_depth = 8;            // the deepest layer in which contacts are expected to rest
  Index max_layers = 1000;         // a step in which a pair would need more is not taken
  double max_events = 1e9;         // the same of kicks in a step
  bool friction_cap = false;       // read, and of no effect: friction stops what slides, and no more
  Clocks clocks = Clocks::binary;
  Culler culler = Culler::windows;
  double vagueness = 0;  // of kds: tubes are as wide as that many mean kicks of their vertex
  Index axes = 18;       // of kds: directions of the k-DOPs, twice their axes: 6 or 18
};

// What happened in a step; zero under other methods.
struct StepEvents {
  std::int64_t kicks_tet = 0, kicks_spring = 0, kicks_membrane = 0, kicks_hinge = 0, kicks_bend = 0;
  std::int64_t kicks_steady = 0;  // of gravity, loads and mass damping on a vertex
  std::int64_t kicks_pair = 0;    // of layers that push
  Index pairs = 0, deepest = 0, rest_too_deep = 0;
  double smallest_h = 0;                     // s
  std::array<std::int64_t, 32> by_octave{};  // pairs that end the step in layers [2^k, 2^(k + 1))
  std::int64_t c_null_ticks = 0, c_proofs = 0, c_failures = 0, c_windows = 0, c_reruns = 0;
  std::int64_t c_certificates = 0, c_reconfirmed = 0, c_tubes = 0, c_rescheduled = 0;  // of kds
  double t_force = 0, t_cull = 0, t_queue = 0;                                         // s, of wall time
};

}  // namespace sim
