#include "asynchronous/kicks.hpp"

#include "elasticity/damped_forces.hpp"
#include "elasticity/element_at.hpp"
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

template <class Thin, class Places>
void free_forces(const Thin& element, const Places& x, double* forces) {
  element_forces(element, x, forces);
}
void free_forces(const Spring& spring, const Corners<2>& x, double* forces) {
  const Vec3 pull = spring_pull(spring, x[1] - x[0]);
  Eigen::Map<Vec3>{forces} = pull;
  Eigen::Map<Vec3>{forces + 3} = -pull;
}

// h times the forces of an element on its corners, into the buffers.
template <class Kind>
void element_impulse(const InFlight& b, double h, Kind kind, Index i, KickBuffers& buffers) {
  const ElasticBodies& bodies = b.model.elastic;
  constexpr auto corners = static_cast<std::size_t>(corners_of(Kind::value));
  const auto first = static_cast<std::size_t>(bodies.numbering.corner_of(kind.value, i));
  double* impulse = &buffers.impulse[3 * first];
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
    if (beta > 0) {
      buffers.damped[first] += h * damped_forces(element, x, corners_at(element, v), beta, impulse);
    } else {
      free_forces(element, x, impulse);
    }
  }
  for (std::size_t k = 0; k < 3 * corners; ++k) impulse[k] *= h;
}

// Of a chunk of the elements of one kind that tick; compiled once, see visit_chunk() of elasticity/element_at.hpp.
template <class Kind>
[[gnu::noinline]] void element_impulses(const InFlight& b, const Moment& moment, Kind kind, Index begin, Index end,
                                        KickBuffers& buffers) {
  const std::vector<Index>& items = b.plan.elements[static_cast<std::size_t>(kind.value)].items;
  for (Index item = begin; item < end; ++item) {
    const auto first = static_cast<std::size_t>(b.model.elastic.numbering.corner_of(kind.value, items[item]));
    element_impulse(b, moment.part * length_of(b.plan.corner_level[first], b.flights.dt), kind, items[item], buffers);
  }
}

Vec3 gathered(const InFlight& b, const Moment& moment, const KickBuffers& buffers, Index item) {
  const Gather& gather = b.plan.gather;
  Vec3 sum = Vec3::Zero();
  for (Index k = gather.begin[item]; k < gather.begin[item + 1]; ++k) {
    const Gather::Corner c = gather.corners[k];
    if (c.level < moment.level) break;
    sum += Eigen::Map<const Vec3>(&buffers.impulse[3 * static_cast<std::size_t>(c.corner)]);
  }
  return sum;
}

// What goes as it is kicked.
bool is_free(const InFlight& b, Index vertex) {
  return b.plan.inverse_mass[vertex] > 0 && b.model.guide_of_vertex[vertex] < 0;
}

Vec3 kick_free(const InFlight& b, Index vertex, Tick now, const Vec3& impulse) {
  b.flights.fly_to(vertex, now);
  const Vec3 before = block(b.flights.v, vertex), after = before + b.plan.inverse_mass[vertex] * impulse;
  block(b.flights.v, vertex) = after;
  return 0.5 * (before + after);
}

Vec3 load_on(const InFlight& b, Index vertex) {
  return b.loads.any() ? Vec3(block(b.loads.force, vertex)) : Vec3(Vec3::Zero());
}

// Half of what the medium takes in a kick's time. Prescribed vertices move on: their holders give what it takes.
void damp(const InFlight& b, Index vertex, const Moment& moment) {
  const double kept = moment.part < 1 ? std::sqrt(b.plan.kept[vertex]) : b.plan.kept[vertex];
  if (!(kept < 1)) return;
  const Vec3 before = block(b.flights.v, vertex);
  const Vec3 lost = b.model.elastic.mass[vertex] * (1 - kept) * before, x = b.flights.at(vertex, moment.now);
  block(b.ledger.external, vertex) -= lost;
  block(b.ledger.angular_external, vertex) -= x.cross(lost);
  const Vec3 mean = kick(b, vertex, moment.now, -lost);
  b.ledger.damped[vertex] += lost.dot(mean);
}

// What is steady on it is in `impulse` already.
void note_steady(const InFlight& b, Index vertex, const Vec3& x, double h, const Vec3& mean) {
  block(b.ledger.steady, vertex) += h * x;
  if (b.loads.any()) b.ledger.load_work[vertex] += h * load_on(b, vertex).dot(mean);
}

