// Detection on heaps of 120, 480 and 1,920 rings (17,280 faces and 4 and 16 times as many), on one core. Argument 0:
// 120 rings in stacks, face on face.
#include <benchmark/benchmark.h>

#include <memory>

#include "benchmarks/ring_heap.hpp"
#include "collide/check.hpp"
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

BENCHMARK(refit_and_candidates)->Arg(stacks)->Arg(1)->Arg(4)->Arg(16)->Unit(::benchmark::kMillisecond);
BENCHMARK(refit_alone)->Arg(1)->Arg(4)->Arg(16)->Unit(::benchmark::kMillisecond);
BENCHMARK(build_alone)->Arg(1)->Arg(4)->Arg(16)->Unit(::benchmark::kMillisecond);
BENCHMARK(check_all)->Arg(stacks)->Arg(1)->Arg(4)->Arg(16)->Unit(::benchmark::kMillisecond);
BENCHMARK(exact_intersections)->Arg(1)->Unit(::benchmark::kMillisecond);

}  // namespace
