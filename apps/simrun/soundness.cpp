#include "soundness.hpp"

#include <algorithm>
#include <array>

#include "math/number_text.hpp"
#include "summary.hpp"

namespace simrun {

namespace {

constexpr std::array of_loads{"accepted", "dt", "active", "impulse_external", "impulse_prescribed"};

struct Column {
  const char* name;
  double sim::StepReport::*member;
};
constexpr std::array<Column, 11> of_energy{{{"kinetic_energy", &sim::StepReport::kinetic_energy},
                                            {"elastic_energy", &sim::StepReport::elastic_energy},
                                            {"potential_energy", &sim::StepReport::potential_energy},
                                            {"contact_energy", &sim::StepReport::contact_energy},
                                            {"work_prescribed", &sim::StepReport::work_prescribed},
                                            {"work_loads", &sim::StepReport::work_loads},
                                            {"work_correction", &sim::StepReport::work_correction},
                                            {"dissipation_friction", &sim::StepReport::dissipation_friction},
                                            {"dissipation_damping", &sim::StepReport::dissipation_damping},
                                            {"dissipation_scheme", &sim::StepReport::dissipation_scheme},
                                            {"work_of_gaps", &sim::StepReport::work_of_gaps}}};

double mass_of(const sim::Model& model) {
  double mass = 0;
  for (const sim::RigidBody& body : model.rigid) mass += body.mass;
  for (const sim::Object& object : model.objects) {
    if (object.type != sim::ObjectType::deformable) continue;
    const sim::Range own = nodes(object);
    mass += model.elastic.mass.segment(own.begin, own.size()).sum();
  }
  return mass;
}

}  // namespace

Soundness::Soundness(const sim::Model& model, const sim::Options& options)
    : is_static_(options.time.scheme == sim::TimeScheme::quasi_static) {
  for (std::size_t i = 0; i < model.objects.size(); ++i) {
    const sim::Object& object = model.objects[i];
    if (is_obstacle(object.type)) continue;
    gap_ = std::max(gap_, model.surface.object_gap.empty() ? sim::published_gap : model.surface.object_gap[i]);
    if (object.type == sim::ObjectType::deformable)
      allowance_.of_small_strain +=
          small_strain_energy(model.mesh, object.tets, object.triangles, model.materials[object.material]);
  }
  allowance_.of_gaps = mass_of(model) * model.gravity.norm() * gap_;
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
  std::vector<std::vector<double>> energies;
  for (const auto& [name, member] : of_energy) {
    energies.emplace_back(steps.size(), 0.0);
    if (file.has_step_column(name)) energies.back() = column(name);
  }
  for (std::size_t k = 0; k < steps.size() && steps[k] <= static_cast<double>(step); ++k) {
    if (accepted[k] == 0) continue;
    sim::StepReport row;
    row.step = static_cast<std::int64_t>(steps[k]);
    row.dt = dt[k];
    row.active = static_cast<sim::Index>(active[k]);
    for (std::size_t i = 0; i < of_energy.size(); ++i) row.*of_energy[i].member = energies[i][k];
    row.impulse_external = Eigen::Map<const sim::Vec3>(external.data() + 3 * k);
    row.impulse_prescribed = Eigen::Map<const sim::Vec3>(prescribed.data() + 3 * k);
    add(row);
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
