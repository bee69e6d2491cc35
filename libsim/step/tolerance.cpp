#include "step/tolerance.hpp"

#include <algorithm>
#include <cmath>

#include "step/contact_problem.hpp"

namespace sim {

namespace {

constexpr double force_floor = 1e-6;    // of the forces inside, where nothing else moves the body
constexpr double smallest_move = 1e-6;  // eps2 a step

// |b - M v0|, kg m/s: what weight and elasticity do to the vertices of a body in a step.
double impulse(const ToleranceInput& in, std::span<const Index> rows) {
  const auto elastic = static_cast<Index>(in.model.plan.vertex_of_block.size());
  double sum = 0;
  for (const Index row : rows) {
    if (row >= elastic) continue;  // nothing inside a rigid body
    const Index vertex = in.model.plan.vertex_of_block[row];
    sum += (block(in.problem.b, row) - in.model.elastic.mass[vertex] * block(in.state.v, vertex)).squaredNorm();
  }
  return std::sqrt(sum);
}

double unit_of_gap(const ToleranceInput& in, Index i, double u) {
  const double part = in.options.relative_momentum, whole = in.compliance.whole[i];
  const double aim = in.state.contacts.contacts[i].aim;
  double unit = std::min(solver_part * in.options.tolerance.constraint, gap_part * part * in.dt * u);
  if (whole > 0) unit = std::min(unit, part * in.dt * u * in.compliance.k[i] / whole);
  if (aim > 0) unit = std::min(unit, 0.25 * aim);
  return unit;
}

}  // namespace

void body_masses(const Model& model, const Bodies& bodies, std::vector<double>& mass) {
  const auto elastic = static_cast<Index>(model.plan.vertex_of_block.size());
  mass.assign(static_cast<std::size_t>(bodies.count()), 0.0);
  for (Index row = 0; row < static_cast<Index>(bodies.of_row.size()); ++row) {
    const double m =
        row < elastic ? model.elastic.mass[model.plan.vertex_of_block[row]] : model.rigid[(row - elastic) / 2].mass;
    mass[bodies.of_row[row]] += m * m;
  }
  for (double& m : mass) m = std::sqrt(m);
}

double approach(const Contact& contact, const VecX& v) {
  double speed = 0;
  for (int k = 0; k < 4; ++k) speed -= contact.weights[k] * contact.n.dot(block(v, contact.vertices[k]));
  return speed;
}

double contact_speed(const Contact& contact, const VecX& v, const Vec3& gravity, const ContactOptions& options,
                     double dt) {
  return std::max({gravity.norm() * dt, options.relative_momentum * approach(contact, v),
                   smallest_move * options.tolerance.constraint / dt});
}

void find_units(const ToleranceInput& in, const Groups& groups, Units& units) {
  const double part = in.options.relative_momentum;
  const std::vector<Contact>& contacts = in.state.contacts.contacts;
  units.momentum.assign(in.mass.size(), 0.0);
  units.gap.assign(contacts.size(), 0.0);
  for (const ContactGroup& group : groups.groups) {
    double u = 0;
    for (const Index i : group.contacts)
      u = std::max(u, contact_speed(contacts[i], in.v, in.model.gravity, in.options, in.dt));
    for (const Index body : group.bodies) {
      const double floor = force_floor * impulse(in, groups.bodies.rows_of(body)) / in.mass[body];
      const double cap = in.options.tolerance.momentum / std::sqrt(static_cast<double>(group.bodies.size()));
      units.momentum[body] = std::min(cap, part * in.mass[body] * std::max(u, floor));
    }
    for (const Index i : group.contacts) units.gap[i] = unit_of_gap(in, i, u);
  }
}

}  // namespace sim
