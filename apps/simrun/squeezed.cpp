#include "squeezed.hpp"

#include <string>

#include "math/format.hpp"
#include "math/number_text.hpp"
#include "model/own_weight.hpp"
#include "step/likely_reason.hpp"

namespace simrun {

namespace {

const sim::Object& object_of(const sim::Model& model, sim::Index tet) {
  return model.objects[model.surface.vertex_object[model.mesh.tets[tet][0]]];
}

const sim::Material& material_of(const sim::Model& model, sim::Index tet) {
  return model.materials[object_of(model, tet).material];
}

// "tetrahedron 12 of "ball", at (0.1, 0, 0.25)"
std::string named(const sim::Model& model, const sim::State& state, sim::Index tet) {
  return sim::tet_text(model, tet) + ", at " + sim::place_text(sim::middle_of(state.x, model.mesh.tets[tet]));
}

std::string and_more(sim::Index count) {
  return count > 1 ? sim::format(", and %d more", count - 1) : "";
}

std::string advice(const sim::Model& model, sim::Index tet) {
  const sim::Object& object = object_of(model, tet);
  const sim::Material& material = material_of(model, tet);
  if (!sim::elastic_law(material).as_published) {
    const double strain = sim::strain_of_own_weight(model, object);
    if (strain < sim::crushing_strain) return "a smaller time step (--dt) is the first thing to try";
    return sim::format(
        "the own weight of \"%s\" crushes it (%.3g times its young at the foot), which no smaller time step changes: "
        "look at the units of its mesh, young, density and gravity",
        object.name.c_str(), strain);
  }
  if (!sim::has_published_form(material.model))
    return sim::format("\"%s\" is st-venant-kirchhoff, which does not resist it: other models do",
                       material.name.c_str());
  return sim::format("\"%s\" is as published, which does not resist it: see materials.%s.as_published",
                     material.name.c_str(), material.name.c_str());
}

}  // namespace

void SqueezedElements::look_at(const sim::StepReport& report, const sim::Model& model, const sim::State& state,
                               Progress& progress, spdlog::logger& log) {
  if (report.extrapolated > 0 && !extrapolated_) {
    extrapolated_ = true;
    const sim::Index tet = report.smallest_extrapolated_tet;
    const sim::Material& material = material_of(model, tet);
    progress.clear();
    log.info(
        "step {}, t {:.6g} s: {}{}: squeezed below {:.3g} of its rest volume, where another energy takes "
        "the place of that of \"{}\"",
        report.step, report.time, named(model, state, tet), and_more(report.extrapolated),
        sim::elastic_law(material).continued_below, material.name);
  }
  if (report.inverted > 0 && !inverted_) {
    inverted_ = true;
    progress.clear();
    log.warn(
        "step {}, t {:.6g} s: {}{}: turned inside out, its volume is {:.3g} of that at rest. Shapes, forces and "
        "energies from here on are not to be trusted; {}",
        report.step, report.time, named(model, state, report.smallest_tet), and_more(report.inverted),
        report.min_volume_ratio, advice(model, report.smallest_tet));
  }
}

}  // namespace simrun
