#include "asynchronous/kinetic.hpp"

#include <algorithm>
#include <cmath>

#include "collide/pair_test.hpp"
#include "math/stopwatch.hpp"

namespace sim {

namespace {

constexpr double rounding = 0x1p-46;  // of coordinates
constexpr double room = 1.05;  // of a slab that is placed: the pair is farther apart than that times what it proves
constexpr int kicks_a_round =
    6;  // as a power of two, of the finest clock inside the bodies: then layers are given up

struct Everything {
  bool vertex_face(Index, Index, const Triangle&) const { return false; }
  bool edge_edge(Index, const Edge&, Index, const Edge&) const { return false; }
};

struct Kinetic {
  const Course& course;
  const PairRules& rules;
  const Options& options;
  KineticScratch& s;
  double margin = 0;  // m
  CourseEnd end;
  bool levels_changed = true;

  const CollisionSurface& surface() const { return rules.model.surface; }
  DopView view() const { return {course.bodies.flights, s.tubes, options.asynchronous.axes / 2}; }
  StepEvents& events() const { return course.events; }
};

void schedule(Kinetic& k, Tick time, bool is_slab, Index which) {
  if (time <= ticks_a_step) k.s.queueing.add([&] { k.s.queue.push({time, is_slab, which}); });
}

// --- slabs

bool add_layer(Kinetic& k, Slab& slab) {
  ++k.events().c_failures;
  ++slab.depth;
  const ContactId id = contact_id(slab.kind, slab.pair);
  ActivePair* active = find(k.course.table, id);
  if (active == nullptr) {
    std::vector<ActivePair> made{make_active(k.rules, slab.kind, slab.pair)};
    insert(made, k.course.table);
    active = find(k.course.table, id);
    active->nearest = std::numeric_limits<double>::infinity();
  }
  k.levels_changed = true;
  if (slab.depth <= k.course.law.layers.most() &&
      set_depth(k.course.law, std::max(slab.depth, active->depth()), *active)) {
    slab.depth = active->depth();
    return true;
  }
  k.end = {StepStatus::layer_limit, *active};
  return false;
}

// As many layers as a slab outside of the next one needs, and that.
void make_slab(Kinetic& k, Tick now, Index which) {
  Slab& slab = k.s.slabs[which];
  const std::vector<double>& nearness = k.course.law.layers.nearness;
  const double distance = distance_of(slab, places(k.course.bodies.flights, slab.vertices, now));
  for (;;) {
    slab.apart = slab.thickness * nearness[slab.depth + 1] + k.margin;
    if (distance > room * slab.apart) {
      place_slab(k.view(), now, slab);
      slab.until = slab_until(k.view(), now, slab);
      if (slab.until > now) break;
    }
    if (!add_layer(k, slab)) return;
  }
  ++k.events().c_certificates;
  schedule(k, slab.until, true, which);
}

void add_slab(Kinetic& k, Tick now, Slab slab) {
  const auto which = static_cast<Index>(k.s.slabs.size());
  const ContactId id = contact_id(slab.kind, slab.pair);
  if (const ActivePair* active = find(k.course.table, id)) slab.depth = active->depth();
  k.s.slab_of.emplace(id, which);
  for (std::size_t i = 0; i < 4; ++i) {
    const bool again =
        std::find(slab.vertices.begin(), slab.vertices.begin() + i, slab.vertices[i]) != slab.vertices.begin() + i;
    if (!again) k.s.of_vertex[slab.vertices[i]].push_back(which);
  }
  k.s.slabs.push_back(slab);
  make_slab(k, now, which);
}

void open_triangles(Kinetic& k, Tick now, Index s, Index t) {
  Detection::Work work;
  PairTest<Everything>{k.surface(), {}}(s, t, work);
  const auto add = [&](ContactKind kind, const Pair& pair) {
    if (k.end.status != StepStatus::converged) return;
    Slab slab;
    slab.kind = kind;
    slab.pair = pair;
    slab.vertices = stencil(k.surface(), kind, pair);
    slab.thickness = pair_thickness(k.rules.model, k.rules.thickness, kind, slab.vertices);
    add_slab(k, now, slab);
  };
  for (const Pair& pair : work.vertex_face)
    if (is_face(k.surface().triangles[pair.second])) add(ContactKind::vertex_face, pair);
  for (const Pair& pair : work.edge_edge)
    if (is_segment(k.surface().edges[pair.first]) && is_segment(k.surface().edges[pair.second]))
      add(ContactKind::edge_edge, pair);
}

// --- the separation list

Tick nodes_apart(Kinetic& k, Tick now, Index a, Index b) {
  for (const Index node : {a, b})
    if (k.s.tree.nodes[node].tight != now) enclose(k.view(), now, k.s.tree, node);
  return apart_until(k.view(), now, k.rules.thickness.most + k.margin, k.s.tree.nodes[a], k.s.tree.nodes[b]);
}

void separate(Kinetic& k, Tick now, Index a, Index b);

void descend(Kinetic& k, Tick now, Index a, Index b) {
  const DopNode &first = k.s.tree.nodes[a], &second = k.s.tree.nodes[b];
  if (first.triangle >= 0 && second.triangle >= 0) {
    open_triangles(k, now, first.triangle, second.triangle);
  } else if (second.size > first.size) {
    separate(k, now, a, second.left);
    separate(k, now, a, second.right);
  } else {
    separate(k, now, first.left, b);
    separate(k, now, first.right, b);
  }
}

void separate(Kinetic& k, Tick now, Index a, Index b) {
  if (k.end.status != StepStatus::converged) return;
  if (!k.s.tree.nodes[a].moves && !k.s.tree.nodes[b].moves) return;
  const Tick until = nodes_apart(k, now, a, b);
  if (until <= now) return descend(k, now, a, b);
  const auto which = static_cast<Index>(k.s.list.size());
  k.s.list.push_back({a, b, until});
  k.s.of_node[a].push_back(which);
  k.s.of_node[b].push_back(which);
  ++k.events().c_certificates;
  schedule(k, until, false, which);
}

void separate_within(Kinetic& k, Tick now, Index node) {
  const DopNode& top = k.s.tree.nodes[node];
  if (top.triangle >= 0 || !top.moves) return;
  const Index left = top.left, right = top.right;
  separate_within(k, now, left);
  separate_within(k, now, right);
  separate(k, now, left, right);
}

// --- events

void check_slab(Kinetic& k, Tick now, Index which) {
  Slab& slab = k.s.slabs[which];
  slab.until = slab_until(k.view(), now, slab);
  if (slab.until <= now) return make_slab(k, now, which);
  ++k.events().c_reconfirmed;
  schedule(k, slab.until, true, which);
}

void check_separation(Kinetic& k, Tick now, Index which) {
  const auto [a, b, was_until, held] = k.s.list[which];
  const Tick until = nodes_apart(k, now, a, b);
  k.s.list[which].until = until;
  if (until > now) {
    ++k.events().c_reconfirmed;
    return schedule(k, until, false, which);
  }
  ++k.events().c_failures;
  k.s.list[which].holds = false;
  descend(k, now, a, b);
}

void fail_first(Kinetic& k, Tick now) {
  const KineticScratch::Failure first = k.s.queue.top();
  k.s.queueing.add([&] { k.s.queue.pop(); });
  if (first.is_slab) {
    if (k.s.slabs[first.which].until == first.time) check_slab(k, now, first.which);
  } else if (const Separation& some = k.s.list[first.which]; some.holds && some.until == first.time) {
    check_separation(k, now, first.which);
  }
  k.course.sums.events += 1;
}

void reschedule_slab(Kinetic& k, Tick now, Index which, Index vertex) {
  Slab& slab = k.s.slabs[which];
  for (std::size_t i = 0; i < 4; ++i) {
    if (slab.vertices[i] != vertex) continue;
    const Tick until = slab_until(k.view(), now, slab, i);
    if (until >= slab.until) continue;
    slab.until = until;
    schedule(k, until, true, which);
    ++k.events().c_rescheduled;
  }
}

void reschedule_node(Kinetic& k, Tick now, Index node) {
  std::vector<Index>& certificates = k.s.of_node[node];
  std::erase_if(certificates, [&](Index which) { return !k.s.list[which].holds; });
  for (const Index which : certificates) {
    Separation& some = k.s.list[which];
    const Tick until = std::max(now, apart_until(k.view(), now, k.rules.thickness.most + k.margin,
                                                 k.s.tree.nodes[some.a], k.s.tree.nodes[some.b]));
    if (until >= some.until) continue;
    some.until = until;
    schedule(k, until, false, which);
    ++k.events().c_rescheduled;
  }
}

// For what flies with this velocity to the end of the step.
void widen_margin(Kinetic& k, const Vec3& x, const Vec3& v) {
  const double largest = (x.cwiseAbs() + k.course.bodies.flights.dt * v.cwiseAbs()).maxCoeff();
  k.margin = std::max(k.margin, rounding * largest);
}

// `vertex` may have been kicked.
void look_at_tube(Kinetic& k, Tick now, Index vertex) {
  KineticScratch& s = k.s;
  const std::span<const Index> nodes = s.tree.nodes.empty() ? std::span<const Index>() : s.tree.above.of(vertex);
  if (nodes.empty() && s.of_vertex[vertex].empty()) return;
  const Vec3 v = block(k.course.bodies.flights.v, vertex);
  const double vagueness = k.options.asynchronous.vagueness;
  Tube& tube = s.tubes[vertex];
  if (vagueness > 0) {
    s.kicks[vertex] += 1;
    s.strength[vertex] += (v - s.last[vertex]).norm();
    s.last[vertex] = v;
  }
  if ((v - tube.v).squaredNorm() <= tube.strays * tube.strays) return;
  if (!v.allFinite()) {
    k.end.status = StepStatus::breakdown;
    return;
  }
  tube.v = v;
  if (vagueness > 0) tube.strays = vagueness * s.strength[vertex] / s.kicks[vertex];
  ++k.events().c_tubes;
  widen_margin(k, k.course.bodies.flights.at(vertex, now), v);
  for (const Index which : s.of_vertex[vertex]) reschedule_slab(k, now, which, vertex);
  for (const Index node : nodes)
    if (steepen(k.view(), now, vertex, s.tree.nodes[node])) reschedule_node(k, now, node);
}

// All vertices that the kicks of this tick may have reached.
void look_at_tubes(Kinetic& k, Tick now) {
  if (k.course.free_clocks != nullptr) {
    for (const Index vertex : k.course.free_clocks->kicked) look_at_tube(k, now, vertex);
    return;
  }
  const int level = coarsest_at(now);
  const KickPlan& plan = k.course.bodies.plan;
  if (level <= plan.finest) {
    for (Index item = 0; item < plan.vertices.count[level]; ++item) look_at_tube(k, now, plan.vertices.items[item]);
  }
  if (level > k.course.table.finest()) return;
  const std::vector<Index>& pairs = k.course.table.by_level[level];
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (k.course.pair_kicks[i].layers == 0) continue;
    for (const Index vertex : k.course.table.pairs[pairs[i]].vertices) look_at_tube(k, now, vertex);
  }
}

// Pairs that are not closed any more lose layers, and their slabs keep them farther apart.
void give_up_layers(Kinetic& k, Tick now) {
  PairTable& table = k.course.table;
  std::vector<double> distance;
  std::vector<std::pair<ContactId, Index>> depth;
  for (const ActivePair& pair : table.pairs) {
    distance.push_back(nearest_of(pair, places(k.course.bodies.flights, pair.vertices, now)).distance);
    const double nearest = std::min(pair.nearest, distance.back());
    k.events().deepest = std::max(k.events().deepest, layers_at(k.course.law.layers, nearest, pair.thickness));
    depth.emplace_back(pair.id, pair.depth());
  }
  forget_layers(k.course.law, distance, table);
  k.levels_changed = true;
  for (ActivePair& pair : table.pairs) pair.nearest = std::numeric_limits<double>::infinity();
  for (const auto& [id, before] : depth) {
    const ActivePair* left = find(table, id);
    const Index now_active = left == nullptr ? 0 : left->depth();
    const auto slab = k.s.slab_of.find(id);
    if (now_active == before || slab == k.s.slab_of.end()) continue;
    k.s.slabs[slab->second].depth = now_active;
    make_slab(k, now, slab->second);
    if (k.end.status != StepStatus::converged) return;
  }
}

void begin(Kinetic& k) {
  KineticScratch& s = k.s;
  const Flights& f = k.course.bodies.flights;
  if (s.tree.nodes.empty() && k.options.detect_collisions) s.tree = make_dop_tree(k.surface(), f.x);
  const std::size_t vertices = f.time.size();
  s.tubes.resize(vertices);
  s.kicks.resize(vertices, 0.0);
  s.strength.resize(vertices, 0.0);
  s.last.resize(vertices);
  s.list.clear();
  s.of_node.assign(s.tree.nodes.size(), {});
  s.slabs.clear();
  s.of_vertex.assign(vertices, {});
  s.slab_of.clear();
  s.queue = {};
  for (DopNode& node : s.tree.nodes) node.tight = -1;
  for (Index i = 0; i < static_cast<Index>(vertices); ++i) {
    s.tubes[i].v = s.last[i] = block(f.v, i);
    widen_margin(k, block(f.x, i), block(f.v, i));
  }
  for (ActivePair& pair : k.course.table.pairs) pair.nearest = std::numeric_limits<double>::infinity();
  for (const ActivePair& limit : all_limits(k.rules)) {
    add_slab(k, 0, {limit.kind, limit.pair, limit.vertices, limit.thickness, limit.bound});
    if (k.end.status != StepStatus::converged) return;
  }
  if (!s.tree.nodes.empty()) separate_within(k, 0, 0);
}

// False where the step ends.
bool goes_on(Kinetic& k) {
  if (k.options.contact.stop.asked()) k.end.status = StepStatus::interrupted;
  if (k.course.sums.events > k.options.asynchronous.max_events) k.end.status = StepStatus::event_limit;
  return k.end.status == StepStatus::converged;
}

// The first tick of a clock at `now` or later that has not ticked.
Tick next_kick(Kinetic& k, Tick now, Tick kicked) {
  FreeClocks* clocks = k.course.free_clocks;
  const Tick after = std::max(now - 1, kicked);
  if (clocks != nullptr) {
    if (k.levels_changed) start_pairs(k.course.table, k.course.bodies.flights, after, *clocks);
    k.levels_changed = false;
    return clocks->next();
  }
  if (k.levels_changed) find_levels(k.course.table);
  k.levels_changed = false;
  const Tick between = ticks_of(std::max(k.course.bodies.plan.finest, k.course.table.finest()));
  return (after + between) / between * between;
}

}  // namespace

