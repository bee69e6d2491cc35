#include "step/tolerance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "step/contact_problem.hpp"

namespace sim {

namespace {

constexpr double smallest_move = 1e-6;  // eps2 a step
constexpr double pressing_part = 1e-5;
constexpr double rounding = 1e-13;

double norm_of_rows(const VecX& x, std::span<const Index> rows) {
  double sum = 0;
  for (const Index row : rows) sum += block(x, row).squaredNorm();
  return std::sqrt(sum);
}

// What an elastic body makes of an impulse, as momentum: as a whole what nothing that holds it takes (`mobility`,
// 1/kg: 1 / mass of a free one), of the rest only what its stiffness lets it, by the diagonal of A.
template <class MassOf>
void answer(std::span<const Index> rows, const MassOf& mass_of, double mobility, const VecX& inverse_diagonal,
            VecX& impulse) {
  Vec3 sum = Vec3::Zero();
  double mass = 0;
  for (const Index row : rows) {
    sum += block(impulse, row);
    mass += mass_of(row);
  }
  const double held = std::min(1.0, mobility * mass);
  for (const Index row : rows) {
    const double m = mass_of(row);
    const Vec3 whole = sum / mass, inside = block(impulse, row) - m * whole;
    block(impulse, row) = m * (held * whole + block(inverse_diagonal, row).cwiseProduct(inside));
  }
}

double unit_of_gap(const ToleranceInput& in, Index i, double u) {
  const double part = in.options.relative_momentum, whole = in.compliance.whole[i];
  double unit = std::min(solver_part * in.contacts[i].eps2, gap_part * part * in.dt * u);
  if (whole > 0) unit = std::min(unit, part * in.dt * u * in.compliance.k[i] / whole);
  return std::min(unit, room_below_target(in.contacts[i], in.separation_part));
}

double drive_of_vertices(const Model& model, const VecX& x, const VecX& load, std::span<const Index> rows) {
  const auto for_each = [&](const auto& visit) {
    for (const Index row : rows) {
      const Index vertex = model.plan.vertex_of_block[row];
      visit(model.elastic.mass[vertex], block(x, vertex), block(load, vertex));
    }
  };
  double mass = 0, spread = 0;
  Vec3 center = Vec3::Zero(), force = Vec3::Zero(), torque = Vec3::Zero();
  for_each([&](double m, const Vec3& at, const Vec3& f) {
    mass += m;
    center += m * at;
    force += f;
  });
  center /= mass;
  for_each([&](double m, const Vec3& at, const Vec3& f) {
    spread += m * (at - center).squaredNorm();
    torque += (at - center).cross(f);
  });
  const double lever = std::sqrt(mass * spread);  // kg m
  return std::max(force.norm() / mass, lever > 0 ? torque.norm() / lever : 0.0);
}

}  // namespace

double room_below_target(const Contact& contact, double separation_part) {
  if (!(contact.target_gap > 0)) return std::numeric_limits<double>::infinity();
  return 0.75 * (contact.target_gap - std::min(separation_part * contact.eps2, 0.5 * contact.target_gap));
}

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

double contact_speed(const Contact& contact, const VecX& v, double push, const ContactOptions& options, double dt) {
  return std::max({push * dt, options.relative_momentum * approach(contact, v), smallest_move * contact.eps2 / dt});
}

void due_changes(const Model& model, const ContactProblem& problem, const VecX& inverse_diagonal,
                 const Bodies& bodies, const VecX& v, const VecX& r, const std::vector<double>& mass,
                 std::vector<double>& due, std::span<const double> inertia) {
  const auto elastic = static_cast<Index>(model.plan.vertex_of_block.size());
  const auto mass_of = [&](Index row) {
    const Index vertex = model.plan.vertex_of_block[row];
    return inertia.empty() ? model.elastic.mass[vertex] : inertia[vertex] * model.elastic.mass[vertex];
  };
  VecX impulse = problem.b;
  add_transposed(problem.L, r, impulse);
  for (Index row = 0; row < problem.A.rows(); ++row) {
    if (row < elastic) {
      block(impulse, row) -= mass_of(row) * block(v, row);
    } else {
      block(impulse, row) -= problem.A.at(problem.A.find(row, row)) * block(v, row);
    }
  }
  due.resize(mass.size());
  for (Index body = 0; body < bodies.count(); ++body) {
    const std::span<const Index> rows = bodies.rows_of(body);
    if (rows.front() < elastic) answer(rows, mass_of, problem.mobility[body], inverse_diagonal, impulse);
    due[body] = norm_of_rows(impulse, rows) / mass[body];
  }
}

void drives(const Model& model, const State& state, const LoadForces& loads, const Bodies& bodies,
            std::vector<double>& drive) {
  drive.clear();
  if (!loads.any()) return;
  const auto elastic = static_cast<Index>(model.plan.vertex_of_block.size());
  for (Index body = 0; body < bodies.count(); ++body) {
    const std::span<const Index> rows = bodies.rows_of(body);
    if (rows.front() >= elastic) {
      const auto i = static_cast<std::size_t>((rows.front() - elastic) / 2);
      const RigidBody& rigid = model.rigid[i];
      drive.push_back(std::max(loads.wrench[i].force.norm(), loads.wrench[i].torque.norm() / rigid.radius) /
                      rigid.mass);
    } else {
      drive.push_back(drive_of_vertices(model, state.x, loads.force, rows));
    }
  }
}

void find_units(const ToleranceInput& in, const Groups& groups, Units& units) {
  const double part = in.options.relative_momentum;
  units.momentum.resize(in.mass.size(), 0.0);
  units.gap.assign(in.contacts.size(), 0.0);
  for (const ContactGroup& group : groups.groups) {
    double common = 0, otherwise = 0;  // m/s: otherwise, where nothing drives
    for (const Index i : group.contacts) {
      common = std::max(common, contact_speed(in.contacts[i], in.v, 0, in.options, in.dt));
      otherwise = std::max(otherwise, pressing_part * in.compliance.k[i] * in.contacts[i].lambda / in.dt);
    }
    for (const Index body : group.bodies) {
      common = std::max(common, settling_part * in.due[body]);
      otherwise = std::max(otherwise, in.dt * in.push.of(body));
    }
    const auto speed = [&](double push) { return std::max(common, push > 0 ? in.dt * push : otherwise); };
    const double cap = in.options.tolerance.momentum / std::sqrt(static_cast<double>(group.bodies.size()));
    for (const Index body : group.bodies) {
      if (units.momentum[body] > 0) continue;
      const double least = rounding * norm_of_rows(in.problem.b, groups.bodies.rows_of(body));
      units.momentum[body] = std::max(least, std::min(cap, part * in.mass[body] * speed(in.push.of(body))));
    }
    for (const Index i : group.contacts) units.gap[i] = unit_of_gap(in, i, speed(in.push.on(in.contacts[i])));
  }
}

}  // namespace sim
