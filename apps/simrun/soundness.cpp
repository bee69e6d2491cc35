#include "soundness.hpp"

#include <algorithm>
#include <array>

#include "math/number_text.hpp"
#include "model/own_weight.hpp"
#include "summary.hpp"

namespace simrun {

namespace {

constexpr std::array of_loads{"accepted", "dt", "active", "impulse_external", "impulse_prescribed"};

}  // namespace

Soundness::Soundness(const sim::Model& model, const sim::Options& options)
    : is_static_(options.time.scheme == sim::TimeScheme::quasi_static) {
  double mass = 0;
  for (std::size_t i = 0; i < model.objects.size(); ++i) {
    const sim::Object& object = model.objects[i];
    if (is_obstacle(object.type)) continue;
    mass += mass_of(model, object);
    gap_ = std::max(gap_, model.surface.object_gap.empty() ? sim::published_gap : model.surface.object_gap[i]);
    if (object.type == sim::ObjectType::deformable)
      allowance_.of_small_strain +=
          small_strain_energy(model.mesh, object.tets, object.triangles, model.materials[object.material]);
  }
  allowance_.of_gaps = mass * model.gravity.norm() * gap_;
  allowance_.damping_may_give = options.stepper == sim::StepperKind::asynchronous;
}

void Soundness::add(const sim::StepReport& report) {
  energy_.add(energy_row(report));
  if (is_static_)
    loads_.add(report.step, report.dt, report.active, report.impulse_external, report.impulse_prescribed);
}

void Soundness::add_until(std::int64_t step, const sim::ResultReader& file) {
  const auto column = [&](const char* name) { return file.step_column(name); };
  for (const char* name : of_loads)
    if (!file.has_step_column(name)) return;  // of an older version
  const std::vector<double> steps = column("step"), accepted = column("accepted"), dt = column("dt"),
                            active = column("active"), external = column("impulse_external"),
                            prescribed = column("impulse_prescribed");
  std::array<std::vector<double>, sim::energy_columns.size()> energies;
  for (std::size_t i = 0; i < energies.size(); ++i) {
    energies[i].assign(steps.size(), 0.0);
    if (file.has_step_column(sim::energy_columns[i].name)) energies[i] = column(sim::energy_columns[i].name);
  }
  for (std::size_t k = 0; k < steps.size() && steps[k] <= static_cast<double>(step); ++k) {
    if (accepted[k] == 0) continue;
    sim::EnergyRow row{.step = static_cast<std::int64_t>(steps[k])};
    for (std::size_t i = 0; i < energies.size(); ++i) row.*sim::energy_columns[i].of_row = energies[i][k];
    energy_.add(row);
    if (is_static_)
      loads_.add(row.step, dt[k], active[k], Eigen::Map<const sim::Vec3>(external.data() + 3 * k),
                 Eigen::Map<const sim::Vec3>(prescribed.data() + 3 * k));
  }
}

std::vector<std::string> Soundness::words() const {
  std::vector<std::string> words;
  const sim::EnergyFinding found = energy_.finding(allowance_);
  if (!found.is_sound()) words.push_back(found.text() + "; a smaller time step (--dt) is the first thing to try");
  const sim::Unborne unborne = loads_.finding(gap_, found.energy_scale);
  if (unborne.steps > 0) {
    words.push_back("nothing bears the weight and loads of " + counted(unborne.steps, "quasi-static step") + " (" +
                    sim::number_text(unborne.force, 4) + " N in step " + std::to_string(unborne.first) +
                    ", the first): they are no balance; loads below what solves may miss need a smaller " +
                    "contact.tolerance, bodies that nothing holds a `boundary`");
  }
  return words;
}

}  // namespace simrun
