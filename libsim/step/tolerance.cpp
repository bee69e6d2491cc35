#include "step/tolerance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "step/contact_problem.hpp"

namespace sim {

namespace {

constexpr double smallest_move = 1e-6;  // eps2 a step
constexpr double pressing_part = 1e-5;
constexpr double rounding = 1e-13, rounding_of_products = 4 * std::numeric_limits<double>::epsilon();
constexpr double least_of_press = 1e-6;  // as force_part of step/newton.cpp: balance is not asked for beyond it
constexpr double most_overrated = 2;

// What an elastic body makes of an impulse, as momentum: as a whole what nothing that holds it takes (by its
// mobility: 1 / mass of a free one), of the rest only what its stiffness lets it, by the diagonal of A.
template <class MassOf>
void answer(const ContactProblem& problem, Index body, std::span<const Index> rows, const MassOf& mass_of,
            const VecX& inverse_diagonal, VecX& impulse) {
  Vec3 sum = Vec3::Zero();
  double mass = 0;
  for (const Index row : rows) {
    sum += block(impulse, row);
    mass += mass_of(row);
  }
  const Vec3 whole = sum / mass;
  const HeldBody* held = find_held(problem.held, body);
  const double free = held ? 0 : std::min(1.0, problem.mobility[body] * mass);
  Eigen::Matrix<double, 6, 1> along = Eigen::Matrix<double, 6, 1>::Zero();
  if (held) {
    for (const Index row : rows)
      along += held->motions_at(block(problem.place, row)).transpose() * block(impulse, row);
    along = held->mobility * along;
  }
  for (const Index row : rows) {
    const double m = mass_of(row);
    const Vec3 inside = block(impulse, row) - m * whole;
    const Vec3 moves = held ? Vec3(held->motions_at(block(problem.place, row)) * along) : Vec3(free * whole);
    block(impulse, row) = m * (moves + block(inverse_diagonal, row).cwiseProduct(inside));
  }
}

// (A - M) c of bodies that are carried along.
template <class MassOf>
void take_out_carried(const DueInput& in, const MassOf& mass_of, VecX& impulse) {
  const BlockMatrix& A = in.problem.A;
  for (Index body = 0; body < in.bodies.count(); ++body) {
    const std::span<const Index> rows = in.bodies.rows_of(body);
    if (std::ranges::all_of(rows, [&](Index row) { return block(in.carried, row).isZero(0); })) continue;
    for (const Index row : rows) {
      Vec3 pulled = -mass_of(row) * block(in.carried, row);
      for (Index slot = A.row_begin[row]; slot < A.row_begin[row + 1]; ++slot)
        pulled += A.at(slot) * block(in.carried, A.column[slot]);
      block(impulse, row) -= pulled;
    }
  }
}

double gap_of_drive(const ToleranceInput& in, Index i, double u) {
  const double part = in.options.relative_momentum, whole = in.compliance.whole[i];
  const double as_velocity = gap_part * part * in.dt * u;
  return whole > 0 ? std::min(as_velocity, part * in.dt * u * in.compliance.k[i] / whole) : as_velocity;
}

// What its surroundings give way by, m/N, as far as they are elastic.
double elastic_compliance(const Model& model, const ContactProblem& problem, const VecX& inverse_diagonal, Index i) {
  const auto elastic = static_cast<Index>(model.plan.vertex_of_block.size());
  const BlockMatrix& L = problem.L;
  double k = 0;
  for (Index slot = L.row_begin[i]; slot < L.row_begin[i + 1]; ++slot) {
    if (L.column[slot] >= elastic) continue;
    const Mat3 rows = L.at(slot);
    k += (rows * block(inverse_diagonal, L.column[slot]).asDiagonal() * rows.transpose()).trace() / 3;
  }
  return k;
}

double whole_mass(const Model& model, const Bodies& bodies, Index body) {
  const auto elastic = static_cast<Index>(model.plan.vertex_of_block.size());
  const std::span<const Index> rows = bodies.rows_of(body);
  if (rows.front() >= elastic) return model.rigid[(rows.front() - elastic) / 2].mass;
  double mass = 0;
  for (const Index row : rows) mass += model.elastic.mass[model.plan.vertex_of_block[row]];
  return mass;
}

struct Rounding {       // kg m/s, of a body: what is made of the last bits
  double momentum = 0;  // of b and A v, as far as it may be missed
  double solve = 0;     // of v = A^-1 (b + L^T r)
};

// A stiff body that moves as a whole has forces inside that cancel, a million times what drives it. Quasi-static,
// what nothing drives may be taken along without a force: its b is what places are rounded by.
Rounding rounding_of(const ToleranceInput& in, Index body, std::span<const Index> rows) {
  double product = 0, places = 0;
  const bool is_taken_along = in.pressing != nullptr && !(in.push.of(body) > 0);
  const auto elastic = static_cast<Index>(in.model.plan.vertex_of_block.size());
  for (const Index row : rows) {
    if (row >= elastic) break;
    const Index vertex = in.model.plan.vertex_of_block[row];
    const Vec3 stiffness = in.problem.A.at(in.problem.A.find(row, row)).diagonal();
    product += stiffness.cwiseProduct(block(in.v, vertex)).squaredNorm();
    if (is_taken_along) places += stiffness.cwiseProduct(block(in.x, vertex) / in.dt).squaredNorm();
  }
  const double b = norm_of_rows(in.problem.b, rows), Av = std::sqrt(product);
  return {
      std::max({rounding * b, rounding_of_products * Av, std::numeric_limits<double>::epsilon() * std::sqrt(places)}),
      std::numeric_limits<double>::epsilon() * std::max(b, Av)};
}

// What presses bodies, N.
struct Press {
  std::vector<double> half_sum;  // F_B
  std::vector<double> one;       // root of the mean square of its contacts that push
};

template <class Visit>
void for_bodies_of(const ContactProblem& problem, const Bodies& bodies, Index contact, const Visit& visit) {
  Index last = -1, one_before = -1;
  for (Index slot = problem.L.row_begin[contact]; slot < problem.L.row_begin[contact + 1]; ++slot) {
    const Index body = bodies.of_row[problem.L.column[slot]];
    if (body != last && body != one_before) visit(body);
    if (body != last) one_before = std::exchange(last, body);
  }
}

Press press_of_bodies(const ContactProblem& problem, const Bodies& bodies, const std::vector<double>& force) {
  const auto count = static_cast<std::size_t>(bodies.count());
  Press press{std::vector<double>(count, 0.0), std::vector<double>(count, 0.0)};
  std::vector<Index> pushing(count, 0);
  for (Index i = 0; i < problem.contacts(); ++i) {
    if (!(force[i] > 0)) continue;
    for_bodies_of(problem, bodies, i, [&](Index body) {
      press.half_sum[body] += 0.5 * force[i];
      press.one[body] += force[i] * force[i];
      ++pushing[body];
    });
  }
  for (std::size_t body = 0; body < count; ++body) {
    if (pushing[body] > 0) press.one[body] = std::sqrt(press.one[body] / pushing[body]);
  }
  return press;
}

// That of the contacts as they are known, but not under what 1e-6 eps2 asks for; tells what it is by.
Press press_of(const ToleranceInput& in, const Groups& groups) {
  Press press = press_of_bodies(in.problem, groups.bodies, in.pressing->force);
  std::vector<double> least(press.one.size(), std::numeric_limits<double>::infinity());
  for (Index i = 0; i < in.problem.contacts(); ++i) {
    const auto asked = [&](double k) {
      return smallest_move * in.contacts[i].eps2 / (in.options.relative_momentum * k);
    };
    const double elastic = in.pressing->compliance[i], all = asked(std::max(elastic, in.compliance.k[i]));
    for_bodies_of(in.problem, groups.bodies, i, [&](Index body) {
      // What is free in part goes anywhere without a force: that says nothing of the forces inside.
      least[body] = std::min(least[body], find_held(in.problem.held, body) ? asked(elastic) : all);
    });
  }
  in.pressing->total.assign(press.one.size(), 0.0);
  for (std::size_t body = 0; body < press.one.size(); ++body) {
    if (!std::isfinite(least[body])) continue;
    if (!(in.push.of(static_cast<Index>(body)) > 0) && press.half_sum[body] > least[body])
      in.pressing->total[body] = press.half_sum[body];
    press.one[body] = std::max(press.one[body], least[body]);
    press.half_sum[body] = std::max(press.half_sum[body], least[body]);
  }
  return press;
}

// What a body is pushed with by contacts, N: F_B of the step before, and of what hits it the impulse that
// takes the approach of the two and what drives the other away, over the step.
std::vector<double> pushes_of_contacts(const ToleranceInput& in, const Groups& groups) {
  std::vector<double> force;
  for (const Contact& contact : in.contacts) force.push_back(contact.lambda);
  std::vector<double> most = press_of_bodies(in.problem, groups.bodies, force).half_sum;
  for (Index i = 0; i < in.problem.contacts(); ++i) {
    const double whole = in.compliance.whole[i];
    if (!(whole > 0)) continue;
    double push = 0;
    for_bodies_of(in.problem, groups.bodies, i, [&](Index body) { push = std::max(push, in.push.of(body)); });
    const double hit = in.dt * (std::max(0.0, approach(in.contacts[i], in.v)) + in.dt * push) / whole;
    for_bodies_of(in.problem, groups.bodies, i, [&](Index body) { most[body] = std::max(most[body], hit); });
  }
  return most;
}

// Of what pushes a body, what goes through one of its contacts, N.
std::vector<double> share_of_contacts(const ToleranceInput& in, const Groups& groups, std::vector<double> pushed) {
  std::vector<Index> contacts(pushed.size(), 0);
  for (Index i = 0; i < in.problem.contacts(); ++i)
    for_bodies_of(in.problem, groups.bodies, i, [&](Index body) { ++contacts[body]; });
  for (std::size_t body = 0; body < pushed.size(); ++body) pushed[body] /= std::max(contacts[body], Index{1});
  return pushed;
}

// m: what rounding makes of the gap of a contact, as far as its bodies move as a whole.
double gap_of_rounding(const ToleranceInput& in, const Groups& groups, Index i, const std::vector<double>& noise) {
  if (in.problem.mobility.empty()) return 0;
  double gap = 0;
  for_bodies_of(in.problem, groups.bodies, i,
                [&](Index body) { gap += in.dt * in.problem.mobility[body] * noise[body]; });
  return gap;
}

// Of the bodies of a contact.
double least_of_bodies(const ToleranceInput& in, const Groups& groups, Index i, const std::vector<double>& of_body) {
  double least = std::numeric_limits<double>::infinity();
  for_bodies_of(in.problem, groups.bodies, i, [&](Index body) { least = std::min(least, of_body[body]); });
  return least;
}

double gap_of_press(const ToleranceInput& in, const Press& press, const Groups& groups, Index i) {
  return in.pressing->compliance[i] * least_of_bodies(in, groups, i, press.one);
}

// m/s: at which the sides of a contact slide along each other.
double slide(const Contact& contact, const VecX& v) {
  const Vec3 speed = separation_vector(contact, v);
  return (speed - contact.n * contact.n.dot(speed)).norm();
}

// Changes of velocity that are due in an island, each with the mass that has it. Of a heavier body it is what that
// impulse makes of it: what is due to a light one is nothing that a heavy one may miss.
class DueInIsland {
 public:
  void clear() { speeds_.clear(); }
  void add(double speed, double mass) { speeds_.push_back({mass, speed}); }
  void sort() {
    std::sort(speeds_.begin(), speeds_.end(), [](const One& a, const One& b) { return a.mass < b.mass; });
    momentum_.assign(speeds_.size() + 1, 0.0);  // the most of those before
    speed_.assign(speeds_.size() + 1, 0.0);     // the most from there on
    for (std::size_t k = 0; k < speeds_.size(); ++k)
      momentum_[k + 1] = std::max(momentum_[k], speeds_[k].mass * speeds_[k].speed);
    for (std::size_t k = speeds_.size(); k-- > 0;) speed_[k] = std::max(speed_[k + 1], speeds_[k].speed);
  }
  double most() const { return speed_.front(); }
  double of(double mass) const {
    const auto heavier = std::lower_bound(speeds_.begin(), speeds_.end(), mass,
                                          [](const One& one, double than) { return one.mass < than; });
    const auto k = static_cast<std::size_t>(heavier - speeds_.begin());
    return std::max(speed_[k], momentum_[k] / mass);
  }

