// The Delassus operator by solves with all of A and by solves with the blocks of A that a contact touches, beside
// whole solves by methods that do without it (Verschoor & Jalba 2019, figure 12).
#include <benchmark/benchmark.h>

#include "contact/delassus.hpp"
#include "contact/solve.hpp"

namespace sim {
namespace {

// A tower of elastic blocks that falls onto the floor: each a lattice of springs, with the vertices of its lowest
// layer on the faces of the one below, whose corners share the contact by weights of a vertex beside the middle of a
// face.
struct Tower {
  Index objects, side;  // side^3 vertices an object
};

constexpr double dt = 0.001, mass = 0.002, stiffness = 2000;  // s, kg, N/m of a spring

Index vertex(const Tower& tower, Index object, Index i, Index j, Index k) {
  return ((object * tower.side + k) * tower.side + j) * tower.side + i;
}

// Springs to all neighbours of the lattice that follow in the order, along edges and diagonals.
template <class Visit>
void for_each_spring(const Tower& tower, const Visit& visit) {
  const Index n = tower.side;
  for (Index object = 0; object < tower.objects; ++object) {
    for (Index from = 0; from < n * n * n; ++from) {
      const Index i = from % n, j = from / n % n, k = from / (n * n);
      for (Index to = from + 1; to < n * n * n; ++to) {
        const Vec3 along(to % n - i, to / n % n - j, to / (n * n) - k);
        if (along.cwiseAbs().maxCoeff() > 1) continue;
        visit(vertex(tower, object, 0, 0, 0) + from, vertex(tower, object, 0, 0, 0) + to, Vec3(along.normalized()));
      }
    }
  }
}

void add_contact(ContactProblem& problem, const std::vector<std::pair<Index, double>>& weights) {
  Mat3 rows;  // normal z, tangents x and y
  rows << 0, 0, 1, 1, 0, 0, 0, 1, 0;
  for (const auto& [column, weight] : weights) {
    const Mat3 scaled = dt * weight * rows;
    problem.L.column.push_back(column);
    problem.L.values.insert(problem.L.values.end(), scaled.data(), scaled.data() + 9);
  }
  problem.L.row_begin.push_back(static_cast<Index>(problem.L.column.size()));
}

ContactProblem tower_problem(const Tower& tower) {
  const Index n = tower.side, vertices = tower.objects * n * n * n;
  ContactProblem problem;
  std::vector<std::array<Index, 2>> pairs;
  for_each_spring(tower, [&](Index a, Index b, const Vec3&) { pairs.push_back({a, b}); });
  problem.A = make_pattern(vertices, pairs);
  BlockMatrix& A = problem.A;
  for (Index v = 0; v < vertices; ++v) A.at(A.find(v, v)) = mass * Mat3::Identity();
  for_each_spring(tower, [&](Index a, Index b, const Vec3& along) {
    const Mat3 K = dt * dt * stiffness * along * along.transpose();
    A.at(A.find(a, a)) += K;
    A.at(A.find(b, b)) += K;
    A.at(A.find(a, b)) -= K;
    A.at(A.find(b, a)) -= K;
  });
  problem.b.resize(3 * Eigen::Index{vertices});
  for (Index v = 0; v < vertices; ++v) block(problem.b, v) = mass * Vec3(0.05, 0, -0.1);
  for (Index object = 0; object < tower.objects; ++object) {
    for (Index j = 0; j + 1 < n; ++j) {
      for (Index i = 0; i + 1 < n; ++i) {
        const Index above = vertex(tower, object, i, j, 0);
        if (object == 0) {
          add_contact(problem, {{above, 1.0}});
        } else {
          add_contact(problem, {{vertex(tower, object - 1, i, j, n - 1), -0.4},
                                {vertex(tower, object - 1, i + 1, j, n - 1), -0.3},
                                {vertex(tower, object - 1, i, j + 1, n - 1), -0.3},
                                {above, 1.0}});
        }
      }
    }
  }
  problem.L.values.push_back(0);
  problem.c.setZero(3 * Eigen::Index{problem.contacts()});
  problem.mu.assign(static_cast<std::size_t>(problem.contacts()), 0.5);
  problem.Z.assign(static_cast<std::size_t>(problem.contacts()), 1.0);
  return problem;
}

void count(benchmark::State& state, const ContactProblem& problem) {
  state.counters["contacts"] = problem.contacts();
  state.counters["unknowns"] = static_cast<double>(problem.b.size());
}

void construct(benchmark::State& state, bool exploit_blocks) {
  const ContactProblem problem = tower_problem({static_cast<Index>(state.range(0)), 5});
  for (auto _ : state) {
    const FactoredMatrix A = factor(problem.A, exploit_blocks);
    benchmark::DoNotOptimize(delassus(problem, A));
  }
  count(state, problem);
}

void solve_by(benchmark::State& state, const char* name) {
  const ContactProblem problem = tower_problem({static_cast<Index>(state.range(0)), 5});
  SolveScratch scratch;
  ContactSolution solution;
  SolveReport report;
  for (auto _ : state) {
    start_cold(problem, solution);
    report = solve(problem, {.method = method_by_name(name)}, scratch, solution);
  }
  if (report.status != SolveStatus::converged) state.SkipWithError(report.reason.c_str());
  count(state, problem);
  state.counters["iterations"] = report.iterations;
}

// Masses with two equal contacts each.
void share_among_equal_contacts(benchmark::State& state) {
  const auto contacts = static_cast<Index>(state.range(0));
  CrConstraints constraints;
  for (Index i = 0; i < contacts; ++i) constraints.leader.push_back(i / 2 * 2);
  ContactSolution start;
  start.lambda.assign(constraints.leader.size(), 1.0);
  start.gamma.assign(constraints.leader.size(), Vec2(0.1, 0));
  start.delta.assign(constraints.leader.size(), Vec2(1, 0));
  start.state.assign(constraints.leader.size(), FrictionState::sliding);
  ContactSolution solution;
  for (auto _ : state) {
    solution = start;
    share_among_duplicates(constraints, solution);
    benchmark::DoNotOptimize(solution.lambda.data());
  }
  state.counters["contacts"] = contacts;
}

BENCHMARK(share_among_equal_contacts)->Arg(1000)->Arg(10000)->Arg(100000)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(construct, delassus_by_blocks, true)
    ->Arg(4)
    ->Arg(8)
    ->Arg(16)
    ->Arg(32)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(construct, delassus_with_all_of_A, false)
    ->Arg(4)
    ->Arg(8)
    ->Arg(16)
    ->Arg(32)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(solve_by, cr_full, "cr-full")->Arg(4)->Arg(8)->Arg(16)->Arg(32)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(solve_by, ica, "ica")->Arg(4)->Arg(8)->Arg(16)->Arg(32)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(solve_by, constraint_anticipation, "constraint-anticipation")
    ->Arg(4)
    ->Arg(8)
    ->Arg(16)
    ->Arg(32)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace sim
