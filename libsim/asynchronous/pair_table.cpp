#include "asynchronous/pair_table.hpp"

#include <algorithm>
#include <cmath>

#include "collide/limits.hpp"

namespace sim {

namespace {

bool before(const ActivePair& a, const ActivePair& b) {
  return a.id < b.id;
}

// Of the vertices of one side the lightest.
double largest_inverse(const PairRules& rules, const std::array<Index, 4>& vertices, std::size_t begin,
                       std::size_t end) {
  double largest = 0;
  for (std::size_t k = begin; k < end; ++k) largest = std::max(largest, rules.plan.inverse_mass[vertices[k]]);
  return largest;
}

double longest_of(const PairRules& rules, double inverse_mass) {
  return outermost_step(rules.contact_fraction, rules.law.layers.stiffness, inverse_mass);
}

// What ticks inside the bodies, at its vertices. Layers of a pair that takes energy tick as often: a kick in what
// friction holds, at which the pair did not tick, would move it.
void find_body_clocks(const PairRules& rules, ActivePair& pair) {
  int coarsest = finest_level, finest = 0;
  for (const Index v : pair.vertices) {
    if (rules.model.elastic.mass[v] == 0) continue;
    coarsest = std::min<int>(coarsest, rules.plan.whole_level[v]);
    finest = std::max<int>(finest, rules.plan.steady_level[v]);
  }
  pair.body_level = coarsest;
  pair.coarsest_level = takes_energy(rules.law, pair) ? finest : 0;
}

ActivePair active_limit(const PairRules& rules, Pair pair) {
  const LengthLimit& limit = rules.model.surface.limits[pair.first];
  ActivePair made;
  made.id = contact_id(ContactKind::limit, pair);
  made.kind = ContactKind::limit;
  made.pair = pair;
  made.vertices = stencil(rules.model.surface, ContactKind::limit, pair);
  made.inverse_mass = rules.plan.inverse_mass[limit.vertices[0]] + rules.plan.inverse_mass[limit.vertices[1]];
  made.bound = is_upper(made) ? limit.longest : limit.shortest;
  made.thickness = 0.5 * std::abs(limit.rest_length - made.bound);
  made.longest_h = longest_of(rules, made.inverse_mass);
  return made;
}

}  // namespace

void find_levels(PairTable& table) {
  table.by_level.clear();
  for (Index i = 0; i < static_cast<Index>(table.pairs.size()); ++i) {
    const ActivePair& pair = table.pairs[i];
    if (pair.level.empty()) continue;
    const std::size_t levels = pair.level.back() + std::size_t{1};
    if (table.by_level.size() < levels) table.by_level.resize(levels);
    for (std::size_t j = 0; j < levels; ++j) table.by_level[j].push_back(i);
  }
}

ActivePair make_active(const PairRules& rules, ContactKind kind, Pair pair) {
  if (kind == ContactKind::limit) return active_limit(rules, pair);
  ActivePair made;
  made.id = contact_id(kind, pair);
  made.kind = kind;
  made.pair = pair;
  made.vertices = stencil(rules.model.surface, kind, pair);
  const std::size_t second = first_of_second(kind);
  made.inverse_mass =
      largest_inverse(rules, made.vertices, 0, second) + largest_inverse(rules, made.vertices, second, 4);
  made.thickness = pair_thickness(rules.model, rules.thickness, kind, made.vertices);
  const auto& object = rules.model.surface.vertex_object;
  made.friction = rules.model.friction_of(object[made.vertices[0]], object[made.vertices[3]]);
  made.longest_h = longest_of(rules, made.inverse_mass);
  find_body_clocks(rules, made);
  return made;
}

std::vector<ActivePair> all_limits(const PairRules& rules) {
  const std::vector<LengthLimit>& limits = rules.model.surface.limits;
  std::vector<ActivePair> made;
  for (Index i = 0; i < static_cast<Index>(limits.size()); ++i) {
    const auto [a, b] = limits[i].vertices;
    if (rules.plan.inverse_mass[a] == 0 && rules.plan.inverse_mass[b] == 0) continue;
    if (std::isfinite(limits[i].longest)) made.push_back(active_limit(rules, {i, Index(LimitSide::longest)}));
    if (limits[i].shortest > 0) made.push_back(active_limit(rules, {i, Index(LimitSide::shortest)}));
  }
  return made;
}

ContactLaw make_law(const Options& options) {
  const AsyncOptions& o = options.asynchronous;
  return {make_layers(o.stiffness, o.max_layers), o.restitution, o.clocks == Clocks::free, options.dt};
}

ActivePair* find(PairTable& table, ContactId id) {
  const auto found = std::lower_bound(table.pairs.begin(), table.pairs.end(), id,
                                      [](const ActivePair& pair, ContactId wanted) { return pair.id < wanted; });
  return found != table.pairs.end() && found->id == id ? &*found : nullptr;
}

void insert(std::vector<ActivePair>& some, PairTable& table) {
  std::sort(some.begin(), some.end(), before);
  const auto middle = static_cast<std::ptrdiff_t>(table.pairs.size());
  table.pairs.insert(table.pairs.end(), some.begin(), some.end());
  std::inplace_merge(table.pairs.begin(), table.pairs.begin() + middle, table.pairs.end(), before);
}

void begin_step(const PairRules& rules, PairTable& table) {
  for (ActivePair& pair : table.pairs) {
    find_body_clocks(rules, pair);
    const Index depth = pair.depth();
    set_depth(rules.law, 0, pair);
    set_depth(rules.law, depth, pair);
    pair.push.setZero();
    pair.rub.setZero();
    pair.stretch = -1;
    pair.pressed = 0;
    pair.holds = false;
    pair.braked.setZero();
  }
}

void forget_layers(const ContactLaw& law, const std::vector<double>& distance, PairTable& table) {
  for (std::size_t i = 0; i < table.pairs.size(); ++i) {
    ActivePair& pair = table.pairs[i];
    const Index entered = layers_at(law.layers, std::min(pair.nearest, distance[i]), pair.thickness);
    const Index known = pair.pressed > 0 ? pair.depth() : 0;  // until the step ends
    const Index wanted = std::max({with_spare(entered), known, (pair.depth() + entered) / 2});
    set_depth(law, std::min(wanted, pair.depth()), pair);
  }
  std::erase_if(table.pairs, [](const ActivePair& pair) {
    return pair.level.empty() && pair.push.isZero(0) && pair.rub.isZero(0);
  });
}

void watch_all(const PairRules& rules, bool contacts, Index depth, PairTable& table) {
  std::vector<ActivePair> found;
  const auto add = [&](ActivePair&& pair) {
    if (find(table, pair.id) == nullptr) found.push_back(std::move(pair));
  };
  for (ActivePair& limit : all_limits(rules)) add(std::move(limit));
  const CollisionSurface& surface = rules.model.surface;
  const auto watch = [&](ContactKind kind, Pair pair, Index triangle_a, Index triangle_b) {
    const std::array<Index, 4> vertices = stencil(surface, kind, pair);
    const bool moves =
        std::any_of(vertices.begin(), vertices.end(), [&](Index v) { return surface.vertex_moves[v] != 0; });
    if (!contacts || !moves || surface.never_touch(triangle_a, triangle_b)) return;
    add(make_active(rules, kind, pair));
  };
  for (const Index v : surface.vertices) {
    for (Index t = 0; t < static_cast<Index>(surface.triangles.size()); ++t)
      if (is_face(surface.triangles[t]) && !shares_vertex(surface.triangles[t], v))
        watch(ContactKind::vertex_face, {v, t}, surface.vertex_owner[v], t);
  }
  for (Index a = 0; a < static_cast<Index>(surface.edges.size()); ++a) {
    for (Index b = a + 1; b < static_cast<Index>(surface.edges.size()); ++b)
      if (is_segment(surface.edges[a]) && is_segment(surface.edges[b]) &&
          !shares_vertex(surface.edges[a], surface.edges[b]))
        watch(ContactKind::edge_edge, {a, b}, surface.edge_owner[a], surface.edge_owner[b]);
  }
  insert(found, table);
  for (ActivePair& pair : table.pairs) set_depth(rules.law, depth, pair);
}

}  // namespace sim
