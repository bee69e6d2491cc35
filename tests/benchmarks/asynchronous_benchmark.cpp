// A tick of the method acm: all springs and hinges of a sheet, and its vertices.
#include <benchmark/benchmark.h>

#include "asynchronous/kicks.hpp"
#include "elasticity/damped_forces.hpp"
#include "elasticity/element_at.hpp"
#include "mesh/generate.hpp"
#include "model/state.hpp"

namespace sim {
namespace {

struct Sheet {
  Model model;
  Options options;
  State state;
  KickPlan plan;

  explicit Sheet(Index cells) {
    model.materials = {{.name = "m",
                        .model = MaterialModel::edge_springs,
                        .density = 1,
                        .thickness = 0.1,
                        .stretch = 100,
                        .bend = 1e-3,
                        .mass_damping = 0.5,
                        .stiffness_damping = 1e-5}};
    const Mesh mesh =
        generate(SheetShape{.size = {1, 1}, .cells = {cells, cells}, .pattern = SheetPattern::equilateral});
    const auto vertices = static_cast<Index>(mesh.vertices.size());
    model.mesh = mesh;
    model.objects.push_back({.name = "sheet", .type = ObjectType::deformable, .material = 0});
    model.objects.back().vertices = {0, vertices};
    model.objects.back().triangles = {0, static_cast<Index>(mesh.triangles.size())};
    model.initial_velocity = VecX::Zero(3 * Eigen::Index{vertices});
    options.detect_collisions = false;
    options.dt = 1e-4;
    finish_model(model);
    state = initial_state(model);
    for (Index i = 0; i < vertices; ++i) state.x[3 * i + 2] += 1e-4 * std::sin(7 * i);
    plan = make_kick_plan(model, options);
  }
};

double elements_of(const Sheet& sheet) {
  return static_cast<double>(sheet.model.elastic.springs.size() + sheet.model.elastic.hinges.size());
}

// kept: whether the ways of the vertices are, as in a window of 256 ticks.
void kick(benchmark::State& state, bool kept) {
  const Sheet sheet(static_cast<Index>(state.range(0)));
  Flights flights;
  VertexLedger ledger;
  KickBuffers buffers;
  StepEvents events;
  Guides guides;
  LoadForces loads;
  begin_flights(sheet.state.x, sheet.state.v, sheet.options.dt, flights);
  ledger.begin(sheet.model, sheet.plan);
  const InFlight bodies{sheet.model, sheet.plan, guides, loads, flights, ledger};
  const Tick between = ticks_of(sheet.plan.finest);
  Tick now = 0;
  int ticks = 0;
  for (auto _ : state) {
    if (kept && ticks++ % 256 == 0) flights.ways.begin(flights.time.size());
    now = now + between < ticks_a_step ? now + between : between;
    if (now == between) std::fill(flights.time.begin(), flights.time.end(), 0);
    kick_bodies(bodies, now, buffers, events);
  }
  state.counters["vertices"] = static_cast<double>(flights.time.size());
  state.counters["kicks"] =
      benchmark::Counter(static_cast<double>(events.kicks_spring + events.kicks_hinge), benchmark::Counter::kIsRate);
}
BENCHMARK_CAPTURE(kick, of_a_tick, false)->Arg(30)->Arg(90)->Arg(120)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(kick, kept_for_a_window, true)->Arg(30)->Arg(90)->Arg(120)->Unit(benchmark::kMicrosecond);

// The same forces an element at a time.
void one_by_one(benchmark::State& state) {
  const Sheet sheet(static_cast<Index>(state.range(0)));
  const ElasticBodies& bodies = sheet.model.elastic;
  std::array<double, 12> forces{};
  double damped = 0;
  for (auto _ : state) {
    for (const Spring& spring : bodies.springs)
      damped += damped_forces(spring, corners_at(spring, sheet.state.x), corners_at(spring, sheet.state.v), 1e-5,
                              forces.data());
    for (const Hinge& hinge : bodies.hinges)
      damped += damped_forces(hinge, corners_at(hinge, sheet.state.x), corners_at(hinge, sheet.state.v), 1e-5,
                              forces.data());
    benchmark::DoNotOptimize(damped);
  }
  state.counters["kicks"] = benchmark::Counter(elements_of(sheet), benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(one_by_one)->Arg(90)->Unit(benchmark::kMicrosecond);

void four_by_four(benchmark::State& state) {
  const Sheet sheet(static_cast<Index>(state.range(0)));
  std::vector<Pack> rows(sheet.plan.rows.vertex.size(), Pack(0.0)), damping = rows;
  const std::vector<double> h(finest_level + 1, 1e-6);
  const VecX rates = VecX::Zero(3 * static_cast<Eigen::Index>(sheet.plan.slots.level.size()));
  const PackMoment now{sheet.state.x, rates, h};
  for (auto _ : state) {
    add_impulses(sheet.plan.springs, now, {rows, damping});
    add_impulses(sheet.plan.hinges, now, {rows, damping});
    benchmark::ClobberMemory();
  }
  state.counters["kicks"] = benchmark::Counter(elements_of(sheet), benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(four_by_four)->Arg(90)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace sim
