// How to step: every field with its default, unit and meaning.
#pragma once

#include <limits>
#include <string>

#include "collide/reach.hpp"
#include "collide/tracking.hpp"
#include "contact/solve.hpp"
#include "linear/conjugate_gradient.hpp"
#include "model/asynchronous.hpp"
#include "model/method.hpp"
#include "model/time_scheme.hpp"

namespace sim {

// What happens to the contacts between two solves of a step. Contacts are always made of what collides.
enum class Rounds {
  program,          // all are linearised anew, until gaps are right and normals have hardly turned
  verschoor_jalba,  // 2019, Algorithm 1, lines 24 to 31: inactive ones are removed; all are linearised anew where
                    // nothing new collides, until gaps are right
  otaduy,           // 2009, section 4: they stay as they are, until nothing collides
};

struct ContactOptions {
  // eps2: at the end of a step, the gaps of contacts that push are inside (0, eps2). eps1 only as published, and as a
  // bound besides that of step/tolerance.hpp.
  ContactTolerance tolerance{.momentum = std::numeric_limits<double>::infinity()};
  bool gaps_given = false;          // eps2 is the scene's, not that of each object
  double relative_momentum = 0.01;  // part of the momentum in play that a body may miss (step/tolerance.hpp)
  bool as_published = false;        // the step of the method's paper (docs/papers)
  Rounds rounds = Rounds::program;
  Index max_iterations = 10000;  // of one solve
  Method method;
  Stop stop;                  // asked for: the step is not taken
  bool hold_position = true;  // sticking contacts take back what they slipped; false: as published
  bool together = false;      // one problem of all that touch anything, as published; else of each group that does
  TrackingOptions tracking;
  bool accept_unconverged = false;  // go on with a solve that did not converge, where it leads through no surface
  bool proximity_set = false;  // contacts of all that is nearer than eps2 when the step begins (Otaduy et al. 2009)
  Index most_rounds = 50;      // of solving, looking for collisions and re-linearising
  Index most_halvings = 6;     // of the step, where that was not enough
};

enum class LocalIntegrator { verlet, implicit_euler };
struct LocalOptions {  // of the method `local` (local/step.hpp)
  LocalIntegrator integrator = LocalIntegrator::verlet;
  Index passes = 1000;  // of the response in a part of a step; after that the part is halved
};

struct Options {
  double dt = 0.001;  // s
  TimeOptions time;
  std::string method = "cr-full";  // its name
  StepperKind stepper = StepperKind::implicit;
  CgOptions linear;               // of a step without contacts, A v = b
  bool detect_collisions = true;  // false: objects pass through each other
  DetectionOptions detection;
  bool trace = false;  // keep what the solver went through, in Scratch::trace
  ContactOptions contact;
  LocalOptions local;
  AsyncOptions asynchronous;  // of acm
};

// All that can last in a step ends when this is asked for.
inline void stop_when(const Stop& stop, Options& options) {
  options.linear.stop = options.contact.stop = stop;
}

}  // namespace sim
