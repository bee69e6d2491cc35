#include "step/inertia.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sim {

namespace {

constexpr double least_static_mass = 1e-6;  // sigma (dt c / l)^-2, c the speed of sound: where nothing pulls

double half_diagonal(const VecX& x, const Object& object) {
  Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity()), high = -low;
  for (Index i = object.vertices.begin; i < object.vertices.end; ++i) {
    low = low.cwiseMin(Vec3(block(x, i)));
    high = high.cwiseMax(Vec3(block(x, i)));
  }
  return 0.5 * (high - low).norm();
}

// sigma such that weight, or what drives it as weight does, moves a free body by its size.
double mass_of_weight(double drive, double size, double dt) {
  return drive * dt * dt / size;
}

double static_mass(const Model& model, const Object& object, double size, double dt) {
  if (!(size > 0)) return 1;
  const Material& material = model.materials[object.material];
  const double speed = material.young / material.density;  // of sound, squared
  const double by_stiffness =
      object.type == ObjectType::rigid ? 0.1 : least_static_mass * dt * dt * speed / (size * size);
  return std::max(mass_of_weight(model.gravity.norm(), size, dt), by_stiffness);
}

// The entries of an object: its vertices, or its centre and its turning.
Range entries(const Object& object) {
  if (object.type != ObjectType::rigid) return object.vertices;
  return {object.vertices.begin, object.vertices.begin + 2};
}

Vec3 velocity_of(const RigidBody& body, const RigidState& state, Index entry) {
  return entry == body.vertices.begin ? state.velocity : Vec3(state.spin / momentum_of_turning(body));
}

Vec3 last_velocity(const Model& model, const State& state, Index entry) {
  const Index body = model.surface.vertex_body[entry];
  return body < 0 ? Vec3(block(state.v, entry)) : velocity_of(model.rigid[body], state.rigid[body], entry);
}

bool moves(const Object& object) {
  return object.type == ObjectType::deformable || object.type == ObjectType::rigid;
}

void set_first_order(const Model& model, const State& state, const Object& object, Inertia& s) {
  const Range range = entries(object);
  for (Index i = range.begin; i < range.end; ++i) {
    s.mass[i] = s.damping[i] = 1;
    block(s.mean, i) = last_velocity(model, state, i);
    block(s.rest, i).setZero();
  }
}

void set_second_order(const Model& model, const State& state, const Object& object, double dt, Inertia& s) {
  const AlphaNumbers alpha(s.options.spectral_radius);
  const double sigma = alpha.inertia(), kappa = alpha.rate();
  const Range range = entries(object);
  for (Index i = range.begin; i < range.end; ++i) {
    const Vec3 v0 = last_velocity(model, state, i), a0 = block(state.history.acceleration, i),
               f0 = block(state.history.force, i);
    s.mass[i] = sigma;
    s.damping[i] = kappa;
    block(s.mean, i) =
        v0 + dt * (0.5 - alpha.beta) * a0 + dt / (sigma * (1 - alpha.force)) * (alpha.force * f0 - alpha.mass * a0);
    block(s.rest, i) = (1 - kappa) * v0 + dt * (1 - alpha.gamma - kappa * (0.5 - alpha.beta)) * a0;
  }
}

void set_static(const Model& model, const State& state, const Object& object, double dt, Inertia& s) {
  const Range range = entries(object);
  const double size = half_diagonal(state.x, object), sigma = static_mass(model, object, size, dt);
  s.size[static_cast<std::size_t>(&object - model.objects.data())] = size;
  for (Index i = range.begin; i < range.end; ++i) {
    s.mass[i] = sigma;
    s.damping[i] = 0;
    block(s.mean, i).setZero();
    block(s.rest, i).setZero();
  }
}

// Quasi-static: the largest sigma for all, so that what falls beside or above each other falls alike. Else the one
// would run into the other, and slide along it, before anything bears them.
void make_common(const Model& model, Inertia& s) {
  double most = 0;
  for (const Object& object : model.objects) {
    if (moves(object)) most = std::max(most, s.mass[object.vertices.begin]);
  }
  std::fill(s.mass.begin(), s.mass.end(), most);
}