 private:
  struct One {
    double mass, speed;
  };
  std::vector<One> speeds_;
  std::vector<double> momentum_, speed_;
};

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

void due_changes(const DueInput& in, std::vector<double>& due) {
  const Model& model = in.model;
  const BlockMatrix& A = in.problem.A;
  const auto elastic = static_cast<Index>(model.plan.vertex_of_block.size());
  const auto mass_of = [&](Index row) {
    const Index vertex = model.plan.vertex_of_block[row];
    return in.inertia.empty() ? model.elastic.mass[vertex] : in.inertia[vertex] * model.elastic.mass[vertex];
  };
  VecX impulse = in.problem.b;
  add_transposed(in.problem.L, in.r, impulse);
  for (Index row = 0; row < A.rows(); ++row) {
    if (row < elastic) {
      block(impulse, row) -= mass_of(row) * block(in.v, row);
    } else {
      block(impulse, row) -= A.at(A.find(row, row)) * block(in.v, row);
    }
  }
  if (in.carried.size() > 0) take_out_carried(in, mass_of, impulse);
  due.resize(in.mass.size());
  for (Index body = 0; body < in.bodies.count(); ++body) {
    const std::span<const Index> rows = in.bodies.rows_of(body);
    if (rows.front() < elastic) answer(in.problem, body, rows, mass_of, in.inverse_diagonal, impulse);
    due[body] = norm_of_rows(impulse, rows) / in.mass[body];
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

void find_pressing(const Model& model, const ContactProblem& problem, const VecX& inverse_diagonal,
                   const Compliance& compliance, const ContactSolution& solution, Pressing& pressing) {
  VecX slips;
  slip(problem, solution.v, slips);
  pressing.compliance.assign(compliance.k.size(), 0.0);
  pressing.force.resize(compliance.k.size());
  for (Index i = 0; i < problem.contacts(); ++i) {
    double& k = pressing.compliance[i];
    k = elastic_compliance(model, problem, inverse_diagonal, i);
    if (!(k > 0)) k = compliance.k[i];
    pressing.force[i] = k > 0 ? std::max(0.0, solution.lambda[i] - slips[3 * Eigen::Index{i}] / k) : 0;
  }
}

std::vector<std::uint8_t> overrated(const ContactProblem& problem, const Bodies& bodies,
                                    const std::vector<double>& lambda, const Pressing& pressing) {
  const std::vector<double> found = press_of_bodies(problem, bodies, lambda).half_sum;
  std::vector<std::uint8_t> result(found.size(), 0);
  for (std::size_t body = 0; body < found.size() && body < pressing.total.size(); ++body)
    result[body] = pressing.total[body] > most_overrated * found[body] ? 1 : 0;
  return result;
}

void find_units(const ToleranceInput& in, const Groups& groups, Units& units) {
  const double part = in.options.relative_momentum;
  units.momentum.resize(in.mass.size(), 0.0);
  units.gap.assign(in.contacts.size(), 0.0);
  const bool weightless = in.pressing == nullptr && !(in.push.gravity > 0);  // else all bodies are driven
  std::vector<double> pushed, share;
  Press press;
  if (in.pressing == nullptr) {
    pushed = pushes_of_contacts(in, groups);
    share = share_of_contacts(in, groups, pushed);
  } else {
    press = press_of(in, groups);
  }
  std::vector<double> masses(in.mass.size(), 0.0), noise(in.mass.size(), 0.0);
  DueInIsland due;
  for (const ContactGroup& group : groups.groups) {
    double common = 0, otherwise = 0, sliding = 0, smallest = 0;  // m/s: otherwise, where nothing drives
    due.clear();
    for (const Index body : group.bodies) {
      masses[body] = whole_mass(in.model, groups.bodies, body);
      due.add(settling_part * in.due[body], masses[body]);
      otherwise = std::max(otherwise, in.dt * in.push.of(body));
    }
    due.sort();
    for (const Index i : group.contacts) {
      common = std::max(common, contact_speed(in.contacts[i], in.v, 0, in.options, in.dt));
      smallest = std::max(smallest, smallest_move * in.contacts[i].eps2 / in.dt);
      otherwise = std::max(otherwise, pressing_part * in.compliance.k[i] * in.contacts[i].lambda / in.dt);
      if (in.contacts[i].lambda > 0) sliding = std::max(sliding, part * slide(in.contacts[i], in.v));
    }
    otherwise = std::max(otherwise, sliding);
    const auto speed = [&](double push, double of_due) {
      return std::max({common, of_due, push > 0 ? in.dt * push : otherwise});
    };
    const double cap = in.options.tolerance.momentum / std::sqrt(static_cast<double>(group.bodies.size()));
    for (const Index body : group.bodies) {
      const bool pressed = in.pressing != nullptr && !(in.push.of(body) > 0);
      const auto [least, of_solve] = rounding_of(in, body, groups.bodies.rows_of(body));
      noise[body] = of_solve;
      if (units.momentum[body] > 0 && in.pressing == nullptr) continue;
      const double mass = masses[body];
      const bool undriven = !(in.push.of(body) > 0) && !in.problem.mobility.empty();
      const HeldBody* held = find_held(in.problem.held, body);
      const double free = !undriven ? 1 : held ? held->stays : std::min(1.0, in.problem.mobility[body] * mass);
      const auto as_weight = [&](double force) { return in.dt * force / mass; };
      const double by_press = in.pressing == nullptr ? 0 : as_weight(press.half_sum[body]);
      const double at_least = least_of_press / part * by_press;
      double driven = speed(in.push.of(body), due.of(mass)) / free;
      // Of what is held little stays as motion, but all of it is missed by what holds it; and what drives or hits a
      // light body of the island is nothing that a heavy one may miss.
      if (weightless && undriven && pushed[body] > 0) {
        const double own = std::max({smallest, settling_part * in.due[body], free * sliding});
        driven = std::max(own, std::min(driven, as_weight(pushed[body])));
      }
      double u = pressed ? by_press : driven;
      if (in.pressing != nullptr && !pressed) {
        // Of what changes elsewhere in the island no more than of what presses it.
        const double own = in.dt * in.push.of(body);
        u = std::max({own, at_least, std::min(driven, by_press)});
        if (u > own) in.pressing->total[body] = u > at_least ? u * mass / in.dt : press.half_sum[body];
      }
      units.momentum[body] = std::max(least, std::min(cap, part * in.mass[body] * u));
    }
    for (const Index i : group.contacts) {
      const double least = smallest_move * in.contacts[i].eps2;
      double unit = gap_of_drive(in, i, speed(in.push.on(in.contacts[i]), due.most()));
      if (in.pressing == nullptr) {
        const double of_force = gap_part * part * elastic_compliance(in.model, in.problem, in.inverse_diagonal, i) *
                                least_of_bodies(in, groups, i, share);
        if (of_force > 0) unit = std::min(unit, std::max(of_force, least));
        unit = std::max(unit, gap_of_rounding(in, groups, i, noise));
      } else {
        const double by_press = gap_of_press(in, press, groups, i);
        const double of_press = part * by_press;
        if (!(in.push.on(in.contacts[i]) > 0)) {
          unit = std::max(of_press, least);
        } else {
          unit = std::max(unit, least_of_press * by_press);
          if (in.contacts[i].age > 0) unit = std::min(unit, std::max(gap_part * of_press, least));
        }
      }
      units.gap[i] =
          std::min({solver_part * in.contacts[i].eps2, unit, room_below_target(in.contacts[i], in.separation_part)});
    }
  }
}

}  // namespace sim