[[gnu::noinline]] void kick_vertices(const InFlight& b, const Moment& moment, const KickBuffers& buffers, Index begin,
                                     Index end) {
  for (Index item = begin; item < end; ++item) {
    const Index i = b.plan.vertices.items[item];
    Vec3 impulse = gathered(b, moment, buffers, item);
    if (b.plan.steady_level[i] < moment.level) {
      kick(b, i, moment.now, impulse);
      continue;
    }
    const double h = moment.part * length_of(b.plan.steady_level[i], b.flights.dt);
    impulse += h * steady_force(b, i);
    if (b.plan.any_drag) damp(b, i, moment);
    const Vec3 mean = is_free(b, i) ? kick_free(b, i, moment.now, impulse) : kick(b, i, moment.now, impulse);
    note_steady(b, i, block(buffers.now, i), h, mean);
    if (b.plan.any_drag) damp(b, i, moment);
  }
}

[[gnu::noinline]] void look_where(const InFlight& b, Tick now, VecX& x, Index begin, Index end) {
  for (Index item = begin; item < end; ++item) {
    const Index i = b.plan.vertices.items[item];
    block(x, i) = b.flights.at(i, now);
  }
}

std::array<std::int64_t*, element_kinds> counters(StepEvents& events) {
  return {&events.kicks_tet, &events.kicks_spring, &events.kicks_membrane, &events.kicks_hinge, &events.kicks_bend};
}

void count(const InFlight& b, int level, StepEvents& events) {
  const std::array<std::int64_t*, element_kinds> of_kind = counters(events);
  for (std::size_t k = 0; k < element_kinds; ++k) *of_kind[k] += b.plan.elements[k].count[level];
}

void make_room(const InFlight& b, KickBuffers& buffers) {
  buffers.now.resize(b.flights.x.size());
  buffers.impulse.resize(3 * b.plan.corner_level.size());
  if (b.plan.any_damping && buffers.damped.empty()) buffers.damped.assign(b.plan.corner_level.size(), 0.0);
}

}  // namespace

void VertexLedger::begin(Index vertices) {
  for (VecX* vectors : {&steady, &external, &angular_external, &held, &angular_held})
    vectors->setZero(3 * Eigen::Index{vertices});
  for (VecX* numbers : {&held_work, &load_work, &damped}) numbers->setZero(vertices);
}

Vec3 steady_force(const InFlight& b, Index vertex) {
  const Vec3 weight = b.model.elastic.mass[vertex] * b.model.gravity;
  return b.loads.any() ? Vec3(weight + block(b.loads.force, vertex)) : weight;
}

Vec3 kick(const InFlight& b, Index vertex, Tick now, const Vec3& impulse) {
  const double inverse_mass = b.plan.inverse_mass[vertex];
  const Vec3 before = block(b.flights.v, vertex);
  const bool is_prescribed = inverse_mass == 0, is_guided = b.model.guide_of_vertex[vertex] >= 0;
  if (is_free(b, vertex)) return kick_free(b, vertex, now, impulse);
  const Vec3 held = is_prescribed ? impulse : Vec3(held_part(b.model, b.guides, vertex) * impulse);
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
  make_room(b, buffers);
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

void kick_element(const InFlight& b, std::size_t wanted, Index element, Tick now, KickBuffers& buffers,
                  StepEvents& events) {
  make_room(b, buffers);
  const ElementNumbering& numbering = b.model.elastic.numbering;
  for_each_kind([&](auto kind) {
    if (static_cast<std::size_t>(kind.value) != wanted) return;
    const Index first = numbering.corner_of(kind.value, element), end = first + corners_of(kind.value);
    for (Index c = first; c < end; ++c)
      block(buffers.now, numbering.vertex[c]) = b.flights.at(numbering.vertex[c], now);
    element_impulse(b, static_cast<double>(b.plan.element_period[wanted][element]) * b.flights.tick, kind, element,
                    buffers);
    for (Index c = first; c < end; ++c) {
      const Index vertex = numbering.vertex[c];
      if (b.model.elastic.mass[vertex] > 0)
        kick(b, vertex, now, Eigen::Map<const Vec3>(&buffers.impulse[3 * static_cast<std::size_t>(c)]));
    }
  });
  ++*counters(events)[wanted];
}

void kick_steady(const InFlight& b, Index vertex, Tick now, StepEvents& events) {
  const Moment whole{now, 0, 1};
  const double h = steady_step(b.plan, vertex, b.flights.dt);
  const Vec3 x = b.flights.at(vertex, now);
  if (b.plan.any_drag) damp(b, vertex, whole);
  const Vec3 mean = kick(b, vertex, now, h * steady_force(b, vertex));
  note_steady(b, vertex, x, h, mean);
  if (b.plan.any_drag) damp(b, vertex, whole);
  ++events.kicks_steady;
}

void hold_as_prescribed(const InFlight& b, const VecX& prescribed) {
  VecX before = b.flights.v;
  go_as_prescribed(b.model, b.guides, prescribed, b.flights.v);
  for (const PrescribedVertices& some : b.model.prescribed) {
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
