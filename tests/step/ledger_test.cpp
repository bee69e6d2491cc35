// The ledger of a step against closed forms, and its balances in every step of every run here.
#include "step/ledger.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numbers>

#include "math/parallel.hpp"
#include "mesh/generate.hpp"
#include "step/step.hpp"
#include "support/objects.hpp"

namespace sim {
namespace ledger_test {

using test::add_object;

constexpr double g = 9.81;
constexpr double resting = 2.5e-6;  // m, a gap that contacts are content with

Model empty_model(const Material& material, double friction) {
  Model model;
  model.gravity = {0, 0, -g};
  model.materials = {material};
  model.initial_velocity.resize(0);
  model.friction = friction;
  return model;
}

const Material stone{.name = "stone", .young = 5e6, .poisson = 0.2, .density = 1000};

Mesh cube(double side, Index cells = 1) {
  return generate(BoxShape{.size = {side, side, side}, .cells = {cells, cells, cells}});
}

Motion moving(const Vec3& velocity) {
  MotionSpec spec;
  spec.velocity = velocity;
  return Motion(spec);
}

// A slab with its top at z = 0 that moves as prescribed, and a cube of 10 cm on it.
Model cube_on_slab(ObjectType type, const Vec3& slab_velocity, double friction, Index cells = 1) {
  Model model = empty_model(stone, friction);
  add_object(model, "slab", ObjectType::scripted, generate(SlabShape{.size = {20, 20}}), {0, 0, -0.05},
             moving(slab_velocity));
  add_object(model, "cube", type, cube(0.1, cells), {0.01, 0.02, 0.05 + resting});
  return model;
}

double total_mass(const Model& model) {
  double mass = model.elastic.mass.sum();
  for (const RigidBody& body : model.rigid) mass += body.mass;
  return mass;
}

double total(const Measures& m) {
  return m.kinetic_energy + m.elastic_energy + m.potential_energy;
}

struct Balance {  // what all steps of a run add up to
  double work = 0, correction = 0, friction = 0, damping = 0, scheme = 0;
  Vec3 external{0, 0, 0}, prescribed{0, 0, 0}, angular_external{0, 0, 0}, angular_prescribed{0, 0, 0};

