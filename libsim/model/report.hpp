// What one time step did: one row of /steps in the result file.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "math/types.hpp"
#include "model/asynchronous.hpp"

namespace sim {

enum class StepStatus : std::int32_t {
  converged = 0,
  iteration_limit = 1,  // a solver ran out of iterations
  breakdown = 2,        // numbers that are not finite
  collision = 3,        // the motion would lead through a surface: the step was not accepted
  interrupted = 4,      // somebody asked for it: the step was not taken, and is no row of a result
  layer_limit = 5,      // acm: a pair would need more layers than it may have: the step was not accepted
  event_limit = 6,      // acm: the step would take more kicks than it may: it was not accepted
};
const char* to_string(StepStatus status);

struct Verdict {  // on a step, or on a part of one
  StepStatus status = StepStatus::converged;
  std::string reason = {};  // for people
};

inline constexpr double no_gap = std::numeric_limits<double>::quiet_NaN();     // where there are no contacts
inline constexpr double no_strain = std::numeric_limits<double>::quiet_NaN();  // where there are no springs
inline constexpr double no_volume = std::numeric_limits<double>::quiet_NaN();  // where there are no tets that deform

struct ContactShare {             // what contacts do to an object
  Vec3 impulse{0, 0, 0};          // kg m/s: dt sum f_i
  Vec3 angular_impulse{0, 0, 0};  // kg m^2/s, about its centre where that is at the end: dt sum (x_i - c) x f_i
  double work = 0;                // J: dt sum f_i . v_i
};

struct StepReport {
  std::int64_t step = 0;  // number of the step, the first is 1
  double time = 0;        // s, at its end
  double dt = 0;          // s
  Index substeps = 1;
  StepStatus status = StepStatus::converged;
  std::string reason;    // for people, where the status is not `converged`
  bool accepted = true;  // the state has been advanced

  Index iterations = 0;  // of the solver, all solves of the step
  Index relinearizations = 0;
  Index detection_rounds = 0;
  Index resets = 0;
  Index evaluations = 0;
  Index first_order = 0;     // objects that stepped by implicit Euler under generalized alpha, in its last part
  Index products = 0;        // with A
  Index passes = 0;          // of relaxation over the contacts
  Index factorisations = 0;  // of A and of matrices as large
  Index by_its_rule = 0;     // islands of the last solve that a published method left by its rule, not within
  Index by_exact = 0;        // solves of islands by the exact method, where `auto` chose it

  Index candidates = 0;
  Index contacts = 0;
  Index active = 0;
  Index sticking = 0;
  Index sliding = 0;
  Index limited = 0;  // strain limits that push

  double residual = 0;            // kg m/s, |b - A v|
  double constraint_error = 0;    // m
  double min_gap = no_gap;        // m
  double overlap = 0;             // m, of `local` as published: how deep objects are in each other at the end
  double max_strain = no_strain;  // of springs, at the end of the step

  double kinetic_energy = 0;       // J, at the end of the step
  double elastic_energy = 0;       // J
  double potential_energy = 0;     // J, of gravity, zero at the origin
  double contact_energy = 0;       // J, of the layers of acm
  Vec3 momentum{0, 0, 0};          // kg m/s
  Vec3 angular_momentum{0, 0, 0};  // kg m^2/s, about the origin

  // The ledger of the step (step/ledger.hpp).
  double work_prescribed = 0;                // J
  double work_loads = 0;                     // J
  double work_correction = 0;                // J
  double dissipation_friction = 0;           // J
  double dissipation_damping = 0;            // J
  double dissipation_scheme = 0;             // J
  double work_of_gaps = 0;                   // J, what gaps within their tolerance may be worth
  Vec3 impulse_external{0, 0, 0};            // kg m/s
  Vec3 impulse_prescribed{0, 0, 0};          // kg m/s
  Vec3 impulse_left_over{0, 0, 0};           // kg m/s
  Vec3 impulse_scheme{0, 0, 0};              // kg m/s
  Vec3 angular_impulse_external{0, 0, 0};    // kg m^2/s, about the origin
  Vec3 angular_impulse_prescribed{0, 0, 0};  // kg m^2/s, about the origin
  double min_volume_ratio = no_volume;       // smallest volume of a tet over its rest volume, at the end of the step
  Index inverted = 0;                        // tets without volume or turned inside out
  Index extrapolated = 0;                    // tets below ElasticLaw::continued_below
  Index smallest_tet = -1;               // the tet of min_volume_ratio, and the smallest of the extrapolated ones:
  Index smallest_extrapolated_tet = -1;  // rows of Model::mesh.tets; -1: none

  double t_integrate = 0;  // s of wall time, a stage
  double t_detect = 0;
  double t_solve = 0;
  double t_relinearize = 0;
  double t_output = 0;
  double t_total = 0;

  StepEvents events;  // of acm

  std::vector<ContactShare> contact_shares;  // an object, of a step that was divided: the sum over its parts
  std::vector<double> contact_work;          // J, an object, of its ledger; empty of methods that do not tell it
};

StepReport begin_report(std::int64_t step, double dt);  // of the step of this number
void set_verdict(const Verdict& verdict, StepReport& report);

}  // namespace sim
