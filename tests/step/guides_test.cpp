// Planes of symmetry, rollers and releases against closed forms, and parts of bodies against the whole.
#include "model/guides.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <map>
#include <numbers>

#include "mesh/generate.hpp"
#include "mesh/surface.hpp"
#include "step/step.hpp"
#include "support/loads.hpp"
#include "support/models.hpp"
#include "support/objects.hpp"

namespace sim {
namespace guides_test {

constexpr double g = 9.81;

using Chosen = std::function<bool(const Vec3&)>;

Chosen on_plane(const Vec3& n) {
  return [n](const Vec3& X) { return std::abs(n.dot(X)) < 1e-9; };
}

// Holds what lies in the plane through the origin along the plane's normal n.
void hold_plane(Model& model, const Vec3& n, const MotionSpec& motion = {}) {
  model.prescribed.push_back({test::vertices_where(model, on_plane(n)), Motion(motion), {n}});
}

Mesh box(const Vec3& size, const std::array<Index, 3>& cells) {  // from the origin on
  Mesh mesh = generate(BoxShape{.size = size, .cells = cells});
  for (Vec3& X : mesh.vertices) X += size / 2;
  for (Vec3& X : mesh.vertices) X = (X.array().abs() < 1e-12).select(0, X);
  return mesh;
}

// Each step without velocity is a Newton step.
StepReport equilibrate(const Model& model, int steps, State& state) {
  Scratch scratch;
  Options options{.dt = 1e3};
  options.linear.tolerance = 1e-13;
  options.detect_collisions = false;
  StepReport report;
  for (int n = 0; n < steps; ++n) {
    state.v.setZero();
    report = step(model, options, state, scratch);
    EXPECT_EQ(report.status, StepStatus::converged) << report.reason;
  }
  return report;
}

// ---- closed forms

TEST(Hold, TellsEachDirectionItsOwnWhateverTheAngleBetweenThem) {
  const Vec3 a = Vec3(1, 2, 0).normalized(), b = Vec3(1, 0, 0.3).normalized(), va(3, 1, 2), vb(-1, 4, 0);
  Mat3 held = Mat3::Zero();
  Vec3 sum = Vec3::Zero();
  EXPECT_TRUE(hold(a, va, held, sum));
  EXPECT_TRUE(hold(b, vb, held, sum));
  EXPECT_NEAR(a.dot(sum), a.dot(va), 1e-14);
  EXPECT_NEAR(b.dot(sum), b.dot(vb), 1e-14);
  EXPECT_LT((held * sum - sum).norm() + (held * held - held).norm(), 1e-14);
  EXPECT_FALSE(hold((a - 2 * b).normalized(), va, held, sum)) << "in the plane of both";
  EXPECT_TRUE(hold(a.cross(b).normalized(), va, held, sum));
  EXPECT_LT((held - Mat3::Identity()).norm(), 1e-14);
}

// An eighth of a block that is stretched: its three planes of symmetry hold it, and let its section shrink.
TEST(Symmetry, AnEighthOfABlockUnderTractionHasTheUniformStrain) {
  constexpr double young = 1e6, poisson = 0.3, stress = 2e4;
  const Vec3 size(0.2, 0.3, 0.4);
  Model model = test::one_body(box(size, {2, 3, 4}),
                               {.stiffness = Stiffness::exact, .young = young, .poisson = poisson, .density = 1000});
  for (int k = 0; k < 3; ++k) hold_plane(model, Vec3::Unit(k));
  model.loads.push_back(
      test::traction(model, {0, 0, stress}, [&](const Vec3& X) { return X.z() > size.z() - 1e-9; }));
  finish_model(model);
  State state = initial_state(model);
  const StepReport report = equilibrate(model, 8, state);
  const double along = stress / young;
  const Vec3 stretch(1 - poisson * along, 1 - poisson * along, 1 + along);
  for (Index i = 0; i < static_cast<Index>(model.mesh.vertices.size()); ++i) {
    const Vec3 X = model.mesh.vertices[i];
    EXPECT_LT((block(state.x, i) - stretch.cwiseProduct(X)).norm(), 1e-9);
    for (int k = 0; k < 3; ++k) EXPECT_TRUE(X[k] != 0 || block(state.x, i)[k] == 0) << i;
  }
  // What the planes hold: the traction, and nothing sideways.
  const Vec3 pull = report.impulse_prescribed / report.dt;
  EXPECT_LT((pull - Vec3(0, 0, -stress * size.x() * size.y())).norm(), 1e-6 * stress * size.x() * size.y());
}

TEST(Roller, ReactionIsTheWeight) {
  Model model = test::one_body(box({0.1, 0.1, 0.1}, {2, 2, 2}), {.young = 1e5, .poisson = 0.3, .density = 1000});
  model.gravity = {0, 0, -g};
  hold_plane(model, Vec3::UnitZ());
  finish_model(model);
  State state = initial_state(model);
  const StepReport report = equilibrate(model, 12, state);
  const Vec3 reaction = report.impulse_prescribed / report.dt;
  EXPECT_NEAR(reaction.z(), 1 * g, 1e-8 * g);
  EXPECT_EQ(reaction.x(), 0);
  EXPECT_EQ(reaction.y(), 0);
  // Under its own weight it has become wider below, which nothing but rollers lets it.
  double width = 0;
  for (const Index i : model.guided) width = std::max(width, std::abs(block(state.x, i).x() - 0.05));
  EXPECT_GT(width, 0.05 * (1 + 0.25 * 0.3 * 1000 * g * 0.1 / 1e5));
}

TEST(Roller, LetsABlockGoOnAndHoldsItsHeight) {
  Model model = test::one_body(box({0.1, 0.1, 0.1}, {2, 2, 2}), {.young = 1e5, .poisson = 0.3, .density = 1000});
  model.gravity = {0, 0, -g};
  hold_plane(model, Vec3::UnitZ());
  for (Index i = 0; i < static_cast<Index>(model.mesh.vertices.size()); ++i)
    block(model.initial_velocity, i) = Vec3(0.3, -0.2, 1);
  finish_model(model);
  State state = initial_state(model);
  Scratch scratch;
  Options options{.dt = 0.005};
  options.linear.tolerance = 1e-14;
  Vec3 momentum = measure(model, state).momentum;
  EXPECT_NEAR(momentum.x(), 0.3, 1e-14);
  for (int n = 0; n < 60; ++n) {
    const StepReport report = step(model, options, state, scratch);
    ASSERT_EQ(report.status, StepStatus::converged);
    EXPECT_EQ(report.impulse_prescribed.x(), 0);
    EXPECT_EQ(report.impulse_prescribed.y(), 0);
    EXPECT_EQ(report.work_prescribed, 0);
    momentum += report.impulse_external + report.impulse_prescribed;
    EXPECT_LT((report.momentum - momentum).norm(), 1e-11);
    EXPECT_NEAR(report.momentum.x(), 0.3, 1e-11);
    for (const Index i : model.guided) EXPECT_EQ(block(state.x, i).z(), 0);
  }
}

// The same seen from another frame: directions need not be axes.
TEST(Roller, KnowsNoAxes) {
  const Mat3 Q = Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  const auto run = [](const Mat3& turn) {
    Mesh mesh = box({0.1, 0.1, 0.1}, {2, 2, 2});
    for (Vec3& X : mesh.vertices) X = turn * X;
    Model model = test::one_body(std::move(mesh), {.young = 1e5, .poisson = 0.3, .density = 1000});
    model.gravity = turn * Vec3(1, 0, -g);
    MotionSpec lift;
    lift.velocity = turn * Vec3(5, 5, 0.1);
    hold_plane(model, turn * Vec3::UnitZ(), lift);
    hold_plane(model, turn * Vec3(0.6, 0.8, 0));
    finish_model(model);
    State state = initial_state(model);
    Scratch scratch;
    Options options{.dt = 0.005};
    options.linear.tolerance = 1e-14;
    StepReport report;
    for (int n = 0; n < 40; ++n) report = step(model, options, state, scratch);
    for (const Index i : model.guided) {
      const Vec3 x = turn.transpose() * block(state.x, i), X = turn.transpose() * model.mesh.vertices[i];
      EXPECT_NEAR(X.z() > 1e-9 ? 0.0 : x.z() - 0.1 * state.time, 0, 1e-14);
    }
    for (Index i = 0; i < static_cast<Index>(model.mesh.vertices.size()); ++i)
      block(state.x, i) = turn.transpose() * Vec3(block(state.x, i));
    return std::pair(state.x, Vec3(turn.transpose() * report.impulse_prescribed));
  };
  const auto [x, impulse] = run(Mat3::Identity());
  const auto [turned_x, turned_impulse] = run(Q);
  EXPECT_LT((x - turned_x).norm(), 1e-10);
  EXPECT_LT((impulse - turned_impulse).norm(), 1e-10);
  EXPECT_GT(impulse.norm(), 1e-3);
}

// ---- a quarter of Hertz's contact, and the whole

// A quarter of the lower half of a ball of radius 1 m about the origin, finer near the pole.
Mesh quarter_of_half_ball(Index cells) {
  Mesh mesh = box({1, 1, 1}, {cells, cells, cells});
  for (Vec3& X : mesh.vertices) {
    const Vec3 u(std::pow(X.x(), 1.5), std::pow(X.y(), 1.5), 1 - std::pow(1 - X.z(), 1.5));
    const Vec3 s = u.cwiseProduct(u);
    X = {u.x() * std::sqrt(1 - s.y() / 2 - s.z() / 2 + s.y() * s.z() / 3),
         u.y() * std::sqrt(1 - s.z() / 2 - s.x() / 2 + s.z() * s.x() / 3),
         -u.z() * std::sqrt(1 - s.x() / 2 - s.y() / 2 + s.x() * s.y() / 3)};
  }
  for (Tet& tet : mesh.tets) std::swap(tet[2], tet[3]);  // mirrored in z
  mesh.triangles = extract_surface(mesh.tets);
  return mesh;
}

// With its mirror images across x = 0 and y = 0.
Mesh whole_of(const Mesh& quarter) {
  Mesh whole;
  std::map<std::array<double, 3>, Index> known;
  for (const double sx : {1.0, -1.0}) {
    for (const double sy : {1.0, -1.0}) {
      std::vector<Index> image;
      for (const Vec3& X : quarter.vertices) {
        const std::array<double, 3> key{X.x() == 0 ? 0 : sx * X.x(), X.y() == 0 ? 0 : sy * X.y(), X.z()};
        const auto [found, is_new] = known.try_emplace(key, static_cast<Index>(whole.vertices.size()));
        if (is_new) whole.vertices.emplace_back(key[0], key[1], key[2]);
        image.push_back(found->second);
      }
      for (const Tet& t : quarter.tets) {
        Tet tet{image[t[0]], image[t[1]], image[t[2]], image[t[3]]};
        if (sx * sy < 0) std::swap(tet[2], tet[3]);
        whole.tets.push_back(tet);
      }
    }
  }
  whole.triangles = extract_surface(whole.tets);
  return whole;
}

struct Pressed {
  Model model;
  State state;
  double force = 0;    // N, of the floor
  Index contacts = 0;  // that push
};

constexpr double depth = 0.05, gap = 1e-5, hertz_young = 1e6, hertz_poisson = 0.3;

// The plane z = 0 goes down by `depth` and stays there.
void press(Mesh mesh, bool is_quarter, Pressed& pressed) {
  Model& model = pressed.model;
  model = test::one_body(
      std::move(mesh),
      {.young = hertz_young, .poisson = hertz_poisson, .density = 10, .mass_damping = 20, .stiffness_damping = 0.01});
  MotionSpec down;
  down.keyframes = {{0, Vec3::Zero(), 0}, {0.5, Vec3(0, 0, -depth), 0}};
  hold_plane(model, Vec3::UnitZ(), down);
  if (is_quarter) {
    hold_plane(model, Vec3::UnitX());
    hold_plane(model, Vec3::UnitY());
  } else {  // or it would slide
    model.prescribed.push_back({test::vertices_where(model, [](const Vec3& X) { return X.head<2>().isZero(0); }),
                                Motion(),
                                {Vec3::UnitX(), Vec3::UnitY()}});
  }
  test::add(model, "floor", ObjectType::fixed, generate(SlabShape{.size = {20, 20}}), {0, 0, -1.05 - gap});
  model.friction = 0;
  finish_model(model);
  State& state = pressed.state;
  state = initial_state(model);
  Scratch scratch;
  Options options{.dt = 0.05};
  options.contact.tolerance.constraint = 1e-4;
  options.contact.relative_momentum = 1e-4;
  for (int n = 0; n < 24; ++n) {
    const StepReport report = step(model, options, state, scratch);
    ASSERT_EQ(report.status, StepStatus::converged) << report.reason;
  }
  for (const Contact& contact : scratch.solved) {
    pressed.force += contact.lambda * std::abs(contact.n.z());
    pressed.contacts += contact.lambda > 0 ? 1 : 0;
  }
}

// N: Hertz's force with Tatara's correction (1991) for a ball whose middle, not infinity, is what comes nearer by
// `depth`:  depth = 3 (1 - nu^2) F / (4 a E) - f F / (pi E),  f = 2 (1 + nu) R^2 / w^3 + (1 - nu^2) / w,
// w^2 = a^2 + 4 R^2,  a^3 = 3 (1 - nu^2) F R / (4 E),  here with R = 1.
double tatara() {
  const double nu = hertz_poisson, e = 0.75 * (1 - nu * nu) / hertz_young;
  double low = 0, high = 1;  // a
  for (int i = 0; i < 60; ++i) {
    const double a = (low + high) / 2, force = a * a * a / e, w = std::sqrt(a * a + 4);
    const double f = 2 * (1 + nu) / (w * w * w) + (1 - nu * nu) / w;
    (a * a - f * force / (std::numbers::pi * hertz_young) < depth - gap ? low : high) = a;
  }
  return low * low * low / e;
}

TEST(Symmetry, AQuarterOfHertzsContactIsTheWholeOne) {
  const Mesh part = quarter_of_half_ball(7);
  Pressed quarter, whole;
  press(part, true, quarter);
  press(whole_of(part), false, whole);
  EXPECT_GT(quarter.contacts, 8);
  EXPECT_NEAR(4 * quarter.force, whole.force, 1e-3 * whole.force);
  double worst = 0;
  std::map<std::array<double, 3>, Index> of_whole;
  for (Index i = 0; i < whole.model.objects[0].vertices.end; ++i) {
    const Vec3& X = whole.model.mesh.vertices[i];
    of_whole[{X.x(), X.y(), X.z()}] = i;
  }
  for (Index i = 0; i < quarter.model.objects[0].vertices.end; ++i) {
    const Vec3& X = quarter.model.mesh.vertices[i];
    const Index same = of_whole.at({X.x(), X.y(), X.z()});
    worst = std::max(worst, (block(quarter.state.x, i) - block(whole.state.x, same)).norm());
  }
  EXPECT_LT(worst, 2e-3 * depth);
  EXPECT_NEAR(whole.force, tatara(), 0.05 * tatara());
}

// ---- for a time

TEST(Release, LetsABodyFallFromThatTimeOnAsIfItHadStartedThen) {
  constexpr double dt = 0.01, release = 0.1, mass = 1;
  const auto body = [](double held_until) {
    Model model = test::one_body(box({0.1, 0.1, 0.1}, {2, 2, 2}), {.young = 1e5, .poisson = 0.3, .density = 1000});
    model.gravity = {0, 0, -g};
    model.prescribed.push_back(
        {test::vertices_where(model, [](const Vec3&) { return true; }), Motion(), {}, held_until});
    finish_model(model);
    return model;
  };
  const Model held = body(release), free = body(1e-9 * release);
  State state = initial_state(held), started = initial_state(free);
  started.time = release;  // nothing in the model but the release knows the time
  Scratch scratch, other;
  for (int n = 1; n <= 40; ++n) {
    const StepReport report = step(held, {.dt = dt}, state, scratch);
    const double falls = std::max(0, n - 10) * dt;
    EXPECT_NEAR(report.momentum.z(), -mass * g * falls, 1e-13);
    EXPECT_NEAR(report.impulse_prescribed.z(), n <= 10 ? mass * g * dt : 0, 1e-15);
    if (n > 10) step(free, {.dt = dt}, started, other);
    EXPECT_EQ(state.x, started.x) << n;
    EXPECT_EQ(state.v, started.v) << n;
  }
}

// Thrown: an entry that moves lets go with the velocity that it has given; the spin is that of a free body.
TEST(Release, OfATurningBodyKeepsItsEnergyAsAFreeOneDoes) {
  MotionSpec spin;
  spin.center = {0.05, 0.05, 0.05};
  spin.degrees_per_second = 720;
  spin.velocity = {1, 0, 0};
  Model model = test::one_body(box({0.1, 0.1, 0.1}, {2, 2, 2}), {.young = 1e6, .poisson = 0.3, .density = 1000});
  model.prescribed.push_back({test::vertices_where(model, [](const Vec3&) { return true; }), Motion(spin), {}, 0.1});
  finish_model(model);
  State state = initial_state(model);
  Scratch scratch;
  double energy = 0, spin_then = 0;
  for (int n = 1; n <= 100; ++n) {
    const StepReport report = step(model, {.dt = 0.005}, state, scratch);
    ASSERT_EQ(report.status, StepStatus::converged);
    EXPECT_TRUE(n <= 20 || report.work_prescribed == 0);
    if (n == 20) energy = report.kinetic_energy, spin_then = report.angular_momentum.z();
  }
  const Measures end = measure(model, state);
  EXPECT_NEAR(end.kinetic_energy + end.elastic_energy, energy, 0.01 * energy);
  EXPECT_NEAR(end.angular_momentum.z(), spin_then, 1e-3 * std::abs(spin_then));
  EXPECT_LT((end.momentum - Vec3(1, 0, 0)).norm(), 0.02);
}

// A bar hinged at its end is let go: its first motion is that of a pendulum, alpha = 3 g / 2 L.
TEST(Release, OfAHingedBarStartsAPendulum) {
  constexpr double length = 0.5, side = 0.02, dt = 1e-4, release = 0.01;
  Model model = test::one_body(box({length, side, side}, {25, 1, 1}), {.young = 1e9, .poisson = 0, .density = 1000});
  model.gravity = {0, 0, -g};
  test::pin(model, [&](const Vec3& X) { return X.x() == 0 && X.z() < side / 2; });
  model.prescribed.push_back(
      {test::vertices_where(model, [&](const Vec3& X) { return X.x() > 0 || X.z() > side / 2; }),
       Motion(),
       {},
       release});
  finish_model(model);
  State state = initial_state(model);
  Scratch scratch;
  const auto height = [&] {
    double sum = 0;
    for (Index i = 0; i < static_cast<Index>(model.elastic.mass.size()); ++i)
      sum += model.elastic.mass[i] * block(state.x, i).z();
    return sum / model.elastic.mass.sum();
  };
  const double start = height();
  for (int n = 0; n < 100; ++n) step(model, {.dt = dt}, state, scratch);
  EXPECT_EQ(height(), start);
  for (int n = 0; n < 500; ++n) step(model, {.dt = dt}, state, scratch);
  const double t = 0.05, alpha = 3 * g / (2 * length) / (1 + side * side / (length * length));
  EXPECT_NEAR(start - height(), 0.5 * alpha * t * t * length / 2, 0.04 * 0.25 * alpha * t * t * length);
}

// ---- contact and the ledger

Model on_rollers_over(Motion floor) {
  Model model = test::one_body(box({0.1, 0.1, 0.1}, {2, 2, 2}), {.young = 1e5, .poisson = 0.3, .density = 1000});
  model.gravity = {0, 0, -g};
  hold_plane(model, Vec3::UnitZ());
  for (Index i = 0; i < 27; ++i) block(model.initial_velocity, i).x() = 0.2;
  test::add(model, "floor", ObjectType::scripted, generate(SlabShape{.size = {2, 2}}), {0, 0, -0.050002},
            Vec3::Zero(), std::move(floor));
  finish_model(model);
  return model;
}

TEST(Guided, BodyOverAFloorTouchesItWithoutForce) {
  const Model model = on_rollers_over({});
  State state = initial_state(model);
  Scratch scratch;
  for (int n = 0; n < 30; ++n) {
    const StepReport report = step(model, {.dt = 0.005}, state, scratch);
    ASSERT_EQ(report.status, StepStatus::converged) << report.reason;
    EXPECT_EQ(report.active, 0);
    EXPECT_NEAR(report.momentum.x(), 0.2, 1e-9);
  }
}

// Nothing can give way: the contacts have no row that is not zero, and no method may stumble over that.
TEST(Guided, ObstacleThatIsDrivenIntoWhatIsHeldEndsTheRunAsACollision) {
  MotionSpec up;
  up.velocity = {0, 0, 1e-3};
  const Model model = on_rollers_over(Motion(up));
  State state = initial_state(model);
  Scratch scratch;
  const StepReport report = step(model, {.dt = 0.005}, state, scratch);
  EXPECT_FALSE(report.accepted);
  EXPECT_EQ(report.status, StepStatus::collision);
  EXPECT_NE(report.reason.find("floor"), std::string::npos) << report.reason;
  EXPECT_FALSE(scratch.solution.lambda.empty());
  EXPECT_TRUE(scratch.solution.v.allFinite());
  EXPECT_EQ(state.x, initial_state(model).x);
}

// A cube on a belt, one side of which is guided and moves along its normal: the parts of the ledger that are no
// remainder leave what the implicit step loses (tests/step/ledger_balance_test.cpp), and momentum is exact.
TEST(Guided, BodyOnABeltHasALedgerThatBalances) {
  constexpr double dt = 0.001, beta = 1e-3;
  Model model;
  model.gravity = {0, 0, -g};
  model.materials = {{.name = "m", .young = 1e7, .poisson = 0.2, .density = 1000, .stiffness_damping = beta}};
  model.initial_velocity.resize(0);
  model.friction = 0.4;
  MotionSpec belt;
  belt.velocity = {0.5, 0.2, 0};
  test::add_object(model, "cube", ObjectType::deformable, box({0.1, 0.1, 0.1}, {2, 2, 2}), {0, 0, 2.5e-6});
  test::add_object(model, "slab", ObjectType::scripted, generate(SlabShape{.size = {20, 20}}), {0, 0, -0.05},
                   Motion(belt));
  MotionSpec swing;
  swing.translation_expression[0] = "0.01*(1-cos(30*t))";
  const Vec3 n = Vec3(1, 0.2, 0).normalized();
  model.prescribed.push_back(
      {test::vertices_where(model, [](const Vec3& X) { return X.x() == 0 && X.z() > -0.01; }), Motion(swing), {n}});
  finish_model(model);
  State state = initial_state(model);
  Scratch scratch;
  Vec3 momentum = measure(model, state).momentum;
  double worst = 0, all = 0, work = 0;
  for (int k = 0; k < 300; ++k) {
    const State before = state;
    const StepReport r = step(model, {.dt = dt}, state, scratch);
    ASSERT_EQ(r.status, StepStatus::converged) << r.reason;
    double loss = 0.5 * dt / beta * r.dissipation_damping;
    for (Index i = 0; i < static_cast<Index>(model.elastic.mass.size()); ++i)
      loss += 0.5 * model.elastic.mass[i] * (block(state.v, i) - block(before.v, i)).squaredNorm();
    worst = std::max(worst, std::abs(r.dissipation_scheme - loss));
    all += loss;
    work += std::abs(r.work_prescribed);
    momentum += r.impulse_external + r.impulse_prescribed + r.impulse_left_over;
    EXPECT_LT((r.momentum - momentum).norm(), 1e-12);
    for (const Index i : model.guided) {
      const Vec3 prescribed(0.01 * (1 - std::cos(30 * state.time)), 0, 0);
      EXPECT_NEAR(n.dot(block(state.x, i) - model.mesh.vertices[i]), n.dot(prescribed), 1e-14);
    }
  }
  EXPECT_GT(work, 0.1);
  EXPECT_GT(all, 1e-3);
  EXPECT_LT(worst, 1e-6 * work);
}

}  // namespace guides_test
}  // namespace sim
