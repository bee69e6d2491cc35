// The ticks of a stretch of a step, one after the other: all kicks of a tick go by where the vertices are then, and
// are given in one order: bodies, then pairs by their ids.
#pragma once

#include "asynchronous/free_clocks.hpp"
#include "asynchronous/pair_table.hpp"
#include "model/report.hpp"

namespace sim {

struct CourseSums {                          // of pairs, since the step began
  double friction_loss = 0;                  // J
  double energy_first = 0, energy_last = 0;  // J in layers, where the step begins and ends
  double events = 0;
};

// A step on its way.
struct Course {
  InFlight bodies;
  const ContactLaw& law;
  PairTable& table;
  KickBuffers& buffers;
  std::vector<PairKick>& pair_kicks;
  std::vector<Index>&pushing, &parted, &rubbing;  // of the pairs that tick
  std::vector<std::array<Vec3, 4>>& before;  // m/s, of the pairs that tick: their vertices, before anything kicks
  const ContactSet& before_step;             // what pushed when the step before ended (pair_force.hpp)
  StepEvents& events;
  CourseSums& sums;
  FreeClocks* free_clocks = nullptr;  // null: clocks are binary
};

struct CourseEnd {
  StepStatus status = StepStatus::converged;
  ActivePair pair;  // that has no layers left
};

void tick(const Course& course, Tick now);

// The energy that pairs give back: of free clocks, where no kick is split that would tell.
double pair_energy(const Course& course, Tick now);

// From `begin` to `end`, kicks at `end` included, those at `begin` only where the step begins.
void fly(const Course& course, Tick begin, Tick end);

std::array<Vec3, 4> places(const Flights& flights, const std::array<Index, 4>& vertices, Tick now);

}  // namespace sim
