#include "asynchronous/windows.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "math/parallel.hpp"
#include "math/stopwatch.hpp"

namespace sim {

namespace {

constexpr int fewest_kicks = 5;  // in a window, as a power of two: of the finest clock inside the bodies
constexpr std::size_t most_knots = std::size_t{1} << 22;  // in a window, of all vertices with mass
constexpr int reruns_a_window = 3;                        // then it is halved
constexpr Index candidates_a_chunk = 32;
constexpr Index most_foreseen = 40;   // layers: more only where looking back has found that they are needed
constexpr double rounding = 0x1p-48;  // of coordinates: of points of one flight computed anew, and of chords

struct Windows {
  const Course& course;
  const PairRules& rules;
  const Options& options;
  WindowScratch& s;
  CourseEnd end;
  Stopwatch watch;
};

void save(Windows& w) {
  const Flights& f = w.course.bodies.flights;
  w.s.saved = {f.x, f.v, f.time, w.course.bodies.ledger, w.course.table.pairs, w.course.sums, w.course.events};
}

// What culling has cost stays counted.
void restore(Windows& w) {
  Flights& f = w.course.bodies.flights;
  const WindowScratch::Saved& saved = w.s.saved;
  f.x = saved.x;
  f.v = saved.v;
  f.time = saved.time;
  w.course.bodies.ledger = saved.ledger;
  w.course.table.pairs = saved.pairs;
  w.course.sums = saved.sums;
  const StepEvents flown = w.course.events;
  StepEvents& events = w.course.events;
  events = saved.events;
  events.c_null_ticks = flown.c_null_ticks;
  events.c_proofs = flown.c_proofs;
  events.c_failures = flown.c_failures;
  events.c_windows = flown.c_windows;
  events.c_reruns = flown.c_reruns + 1;
}

void keep_ways(Windows& w, Tick begin) {
  Flights& f = w.course.bodies.flights;
  f.ways.begin(f.time.size());
  w.s.chords.resize(f.time.size());
  for (Index i = 0; i < static_cast<Index>(f.time.size()); ++i) w.s.chords[i].x0 = f.at(i, begin);
}

Window window_of(const Windows& w, Tick begin, Tick end) {
  return {w.course.bodies.flights, w.course.bodies.plan, begin, end};
}

struct Extent {                    // m, of all ways of a window
  double coordinate = 0, way = 0;  // the largest
};

// NaN where a place is none: what has gone there does not come back.
Extent extent_of(const Windows& w) {
  Extent most;
  for (const Index i : w.rules.model.surface.vertices) {
    const Box& box = w.s.boxes[i];
    if (!w.s.chords[i].x1.allFinite()) return {std::numeric_limits<double>::quiet_NaN(), 0};
    most.coordinate = std::max({most.coordinate, box.low.abs().maxCoeff(), box.high.abs().maxCoeff()});
    most.way = std::max(most.way, (box.high - box.low).maxCoeff());
  }
  return most;
}

// How near pairs come that are looked at: what is in reach of a layer, and what may be in the next window, of twice
// the length (foresee). In quarters: skins of pairs last while it is the same.
double looked_at(double thickness, double way) {
  constexpr double of_next = 4;  // from both sides
  return (1 + std::min(4.0, std::ceil(4 * of_next * way / thickness)) / 4) * thickness;
}

// The pair as it is in the table; `made` where it is not there.
const ActivePair& pair_of(const Windows& w, const WindowScratch::Suspect& s, ActivePair& made) {
  const ActivePair* active = find(w.course.table, s.limit ? s.limit->id : contact_id(s.kind, s.pair));
  if (active != nullptr) return *active;
  if (s.limit != nullptr) return *s.limit;
  made.kind = s.kind;
  made.pair = s.pair;
  made.vertices = stencil(w.rules.model.surface, s.kind, s.pair);
  made.thickness = pair_thickness(w.rules.model, w.rules.thickness, s.kind, made.vertices);
  return made;
}

PathTest test_of(const Windows& w, const ActivePair& pair, double margin) {
  PathTest test{pair, {}, {}, pair.thickness * w.course.law.layers.nearness[pair.depth() + 1] + margin};
  for (std::size_t k = 0; k < 4; ++k) test.chords[k] = w.s.chords[pair.vertices[k]];
  return test;
}

// From the boxes of its ends: the length changes by no more than they are wide.
bool surely_kept(const Windows& w, const ActivePair& limit, double separation) {
  const auto [a, b, same1, same2] = limit.vertices;
  const auto wide = [&](Index i) { return (w.s.boxes[i].high - w.s.boxes[i].low).matrix().norm(); };
  const double length = (w.s.chords[a].x0 - w.s.chords[b].x0).norm(), change = wide(a) + wide(b);
  return (is_upper(limit) ? limit.bound - length : length - limit.bound) - change > separation;
}

void suspect(const Windows& w, const WindowScratch::Suspect& s, double margin,
             std::vector<WindowScratch::Suspect>& suspects) {
  ActivePair made;
  if (may_come_near(test_of(w, pair_of(w, s, made), margin))) suspects.push_back(s);
}

// Pairs whose chords do not prove that their layers were enough.
void find_suspects(Windows& w, double seconds, double way, double margin) {
  DetectionOptions detection = w.options.detection;
  detection.separation = looked_at(w.rules.thickness.most, way) + margin;
  const Flights& f = w.course.bodies.flights;
  if (w.options.detect_collisions)
    find_candidates(w.rules.model.surface, w.s.boxes, {f.x, f.v, seconds}, detection, w.s.detection, w.s.candidates);
  const Candidates& c = w.s.candidates;
  const auto faces = static_cast<Index>(c.vertex_face.size());
  w.s.suspects.resize(static_cast<std::size_t>((c.size() + candidates_a_chunk - 1) / candidates_a_chunk) + 1);
  for (auto& suspects : w.s.suspects) suspects.clear();
  parallel_for(c.size(), candidates_a_chunk, [&](Index first, Index last) {
    for (Index k = first; k < last; ++k) {
      const bool face = k < faces;
      suspect(w,
              {face ? ContactKind::vertex_face : ContactKind::edge_edge,
               face ? c.vertex_face[k] : c.edge_edge[k - faces], nullptr},
              margin, w.s.suspects[first / candidates_a_chunk]);
    }
  });
  for (const ActivePair& limit : w.s.limits)
    if (!surely_kept(w, limit, limit.thickness + margin))
      suspect(w, {limit.kind, limit.pair, &limit}, margin, w.s.suspects.back());
  w.course.events.c_proofs += c.size();
}

void find_paths_of_suspects(Windows& w, Tick begin, Tick end) {
  w.s.wanted.assign(w.s.chords.size(), 0);
  ActivePair made;
  for (const auto& suspects : w.s.suspects)
    for (const WindowScratch::Suspect& s : suspects)
      for (const Index i : pair_of(w, s, made).vertices) w.s.wanted[i] = 1;
  find_paths(window_of(w, begin, end), w.s.wanted, w.s.chords, w.s.paths);
}

// Pairs whose layers are not proven to have been enough.
void find_near(Windows& w, Tick begin, Tick end, const Extent& most) {
  const double margin = rounding * std::ldexp(1.0, std::ilogb(most.coordinate) + 1);  // the same for many windows
  find_suspects(w, static_cast<double>(end - begin) * w.course.bodies.flights.tick, most.way, margin);
  find_paths_of_suspects(w, begin, end);
  w.s.near.resize(w.s.suspects.size());
  parallel_for(static_cast<Index>(w.s.suspects.size()), 1, [&](Index chunk, Index) {
    w.s.near[chunk].clear();
    for (const WindowScratch::Suspect& s : w.s.suspects[chunk]) {
      ActivePair made;
      PathTest test = test_of(w, pair_of(w, s, made), margin);
      for (std::size_t k = 0; k < 4; ++k) test.paths[k] = w.s.paths[test.pair.vertices[k]];
      if (const auto approach = comes_near(test, begin, end)) w.s.near[chunk].push_back({s.kind, s.pair, *approach});
    }
  });
}

// As deep as it was seen and some to spare, but not much deeper than it is: what it did without these layers is not
// what it will do. What a window begins with is true.
Index wanted_depth(const Windows& w, const ActivePair& pair, const Approach& approach, Tick begin) {
  const Layers& layers = w.course.law.layers;
  const Index seen = layers_at(layers, approach.distance, pair.thickness);
  const double at_start = nearest_of(pair, places(w.course.bodies.flights, pair.vertices, begin)).distance;
  const Index there = layers_at(layers, at_start, pair.thickness);
  return std::max(there, std::clamp(with_spare(seen), pair.depth() + 1, 2 * pair.depth() + 2));
}

// More layers for what came near; the state is that of the window's start. False where there are no more.
bool add_layers(Windows& w, Tick begin) {
  std::vector<ActivePair> added;
  for (const auto& chunk : w.s.near) {
    for (const WindowScratch::Near& near : chunk) {
      ++w.course.events.c_failures;
      if (find(w.course.table, contact_id(near.kind, near.pair)) == nullptr)
        added.push_back(make_active(w.rules, near.kind, near.pair));
    }
  }
  insert(added, w.course.table);
  for (const auto& chunk : w.s.near) {
    for (const WindowScratch::Near& near : chunk) {
      ActivePair& pair = *find(w.course.table, contact_id(near.kind, near.pair));
      const Index depth = wanted_depth(w, pair, near.approach, begin);
      if (depth <= w.course.law.layers.most() && set_depth(w.course.law, depth, pair)) continue;
      w.end = {StepStatus::layer_limit, pair};
      return false;
    }
  }
  return true;
}

bool any_near(const Windows& w) {
  return std::any_of(w.s.near.begin(), w.s.near.end(), [](const auto& chunk) { return !chunk.empty(); });
}

struct Outlook {
  ContactKind kind;
  Pair pair;
  Nearest near;      // where the window begins
  double thickness;  // m: no layer pushes farther out
};

// The layers that an impact of this speed needs, if the window goes on as it begins.
void foresee_pair(Windows& w, const Outlook& o, double speed, double seconds, std::vector<ActivePair>& added) {
  const Layers& layers = w.course.law.layers;
  ActivePair* active = find(w.course.table, contact_id(o.kind, o.pair));
  ActivePair made = active == nullptr ? make_active(w.rules, o.kind, o.pair) : ActivePair{};
  ActivePair& pair = active == nullptr ? made : *active;
  const double depth = layers_of_impact(layers.stiffness, pair.thickness, 0.5 * speed * speed / pair.inverse_mass);
  const Index reached = layers_at(layers, o.near.distance - speed * seconds, pair.thickness);
  const double wanted = std::min({std::max(1.0, depth), double{most_foreseen}, double(reached)});
  if (!(wanted > pair.depth()) || !set_depth(w.course.law, std::min(static_cast<Index>(wanted), layers.most()), pair))
    return;
  if (active == nullptr) added.push_back(made);
}

// What is going to come near in this window gets its layers before: to look back would find so too, but with the
// window flown several times.
void foresee(Windows& w, Tick begin, Tick end) {
  const Flights& f = w.course.bodies.flights;
  const double seconds = static_cast<double>(end - begin) * f.tick;
  std::vector<ActivePair> added;
  const auto look = [&](const std::array<Index, 4>& vertices, const Outlook& o) {
    double speed = 0;
    for (std::size_t k = 0; k < 4; ++k) speed -= o.near.weights[k] * o.near.n.dot(block(f.v, vertices[k]));
    if (speed > 0 && o.near.distance - speed * seconds <= o.thickness) foresee_pair(w, o, speed, seconds, added);
  };
  const auto look_at = [&](ContactKind kind, const Pair& pair) {
    const std::array<Index, 4> vertices = stencil(w.rules.model.surface, kind, pair);
    look(vertices, {kind, pair, nearest_of(kind, places(f, vertices, begin)), w.rules.thickness.most});
  };
  for (const Pair& pair : w.s.candidates.vertex_face) look_at(ContactKind::vertex_face, pair);
  for (const Pair& pair : w.s.candidates.edge_edge) look_at(ContactKind::edge_edge, pair);
  for (const ActivePair& limit : w.s.limits)
    look(limit.vertices,
         {limit.kind, limit.pair, nearest_of(limit, places(f, limit.vertices, begin)), limit.thickness});
  insert(added, w.course.table);
}

// One try. False where it has to be flown again, or where the step ends (CourseEnd::status).
bool fly_once(Windows& w, Tick begin, Tick end) {
  keep_ways(w, begin);
  find_levels(w.course.table);
  for (ActivePair& pair : w.course.table.pairs) pair.nearest = std::numeric_limits<double>::infinity();
  w.s.seconds += w.watch.lap();
  fly(w.course, begin, end);
  w.watch.lap();
  if (w.options.contact.stop.asked()) w.end.status = StepStatus::interrupted;
  if (w.course.sums.events > w.options.asynchronous.max_events) w.end.status = StepStatus::event_limit;
  find_chords(window_of(w, begin, end), w.s.boxes, w.s.chords);
  const Extent most = extent_of(w);
  if (!std::isfinite(most.coordinate)) w.end.status = StepStatus::breakdown;
  if (w.end.status != StepStatus::converged) return false;
  find_near(w, begin, end, most);
  return !any_near(w);
}

void accept(Windows& w, Tick end) {
  PairTable& table = w.course.table;
  StepEvents& events = w.course.events;
  ++events.c_windows;
  std::vector<double> distance;
  for (const ActivePair& pair : table.pairs) {
    distance.push_back(nearest_of(pair, places(w.course.bodies.flights, pair.vertices, end)).distance);
    const double nearest = std::min(pair.nearest, distance.back());
    events.deepest = std::max(events.deepest, layers_at(w.course.law.layers, nearest, pair.thickness));
  }
  forget_layers(w.course.law, distance, table);
}

}  // namespace

CourseEnd fly_in_windows(const Course& course, const PairRules& rules, const Options& options,
                         WindowScratch& scratch) {
  Windows w{course, rules, options, scratch, {}, {}};
  scratch.seconds = 0;
  scratch.limits = all_limits(rules);
  const int finest = course.bodies.plan.finest;
  const int most_kicks =
      static_cast<int>(std::bit_width(most_knots / (course.bodies.plan.vertices.items.size() + 1)));
  const Tick shortest = ticks_of(std::max(0, finest - fewest_kicks)),
             longest = std::max(shortest, ticks_of(std::max(0, finest - most_kicks)));
  Tick begin = 0, length = std::clamp(scratch.length, shortest, longest);
  while (begin < ticks_a_step) {
    const std::int64_t reruns = course.events.c_reruns;
    foresee(w, begin, begin + length);
    save(w);
    for (int rerun = 0; !fly_once(w, begin, begin + length); ++rerun) {
      if (w.end.status != StepStatus::converged) return w.end;
      restore(w);
      if (!add_layers(w, begin)) return w.end;
      w.s.saved.pairs = course.table.pairs;
      if (rerun < reruns_a_window || length == 1) continue;
      length /= 2;
      rerun = 0;
    }
    accept(w, begin + length);
    begin += length;
    const bool went_well = length < shortest || course.events.c_reruns == reruns;
    if (went_well && length < longest && begin % (2 * length) == 0) length *= 2;
    if (!went_well) length = std::max(shortest, length / 2);
  }
  scratch.length = length;
  scratch.seconds += w.watch.lap();
  return w.end;
}

}  // namespace sim
