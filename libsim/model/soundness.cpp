#include "model/soundness.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/number_text.hpp"

namespace sim {

namespace {

constexpr double largest_growth = 0.01;       // of what is in play
constexpr double part_of_rounding = 1e-9;     // of what is in play
constexpr double rounding_of_strain = 1e-10;  // of the energy of a strain of 1e-6: that of 1e-11
constexpr double least_borne = 0.5;           // of weight and loads, by what is prescribed

std::string text_of(const char* what, const MadeEnergy& made, double allowed) {
  return std::string(what) + ", " + number_text(made.energy, 4) + " J from step " + std::to_string(made.from) +
         " to " + std::to_string(made.to) + " where " + number_text(allowed + made.gaps, 4) + " J are allowed";
}

}  // namespace

EnergyRow energy_row(const StepReport& report) {
  EnergyRow row{.step = report.step};
  for (const EnergyColumn& column : energy_columns) row.*column.of_row = report.*column.of_report;
  return row;
}

void LargestFall::add(double loss, double gaps, std::int64_t step) {
  sum_ += loss;
  raise(gaps);
  const Start& worst = starts_.back().worst;
  const double fall = worst.sum - sum_;
  if (fall - worst.gaps > largest_.excess()) largest_ = {fall, worst.step, step, worst.gaps};
  begin(step);
}

void LargestFall::push(const Start& start) {
  const bool lower = !starts_.empty() && starts_.back().worst.high() > start.high();
  starts_.push_back({start, lower ? starts_.back().worst : start});
}

void LargestFall::raise(double gaps) {
  Start highest{-std::numeric_limits<double>::infinity(), gaps, 0};
  while (!starts_.empty() && starts_.back().highest.gaps <= gaps) {
    const Start& last = starts_.back().highest;
    if (last.sum >= highest.sum) highest = {last.sum, gaps, last.step};
    starts_.pop_back();
  }
  push(highest);
}

bool EnergyFinding::is_sound() const {
  return !(made.excess() > allowed || by_scheme.excess() > allowed || by_friction.excess() > allowed ||
           by_damping.energy > allowed_of_damping);
}

std::string EnergyFinding::text() const {
  if (made.excess() > allowed) return text_of("energy came from nothing", made, allowed);
  if (by_scheme.excess() > allowed) return text_of("the scheme gave energy", by_scheme, allowed);
  if (by_friction.excess() > allowed) return text_of("friction gave energy", by_friction, allowed);
  return is_sound() ? "" : "damping gave energy, " + number_text(by_damping.energy, 4) + " J";
}

void EnergyAccount::add(const EnergyRow& row) {
  if (!begun_) {
    begun_ = true;
    first_potential_ = row.potential;
    for (LargestFall* fall : {&losses_, &scheme_, &friction_, &damping_}) fall->begin_after(row.step - 1);
  }
  scale_ = std::max(scale_, row.kinetic + row.elastic + row.contact + std::abs(row.potential - first_potential_));
  if (std::isnan(row.given())) return;
  losses_.add(row.friction + row.damping + row.scheme - row.correction, row.gaps, row.step);
  scheme_.add(row.scheme - row.correction, row.gaps, row.step);
  friction_.add(row.friction, row.gaps, row.step);
  damping_.add(row.damping, 0, row.step);
}

EnergyFinding EnergyAccount::finding(const EnergyAllowance& allowance) const {
  EnergyFinding f;
  f.energy_scale = scale_;
  f.rounding = part_of_rounding * scale_ + rounding_of_strain * allowance.of_small_strain;
  f.allowed = largest_growth * scale_ + allowance.of_gaps + f.rounding;
  f.allowed_of_damping = allowance.damping_may_give ? f.allowed : f.rounding;
  f.made = losses_.largest();
  f.by_scheme = scheme_.largest();
  f.by_friction = friction_.largest();
  f.by_damping = damping_.largest();
  return f;
}

void UnborneLoads::add(std::int64_t step, double dt, double contacts_that_push, const Vec3& external,
                       const Vec3& prescribed) {
  if (contacts_that_push == 0 && prescribed.norm() < least_borne * external.norm())
    unborne_.push_back({step, external.norm() / dt});
}

Unborne UnborneLoads::finding(double gap, double in_play) const {
  Unborne found;
  for (const Pull& pull : unborne_) {
    if (!(pull.force * gap > std::numeric_limits<double>::epsilon() * in_play)) continue;
    if (found.steps++ == 0) found = {1, pull.step, pull.force};
  }
  return found;
}

double small_strain_energy(const Mesh& mesh, Range tets, Range triangles, const Material& material) {
  constexpr double square = 1e-12;
  double sum = 0;
  for (Index t = tets.begin; t < tets.end; ++t) {
    const auto& [a, b, c, d] = mesh.tets[t];
    const double volume = six_volume(mesh.vertices[a], mesh.vertices[b], mesh.vertices[c], mesh.vertices[d]) / 6;
    sum += square * material.young * volume * (mesh.filled.empty() ? 1 : mesh.filled[t]);
  }
  if (tets.size() > 0) return sum;
  const bool springs = material.model != MaterialModel::shell;
  for (Index t = triangles.begin; t < triangles.end; ++t) {
    const auto& [a, b, c] = mesh.triangles[t];
    const Vec3 side = mesh.vertices[b] - mesh.vertices[a];
    const double size = b == c ? side.squaredNorm() : side.cross(mesh.vertices[c] - mesh.vertices[a]).norm() / 2;
    sum += square * (springs ? material.stretch : material.young * material.thickness) * size;  // N/m
  }
  return sum;
}

}  // namespace sim
