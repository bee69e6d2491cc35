#include "mesh/check.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "mesh/broken.hpp"
#include "mesh/generate.hpp"
#include "mesh/shapes.hpp"
#include "mesh/surface.hpp"

namespace sim {
namespace check_test {

using testing::bare, testing::joined, testing::octahedron, testing::reversed, testing::tetrahedron;
using Sentences = std::vector<std::string>;

const double nan = std::numeric_limits<double>::quiet_NaN();

std::vector<std::pair<std::string, Mesh>> generated() {
  return {{"box", generate(BoxShape{{1, 2, 3}, {2, 3, 5}})},
          {"slab", generate(SlabShape{{2, 1}, 0.001, {4, 3}})},
          {"torus", generate(TorusShape{})},
          {"sphere", generate(SphereShape{0.3, 5})},
          {"cylinder", generate(CylinderShape{0.2, 0.7, 9})}};
}

// Two tets on both sides of the face 1-2-3.
Mesh two_tets() {
  return {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}}, {{0, 1, 2, 3}, {1, 2, 3, 4}}, {}};
}

TEST(Check, GeneratedMeshesHaveNoDefects) {
  for (const auto& [name, mesh] : generated()) {
    EXPECT_EQ(tet_defects(mesh), Sentences{}) << name;
    EXPECT_EQ(surface_defects(bare(mesh)), Sentences{}) << name;
  }
  EXPECT_EQ(tet_defects(two_tets()), Sentences{});
  EXPECT_EQ(surface_defects(octahedron()), Sentences{});
}

TEST(Check, SizeAndPlaceDoNotMatter) {
  for (const double scale : {1e-9, 1e9}) {
    for (auto [name, mesh] : generated()) {
      for (Vec3& x : mesh.vertices) x = scale * (x + Vec3(1000, -2000, 3000));
      EXPECT_EQ(tet_defects(mesh), Sentences{}) << name << scale;
      EXPECT_EQ(surface_defects(bare(mesh)), Sentences{}) << name << scale;
    }
  }
}

// --- tets ---

TEST(TetDefects, NoTets) {
  EXPECT_EQ(tet_defects({}), Sentences{"there are no tets"});
  EXPECT_EQ(tet_defects(octahedron()), Sentences{"there are no tets"});
}

TEST(TetDefects, VerticesThatDoNotExist) {
  Mesh mesh = two_tets();
  mesh.tets[1][2] = 5;
  EXPECT_EQ(tet_defects(mesh),
            Sentences{"1 tet names a vertex that does not exist (1): the mesh has vertices 0 to 4"});
  mesh.tets[0][0] = -1;
  EXPECT_EQ(tet_defects(mesh),
            Sentences{"2 tets name a vertex that does not exist (0, 1): the mesh has vertices 0 to 4"});
  mesh.vertices.clear();
  EXPECT_EQ(tet_defects(mesh),
            Sentences{"2 tets name a vertex that does not exist (0, 1): the mesh has no vertices"});
}

TEST(TetDefects, CoordinatesThatAreNotNumbers) {
  Mesh mesh = two_tets();
  mesh.vertices[3][1] = nan;
  EXPECT_EQ(tet_defects(mesh),
            Sentences{"1 vertex has a coordinate that is not a finite number (3): correct the coordinates"});
  mesh.vertices[4][0] = -std::numeric_limits<double>::infinity();
  EXPECT_EQ(tet_defects(mesh),
            Sentences{"2 vertices have coordinates that are not finite numbers (3, 4): correct the coordinates"});
}

TEST(TetDefects, RepeatedVertices) {
  Mesh mesh = two_tets();
  mesh.tets.push_back({4, 1, 4, 2});
  EXPECT_EQ(tet_defects(mesh), Sentences{"1 tet names a vertex twice (2): remove them"});
}

TEST(TetDefects, UnusedVertices) {
  Mesh mesh = two_tets();
  mesh.vertices.emplace_back(7, 7, 7);
  EXPECT_EQ(tet_defects(mesh), Sentences{"1 vertex belongs to no tet (5): remove them"});
  mesh.tets.pop_back();
  EXPECT_EQ(tet_defects(mesh), Sentences{"2 vertices belong to no tet (4, 5): remove them"});
}

