// The ledger of a run: do the rows of /steps explain what energy and momentum do (docs/decisions/energy-ledger.md)?
//
//     E_k - E_(k-1) = work_prescribed + work_loads + work_correction
//                     - dissipation_friction - dissipation_damping - dissipation_scheme                 of row k
//
// What nothing gave is judged by model/soundness.hpp.
#pragma once

#include <optional>
#include <vector>

#include "agreement.hpp"
#include "model/soundness.hpp"
#include "subject.hpp"

namespace simcheck {

// What counts as balanced, beside the rounding of the sums: as a part of what is in play.
constexpr double largest_imbalance = 1e-9;

struct Given {                          // since the first frame
  double energy = 0;                    // J: work less losses
  double rounding = 0;                  // J: that of a sum of n numbers is n times that of the sum of their sizes
  sim::Vec3 momentum{0, 0, 0};          // kg m/s
  sim::Vec3 angular_momentum{0, 0, 0};  // kg m^2/s
};

struct LedgerFinding : sim::EnergyFinding {
  std::int64_t steps = 0,
               all_steps = 0;  // that have a ledger, none: there is nothing to judge; that moved the bodies
  double work_prescribed = 0, work_loads = 0, work_correction = 0, friction = 0, damping = 0, scheme = 0;  // J, sums
  double imbalance = 0;  // the largest of a row, as a part of what is in play
  std::int64_t imbalance_step = -1;
  sim::Unborne unborne;
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
