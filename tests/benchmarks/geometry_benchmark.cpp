// What one question to the room geometry costs, from pairs whose boxes are apart to near misses; random pairs in
// turn.
#include <benchmark/benchmark.h>

#include <vector>

#include "geometry/closest_points.hpp"
#include "geometry/motions.hpp"
#include "geometry/triangle_intersection.hpp"

namespace sim {
namespace {

constexpr int pairs = 1024;

Vec3 random_point(Random& random) {
  return {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
}

ContinuousResult collision(const MovingPoints& m, bool edges) {
  return edges ? edge_edge_collision(m, 1e-6) : vertex_face_collision(m, 1e-6);
}

// Asks one question of the list an iteration, and counts the samples of the distance that it took.
void run_collisions(benchmark::State& state, const std::vector<MovingPoints>& list, bool edges) {
  std::size_t i = 0;
  std::int64_t samples = 0, hits = 0;
  for (auto _ : state) {
    const MovingPoints& m = list[i++ % list.size()];
    const ContinuousResult result = collision(m, edges);
    samples += result.samples;
    hits += result.hit;
  }
  const auto count = static_cast<double>(state.iterations());
  state.counters["samples"] = static_cast<double>(samples) / count;
  state.counters["hits"] = static_cast<double>(hits) / count;
}

std::vector<MovingPoints> motions(int kind, bool edges) {
  Random random(1);
  std::vector<MovingPoints> list;
  for (int i = 0; i < pairs; ++i) list.push_back(reference::random_motion(random, kind, edges));
  return list;
}

// The boxes of the motions are apart.
void Rejected(benchmark::State& state) {
  const bool edges = state.range(0) == 1;
  std::vector<MovingPoints> list = motions(reference::small_steps, edges);
  const int first_of_second = edges ? 2 : 1;
  for (MovingPoints& m : list) {
    for (int k = first_of_second; k < 4; ++k) {
      m.x0[k] += Vec3(0, 0, 5);
      m.x1[k] += Vec3(0, 0, 5);
    }
  }
  std::erase_if(list, [&](const MovingPoints& m) { return collision(m, edges).samples > 0; });
  run_collisions(state, list, edges);
}
BENCHMARK(Rejected)->ArgName("edges")->Arg(0)->Arg(1);

// The boxes meet, the pair stays apart: neighbours at a distance of about their size.
void Neighbours(benchmark::State& state) {
  const bool edges = state.range(0) == 1;
  std::vector<MovingPoints> list;
  Random random(2);
  while (list.size() < pairs) {
    MovingPoints m = reference::random_motion(random, reference::uniform, edges);
    for (int k = 0; k < 4; ++k) m.x1[k] = m.x0[k] + 0.05 * random_point(random);
    const ContinuousResult result = collision(m, edges);
    if (!result.hit && result.samples > 0) list.push_back(m);
  }
  run_collisions(state, list, edges);
}
BENCHMARK(Neighbours)->ArgName("edges")->Arg(0)->Arg(1);

void HardMotions(benchmark::State& state) {
  const int kind = static_cast<int>(state.range(1));
  run_collisions(state, motions(kind, state.range(0) == 1), state.range(0) == 1);
  state.SetLabel(reference::name_of(kind));
}
BENCHMARK(HardMotions)
    ->ArgNames({"edges", "kind"})
    ->ArgsProduct({{0, 1}, {reference::small_steps, reference::near_miss, reference::grazing}});

using Corners = std::array<Vec3, 4>;

template <class Function>
void run_on_corners(benchmark::State& state, const Function& function) {
  Random random(3);
  std::vector<Corners> list(pairs);
  for (Corners& x : list) {
    for (Vec3& p : x) p = random_point(random);
  }
  std::size_t i = 0;
  for (auto _ : state) {
    const Corners& x = list[i++ % list.size()];
    benchmark::DoNotOptimize(function(x[0], x[1], x[2], x[3]));
  }
}
void PointAndTriangle(benchmark::State& state) {
  run_on_corners(state, closest_point_triangle);
}
BENCHMARK(PointAndTriangle);
void TwoSegments(benchmark::State& state) {
  run_on_corners(state, closest_segment_segment);
}
BENCHMARK(TwoSegments);

using Pair = std::array<TriangleCorners, 2>;

void run_on_triangles(benchmark::State& state, const std::vector<Pair>& list) {
  std::size_t i = 0;
  std::int64_t intersections = 0;
  for (auto _ : state) {
    const Pair& pair = list[i++ % list.size()];
    intersections += is_intersection(triangles_intersect(pair[0], pair[1]));
  }
  state.counters["intersect"] = static_cast<double>(intersections) / static_cast<double>(state.iterations());
}

// Triangles of size 1 whose centres are `spread` apart.
std::vector<Pair> triangle_pairs(double spread, bool coplanar) {
  Random random(4);
  std::vector<Pair> list(pairs);
  for (Pair& pair : list) {
    for (TriangleCorners& t : pair) {
      const Vec3 centre = spread * random_point(random);
      for (Vec3& p : t) {
        p = centre + random_point(random);
        if (coplanar) p[2] = 0.1;
      }
    }
  }
  return list;
}

void TrianglesFarApart(benchmark::State& state) {
  run_on_triangles(state, triangle_pairs(5, false));
}
BENCHMARK(TrianglesFarApart);
void TrianglesThatMayMeet(benchmark::State& state) {
  run_on_triangles(state, triangle_pairs(0.2, false));
}
BENCHMARK(TrianglesThatMayMeet);
void TrianglesInOnePlane(benchmark::State& state) {  // no filter decides: exact arithmetic throughout
  run_on_triangles(state, triangle_pairs(0.2, true));
}
BENCHMARK(TrianglesInOnePlane);

}  // namespace
}  // namespace sim