TEST(TetDefects, ZeroVolume) {
  Mesh mesh = two_tets();
  mesh.vertices[4] = {0.5, 0.25, 0.25};  // in the plane of the face 1-2-3
  EXPECT_EQ(tet_defects(mesh),
            Sentences{"1 tet has zero volume (1): its four vertices lie in a plane; mesh that place anew"});
}

TEST(TetDefects, ThinTetsAreNotFlat) {
  Mesh mesh = two_tets();
  mesh.vertices[4] = Vec3(0.5, 0.25, 0.25) + Vec3(1e-10, 1e-10, 1e-10);
  EXPECT_EQ(tet_defects(mesh), Sentences{});
}

TEST(TetDefects, NegativeVolume) {
  Mesh mesh = two_tets();
  std::swap(mesh.tets[1][0], mesh.tets[1][1]);
  EXPECT_EQ(tet_defects(mesh),
            Sentences{"1 tet has negative volume (1): swap two of its vertices, or mesh that place "
                      "anew if its neighbours overlap it"});
}

TEST(TetDefects, FaceOfThreeTets) {
  Mesh mesh = two_tets();
  mesh.vertices.emplace_back(2, 2, 2);
  mesh.tets.push_back({1, 2, 3, 5});
  EXPECT_EQ(tet_defects(mesh), Sentences{"1 face is shared by more than two tets (face 1-2-3 of tets 0 1 2): remove "
                                         "tets that are there twice or overlap"});
}

TEST(TetDefects, TetsOnTheSameSideOfAFace) {
  Mesh mesh = two_tets();
  mesh.vertices[4] = {-1, -1, -1};
  std::swap(mesh.tets[1][0], mesh.tets[1][1]);  // so that its volume is positive
  EXPECT_EQ(tet_defects(mesh),
            Sentences{"1 face has both its tets on the same side (face 1-2-3 of tets 0 1): the tets "
                      "overlap; remove one or mesh that place anew"});
}

TEST(TetDefects, ATetThatIsThereTwice) {
  Mesh mesh = two_tets();
  mesh.tets.push_back({2, 1, 4, 3});
  const Sentences defects = tet_defects(mesh);
  ASSERT_EQ(defects.size(), 2);
  EXPECT_EQ(defects[0],
            "1 face is shared by more than two tets (face 1-2-3 of tets 0 1 2): remove tets that are there twice or "
            "overlap");
  EXPECT_EQ(
      defects[1],
      "3 faces have both their tets on the same side (face 1-2-4 of tets 1 2, face 1-3-4 of tets 1 2, face 2-3-4 "
      "of tets 1 2): the tets overlap; remove one or mesh that place anew");
}

TEST(TetDefects, SeveralKindsAreAllToldAndOnlyTheFirstIdsNamed) {
  Mesh mesh = generate(BoxShape{{1, 1, 1}, {2, 2, 2}});
  for (int i = 10; i < 17; ++i) std::swap(mesh.tets[i][1], mesh.tets[i][2]);
  mesh.vertices.emplace_back(0, 0, 9);
  const Sentences defects = tet_defects(mesh);
  ASSERT_EQ(defects.size(), 2);
  EXPECT_EQ(defects[0], "1 vertex belongs to no tet (27): remove them");
  EXPECT_EQ(defects[1].substr(0, 60), "7 tets have negative volume (10, 11, 12, 13, 14, ...): swap ");
}

// --- orient_tets ---

TEST(OrientTets, TurnsThoseOfNegativeVolumeAndCountsThem) {
  Mesh mesh = generate(SphereShape{0.5, 3});
  const Mesh sound = mesh;
  Index turned = 0;
  for (std::size_t i = 0; i < mesh.tets.size(); i += 3, ++turned)
    std::swap(mesh.tets[i][i % 4], mesh.tets[i][(i + 1) % 4]);
  ASSERT_LT(testing::smallest_tet(mesh), 0);
  EXPECT_EQ(orient_tets(mesh), turned);
  EXPECT_GT(testing::smallest_tet(mesh), 0);
  EXPECT_EQ(tet_defects(mesh), Sentences{});
  EXPECT_EQ(mesh.vertices, sound.vertices);
  for (std::size_t i = 0; i < mesh.tets.size(); ++i) {
    Tet a = mesh.tets[i], b = sound.tets[i];
    if (i % 3 != 0) {
      EXPECT_EQ(a, b);
    }
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    EXPECT_EQ(a, b);
  }
  EXPECT_EQ(orient_tets(mesh), 0);
}

