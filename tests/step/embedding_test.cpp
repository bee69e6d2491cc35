// Embedded surfaces in whole steps.
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "collide/intersections.hpp"
#include "local/step.hpp"
#include "model/measure.hpp"
#include "step/contact_problem.hpp"
#include "support/methods.hpp"
#include "support/played.hpp"

namespace sim {
namespace embedding_test {

using test::Played;
using test::with;

constexpr double g = 9.81;

// A box over a floor, turned and spinning.
constexpr const char* thrown = R"({"time": {"step": 0.004, "duration": 1},
  "materials": {"m": {"young": 2e4, "density": 500}},
  "meshes": {"plain": {"generate": "box", "size": [0.2, 0.1, 0.1], "cells": [4, 2, 2]},
             "body": {"generate": "box", "size": [0.2, 0.1, 0.1], "cells": [4, 2, 2] EMBED},
             "ground": {"generate": "half-space"}},
  "objects": [{"name": "box", "mesh": "body", "material": "m", "position": [0, 0, 0.16],
               "rotation": {"axis": [1, 2, 0], "degrees": 30}, "velocity": [0.5, 0, -0.5],
               "angular_velocity": [1, 2, 3]},
              {"name": "floor", "type": "fixed", "mesh": "ground"}],
  "solver": {"method": "cr-full", "relative_tolerance": 1e-6}, "contact": {"friction": 0.4, "enabled": CONTACT}})";

Played throw_box(const std::string& embed, bool contact = true) {
  return Played(with(thrown, {{"EMBED", embed}, {"CONTACT", contact ? "true" : "false"}}));
}

double farthest(const Played& a, const Played& b, Index vertices) {
  double most = 0;
  for (Index i = 0; i < vertices; ++i) most = std::max(most, (a.at(i) - b.at(i)).norm());
  return most;
}

TEST(Embedded, InItselfABodyGoesItsWay) {
  Played plain = throw_box(""), embedded = throw_box(R"(, "embed": {"cage": "plain"})");
  ASSERT_GT(embedded.model.embedding.vertices.size(), 0u);
  EXPECT_NEAR(plain.model.elastic.mass.sum(), embedded.model.elastic.mass.sum(), 1e-14);
  const Index vertices = plain.model.objects[0].vertices.size();
  Index touched = 0;
  for (int n = 0; n < 50; ++n) {
    touched += plain.advance(1).active > 0 ? 1 : 0;
    embedded.advance(1);
  }
  EXPECT_GT(touched, 20);
  EXPECT_LT(farthest(plain, embedded, vertices), 2e-6);
}

TEST(Embedded, FallsFreelyAsTheSolid) {
  Played run = throw_box(R"(, "embed": {"cell": 0.06})", false);
  EXPECT_NEAR(run.model.elastic.mass.sum(), 500 * 0.2 * 0.1 * 0.1, 1e-13);
  const Measures before = measure(run.model, run.state);
  run.advance(25);
  const Measures after = measure(run.model, run.state);
  const Vec3 gained = after.momentum - before.momentum;
  EXPECT_LT((gained - Vec3(0, 0, -g * 0.1 * before.momentum[0] / 0.5)).norm(), 1e-10);
  for (const EmbeddedVertex& point : run.model.embedding.vertices) {
    Vec3 x = Vec3::Zero(), v = Vec3::Zero();
    for (std::size_t k = 0; k < 4; ++k) {
      x += point.weights[k] * block(run.state.x, point.corners[k]);
      v += point.weights[k] * block(run.state.v, point.corners[k]);
    }
    EXPECT_LT((run.at(point.vertex) - x).norm(), 1e-15);
    EXPECT_LT((block(run.state.v, point.vertex) - v).norm(), 1e-13);
  }
}

// As rigid bodies do, however coarse the cage is.
TEST(Embedded, SpinsAsTheSolid) {
  for (const char* cell : {"0.03", "0.06", "0.09"}) {
    Played run = throw_box(with(R"(, "embed": {"cell": CELL})", {{"CELL", cell}}), false);
    const double mass = 500 * 0.2 * 0.1 * 0.1;
    const Mat3 turn = Eigen::AngleAxisd(std::numbers::pi / 6, Vec3(1, 2, 0).normalized()).toRotationMatrix();
    const Mat3 inertia = turn * (mass / 12 * Vec3(0.02, 0.05, 0.05)).asDiagonal() * turn.transpose();
    const Vec3 center(0, 0, 0.16), velocity(0.5, 0, -0.5), spin = inertia * Vec3(1, 2, 3);
    const Measures at = measure(run.model, run.state);
    EXPECT_LT((at.momentum - mass * velocity).norm(), 1e-9) << cell;
    EXPECT_LT((at.angular_momentum - mass * center.cross(velocity) - spin).norm(), 1e-5 * spin.norm()) << cell;
    EXPECT_NEAR(at.kinetic_energy, mass * velocity.squaredNorm() / 2 + Vec3(1, 2, 3).dot(spin) / 2, 1e-6) << cell;
    EXPECT_NEAR(at.potential_energy, mass * g * 0.16, 1e-8) << cell;
  }
}

