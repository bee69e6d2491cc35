// Embedded surfaces and the cages that are made for them.
#include "mesh/embedding.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "math/error.hpp"
#include "mesh/check.hpp"
#include "mesh/generate.hpp"
#include "shapes.hpp"

namespace sim {
namespace embedding_test {

Mesh skin(Mesh mesh) {
  mesh.tets.clear();
  return mesh;
}

Mesh turned(Mesh mesh, const Vec3& axis, double angle) {
  const Mat3 turn = Eigen::AngleAxisd(angle, axis.normalized()).toRotationMatrix();
  for (Vec3& x : mesh.vertices) x = turn * x;
  return mesh;
}

Vec3 place_of(const Mesh& mesh, const EmbeddedVertex& point) {
  Vec3 sum = Vec3::Zero();
  for (std::size_t k = 0; k < 4; ++k) sum += point.weights[k] * mesh.vertices[point.corners[k]];
  return sum;
}

double filled_volume(const Mesh& mesh) {
  double sum = 0;
  for (std::size_t t = 0; t < mesh.tets.size(); ++t) sum += mesh.filled[t] * testing::tet_volume(mesh, mesh.tets[t]);
  return sum;
}

TEST(Cage, OfABoxIsItsLattice) {
  const Mesh cage = make_cage(skin(generate(BoxShape{{0.4, 0.2, 0.3}, {1, 1, 1}})), 0.1);
  EXPECT_EQ(cage.tets.size(), 6u * 4 * 2 * 3);
  EXPECT_EQ(cage.vertices.size(), 5u * 3 * 4);
  EXPECT_NEAR(testing::tet_volume(cage), 0.4 * 0.2 * 0.3, 1e-15);
  EXPECT_TRUE(tet_defects(cage).empty());
}

using Place = std::array<long, 3>;

// The tets by their corners, in cells.
std::set<std::set<Place>> tets_at(const Mesh& cage, double cell, const Mat3& turn) {
  std::set<std::set<Place>> tets;
  for (const Tet& tet : cage.tets) {
    std::set<Place> corners;
    for (const Index corner : tet) {
      const Vec3 x = turn * cage.vertices[corner] / cell;
      corners.insert({std::lround(x[0]), std::lround(x[1]), std::lround(x[2])});
    }
    tets.insert(corners);
  }
  return tets;
}

TEST(Cage, OfACubeHasAllItsSymmetriesSoThatNoneOfItsDirectionsIsStiffer) {
  const Mesh cage = make_cage(skin(generate(BoxShape{{0.4, 0.4, 0.4}, {1, 1, 1}})), 0.1);
  EXPECT_TRUE(tet_defects(cage).empty());
  const auto tets = tets_at(cage, 0.1, Mat3::Identity());
  ASSERT_EQ(tets.size(), 6u * 4 * 4 * 4);
  for (int axis = 0; axis < 3; ++axis) {
    Mat3 mirror = Mat3::Identity(), swap = Mat3::Identity();
    mirror(axis, axis) = -1;
    swap.col(axis).swap(swap.col((axis + 1) % 3));
    EXPECT_EQ(tets_at(cage, 0.1, mirror), tets) << "mirrored along axis " << axis;
    EXPECT_EQ(tets_at(cage, 0.1, swap), tets) << "axis " << axis << " for the next";
  }
}

TEST(Cage, LeavesOutWhatIsNotInside) {
  const Mesh torus = skin(generate(TorusShape{24, 0.5, 0.2}));
  const Mesh cage = make_cage(torus, 0.1);
  EXPECT_TRUE(tet_defects(cage).empty());
  const double solid = volume(torus), held = testing::tet_volume(cage);
  EXPECT_GT(held, solid);
  EXPECT_LT(held, 2.5 * solid);
  for (const Vec3& x : cage.vertices) EXPECT_GT(std::hypot(x[0], x[1]), 0.25);  // nothing in the hole
}

TEST(Embedding, PutsEveryVertexWhereItIs) {
  const Mesh surface = turned(skin(generate(BoxShape{{0.4, 0.2, 0.3}, {3, 2, 2}})), {1, 2, 3}, 0.7);
  const Mesh mesh = embed(surface, make_cage(surface, 0.12));
  ASSERT_EQ(mesh.triangles.size(), surface.triangles.size());
  ASSERT_EQ(mesh.embedded.size(), 36u - 2u);  // without those inside the box
  for (const EmbeddedVertex& point : mesh.embedded) {
    EXPECT_LT((place_of(mesh, point) - mesh.vertices[point.vertex]).norm(), 1e-15);
    double sum = 0;
    for (const double weight : point.weights) {
      EXPECT_GE(weight, -1e-9);
      sum += weight;
    }
    EXPECT_NEAR(sum, 1, 1e-15);
  }
  const Mesh outer{mesh.vertices, {}, mesh.triangles};
  EXPECT_NEAR(volume(outer), 0.4 * 0.2 * 0.3, 1e-15);
}

TEST(Embedding, WeighsWhatTheSolidWeighs) {
  const Mesh ball = skin(generate(SphereShape{0.3, 6}));
  const Mesh mesh = embed(ball, make_cage(ball, 0.11));
  EXPECT_NEAR(filled_volume(mesh), volume(ball), 1e-14);
  Vec3 first = Vec3::Zero();  // of mass: a ball is in the middle of its lattice
  for (std::size_t t = 0; t < mesh.tets.size(); ++t) {
    for (const Index corner : mesh.tets[t])
      first += mesh.filled[t] * testing::tet_volume(mesh, mesh.tets[t]) / 4 * mesh.vertices[corner];
  }
  EXPECT_LT(first.norm(), 0.01 * 0.3 * volume(ball));
}

TEST(Embedding, FillsATetByWhatIsInsideOfIt) {
  // Half of a cube: below a plane across it.
  const Mesh slab = [] {
    Mesh box = skin(generate(BoxShape{{1, 1, 0.5}, {1, 1, 1}}));
    for (Vec3& x : box.vertices) x[2] += 0.25;
    return box;
  }();
  Mesh cage = generate(BoxShape{{1, 1, 1}, {1, 1, 1}});
  for (Vec3& x : cage.vertices) x[2] += 0.5;
  const std::vector<double> parts = filled_parts(slab, cage);
  for (std::size_t t = 0; t < cage.tets.size(); ++t) {
    // Of the order of its corners along the diagonal: z goes up first, second or last.
    int below = 0;
    for (const Index corner : cage.tets[t]) below += cage.vertices[corner][2] < 0.5 ? 1 : 0;
    const double wanted = below == 1 ? 0.125 : below == 2 ? 0.5 : 0.875;
    // Sixteen columns a side: a strip of half a column about an edge of the tet is in or out.
    EXPECT_NEAR(parts[t], wanted, 0.5 / 16) << below;
  }
}

TEST(Embedding, InItselfIsTheMeshItself) {
  const Mesh ball = generate(SphereShape{0.3, 3});
  const Mesh mesh = embed(ball, ball);
  for (const double part : mesh.filled) EXPECT_NEAR(part, 1, 1e-12);
  std::set<Index> used;
  for (const EmbeddedVertex& point : mesh.embedded) {
    int ones = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      EXPECT_TRUE(point.weights[k] == 0 || point.weights[k] == 1);
      if (point.weights[k] != 1) continue;
      ++ones;
      EXPECT_EQ(mesh.vertices[point.corners[k]], mesh.vertices[point.vertex]);
      used.insert(point.corners[k]);
    }
    EXPECT_EQ(ones, 1);
  }
  EXPECT_EQ(used.size(), mesh.embedded.size());
}

TEST(Embedding, RefusesWhatIsOutside) {
  const Mesh big = skin(generate(BoxShape{{0.4, 0.4, 0.4}, {1, 1, 1}}));
  Mesh small = generate(BoxShape{{0.4, 0.4, 0.3}, {1, 1, 1}});
  for (Vec3& x : small.vertices) x[2] += 0.05;
  try {
    embed(big, small);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()),
              "expected a cage that holds all of the surface, but 4 of its 8 vertices are in none of the cage's "
              "tetrahedra, the first of them at (-0.2, -0.2, -0.2)");
  }
}

TEST(Embedding, FollowsTheCornersOfTets) {
  const Mesh ball = skin(generate(SphereShape{0.3, 4}));
  const Mesh mesh = embed(ball, make_cage(ball, 0.2));
  const Embedding embedding = make_embedding(mesh.embedded, mesh.vertices.size());
  Mat3 F;
  F << 1.1, 0.2, 0, -0.3, 0.9, 0.1, 0.05, 0, 1.3;
  VecX x(3 * static_cast<Eigen::Index>(mesh.vertices.size()));
  for (Index i = 0; i < static_cast<Index>(mesh.vertices.size()); ++i)
    block(x, i) = embedding.holds(i) ? Vec3(9, 9, 9) : Vec3(F * mesh.vertices[i] + Vec3(1, 2, 3));
  follow(embedding, x);
  for (Index i = 0; i < static_cast<Index>(mesh.vertices.size()); ++i)
    EXPECT_LT((block(x, i) - (F * mesh.vertices[i] + Vec3(1, 2, 3))).norm(), 1e-14);
}

}  // namespace embedding_test
}  // namespace sim
