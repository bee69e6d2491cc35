// Bodies and parts of steps for the tests of local forces.
#pragma once

#include <gtest/gtest.h>

#include "local/integrate.hpp"
#include "local/passes.hpp"
#include "local/published.hpp"
#include "local/step.hpp"
#include "mesh/generate.hpp"
#include "step/step.hpp"
#include "support/loaded.hpp"
#include "support/objects.hpp"

namespace sim::test {

inline const Material soft{.name = "rubber", .young = 1e5, .poisson = 0.2, .density = 1000};

inline Options local_options(double dt) {
  Options options{.dt = dt, .method = "local", .stepper = StepperKind::local};
  options.detection.separation = 1e-7;  // as scenes have it: 2 % of eps2
  return options;
}

using LoadedScene = Loaded<LocalScratch>;

// One explicit part of the length h, without contacts, whatever its vibrations need.
inline void verlet_part(const Model& model, double h, State& state, LocalScratch& scratch) {
  const Options options = local_options(h);
  StepReport report;
  scratch.next = state;
  scratch.start = state;
  LocalPart part{model, options, h, state.time + h, scratch.next, scratch, report};
  fly(part);
  finish(part);
  std::swap(scratch.before, scratch.after);
  state = scratch.next;
}

// One explicit part with contacts, which LocalScratch::moved then tells of.
inline State part_with_contacts(const Model& model, const Options& options, const State& state,
                                LocalScratch& scratch) {
  StepReport report;
  scratch.next = scratch.start = state;
  LocalPart part{model, options, options.dt, state.time + options.dt, scratch.next, scratch, report};
  if (options.contact.as_published) {
    fly(part);
    respond_as_published(part);
  } else {
    detect(model, options, state, scratch, report);
    fly(part);
    EXPECT_TRUE(respond(part));
  }
  finish(part);
  EXPECT_FALSE(part.failed()) << part.reason;
  note_forces(part);
  keep_contacts(part);
  std::swap(scratch.before, scratch.after);
  return scratch.next;
}

// Steps that all must be accepted; the last report.
inline StepReport take_steps(const Model& model, const Options& options, int count, State& state,
                             LocalScratch& scratch) {
  StepReport report;
  for (int n = 0; n < count; ++n) {
    report = step(model, options, state, scratch);
    EXPECT_EQ(report.status, StepStatus::converged) << "step " << report.step << ": " << report.reason;
    if (!report.accepted) break;
  }
  return report;
}

inline Model ring_over_floor(const Material& material, const Vec3& velocity) {
  Model model;
  model.materials = {material};
  add(model, "ring", ObjectType::deformable, generate(TorusShape{}), {0, 0, 0.03}, velocity);
  add(model, "floor", ObjectType::fixed, generate(SlabShape{}), {0, 0, -0.05}, Vec3::Zero());
  finish_model(model);
  return model;
}

}  // namespace sim::test