// A ball that rolls without slip goes as the rigid one with its surface (near 5/7 of g sin: facets take some),
// whatever the size of the cells.
TEST(Embedded, RollsAsARigidBall) {
  constexpr const char* rolling = R"({"time": {"step": 0.002, "duration": 1}, "gravity": [3.3552, 0, -9.2184],
    "materials": {"m": {"young": 5e6, "poisson": 0.3, "density": 1000}},
    "meshes": {"ball": {"generate": "sphere", "radius": 0.1, "resolution": 10 EMBED},
               "ground": {"generate": "half-space"}},
    "objects": [{"name": "ball", "type": "TYPE", "mesh": "ball", "material": "m", "position": [0, 0, 0.1001]},
                {"name": "floor", "type": "fixed", "mesh": "ground"}],
    "contact": {"friction": 0.8}})";
  const double ideal = 5.0 / 7 * 3.3552 * 0.4;
  Played rigid(with(rolling, {{"EMBED", ""}, {"TYPE", "rigid"}}));
  rigid.advance(200);
  const double wanted = rigid.state.rigid[0].velocity[0];
  EXPECT_NEAR(wanted, ideal, 0.07 * ideal);
  for (const char* cell : {"0.05", "0.12"}) {
    Played run(
        with(rolling, {{"EMBED", with(R"(, "embed": {"cell": CELL})", {{"CELL", cell}})}, {"TYPE", "deformable"}}));
    run.advance(200);
    const Measures at = measure(run.model, run.state);
    EXPECT_NEAR(at.momentum[0] / run.model.elastic.mass.sum(), wanted, 0.03 * wanted) << cell;
  }
}

// The rows of contacts on points give the nodes the same force and the same torque.
TEST(Embedded, HandsForceAndTorqueOfContactsToItsNodes) {
  Played run = throw_box(R"(, "embed": {"cell": 0.06})");
  while (run.advance(1).active < 2) ASSERT_LT(run.state.step, 100);
  ContactProblem problem;
  SimilarityBuffers buffers;
  Guides guides;
  VecX prescribed = VecX::Zero(run.state.x.size());
  const double dt = run.options.dt;
  make_rows(run.model, run.state.contacts, {run.state.x, prescribed, guides, run.model.rigid_blocks(dt), {}}, buffers,
            problem);
  const std::vector<Contact>& contacts = run.state.contacts.contacts;
  VecX r(3 * static_cast<Eigen::Index>(contacts.size()));
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
  for (Index i = 0; i < static_cast<Index>(contacts.size()); ++i) {
    block(r, i) = Vec3(1 + i, 0.3, -0.2 * i);
    const Contact& c = contacts[i];
    const Vec3 whole = r[3 * i] * c.n + r[3 * i + 1] * c.t1 + r[3 * i + 2] * c.t2;
    for (std::size_t k = 0; k < 4; ++k) {
      if (run.model.surface.vertex_moves[c.vertices[k]] == 0) continue;
      force += dt * c.weights[k] * whole;
      torque += run.at(c.vertices[k]).cross(dt * c.weights[k] * whole);
    }
  }
  VecX on_nodes = VecX::Zero(3 * static_cast<Eigen::Index>(run.model.plan.vertex_of_block.size()));
  add_transposed(problem.L, r, on_nodes);
  for (Index row = 0; row < static_cast<Index>(run.model.plan.vertex_of_block.size()); ++row) {
    force -= block(on_nodes, row);
    torque -= run.at(run.model.plan.vertex_of_block[row]).cross(Vec3(block(on_nodes, row)));
  }
  EXPECT_LT(force.norm(), 1e-14);
  EXPECT_LT(torque.norm(), 1e-14);
}

TEST(Embedded, KeepsItsBooks) {
  Played run = throw_box(R"(, "embed": {"cell": 0.06})");
  Measures before = measure(run.model, run.state);
  double hits = 0;
  for (int n = 0; n < 60; ++n) {
    const StepReport report = run.advance(1);
    const Measures after = measure(run.model, run.state);
    const Vec3 linear = after.momentum - before.momentum - report.impulse_external - report.impulse_prescribed -
                        report.impulse_left_over;
    EXPECT_LT(linear.norm(), 1e-12) << n;
    hits += report.impulse_prescribed[2];
    EXPECT_GT(report.dissipation_scheme, -1e-6) << n;
    before = after;
  }
  EXPECT_GT(hits, 0.3);
}

// Many points over eight nodes: forty-nine on the floor. What they push with is the weight and the change of
// momentum.
constexpr const char* crowd = R"({"time": {"step": 0.005, "duration": 1},
  "materials": {"m": {"young": 1e5, "density": 500}},
  "meshes": {"cage": {"generate": "box", "size": [0.2, 0.2, 0.2], "cells": [1, 1, 1]},
             "body": {"generate": "box", "size": [0.19, 0.19, 0.1], "cells": [6, 6, 1], "embed": {"cage": "cage"}},
             "ground": {"generate": "half-space"}},
  "objects": [{"name": "box", "mesh": "body", "material": "m", "position": [0, 0, 0.0500005]},
              {"name": "floor", "type": "fixed", "mesh": "ground"}],
  "solver": {"method": "METHOD", "on_failure": "continue"}, "contact": {"friction": FRICTION}})";

