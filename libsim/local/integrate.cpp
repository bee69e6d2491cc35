#include "local/integrate.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "math/parallel.hpp"

namespace sim {

namespace {

constexpr double part_of_limit = 0.8;  // of the longest step that is stable: contacts and large strains stiffen
constexpr Index rows_a_chunk = 1024;

void find_forces(LocalPart& part, const VecX& x, double time, Forces& forces) {
  const bool same_place = forces.known && forces.x == x;
  if (same_place && forces.time == time) return;
  if (!same_place) elastic_force(part.model.elastic, x, part.s.of_corners, forces.elastic);
  forces.known = true;
  forces.x = x;
  forces.time = time;
  if (const Index object = find_loads_at(part.model, x, part.state.rigid, time, forces.loads); object >= 0)
    fail(part, StepStatus::breakdown, "a load on \"" + part.model.objects[object].name + "\" is not a finite number");
}

// m/s^2, without damping.
Vec3 acceleration(const Model& model, const Forces& forces, Index vertex) {
  Vec3 force = block(forces.elastic, vertex);
  if (forces.loads.any()) force += block(forces.loads.force, vertex);
  return model.gravity + force / model.elastic.mass[vertex];
}

template <class Body>
void for_each_free(const Model& model, const Body& body) {
  const std::vector<Index>& vertices = model.plan.vertex_of_block;
  parallel_for(static_cast<Index>(vertices.size()), rows_a_chunk, [&](Index begin, Index end) {
    for (Index row = begin; row < end; ++row) body(vertices[row]);
  });
}

void kick(LocalPart& part) {
  const Model& model = part.model;
  find_forces(part, part.state.x, part.state.time, part.s.before);
  part.s.flight = part.state.v;
  for_each_free(model, [&](Index i) {
    const double alpha = model.elastic.damping_mass[i] / model.elastic.mass[i];
    block(part.s.flight, i) *= 1 - 0.5 * alpha * part.dt;
    block(part.s.flight, i) += 0.5 * part.dt * acceleration(model, part.s.before, i);
  });
}

void kick_again(LocalPart& part) {
  const Model& model = part.model;
  LocalScratch& s = part.s;
  VecX& v = part.state.v;
  find_forces(part, part.state.x, part.end, s.after);
  const bool is_damped = has_stiffness_damping(model.elastic);
  if (is_damped) stiffness_damping_force(model.elastic, part.state.x, v, s.of_corners, s.damping);
  for_each_free(model, [&](Index i) {
    const double mass = model.elastic.mass[i], alpha = model.elastic.damping_mass[i] / mass;
    Vec3 next = Vec3(block(v, i)) + 0.5 * part.dt * acceleration(model, s.after, i);
    if (is_damped) next += part.dt / mass * block(s.damping, i);
    block(v, i) = next / (1 + 0.5 * alpha * part.dt);
  });
  go_as_prescribed(model, s.guides, s.prescribed, v);
}

void solve_implicit(LocalPart& part) {
  const Model& model = part.model;
  LocalScratch& s = part.s;
  State& state = part.state;
  if (const Index object = find_loads(model, state, part.dt, s.before.loads); object >= 0)
    fail(part, StepStatus::breakdown, "a load on \"" + model.objects[object].name + "\" is not a finite number");
  assemble(model.elastic, model.plan, {state.x, state.v, s.prescribed, model.gravity, part.dt}, s.elements, s.A, s.b);
  s.unknowns.resize(s.b.size());
  for (std::size_t row = 0; row < model.plan.vertex_of_block.size(); ++row)
    block(s.unknowns, static_cast<Index>(row)) = block(state.v, model.plan.vertex_of_block[row]);
  add_loads(model, s.before.loads, model.rigid_blocks(part.dt), {}, s.A, s.b, s.unknowns);
  guide(model, s.guides, s.prescribed, s.A, s.b, s.unknowns);
  const CgReport report = conjugate_gradient(s.A, s.b, part.options.linear, s.cg, s.unknowns);
  part.report.products += report.iterations;
  part.report.residual = std::max(part.report.residual, report.residual);
  if (report.status == CgStatus::interrupted) fail(part, StepStatus::interrupted, "interrupted");
  if (report.status == CgStatus::iteration_limit) fail(part, StepStatus::iteration_limit, describe(report));
  if (report.status == CgStatus::breakdown) fail(part, StepStatus::breakdown, describe(report));
  s.flight = state.v;
  for (std::size_t row = 0; row < model.plan.vertex_of_block.size(); ++row)
    block(s.flight, model.plan.vertex_of_block[row]) = block(s.unknowns, static_cast<Index>(row));
}

}  // namespace

Index parts_of_step(const Model& model, const Options& options, const VecX& x, FrequencyBuffer& buffer) {
  if (options.local.integrator == LocalIntegrator::implicit_euler || model.plan.vertex_of_block.empty()) return 1;
  const std::vector<double>& beta = model.elastic.stiffness_damping;
  const double damping = beta.empty() ? 0 : *std::max_element(beta.begin(), beta.end());
  const double frequency = largest_frequency(model.elastic, model.plan, model.mesh.vertices, x, buffer);
  const double parts = std::ceil(options.dt / (part_of_limit * longest_explicit_step(frequency, damping)));
  constexpr double most = 1e6;  // 64 times that must be a number
  return static_cast<Index>(std::clamp(parts, 1.0, most));
}

void fly(LocalPart& part) {
  LocalScratch& s = part.s;
  find_holds(part.model, part.state.time, s.guides);
  s.prescribed.resize(part.state.v.size());
  prescribed_velocities(part.model, part.state, part.dt, s.guides, s.prescribed);
  if (const Index object = first_non_finite(part.model, s.prescribed); object >= 0) {
    return fail(part, StepStatus::breakdown, goes_to_non_finite(part.model, object));
  }
  part.is_implicit() ? solve_implicit(part) : kick(part);
  if (part.failed()) return;
  go_as_prescribed(part.model, s.guides, s.prescribed, s.flight);
  follow(part.model.embedding, s.flight);
  s.x1 = part.state.x + part.dt * s.flight;
  follow(part.model.embedding, s.x1);
  s.moved.setZero(s.x1.size());
  part.report.t_integrate += part.watch.lap();
}

void finish(LocalPart& part) {
  LocalScratch& s = part.s;
  part.state.x = s.x1;  // the very positions that were checked
  part.state.v = s.flight + s.moved / part.dt;
  if (!part.is_implicit()) kick_again(part);
  follow(part.model.embedding, part.state.v);
  part.state.time = part.end;
  part.report.t_integrate += part.watch.lap();
}

}  // namespace sim