CourseEnd fly_with_certificates(const Course& course, const PairRules& rules, const Options& options,
                                KineticScratch& scratch) {
  Kinetic k{course, rules, options, scratch, 0, {}, true};
  Stopwatch watch;
  scratch.seconds = 0;
  scratch.queueing = {};
  begin(k);
  const bool is_free = course.free_clocks != nullptr;
  if (is_free) start_bodies(course.bodies, 0, *course.free_clocks);
  if (is_free) course.sums.energy_first = pair_energy(course, 0);
  const Tick round = ticks_of(std::max(0, course.bodies.plan.finest - kicks_a_round));
  Tick now = 0, kicked = is_free ? 0 : -1, rounds = 0;
  while (goes_on(k)) {
    const Tick next = next_kick(k, now, kicked);
    if (!scratch.queue.empty() && scratch.queue.top().time <= std::min(next, ticks_a_step)) {
      now = std::max(now, scratch.queue.top().time);
      fail_first(k, now);
      continue;
    }
    if (next > ticks_a_step) break;
    now = kicked = next;
    scratch.seconds += watch.lap();
    tick(course, now);
    watch.lap();
    look_at_tubes(k, now);
    if (now / round == rounds || k.end.status != StepStatus::converged) continue;
    rounds = now / round;
    give_up_layers(k, now);
  }
  if (is_free && k.end.status == StepStatus::converged) {
    course.sums.energy_last = pair_energy(course, ticks_a_step);
    give_up_layers(k, ticks_a_step);
  }
  scratch.seconds += watch.lap();
  return k.end;
}

}  // namespace sim