// The row of S = A - M - dt alpha M times y. S knows no common velocity, but where there are neighbours without
// unknowns: their part of the row is what is missing in its sum.
Vec3 strain_of_point(const Model& model, const BlockMatrix& A, const VecX& y, Index row, double mass) {
  const auto at = [&](Index column) { return block(y, model.plan.vertex_of_block[column]); };
  Vec3 sum = Vec3::Zero();
  Mat3 all = Mat3::Zero();
  for (Index slot = A.row_begin[row]; slot < A.row_begin[row + 1]; ++slot) {
    const Index column = A.column[slot];
    all += A.at(slot);
    if (column != row) sum += A.at(slot) * (at(column) - at(row));
  }
  all.diagonal().array() -= mass;
  const bool prescribed_neighbours =
      std::any_of(model.plan.slot.begin() + model.plan.row_begin[row],
                  model.plan.slot.begin() + model.plan.row_begin[row + 1], [](Index slot) { return slot < 0; });
  return prescribed_neighbours ? Vec3(sum + all * at(row)) : sum;
}

Index object_of(const Model& model, Index vertex) {
  return model.surface.vertex_object[vertex];
}

// c of what steps by generalized alpha.
void begin_strains(const Model& model, const State& state, double dt, Inertia& s) {
  if (s.is_static() || model.strains.numbers == 0) return;
  begin(model.elastic, model.strains, state.x, s.strains);
  const AlphaNumbers alpha(s.options.spectral_radius);
  const double kappa = alpha.rate(), of_acceleration = dt * (1 - alpha.gamma - kappa * (0.5 - alpha.beta));
  each_damped(model.elastic, model.strains, [&](Index vertex, Index first, Index count) {
    if (s.second[object_of(model, vertex)] == 0) return;
    s.strains.rest.segment(first, count) = (1 - kappa) * state.history.strain_rate.segment(first, count) +
                                           of_acceleration * state.history.strain_acceleration.segment(first, count);
  });
}

bool is_remembered(const History& history, Index object) {
  return !history.holds.empty() && history.holds[object] != 0;
}

struct Rate {
  double rate, acceleration;
};
// At the end, from those at the start and the mean rate of the step.
Rate end_of_rate(const Rate& start, double mean, double dt, const TimeOptions& options, bool second) {
  const double change = (mean - start.rate) / dt;
  if (!second) return {mean, change};
  const AlphaNumbers alpha(options.spectral_radius);
  const double acceleration = (change - (0.5 - alpha.beta) * start.acceleration) / alpha.beta;
  return {start.rate + dt * ((1 - alpha.gamma) * start.acceleration + alpha.gamma * acceleration), acceleration};
}

// s' and s'' of what has been solved for. Where nothing is remembered it began with the rates of its velocities.
void finish_strains(const Model& model, const Inertia& s, const Finish& step, State& end) {
  if (model.strains.numbers == 0) return;
  const History& before = step.start.history;
  History& after = end.history;
  const auto is_finished = [&](Index object) {
    return step.division.share[object] == Share::solved && moves(model.objects[object]);
  };
  bool all_remembered = after.strain_rate.size() > 0;
  for (Index i = 0; i < static_cast<Index>(model.objects.size()); ++i)
    all_remembered = all_remembered && (!is_finished(i) || is_remembered(before, i));
  if (after.strain_rate.size() == 0) {
    after.strain_rate.setZero(model.strains.numbers);
    after.strain_acceleration.setZero(model.strains.numbers);
  }
  VecX rate = after.strain_rate, acceleration = after.strain_acceleration;
  if (!all_remembered) {
    const VecX of_velocities = strain_rates(model.elastic, model.strains, step.start.x, step.start.v);
    each_damped(model.elastic, model.strains, [&](Index vertex, Index first, Index count) {
      if (is_remembered(before, object_of(model, vertex))) return;
      rate.segment(first, count) = of_velocities.segment(first, count);
      acceleration.segment(first, count).setZero();
    });
  }
  const StrainChanges changes =
      strain_changes(model.elastic, {model.strains, s.strains}, end.x, {rate, acceleration});
  each_damped(model.elastic, model.strains, [&](Index vertex, Index first, Index count) {
    const Index object = object_of(model, vertex);
    if (!is_finished(object)) return;
    for (Index k = first; k < first + count; ++k) {
      Rate one{changes.by[k] / step.dt, 0};
      if (changes.known[k] != 0) {
        one = end_of_rate({changes.rate[k], changes.acceleration[k]}, one.rate, step.dt, s.options,
                          s.second[object] != 0);
      }
      after.strain_rate[k] = one.rate;
      after.strain_acceleration[k] = one.acceleration;
    }
  });
}

struct EndOfStep {
  Vec3 velocity, acceleration, force;  // F / m
};

