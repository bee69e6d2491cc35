// The sparse Cholesky factor and its solves: one body of a thousand vertices, a card, and a heap of small rings.
#include <benchmark/benchmark.h>

#include "linear/block_cholesky.hpp"
#include "linear/bodies.hpp"

namespace sim {
namespace {

struct Shape {
  Index nx, ny, nz;  // vertices
  Index copies = 1;
  bool closed = false;  // the last layer along x is tied to the first: a ring
};
constexpr Shape shapes[] = {{10, 10, 10}, {20, 20, 2}, {18, 2, 2, 120, true}, {30, 30, 30}};

BlockMatrix lattice(const Shape& shape) {
  const Index count = shape.nx * shape.ny * shape.nz;
  const auto vertex = [&](Index x, Index y, Index z) { return (x * shape.ny + y) * shape.nz + z; };
  std::vector<std::array<Index, 2>> pairs;
  for (Index copy = 0; copy < shape.copies; ++copy) {
    for (Index x = 0; x < shape.nx; ++x) {
      for (Index y = 0; y < shape.ny; ++y) {
        for (Index z = 0; z < shape.nz; ++z) {
          for (Index d = 1; d < 8;
               ++d) {  // the edges of six tets in a cube, three of them across its faces, one inside
            Index to_x = x + (d & 1);
            const Index to_y = y + (d >> 1 & 1), to_z = z + (d >> 2);
            if (shape.closed) to_x %= shape.nx;
            if (to_x < shape.nx && to_y < shape.ny && to_z < shape.nz)
              pairs.push_back({copy * count + vertex(x, y, z), copy * count + vertex(to_x, to_y, to_z)});
          }
        }
      }
    }
  }
  BlockMatrix A = make_pattern(count * shape.copies, pairs);
  for (Index row = 0; row < A.rows(); ++row) A.at(A.find(row, row)) += 0.1 * Mat3::Identity();
  for (const auto& [i, j] : pairs) {
    for (const Index row : {i, j}) A.at(A.find(row, row)) += Mat3::Identity();
    A.at(A.find(i, j)) -= Mat3::Identity();
    A.at(A.find(j, i)) -= Mat3::Identity();
  }
  return A;
}

struct Factors {
  BlockMatrix A;
  Bodies bodies;
  CholeskyPatterns patterns;
  std::vector<CholeskyFactor> C;
  CholeskyScratch scratch;

  explicit Factors(const Shape& shape) : A(lattice(shape)), bodies(find_bodies(A)) {
    C.resize(static_cast<std::size_t>(bodies.count()));
    for (Index body = 0; body < bodies.count(); ++body)
      C[body].pattern = patterns.find(A, bodies.rows_of(body), bodies.place);
  }
  bool factor_all() {
    bool definite = true;
    for (Index body = 0; body < bodies.count(); ++body)
      definite = factor(A, bodies.rows_of(body), scratch, C[body]) && definite;
    return definite;
  }
};

void count(benchmark::State& state, double flops) {
  state.counters["flops"] =
      benchmark::Counter(flops * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

void analysis(benchmark::State& state) {
  const BlockMatrix A = lattice({shapes[state.range(0)].nx, shapes[state.range(0)].ny, shapes[state.range(0)].nz});
  for (auto _ : state) benchmark::DoNotOptimize(analyse(A));
}

void factorisation(benchmark::State& state) {
  Factors factors(shapes[state.range(0)]);
  for (auto _ : state) {
    if (!factors.factor_all()) state.SkipWithError("not definite");
  }
  const CholeskyPattern& pattern = *factors.C[0].pattern;
  count(state, pattern.flops * factors.bodies.count());
  state.counters["fronts"] = static_cast<double>(pattern.fronts.size());
  state.counters["megabytes"] = 8e-6 * static_cast<double>(pattern.values);
}

void one_solve(benchmark::State& state) {
  Factors factors(shapes[state.range(0)]);
  factors.factor_all();
  VecX x(3 * static_cast<Eigen::Index>(factors.bodies.rows_of(0).size()));
  for (auto _ : state) {
    for (const CholeskyFactor& C : factors.C) {
      x.setOnes();
      solve_forwards(C, factors.scratch, x);
      solve_back(C, factors.scratch, x);
      benchmark::DoNotOptimize(x.data());
    }
  }
  count(state, factors.C[0].pattern->solve_flops * factors.bodies.count());
}

// Contacts with faces spread over the surface, in panels of so many.
void forward_panels(benchmark::State& state) {
  Factors factors(shapes[state.range(0)]);
  factors.factor_all();
  const auto rows = static_cast<Index>(factors.bodies.rows_of(0).size());
  std::vector<SparseRow> B;
  const auto contacts = static_cast<Index>(state.range(1));
  for (Index contact = 0; contact < contacts; ++contact) {
    for (Index corner = 0; corner < 3; ++corner)
      B.push_back({(contact + 1) * rows / (contacts + 1) + corner, contact, Mat3::Identity()});
  }
  PanelScratch scratch;
  ForwardPanel X;
  std::vector<double> W;
  double flops = 0;
  for (auto _ : state) {
    flops = 0;
    for (const CholeskyFactor& C : factors.C) {
      flops += solve_forwards(C, B, 3 * contacts, scratch, X);
      flops += multiply_transposed(X, X, W);
      benchmark::DoNotOptimize(W.data());
    }
  }
  count(state, flops);
}

BENCHMARK(analysis)->Arg(0)->Arg(1)->Arg(2)->Arg(3)->Unit(benchmark::kMillisecond);
BENCHMARK(factorisation)->Arg(0)->Arg(1)->Arg(2)->Arg(3)->Unit(benchmark::kMillisecond);
BENCHMARK(one_solve)->Arg(0)->Arg(1)->Arg(2)->Arg(3)->Unit(benchmark::kMillisecond);
BENCHMARK(forward_panels)->ArgsProduct({{0, 1, 2}, {4, 8, 16}})->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace sim