class Crowd : public testing::TestWithParam<std::string> {};

TEST_P(Crowd, RestsOnItsPoints) {
  const bool knows_friction = GetParam() != "qp-active-set";
  Played run(with(crowd, {{"METHOD", GetParam()}, {"FRICTION", knows_friction ? "0.5" : "0"}}));
  const double weight = g * 500 * 0.19 * 0.19 * 0.1;
  EXPECT_NEAR(run.model.elastic.mass.sum() * g, weight, 1e-12);
  const double before = measure(run.model, run.state).momentum[2];
  double impulse = 0, left_over = 0;
  constexpr int steps = 8;
  for (int n = 0; n < steps; ++n) {
    const StepReport report = step(run.model, run.options, run.state, run.scratch);
    ASSERT_TRUE(report.accepted) << n << ": " << report.reason;
    EXPECT_TRUE(report.status == StepStatus::converged || !report.reason.empty()) << n;
    left_over += report.impulse_left_over[2];
    for (const Contact& contact : run.scratch.solved) impulse += 0.005 * contact.lambda * contact.n[2];
  }
  const double change = measure(run.model, run.state).momentum[2] - before;
  EXPECT_GT(impulse, 0);
  EXPECT_NEAR(impulse + left_over, 0.005 * steps * weight + change, 1e-9);
}

INSTANTIATE_TEST_SUITE_P(EveryMethod, Crowd, testing::ValuesIn(test::every_method()), test::name_of_method);

TEST(Embedded, GoesByLocalForcesToo) {
  const std::string text = with(thrown, {{"EMBED", R"(, "embed": {"cell": 0.06})"}, {"CONTACT", "true"}});
  Played run(with(text, {{"cr-full", "local"}, {R"(, "relative_tolerance": 1e-6)", ""}}));
  LocalScratch scratch;
  Measures before = measure(run.model, run.state);
  double hits = 0;
  for (int n = 0; n < 60; ++n) {
    const StepReport report = step(run.model, run.options, run.state, scratch);
    ASSERT_TRUE(report.accepted) << report.reason;
    const Measures after = measure(run.model, run.state);
    const Vec3 linear = after.momentum - before.momentum - report.impulse_external - report.impulse_prescribed;
    const Vec3 angular = after.angular_momentum - before.angular_momentum - report.angular_impulse_external -
                         report.angular_impulse_prescribed;
    EXPECT_LT(linear.norm(), 1e-12) << n;
    EXPECT_LT(angular.norm(), 1e-3) << n;  // of the first order
    hits += report.impulse_prescribed[2];
    before = after;
    for (const EmbeddedVertex& point : run.model.embedding.vertices) ASSERT_GT(run.at(point.vertex)[2], 0);
  }
  EXPECT_GT(hits, 0.3);
}

TEST(Embedded, HasTheSameBitsForAnyNumberOfThreadsAndWithNewScratch) {
  Played one = throw_box(R"(, "embed": {"cell": 0.06})"), two = throw_box(R"(, "embed": {"cell": 0.06})");
  test::expect_same_bits(one, two, 2, 4, 10);
}

// Two balls and a plate of the same cage size, on each other: nothing overlaps, pinned nodes of a cage hold.
TEST(Embedded, StacksWithoutOverlap) {
  Played run(R"({"time": {"step": 0.005, "duration": 1},
    "materials": {"m": {"young": 5e4, "density": 500, "damping": {"mass": 2}}},
    "meshes": {"ball": {"generate": "sphere", "radius": 0.1, "resolution": 4, "embed": {"cell": 0.09}},
               "plate": {"generate": "box", "size": [0.5, 0.3, 0.06], "cells": [5, 3, 1], "embed": {"cell": 0.07}}},
    "objects": [{"name": "plate", "mesh": "plate", "material": "m",
                 "boundary": [{"box": [[-1, -1, -1], [-0.2, 1, 1]]}, {"box": [[0.2, -1, -1], [1, 1, 1]]}]},
                {"name": "low", "mesh": "ball", "material": "m", "position": [0, 0, 0.14]},
                {"name": "high", "mesh": "ball", "material": "m", "position": [0.01, 0, 0.36]}],
    "solver": {"method": "auto"}})");
  run.advance(100);
  EXPECT_TRUE(initial_intersections(run.model.surface, run.state.x).empty());
  const Vec3 plate = run.at(run.model.objects[0].vertices.begin);
  EXPECT_LT((plate - run.model.mesh.vertices[0]).norm(), 1e-15);
  std::set<std::pair<Index, Index>> touching;  // objects
  for (const Contact& contact : run.scratch.solved) {
    if (contact.lambda > 0)
      touching.insert({run.model.surface.vertex_object[contact.vertices[0]],
                       run.model.surface.vertex_object[contact.vertices[3]]});
  }
  EXPECT_GE(touching.size(), 2U);
}

}  // namespace embedding_test
}  // namespace sim
