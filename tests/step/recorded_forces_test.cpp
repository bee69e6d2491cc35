// Contacts as they are recorded hold all that acted: what changes the momentum of each body.
#include <cmath>

#include "step/contact_problem.hpp"
#include "support/methods.hpp"
#include "support/played.hpp"

namespace sim {
namespace recorded_forces_test {

using test::Played;
using test::with;

struct OfBody {
  double mass = 0;
  Vec3 momentum{0, 0, 0}, left_over{0, 0, 0}, force{0, 0, 0};
};

// Of the first object.
OfBody measure(const Played& run) {
  const Range vertices = run.model.objects[0].vertices;
  OfBody body;
  if (!run.model.rigid.empty()) {
    body.mass = run.model.rigid[0].mass;
    body.momentum = body.mass * run.state.rigid[0].velocity;
    body.left_over = run.state.rigid[0].left_over;
  } else {
    for (Index i = vertices.begin; i < vertices.end; ++i) {
      body.mass += run.model.elastic.mass[i];
      body.momentum += run.model.elastic.mass[i] * block(run.state.v, i);
      body.left_over += block(run.state.left_over, i);
    }
  }
  for (const Contact& contact : run.scratch.solved) {
    const Vec3 force =
        contact.lambda * contact.n - contact.friction[0] * contact.t1 - contact.friction[1] * contact.t2;
    for (std::size_t k = 0; k < 4; ++k) {
      if (contact.vertices[k] >= vertices.begin && contact.vertices[k] < vertices.end)
        body.force += contact.weights[k] * force;
    }
  }
  return body;
}

class RecordedForces : public testing::TestWithParam<std::string> {};

// Over the edge of a table: contacts come, and slide off as steps end.
TEST_P(RecordedForces, ChangeTheMomentumOfABodyThatSlidesOffATable) {
  for (const char* type : {"rigid", "deformable"}) {
    Played run(
        with(R"({"time": {"step": 0.004, "duration": 1}, "gravity": [0, 0, -9.81],
      "materials": {"m": {"young": 1e6, "poisson": 0.3, "density": 1000}},
      "meshes": {"b": {"generate": "box", "size": [0.2, 0.1, 0.1], "cells": [4, 2, 2]},
                 "t": {"generate": "box", "size": [0.2, 0.3, 0.1], "cells": [1, 1, 1]}},
      "objects": [{"name": "block", "type": "TYPE", "mesh": "b", "material": "m", "position": [0.003, 0.01, 0.050001],
                   "velocity": [2, 0.3, 0]},
                  {"name": "table", "type": "fixed", "mesh": "t", "position": [0, 0, -0.05]}],
      "contact": {"friction": FRICTION}, "solver": {"method": "METHOD"}})",
             {{"TYPE", type}, {"METHOD", GetParam()}, {"FRICTION", GetParam() == "qp-active-set" ? "0" : "0.3"}}));
    OfBody before = measure(run);
    double pushed = 0;
    for (int n = 0; n < 40; ++n) {
      const StepReport report = run.advance(1);
      if (!report.accepted) return;
      const OfBody now = measure(run);
      pushed += now.force.norm();
      if (report.substeps == 1) {  // else they are those of the last part
        const Vec3 missed = now.momentum - before.momentum - report.dt * (now.force + now.mass * run.model.gravity) -
                            before.left_over + now.left_over;
        EXPECT_LT(missed.norm(), 1e-9 * (now.momentum.norm() + report.dt * now.force.norm())) << type << ' ' << n;
      }
      before = now;
    }
    EXPECT_GT(pushed, 10 * 2 * 9.81) << type;  // its middle is over the table for twelve steps
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, RecordedForces, testing::ValuesIn(test::every_method()), test::name_of_method);

// What has a force stays in the records, however far it has gone.
TEST(Records, KeepContactsThatActedAlsoWhereTheyAreOutOfReachAtTheEnd) {
  Contact contact;
  contact.vertices = {0, 1, 2, 3};
  contact.weights = {1, -1, 0, 0};
  contact.n = {0, 0, 1};
  contact.eps2 = 1e-6;
  contact.state = FrictionState::open;
  VecX x = VecX::Zero(12);
  x[2] = 1e-3;
  Contact pushes = contact, rubs = contact;
  pushes.lambda = 2;
  rubs.friction = {0, 1};
  std::vector<Contact> contacts{contact, pushes, rubs};
  keep_for_records(x, contacts);
  ASSERT_EQ(contacts.size(), 2);
  EXPECT_EQ(contacts[0].lambda, 2);
  EXPECT_EQ(contacts[1].friction[1], 1);
}

}  // namespace recorded_forces_test
}  // namespace sim
