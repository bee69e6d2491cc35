#include "asynchronous/windows.hpp"

#include <algorithm>

#include "math/parallel.hpp"
#include "math/stopwatch.hpp"

namespace sim {

namespace {

constexpr int kicks_a_window = 5;   // as a power of two, of the finest clock inside the bodies
constexpr int reruns_a_window = 3;  // then it is halved
constexpr Index candidates_a_chunk = 32;
constexpr Index most_foreseen = 40;   // layers: more only where looking back has found that they are needed
constexpr double rounding = 0x1p-48;  // of coordinates: of points of one flight computed anew, and of chords

struct Windows {
  const Course& course;
  const PairRules& rules;
  const Options& options;
  WindowScratch& s;
  WindowEnd end;
};

void save(Windows& w) {
  const Flights& f = w.course.bodies.flights;
  w.s.saved = {f.x,
               f.v,
               f.time,
               w.course.bodies.ledger,
               w.course.table.pairs,
               w.course.buffers.damped,
               w.course.sums,
               w.course.events};
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
  w.course.buffers.damped = saved.damped;
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

void keep_paths(Windows& w, Tick begin) {
  Flights& f = w.course.bodies.flights;
  f.paths.resize(f.time.size());
  for (const Index i : w.rules.model.surface.vertices) f.paths[i].assign(1, {begin, f.at(i, begin)});
}

// Boxes of the paths, to the end of the window; the largest coordinate of any. NaN where a place is none.
double close_paths(Windows& w, Tick end) {
  Flights& f = w.course.bodies.flights;
  w.s.boxes.resize(f.time.size());
  double largest = 0;
  bool finite = true;
  for (const Index i : w.rules.model.surface.vertices) {
    std::vector<Knot>& path = f.paths[i];
    if (path.back().time < end) path.push_back({end, f.at(i, end)});
    Box box{Eigen::Array4d::Constant(std::numeric_limits<double>::infinity()),
            Eigen::Array4d::Constant(-std::numeric_limits<double>::infinity())};
    for (const Knot& knot : path) {
      finite = finite && knot.x.allFinite();
      const Eigen::Array4d x(knot.x[0], knot.x[1], knot.x[2], 0.0);
      box = {box.low.min(x), box.high.max(x)};
    }
    w.s.boxes[i] = box;
    largest = std::max({largest, box.low.abs().maxCoeff(), box.high.abs().maxCoeff()});
  }
  return finite ? largest : std::numeric_limits<double>::quiet_NaN();
}

void test_pair(const Windows& w, ContactKind kind, Pair pair, Tick begin, Tick end, double margin,
               std::vector<WindowScratch::Near>& near) {
  const std::array<Index, 4> vertices = stencil(w.rules.model.surface, kind, pair);
  const ActivePair* active = find(w.course.table, contact_id(kind, pair));
  const double thickness = active != nullptr ? active->thickness : pair_thickness(w.rules, kind, vertices);
  const Index depth = active != nullptr ? active->depth() : 0;
  PathTest test{kind, {}, thickness * w.course.law.layers.nearness[depth + 1] + margin};
  for (std::size_t k = 0; k < 4; ++k) test.paths[k] = w.course.bodies.flights.paths[vertices[k]];
  if (const auto approach = comes_near(test, begin, end)) near.push_back({kind, pair, *approach});
}

// Pairs whose layers are not proven to have been enough.
void find_near(Windows& w, Tick begin, Tick end, double largest) {
  DetectionOptions detection = w.options.detection;
  const double margin = rounding * largest;
  detection.separation = 2 * w.rules.thickness + margin;  // twice: what is next to come, too
  find_candidates(w.rules.model.surface, w.s.boxes, detection, w.s.detection, w.s.candidates);
  const Candidates& c = w.s.candidates;
  const Index chunks = (c.size() + candidates_a_chunk - 1) / candidates_a_chunk;
  w.s.near.resize(static_cast<std::size_t>(chunks));
  for (auto& near : w.s.near) near.clear();
  const auto faces = static_cast<Index>(c.vertex_face.size());
  parallel_for(c.size(), candidates_a_chunk, [&](Index first, Index last) {
    for (Index k = first; k < last; ++k) {
      const bool face = k < faces;
      test_pair(w, face ? ContactKind::vertex_face : ContactKind::edge_edge,
                face ? c.vertex_face[k] : c.edge_edge[k - faces], begin, end, margin,
                w.s.near[first / candidates_a_chunk]);
    }
  });
  w.course.events.c_proofs += c.size();
}

// As deep as it was seen, but not much deeper than it is: what it did without these layers is not what it will do.
// What a window begins with is true.
Index wanted_depth(const Windows& w, const ActivePair& pair, const Approach& approach, Tick begin) {
  const Layers& layers = w.course.law.layers;
  const Index seen = layers_at(layers, approach.distance, pair.thickness);
  const double at_start = nearest_of(pair.kind, places(w.course.bodies.flights, pair.vertices, begin)).distance;
  const Index there = layers_at(layers, at_start, pair.thickness);
  return std::max(there, std::clamp(seen, pair.depth() + 1, 2 * pair.depth() + 2));
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

// What is going to come near in this window, if it goes on as it begins, gets the layers that its impact will need:
// to look back would find so too, but with the window flown several times.
void foresee(Windows& w, Tick begin, Tick end) {
  const CollisionSurface& surface = w.rules.model.surface;
  const Flights& f = w.course.bodies.flights;
  const Layers& layers = w.course.law.layers;
  const double seconds = static_cast<double>(end - begin) * length_of(finest_level, f.dt);
  std::vector<ActivePair> added;
  const auto look = [&](ContactKind kind, const Pair& id) {
    const std::array<Index, 4> vertices = stencil(surface, kind, id);
    const Nearest near = nearest_of(kind, places(f, vertices, begin));
    double closing = 0;  // m^2/s: times the distance
    for (std::size_t k = 0; k < 4; ++k) closing -= near.weights[k] * near.r.dot(block(f.v, vertices[k]));
    if (!(closing > 0) || near.distance - closing / near.distance * seconds > w.rules.thickness) return;
    ActivePair* active = find(w.course.table, contact_id(kind, id));
    ActivePair made = active == nullptr ? make_active(w.rules, kind, id) : ActivePair{};
    ActivePair& pair = active == nullptr ? made : *active;
    const double speed = closing / near.distance;
    const double depth = layers_of_impact(layers.stiffness, pair.thickness, 0.5 * speed * speed / pair.inverse_mass);
    const Index reached = layers_at(layers, near.distance - speed * seconds, pair.thickness);
    const double wanted = std::min({std::max(1.0, depth), double{most_foreseen}, double(reached)});
    if (!(wanted > pair.depth()) ||
        !set_depth(w.course.law, std::min(static_cast<Index>(wanted), layers.most()), pair))
      return;
    if (active == nullptr) added.push_back(made);
  };
  for (const Pair& id : w.s.candidates.vertex_face) look(ContactKind::vertex_face, id);
  for (const Pair& id : w.s.candidates.edge_edge) look(ContactKind::edge_edge, id);
  insert(added, w.course.table);
}

// One try. False where it has to be flown again, or where the step ends (WindowEnd::status).
bool fly_once(Windows& w, Tick begin, Tick end) {
  keep_paths(w, begin);
  find_levels(w.course.table);
  for (ActivePair& pair : w.course.table.pairs) pair.nearest = std::numeric_limits<double>::infinity();
  fly(w.course, begin, end);
  if (w.options.contact.stop.asked()) w.end.status = StepStatus::interrupted;
  if (w.course.sums.events > w.options.asynchronous.max_events) w.end.status = StepStatus::event_limit;
  const double largest = close_paths(w, end);
  if (!std::isfinite(largest)) w.end.status = StepStatus::breakdown;
  if (w.end.status != StepStatus::converged) return false;
  Stopwatch watch;
  find_near(w, begin, end, largest);
  w.s.seconds += watch.lap();
  return !any_near(w);
}

void accept(Windows& w, Tick end) {
  PairTable& table = w.course.table;
  StepEvents& events = w.course.events;
  ++events.c_windows;
  std::vector<double> distance;
  for (const ActivePair& pair : table.pairs) {
    distance.push_back(nearest_of(pair.kind, places(w.course.bodies.flights, pair.vertices, end)).distance);
    const double nearest = std::min(pair.nearest, distance.back());
    events.deepest = std::max(events.deepest, layers_at(w.course.law.layers, nearest, pair.thickness));
  }
  forget_layers(w.course.law, distance, table);
}

}  // namespace

WindowEnd fly_in_windows(const Course& course, const PairRules& rules, const Options& options,
                         WindowScratch& scratch) {
  Windows w{course, rules, options, scratch, {}};
  scratch.seconds = 0;
  const Tick longest = ticks_of(std::max(0, course.bodies.plan.finest - kicks_a_window));
  Tick begin = 0, length = longest;
  while (begin < ticks_a_step) {
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
    if (length < longest && begin % (2 * length) == 0) length *= 2;
  }
  return w.end;
}

}  // namespace sim
