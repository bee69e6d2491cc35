// Detection on heaps of 120, 480 and 1,920 rings (17,280 faces and 4 and 16 times as many), on one core. Argument 0:
// 120 rings in stacks, face on face.
#include <benchmark/benchmark.h>

#include <memory>

#include "benchmarks/ring_heap.hpp"
#include "collide/check.hpp"
#include "collide/contact_set.hpp"
#include "collide/intersections.hpp"

namespace {

using namespace sim;

constexpr double dt = 0.001;

constexpr Index stacks = 0;  // in place of a number of copies

const sim::benchmark::Heap& heap(Index copies) {
  static std::vector<std::unique_ptr<sim::benchmark::Heap>> made(32);
  if (copies == stacks && !made[0]) made[0] = std::make_unique<sim::benchmark::Heap>(sim::benchmark::ring_stacks());
  if (!made[copies]) made[copies] = std::make_unique<sim::benchmark::Heap>(sim::benchmark::ring_heap(120, copies, 1));
  return *made[copies];
}

// The heap, a little farther along with every step, so that every refit has work to do.
struct Detected {
  const sim::benchmark::Heap& h;
  Detection detection;
  Candidates candidates;
  VecX x;
  int steps = 0;

  explicit Detected(const sim::benchmark::Heap& of) : h(of), x(of.x) { detect(); }
  void detect() {
    x = h.x + 1e-5 * (steps++ % 16) * h.v;
    find_candidates(h.surface, {x, h.v, dt}, {}, detection, candidates);
  }
};

void report(::benchmark::State& state, const Detected& d) {
  state.counters["faces"] = static_cast<double>(d.h.surface.triangles.size());
  state.counters["vertex_face"] = static_cast<double>(d.candidates.vertex_face.size());
  state.counters["edge_edge"] = static_cast<double>(d.candidates.edge_edge.size());
}

void refit_and_candidates(::benchmark::State& state) {
  Detected d(heap(static_cast<Index>(state.range(0))));
  for (auto _ : state) d.detect();
  report(state, d);
  state.counters["rebuilds"] = d.detection.rebuilds;
}

void refit_alone(::benchmark::State& state) {
  Detected d(heap(static_cast<Index>(state.range(0))));
  for (auto _ : state) {
    compute_reach(d.h.surface, {d.x, d.h.v, dt}, {}, d.detection.reach);
    refit(d.detection.reach.triangle, 0, d.detection.bvh);
  }
}

void build_alone(::benchmark::State& state) {
  Detected d(heap(static_cast<Index>(state.range(0))));
  for (auto _ : state) build(d.h.surface, d.detection.reach.triangle, 0, d.detection.bvh);
}

void check_all(::benchmark::State& state) {
  const Detected d(heap(static_cast<Index>(state.range(0))));
  const VecX x1 = d.x + dt * d.h.v;
  CheckBuffers buffers;
  std::vector<Hit> hits;
  for (auto _ : state) check_candidates(d.h.surface, d.candidates, d.x, x1, {}, buffers, hits);
  report(state, d);
  state.counters["hits"] = static_cast<double>(hits.size());
}

void exact_intersections(::benchmark::State& state) {
  const sim::benchmark::Heap& h = heap(static_cast<Index>(state.range(0)));
  std::size_t found = 0;
  for (auto _ : state) found = find_overlaps(h.surface, h.x).size();
  state.counters["found"] = static_cast<double>(found);
}

// A sheet of side x side squares that moves through a fixed one, turned against it so that all kinds of pairs meet.
struct Sheets {
  CollisionSurface surface;
  VecX x0, x1;
  std::vector<Hit> hits;

  explicit Sheets(Index side) {
    std::vector<Triangle> triangles;
    const Index vertices = (side + 1) * (side + 1);
    x0.resize(3 * Eigen::Index{2} * vertices);
    VecX v = VecX::Zero(x0.size());
    for (Index sheet = 0; sheet < 2; ++sheet) {
      const Index first = sheet * vertices;
      const double turn = 0.01 * sheet;
      for (Index i = 0; i < vertices; ++i) {
        const double x = 0.01 * (i % (side + 1)), y = 0.01 * (i / (side + 1));
        block(x0, first + i) << x - turn * y, y + turn * x, 1e-4 * sheet;
        block(v, first + i)[2] = -0.2 * sheet;
      }
      for (Index i = 0; i < side * side; ++i) {
        const Index a = first + i / side * (side + 1) + i % side, b = a + 1, c = a + side + 1, d = c + 1;
        triangles.push_back({a, b, d});
        triangles.push_back({a, d, c});
      }
    }
    std::vector<Index> object(static_cast<std::size_t>(2 * vertices), 0);
    std::vector<std::uint8_t> moves(object.size(), 0);
    std::fill(object.begin() + vertices, object.end(), 1);
    std::fill(moves.begin() + vertices, moves.end(), 1);
    surface = make_surface(triangles, object, moves);
    x1 = x0 + dt * v;
    Detection detection;
    Candidates candidates;
    CheckBuffers buffers;
    find_candidates(surface, {x0, v, dt}, {}, detection, candidates);
    check_candidates(surface, candidates, x0, x1, {}, buffers, hits);
  }
};

// `left`: half of the pairs are ones that contacts have left in this step.
void add_contacts_of_sheets(::benchmark::State& state, bool left) {
  const Sheets sheets(static_cast<Index>(state.range(0)));
  ContactSet set;
  for (auto _ : state) {
    state.PauseTiming();
    set = {};
    for (std::size_t i = 0; left && i < sheets.hits.size(); i += 2)
      set.left.push_back(contact_id(sheets.hits[i].kind, sheets.hits[i].pair));
    state.ResumeTiming();
    add_contacts(sheets.surface, sheets.hits, sheets.x0, sheets.x1, set);
  }
  state.counters["hits"] = static_cast<double>(sheets.hits.size());
  state.counters["contacts"] = static_cast<double>(set.contacts.size());
}

BENCHMARK_CAPTURE(add_contacts_of_sheets, new_pairs, false)
    ->Arg(32)
    ->Arg(100)
    ->Arg(316)
    ->Unit(::benchmark::kMillisecond);
BENCHMARK_CAPTURE(add_contacts_of_sheets, pairs_that_were_left, true)
    ->Arg(32)
    ->Arg(100)
    ->Arg(316)
    ->Unit(::benchmark::kMillisecond);
BENCHMARK(refit_and_candidates)->Arg(stacks)->Arg(1)->Arg(4)->Arg(16)->Unit(::benchmark::kMillisecond);
BENCHMARK(refit_alone)->Arg(1)->Arg(4)->Arg(16)->Unit(::benchmark::kMillisecond);
BENCHMARK(build_alone)->Arg(1)->Arg(4)->Arg(16)->Unit(::benchmark::kMillisecond);
BENCHMARK(check_all)->Arg(stacks)->Arg(1)->Arg(4)->Arg(16)->Unit(::benchmark::kMillisecond);
BENCHMARK(exact_intersections)->Arg(1)->Unit(::benchmark::kMillisecond);

}  // namespace
