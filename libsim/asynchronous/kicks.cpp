#include "asynchronous/kicks.hpp"

#include "elasticity/element_at.hpp"
#include "elasticity/strain_rate_forces.hpp"
#include "math/parallel.hpp"

namespace sim {

namespace {

constexpr Index vertices_a_chunk = 2048;  // a tick is short: less is not worth the wait for another thread
constexpr Index elements_of_chunk = 1024;

struct Moment {
  Tick now;
  int level;    // it and all finer ones tick
  double part;  // of a kick
};

// Of a chunk of the elements of one kind that tick; compiled once, see visit_chunk() of elasticity/element_at.hpp.
template <class Kind>
[[gnu::noinline]] void element_impulses(const InFlight& b, const Moment& moment, Kind kind, Index begin, Index end,
                                        KickBuffers& buffers) {
  const ElasticBodies& bodies = b.model.elastic;
  const std::vector<Index>& items = b.plan.elements[static_cast<std::size_t>(kind.value)].items;
  constexpr auto corners = static_cast<std::size_t>(corners_of(Kind::value));
  for (Index item = begin; item < end; ++item) {
    const Index i = items[item];
    const auto first = static_cast<std::size_t>(bodies.numbering.corner_of(kind.value, i));
    double* impulse = &buffers.impulse[3 * first];
    const double h = moment.part * length_of(b.plan.corner_level[first], b.flights.dt);
    const double beta = bodies.stiffness_damping[material_of<kind.value>(bodies, i)];
    const VecX& v = b.flights.v;
    if constexpr (kind.value == ElementKind::tet) {
      const Element element = element_at(bodies, buffers.now, i);
      element_forces(element, impulse + 3);
      if (beta > 0) {
        const Mat3 rate = gradient_at(bodies, v, i);
        add_strain_rate_forces(element, rate, beta, impulse + 3);
        buffers.damped[first] += h * beta * strain_rate_product(element, rate);
      }
      const Eigen::Map<const Mat3> F(impulse + 3);
      Eigen::Map<Vec3>{impulse} = -(F.col(0) + F.col(1) + F.col(2));
    } else {
      const auto& element = elements_of<kind.value>(bodies)[i];
      const auto x = corners_at(element, buffers.now);
      element_forces(element, x, impulse);
      if (beta > 0) {
        const auto rate = corners_at(element, v);
        add_strain_rate_forces(element, x, rate, beta, impulse);
        buffers.damped[first] += h * beta * strain_rate_product(element, x, rate);
      }
    }
    for (std::size_t k = 0; k < 3 * corners; ++k) impulse[k] *= h;
  }
}

Vec3 gathered(const InFlight& b, const Moment& moment, const KickBuffers& buffers, Index vertex) {
  Vec3 sum = Vec3::Zero();
  for (const Index corner : b.model.elastic.numbering.corners_at(vertex)) {
    if (b.plan.corner_level[corner] < moment.level) continue;
    sum += Eigen::Map<const Vec3>(&buffers.impulse[3 * static_cast<std::size_t>(corner)]);
  }
  return sum;
}

Vec3 load_on(const InFlight& b, Index vertex) {
  return b.loads.any() ? Vec3(block(b.loads.force, vertex)) : Vec3(Vec3::Zero());
}

// Half of what the medium takes in the time h. Told vertices move on: their holders give what it takes.
void damp(const InFlight& b, Index vertex, Tick now, double h) {
  const double mass = b.model.elastic.mass[vertex], alpha = b.model.elastic.damping_mass[vertex] / mass;
  if (!(alpha > 0)) return;
  const Vec3 before = block(b.flights.v, vertex);
  const double factor = std::exp(-0.5 * alpha * h);
  const Vec3 lost = mass * (1 - factor) * before, x = b.flights.at(vertex, now);
  block(b.ledger.external, vertex) -= lost;
  block(b.ledger.angular_external, vertex) -= x.cross(lost);
  const Vec3 mean = kick(b, vertex, now, -lost);
  b.ledger.damped[vertex] += lost.dot(mean);
}

// What is steady on it is in `impulse` already.
void note_steady(const InFlight& b, Index vertex, Tick now, double h, const Vec3& mean) {
  const Vec3 load = h * load_on(b, vertex);
  const Vec3 given = h * b.model.elastic.mass[vertex] * b.model.gravity + load;
  b.ledger.load_work[vertex] += load.dot(mean);
  block(b.ledger.external, vertex) += given;
  block(b.ledger.angular_external, vertex) += b.flights.at(vertex, now).cross(given);
}

[[gnu::noinline]] void kick_vertices(const InFlight& b, const Moment& moment, const KickBuffers& buffers, Index begin,
                                     Index end) {
  for (Index item = begin; item < end; ++item) {
    const Index i = b.plan.vertices.items[item];
    Vec3 impulse = gathered(b, moment, buffers, i);
    if (b.plan.steady_level[i] < moment.level) {
      kick(b, i, moment.now, impulse);
      continue;
    }
    const double h = moment.part * length_of(b.plan.steady_level[i], b.flights.dt);
    impulse += h * (b.model.elastic.mass[i] * b.model.gravity + load_on(b, i));
    damp(b, i, moment.now, h);
    note_steady(b, i, moment.now, h, kick(b, i, moment.now, impulse));
    damp(b, i, moment.now, h);
  }
}

[[gnu::noinline]] void look_where(const InFlight& b, Tick now, VecX& x, Index begin, Index end) {
  for (Index item = begin; item < end; ++item) {
    const Index i = b.plan.vertices.items[item];
    block(x, i) = b.flights.at(i, now);
  }
}

void count(const InFlight& b, int level, StepEvents& events) {
  std::array<std::int64_t*, element_kinds> of_kind{&events.kicks_tet, &events.kicks_spring, &events.kicks_membrane,
                                                   &events.kicks_hinge, &events.kicks_bend};
  for (std::size_t k = 0; k < element_kinds; ++k) *of_kind[k] += b.plan.elements[k].count[level];
}

}  // namespace

void VertexLedger::begin(Index vertices) {
  for (VecX* vectors : {&external, &angular_external, &held, &angular_held})
    vectors->setZero(3 * Eigen::Index{vertices});
  for (VecX* numbers : {&held_work, &load_work, &damped}) numbers->setZero(vertices);
}

Vec3 kick(const InFlight& b, Index vertex, Tick now, const Vec3& impulse) {
  const double inverse_mass = b.plan.inverse_mass[vertex];
  const Vec3 before = block(b.flights.v, vertex);
  const bool is_told = inverse_mass == 0, is_guided = b.model.guide_of_vertex[vertex] >= 0;
  if (!is_told && !is_guided) {
    b.flights.fly_to(vertex, now);
    const Vec3 after = before + inverse_mass * impulse;
    block(b.flights.v, vertex) = after;
    return 0.5 * (before + after);
  }
  const Vec3 held = is_told ? impulse : Vec3(held_part(b.model, b.guides, vertex) * impulse);
  Vec3 mean = before;
  if (is_guided) {
    b.flights.fly_to(vertex, now);
    mean += 0.5 * inverse_mass * (impulse - held);
    block(b.flights.v, vertex) += inverse_mass * (impulse - held);
  }
  block(b.ledger.held, vertex) -= held;
  block(b.ledger.angular_held, vertex) -= b.flights.at(vertex, now).cross(held);
  b.ledger.held_work[vertex] -= held.dot(mean);
  return mean;
}

void kick_bodies(const InFlight& b, Tick now, KickBuffers& buffers, StepEvents& events) {
  const Moment moment{now, coarsest_at(now), part_of_kick(now)};
  if (moment.level > b.plan.finest) return;
  const Index vertices = b.plan.vertices.count[moment.level];
  buffers.now.resize(b.flights.x.size());
  buffers.impulse.resize(3 * b.plan.corner_level.size());
  if (b.plan.any_damping && buffers.damped.empty()) buffers.damped.assign(b.plan.corner_level.size(), 0.0);
  parallel_for(vertices, vertices_a_chunk,
               [&](Index begin, Index end) { look_where(b, now, buffers.now, begin, end); });
  for_each_kind([&](auto kind) {
    parallel_for(b.plan.elements[static_cast<std::size_t>(kind.value)].count[moment.level], elements_of_chunk,
                 [&](Index begin, Index end) { element_impulses(b, moment, kind, begin, end, buffers); });
  });
  parallel_for(vertices, vertices_a_chunk,
               [&](Index begin, Index end) { kick_vertices(b, moment, buffers, begin, end); });
  count(b, moment.level, events);
  events.kicks_steady += vertices;
}

void hold_as_told(const InFlight& b, const VecX& told) {
  VecX before = b.flights.v;
  go_as_told(b.model, b.guides, told, b.flights.v);
  for (const ToldVertices& some : b.model.told) {
    for (const Index i : some.vertices) {
      const double mass = b.model.elastic.mass[i];
      const Vec3 v0 = block(before, i), v1 = block(b.flights.v, i);
      if (mass == 0 || v0 == v1) continue;
      block(before, i) = v1;  // entries may share vertices
      const Vec3 jump = mass * (v1 - v0);
      block(b.ledger.held, i) += jump;
      block(b.ledger.angular_held, i) += block(b.flights.x, i).cross(jump);
      b.ledger.held_work[i] += 0.5 * jump.dot(v0 + v1);
    }
  }
}

}  // namespace sim
