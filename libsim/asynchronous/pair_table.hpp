// The pairs that are watched at ticks, ascending by id, each with the layers that are active.
#pragma once

#include "asynchronous/kick_plan.hpp"
#include "asynchronous/pair_force.hpp"
#include "asynchronous/thickness.hpp"
#include "model/model.hpp"

namespace sim {

struct PairTable {
  std::vector<ActivePair> pairs;
  std::vector<std::vector<Index>> by_level;  // [j]: those with a layer of level j or finer; find_levels() fills it

  int finest() const { return static_cast<int>(by_level.size()) - 1; }  // -1: nothing is active
};

void find_levels(PairTable& table);

// What pairs of a model are made with.
struct PairRules {
  const Model& model;
  const KickPlan& plan;
  const ContactLaw& law;
  const Thickness& thickness;
  double contact_fraction = 0;  // AsyncOptions
};

// Without layers.
ActivePair make_active(const PairRules& rules, ContactKind kind, Pair pair);

// Both sides of the strain limits that there are, but of those between two prescribed vertices. A limit pushes in the
// second half of what it leaves the length.
std::vector<ActivePair> all_limits(const PairRules& rules);

ContactLaw make_law(const Options& options);

ActivePair* find(PairTable& table, ContactId id);              // null where it is not there
void insert(std::vector<ActivePair>& some, PairTable& table);  // none of which is there

// Nothing has been pushed yet. No friction is to spare: the clocks of all bodies tick where a step ends, and may be
// others from here on.
void begin_step(const PairRules& rules, PairTable& table);

// Layers that are watched where so many were entered: what enters one more is not to be flown again.
constexpr Index with_spare(Index entered) {
  return entered == 0 ? 0 : entered + 1 + entered / 4;
}

// Pairs that are not closed any more lose layers, half of what they have too many at a time, but none that has
// friction to spare; `x`: where the vertices are. Pairs without layers stay where they have pushed in this step.
void forget_layers(const ContactLaw& law, const std::vector<double>& distance, PairTable& table);

// Every limit, and every pair that may ever touch where there are contacts, with `depth` layers.
void watch_all(const PairRules& rules, bool contacts, Index depth, PairTable& table);

}  // namespace sim
