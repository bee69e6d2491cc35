// The elastic part of a time step: decompositions, assembly of A and b, and the product with A.
#include <benchmark/benchmark.h>

#include <numeric>

#include "elasticity/assembly.hpp"
#include "elasticity/lattice.hpp"
#include "elasticity/reference.hpp"
#include "math/decompose.hpp"
#include "math/parallel.hpp"

namespace sim {
namespace {

struct Body {
  ElasticBodies elastic;
  AssemblyPlan plan;
  VecX x, v;
};

// A deformed state of the mesh: stretched by some percent, jittered, turned; `squash` flattens it along z.
Body make_body(const Mesh& mesh, const Material& material, double squash) {
  Body body;
  const auto count = static_cast<Index>(mesh.vertices.size());
  const std::vector<Index> material_of_tet(mesh.tets.size(), 0);
  body.elastic = make_elastic_bodies(mesh.vertices, mesh.tets, material_of_tet, {&material, 1});
  std::vector<Index> blocks(mesh.vertices.size());
  std::iota(blocks.begin(), blocks.end(), 0);
  body.plan = plan_assembly(body.elastic, blocks);

  Random random(1);
  const Mat3 Q = test::random_rotation(random);
  const double edge = std::cbrt(6 * body.elastic.rest_volume[0]);
  body.x.resize(3 * Eigen::Index{count});
  body.v = VecX::Ones(body.x.size());
  for (Index i = 0; i < count; ++i) {
    const Vec3 jitter(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
    block(body.x, i) = Q * (Vec3(1.1, 0.95, squash).cwiseProduct(mesh.vertices[i]) + 0.05 * edge * jitter);
  }
  return body;
}

Mesh rings(Index count) {
  Mesh all;
  for (Index ring = 0; ring < count; ++ring) {
    const Mesh one = test::lattice_ring(18, 0.08, 0.04);
    const auto offset = static_cast<Index>(all.vertices.size());
    all.vertices.insert(all.vertices.end(), one.vertices.begin(), one.vertices.end());
    for (const Tet& t : one.tets) all.tets.push_back({t[0] + offset, t[1] + offset, t[2] + offset, t[3] + offset});
  }
  return all;
}

double bytes_of(const BlockMatrix& A) {
  return static_cast<double>(A.values.size() * sizeof(double) +
                             (A.column.size() + A.row_begin.size()) * sizeof(Index));
}

double bytes_of(const AssemblyPlan& plan) {
  std::size_t indices = 0;
  for (const auto* list : {&plan.block_of_vertex, &plan.vertex_of_block, &plan.row_begin, &plan.neighbour, &plan.slot,
                           &plan.entry_begin, &plan.entry, &plan.diagonal}) {
    indices += list->capacity();
  }
  return static_cast<double>(indices * sizeof(Index)) + bytes_of(plan.pattern);
}

void run_assembly(benchmark::State& state, const Body& body) {
  set_thread_count(static_cast<int>(state.range(0)));
  ElementBuffer buffer;
  BlockMatrix A;
  VecX b;
  for (auto _ : state) {
    assemble(body.elastic, body.plan, {body.x, body.v, body.v, Vec3(0, 0, -9.81), 0.001}, buffer, A, b);
    benchmark::DoNotOptimize(A.values.data());
  }
  set_thread_count(1);
  const double MiB = 1 << 20;
  state.counters["tets"] = static_cast<double>(body.elastic.tets.size());
  state.counters["vertices"] = static_cast<double>(body.elastic.mass.size());
  state.counters["buffer_MiB"] =
      static_cast<double>(buffer.forces.size() + buffer.blocks.size()) * sizeof(double) / MiB;
  state.counters["A_MiB"] = bytes_of(A) / MiB;
  state.counters["plan_MiB"] = bytes_of(body.plan) / MiB;
}

Material corotational(Stiffness stiffness) {
  return test::material(MaterialModel::corotational, 5e5, 0.2, stiffness);
}

void AssembleRings(benchmark::State& state) {
  run_assembly(state, make_body(rings(120), corotational(Stiffness::rotated_linear), 1));
}
BENCHMARK(AssembleRings)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();

void AssembleRingsExact(benchmark::State& state) {
  run_assembly(state, make_body(rings(120), corotational(Stiffness::exact), 1));
}
BENCHMARK(AssembleRingsExact)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();

void MultiplyRings(benchmark::State& state) {
  const Body body = make_body(rings(120), corotational(Stiffness::rotated_linear), 1);
  ElementBuffer buffer;
  BlockMatrix A;
  VecX b, y(body.x.size());
  assemble(body.elastic, body.plan, {body.x, body.v, body.v, Vec3(0, 0, -9.81), 0.001}, buffer, A, b);
  set_thread_count(static_cast<int>(state.range(0)));
  for (auto _ : state) {
    multiply(A, body.x, y);
    benchmark::DoNotOptimize(y.data());
  }
  set_thread_count(1);
  state.counters["slots"] = A.slots();
}
BENCHMARK(MultiplyRings)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();

const Mesh& box_of_100k_tets() {
  static const Mesh mesh = test::lattice_box({26, 26, 25}, Vec3(1, 1, 1));
  return mesh;
}

void AssembleNeoHookeanBox(benchmark::State& state) {
  run_assembly(state, make_body(box_of_100k_tets(), test::material(MaterialModel::neo_hookean), 1));
}
BENCHMARK(AssembleNeoHookeanBox)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();

void AssembleFlattenedNeoHookeanBox(benchmark::State& state) {  // every element in the extrapolated range
  run_assembly(state, make_body(box_of_100k_tets(), test::material(MaterialModel::neo_hookean), 0.4));
}
BENCHMARK(AssembleFlattenedNeoHookeanBox)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();

void AssembleLargeBox(benchmark::State& state) {  // 67,000 vertices, more tets than a body of that size has
  const Mesh mesh = test::lattice_box({40, 40, 39}, Vec3(1, 1, 1));
  run_assembly(state, make_body(mesh, corotational(Stiffness::rotated_linear), 1));
}
BENCHMARK(AssembleLargeBox)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();

void PlanLargeBox(benchmark::State& state) {
  const Mesh mesh = test::lattice_box({40, 40, 39}, Vec3(1, 1, 1));
  const Body body = make_body(mesh, corotational(Stiffness::rotated_linear), 1);
  for (auto _ : state) benchmark::DoNotOptimize(plan_assembly(body.elastic, body.plan.block_of_vertex).entry.data());
}
BENCHMARK(PlanLargeBox)->Unit(benchmark::kMillisecond);

// Deformation gradients of elements stretched by up to `state.range(0)` percent.
std::vector<Mat3> gradients(const benchmark::State& state) {
  Random random(2);
  std::vector<Mat3> all;
  for (int i = 0; i < 1024; ++i) {
    const Mat3 change = test::random_matrix(random, 0.01 * static_cast<double>(state.range(0)));
    all.push_back(test::random_rotation(random) * (Mat3::Identity() + change));
  }
  return all;
}

template <class Function>
void run_on_gradients(benchmark::State& state, const Function& function) {
  const std::vector<Mat3> all = gradients(state);
  std::size_t i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(function(all[i++ % all.size()]));
}
void PolarRotation(benchmark::State& state) {
  run_on_gradients(state, polar_rotation);
}
BENCHMARK(PolarRotation)->Arg(1)->Arg(20)->Arg(60);
void RotationSvdOf(benchmark::State& state) {
  run_on_gradients(state, rotation_svd);
}
BENCHMARK(RotationSvdOf)->Arg(1)->Arg(20)->Arg(60);
void SymmetricEigenOf(benchmark::State& state) {
  run_on_gradients(state, [](const Mat3& F) { return symmetric_eigen(F.transpose() * F); });
}
BENCHMARK(SymmetricEigenOf)->Arg(1)->Arg(20)->Arg(60);

}  // namespace
}  // namespace sim
