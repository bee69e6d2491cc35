// How to step: every field with its default, unit and meaning.
#pragma once

#include <string>

#include "collide/reach.hpp"
#include "collide/upkeep.hpp"
#include "contact/solve.hpp"
#include "linear/conjugate_gradient.hpp"

namespace sim {

struct ContactOptions {
  ContactTolerance tolerance;       // eps1 and eps2: at its end, the gaps of contacts that push are inside (0, eps2)
  double relative_momentum = 0.01;  // eps1 is at most this part of |M g dt| and |M v0|, so that small things count
  Index max_iterations = 10000;     // of one solve
  Method method;
  bool hold_position = true;  // sticking contacts take back what they slipped; false: as published
  bool together = false;      // one problem of all that touch anything, as published; else of each group that does
  UpkeepOptions upkeep;
  bool accept_unconverged = false;  // go on with a solve that did not converge, where it leads through no surface
  Index most_rounds = 50;           // of solving, looking for collisions and re-linearising
  Index most_halvings = 6;          // of the step, where that was not enough
};

struct Options {
  double dt = 0.001;               // s
  std::string method = "cr-full";  // its name
  CgOptions linear;                // of a step without contacts, A v = b
  bool detect_collisions = true;   // false: objects pass through each other
  DetectionOptions detection;
  bool trace = false;  // keep what the solver went through, in Scratch::trace
  ContactOptions contact;
};

}  // namespace sim