EndOfStep end_of_step(const Model& model, const Inertia& s, const Finish& step, const State& after, Index i,
                      bool second) {
  const Index body = model.surface.vertex_body[i];
  const Vec3 w = body < 0 ? Vec3(block(step.w, i)) : velocity_of(model.rigid[body], after.rigid[body], i);
  const Vec3 v0 = last_velocity(model, step.start, i), mean_acceleration = (w - v0) / step.dt;
  EndOfStep end{s.damping[i] * w + block(s.rest, i), mean_acceleration, mean_acceleration};
  if (!second) return end;
  const AlphaNumbers alpha(s.options.spectral_radius);
  const Vec3 a0 = block(step.start.history.acceleration, i), f0 = block(step.start.history.force, i);
  end.acceleration = (mean_acceleration - (0.5 - alpha.beta) * a0) / alpha.beta;
  end.force = ((1 - alpha.mass) * end.acceleration + alpha.mass * a0 - alpha.force * f0) / (1 - alpha.force);
  if (model.guide_of_vertex[i] >= 0) {
    const Mat3 H = held_part(model, step.guides, i);
    for (Vec3* of : {&end.acceleration, &end.force}) *of += H * (mean_acceleration - *of);
    end.velocity += H * (w - end.velocity);
  }
  return end;
}

}  // namespace

void begin(const Model& model, const State& state, const TimeOptions& options, double dt, Inertia& s) {
  s.options = options;
  if (!s.newton()) return;
  const auto vertices = static_cast<std::size_t>(state.x.size() / 3);
  s.second.assign(model.objects.size(), 0);
  s.hit.assign(model.objects.size(), 0);
  s.mass.assign(vertices, 1);
  s.damping.assign(vertices, 1);
  s.mean = state.v;
  s.rest.setZero(state.v.size());
  s.point.setZero(state.v.size());
  s.rigid_point.setZero(6 * static_cast<Eigen::Index>(model.rigid.size()));
  s.shrinking = 1;
  s.size.assign(model.objects.size(), 0);
  for (std::size_t i = 0; i < model.objects.size(); ++i) {
    const Object& object = model.objects[i];
    if (!moves(object)) continue;
    if (s.is_static()) {
      set_static(model, state, object, dt, s);
    } else if (options.scheme == TimeScheme::generalized_alpha && !state.history.holds.empty() &&
               state.history.holds[i] != 0) {
      s.second[i] = 1;
      set_second_order(model, state, object, dt, s);
    } else {
      set_first_order(model, state, object, s);
    }
  }
  if (s.is_static()) make_common(model, s);
  begin_strains(model, state, dt, s);
}

void weigh(const Model& model, Index object, double drive, double dt, Inertia& s) {
  const double size = s.size[object];
  if (!(size > 0)) return;
  const Range range = entries(model.objects[object]);
  for (Index i = range.begin; i < range.end; ++i) s.mass[i] = std::max(s.mass[i], mass_of_weight(drive, size, dt));
  make_common(model, s);
}

void lower_orders(const Model& model, const State& state, std::span<const Index> objects, Inertia& s) {
  for (const Index object : objects) {
    s.second[object] = 0;
    set_first_order(model, state, model.objects[object], s);
  }
  each_damped(model.elastic, model.strains, [&](Index vertex, Index first, Index count) {
    if (s.second[object_of(model, vertex)] == 0) s.strains.rest.segment(first, count).setZero();
  });
}

void place_point(const Model& model, const State& state, const VecX& prescribed, double dt, Inertia& s) {
  s.place = state.x + dt * s.point;
  s.prescribed.setZero(prescribed.size());
  for (const PrescribedVertices& some : model.prescribed) {
    for (const Index i : some.vertices) {
      if (model.guide_of_vertex[i] < 0) block(s.prescribed, i) = block(prescribed, i) - block(s.point, i);
    }
  }
}

void add_inertia(const Model& model, double dt, const Inertia& s, BlockMatrix& A, VecX& b) {
  const ElasticBodies& bodies = model.elastic;
  for (Index row = 0; row < static_cast<Index>(model.plan.vertex_of_block.size()); ++row) {
    const Index vertex = model.plan.vertex_of_block[row];
    const double m = bodies.mass[vertex], medium = dt * bodies.damping_mass[vertex];
    const double sigma = s.shrinking * s.mass[vertex];
    const Vec3 mean = s.is_static() ? block(s.point, vertex) : block(s.mean, vertex);
    block(b, row) += strain_of_point(model, A, s.point, row, m + medium);
    block(b, row) += m * (sigma * mean - block(s.mean, vertex)) - medium * block(s.rest, vertex);
    A.at(model.plan.diagonal[row]).diagonal().array() += (sigma - 1) * m + (s.damping[vertex] - 1) * medium;
  }
}

