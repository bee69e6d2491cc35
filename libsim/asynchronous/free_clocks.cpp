#include "asynchronous/free_clocks.hpp"

#include <algorithm>

namespace sim {

Tick FreeClocks::next() const {
  Tick first = 2 * ticks_a_step;
  if (!bodies.empty()) first = std::min(first, bodies.top().time);
  if (!pairs.empty()) first = std::min(first, pairs.top().time);
  return first;
}

void start_bodies(const InFlight& b, Tick now, FreeClocks& clocks) {
  std::vector<FreeClocks::Next> all;
  for (Index kind = 0; kind < static_cast<Index>(element_kinds); ++kind) {
    const std::vector<Tick>& period = b.plan.element_period[kind];
    for (Index i = 0; i < static_cast<Index>(period.size()); ++i)
      all.push_back({next_multiple(period[i], now, b.flights.origin), kind, i});
  }
  for (const Index vertex : b.plan.vertices.items)
    all.push_back({next_multiple(b.plan.steady_period[vertex], now, b.flights.origin),
                   static_cast<Index>(element_kinds), vertex});
  clocks.bodies = FreeClocks::Queue({}, std::move(all));
}

void start_pairs(const PairTable& table, const Flights& flights, Tick now, FreeClocks& clocks) {
  std::vector<FreeClocks::Next> all;
  for (Index i = 0; i < static_cast<Index>(table.pairs.size()); ++i) {
    const ActivePair& pair = table.pairs[i];
    if (pair.depth() > 0) all.push_back({next_tick(pair, now, flights.origin), 0, i});
  }
  clocks.pairs = FreeClocks::Queue({}, std::move(all));
}

double kicked_seconds(const InFlight& b, Index vertex) {
  if (b.plan.steady_period.empty()) return b.flights.dt;
  const Tick period = b.plan.steady_period[vertex], origin = b.flights.origin;
  const Tick kicks = (origin + ticks_a_step) / period - origin / period;
  return static_cast<double>(kicks * period) * b.flights.tick;
}

Tick shortest_period(const KickPlan& plan, const PairTable& table) {
  Tick shortest = ticks_a_step;
  for (const auto& kind : plan.element_period)
    for (const Tick period : kind) shortest = std::min(shortest, period);
  for (const Index vertex : plan.vertices.items) shortest = std::min(shortest, plan.steady_period[vertex]);
  for (const ActivePair& pair : table.pairs)
    if (!pair.period.empty()) shortest = std::min(shortest, pair.period.back());
  return shortest;
}

}  // namespace sim
