// Elasticity against theory: the patch test and a cantilever, both through the time step itself.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include "elasticity/assembly.hpp"
#include "math/random.hpp"
#include "mesh/generate.hpp"
#include "mesh/surface.hpp"
#include "mesh/thickness.hpp"
#include "step/step.hpp"
#include "support/objects.hpp"

namespace sim {
namespace statics_test {

// With a time step this long, inertia is nothing beside stiffness: each step is a Newton step towards equilibrium.
constexpr double quasi_static_dt = 1e4;

Mat3 deformation_gradient(const Model& model, const State& state, std::size_t tet) {
  const Tet& t = model.elastic.tets[tet];
  Mat3 D;
  for (int k = 0; k < 3; ++k) D.col(k) = block(state.x, t[static_cast<std::size_t>(k) + 1]) - block(state.x, t[0]);
  return D * model.elastic.inverse_shape[tet];
}

// A box of tets whose inner vertices were moved at random, its surface held at x = F X: inside, only the uniform
// stretch F is in equilibrium.
void expect_uniform_stress(const Material& material, const Mat3& F) {
  Mesh mesh = generate(BoxShape{.size = {1, 1, 1}, .cells = {4, 4, 4}});
  Random random(3);
  const auto inside = [](const Vec3& X) { return X.cwiseAbs().maxCoeff() < 0.49; };
  for (Vec3& X : mesh.vertices) {
    if (inside(X)) X += Vec3(random.uniform(-0.05, 0.05), random.uniform(-0.05, 0.05), random.uniform(-0.05, 0.05));
  }
  Model model = test::one_body(std::move(mesh), material);
  test::pin(model, [&](const Vec3& X) { return !inside(X); });
  finish_model(model);
  ASSERT_EQ(model.plan.pattern.rows(), 27);

  State state = initial_state(model);
  for (const Index i : model.prescribed[0].vertices) block(state.x, i) = F * model.mesh.vertices[i];
  Scratch scratch;
  for (int n = 0; n < 60; ++n) {
    state.v.setZero();
    const StepReport report = step(model, {.dt = quasi_static_dt}, state, scratch);
    ASSERT_EQ(report.status, StepStatus::converged) << report.reason;
  }
  const ElasticLaw law = elastic_law(material);
  const Mat3 uniform = stress(law, F);
  for (std::size_t tet = 0; tet < model.elastic.tets.size(); ++tet) {
    EXPECT_LT((stress(law, deformation_gradient(model, state, tet)) - uniform).norm(), 1e-10 * uniform.norm());
  }
}

TEST(PatchTest, CorotationalStressIsUniform) {
  const Mat3 F = (Mat3() << 1.2, 0.05, 0, -0.03, 0.95, 0.02, 0.01, 0, 1.1).finished();
  expect_uniform_stress({.young = 5e5, .poisson = 0.3}, F);
}

TEST(PatchTest, CorotationalStressIsUniformWithTheExactStiffness) {
  const Mat3 F = (Mat3() << 1.2, 0.05, 0, -0.03, 0.95, 0.02, 0.01, 0, 1.1).finished();
  expect_uniform_stress({.stiffness = Stiffness::exact, .young = 5e5, .poisson = 0.3}, F);
}

TEST(PatchTest, NeoHookeanStressIsUniform) {
  const Mat3 F = (Mat3() << 1.3, 0.05, 0, -0.03, 0.95, 0.02, 0.01, 0, 1.1).finished();
  expect_uniform_stress(
      {.model = MaterialModel::neo_hookean, .stiffness = Stiffness::exact, .young = 5e5, .poisson = 0.3}, F);
}

TEST(PatchTest, NeoHookeanStressIsUniformWhereItIsExtrapolated) {
  const Mat3 F = (Mat3() << 0.8, 0.02, 0, 0, 0.85, 0.02, 0.01, 0, 0.9).finished();
  ASSERT_LT(F.determinant(), 0.7);
  expect_uniform_stress(
      {.model = MaterialModel::neo_hookean, .stiffness = Stiffness::exact, .young = 5e5, .poisson = 0.3}, F);
}

// A bar clamped at x = 0, of square section, by default with Poisson's ratio 0 as beam theory has it.
struct Cantilever {
  double length = 1, height = 0.1;
  double young = 1e6, density = 1000, poisson = 0;
  double cell_length = 1;  // over its height
  double area() const { return height * height; }
  double inertia() const { return std::pow(height, 4) / 12; }
  double shear_stiffness() const { return 5.0 / 6 * (young / 2 / (1 + poisson)) * area(); }  // Timoshenko's kappa G A
};

Model clamped_bar(const Cantilever& bar, Index cells_across) {
  const Index cells_along =
      static_cast<Index>(std::lround(bar.length / (bar.height * bar.cell_length))) * cells_across;
  Mesh mesh = generate(
      BoxShape{.size = {bar.length, bar.height, bar.height}, .cells = {cells_along, cells_across, cells_across}});
  for (Vec3& X : mesh.vertices) X.x() += bar.length / 2;
  Model model = test::one_body(std::move(mesh), {.young = bar.young, .poisson = bar.poisson, .density = bar.density});
  test::pin(model, [](const Vec3& X) { return X.x() < 1e-9; });
  return model;
}

double tip_deflection(const Cantilever& bar, Index cells_across, double gravity) {
  Model model = clamped_bar(bar, cells_across);
  model.gravity = {0, 0, -gravity};
  finish_model(model);
  State state = initial_state(model);
  Scratch scratch;
  Options options{.dt = quasi_static_dt};
  options.linear.tolerance = 1e-8;
  for (int n = 0; n < 3; ++n) {
    state.v.setZero();
    EXPECT_EQ(step(model, options, state, scratch).status, StepStatus::converged);
  }
  double sum = 0;
  const std::vector<Index> tip =
      test::vertices_where(model, [&](const Vec3& X) { return X.x() > bar.length - 1e-9; });
  for (const Index i : tip) sum += model.mesh.vertices[i].z() - state.x[3 * i + 2];
  return sum / static_cast<double>(tip.size());
}

TEST(Cantilever, TipDeflectionConvergesToBeamTheory) {
  const Cantilever bar;
  const double gravity = 1e-3;  // so small that the deflection is linear in it
  const double load = bar.density * bar.area() * gravity;
  const double theory = load * std::pow(bar.length, 4) / (8 * bar.young * bar.inertia()) +
                        load * bar.length * bar.length / (2 * bar.shear_stiffness());
  std::vector<double> errors;
  for (const Index cells : {2, 4, 8}) errors.push_back(1 - tip_deflection(bar, cells, gravity) / theory);
  const double order = std::log2(errors[1] / errors[2]);
  RecordProperty("order", std::to_string(order));
  std::printf("cantilever: too stiff by %.2f %%, %.2f %%, %.2f %% with 2, 4, 8 cells across; order %.2f\n",
              100 * errors[0], 100 * errors[1], 100 * errors[2], order);
  EXPECT_LT(std::abs(errors[2]), 0.06);
  EXPECT_GT(order, 1.7);
}

// What `simrun` tells of bodies that bend. The figures were found by quasi-static runs of scenes.
void expect_excess_as_told(const Cantilever& bar, int cells) {
  const double gravity = 1e-3, load = bar.density * bar.area() * gravity;
  const double theory = load * std::pow(bar.length, 4) / (8 * bar.young * bar.inertia()) +
                        load * bar.length * bar.length / (2 * bar.shear_stiffness());
  const double excess = theory / tip_deflection(bar, cells, gravity);
  EXPECT_NEAR(excess / bending_excess(cells, bar.poisson, bar.cell_length), 1, 0.1)
      << cells << " cells, poisson " << bar.poisson << ", " << bar.cell_length << " times as long as high";
}

TEST(Cantilever, IsAsMuchTooStiffAsIsTold) {
  for (const int cells : {1, 2, 4}) {
    for (const double poisson : {0.2, 0.3, 0.45, 0.49}) expect_excess_as_told({.poisson = poisson}, cells);
  }
}

TEST(Cantilever, OfLongCellsIsAsMuchTooStiffAsIsTold) {
  for (const int cells : {1, 2, 4}) {
    for (const double length : {2.0, 4.0, 10.0}) {
      for (const double poisson : {0.0, 0.3, 0.45})
        expect_excess_as_told({.length = 4, .poisson = poisson, .cell_length = length}, cells);
    }
  }
}

// Inverse iteration with the time step's own matrix: (M + dt^2 K)^-1 M has the eigenvalues 1 / (1 + dt^2 omega^2).
TEST(Cantilever, FirstEigenfrequencyIsThatOfBeamTheory) {
  const Cantilever bar;
  Model model = clamped_bar(bar, 8);
  finish_model(model);
  Scratch scratch;
  const double dt = 10;
  Options options{.dt = dt, .detect_collisions = false};
  options.linear.tolerance = 1e-8;
  const auto vertices = static_cast<Index>(model.mesh.vertices.size());
  const double small = 1e-9;  // m/s: so that the bar bends and does not turn
  VecX mode = VecX::Zero(3 * Eigen::Index{vertices});
  for (Index i = 0; i < vertices; ++i) mode[3 * i + 2] = small * std::pow(model.mesh.vertices[i].x(), 2);
  double omega = 0;
  for (int n = 0; n < 8; ++n) {
    State state = initial_state(model);
    state.v = mode;
    ASSERT_EQ(step(model, options, state, scratch).status, StepStatus::converged);
    // Rayleigh quotient: v1'(M + dt^2 K) v1 = v1' M v0, so 1 + dt^2 omega^2 = v1' M v0 / v1' M v1.
    double with_old = 0, with_itself = 0;
    for (Index i = 0; i < vertices; ++i) {
      with_old += model.elastic.mass[i] * block(state.v, i).dot(block(mode, i));
      with_itself += model.elastic.mass[i] * block(state.v, i).squaredNorm();
    }
    omega = std::sqrt(with_old / with_itself - 1) / dt;
    mode = small / std::sqrt(with_itself) * state.v;
  }
  const double bending = std::pow(1.8751040687, 2) *
                         std::sqrt(bar.young * bar.inertia() / (bar.density * bar.area())) /
                         (bar.length * bar.length);
  const double shear =
      std::numbers::pi / (2 * bar.length) * std::sqrt(bar.shear_stiffness() / (bar.density * bar.area()));
  const double theory = 1 / std::sqrt(1 / (bending * bending) + 1 / (shear * shear));  // Dunkerley
  std::printf("cantilever: first eigenfrequency %.5g rad/s, beam theory %.5g, off by %.2f %%\n", omega, theory,
              100 * (omega / theory - 1));
  EXPECT_NEAR(omega / theory, 1, 0.03);
}

// A column of square section, pressed by plates that move by a thousandth of its length, step by step: from above,
// its foot held, or from both ends, where nothing but the plates holds it. Poisson's ratio is 0, so that its strain
// is uniform but for its weight, and its stress linear in it.
struct Column {
  double size = 0.1, density = 1000, gravity = 0;
  bool between_plates = false;
  double young = 2e9;
  double area() const { return 0.25 * size * size; }
  double weight() const { return density * gravity * area() * size; }
};

struct Pressed {
  std::vector<double> force, theory, foot;  // N, a step: of the plate above, for the way that the column went, below
  Index iterations = 0;
};

Motion by(double way_a_second) {
  MotionSpec spec;
  spec.velocity = {0, 0, way_a_second};
  return Motion(spec);
}

double area_mean(const Model& model, const VecX& x, double height) {
  double sum = 0, area = 0;
  for (const Triangle& t : model.mesh.triangles) {
    const auto is_off = [&](Index i) {
      return std::abs(model.mesh.vertices[i].z() - height) > 1e-9 * std::abs(height);
    };
    if (t[0] >= model.objects[0].vertices.end || is_off(t[0]) || is_off(t[1]) || is_off(t[2])) continue;
    const Vec3 a = model.mesh.vertices[t[0]], b = model.mesh.vertices[t[1]], c = model.mesh.vertices[t[2]];
    const double third = (b - a).cross(c - a).norm() / 6;
    for (const Index i : t) sum += third * x[3 * i + 2];
    area += 3 * third;
  }
  return sum / area;
}

Pressed press(const Column& column, int steps = 5) {
  const double L = column.size, half = 0.5 * L, eps2 = L / 4 / 8000, above = half + 0.6 * L + 0.5 * eps2;
  Model model = test::one_body(generate(BoxShape{.size = {half, half, L}, .cells = {2, 2, 4}}),
                               {.young = column.young, .poisson = 0, .density = column.density});
  model.gravity = {0, 0, -column.gravity};
  if (!column.between_plates) test::pin(model, [&](const Vec3& X) { return X.z() < -0.499 * L; });
  const Mesh plate = generate(BoxShape{.size = {1.5 * L, 2.3 * L, 1.2 * L}, .cells = {1, 1, 1}});
  const double way = 1e-3 * L / steps;  // a second, which a step is
  test::add_object(model, "above", ObjectType::scripted, plate, {0.1 * L, 0.03 * L, above}, by(-way));
  if (column.between_plates)
    test::add_object(model, "below", ObjectType::scripted, plate, {-0.07 * L, 0.05 * L, -above}, by(way));
  model.friction = 0.3;
  finish_model(model);
  model.surface.object_gap.assign(model.objects.size(), eps2);
  State state = initial_state(model);
  Scratch scratch;
  Options options{.dt = 1};
  options.time.scheme = TimeScheme::quasi_static;
  options.contact.method =
      AutoOptions{};  // scenes' default; conjugate residuals alone stop at 1 mm on some processors
  Pressed pressed;
  for (int n = 0; n < steps; ++n) {
    const StepReport report = step(model, options, state, scratch);
    EXPECT_EQ(report.status, StepStatus::converged) << report.reason;
    pressed.iterations += report.iterations;
    double over = 0, under = 0;
    for (const Contact& contact : state.contacts.contacts) {
      double height = 0;
      for (int k = 0; k < 4; ++k) height += 0.25 * state.x[3 * contact.vertices[k] + 2];
      (height > 0 ? over : under) += contact.lambda;
    }
    const double shorter = L - (area_mean(model, state.x, half) - area_mean(model, state.x, -half));
    pressed.force.push_back(over);
    pressed.foot.push_back(under);
    // Of what is linear the mean way of a face is exact on any mesh (Betti).
    pressed.theory.push_back(column.young * column.area() * shorter / L - 0.5 * column.weight());
  }
  return pressed;
}

TEST(PressedColumn, BearsWhatTheoryHasAtEverySizeAndDensity) {
  for (const bool between_plates : {false, true}) {
    for (const double size : {1e-3, 0.1, 10.0}) {
      for (const double density : {1e-3, 1e3, 1e4}) {
        for (const double gravity : {0.0, 9.81}) {
          const Column column{size, density, gravity, between_plates};
          const Pressed pressed = press(column);
          for (std::size_t n = 0; n < pressed.force.size(); ++n) {
            const double may_miss = 0.01 * std::max(pressed.theory[n], column.weight());
            EXPECT_NEAR(pressed.force[n], pressed.theory[n], may_miss)
                << size << " m, " << density << " kg/m3, step " << n;
            if (!between_plates) continue;
            EXPECT_NEAR(pressed.foot[n], pressed.theory[n] + column.weight(), may_miss);
          }
          // A thousandth of its length from each side that moves, but for the gaps.
          const double whole = (between_plates ? 2e-3 : 1e-3) * column.young * column.area();
          EXPECT_NEAR(pressed.theory.back() + 0.5 * column.weight(), whole, 0.2 * whole);
        }
      }
    }
  }
}

// Balance without weight knows no masses, but for what static mass holds back: a hundredth here of the 1e-6 of the
// forces that Newton's method may miss.
TEST(PressedColumn, IsTheSameAtEveryDensityWithoutGravity) {
  for (const bool between_plates : {false, true}) {
    const Pressed one = press({.between_plates = between_plates});
    EXPECT_LT(one.iterations, 2500);
    for (const int power : {-20, -3, 4}) {
      const Pressed other = press({.density = std::ldexp(1000.0, power), .between_plates = between_plates});
      EXPECT_EQ(other.iterations, one.iterations) << power;
      for (std::size_t n = 0; n < one.force.size(); ++n)
        EXPECT_NEAR(other.force[n] / one.force[n], 1, 1e-8) << power << " " << n;
    }
  }
}

// A ball slides over a stiff block that it is pressed into, without gravity: what holds the block has what the ball
// gives it, friction mu of the pressure.
TEST(PressedBlock, BearsABallThatSlidesOverItWithoutGravity) {
  constexpr double mu = 0.2, mm = 1e-3;
  for (const TimeScheme scheme : {TimeScheme::quasi_static, TimeScheme::implicit_euler}) {
    Model model = test::one_body(generate(BoxShape{.size = {20 * mm, 8 * mm, 4 * mm}, .cells = {20, 8, 4}}),
                                 {.young = 2e9, .poisson = 0.35, .density = 1050});
    test::pin(model, [&](const Vec3& X) { return X.z() < -1.99 * mm; });
    MotionSpec spec;
    spec.translation_expression = {"0.01*max(t-0.05,0)", "0", "-0.0006*min(t,0.05)/0.05"};
    test::add_object(model, "ball", ObjectType::scripted, generate(SphereShape{.radius = 4 * mm, .resolution = 4}),
                     {-4 * mm, 0.1 * mm, 6.5 * mm}, Motion(spec));
    model.friction = mu;
    finish_model(model);
    State state = initial_state(model);
    Scratch scratch;
    Options options{.dt = 0.01};
    options.time.scheme = scheme;
    Index iterations = 0;
    for (int n = 0; n < 20; ++n) {
      const StepReport report = step(model, options, state, scratch);
      ASSERT_EQ(report.status, StepStatus::converged) << report.reason;
      iterations += report.iterations;
    }
    Vec3 given = Vec3::Zero(), held = Vec3::Zero();
    double pressure = 0, friction = 0;
    for (const Contact& contact : state.contacts.contacts) {
      const bool up = contact.vertices[0] >= model.objects[0].vertices.end;  // the ball has the vertex
      const Vec3 force =
          contact.lambda * contact.n - contact.friction[0] * contact.t1 - contact.friction[1] * contact.t2;
      given += (up ? -1 : 1) * force;
      pressure += contact.lambda;
      friction += std::hypot(contact.friction[0], contact.friction[1]);
    }
    const VecX f = elastic_force(model.elastic, state.x);
    for (const Index i : model.prescribed[0].vertices) held -= block(f, i);
    std::printf("sliding ball: %d iterations, %.4g N, friction %.4g, missing %.2g N\n", iterations, pressure,
                friction / pressure, (given + held).norm());
    EXPECT_GT(pressure, 1);
    EXPECT_LT((given + held).norm(), 0.01 * pressure);
    EXPECT_LT(iterations, 10'000);
  }
}

// A pipe about the z axis (a rod where `inner` is 0), of hexahedra in six tets each; at its end its radius is less
// (of a rod, below) or its bore more (above) by the chamfer.
Mesh pipe(double inner, double outer, double low, double high, std::array<Index, 3> cells, double chamfer) {
  const auto [across, around, along] = cells;
  Mesh mesh;
  std::map<std::array<Index, 3>, Index> known;
  const auto at = [&](Index i, Index j, Index k) {
    const bool axis = inner == 0 && i == 0;
    const std::array<Index, 3> place{i, axis ? 0 : j % around, k};
    const auto [found, is_new] = known.try_emplace(place, static_cast<Index>(mesh.vertices.size()));
    if (is_new) {
      const double r0 = inner > 0 && k == along ? inner + chamfer : inner;
      const double r1 = inner == 0 && k == 0 ? outer - chamfer : outer;
      const double r = r0 + (r1 - r0) * i / across, angle = 2 * std::numbers::pi * place[1] / around;
      mesh.vertices.emplace_back(r * std::cos(angle), r * std::sin(angle), low + (high - low) * k / along);
    }
    return found->second;
  };
  for (Index i = 0; i < across; ++i) {
    for (Index j = 0; j < around; ++j) {
      for (Index k = 0; k < along; ++k) {
        std::array<int, 3> order{0, 1, 2};
        do {
          std::array<Index, 3> q{i, j, k};
          Tet tet{at(q[0], q[1], q[2])};
          for (std::size_t n = 0; n < 3; ++n) {
            ++q[static_cast<std::size_t>(order[n])];
            tet[n + 1] = at(q[0], q[1], q[2]);
          }
          const double size =
              six_volume(mesh.vertices[tet[0]], mesh.vertices[tet[1]], mesh.vertices[tet[2]], mesh.vertices[tet[3]]);
          if (std::set<Index>(tet.begin(), tet.end()).size() < 4) continue;  // at the axis
          if (size < 0) std::swap(tet[2], tet[3]);
          mesh.tets.push_back(tet);
        } while (std::next_permutation(order.begin(), order.end()));
      }
    }
  }
  mesh.triangles = extract_surface(mesh.tets);
  return mesh;
}

// A steel pin with an interference of 3 um is pushed into a hub that is held along its axis only. Edges of both are
// parallel to it: where the points of their contacts run along them from one round of Newton's method to the next,
// and the bodies with these to and fro, no round was ever the last.
TEST(PressFit, IsInBalanceWhereTheHubIsHeldAlongOneAxisOnly) {
  constexpr double mu = 0.1, start = 0.0138;
  const Mesh pin = pipe(0, 0.010003, start, start + 0.03, {3, 24, 9}, 1e-4);
  Model model =
      test::one_body(pipe(0.01, 0.02, 0, 0.02, {3, 24, 6}, 1e-4), {.young = 2e11, .poisson = 0.3, .density = 7850});
  model.gravity = {0, 0, -9.81};
  model.prescribed.push_back(
      {test::vertices_where(model, [](const Vec3& X) { return X.z() < 1e-9; }), Motion(), {Vec3::UnitZ()}});
  test::add_object(model, "pin", ObjectType::deformable, pin, Vec3::Zero());
  const Index first = model.objects[1].vertices.begin;
  PrescribedVertices driven{{}, by(-0.03)};
  for (Index i = first; i < model.objects[1].vertices.end; ++i) {
    if (model.mesh.vertices[i].z() > start + 0.03 - 1e-9) driven.vertices.push_back(i);
  }
  model.prescribed.push_back(std::move(driven));
  model.friction = mu;
  finish_model(model);
  model.surface.object_gap.assign(2, 4e-7);
  State state = initial_state(model);
  Scratch scratch;
  Options options{.dt = 0.01};
  options.time.scheme = TimeScheme::quasi_static;
  options.contact.most_rounds = 200;
  for (int n = 0; n < 3; ++n) {
    const StepReport report = step(model, options, state, scratch);
    ASSERT_EQ(report.status, StepStatus::converged) << report.reason;
    EXPECT_EQ(report.substeps, 1);
    EXPECT_LT(report.relinearizations, 40);
  }
  double pressure = 0, friction = 0, held = 0, driven_by = 0, weight = 0;
  for (const Contact& contact : state.contacts.contacts) {
    pressure += contact.lambda;
    friction += std::hypot(contact.friction[0], contact.friction[1]);
  }
  const VecX f = elastic_force(model.elastic, state.x);
  for (const Index i : model.prescribed[0].vertices) held -= f[3 * i + 2];
  for (const Index i : model.prescribed[1].vertices) driven_by += f[3 * i + 2] - 9.81 * model.elastic.mass[i];
  for (Index i = 0; i < static_cast<Index>(state.x.size() / 3); ++i) weight += 9.81 * model.elastic.mass[i];
  for (const Index i : model.prescribed[0].vertices) held += 9.81 * model.elastic.mass[i];
  std::printf("press fit: %.5g N of pressure, friction %.4g of it, pushed with %.6g N, held with %.6g N\n", pressure,
              friction / pressure, driven_by, held - weight);
  EXPECT_GT(pressure, 1000);
  EXPECT_NEAR(friction / pressure, mu, 1e-3);
  EXPECT_NEAR(held - weight, driven_by, 1e-4 * driven_by);
}

}  // namespace statics_test
}  // namespace sim
