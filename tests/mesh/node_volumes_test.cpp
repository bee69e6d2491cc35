// What the nodes of cages carry of a solid, against its closed forms.
#include "mesh/node_volumes.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "mesh/embedding.hpp"
#include "mesh/generate.hpp"

namespace sim {
namespace node_volumes_test {

Mesh skin(Mesh mesh) {
  mesh.tets.clear();
  return mesh;
}

Embedded all_of(const Mesh& mesh) {
  return {{0, static_cast<Index>(mesh.vertices.size())},
          {0, static_cast<Index>(mesh.tets.size())},
          {0, static_cast<Index>(mesh.triangles.size())}};
}

SolidMoments carried(const Mesh& mesh, const std::vector<double>& volumes) {
  SolidMoments sum;
  for (std::size_t k = 0; k < volumes.size(); ++k) {
    sum.volume += volumes[k];
    sum.center += volumes[k] * mesh.vertices[k];
  }
  sum.center /= sum.volume;
  for (std::size_t k = 0; k < volumes.size(); ++k) {
    const Vec3 r = mesh.vertices[k] - sum.center;
    sum.second += volumes[k] * r * r.transpose();
  }
  return sum;
}

TEST(SolidMoments, OfAnythingTurnedAndFarAwayAreThoseOfItsTets) {
  Mesh box = generate(BoxShape{{0.4, 0.2, 0.3}, {2, 1, 1}});
  const Mat3 turn = Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  const Vec3 far(10, -20, 30);
  for (Vec3& x : box.vertices) x = turn * x + far;
  const SolidMoments found = moments_of(box.vertices, box.triangles);
  const double V = 0.4 * 0.2 * 0.3;
  const Mat3 second = turn * Vec3(V * 0.16 / 12, V * 0.04 / 12, V * 0.09 / 12).asDiagonal() * turn.transpose();
  EXPECT_NEAR(found.volume, V, 1e-14);
  EXPECT_LT((found.center - far).norm(), 1e-13);
  EXPECT_LT((found.second - second).norm(), 1e-12 * V);
}

struct Case {
  const char* name;
  Mesh surface;
  double cell;
};

std::vector<Case> cases() {
  Mesh turned = skin(generate(BoxShape{{0.4, 0.2, 0.3}, {3, 2, 2}}));
  const Mat3 turn = Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  for (Vec3& x : turned.vertices) x = turn * x;
  const Mesh ball = skin(generate(SphereShape{0.1, 6}));
  return {{"a ball, cells of a half", ball, 0.05},
          {"a ball, cells of 0.8", ball, 0.08},
          {"a ball, cells of more than it", ball, 0.12},
          {"a box", skin(generate(BoxShape{{0.2, 0.1, 0.07}, {1, 1, 1}})), 0.06},
          {"a turned box", turned, 0.15},
          {"a ring", skin(generate(TorusShape{24, 0.5, 0.2})), 0.18}};
}

// Mass, centre and inertia of the solid, at any size of the cells.
TEST(NodeVolumes, HaveTheMomentsOfTheSolid) {
  for (const Case& one : cases()) {
    const SolidMoments solid = moments_of(one.surface.vertices, one.surface.triangles);
    const Mesh mesh = embed(one.surface, make_cage(one.surface, one.cell));
    const std::vector<double> volumes = node_volumes(mesh, all_of(mesh));
    const SolidMoments found = carried(mesh, volumes);
    EXPECT_NEAR(found.volume, solid.volume, 1e-10 * solid.volume) << one.name;
    EXPECT_LT((found.center - solid.center).norm(), 1e-10) << one.name;
    EXPECT_LT((found.second - solid.second).norm(), 1e-6 * solid.second.norm()) << one.name;
    const std::size_t nodes = mesh.vertices.size() - mesh.embedded.size();
    for (std::size_t k = 0; k < volumes.size(); ++k) {
      EXPECT_EQ(volumes[k] > 0, k < nodes) << one.name;
      EXPECT_GE(volumes[k], 0) << one.name;
    }
  }
}

// Whatever masses the eight corners of a cube have, it is as if all were h/2 from the middle along each axis.
TEST(NodeVolumes, OfOneCubeHaveWhatTheyCanHave) {
  const double h = 0.2;
  const Mesh ball = skin(generate(SphereShape{0.09, 6}));
  const Mesh mesh = embed(ball, generate(BoxShape{{h, h, h}, {1, 1, 1}}));
  const std::vector<double> volumes = node_volumes(mesh, all_of(mesh));
  const SolidMoments solid = moments_of(ball.vertices, ball.triangles), found = carried(mesh, volumes);
  EXPECT_NEAR(found.volume, solid.volume, 1e-9 * solid.volume);
  EXPECT_LT((found.center - solid.center).norm(), 1e-9);
  EXPECT_LT((found.second - Mat3::Identity() * solid.volume * h * h / 4).norm(), 1e-6 * solid.second.norm());
  for (std::size_t k = 0; k < 8; ++k) EXPECT_NEAR(volumes[k], solid.volume / 8, 1e-3 * solid.volume);
}

TEST(NodeVolumes, OfACageThatIsSolidAreThoseOfAnyMesh) {
  const Mesh ball = generate(SphereShape{0.3, 3});
  const Mesh mesh = embed(ball, ball);
  const std::vector<double> volumes = node_volumes(mesh, all_of(mesh));
  std::vector<double> quarters(volumes.size());
  for (const Tet& tet : ball.tets) {
    const auto& x = ball.vertices;
    for (const Index corner : tet) quarters[corner] += six_volume(x[tet[0]], x[tet[1]], x[tet[2]], x[tet[3]]) / 24;
  }
  for (std::size_t k = 0; k < volumes.size(); ++k) EXPECT_NEAR(volumes[k], quarters[k], 1e-13);
}

}  // namespace node_volumes_test
}  // namespace sim