std::vector<RigidState> turning_by_means(const Model& model, const State& state, const Inertia& s) {
  std::vector<RigidState> result = state.rigid;
  for (std::size_t i = 0; i < result.size(); ++i) {
    const RigidBody& body = model.rigid[i];
    if (s.mass[body.vertices.begin] != 1 && !s.is_static())
      result[i].spin = momentum_of_turning(body) * block(s.mean, body.vertices.begin + 1);
  }
  return result;
}

void add_rigid_inertia(const Model& model, const State& state, double dt, const Inertia& s,
                       std::span<const RigidStep> steps, BlockMatrix& A, VecX& b, VecX& v) {
  const RigidBlocks blocks = model.rigid_blocks(dt);
  for (Index i = 0; i < static_cast<Index>(model.rigid.size()); ++i) {
    const RigidBody& body = model.rigid[i];
    const Index entry = body.vertices.begin, linear = blocks.linear(i), angular = blocks.angular(i);
    const double sigma = s.shrinking * s.mass[entry], medium = dt * body.damping;
    const Index slot = A.find(linear, linear), slot_of_turn = A.find(angular, angular);
    if (s.is_static()) {
      const Vec3 at = block(s.rigid_point, 2 * i), turn = block(s.rigid_point, 2 * i + 1);
      const Vec3 inertia = A.at(slot_of_turn).diagonal() / (1 + medium);
      A.at(slot) = sigma * body.mass * Mat3::Identity();
      A.at(slot_of_turn) = Mat3((sigma * inertia).asDiagonal());
      block(b, linear) = body.mass * (sigma * at + dt * model.gravity);
      block(b, angular) = sigma * inertia.cwiseProduct(turn);
    } else if (s.mass[entry] != 1) {
      A.at(slot) = (sigma + s.damping[entry] * medium) * body.mass * Mat3::Identity();
      block(b, linear) +=
          body.mass * (sigma * block(s.mean, entry) - state.rigid[i].velocity - medium * block(s.rest, entry));
      const double turning = momentum_of_turning(body);
      const Vec3 mean = turning * block(s.mean, entry + 1) - steps[i].carried,
                 rest = turning * block(s.rest, entry + 1);
      A.at(slot_of_turn) *= (sigma + s.damping[entry] * medium) / (1 + medium);
      block(b, angular) += steps[i].axes.transpose() * ((sigma - 1) * mean - medium * rest) / body.radius;
    }
    for (const Index row : {linear, angular})
      block(v, row) = block(b, row).cwiseQuotient(Vec3(A.at(A.find(row, row)).diagonal()));
  }
}

void finish(const Model& model, const Inertia& s, const Finish& step, State& end) {
  const bool remembers = s.options.scheme == TimeScheme::generalized_alpha;
  if (!remembers) end.history = {};
  if (!s.newton()) return;
  if (remembers && end.history.holds.empty()) {
    end.history.acceleration.setZero(step.w.size());
    end.history.force.setZero(step.w.size());
    end.history.holds.assign(model.objects.size(), 0);
  }
  for (std::size_t object = 0; object < model.objects.size(); ++object) {
    if (step.division.share[object] != Share::solved || !moves(model.objects[object])) continue;
    if (remembers) end.history.holds[object] = s.hit[object] == 0 ? 1 : 0;
    const Range range = entries(model.objects[object]);
    for (Index i = range.begin; i < range.end; ++i) {
      const Index body = model.surface.vertex_body[i];
      if (body < 0 && model.plan.block_of_vertex[i] < 0) continue;  // prescribed
      const EndOfStep one = end_of_step(model, s, step, end, i, s.second[object] != 0);
      if (remembers) {
        block(end.history.acceleration, i) = one.acceleration;
        block(end.history.force, i) = one.force;
      }
      if (body < 0) {
        block(end.v, i) = one.velocity;
      } else if (i == model.rigid[body].vertices.begin) {
        end.rigid[body].velocity = one.velocity;
      } else if (s.second[object] != 0 || s.is_static()) {
        end.rigid[body].spin = momentum_of_turning(model.rigid[body]) * one.velocity;
      }
    }
  }
  if (!remembers) return;
  follow(model.embedding, end.history.acceleration);
  finish_strains(model, s, step, end);
}

}  // namespace sim
