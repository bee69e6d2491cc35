#include "asynchronous/resting.hpp"

#include <algorithm>

namespace sim {

std::vector<std::uint8_t> levels_of_contacts(const PairRules& rules, const VecX& x, Detection& detection) {
  std::vector<std::uint8_t> levels(rules.plan.inverse_mass.size(), 0);
  for_each_near(rules.model.surface, x, rules.thickness.most, detection, [&](const NearPair& near) {
    const ActivePair pair = make_active(rules, near.kind, near.pair);
    if (!takes_energy(rules.law, pair)) return;
    const Index n = std::min(layers_at(rules.law.layers, near.distance, pair.thickness), rules.law.layers.most());
    if (n == 0) return;
    const int level = std::min(level_of_layer(rules.law, pair, n), finest_level);
    for (const Index v : near.vertices) levels[v] = std::max(levels[v], static_cast<std::uint8_t>(level));
  });
  return levels;
}

}  // namespace sim
