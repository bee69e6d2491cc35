#include "collide/surface.hpp"

#include <gtest/gtest.h>

#include <set>

#include "collide/scenes.hpp"
#include "mesh/generate.hpp"

namespace sim {
namespace surface_test {

using namespace sim::test;

CollisionSurface of_mesh(const Mesh& mesh) {
  CollideScene scene;
  scene.add(mesh.vertices, mesh.triangles);
  return scene.surface();
}

TEST(CollisionSurface, ClosedTorusHasThreeHalvesAsManyEdgesAsFacesAndNoBorder) {
  const CollisionSurface s = of_mesh(generate(TorusShape{}));
  EXPECT_EQ(s.triangles.size(), 144U);
  EXPECT_EQ(s.edges.size(), 216U);
  EXPECT_EQ(s.vertices.size(), 72U);
  for (const auto& [one, other] : s.edge_triangles) EXPECT_TRUE(0 <= one && one < other);
}

TEST(CollisionSurface, SheetHasItsBorder) {
  Random random(1);
  CollideScene scene;
  add_sheet(scene, random, 3, 1, 0, 0);
  const CollisionSurface s = scene.surface();
  EXPECT_EQ(s.edges.size(), 33U);  // 12 + 12 along the grid, 9 across the squares
  Index border = 0;
  for (const auto& [one, other] : s.edge_triangles) border += other == -1 ? 1 : 0;
  EXPECT_EQ(border, 12);
}

TEST(CollisionSurface, EdgesAndTrianglesKnowEachOther) {
  const CollisionSurface s = of_mesh(generate(SphereShape{.resolution = 2}));
  for (Index t = 0; t < static_cast<Index>(s.triangles.size()); ++t) {
    for (int k = 0; k < 3; ++k) {
      const Index e = s.triangle_edges[t][k];
      const std::set<Index> ends{s.edges[e][0], s.edges[e][1]};
      EXPECT_EQ(ends, (std::set<Index>{s.triangles[t][k], s.triangles[t][(k + 1) % 3]}));
      EXPECT_TRUE(s.edge_triangles[e][0] == t || s.edge_triangles[e][1] == t);
    }
  }
  for (const Index v : s.vertices) {
    for (const Index t : s.vertex_triangles.of(v)) EXPECT_TRUE(shares_vertex(s.triangles[t], v));
    EXPECT_EQ(s.vertex_edges.of(v).size(), s.vertex_triangles.of(v).size());  // closed
  }
}

TEST(CollisionSurface, EveryVertexAndEveryEdgeIsOwnedByOneOfItsTriangles) {
  Random random(1);
  const CollisionSurface s = over_obstacles(random).surface();
  std::vector<int> vertex(s.vertex_object.size(), 0), edge(s.edges.size(), 0);
  for (Index t = 0; t < static_cast<Index>(s.triangles.size()); ++t) {
    for (unsigned k = 0; k < 3; ++k) {
      if ((s.owned[t] >> k & 1U) != 0) {
        ++vertex[s.triangles[t][k]];
        EXPECT_EQ(s.vertex_owner[s.triangles[t][k]], t);
      }
      if ((s.owned[t] >> (3 + k) & 1U) != 0) {
        ++edge[s.triangle_edges[t][k]];
        EXPECT_EQ(s.edge_owner[s.triangle_edges[t][k]], t);
      }
    }
  }
  for (const Index v : s.vertices) EXPECT_EQ(vertex[v], 1);
  for (const int count : edge) EXPECT_EQ(count, 1);
}

TEST(CollisionSurface, VerticesWithoutTrianglesAreNotOfTheSurface) {
  const Mesh box = generate(BoxShape{.cells = {2, 2, 2}});  // one of its 27 vertices is inside
  const CollisionSurface s = of_mesh(box);
  EXPECT_EQ(s.vertex_object.size(), 27U);
  EXPECT_EQ(s.vertices.size(), 26U);
}

}  // namespace surface_test
}  // namespace sim
