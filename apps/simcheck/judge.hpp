// Judges the frames of a result file one by one, from their positions and velocities alone.
//
// What is unexplained is the change since frame 0 less what the ledger in /steps says was given; without a ledger the
// part of momentum that gravity does not explain, p(t) - p(0) - M g t.
//
// Numbers that cannot be known (no velocities, no scene, a single object) are NaN.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "geometry.hpp"
#include "ledger.hpp"
#include "mechanics.hpp"

namespace simcheck {

struct FrameFinding {
  std::int64_t frame = 0, step = 0;
  double time = 0;          // s
  bool finite = true;       // all positions, and velocities where there are any; what is not finite is not judged
  bool finite_sums = true;  // energies and momenta
  Overlaps overlaps;
  Volumes volumes;
  Misplaced misplaced;  // of embedded vertices
  Mechanics mechanics;
  double energy_change = unknown;  // J, since frame 0
  sim::Vec3 unexplained_momentum{unknown, unknown, unknown};
  sim::Vec3 angular_momentum_change{unknown, unknown, unknown};  // since frame 0, gravity's torque included
  // J and kg m^2/s: NaN without a ledger.
  double unexplained_energy = unknown;
  sim::Vec3 unexplained_angular_momentum{unknown, unknown, unknown};
  double energy_rounding = 0;     // J: how much of it the sums over vertices and steps may be off by
  double disagreement = unknown;  // with the row of /steps, the largest over all quantities, relative
};

// Quantities that /steps records and the frames repeat; of rigid objects the mass that they have at rest.
constexpr std::array<const char*, 7> recorded_quantities{
    "time", "kinetic_energy", "elastic_energy", "potential_energy", "momentum", "angular_momentum", "rigid_mass"};

struct Disagreement {
  double relative = 0;  // infinity for numbers that are not finite
  std::int64_t frame = -1;
};

struct ObjectPairTotal {  // two objects, or one with itself, over all frames
  sim::Index object_a = 0, object_b = 0;
  std::int64_t frames = 0, first_frame = 0, last_frame = 0;
  std::int64_t most = 0;                // pairs of triangles in a frame
  double depth = 0, way_out = unknown;  // m, the largest
  sim::Index inner = -1;                // in one of the frames
};

enum class Verdict { clean, intersects, unsound, inverted };
const char* to_string(Verdict verdict);

struct Judgement {
  std::vector<FrameFinding> frames;
  std::array<Disagreement, recorded_quantities.size()> disagreements;
  std::int64_t compared_frames = 0;                                                      // with a row of /steps
  std::int64_t intersecting_frames = 0, intersections = 0, frames_not_finite = 0;        // sums included
  std::int64_t first_intersecting_frame = -1, worst_frame = -1, most_intersections = 0;  // the worst has the most
  std::vector<ObjectPairTotal> object_pairs;
  double smallest_distance = unknown;
  std::int64_t smallest_distance_frame = -1;
  Volumes volumes;  // the smallest of all frames; `inverted` is the most of a frame
  std::int64_t smallest_volume_frame = -1, inverted_frames = 0, first_inverted_frame = -1;
  Misplaced misplaced;  // the farthest of all frames
  std::int64_t misplaced_frame = -1;
  double energy_scale = unknown;    // J: the largest kinetic + elastic + |potential - potential(0)| of all frames
  double momentum_scale = unknown;  // kg m/s: the largest sum m |v| of all frames
  double angular_scale = unknown;   // kg m^2/s: the same of m |x| |v|
  LedgerFinding ledger;
  double frame_imbalance = unknown;  // J: the largest unexplained energy of all frames, beyond rounding
  std::int64_t frame_imbalance_frame = -1;
  Verdict verdict = Verdict::clean;

  bool contradicts() const;  // a frame and its row of /steps
  bool misplaces() const;    // embedded vertices are not where their weights put them
  bool balances() const;     // the ledger is that of the rows and frames
};

Judgement judge(const Subject& subject, const std::vector<std::int64_t>& frames);

}  // namespace simcheck
