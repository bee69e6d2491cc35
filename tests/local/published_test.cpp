// The published form: depths against closed forms, the response against the formulas in plain code.
#include "local/published.hpp"

#include <Eigen/Geometry>
#include <cmath>

#include "collide/intersections.hpp"
#include "local/bodies.hpp"
#include "math/error.hpp"
#include "model/measure.hpp"
#include "scene/loaded.hpp"

namespace sim {
namespace published_test {

// A block of cells of 0.1 m dips into the top of a larger one by `dip`; both turned, and without gravity.
struct Dipped {
  Model model;
  State state;
  LocalScratch s;
  StepReport report;
  Options options = test::local_options(1e-3);
  Vec3 up = Vec3::UnitZ();

  explicit Dipped(double dip, ObjectType lower = ObjectType::deformable, double aside = 0.013) {
    model.materials = {test::soft};
    model.gravity.setZero();
    model.friction = 0;
    const Mesh large = generate(BoxShape{.size = {1, 1, 0.5}, .cells = {3, 3, 2}});
    const Mesh small = generate(BoxShape{.size = {0.2, 0.2, 0.2}, .cells = {2, 2, 2}});
    test::add(model, "lower", lower, large, Vec3(0, 0, -0.25));
    test::add(model, "upper", ObjectType::deformable, small, Vec3(aside, 0.12, 0.1 - dip));
    const Eigen::Matrix3d turn(Eigen::AngleAxisd(0.7, Vec3(1, 2, -1).normalized()));
    for (Vec3& X : model.mesh.vertices) X = turn * X;
    up = turn * up;
    finish_model(model);
    options.contact.as_published = true;
    state = initial_state(model);
  }
  // One part of a step, as far as the response.
  void respond(double h) {
    s.start = state;
    LocalPart part{model, options, h, h, state, s, report};
    fly(part);
    respond_as_published(part);
  }
  std::vector<Penetration> penetrations() {
    std::vector<Penetration> found;
    find_penetrations(model, state.x, s.depth, found);
    return found;
  }
};

TEST(Depth, OfABlockInABlockIsItsDistanceFromTheTop) {
  for (const double dip : {0.03, 0.13}) {  // one layer of vertices, and a second one that has no edge that leads out
    Dipped dipped(dip);
    Index upper = 0;
    for (const Penetration& p : dipped.penetrations()) {
      if (p.object != 0) continue;
      ++upper;
      const double depth = -dipped.up.dot(Vec3(block(dipped.state.x, p.vertex)));
      EXPECT_NEAR(p.depth, depth, 1e-14);
      EXPECT_LT((p.out - dipped.up).norm(), 1e-14);
      Vec3 out = Vec3::Zero();
      ASSERT_GE(p.triangle, 0);
      for (int k = 0; k < 3; ++k) out += p.h[k] * block(dipped.state.x, dipped.model.mesh.triangles[p.triangle][k]);
      EXPECT_LT((block(dipped.state.x, p.vertex) + depth * dipped.up - out).norm(), 1e-14);
    }
    EXPECT_EQ(upper, dip > 0.1 ? 18 : 9);
    EXPECT_NEAR(deepest_overlap(dipped.model, dipped.state.x, dipped.s.depth), dip, 1e-14);
  }
}

TEST(Depth, WhatIsWhollyInsideHasNone) {
  Dipped dipped(0.35);
  const std::vector<Penetration> found = dipped.penetrations();
  EXPECT_EQ(found.size(), 27U);
  for (const Penetration& p : found) EXPECT_EQ(p.triangle, -1);
  dipped.respond(1e-3);
  EXPECT_TRUE(dipped.s.moved.isZero(0));
}

TEST(Depth, IsOneOfOthersThanTheOwnObject) {
  Dipped dipped(-0.01);
  EXPECT_TRUE(dipped.penetrations().empty());
  EXPECT_EQ(deepest_overlap(dipped.model, dipped.state.x, dipped.s.depth), 0);
}

// (5), (6), (15) and (16) with the whole matrix H.
VecX transcribed(const Dipped& dipped, const std::vector<Penetration>& C) {
  const VecX& m = dipped.model.elastic.mass;
  const Eigen::Index n = m.size();
  Eigen::MatrixXd H = Eigen::MatrixXd::Zero(n, n);
  for (const Penetration& i : C) {
    for (int k = 0; k < 3; ++k) H(i.vertex, dipped.model.mesh.triangles[i.triangle][k]) = i.h[k];
  }
  const VecX c = (1 + H.colwise().sum().transpose().array()).inverse();
  VecX sum = VecX::Zero(3 * n);  // of h^2 times the local forces
  for (const Penetration& i : C) {
    const Vec3 d = i.depth * i.out;
    double S = 0;
    for (Eigen::Index j = 0; j < n; ++j) S += c[j] * H(i.vertex, j) * m[j];
    const double alpha = S / (c[i.vertex] * m[i.vertex] + S);
    block(sum, i.vertex) += c[i.vertex] * m[i.vertex] * alpha * d;
    for (Index j = 0; j < static_cast<Index>(n); ++j) block(sum, j) -= c[j] * H(i.vertex, j) * m[j] * (1 - alpha) * d;
  }
  return sum;
}

TEST(Published, TheResponseIsThatOfTheFormulas) {
  for (const double aside : {0.013, 0.42}) {  // and over the rim, where vertices of both are in each other
    Dipped dipped(0.03, ObjectType::deformable, aside);
    const VecX expected = transcribed(dipped, dipped.penetrations());
    dipped.respond(1e-3);
    ASSERT_GT(expected.norm(), 0);
    Vec3 momentum = Vec3::Zero();
    for (Index i = 0; i < static_cast<Index>(dipped.model.mesh.vertices.size()); ++i) {
      const Vec3 got = dipped.model.elastic.mass[i] * block(dipped.s.moved, i);
      EXPECT_LT((got - block(expected, i)).norm(), 1e-14 * expected.norm()) << i;
      momentum += got;
    }
    EXPECT_LT(momentum.norm(), 1e-15 * expected.norm());
  }
}

TEST(Published, OnePassClosesFourSeventhsOfAnOverlapInTheMiddleOfAFace) {
  Model model;
  model.materials = {test::soft};
  model.gravity.setZero();
  Mesh tet;
  tet.vertices = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, -1)};
  tet.tets = {{0, 1, 3, 2}};
  tet.triangles = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {0, 2, 3}};
  if (six_volume(tet.vertices[0], tet.vertices[1], tet.vertices[3], tet.vertices[2]) < 0) tet.tets = {{0, 1, 2, 3}};
  test::add(model, "a", ObjectType::deformable, tet, Vec3::Zero());
  test::add(model, "b", ObjectType::deformable, tet, Vec3(1.0 / 3, 1.0 / 3, 0.999));
  finish_model(model);
  model.elastic.mass.setOnes();
  Options options = test::local_options(1e-6);
  options.contact.as_published = true;
  State state = initial_state(model);
  LocalScratch s;
  StepReport report;
  LocalPart part{model, options, 1e-6, 1e-6, state, s, report};
  fly(part);
  respond_as_published(part);
  ASSERT_EQ(state.contacts.contacts.size(), 1U);
  const double left = -gap(state.contacts.contacts[0], s.x1);
  EXPECT_NEAR(left, 1e-3 * 3 / 7, 1e-9);
}

