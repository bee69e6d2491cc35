#include "step/turning.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "elasticity/element_at.hpp"
#include "elasticity/straight_ways.hpp"
#include "math/cross_matrix.hpp"
#include "math/parallel.hpp"
#include "step/whole_body.hpp"

namespace sim {

namespace {

constexpr double nothing = 1e-9;  // beside the largest: a motion that is held, or of a line about itself

struct Turned {
  const TurnInput& step;
  std::span<const Index> rows;
  Whole whole;

  Turned(const TurnInput& input, Index body)
      : step(input), rows(input.bodies.rows_of(body)), whole(whole_body(input.model, rows, input.x0, input.v)) {}
};

// Calls visit(way from the row's vertex to its neighbour, m; their block; whether the neighbour has a row too).
template <class Visit>
void for_each_neighbour(const TurnInput& step, Index row, const Visit& visit) {
  const AssemblyPlan& plan = step.model.plan;
  const Index vertex = plan.vertex_of_block[row];
  const Vec3 from = block(step.x0, vertex);
  const auto is_guided = [&](Index one) { return step.model.guide_of_vertex[one] >= 0; };
  for (Index k = plan.row_begin[row]; k < plan.row_begin[row + 1]; ++k) {
    const Index neighbour = plan.neighbour[k], slot = plan.slot[k];
    const bool is_in_A = slot >= 0 && !is_guided(vertex) && !is_guided(neighbour);
    const Mat3 K = is_in_A ? Mat3(step.A.at(slot)) : block_of_neighbour(plan, step.elements, k);
    visit(Vec3(block(step.x0, neighbour) - from), K, slot >= 0);
  }
}

// (dt^2 K + dt beta D) u of velocities u = way r.
void add_strain(const Turned& body, const Mat3& way, VecX& b) {
  for (const Index row : body.rows) {
    Vec3 sum = Vec3::Zero();
    for_each_neighbour(body.step, row, [&](const Vec3& r, const Mat3& K, bool) { sum += K * (way * r); });
    block(b, row) += sum;
  }
}

// J: u . (dt^2 K + dt beta D) u / 2. Two rows meet each other twice.
double strain_energy(const Turned& body, const Mat3& way) {
  double sum = 0;
  for (const Index row : body.rows) {
    for_each_neighbour(body.step, row, [&](const Vec3& r, const Mat3& K, bool has_row) {
      const Vec3 u = way * r;
      sum -= (has_row ? 0.25 : 0.5) * u.dot(K * u);
    });
  }
  return sum;
}

Mat3 way_of(Hold hold, const Mat3& Q, double dt) {
  const Mat3 chord = (Q - Mat3::Identity()) / dt;
  return hold == Hold::free ? chord : 0.5 * (chord + chord.transpose());
}

void turn_flight(const Turned& body, const Mat3& Q, VecX& v) {
  const Vec3 fall = body.step.dt * body.step.model.gravity;
  for (const Index row : body.rows) {
    const Vec3 motion = block(body.step.v, body.step.model.plan.vertex_of_block[row]) - body.whole.velocity;
    block(v, row) = body.whole.velocity + fall + Q * motion;
  }
}

// m: how far a vertex goes from the centre of the body in the step.
Vec3 way_from_centre(const Turned& body, Index vertex) {
  return body.step.dt * (block(body.step.v, vertex) - body.whole.velocity);
}

// What holds a body at a point.
struct Holder {
  Vec3 arm, way;  // m, from the centre of the body
  Mat3 held;
};

std::vector<Holder> holders_of(const Turned& body, const Turning& turning, Index i) {
  std::vector<Holder> found;
  const Model& model = body.step.model;
  for (const Index vertex : turning.holders[i]) {
    const bool is_guided = model.guide_of_vertex[vertex] >= 0;
    found.push_back({block(body.step.x0, vertex) - body.whole.center, way_from_centre(body, vertex),
                     is_guided ? held_part(model, body.step.guides, vertex) : Mat3::Identity()});
  }
  return found;
}

// Symmetric, without what is nothing beside the largest.
Mat3 inverse_of_part(const Mat3& H) {
  const Eigen::SelfAdjointEigenSolver<Mat3> parts(H);
  Mat3 inverse = Mat3::Zero();
  for (int k = 0; k < 3; ++k) {
    const Vec3 n = parts.eigenvectors().col(k);
    if (parts.eigenvalues()[k] > nothing * parts.eigenvalues()[2])
      inverse += n * n.transpose() / parts.eigenvalues()[k];
  }
  return inverse;
}

// What is missing of the angular momentum that contacts give, with the velocities of the step.
Vec3 missing_of_contacts(const Turned& body, std::span<const Holder> holders) {
  Vec3 missing = Vec3::Zero(), whole = Vec3::Zero();
  for (const Index row : body.rows) {
    const Vec3 p = block(body.step.impulse, row);
    if (p.isZero(0)) continue;
    missing += way_from_centre(body, body.step.model.plan.vertex_of_block[row]).cross(p);
    whole += p;
  }
  if (holders.empty() || whole.isZero(0)) return missing;
  Mat3 held = Mat3::Zero();
  for (const Holder& holder : holders) held += holder.held;
  const Vec3 share = inverse_of_part(held) * whole;
  for (const Holder& holder : holders) missing -= holder.way.cross(holder.held * share);
  return missing;
}

struct Motion {
  Vec3 velocity{0, 0, 0}, rate{0, 0, 0};
};

// Of a body that is held, what it may do as a whole.
Motion motion_of_held(const Whole& whole, std::span<const Holder> holders, const Vec3& spin) {
  const double size = std::sqrt(whole.second.trace() / whole.mass);
  if (!(size > 0)) return {};
  Eigen::Matrix<double, 6, 6> held = Eigen::Matrix<double, 6, 6>::Zero(), inertia = held;  // of (t, size d)
  for (const Holder& holder : holders) {
    Eigen::Matrix<double, 3, 6> moves;
    moves << Mat3::Identity(), -cross_matrix(holder.arm / size);
    held += moves.transpose() * holder.held * moves;
  }
  inertia.topLeftCorner<3, 3>() = whole.mass * Mat3::Identity();
  inertia.bottomRightCorner<3, 3>() = (whole.second.trace() * Mat3::Identity() - whole.second) / (size * size);
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix<double, 6, 6>> motions(held);
  Index count = 0;
  while (count < 6 && motions.eigenvalues()[count] < nothing * motions.eigenvalues()[5]) ++count;
  if (count == 0) return {};
  const auto N = motions.eigenvectors().leftCols(count);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> own(N.transpose() * inertia * N);
  Eigen::VectorXd found = Eigen::VectorXd::Zero(count);
  const Eigen::VectorXd driven = N.bottomRows(3).transpose() * (spin / size);
  for (Index k = 0; k < count; ++k) {
    const auto way = own.eigenvectors().col(k);
    if (own.eigenvalues()[k] > nothing * whole.mass) found += way * (way.dot(driven) / own.eigenvalues()[k]);
  }
  const Eigen::Matrix<double, 6, 1> motion = N * found;
  return {motion.head<3>(), motion.tail<3>() / size};
}

// d of it, and t.
Motion motion_of(const Turned& body, std::span<const Holder> holders, const Vec3& missing) {
  if (missing.isZero(0)) return {};
  const double turns = part_that_turns(body.whole);
  if (holders.empty()) return {Vec3::Zero(), turns * angular_velocity(body.whole, missing)};
  const Motion motion = motion_of_held(body.whole, holders, missing);
  return {turns * motion.velocity, turns * motion.rate};
}

// With d for what is missing, in b and in `v`.
void push_on(const Turned& body, std::span<const Holder> holders, const Vec3& missing, Turning::Push& push, VecX& b,
             VecX& v) {
  const Motion motion = motion_of(body, holders, missing);
  const Vec3 faster = motion.velocity - push.velocity, more = motion.rate - push.rate;
  if (more.isZero(0) && faster.isZero(0)) return;
  push.velocity = motion.velocity;
  push.rate = motion.rate;
  push.center = body.whole.center;
  push.missing = missing;
  for (const Index row : body.rows) {
    const Index vertex = body.step.model.plan.vertex_of_block[row];
    const Vec3 change = faster + more.cross(block(body.step.x0, vertex) - body.whole.center);
    block(b, row) += body.step.model.elastic.mass[vertex] * change;
    block(v, row) += change;
  }
}

// C of what a turn shortens (elasticity/straight_ways.hpp).
Mat3 shortening_of(const Mat3& Q) {
  return Mat3::Identity() - 0.5 * (Q + Q.transpose());
}

// What elements of one kind take part in. Those that vibrate about the turn of their body, and so turn by less than
// it for a time, take part in all of it.
template <ElementKind kind>
void look_back(const LookBack& step, Index body, const Mat3& turn_before, Turning::Thin& thin) {
  const Mat3 C = shortening_of(turn_before);
  for (const Index k : thin.of_body[body]) {
    const auto& element = elements_of<kind>(step.model.elastic)[k];
    const auto x1 = corners_at(element, step.x0);
    auto x0 = corners_at(element, step.v0);
    for (std::size_t c = 0; c < x0.size(); ++c) x0[c] = x1[c] - step.dt * x0[c];
    const double own = size_of(lengthening(element, x0, x1)), of_body = size_of(shortening(element, x0, C));
    thin.takes_part[k] = 4 * own >= of_body ? 1 : 4 * own / of_body;
  }
}

void put(double strain, double* numbers) {
  *numbers = strain;
}
void put(const Mat2& strain, double* numbers) {
  numbers[0] = strain(0, 0);
  numbers[1] = strain(1, 1);
  numbers[2] = strain(0, 1);
}

template <ElementKind kind>
void find_unseen(const TurnInput& step, Index body, const VecX& x1, const Mat3& Q, const Turning::Thin& thin,
                 VecX& unseen) {
  const ElasticBodies& bodies = step.model.elastic;
  const Mat3 C = shortening_of(Q);
  const Index springs = bodies.numbering.count_of(ElementKind::spring);
  for (const Index k : thin.of_body[body]) {
    const auto& element = elements_of<kind>(bodies)[k];
    const auto x0 = corners_at(element, step.x0);
    const auto own = lengthening(element, x0, corners_at(element, x1));
    put(own - thin.takes_part[k] * shortening(element, x0, C), &unseen[first_unseen<kind>(springs, k)]);
  }
}

// Takes out of b what elements of a kind do not take part in, of this way of their body.
template <ElementKind kind>
void keep(const TurnInput& step, Index body, const Turning::Thin& thin, const Mat3& way, VecX& b) {
  constexpr auto corners = static_cast<std::size_t>(corners_of(kind));
  for (const Index k : thin.of_body[body]) {
    const double out = 1 - thin.takes_part[k];
    if (!(out > 0)) continue;
    const auto& element = elements_of<kind>(step.model.elastic)[k];
    const auto u = straining(element, corners_at(element, step.x0), way);
    const double* blocks =
        &step.elements.blocks[9 * static_cast<std::size_t>(step.model.elastic.numbering.pair_of(kind, k))];
    const Corners<corners> pull = stiffness_times(blocks, u);
    for (std::size_t c = 0; c < corners; ++c) {
      if (const Index row = step.model.plan.block_of_vertex[element.vertices[c]]; row >= 0)
        block(b, row) -= out * pull[c];
    }
  }
}

void keep(const TurnInput& step, Index body, const Turning& turning, const Mat3& way, VecX& b) {
  keep<ElementKind::spring>(step, body, turning.springs, way, b);
  keep<ElementKind::membrane>(step, body, turning.membranes, way, b);
}

bool is_thin(const Turning& turning, Index body) {
  return !turning.springs.of_body[body].empty() || !turning.membranes.of_body[body].empty();
}

// A cable that is held is no rigid body beside its holders: it pulls at them along its own way.
bool is_pushed(const Turning& turning, Index body) {
  return turning.hold[body] == Hold::free || !is_thin(turning, body);
}

void turn_body(const TurnInput& step, Index i, Turning& turning, VecX& b, VecX& v) {
  turning.turn[i] = Mat3::Identity();
  turning.way[i].setZero();
  turning.push[i] = {};
  if (turning.hold[i] == Hold::rigid) return;
  const Turned body(step, i);
  const bool is_free = turning.hold[i] == Hold::free;
  const Mat3 Q = is_free ? turn_of(body.whole, step.dt) : turning.before[i];
  if (!differ(Q, turning.turn[i])) return;
  turning.turn[i] = Q;
  turning.way[i] = way_of(turning.hold[i], Q, step.dt);
  add_strain(body, turning.way[i], b);
  keep(step, i, turning, turning.way[i], b);
  if (is_free) turn_flight(body, Q, v);
  if (!is_pushed(turning, i)) return;
  const std::vector<Holder> holders = holders_of(body, turning, i);
  push_on(body, holders, missing_of_contacts(body, holders), turning.push[i], b, v);
}

// True where the strain of the step was that of another turn.
bool turn_strain(const Turned& body, Index i, const Mat3& Q, const MayMiss& miss, Turning& turning, VecX& b,
                 VecX& v) {
  const TurnInput& input = body.step;
  if (!differ(Q, turning.turn[i])) return false;
  const Mat3 chord = (Q - turning.turn[i]) / input.dt;
  if (!(momentum_of(input.model, body.rows, input.x0, body.whole, chord) > miss.momentum)) return false;
  const Mat3 way = way_of(turning.hold[i], Q, input.dt), change = way - turning.way[i];
  const Mat3 strain = turning.hold[i] == Hold::free ? without_spin(body.whole, change) : change;
  if (!(strain_energy(body, strain) > body.whole.mass * miss.specific_energy)) return false;
  turning.turn[i] = Q;
  turning.way[i] = way;
  add_strain(body, change, b);
  keep(input, i, turning, change, b);
  if (turning.hold[i] != Hold::free) return true;
  for (const Index row : body.rows)
    block(v, row) += strain * (block(input.x0, input.model.plan.vertex_of_block[row]) - body.whole.center);
  return true;
}

// True where contacts push otherwise at their ends than was foreseen.
bool push_as_solved(const Turned& body, Index i, const MayMiss& miss, Turning& turning, VecX& b, VecX& v) {
  if (!is_pushed(turning, i)) return false;
  const TurnInput& input = body.step;
  Turning::Push& push = turning.push[i];
  const std::vector<Holder> holders = holders_of(body, turning, i);
  const Vec3 off = missing_of_contacts(body, holders) - push.missing;
  if (!(off.norm() > miss.spin_of_contacts)) return false;
  const Mat3 more = cross_matrix(motion_of(body, holders, off).rate);
  if (!(momentum_of(input.model, body.rows, input.x0, body.whole, more) > miss.momentum)) return false;
  push_on(body, holders, push.missing + off, push, b, v);
  return true;
}

template <ElementKind kind>
void prepare(const Model& model, const Bodies& bodies, Turning::Thin& thin) {
  const auto& elements = elements_of<kind>(model.elastic);
  thin.takes_part.assign(elements.size(), 1.0);
  thin.of_body.assign(static_cast<std::size_t>(bodies.count()), {});
  for (std::size_t i = 0; i < elements.size(); ++i) {
    for (const Index vertex : elements[i].vertices) {
      const Index row = model.plan.block_of_vertex[vertex];
      if (row < 0) continue;
      thin.of_body[bodies.of_row[row]].push_back(static_cast<Index>(i));
      break;
    }
  }
}

}  // namespace

void prepare(const Model& model, const Bodies& bodies, Turning& turning) {
  const auto count = static_cast<std::size_t>(bodies.count());
  turning.hold.assign(count, Hold::rigid);
  turning.turn.assign(count, Mat3::Identity());
  turning.way.assign(count, Mat3::Zero());
  turning.push.assign(count, {});
  turning.holders.assign(count, {});
  turning.before.assign(count, Mat3::Identity());
  prepare<ElementKind::spring>(model, bodies, turning.springs);
  prepare<ElementKind::membrane>(model, bodies, turning.membranes);
}

void find_free(const Model& model, const Bodies& bodies, std::span<const Index> object_of_body, const Guides& guides,
               Turning& turning) {
  std::vector<std::vector<Index>> prescribed(model.objects.size());
  for (std::size_t k = 0; k < model.prescribed.size(); ++k) {
    if (guides.holds[k] == 0) continue;
    for (const Index vertex : model.prescribed[k].vertices)
      prescribed[model.surface.vertex_object[vertex]].push_back(vertex);
  }
  const auto elastic = static_cast<Index>(model.plan.vertex_of_block.size());
  for (Index body = 0; body < bodies.count(); ++body) {
    if (bodies.rows_of(body).front() >= elastic) continue;
    std::vector<Index>& holders = turning.holders[body] = prescribed[object_of_body[body]];
    turning.hold[body] = holders.empty() ? Hold::free : Hold::prescribed;
    std::ranges::sort(holders);
    holders.erase(std::ranges::unique(holders).begin(), holders.end());
  }
}

void look_back(const LookBack& input, Turning& turning) {
  parallel_for(input.bodies.count(), 1, [&](Index i, Index) {
    const bool thin = is_thin(turning, i);
    if (turning.hold[i] == Hold::rigid || !(thin || turning.hold[i] == Hold::prescribed)) return;
    turning.before[i] = turn_before(whole_body(input.model, input.bodies.rows_of(i), input.x0, input.v0), input.dt);
    if (!thin || !input.has_stepped) return;
    look_back<ElementKind::spring>(input, i, turning.before[i], turning.springs);
    look_back<ElementKind::membrane>(input, i, turning.before[i], turning.membranes);
  });
}

void find_unseen(const TurnInput& input, const VecX& x1, const Turning& turning, VecX& unseen) {
  unseen.setZero(unseen_numbers(input.model.elastic));
  parallel_for(input.bodies.count(), 1, [&](Index i, Index) {
    if (turning.hold[i] == Hold::rigid || !is_thin(turning, i)) return;
    find_unseen<ElementKind::spring>(input, i, x1, turning.turn[i], turning.springs, unseen);
    find_unseen<ElementKind::membrane>(input, i, x1, turning.turn[i], turning.membranes, unseen);
  });
}

void turn(const TurnInput& input, Turning& turning, VecX& b, VecX& v) {
  parallel_for(input.bodies.count(), 1, [&](Index begin, Index end) {
    for (Index body = begin; body < end; ++body) turn_body(input, body, turning, b, v);
  });
}

void turn_nothing(Turning& turning) {
  std::fill(turning.way.begin(), turning.way.end(), Mat3::Zero());
  std::fill(turning.push.begin(), turning.push.end(), Turning::Push{});
}

bool turn_as_solved(const TurnInput& input, Index i, const MayMiss& miss, Turning& turning, VecX& b, VecX& v) {
  if (turning.hold[i] == Hold::rigid) return false;
  const Turned body(input, i);
  const Mat3 Q = turn_of(body.whole, input.dt);
  const bool strained = turn_strain(body, i, Q, miss, turning, b, v);
  return push_as_solved(body, i, miss, turning, b, v) || strained;
}

}  // namespace sim
