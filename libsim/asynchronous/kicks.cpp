#include "asynchronous/kicks.hpp"

#include <numeric>

#include "elasticity/damped_forces.hpp"
#include "elasticity/element_at.hpp"
#include "math/parallel.hpp"

namespace sim {

namespace {

constexpr Index vertices_a_chunk = 2048;  // a tick is short: less is not worth the wait for another thread

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

template <class Kind>
using CornerImpulses = std::array<double, 3 * static_cast<std::size_t>(corners_of(Kind::value))>;

// h times the forces of an element on its corners; what of it is damping. Returns whether there is any.
template <class Kind, class Rates>
bool element_impulse(const InFlight& b, double h, Kind kind, Index i, const VecX& now, const Rates& rate_of_corner,
                     CornerImpulses<Kind>& impulse, CornerImpulses<Kind>& damping) {
  const ElasticBodies& bodies = b.model.elastic;
  const double beta = bodies.stiffness_damping[material_of<kind.value>(bodies, i)];
  Corners<static_cast<std::size_t>(corners_of(Kind::value))> rates;
  if (beta > 0) {
    const Index first = bodies.numbering.corner_of(kind.value, i);
    for (std::size_t k = 0; k < rates.size(); ++k) rates[k] = rate_of_corner(first + static_cast<Index>(k));
  }
  if constexpr (kind.value == ElementKind::tet) {
    const auto balance = [](CornerImpulses<Kind>& of) {
      const Eigen::Map<const Mat3> F(of.data() + 3);
      Eigen::Map<Vec3>{of.data()} = -(F.col(0) + F.col(1) + F.col(2));
    };
    const Element element = element_at(bodies, now, i);
    element_forces(element, impulse.data() + 3);
    if (beta > 0) {
      damping.fill(0);
      Mat3 shape;
      shape << rates[1] - rates[0], rates[2] - rates[0], rates[3] - rates[0];
      add_strain_rate_forces(element, shape * bodies.inverse_shape[i], beta, damping.data() + 3);
      for (std::size_t k = 3; k < damping.size(); ++k) impulse[k] += damping[k];
      balance(damping);
    }
    balance(impulse);
  } else {
    const auto& element = elements_of<kind.value>(bodies)[i];
    const auto x = corners_at(element, now);
    if (beta > 0) {
      free_forces(element, x, damping.data());
      damped_forces(element, x, rates, beta, impulse.data());
      for (std::size_t k = 0; k < damping.size(); ++k) damping[k] = impulse[k] - damping[k];
    } else {
      free_forces(element, x, impulse.data());
    }
  }
  for (double& number : impulse) number *= h;
  if (beta > 0)
    for (double& number : damping) number *= h;
  return beta > 0;
}

// Of the elements of a block that tick; compiled once, see visit_chunk() of elasticity/element_at.hpp.
template <class Kind>
[[gnu::noinline]] void add_elements(const InFlight& b, const Moment& moment, Kind kind, Index begin, Index end,
                                    KickBuffers& buffers) {
  const std::vector<Index>& items = b.plan.elements[static_cast<std::size_t>(kind.value)].items;
  CornerImpulses<Kind> impulse, damping;
  const auto add = [&](const CornerImpulses<Kind>& given, Index first, std::vector<Pack>& rows) {
    for (Index k = 0; k < corners_of(kind.value); ++k)
      rows[b.plan.rows.of_corner[first + k]] += row_of(given[3 * k], given[3 * k + 1], given[3 * k + 2]);
  };
  for (Index item = begin; item < end; ++item) {
    const Index first = b.model.elastic.numbering.corner_of(kind.value, items[item]);
    const double h = moment.part * length_of(b.plan.corner_level[first], b.flights.dt);
    const auto rate_of = [&](Index corner) -> Vec3 { return block(buffers.rates, b.plan.slots.of_corner[corner]); };
    const bool damps = element_impulse(b, h, kind, items[item], buffers.now, rate_of, impulse, damping);
    add(impulse, first, buffers.rows);
    if (damps) add(damping, first, buffers.damping_rows);
  }
}

// Of items `begin` to `end`, where a block begins.
template <class Elements>
void add_packs(const InFlight& b, const Moment& moment, const std::vector<Elements>& packs, Index begin, Index end,
               KickBuffers& buffers) {
  constexpr auto size = static_cast<Index>(lanes);
  std::array<double, finest_level + 1> h{};
  for (int level = moment.level; level <= b.plan.finest; ++level)
    h[level] = moment.part * length_of(level, b.flights.dt);
  add_impulses({packs.data() + begin / size, packs.data() + (end + size - 1) / size}, {buffers.now, buffers.rates, h},
               {buffers.rows, buffers.damping_rows});
}

template <class Kind>
void kick_block(const InFlight& b, const Moment& moment, Kind kind, Index begin, Index end, KickBuffers& buffers) {
  constexpr auto which = static_cast<std::size_t>(Kind::value);
  const Index n = begin / elements_a_block;
  for (std::vector<Pack>* rows : {&buffers.rows, &buffers.damping_rows})
    if (!rows->empty())
      std::fill(rows->begin() + b.plan.rows.first[which][n], rows->begin() + b.plan.rows.first[which][n + 1],
                Pack(0.0));
  if constexpr (kind.value == ElementKind::spring) {
    add_packs(b, moment, b.plan.springs, begin, end, buffers);
  } else if constexpr (kind.value == ElementKind::hinge) {
    add_packs(b, moment, b.plan.hinges, begin, end, buffers);
  } else {
    add_elements(b, moment, kind, begin, end, buffers);
  }
}

Vec3 gathered(const InFlight& b, const Moment& moment, const std::vector<Pack>& rows, Index item) {
  const Gather& gather = b.plan.gather;
  Pack sum = 0.0;
  for (Index k = gather.begin[item]; k < gather.begin[item + 1]; ++k) {
    const Index row = gather.rows[k];
    if (b.plan.rows.level[row] < moment.level) break;
    sum += rows[row];
  }
  return {sum[0], sum[1], sum[2]};
}

// What goes as it is kicked.
bool is_free(const InFlight& b, Index vertex) {
  return b.plan.inverse_mass[vertex] > 0 && b.model.guide_of_vertex[vertex] < 0;
}

[[gnu::always_inline]] inline Vec3 kick_free(const InFlight& b, Index vertex, Tick now, const Vec3& impulse) {
  b.flights.fly_to(vertex, now);
  const Vec3 before = block(b.flights.v, vertex), after = before + b.plan.inverse_mass[vertex] * impulse;
  block(b.flights.v, vertex) = after;
  return 0.5 * (before + after);
}

// What its holder takes goes to the ledger.
[[gnu::noinline]] Vec3 kick_held(const InFlight& b, Index vertex, Tick now, const Vec3& impulse) {
  const double inverse_mass = b.plan.inverse_mass[vertex];
  const bool is_prescribed = inverse_mass == 0, is_guided = b.model.guide_of_vertex[vertex] >= 0;
  const Vec3 held = is_prescribed ? impulse : Vec3(held_part(b.model, b.guides, vertex) * impulse);
  Vec3 mean = block(b.flights.v, vertex);
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

// Half of what the medium takes in a kick's time. Prescribed vertices move on: their holders give what it takes.
[[gnu::always_inline]] inline void damp(const InFlight& b, Index vertex, const Moment& moment, const Vec3& x,
                                        VertexLedger::Chunk& given) {
  const double kept = moment.part < 1 ? std::sqrt(b.plan.kept[vertex]) : b.plan.kept[vertex];
  if (!(kept < 1)) return;
  const Vec3 lost = b.model.elastic.mass[vertex] * (1 - kept) * Vec3(block(b.flights.v, vertex));
  given.drag -= lost;
  given.angular -= x.cross(lost);
  given.damped += lost.dot(kick(b, vertex, moment.now, -lost));
}

// At x: what is steady on it for the time h, with `impulse` of its elements.
[[gnu::always_inline]] inline void kick_steadily(const InFlight& b, Index vertex, const Moment& moment, double h,
                                                 const Vec3& x, const Vec3& impulse, VertexLedger::Chunk& given) {
  const Vec3 steady = h * steady_force(b, vertex);
  if (b.plan.any_drag) damp(b, vertex, moment, x, given);
  kick(b, vertex, moment.now, impulse + steady);
  given.angular += x.cross(steady);
  if (b.plan.any_drag) damp(b, vertex, moment, x, given);
}

// What damping of the stiffness and friction take is their impulses along the way between two ticks of all elements
// of a vertex; half of those at a tick belong to either side. In between some elements kick by themselves, against
// which others will: what that moves to and fro has no energy that anything could take.
[[gnu::always_inline]] inline void note_way(const InFlight& b, const Moment& moment, Index vertex, const Vec3& x,
                                            const Vec3& damping, VertexLedger::Chunk& given) {
  VertexLedger& ledger = b.ledger;
  const int whole = b.plan.whole_level[vertex];
  const double after = moment.level > whole ? 1 : part_after(moment.now);
  if (after < 1) {
    block(ledger.mean, vertex) = (x - block(ledger.from, vertex)) / length_of(whole, b.flights.dt);
    given.rubbed += block(ledger.friction, vertex).dot(block(ledger.mean, vertex));
  }
  if (b.plan.any_damping) {
    auto sum = block(ledger.damping, vertex);
    if (after < 1) {
      given.damped -= (sum + (1 - after) * damping).dot(block(ledger.mean, vertex));
      sum.setZero();
    }
    sum += after * damping;
  }
  if (moment.level > whole) return;
  block(ledger.friction, vertex).setZero();
  block(ledger.from, vertex) = x;
}

[[gnu::noinline]] void kick_vertices(const InFlight& b, const Moment& moment, KickBuffers& buffers, Index begin,
                                     Index end) {
  VertexLedger::Chunk given;
  for (Index item = begin; item < end; ++item) {
    const Index i = b.plan.vertices.items[item];
    const double h = moment.part * length_of(b.plan.steady_level[i], b.flights.dt);
    const Vec3 x = block(buffers.now, i);
    const Vec3 damping = b.plan.any_damping ? gathered(b, moment, buffers.damping_rows, item) : Vec3(0, 0, 0);
    note_way(b, moment, i, x, damping, given);
    kick_steadily(b, i, moment, h, x, gathered(b, moment, buffers.rows, item), given);
  }
  b.ledger.chunks[begin / vertices_a_chunk] += given;
}

// So that a kick of its length takes what the way asks.
[[gnu::always_inline]] inline void find_rates(const InFlight& b, const Moment& moment, Index vertex, const Vec3& x,
                                              VecX& rates) {
  const ClockSlots& slots = b.plan.slots;
  for (Index s = slots.begin[vertex]; s < slots.begin[vertex + 1] && slots.level[s] >= moment.level; ++s) {
    auto last = block(b.ledger.last, s);
    if (moment.now == 0) {
      block(rates, s).setZero();
    } else {
      block(rates, s) = (x - last) / (moment.part * length_of(slots.level[s], b.flights.dt));
    }
    last = x;
  }
}

// Where vertices are now, for elements, and for who looks back (null where nobody does).
[[gnu::noinline]] void look_where(const InFlight& b, const Moment& moment, KickBuffers& buffers, double* row,
                                  Index begin, Index end) {
  for (Index item = begin; item < end; ++item) {
    const Index i = b.plan.vertices.items[item];
    const Vec3 place = b.flights.at(i, moment.now);
    block(buffers.now, i) = place;
    if (row != nullptr) Eigen::Map<Vec3>{row + 3 * item} = place;
    if (b.plan.any_damping) find_rates(b, moment, i, place, buffers.rates);
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
  const auto slots = 3 * static_cast<Eigen::Index>(b.plan.slots.level.size());
  if (buffers.rates.size() != slots) buffers.rates.setZero(slots);
  buffers.rows.resize(b.plan.rows.vertex.size(), Pack(0.0));
  if (b.plan.any_damping) buffers.damping_rows.resize(buffers.rows.size(), Pack(0.0));
}

}  // namespace

VertexLedger::Chunk& VertexLedger::Chunk::operator+=(const Chunk& other) {
  drag += other.drag;
  angular += other.angular;
  damped += other.damped;
  rubbed += other.rubbed;
  return *this;
}

void VertexLedger::begin(const Model& model, const KickPlan& plan) {
  const auto vertices = static_cast<Index>(model.mesh.vertices.size());
  chunks.assign(static_cast<std::size_t>(vertices / vertices_a_chunk) + 1, {});
  for (VecX* vectors : {&held, &angular_held, &friction, &from, &mean}) vectors->setZero(3 * Eigen::Index{vertices});
  held_work.setZero(vertices);
  if (!plan.any_damping) return;
  damping.setZero(3 * Eigen::Index{vertices});
  last.setZero(3 * static_cast<Eigen::Index>(plan.slots.level.size()));
}

VertexLedger::Chunk VertexLedger::of_chunks() const {
  return std::accumulate(chunks.begin(), chunks.end(), Chunk{},
                         [](Chunk sum, const Chunk& chunk) { return sum += chunk; });
}

double part_after(Tick now) {
  return now == 0 ? 1 : now == ticks_a_step ? 0 : 0.5;
}

double rub_work(const InFlight& b, Index vertex, Tick now, const Vec3& impulse) {
  if (b.plan.inverse_mass[vertex] == 0) return impulse.dot(block(b.flights.v, vertex));
  const double after = coarsest_at(now) > b.plan.whole_level[vertex] ? 1 : part_after(now);
  block(b.ledger.friction, vertex) += after * impulse;
  return (1 - after) * impulse.dot(block(b.ledger.mean, vertex));
}

Vec3 steady_force(const InFlight& b, Index vertex) {
  const Vec3 weight = b.model.elastic.mass[vertex] * b.model.gravity;
  return b.loads.any() ? Vec3(weight + block(b.loads.force, vertex)) : weight;
}

Vec3 kick(const InFlight& b, Index vertex, Tick now, const Vec3& impulse) {
  return is_free(b, vertex) ? kick_free(b, vertex, now, impulse) : kick_held(b, vertex, now, impulse);
}

void kick_bodies(const InFlight& b, Tick now, KickBuffers& buffers, StepEvents& events) {
  const Moment moment{now, coarsest_at(now), part_of_kick(now)};
  if (moment.level > b.plan.finest) return;
  const Index vertices = b.plan.vertices.count[moment.level];
  make_room(b, buffers);
  double* row = b.flights.ways.open_row(now, vertices);
  parallel_for(vertices, vertices_a_chunk,
               [&](Index begin, Index end) { look_where(b, moment, buffers, row, begin, end); });
  for_each_kind([&](auto kind) {
    parallel_for(b.plan.elements[static_cast<std::size_t>(kind.value)].count[moment.level], elements_a_block,
                 [&](Index begin, Index end) { kick_block(b, moment, kind, begin, end, buffers); });
  });
  parallel_for(vertices, vertices_a_chunk,
               [&](Index begin, Index end) { kick_vertices(b, moment, buffers, begin, end); });
  b.flights.ways.row_is_open = false;
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
    CornerImpulses<decltype(kind)> impulse, damping;
    const double h = static_cast<double>(b.plan.element_period[wanted][element]) * b.flights.tick;
    const auto rate_of = [&](Index corner) -> Vec3 { return block(b.flights.v, numbering.vertex[corner]); };
    const bool damps = element_impulse(b, h, kind, element, buffers.now, rate_of, impulse, damping);
    for (Index c = first; c < end; ++c) {
      const Index vertex = numbering.vertex[c];
      if (b.model.elastic.mass[vertex] == 0) continue;
      const Vec3 mean = kick(b, vertex, now, Eigen::Map<const Vec3>(&impulse[3 * (c - first)]));
      if (damps) b.ledger.chunks.front().damped -= mean.dot(Eigen::Map<const Vec3>(&damping[3 * (c - first)]));
    }
  });
  ++*counters(events)[wanted];
}

void kick_steady(const InFlight& b, Index vertex, Tick now, StepEvents& events) {
  const double h = steady_step(b.plan, vertex, b.flights.dt);
  kick_steadily(b, vertex, {now, 0, 1}, h, b.flights.at(vertex, now), Vec3::Zero(), b.ledger.chunks.front());
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
