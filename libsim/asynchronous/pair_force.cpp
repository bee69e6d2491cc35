#include "asynchronous/pair_force.hpp"

#include <algorithm>
#include <cmath>

#include "collide/limits.hpp"
#include "geometry/closest_points.hpp"

namespace sim {

namespace {

Vec3 weighted(const std::array<double, 4>& w, const std::array<Vec3, 4>& x) {
  // The weights add up to nothing: relative to one of the points no digits are lost.
  return w[1] * (x[1] - x[0]) + w[2] * (x[2] - x[0]) + w[3] * (x[3] - x[0]);
}

double step_of(const ContactLaw& law, const ActivePair& pair, Index layer) {
  return law.has_free_clocks ? static_cast<double>(pair.period[layer - 1]) * length_of(finest_level, law.dt)
                             : length_of(pair.level[layer - 1], law.dt);
}

}  // namespace

bool takes_energy(const ContactLaw& law, const ActivePair& pair) {
  return pair.kind != ContactKind::limit && (pair.friction > 0 || law.restitution < 1);
}

void remember(const ActivePair& pair, Contact& contact) {
  contact.gamma = {contact.t1.dot(pair.braked), contact.t2.dot(pair.braked)};
  contact.delta = {pair.pressed, 0};
}

double pressed_before(const Contact& contact) {
  return contact.delta[0];
}

Vec3 braked_before(const Contact& contact) {
  return contact.gamma[0] * contact.t1 + contact.gamma[1] * contact.t2;
}

int level_of_layer(const ContactLaw& law, const ActivePair& pair, Index layer) {
  return level_of(pair.longest_h * law.layers.shorter[layer], law.dt);
}

bool set_depth(const ContactLaw& law, Index depth, ActivePair& pair) {
  const Index before = pair.depth();
  pair.level.resize(static_cast<std::size_t>(depth));
  if (law.has_free_clocks) pair.period.resize(static_cast<std::size_t>(depth));
  for (Index l = before; l < depth; ++l) {
    if (law.has_free_clocks) pair.period[l] = period_of(pair.longest_h * law.layers.shorter[l + 1], law.dt);
    const int level = std::max(pair.coarsest_level, level_of_layer(law, pair, l + 1));
    if (level > finest_level) return false;
    pair.level[l] = static_cast<std::uint8_t>(level);
  }
  return true;
}

Nearest nearest_of(ContactKind kind, const std::array<Vec3, 4>& x) {
  Nearest near;
  if (kind == ContactKind::vertex_face) {
    const PointTriangle p = closest_point_triangle(x[0], x[1], x[2], x[3]);
    near.weights = {1, -p.weights[0], -p.weights[1], -p.weights[2]};
  } else {
    const SegmentSegment p = closest_segment_segment(x[0], x[1], x[2], x[3]);
    near.weights = {1 - p.s, p.s, p.t - 1, -p.t};
  }
  near.r = weighted(near.weights, x);
  near.distance = near.r.norm();
  if (near.distance > 0) near.n = near.r / near.distance;
  return near;
}

bool is_upper(const ActivePair& limit) {
  return limit.pair.second == static_cast<Index>(LimitSide::longest);
}

Nearest nearest_of(const ActivePair& pair, const std::array<Vec3, 4>& x) {
  if (pair.kind != ContactKind::limit) return nearest_of(pair.kind, x);
  Nearest near{{1, -1, 0, 0}, x[0] - x[1]};
  const double length = near.r.norm(), sign = is_upper(pair) ? -1 : 1;
  near.distance = sign * (length - pair.bound);
  if (length > 0) near.n = sign / length * near.r;
  return near;
}

Tick next_tick(const ActivePair& pair, Tick now, Tick origin) {
  Tick first = next_multiple(pair.period.front(), now, origin);
  for (const Tick period : pair.period) first = std::min(first, next_multiple(period, now, origin));
  return first;
}

PairKick pair_kick(const ContactLaw& law, const std::array<Vec3, 4>& x, const LayerTick& tick,
                   const ActivePair& pair) {
  const Nearest near = nearest_of(pair, x);
  PairKick kick{.weights = near.weights, .n = near.n, .distance = near.distance};
  double sum = 0, force = 0;
  bool all_tick = true;
  for (Index l = 1; l <= pair.depth(); ++l) {
    const double depth = pair.thickness * law.layers.nearness[l] - near.distance;
    if (!(depth > 0)) break;
    const double F = law.layers.stiffness_of(l) * depth, J = step_of(law, pair, l) * F;
    const bool ticks = law.has_free_clocks ? tick.time % pair.period[l - 1] == 0 : pair.level[l - 1] >= tick.level;
    force += F;
    if (ticks) sum += J;
    kick.round += J;
    kick.stiffness += law.layers.stiffness_of(l);
    kick.layers += ticks;
    all_tick = all_tick && ticks;
  }
  if (all_tick) kick.force = force;
  kick.push = tick.part * sum * near.n;
  return kick;
}

Vec3 relative_velocity(const PairKick& kick, const std::array<Vec3, 4>& v) {
  return weighted(kick.weights, v);
}

double restitute(const ContactLaw& law, double separating, PairKick& kick) {
  const double push = kick.push.norm();
  if (!(push > 0 && separating > 0)) return 0;
  const double taken = (1 - law.restitution) * std::min(push, separating);
  kick.push -= taken * kick.n;
  if (kick.leaving > 0) kick.force *= 1 - taken / push;
  return taken;
}

}  // namespace sim