  void add(const Balance& other) {
    work += other.work;
    correction += other.correction;
    friction += other.friction;
    damping += other.damping;
    scheme += other.scheme;
    external += other.external;
    prescribed += other.prescribed;
    angular_external += other.angular_external;
    angular_prescribed += other.angular_prescribed;
  }
};

Balance of(const StepReport& r) {
  return {.work = r.work_prescribed,
          .correction = r.work_correction,
          .friction = r.dissipation_friction,
          .damping = r.dissipation_damping,
          .scheme = r.dissipation_scheme,
          .external = r.impulse_external,
          .prescribed = r.impulse_prescribed,
          .angular_external = r.angular_impulse_external,
          .angular_prescribed = r.angular_impulse_prescribed};
}

constexpr double rounding = 1e-12;

// In every step energy and momentum, measured by themselves before and after, change by what the ledger says. All
// that moves does so at about 1 m/s; `inside`: kg m/s, of impulses that cancel.
template <class Watch>
Balance run(const Model& model, const Options& options, int steps, State& state, const Watch& watch,
            double inside = 0) {
  Balance sum;
  Scratch scratch;
  for (int n = 0; n < steps; ++n) {
    const Measures before = measure(model, state);
    const StepReport r = step(model, options, state, scratch);
    EXPECT_TRUE(r.accepted) << "step " << r.step << ": " << r.reason;
    if (!r.accepted) return sum;
    const Measures after = measure(model, state);
    const double lost = r.dissipation_friction + r.dissipation_damping + r.dissipation_scheme - r.work_correction;
    const double energy = before.kinetic_energy + before.elastic_energy + std::abs(before.potential_energy) +
                          std::abs(r.work_prescribed) + lost;
    EXPECT_NEAR(total(after) - total(before), r.work_prescribed - lost, rounding * energy) << "step " << r.step;
    const Vec3 given = r.impulse_external + r.impulse_prescribed + r.impulse_left_over;
    const double momentum = total_mass(model) * 1 + r.impulse_external.norm() + r.impulse_prescribed.norm() + inside;
    EXPECT_LE((after.momentum - before.momentum - given).norm(), rounding * momentum) << "step " << r.step;
    sum.add(of(r));
    watch(r);
  }
  return sum;
}
Balance run(const Model& model, const Options& options, int steps, State& state) {
  return run(model, options, steps, state, [](const StepReport&) {});
}

TEST(Ledger, OfFreeFallHasGravityAndWhatTheSchemeLoses) {
  for (const ObjectType type : {ObjectType::deformable, ObjectType::rigid}) {
    Model model = empty_model(stone, 0.5);
    add_object(model, "cube", type, cube(0.1, 2), {0.3, 0.2, 1});
    finish_model(model);
    State state = initial_state(model);
    const double dt = 0.01, mass = total_mass(model);
    const Balance sum = run(model, {.dt = dt}, 20, state, [&](const StepReport& r) {
      // v1^2 - v0^2 is short of 2 g dt v1 by (g dt)^2.
      EXPECT_NEAR(r.dissipation_scheme, 0.5 * mass * g * dt * g * dt, 1e-11);
      EXPECT_NEAR(r.impulse_external.z(), -mass * g * dt, 1e-12);
    });
    EXPECT_NEAR(mass, 1, 1e-12);
    EXPECT_EQ(sum.work, 0);
    EXPECT_EQ(sum.friction, 0);
    EXPECT_EQ(sum.damping, 0);
    EXPECT_EQ(sum.correction, 0);
    EXPECT_EQ(sum.prescribed, Vec3(0, 0, 0));
    // Torque of the weight about the origin: x cross m g.
    const Vec3 torque = Vec3(0.3, 0.2, 0).cross(Vec3(0, 0, -g));
    EXPECT_LT((sum.angular_external - 20 * dt * torque).norm(), 1e-10);
  }
}

TEST(Ledger, OfACubeThatSlidesToRestHasCoulombsWork) {
  const double mu = 0.4, v0 = 1, dt = 0.001;
  Model model = cube_on_slab(ObjectType::rigid, {0, 0, 0}, mu);
  model.objects.back().velocity = {v0, 0, 0};
  finish_model(model);
  State state = initial_state(model);
  // The first step makes the contacts, on its way: friction's loss is that of the slip after it.
  Balance sum = run(model, {.dt = dt}, 1, state);
  const double mass = total_mass(model);
  EXPECT_GT(sum.friction, 0.5 * mu * mass * g * v0 * dt);
  EXPECT_LT(sum.friction, mu * mass * g * v0 * dt);
  EXPECT_LE(sum.friction - sum.correction, mu * mass * g * v0 * dt);  // with what its way there took
  // At rest by t = v0 / (mu g) = 0.255 s; friction acts along the whole way, and not after.
  const double start = state.rigid[0].center.x();
  const Balance slide = run(model, {.dt = dt}, 299, state);
  const double way = state.rigid[0].center.x() - start;
  EXPECT_LT(state.rigid[0].velocity.norm(), 1e-5);
  EXPECT_NEAR(way, v0 * v0 / (2 * mu * g), 2 * v0 * dt);
  // Contacts that are made later go a part of one step's way before it.
  EXPECT_NEAR(slide.friction - slide.correction, mu * mass * g * way, 1e-4 * mu * mass * g * way);
  EXPECT_LT(std::abs(slide.correction), 1e-3 * slide.friction);
  sum.add(slide);
  EXPECT_EQ(sum.work, 0);  // the slab stands still
  EXPECT_EQ(sum.damping, 0);
  EXPECT_NEAR(sum.friction + sum.scheme - sum.correction, 0.5 * mass * v0 * v0, 1e-4 * mass);
  // The slab has stopped it, and carried it: the weight's impulse for 0.3 s.
  EXPECT_LT((sum.prescribed - Vec3(-mass * v0, 0, 0.3 * mass * g)).norm(), 1e-4 * mass);
}

TEST(Ledger, OfAnElasticCubeThatSlidesToRestHasCoulombsWork) {
  const double mu = 0.4, v0 = 1;
  Model model = cube_on_slab(ObjectType::deformable, {0, 0, 0}, mu, 2);
  test::set_velocity(model, model.objects.back(), {v0, 0, 0});
  finish_model(model);
  State state = initial_state(model);
  const double mass = total_mass(model);
  const auto center = [&] {
    double x = 0;
    for (Index i = 0; i < static_cast<Index>(model.elastic.mass.size()); ++i)
      x += model.elastic.mass[i] * block(state.x, i).x() / mass;
    return x;
  };
  const double start = center();
  const Balance sum = run(model, {.dt = 0.001}, 300, state);
  const double way = center() - start;
  EXPECT_NEAR(way, v0 * v0 / (2 * mu * g), 0.02 * way);
  EXPECT_NEAR(sum.friction, mu * mass * g * way, 0.02 * mu * mass * g * way);
  EXPECT_EQ(sum.work, 0);
  EXPECT_GT(sum.scheme, 0);
}

TEST(Ledger, OfABeltThatDrivesACubeHasForceTimesTravelOfTheBelt) {
  const double mu = 0.3, belt = 0.5, dt = 0.001;
  Model model = cube_on_slab(ObjectType::rigid, {belt, 0, 0}, mu);
  finish_model(model);
  State state = initial_state(model);
  const double mass = total_mass(model), force = mu * mass * g;
  Balance sum = run(model, {.dt = dt}, 1, state);  // makes the contacts
  const double start = state.rigid[0].center.x();
  const int n = 149;  // it slides for 0.17 s
  const Balance sliding = run(model, {.dt = dt}, n, state);
  const double travel = belt * n * dt, way = state.rigid[0].center.x() - start;
  EXPECT_NEAR(sliding.work, force * travel, 1e-4 * force * travel);
  EXPECT_NEAR(sliding.friction, force * (travel - way), 1e-4 * force * travel);
  EXPECT_NEAR(sliding.prescribed.x(), force * n * dt, 1e-4 * force * n * dt);
  sum.add(sliding);
  sum.add(run(model, {.dt = dt}, 100, state));
  // Half of the belt's work is the cube's, half is friction's; a step's worth of sliding may be either's.
  EXPECT_NEAR(sum.work, mass * belt * belt, 2e-3 * mass * belt * belt);
  EXPECT_NEAR(sum.friction, 0.5 * mass * belt * belt, 1e-2 * mass * belt * belt);
  // Once it rides along nothing more is done: over another second.
  const Balance riding = run(model, {.dt = dt}, 1000, state);
  EXPECT_LT(std::abs(riding.work), 1e-5 * sum.work);
}

TEST(Ledger, OfAPlatformThatLiftsACubeHasItsWeightTimesTheHeight) {
  const double up = 0.2, dt = 0.001;
  for (const ObjectType type : {ObjectType::rigid, ObjectType::deformable}) {
    Model model = cube_on_slab(type, {0, 0, up}, 0.5);
    test::set_velocity(model, model.objects.back(), {0, 0, up});
    model.objects.back().velocity = {0, 0, up};
    finish_model(model);
    State state = initial_state(model);
    const double weight = total_mass(model) * g;
    const Balance sum = run(model, {.dt = dt}, 500, state);
    EXPECT_NEAR(sum.work, weight * up * 0.5, 1e-3 * weight * up * 0.5);
    EXPECT_NEAR(sum.prescribed.z(), weight * 0.5, 1e-3 * weight * 0.5);
    EXPECT_LT(std::abs(sum.friction), 1e-6 * sum.work);
    EXPECT_LT(std::abs(sum.scheme), 1e-3 * sum.work);
  }
}

// A bar along x of length 1 m with faces of 0.1 x 0.1 m, nu = 0: a spring of k = E A / L with any strain uniform. Its
// right end is pulled by `way` in n steps so long that inertia is nothing.
struct Pull {
  double stiffness, velocity, dt;
  Balance sum;
  double elastic_energy;
};

Pull pull(int n, double way, double beta) {
  const double dt = 1e4;
  Model model = empty_model({.young = 1e6, .poisson = 0, .density = 1000, .stiffness_damping = beta}, 0.5);
  model.gravity.setZero();
  model.mesh = generate(BoxShape{.size = {1, 0.1, 0.1}, .cells = {6, 1, 1}});
  Model body = test::one_body(model.mesh, model.materials[0]);
  test::pin(body, [](const Vec3& X) { return X.x() < -0.49; });
  const double velocity = way / (n * dt);
  body.prescribed.push_back(
      {test::vertices_where(body, [](const Vec3& X) { return X.x() > 0.49; }), moving({velocity, 0, 0})});
  finish_model(body);
  State state = initial_state(body);
  state.v.setZero();
  const double stiffness = 1e6 * 0.01;
  const Balance sum = run(
      body, {.dt = dt}, n, state, [](const StepReport&) {}, 10 * stiffness * way * dt);
  return {stiffness, velocity, dt, sum, measure(body, state).elastic_energy};
}

TEST(Ledger, OfAPinnedBarThatIsPulledHasTheWorkOfASpring) {
  const double way = 0.01;
  double before = 0;
  for (const int n : {4, 8, 16, 32}) {
    const Pull p = pull(n, way, 0);
    const double energy = 0.5 * p.stiffness * way * way;
    EXPECT_NEAR(p.elastic_energy, energy, 1e-9 * energy);
    // Each step pulls with the force of its end: sum of k (i way / n) (way / n).
    EXPECT_NEAR(p.sum.work, energy * (1 + 1.0 / n), 1e-9 * energy);
    EXPECT_NEAR(p.sum.scheme, energy / n, 1e-9 * energy);
    EXPECT_TRUE(n == 4 || std::abs(before / p.sum.scheme - 2) < 1e-6) << before;  // first order
    before = p.sum.scheme;
    // One end pulls as much as the other holds.
    EXPECT_LT(p.sum.prescribed.norm(), 1e-9 * p.stiffness * way * p.dt * n);
  }
}

TEST(Ledger, OfStiffnessDampingIsThatOfADashpot) {
  const int n = 8;
  const double way = 0.01, beta = 3e4;
  const Pull p = pull(n, way, beta);
  const double lost = n * p.dt * beta * p.stiffness * p.velocity * p.velocity;
  const double energy = 0.5 * p.stiffness * way * way;
  EXPECT_NEAR(p.sum.damping, lost, 1e-9 * lost);
  EXPECT_GT(lost, 0.1 * energy);
  EXPECT_NEAR(p.sum.work, energy * (1 + 1.0 / n) + lost, 1e-9 * energy);
}

TEST(Ledger, OfMassDampingDecaysAsTheClosedForm) {
  const double alpha = 4, dt = 0.01, v0 = 2;
  const int n = 50;
  for (const ObjectType type : {ObjectType::deformable, ObjectType::rigid}) {
    Model model = empty_model({.young = 1e6, .poisson = 0.2, .density = 1000, .mass_damping = alpha}, 0.5);
    model.gravity.setZero();
    Object& body = add_object(model, "cube", type, cube(0.1, 2), {0, 0, 0});
    body.velocity = {v0, 0, 0};
    body.angular_velocity = {0, 0, type == ObjectType::rigid ? 30.0 : 0.0};
    test::set_velocity(model, body, {v0, 0, 0});
    finish_model(model);
    State state = initial_state(model);
    const Measures start = measure(model, state);
    const double mass = total_mass(model), q = 1 / (1 + alpha * dt);
    // v = v0 q^k, and so the spin of a cube: dt alpha (m v^2 + w . L) a step.
    const double powers = q * q * (1 - std::pow(q, 2 * n)) / (1 - q * q);
    const Balance sum = run(model, {.dt = dt}, n, state);
    EXPECT_NEAR(sum.damping, dt * alpha * 2 * start.kinetic_energy * powers, 1e-9 * start.kinetic_energy);
    EXPECT_NEAR(sum.scheme, (1 / q - 1) * (1 / q - 1) * start.kinetic_energy * powers, 1e-9 * start.kinetic_energy);
    EXPECT_LT((sum.external - Vec3(-mass * v0 * (1 - std::pow(q, n)), 0, 0)).norm(), 1e-10);
    EXPECT_LT((sum.angular_external + start.angular_momentum * (1 - std::pow(q, n))).norm(), 1e-10);
  }
}

// Under gravity a throw turns round within a step: velocities of its two ends are opposite, the force of the one has
// the sign of the other. Damping takes energy all the same: alpha m w^2 with the mean velocity w.
TEST(Ledger, OfMassDampingTakesEnergyWhereAThrowTurnsRound) {
  const double alpha = 2, dt = 1e-3, v0 = 0.0498;
  for (const TimeScheme scheme : {TimeScheme::generalized_alpha, TimeScheme::implicit_euler}) {
    for (const ObjectType type : {ObjectType::deformable, ObjectType::rigid}) {
      Model model = empty_model({.young = 1e6, .poisson = 0.2, .density = 1000, .mass_damping = alpha}, 0.5);
      Object& body = add_object(model, "cube", type, cube(0.1), {0, 0, 0});
      body.velocity = {0, 0, v0};
      test::set_velocity(model, body, {0, 0, v0});
      finish_model(model);
      State state = initial_state(model);
      Scratch scratch;
      Options options{.dt = dt};
      options.time.scheme = scheme;
      const double mass = total_mass(model);
      for (int n = 0; n < 10; ++n) {
        const double before = measure(model, state).potential_energy;
        const StepReport r = step(model, options, state, scratch);
        ASSERT_TRUE(r.accepted);
        const double w = (measure(model, state).potential_energy - before) / (mass * g * dt);
        EXPECT_NEAR(r.dissipation_damping, dt * alpha * mass * w * w, 1e-9 * mass * v0 * v0) << "step " << r.step;
      }
    }
  }
}

// Quasi-static increments are no motion, whatever their way.
TEST(Ledger, OfQuasiStaticIncrementsHasNoMassDamping) {
  for (const ObjectType type : {ObjectType::deformable, ObjectType::rigid}) {
    std::array<double, 2> by_scheme{};
    for (const double alpha : {0.0, 10.0}) {
      Model model = cube_on_slab(type, {0.1, 0, 0}, 0.5);
      model.materials[0].mass_damping = alpha;
      finish_model(model);
      State state = initial_state(model);
      Scratch scratch;
      Options options{.dt = 0.01};
      options.time.scheme = TimeScheme::quasi_static;
      for (int n = 0; n < 3; ++n) {
        const StepReport r = step(model, options, state, scratch);
        ASSERT_TRUE(r.accepted);
        EXPECT_EQ(r.dissipation_damping, 0);
        by_scheme[alpha > 0 ? 1 : 0] += r.dissipation_scheme;
      }
    }
    EXPECT_NEAR(by_scheme[0], by_scheme[1], 2e-4);  // alpha m (way / dt)^2 dt were 3e-3 J
  }
}

// All vertices of one face are shaken; what accelerates them is work of theirs.
TEST(Ledger, OfVerticesThatAreShakenHasTheirInertia) {
  const double dt = 0.001, v = 3;
  Model model = test::one_body(cube(0.1, 2), stone);
  MotionSpec spec;
  spec.keyframes = {{0, {0, 0, 0}}, {0.01, {0, 0, 0}}, {1.01, {v, 0, 0}}};
  const std::vector<Index> all = test::vertices_where(model, [](const Vec3&) { return true; });
  model.prescribed.push_back({all, Motion(spec)});
  finish_model(model);
  State state = initial_state(model);
  const double mass = total_mass(model);
  const Balance sum = run(model, {.dt = dt}, 20, state);
  // Set in motion within one step: the force acts along the whole way of that step, twice the mean.
  EXPECT_NEAR(sum.work, mass * v * v, 1e-9 * mass * v * v);
  EXPECT_NEAR(sum.scheme, 0.5 * mass * v * v, 1e-9 * mass * v * v);
  EXPECT_LT((sum.prescribed - Vec3(mass * v, 0, 0)).norm(), 1e-9 * mass * v);
}

TEST(Ledger, OfABallThatBouncesOnAFloorAtRestHasNoWork) {
  Model model = empty_model({.young = 1e5, .poisson = 0.3, .density = 1000}, 0.5);
  add_object(model, "floor", ObjectType::fixed, generate(SlabShape{}), {0, 0, -0.05});
  Object& ball = add_object(model, "ball", ObjectType::deformable,
                            generate(SphereShape{.radius = 0.05, .resolution = 3}), {0.01, 0.02, 0.08});
  test::set_velocity(model, ball, {0.5, 0, -1});
  finish_model(model);
  State state = initial_state(model);
  const double start = total(measure(model, state));
  bool met = false, parted = false;
  const Balance sum = run(model, {.dt = 0.001}, 120, state, [&](const StepReport& r) {
    met = met || r.active > 0;
    parted = parted || (met && r.contacts == 0);
  });
  EXPECT_TRUE(met && parted);
  EXPECT_EQ(sum.work, 0);
  EXPECT_GT(sum.friction, 0);
  EXPECT_NEAR(sum.friction + sum.scheme - sum.correction, start - total(measure(model, state)), 1e-11);
  EXPECT_GT(sum.prescribed.z(), total_mass(model));  // it is thrown back
}

// What turns a rigid body is in the ledger to the last digit: gravity, the floor, and what the solver left over.
TEST(Ledger, OfARigidBodyClosesItsAngularMomentum) {
  Model model = cube_on_slab(ObjectType::rigid, {0.2, 0, 0}, 0.5);
  model.objects.back().velocity = {0.3, 0.1, -0.5};
  model.objects.back().angular_velocity = {1, 2, 3};
  finish_model(model);
  State state = initial_state(model);
  Scratch scratch;
  double given = 0;
  for (int n = 0; n < 200; ++n) {
    const State before = state;
    const StepReport r = step(model, {.dt = 0.001}, state, scratch);
    ASSERT_TRUE(r.accepted);
    const RigidState &a = before.rigid[0], &b = state.rigid[0];
    const Vec3 left = a.center.cross(a.left_over - b.left_over) + a.left_over_spin - b.left_over_spin;
    const Vec3 missed = r.angular_momentum - measure(model, before).angular_momentum - r.angular_impulse_external -
                        r.angular_impulse_prescribed - left;
    EXPECT_LT(missed.norm(), 1e-14) << "step " << r.step;
    given += r.angular_impulse_prescribed.norm();
  }
  EXPECT_GT(given, 1e-2);
}

Model heap() {  // elastic, rigid, pinned, driven and damped at once
  Model model = empty_model(
      {.young = 2e5, .poisson = 0.3, .density = 1000, .mass_damping = 0.5, .stiffness_damping = 1e-3}, 0.5);
  add_object(model, "belt", ObjectType::scripted, generate(SlabShape{}), {0, 0, -0.05}, moving({0.4, 0.1, 0}));
  Object& ring = add_object(model, "ring", ObjectType::deformable, generate(TorusShape{}), {0, 0, 0.021});
  test::set_velocity(model, ring, {0, 0, -0.5});
  add_object(model, "box", ObjectType::rigid, cube(0.1), {0.02, 0.01, 0.1}).angular_velocity = {1, 2, 0};
  const Object& bar = add_object(model, "bar", ObjectType::deformable,
                                 generate(BoxShape{.size = {0.3, 0.05, 0.05}, .cells = {6, 1, 1}}), {0.25, 0, 0.1});
  MotionSpec lift;
  lift.velocity = {-0.1, 0, -0.2};
  lift.degrees_per_second = -40;  // not into the belt
  lift.axis = {0, 1, 0};
  std::vector<Index> end;
  for (Index i = bar.vertices.begin; i < bar.vertices.end; ++i)
    if (model.mesh.vertices[i].x() > 0.35) end.push_back(i);
  model.prescribed.push_back({end, Motion(lift)});
  finish_model(model);
  return model;
}

TEST(Ledger, OfAHeapClosesAndFeedsNothing) {
  const Model model = heap();
  State state = initial_state(model);
  const double start = total(measure(model, state));
  Index most = 0;
  const Balance sum = run(model, {.dt = 0.001}, 250, state, [&](const StepReport& r) {
    most = std::max(most, r.active);
    EXPECT_GE(r.dissipation_damping, 0);
  });
  EXPECT_GT(most, 20);
  EXPECT_GT(sum.friction, 0);
  EXPECT_GT(sum.scheme, 0);
  EXPECT_NEAR(total(measure(model, state)) - start,
              sum.work + sum.correction - sum.friction - sum.damping - sum.scheme, 1e-10);
}

// Steps of which many are too hard for so few iterations, and are divided.
Options with_few_iterations() {
  Options options{.dt = 0.005};
  options.contact.max_iterations = 15;
  return options;
}

TEST(Ledger, OfStepsThatAreDividedAddsUpTheirParts) {
  const Model model = heap();
  State state = initial_state(model);
  Index divided = 0;
  const Balance sum =
      run(model, with_few_iterations(), 50, state, [&](const StepReport& r) { divided += r.substeps > 1 ? 1 : 0; });
  EXPECT_GT(divided, 0);
  EXPECT_GT(sum.friction, 0);
}

TEST(Ledger, OfADividedStepIsThatOfItsPartsAsSteps) {
  const Model model = heap();
  Options options = with_few_iterations();
  options.contact.together = true;  // else only islands that fail are divided
  State state = initial_state(model);
  Scratch scratch;
  for (int n = 0; n < 50; ++n) {
    State alone = state;
    const StepReport r = step(model, options, state, scratch);
    ASSERT_TRUE(r.accepted);
    if (r.substeps != 2) continue;  // of more, some may be longer than others
    Options half = options;
    half.dt /= 2;
    alone.step *= 2;  // time goes by numbers of steps
    Scratch fresh;
    Balance sum;
    for (int k = 0; k < 2; ++k) {
      const StepReport part = step(model, half, alone, fresh);
      ASSERT_EQ(part.substeps, 1);
      sum.add(of(part));
    }
    ASSERT_LT((alone.x - state.x).cwiseAbs().maxCoeff(), 1e-12);
    const double all = std::abs(sum.work) + sum.friction + sum.damping + std::abs(sum.scheme);
    EXPECT_NEAR(r.work_prescribed, sum.work, 1e-9 * all);
    EXPECT_NEAR(r.dissipation_friction, sum.friction, 1e-9 * all);
    EXPECT_NEAR(r.dissipation_damping, sum.damping, 1e-9 * all);
    EXPECT_NEAR(r.dissipation_scheme, sum.scheme, 1e-9 * all);
    EXPECT_NEAR(r.work_correction, sum.correction, 1e-9 * all);
    EXPECT_LT((r.impulse_external - sum.external).norm(), 1e-9 * sum.external.norm());
    EXPECT_LT((r.impulse_prescribed - sum.prescribed).norm(), 1e-9 * sum.prescribed.norm());
    return;
  }
  FAIL() << "no step was divided in two";
}

TEST(Ledger, OfStepsThatDidNotConvergeClosesToo) {
  const Model model = heap();
  Options options{.dt = 0.001};
  options.contact.max_iterations = 3;
  options.contact.accept_unconverged = true;
  State state = initial_state(model);
  Index unconverged = 0;
  double left = 0;
  // The heap's first landing. Forces that are not solved for may later bring a step that cannot be taken.
  run(model, options, 12, state, [&](const StepReport& r) {
    unconverged += r.status != StepStatus::converged ? 1 : 0;
    left = std::max(left, r.impulse_left_over.norm());
  });
  EXPECT_GT(unconverged, 5);
  EXPECT_GT(left, 1e-6);  // far above rounding, and accounted for
}

TEST(Ledger, OfAStepThatWasNotTakenIsEmpty) {
  const Model model = heap();
  Options options{.dt = 0.001};
  options.contact.max_iterations = 1;
  options.contact.most_halvings = 1;
  State state = initial_state(model);
  Scratch scratch;
  StepReport r;
  for (int n = 0; n < 200 && r.accepted; ++n) r = step(model, options, state, scratch);
  ASSERT_FALSE(r.accepted);
  EXPECT_EQ(r.work_prescribed, 0);
  EXPECT_EQ(r.dissipation_scheme, 0);
  EXPECT_EQ(r.impulse_external, Vec3(0, 0, 0));
}

TEST(Ledger, BitsDoNotDependOnThreadsOrScratch) {
  const Model model = heap();
  const auto go = [&](int threads, bool keep) {
    set_thread_count(threads);
    State state = initial_state(model);
    auto scratch = std::make_unique<Scratch>();
    std::vector<double> numbers;
    for (int n = 0; n < 80; ++n) {
      if (!keep) scratch = std::make_unique<Scratch>();
      const StepReport r = step(model, {.dt = 0.001}, state, *scratch);
      for (const double x : {r.work_prescribed, r.dissipation_friction, r.dissipation_damping, r.dissipation_scheme,
                             r.work_correction})
        numbers.push_back(x);
      for (const Vec3& v : {r.impulse_external, r.impulse_prescribed, r.impulse_left_over, r.angular_impulse_external,
                            r.angular_impulse_prescribed})
        numbers.insert(numbers.end(), v.begin(), v.end());
    }
    set_thread_count(1);
    return numbers;
  };
  const auto one = go(1, true);
  EXPECT_EQ(one, go(2, true));
  EXPECT_EQ(one, go(1, false));
}

}  // namespace ledger_test
}  // namespace sim