TEST(OrientTets, LeavesTetsAloneThatNameNoOrRepeatedVertices) {
  Mesh mesh = two_tets();
  mesh.vertices[4] = {0.1, 0.2, 0.3};
  mesh.tets = {{0, 1, 2, 77}, {-1, 0, 2, 3}, {4, 1, 2, 2}, {0, 2, 1, 3}};
  EXPECT_EQ(orient_tets(mesh), 1);
  EXPECT_EQ(mesh.tets[0], (Tet{0, 1, 2, 77}));
  EXPECT_EQ(mesh.tets[1], (Tet{-1, 0, 2, 3}));
  EXPECT_EQ(mesh.tets[2], (Tet{4, 1, 2, 2}));
  EXPECT_GT(testing::tet_volume(mesh, mesh.tets[3]), 0);
}

// --- surfaces ---

TEST(SurfaceDefects, NoTriangles) {
  EXPECT_EQ(surface_defects({}), Sentences{"there are no triangles"});
}

TEST(SurfaceDefects, VerticesThatDoNotExist) {
  Mesh mesh = octahedron();
  mesh.triangles[7][0] = 6;
  mesh.triangles[2][1] = -3;
  EXPECT_EQ(surface_defects(mesh),
            Sentences{"2 triangles name a vertex that does not exist (2, 7): the mesh has vertices 0 to 5"});
}

TEST(SurfaceDefects, CoordinatesThatAreNotNumbers) {
  Mesh mesh = octahedron();
  mesh.vertices[5][2] = nan;
  EXPECT_EQ(surface_defects(mesh),
            Sentences{"1 vertex has a coordinate that is not a finite number (5): correct the coordinates"});
}

TEST(SurfaceDefects, RepeatedVertices) {
  Mesh mesh = octahedron();
  mesh.triangles.push_back({3, 4, 3});
  EXPECT_EQ(surface_defects(mesh), Sentences{"1 triangle names a vertex twice (8): remove them"});
}

TEST(SurfaceDefects, UnusedVertices) {
  Mesh mesh = octahedron();
  mesh.vertices.insert(mesh.vertices.end(), 7, Vec3(5, 5, 5));
  EXPECT_EQ(surface_defects(mesh), Sentences{"7 vertices belong to no triangle (6, 7, 8, 9, 10, ...): remove them"});
}

TEST(SurfaceDefects, OpenEdgesAreNoneWhereASurfaceMayBeOpen) {
  Mesh mesh = octahedron();
  mesh.triangles.erase(mesh.triangles.begin());
  EXPECT_EQ(surface_defects(mesh, true), Sentences{});
  std::swap(mesh.triangles[0][1], mesh.triangles[0][2]);
  EXPECT_NE(surface_defects(mesh, true), Sentences{}) << "what else is wrong is still told";
}

// Each triangle with vertices of its own, as exporters of flat shading write them.
TEST(SurfaceDefects, OpenEdgesThatLieOnEachOther) {
  const Mesh whole = octahedron();
  Mesh mesh;
  for (const Triangle& t : whole.triangles) {
    const auto first = static_cast<Index>(mesh.vertices.size());
    for (const Index v : t) mesh.vertices.push_back(whole.vertices[v]);
    mesh.triangles.push_back({first, first + 1, first + 2});
  }
  const Sentences defects = surface_defects(mesh);
  ASSERT_EQ(defects.size(), 1);
  EXPECT_EQ(defects[0].substr(0, 41), "24 edges are open and lie on each other (");
  EXPECT_EQ(defects[0].substr(defects[0].size() - 49), "the mesh has vertices at equal places: merge them");
}

