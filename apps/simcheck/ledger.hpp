// The ledger of a run: do the rows of /steps explain what energy and momentum do (docs/decisions/energy-ledger.md)?
//
//     E_k - E_(k-1) = work_prescribed + work_loads + work_correction
//                     - dissipation_friction - dissipation_damping - dissipation_scheme                 of row k
//
// Energy that nothing gave: the most that E less the work of prescribed motion and loads has grown from a step to a
// later one. Friction and damping may hide what the scheme gives, for ever: scheme less correction is judged by
// itself, too.
#pragma once

#include <optional>
#include <vector>

#include "agreement.hpp"
#include "subject.hpp"

namespace simcheck {

// What counts as balanced, beside the rounding of the sums: as a part of what is in play.
constexpr double largest_imbalance = 1e-9;
// How much energy may come from nothing: a part of what is in play, and the weight times the tolerance of gaps. Where
// more presses than weight, gaps are worth more: in a stretch of steps the most that any of its rows has of
// work_of_gaps, once, as what gaps take and give comes back.
constexpr double largest_growth = 0.01;

struct Given {                          // since the first frame
  double energy = 0;                    // J: work less losses
  double rounding = 0;                  // J: that of a sum of n numbers is n times that of the sum of their sizes
  sim::Vec3 momentum{0, 0, 0};          // kg m/s
  sim::Vec3 angular_momentum{0, 0, 0};  // kg m^2/s
};

struct Growth {       // of a sum over steps, from after `from` to after `to`
  double energy = 0;  // J
  std::int64_t from = -1, to = -1;
  double gaps = 0;  // J, the largest work_of_gaps among its steps
  double excess() const { return energy - gaps; }
};

// A quasi-static step with weight and loads that nothing bears: no contact pushes, and what is prescribed bears less
// than half of them. That is not a balance, however small what the solver was told to reach.
struct Unborne {
  std::int64_t steps = 0, first = -1;
  double force = 0;  // N, in the first
};

struct LedgerFinding {
  std::int64_t steps = 0,
               all_steps = 0;  // that have a ledger, none: there is nothing to judge; that moved the bodies
  double work_prescribed = 0, work_loads = 0, work_correction = 0, friction = 0, damping = 0, scheme = 0;  // J, sums
  double energy_scale = 0;  // J: the largest kinetic + elastic + |potential - that of the first step|
  double allowed = 0;       // J: how much may be made, and given by the scheme and by friction, besides Growth::gaps
  double rounding = 0;      // J: what is below is not worth a word
  // J: how much damping may give. `acm` has it by the velocities before a tick, which the tick may turn round.
  double allowed_of_damping = 0;
  double imbalance = 0;  // the largest of a row, as a part of what is in play
  std::int64_t imbalance_step = -1;
  Growth made, by_scheme, by_friction, by_damping;  // energy that nothing gave, and that each loss gave
  Unborne unborne;
};

class RunLedger {
 public:
  explicit RunLedger(const Subject& subject);
  const LedgerFinding& finding() const { return finding_; }
  // With what contacts stored when the run began, which no row tells: what the first row misses of the energy of the
  // first frame. Without contacts that store energy that is nothing.
  void begin_with(double energy);
  // What the steps up to this one have given; none where some of them are missing, or any of the run has no ledger.
  std::optional<Given> until(std::int64_t step) const;

 private:
  std::int64_t first_step_ = 0;  // of the first frame
  std::vector<Given> given_;     // after first_step_ + its index
  double first_energy_ = 0;      // J: what the first row says that the run began with
  bool contacts_store_ = false;  // in any row
  LedgerFinding finding_;
};

}  // namespace simcheck
