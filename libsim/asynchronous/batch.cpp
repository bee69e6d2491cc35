#include "asynchronous/batch.hpp"

#include <algorithm>
#include <limits>

#include "collide/contact_set.hpp"
#include "elasticity/element_at.hpp"
#include "math/parallel.hpp"

namespace sim {

namespace {

constexpr Index pairs_a_chunk = 256;

std::array<Vec3, 4> velocities(const Flights& flights, const std::array<Index, 4>& vertices) {
  std::array<Vec3, 4> v;
  for (std::size_t k = 0; k < 4; ++k) v[k] = block(flights.v, vertices[k]);
  return v;
}

bool is_obstacle(const InFlight& bodies, Index vertex) {
  return bodies.plan.inverse_mass[vertex] == 0 && bodies.model.elastic.mass[vertex] == 0;
}

double inverse_mass_of(const Course& course, const PairKick& given, const ActivePair& pair) {
  double inverse_mass = 0;
  for (std::size_t k = 0; k < 4; ++k)
    inverse_mass += given.weights[k] * given.weights[k] * course.bodies.plan.inverse_mass[pair.vertices[k]];
  return inverse_mass;
}

// With what momentum it separates, above one kick of each layer.
double leaving(const PairKick& given, const std::array<Vec3, 4>& v) {
  if (!(given.inverse_mass > 0)) return 0;
  return given.n.dot(relative_velocity(given, v)) / given.inverse_mass - given.round;
}

[[gnu::noinline]] void compute_kicks(const Course& course, std::span<const Index> pairs, Tick now, Index begin,
                                     Index end) {
  for (Index k = begin; k < end; ++k) {
    ActivePair& pair = course.table.pairs[pairs[k]];
    const std::array<Vec3, 4> x = places(course.bodies.flights, pair.vertices, now);
    const LayerTick tick{coarsest_at(now), part_of_kick(now), course.bodies.flights.origin + now};
    PairKick& kick = course.pair_kicks[k];
    kick = pair_kick(course.law, x, tick, pair);
    kick.inverse_mass = inverse_mass_of(course, kick, pair);
    kick.leaving = leaving(kick, velocities(course.bodies.flights, pair.vertices));
    pair.nearest = std::min(pair.nearest, kick.distance);
  }
}

// The pairs that tick.
std::span<const Index> ticking(const Course& course, Tick now) {
  const int level = coarsest_at(now);
  if (level > course.table.finest()) return {};
  return course.table.by_level[level];
}

// Before anything kicks, bodies too: half of what restitution and friction go by is what flew so until now.
void look_before(const Course& course, Tick now) {
  const std::span<const Index> pairs = ticking(course, now);
  if (course.pair_kicks.size() < pairs.size()) course.pair_kicks.resize(pairs.size());
  if (course.before.size() < pairs.size()) course.before.resize(pairs.size());
  parallel_for(static_cast<Index>(pairs.size()), pairs_a_chunk, [&](Index begin, Index end) {
    for (Index k = begin; k < end; ++k) {
      const ActivePair& pair = course.table.pairs[pairs[k]];
      if (takes_energy(course.law, pair)) course.before[k] = velocities(course.bodies.flights, pair.vertices);
    }
  });
}

// Of friction that is given at a tick of its own, by the mean of the velocities before and after.
double friction_work(const Course& course, const std::array<Vec3, 4>& before, const PairKick& given,
                     const ActivePair& pair) {
  double work = 0;
  for (std::size_t k = 0; k < 4; ++k) {
    if (given.weights[k] == 0) continue;
    const Vec3 after = block(course.bodies.flights.v, pair.vertices[k]);
    work += given.weights[k] * given.rub.dot(0.5 * (before[k] + after));
  }
  return work;
}

double friction_work(const Course& course, Tick now, const PairKick& given, const ActivePair& pair) {
  double work = 0;
  for (std::size_t k = 0; k < 4; ++k) {
    if (given.weights[k] == 0) continue;
    work += rub_work(course.bodies, pair.vertices[k], now, given.weights[k] * given.rub);
  }
  return work;
}

// Friction acts on both sides at a distance: of an obstacle it counts where it reaches the body.
void note_torque(const InFlight& bodies, const ActivePair& pair, const PairKick& kick) {
  for (const Index vertex : pair.vertices) {
    if (!is_obstacle(bodies, vertex)) continue;
    block(bodies.ledger.angular_held, vertex) += kick.distance * kick.n.cross(kick.rub);
    return;
  }
}

// Between two ticks at which all that is inside the bodies kicks the pair's vertices; kicks at its end belong to it.
// Those where a step begins belong to the last one of the step before.
Tick stretch_of(const ActivePair& pair, Tick now) {
  const Tick length = ticks_of(pair.body_level);
  return (now - 1 + length) / length;
}

void begin_stretch(const Course& course, Tick stretch, ActivePair& pair) {
  if (stretch == pair.stretch) return;
  const Contact* before = stretch == 0 ? find(course.before_step, pair.id) : nullptr;
  pair.stretch = stretch;
  pair.pressed = before != nullptr ? pressed_before(*before) : 0;
  pair.braked = before != nullptr ? braked_before(*before) : Vec3(0, 0, 0);
}

bool is_whole(const ActivePair& pair, Tick now) {
  return now % ticks_of(pair.body_level) == 0;
}

Vec3 slip_of(const PairKick& given, const std::array<Vec3, 4>& v) {
  const Vec3 going = relative_velocity(given, v);
  return going - given.n.dot(going) * given.n;
}

// Coulomb's law over a stretch: |sum of friction| <= mu sum of what the layers give. Within it elements that tick
// more often than others kick by themselves, against which others will; what friction holds must not move meanwhile.
// So it gives ahead what the rest of the stretch will allow, less what it takes to stop what slid before; what it
// held where the stretch began it holds, and gives back at its end what was too much. Where a step ends the rest is
// the other half of the kick.
//
//     |braked + rub| <= mu pressed + max(0, mu force left - m_eff |slip before the tick|)
void allow_friction(const Course& course, Tick now, const std::array<Vec3, 4>& before, PairKick& given,
                    ActivePair& pair) {
  pair.pressed += given.push.norm();
  if (!(given.inverse_mass > 0)) return;
  const bool is_free = course.free_clocks != nullptr;
  if (!is_free && pair.holds && !is_whole(pair, now)) {
    given.most_friction = std::numeric_limits<double>::infinity();
    return;
  }
  const double left = is_free ? 0 : static_cast<double>(pair.stretch * ticks_of(pair.body_level) - now),
               other_half = !is_free && now == ticks_a_step ? given.push.norm() : 0,
               pushes = given.force * left * course.bodies.flights.tick + other_half,
               to_stop = slip_of(given, before).norm() / given.inverse_mass,
               ahead = std::max(0.0, pair.friction * pushes - to_stop);
  given.most_friction = pair.friction * pair.pressed + ahead;
}

void kick_vertices_of(const Course& course, Tick now, const PairKick& given, const ActivePair& pair,
                      const Vec3& impulse) {
  for (std::size_t k = 0; k < 4; ++k) {
    if (given.weights[k] == 0) continue;
    kick(course.bodies, pair.vertices[k], now, given.weights[k] * impulse);
  }
}

struct Rubbed {
  bool is_enough = true;
  double change = 0;  // kg m/s
};

// Stops what slides, by the velocities as they are.
Rubbed rub(const Course& course, Tick now, PairKick& given, ActivePair& pair) {
  if (!(given.inverse_mass > 0)) return {};
  Vec3 braked = pair.braked - slip_of(given, velocities(course.bodies.flights, pair.vertices)) / given.inverse_mass;
  const double size = braked.norm();
  const bool is_enough = size <= given.most_friction;
  if (!is_enough) braked *= given.most_friction / size;
  const Vec3 more = braked - pair.braked;
  if (more.isZero(0)) return {is_enough};
  pair.braked = braked;
  given.rub += more;
  kick_vertices_of(course, now, given, pair, more);
  return {is_enough, more.norm()};
}

// Of a pair that has parted amid a stretch: it gives back what was too much.
void settle(const Course& course, Tick now, PairKick& given, ActivePair& pair) {
  pair.holds = false;
  const double most = pair.friction * pair.pressed, size = pair.braked.norm();
  if (size <= most) return;
  const Vec3 back = (most / size - 1) * pair.braked;
  pair.braked += back;
  given.rub += back;
  kick_vertices_of(course, now, given, pair, back);
}

constexpr int most_sweeps = 20;
constexpr double settled_part = 1e-2;  // of what the first sweep changed

// Gauss-Seidel sweeps. Where one pair had not enough, others may hold what it gives back, and a coarse face may lie
// on hundreds of pairs: they are asked again until little changes.
void rub_in_turn(const Course& course, Tick now, std::span<const Index> pairs) {
  double first = 0;
  for (int sweep = 0; sweep < most_sweeps; ++sweep) {
    bool all_hold = true;
    double most = 0;
    for (const Index k : course.rubbing) {
      ActivePair& pair = course.table.pairs[pairs[k]];
      const Rubbed rubbed = rub(course, now, course.pair_kicks[k], pair);
      all_hold = all_hold && rubbed.is_enough;
      most = std::max(most, rubbed.change);
      if (is_whole(pair, now)) pair.holds = rubbed.is_enough;
    }
    if (sweep == 0) first = most;
    if (all_hold || most <= settled_part * first) return;
  }
}

void give_push(const Course& course, Tick now, const PairKick& given, ActivePair& pair, const Vec3& push) {
  kick_vertices_of(course, now, given, pair, push);
  pair.push += push;
}

void note_friction(const Course& course, const PairKick& given, double work, ActivePair& pair) {
  pair.rub += given.rub;
  note_torque(course.bodies, pair, given);
  course.sums.friction_loss -= work;
}

// How much faster than in the middle of the tick the pair separates when all have pushed.
double given_later(const Course& course, Tick now, const std::array<Vec3, 4>& before, const PairKick& given,
                   const ActivePair& pair) {
  const std::array<Vec3, 4> pushed = velocities(course.bodies.flights, pair.vertices);
  return part_after(now) * given.n.dot(relative_velocity(given, pushed) - relative_velocity(given, before));
}

// Of the momentum with which the pair separates in the middle of a tick, what critical damping of its mass on its
// layers takes. Only where everything kicks: in between bodies and layers do in turn, and what that moves to and fro
// goes nowhere.
double calmed(const Course& course, Tick now, const PairKick& given, const ActivePair& pair) {
  if (!is_whole(pair, now)) return 0;
  const double h = part_of_kick(now) * length_of(pair.body_level, course.bodies.flights.dt),
               omega = std::sqrt(given.stiffness * given.inverse_mass);
  const std::array<Vec3, 4> v = velocities(course.bodies.flights, pair.vertices);
  const double speed = given.n.dot(relative_velocity(given, v)) - given.later;
  return std::min(1.0, 2 * omega * h) * speed / given.inverse_mass;
}

// When all have pushed; pair by pair, each reading what those before it took.
void restitute_pairs(const Course& course, Tick now, std::span<const Index> pairs) {
  if (!(course.law.restitution < 1)) return;
  for (const Index k : course.pushing) {
    const ActivePair& pair = course.table.pairs[pairs[k]];
    PairKick& given = course.pair_kicks[k];
    if (takes_energy(course.law, pair) && is_whole(pair, now))
      given.later = given_later(course, now, course.before[k], given, pair);
  }
  for (const Index k : course.pushing) {
    ActivePair& pair = course.table.pairs[pairs[k]];
    PairKick& given = course.pair_kicks[k];
    if (!takes_energy(course.law, pair) || !(given.inverse_mass > 0)) continue;
    const double taken = restitute(course.law, std::max(given.leaving, calmed(course, now, given, pair)), given);
    if (taken > 0) give_push(course, now, given, pair, -taken * given.n);
  }
}

// Finds who pushes, and who has parted that friction held.
void push_pairs(const Course& course, Tick now, std::span<const Index> pairs) {
  double energy = 0;
  course.pushing.clear();
  course.parted.clear();
  for (Index k = 0; k < static_cast<Index>(pairs.size()); ++k) {
    ActivePair& pair = course.table.pairs[pairs[k]];
    const PairKick& given = course.pair_kicks[k];
    if (part_of_kick(now) < 1)
      energy += layers_energy(course.law.layers, given.distance, pair.thickness, pair.depth());
    course.events.kicks_pair += given.layers;
    if (given.layers == 0) {
      ++course.events.c_null_ticks;
      if (pair.holds && is_whole(pair, now)) course.parted.push_back(k);
      continue;
    }
    give_push(course, now, given, pair, given.push);
    course.pushing.push_back(k);
  }
  if (now == 0) course.sums.energy_first = energy;
  if (now == ticks_a_step) course.sums.energy_last = energy;
}

void rub_pairs(const Course& course, Tick now, std::span<const Index> pairs) {
  course.rubbing.clear();
  for (const Index k : course.pushing) {
    ActivePair& pair = course.table.pairs[pairs[k]];
    if (!(pair.friction > 0)) continue;
    begin_stretch(course, stretch_of(pair, now), pair);
    allow_friction(course, now, course.before[k], course.pair_kicks[k], pair);
    course.rubbing.push_back(k);
  }
  for (const Index k : course.parted) settle(course, now, course.pair_kicks[k], course.table.pairs[pairs[k]]);
  rub_in_turn(course, now, pairs);
  for (const std::vector<Index>* some : {&course.parted, &course.rubbing}) {
    for (const Index k : *some) {
      ActivePair& pair = course.table.pairs[pairs[k]];
      const PairKick& given = course.pair_kicks[k];
      if (!given.rub.isZero(0)) note_friction(course, given, friction_work(course, now, given, pair), pair);
    }
  }
}

// All push before any rubs: what friction has stopped nothing may push on before the next tick, where its body pushes
// back.
void kick_pairs(const Course& course, Tick now) {
  const std::span<const Index> pairs = ticking(course, now);
  const auto count = static_cast<Index>(pairs.size());
  parallel_for(count, pairs_a_chunk, [&](Index begin, Index end) { compute_kicks(course, pairs, now, begin, end); });
  push_pairs(course, now, pairs);
  restitute_pairs(course, now, pairs);
  rub_pairs(course, now, pairs);
  course.sums.events += count;
}

void give_freely(const Course& course, Tick now, ActivePair& pair, FreeClocks& clocks) {
  const std::array<Vec3, 4> x = places(course.bodies.flights, pair.vertices, now);
  const std::array<Vec3, 4> v = velocities(course.bodies.flights, pair.vertices);
  PairKick kick = pair_kick(course.law, x, {.time = course.bodies.flights.origin + now}, pair);
  kick.inverse_mass = inverse_mass_of(course, kick, pair);
  pair.nearest = std::min(pair.nearest, kick.distance);
  course.events.kicks_pair += kick.layers;
  course.sums.events += 1;
  if (kick.layers == 0) {
    ++course.events.c_null_ticks;
    return;
  }
  begin_stretch(course, now + 1, pair);
  if (pair.kind != ContactKind::limit && kick.inverse_mass > 0) restitute(course.law, leaving(kick, v), kick);
  give_push(course, now, kick, pair, kick.push);
  if (pair.friction > 0) {
    allow_friction(course, now, v, kick, pair);
    rub(course, now, kick, pair);
    if (!kick.rub.isZero(0)) note_friction(course, kick, friction_work(course, v, kick, pair), pair);
  }
  clocks.kicked.insert(clocks.kicked.end(), pair.vertices.begin(), pair.vertices.end());
}

void kick_freely(const Course& course, Tick now, const FreeClocks::Next& next, FreeClocks& clocks) {
  course.sums.events += 1;
  if (next.kind == static_cast<Index>(element_kinds)) {
    kick_steady(course.bodies, next.which, now, course.events);
    clocks.kicked.push_back(next.which);
    return;
  }
  kick_element(course.bodies, static_cast<std::size_t>(next.kind), next.which, now, course.buffers, course.events);
  const ElementNumbering& numbering = course.bodies.model.elastic.numbering;
  for_each_kind([&](auto kind) {
    if (static_cast<Index>(kind.value) != next.kind) return;
    const Index first = numbering.corner_of(kind.value, next.which);
    for (Index c = first; c < first + corners_of(kind.value); ++c) clocks.kicked.push_back(numbering.vertex[c]);
  });
}

void tick_freely(const Course& course, Tick now, FreeClocks& clocks) {
  const KickPlan& plan = course.bodies.plan;
  const Tick origin = course.bodies.flights.origin;
  clocks.kicked.clear();
  while (!clocks.bodies.empty() && clocks.bodies.top().time == now) {
    FreeClocks::Next next = clocks.bodies.top();
    clocks.queueing.add([&] { clocks.bodies.pop(); });
    kick_freely(course, now, next, clocks);
    const bool is_vertex = next.kind == static_cast<Index>(element_kinds);
    next.time += is_vertex ? plan.steady_period[next.which] : plan.element_period[next.kind][next.which];
    clocks.queueing.add([&] { clocks.bodies.push(next); });
  }
  while (!clocks.pairs.empty() && clocks.pairs.top().time == now) {
    FreeClocks::Next next = clocks.pairs.top();
    clocks.queueing.add([&] { clocks.pairs.pop(); });
    ActivePair& pair = course.table.pairs[next.which];
    give_freely(course, now, pair, clocks);
    next.time = next_tick(pair, now, origin);
    clocks.queueing.add([&] { clocks.pairs.push(next); });
  }
}

void fly_freely(const Course& course, Tick begin, Tick end, FreeClocks& clocks) {
  start_bodies(course.bodies, begin, clocks);
  start_pairs(course.table, course.bodies.flights, begin, clocks);
  if (begin == 0) course.sums.energy_first = pair_energy(course, 0);
  for (Tick now = clocks.next(); now <= end; now = clocks.next()) tick_freely(course, now, clocks);
  if (end == ticks_a_step) course.sums.energy_last = pair_energy(course, end);
}

}  // namespace

double pair_energy(const Course& course, Tick now) {
  double energy = 0;
  for (const ActivePair& pair : course.table.pairs) {
    const double distance = nearest_of(pair, places(course.bodies.flights, pair.vertices, now)).distance;
    energy += layers_energy(course.law.layers, distance, pair.thickness, pair.depth());
  }
  return energy;
}

void tick(const Course& course, Tick now) {
  if (course.free_clocks != nullptr) return tick_freely(course, now, *course.free_clocks);
  look_before(course, now);
  if (coarsest_at(now) <= course.bodies.plan.finest) {
    kick_bodies(course.bodies, now, course.buffers, course.events);
    course.sums.events += course.bodies.plan.vertices.count[coarsest_at(now)];
  }
  kick_pairs(course, now);
}

std::array<Vec3, 4> places(const Flights& flights, const std::array<Index, 4>& vertices, Tick now) {
  std::array<Vec3, 4> x;
  for (std::size_t k = 0; k < 4; ++k) x[k] = flights.at(vertices[k], now);
  return x;
}

void fly(const Course& course, Tick begin, Tick end) {
  if (course.free_clocks != nullptr) return fly_freely(course, begin, end, *course.free_clocks);
  if (begin == 0) tick(course, 0);
  const Tick between = ticks_of(std::max(course.bodies.plan.finest, course.table.finest()));
  for (Tick now = (begin / between + 1) * between; now <= end; now += between) tick(course, now);
}

}  // namespace sim
