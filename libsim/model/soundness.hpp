// What the rows of /steps give away of a run: energy that nothing gave, and loads that nothing bears. simrun tells of
// them at its end, simcheck judges by them (docs/decisions/energy-ledger.md).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "model/model.hpp"
#include "model/report.hpp"

namespace sim {

struct EnergyRow {  // J, of a step that moved the bodies; NaN in one without a ledger
  std::int64_t step = 0;
  double kinetic = 0, elastic = 0, potential = 0, contact = 0;
  double work = 0, loads = 0, correction = 0, friction = 0, damping = 0, scheme = 0, gaps = 0;

  double energy() const { return kinetic + elastic + potential + contact; }
  double given() const { return work + loads + correction - friction - damping - scheme; }
};
struct EnergyColumn {
  const char* name;  // in /steps
  double EnergyRow::*of_row;
  double StepReport::*of_report;
};
inline constexpr std::array<EnergyColumn, 11> energy_columns{
    {{"kinetic_energy", &EnergyRow::kinetic, &StepReport::kinetic_energy},
     {"elastic_energy", &EnergyRow::elastic, &StepReport::elastic_energy},
     {"potential_energy", &EnergyRow::potential, &StepReport::potential_energy},
     {"contact_energy", &EnergyRow::contact, &StepReport::contact_energy},
     {"work_prescribed", &EnergyRow::work, &StepReport::work_prescribed},
     {"work_loads", &EnergyRow::loads, &StepReport::work_loads},
     {"work_correction", &EnergyRow::correction, &StepReport::work_correction},
     {"dissipation_friction", &EnergyRow::friction, &StepReport::dissipation_friction},
     {"dissipation_damping", &EnergyRow::damping, &StepReport::dissipation_damping},
     {"dissipation_scheme", &EnergyRow::scheme, &StepReport::dissipation_scheme},
     {"work_of_gaps", &EnergyRow::gaps, &StepReport::work_of_gaps}}};
EnergyRow energy_row(const StepReport& report);

struct MadeEnergy {   // from after the step `from` to after the step `to`
  double energy = 0;  // J
  std::int64_t from = -1, to = -1;
  double gaps = 0;  // J, the largest work_of_gaps among its steps
  double excess() const { return energy - gaps; }
};

// Of the sum of numbers that are losses: the fall that is the largest beyond what gaps were worth on its way.
class LargestFall {
 public:
  void begin_after(std::int64_t step) { begin(step); }
  void add(double loss, double gaps, std::int64_t step);
  const MadeEnergy& largest() const { return largest_; }

 private:
  struct Start {  // the sum after a step, and the largest work of gaps since
    double sum = 0, gaps = 0;
    std::int64_t step = 0;
    double high() const { return sum - gaps; }
  };
  // Starts with the same work of gaps since, of which the highest counts; the work falls from entry to entry.
  struct Entry {
    Start highest, worst;  // worst: of this entry and those before
  };

  void push(const Start& start);
  void begin(std::int64_t step) { push({sum_, 0, step}); }
  void raise(double gaps);

  MadeEnergy largest_;
  double sum_ = 0;
  std::vector<Entry> starts_;
};

// How much energy may come from nothing: 1 % of what is in play, and the weight times the tolerance of gaps. Where
// more presses than weight, gaps are worth more: in a stretch of steps the most that any of its rows has of
// work_of_gaps, once, as what gaps take and give comes back. No less than rounding.
struct EnergyAllowance {
  double of_gaps = 0;             // J: weight of all bodies times the tolerance of gaps
  double of_small_strain = 0;     // J: of a strain of 1e-6, of the material of all bodies
  bool damping_may_give = false;  // `acm`: it goes by the velocities before a tick, which the tick may turn round
};

struct EnergyFinding {
  double energy_scale = 0;        // J: the largest kinetic + elastic + contact + |potential - that of the first row|
  double rounding = 0;            // J: what is below is not worth a word
  double allowed = 0;             // J: how much may be made, and given by the scheme and by friction, besides gaps
  double allowed_of_damping = 0;  // J
  MadeEnergy made, by_scheme, by_friction, by_damping;  // energy that nothing gave, and that each loss gave

  bool is_sound() const;
  std::string text() const;  // where it is not: "energy came from nothing, 2 J from step 3 to 4 where 0.1 J are ..."
};

// The most that E less the work of prescribed motion and loads has grown from a step to a later one. Friction and
// damping may hide what the scheme gives, for ever: scheme less correction is judged by itself, too.
class EnergyAccount {
 public:
  void add(const EnergyRow& row);
  EnergyFinding finding(const EnergyAllowance& allowance) const;

 private:
  bool begun_ = false;
  double first_potential_ = 0, scale_ = 0;
  LargestFall losses_, scheme_, friction_, damping_;
};

// Quasi-static steps with weight and loads that nothing bears: no contact pushes, and what is prescribed bears less
// than half of them. That is not a balance, however small what the solver was told to reach.
struct Unborne {
  std::int64_t steps = 0, first = -1;
  double force = 0;  // N, in the first
};
class UnborneLoads {
 public:
  void add(std::int64_t step, double dt, double contacts_that_push, const Vec3& external, const Vec3& prescribed);
  // Of a pressure all around rounding is left: its work along a gap is below that of the energies in play, J.
  Unborne finding(double gap, double in_play) const;

 private:
  struct Pull {
    std::int64_t step;
    double force;  // N
  };
  std::vector<Pull> unborne_;
};

double small_strain_energy(const Mesh& mesh, Range tets, Range triangles, const Material& material);  // J, of 1e-6

}  // namespace sim