TEST(Published, ABodyStandsOnAFixedOneAndOverlapsShrinkWithTheStep) {
  double before = 1;
  for (const double h : {8e-4, 4e-4}) {
    Model model;
    Material material = test::soft;
    material.mass_damping = 20;
    model.materials = {material};
    const Mesh cube = generate(BoxShape{.size = {0.1, 0.1, 0.1}, .cells = {2, 2, 2}});
    test::add(model, "cube", ObjectType::deformable, cube, {0.01, 0.02, 0.0501});
    test::add(model, "floor", ObjectType::fixed, generate(SlabShape{}), {0, 0, -0.05});
    finish_model(model);
    Options options = test::local_options(h);
    options.contact.as_published = true;
    State state = initial_state(model);
    LocalScratch scratch;
    double deepest = 0, carried = 0, weight = 9.81 * model.elastic.mass.sum();
    const int steps = static_cast<int>(std::lround(0.4 / h));
    for (int n = 0; n < steps; ++n) {
      const StepReport r = test::take_steps(model, options, 1, state, scratch);
      ASSERT_TRUE(r.accepted);
      deepest = std::max(deepest, r.overlap);
      if (n < steps / 2) continue;
      for (const Contact& contact : scratch.solved) carried += contact.lambda * contact.n.z() * 2 / steps;
    }
    EXPECT_NEAR(carried, weight, 0.02 * weight) << h;
    EXPECT_LT(deepest, 0.5 * before) << h;
    before = deepest;
  }
}

TEST(Published, TheLedgerHasTheMomentumToRounding) {
  Dipped dipped(0.01);
  dipped.model.friction = 0.5;
  Vec3 before = measure(dipped.model, dipped.state).momentum;
  for (int n = 0; n < 30; ++n) {
    const StepReport r = test::take_steps(dipped.model, dipped.options, 1, dipped.state, dipped.s);
    const double scale = std::sqrt(2 * r.kinetic_energy * dipped.model.elastic.mass.sum());
    ASSERT_LT((r.momentum - before).norm(), 1e-13 * scale) << n;
    before = r.momentum;
  }
}

std::string load_published(const std::string& objects) {
  return load_error(
      R"({"materials": {"rubber": {}, "cotton": {"model": "grid-springs", "stretch": 40, "density": 200, "thickness": 1e-3}},
          "meshes": {"box": {"generate": "box"}, "cloth": {"generate": "sheet", "size": [1, 1], "cells": [2, 2], "pattern": "grid"}},
          "objects": [)" +
      objects + R"(], "solver": {"method": "local", "as_published": true}})");
}

TEST(PublishedScene, WhatHasNoInsideIsRefusedByName) {
  const std::string crate = R"({"name": "crate", "mesh": "box", "material": "rubber"})";
  EXPECT_EQ(load_published(crate), "");
  const std::string cloth =
      load_published(crate + R"(, {"name": "towel", "mesh": "cloth", "material": "cotton", "position": [0, 0, 3]})");
  EXPECT_NE(cloth.find("\"towel\" is cloth"), std::string::npos) << cloth;
  const std::string bare =
      load_published(crate + R"(, {"name": "wall", "type": "fixed", "mesh": "cloth", "position": [0, 0, 3]})");
  EXPECT_NE(bare.find("\"wall\" is a bare surface"), std::string::npos) << bare;
  EXPECT_NE(bare.find("\"slab\""), std::string::npos) << bare;
}

}  // namespace published_test
}  // namespace sim
