// Clocks of any length, as published (Harmon et al. 2009, sections 3 and 5.3): a queue of the ticks that are next.
// They tick at multiples of their length from the start of the run on, with a whole kick each; a tick where a step
// ends is before its frame. What ticks at the same time goes by the positions then, in the order elements (by kind
// and number), vertices (gravity, loads, mass damping), pairs by id.
#pragma once

#include <queue>

#include "asynchronous/kicks.hpp"
#include "asynchronous/pair_table.hpp"
#include "asynchronous/sampled_time.hpp"

namespace sim {

struct FreeClocks {
  struct Next {
    Tick time = 0;
    Index kind = 0;   // of elements; element_kinds: of vertices; of pairs 0
    Index which = 0;  // element, vertex, or place in the table of pairs
    auto operator<=>(const Next&) const = default;
  };
  using Queue = std::priority_queue<Next, std::vector<Next>, std::greater<>>;
  Queue bodies, pairs;
  std::vector<Index> kicked;  // vertices, at the last tick
  SampledTime queueing;       // in the step

  Tick next() const;  // beyond any step where nothing ticks
};

// Clocks of bodies, and of pairs, with their first ticks after `now`.
void start_bodies(const InFlight& bodies, Tick now, FreeClocks& clocks);
void start_pairs(const PairTable& table, const Flights& flights, Tick now, FreeClocks& clocks);

// s: that a vertex is kicked for in the step by what is steady on it.
double kicked_seconds(const InFlight& bodies, Index vertex);

Tick shortest_period(const KickPlan& plan, const PairTable& table);

}  // namespace sim