// The face 0-1-2 of a tetrahedron is split at a point of its edge 0-1: triangle 4 has no area.
TEST(SurfaceDefects, ZeroArea) {
  Mesh mesh = tetrahedron({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1});  // triangle 3 is 0-2-1
  ASSERT_EQ(mesh.triangles[3], (Triangle{0, 2, 1}));
  mesh.vertices.emplace_back(0.5, 0, 0);
  mesh.triangles[3] = {0, 2, 4};
  mesh.triangles.push_back({4, 2, 1});
  mesh.triangles.push_back({0, 4, 1});
  EXPECT_EQ(surface_defects(mesh),
            Sentences{"1 triangle has zero area (5): collapse its shortest edge or flip its longest"});
}

TEST(SurfaceDefects, OpenEdges) {
  Mesh mesh = octahedron();
  mesh.triangles.erase(mesh.triangles.begin());  // 0-2-4 is gone; 2, 0 and 1 of what is left were 3, 1 and 2
  EXPECT_EQ(
      surface_defects(mesh),
      Sentences{"3 edges are open (edge 0-2 of triangle 0, edge 0-4 of triangle 1, edge 2-4 of triangle 3): it has "
                "a triangle on one side only; close the hole, or make it a fixed or scripted object, which may be an "
                "open surface; cloth has a material of the model \"shell\" or \"edge-springs\""});
}

// The face 0-1-2 of a tetrahedron is split at points of its edge 0-1, its neighbour 0-1-3 is not.
Mesh divided_on_one_side(int points, const Vec3& shift = Vec3(0, 0, 0), double off = 0) {
  Mesh mesh = tetrahedron({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1});
  mesh.triangles.pop_back();  // 0-2-1
  Index last = 0;
  for (int i = 1; i <= points; ++i) {
    mesh.triangles.push_back({last, 2, 3 + i});
    last = 3 + i;
    mesh.vertices.emplace_back(i / (points + 1.0), off, 0);
  }
  mesh.triangles.push_back({last, 2, 1});
  for (Vec3& x : mesh.vertices) x += shift;
  return mesh;
}

TEST(SurfaceDefects, TJunctionsAreNoHoles) {
  const std::string remedy =
      ": divide the edge's triangle at that vertex, or give its neighbours no vertex there; to close holes or to "
      "merge "
      "vertices does not help";
  EXPECT_EQ(
      surface_defects(divided_on_one_side(1)),
      Sentences{"1 edge has a vertex of its neighbours in its middle, a T-junction (vertex 4 at 0.5 0 0 on edge "
                "0-1 of triangle 2)" +
                remedy});
  // With several vertices, somewhere else, and rounded as in a file of single precision.
  const Sentences three = surface_defects(divided_on_one_side(3, {10, -20, 30}, 1e-6));
  ASSERT_EQ(three.size(), 1);
  EXPECT_EQ(three[0],
            "1 edge has a vertex of its neighbours in its middle, a T-junction (vertex 4 at 10.25 -20 30 on "
            "edge 0-1 of triangle 2)" +
                remedy);
  const Sentences two = surface_defects(joined(divided_on_one_side(1), divided_on_one_side(2, {0, 0, 5})));
  ASSERT_EQ(two.size(), 1);
  EXPECT_EQ(
      two[0],
      "2 edges have vertices of their neighbours in their middle, T-junctions (vertex 4 at 0.5 0 0 on edge 0-1 of "
      "triangle 2, vertex 9 at 0.333333 0 5 on edge 5-6 of triangle 7)" +
          remedy);
}

// A gap that can be seen is a hole, and a hole beside a T-junction is told, too.
TEST(SurfaceDefects, HolesAreNoTJunctions) {
  const Sentences gap = surface_defects(divided_on_one_side(1, {0, 0, 0}, -0.001));
  ASSERT_EQ(gap.size(), 1);
  EXPECT_EQ(gap[0].substr(0, 18), "3 edges are open (");
  Mesh both = joined(divided_on_one_side(1), octahedron({5, 0, 0}));
  both.triangles.pop_back();
  const Sentences defects = surface_defects(both);
  ASSERT_EQ(defects.size(), 2);
  EXPECT_EQ(defects[0].substr(0, 10), "1 edge has");
  EXPECT_EQ(defects[1].substr(0, 18), "3 edges are open (");
}

