// The parts of the ledger that are no remainder: with closed forms of the scheme's loss and of what corrections do,
// the balance of energy closes without it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "mesh/generate.hpp"
#include "step/ledger.hpp"
#include "step/step.hpp"
#include "support/objects.hpp"

namespace sim {
namespace ledger_balance_test {

using test::add_object;

constexpr double g = 9.81, dt = 0.001, beta = 1e-3;

// A slab that moves, and on it a cube of 10 cm, 1 kg; `gap`: m, where it begins.
Model cube_on_belt(ObjectType type, const Vec3& belt, double gap) {
  Model model;
  model.gravity = {0, 0, -g};
  model.materials = {{.name = "m", .young = 1e7, .poisson = 0.2, .density = 1000, .stiffness_damping = beta}};
  model.initial_velocity.resize(0);
  model.friction = 0.4;
  MotionSpec spec;
  spec.velocity = belt;
  add_object(model, "slab", ObjectType::scripted, generate(SlabShape{.size = {20, 20}}), {0, 0, -0.05}, Motion(spec));
  add_object(model, "cube", type, generate(BoxShape{.size = {0.1, 0.1, 0.1}, .cells = {2, 2, 2}}),
             {0.01, 0.02, 0.05 + gap});
  finish_model(model);
  return model;
}

// J: kinetic energy of the change of velocity.
double inertia_loss(const Model& model, const State& before, const State& after) {
  double loss = 0;
  for (Index i = 0; i < static_cast<Index>(model.elastic.mass.size()); ++i)
    loss += 0.5 * model.elastic.mass[i] * (block(after.v, i) - block(before.v, i)).squaredNorm();
  for (std::size_t i = 0; i < model.rigid.size(); ++i)
    loss += 0.5 * model.rigid[i].mass * (after.rigid[i].velocity - before.rigid[i].velocity).squaredNorm();
  return loss;
}

// With stiffness damping alone dt beta v1 . K v1 is known, and the implicit spring loses dx . K dx / 2.
double spring_loss(const StepReport& r) {
  return 0.5 * dt / beta * r.dissipation_damping;
}

TEST(LedgerBalance, TheSchemesLossIsThatOfTheImplicitStep) {
  for (const ObjectType type : {ObjectType::rigid, ObjectType::deformable}) {
    const Model model = cube_on_belt(type, {0.5, 0.2, 0.1}, 2.5e-6);
    State state = initial_state(model);
    Scratch scratch;
    double worst = 0, all = 0, friction = 0, left_over = 0;
    for (int n = 0; n < 300; ++n) {
      const State before = state;
      const StepReport r = step(model, {.dt = dt}, state, scratch);
      ASSERT_EQ(r.status, StepStatus::converged);
      const double loss = inertia_loss(model, before, state) + spring_loss(r);
      worst = std::max(worst, std::abs(r.dissipation_scheme - loss));
      all += loss;
      friction += r.dissipation_friction;
      left_over = std::max(left_over, std::abs((before.left_over - state.left_over).dot(state.v)));
      EXPECT_GE(r.dissipation_friction, 0);
    }
    // 0.5 J are in play. A rigid cube turns hardly at all; the rows of f change little in an elastic one.
    EXPECT_GT(all, 1e-3);
    EXPECT_GT(friction, 0.1);
    // What the solver leaves over does work, far above that.
    EXPECT_TRUE(type == ObjectType::rigid || left_over > 1e-6) << left_over;
    EXPECT_LT(worst, type == ObjectType::rigid ? 1e-9 : 1e-7);
  }
}

// A gap that is too small is made up: the weight is lifted, by nothing but the correction.
TEST(LedgerBalance, AGapThatIsMadeUpIsWorkOfTheCorrection) {
  const Model model = cube_on_belt(ObjectType::rigid, {0, 0, 0}, 1e-7);
  State state = initial_state(model);
  const double start = measure(model, state).potential_energy;
  Scratch scratch;
  double correction = 0, others = 0, missed = 0;
  for (int n = 0; n < 300; ++n) {
    const StepReport r = step(model, {.dt = dt}, state, scratch);
    ASSERT_EQ(r.status, StepStatus::converged);
    missed += r.constraint_error;  // a gap above the lowest target gap is not taken back
    correction += r.work_correction;
    others += std::abs(r.work_prescribed) + r.dissipation_friction + r.dissipation_scheme;
  }
  const double lifted = measure(model, state).potential_energy - start;
  EXPECT_NEAR(lifted, g * 1e-7, g * missed);  // from 1e-7 m to the lowest target gap
  EXPECT_LT(missed, 1e-7);
  EXPECT_NEAR(correction, lifted, 0.1 * lifted);
  EXPECT_NEAR(correction - others, lifted, 1e-12);  // the scheme takes the rest, as the cube sets off
}

}  // namespace ledger_balance_test
}  // namespace sim