TEST(SurfaceDefects, EdgesOfThreeTriangles) {
  Mesh mesh = octahedron();
  mesh.vertices.emplace_back(3, 3, 3);
  mesh.triangles.push_back({0, 2, 6});
  const Sentences defects = surface_defects(mesh);
  ASSERT_EQ(defects.size(), 2);
  EXPECT_EQ(defects[0],
            "2 edges are open (edge 0-6 of triangle 8, edge 2-6 of triangle 8): it has a triangle on one "
            "side only; close the hole, or make it a fixed or scripted object, which may be an open surface; cloth "
            "has a material of the model \"shell\" or \"edge-springs\"");
  EXPECT_EQ(defects[1],
            "1 edge is shared by more than two triangles (edge 0-2 of triangles 0 1 8): remove triangles "
            "that are there twice, or separate parts that touch along an edge");
}

TEST(SurfaceDefects, NeighboursOfOppositeOrientation) {
  Mesh mesh = octahedron();
  std::swap(mesh.triangles[5][0], mesh.triangles[5][1]);  // 1-2-5, neighbour of 4, 1 and 7
  EXPECT_EQ(
      surface_defects(mesh),
      Sentences{"3 edges have neighbours of opposite orientation (edge 1-2 of triangles 4 5, edge 1-5 of triangles "
                "5 7, edge 2-5 of triangles 1 5): reverse one of the two triangles"});
}

TEST(SurfaceDefects, InsideOut) {
  EXPECT_EQ(surface_defects(reversed(octahedron())),
            Sentences{"1 closed part is inside out (the part of triangle 0): reverse its triangles, they must be "
                      "counter-clockwise from outside"});
  const Mesh two = joined(octahedron(), reversed(octahedron({5, 0, 0})));
  EXPECT_EQ(surface_defects(two),
            Sentences{"1 closed part is inside out (the part of triangle 8): reverse its triangles, they must be "
                      "counter-clockwise from outside"});
}

TEST(SurfaceDefects, APartThatEnclosesNothing) {
  Mesh mesh = joined(octahedron(), {{{5, 0, 0}, {6, 0, 0}, {5, 1, 0}}, {}, {{0, 1, 2}, {0, 2, 1}}});
  EXPECT_EQ(surface_defects(mesh),
            Sentences{"1 closed part encloses no volume (the part of triangle 8): remove its triangles"});
}

TEST(SurfaceDefects, TheWallOfACavityIsNotInsideOut) {
  const Mesh cavity = joined(octahedron({0, 0, 0}, 2), reversed(octahedron()));
  EXPECT_EQ(surface_defects(cavity), Sentences{});
  EXPECT_EQ(surface_defects(joined(cavity, octahedron({0, 0, 0}, 0.5))), Sentences{});  // a stone in the cavity
  const Sentences twice = surface_defects(joined(cavity, reversed(octahedron({0, 0, 0}, 0.5))));
  ASSERT_EQ(twice.size(), 1);
  EXPECT_EQ(twice[0].substr(0, 58), "1 closed part is inside out (the part of triangle 16): rev");
}

// The cavity meets the outer wall at a corner, where its own first vertex lies.
TEST(SurfaceDefects, TheWallOfACavityMayTouchTheOuterWallAtAVertex) {
  Mesh mesh = joined(octahedron(), reversed(octahedron({0.5, 0, 0}, 0.5)));
  for (Triangle& t : mesh.triangles) std::replace(t.begin(), t.end(), 6, 0);
  mesh.vertices.erase(mesh.vertices.begin() + 6);
  for (std::size_t i = 8; i < 16; ++i) {
    for (Index& v : mesh.triangles[i]) v -= v > 6;
  }
  ASSERT_EQ(mesh.triangles[8][0], 0);
  EXPECT_EQ(surface_defects(mesh), Sentences{});
}

TEST(Volume, OfASurfaceFarAwayIsAsGoodAsItsCoordinates) {
  Mesh mesh = bare(generate(BoxShape{{1, 1, 1}, {4, 4, 4}}));
  for (Vec3& x : mesh.vertices) x = x / 1024 + Vec3(4096, 8192, -4096);  // all exact
  EXPECT_EQ(volume(mesh), 0x1p-30);
}

}  // namespace check_test
}  // namespace sim
