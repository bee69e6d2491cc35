// What files say. The cube of tests/data/meshes/make_fixtures.py is written down here a second time.
#include "mesh/read.hpp"

#include <gtest/gtest.h>

#include <locale>

#include "mesh/read_files.hpp"

namespace sim {
namespace read_test {

constexpr double a = -0.625, b = 1.375;
const std::vector<Vec3> cube_vertices{{a, a, a}, {a, b, a}, {b, b, a}, {b, a, a},
                                      {a, a, b}, {b, a, b}, {b, b, b}, {a, b, b}};
const std::vector<Tet> cube_tets{{0, 3, 2, 6}, {0, 5, 3, 6}, {0, 2, 1, 6}, {0, 1, 7, 6}, {0, 4, 5, 6}, {0, 7, 4, 6}};
const std::vector<Triangle> cube_triangles{{0, 1, 2}, {0, 2, 3}, {4, 5, 6}, {4, 6, 7}, {0, 3, 5}, {0, 5, 4},
                                           {3, 2, 6}, {3, 6, 5}, {2, 1, 7}, {2, 7, 6}, {1, 0, 4}, {1, 4, 7}};

class CubeOfTets : public testing::TestWithParam<const char*> {};

TEST_P(CubeOfTets, IsTheSameInEveryFormat) {
  const Mesh mesh = read_mesh(fixture(GetParam()).string());
  EXPECT_EQ(mesh.vertices, cube_vertices);
  EXPECT_EQ(mesh.tets, cube_tets);
  EXPECT_TRUE(mesh.triangles.empty());
  EXPECT_EQ(volume(mesh), 8);
  EXPECT_FALSE(is_surface_file(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(ByHand, CubeOfTets,
                         testing::Values("cube_22.msh", "cube_22_crlf.msh", "cube_22_binary.msh",
                                         "cube_22_big_endian.msh", "cube_41.msh", "cube_41_binary.msh",
                                         "cube_41_big_endian.msh", "cube_0.node", "cube_0.ele", "cube_1.node",
                                         "cube_1.ele", "cube_30.vtk", "cube_42_binary.vtk", "cube_51.vtk",
                                         "cube_51_binary.vtk"),
                         name_of_case);
INSTANTIATE_TEST_SUITE_P(ByMeshio, CubeOfTets,
                         testing::Values("meshio_22.msh", "meshio_22_binary.msh", "meshio_41.msh",
                                         "meshio_41_binary.msh", "meshio.node", "meshio_42.vtk",
                                         "meshio_42_binary.vtk"),
                         name_of_case);

class CubeSurface : public testing::TestWithParam<const char*> {};

TEST_P(CubeSurface, IsTheSameInEveryFormat) {
  const Mesh mesh = read_mesh(fixture(GetParam()).string());
  EXPECT_EQ(mesh.vertices, cube_vertices);
  EXPECT_EQ(mesh.triangles, cube_triangles);
  EXPECT_TRUE(mesh.tets.empty());
  EXPECT_EQ(volume(mesh), 8);
  EXPECT_TRUE(is_surface_file(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(ByHand, CubeSurface,
                         testing::Values("cube.obj", "cube_quads.obj", "cube.off", "cube_colour.off", "cube.ply",
                                         "cube_little_endian.ply", "cube_big_endian.ply", "cube_index.ply",
                                         "cube.stl", "cube_binary.stl"),
                         name_of_case);
INSTANTIATE_TEST_SUITE_P(ByMeshio, CubeSurface,
                         testing::Values("meshio.obj", "meshio.off", "meshio.ply", "meshio_binary.ply", "meshio.stl",
                                         "meshio_binary.stl"),
                         name_of_case);

// The unit cube as Gmsh 4.8 wrote it: 15 nodes, of which node 5 is a point of the geometry only; all tets but no
// other element count.
class GmshOutput : public testing::TestWithParam<const char*> {};

TEST_P(GmshOutput, HasTheTetsAndTheVerticesTheyUse) {
  const Mesh mesh = read_mesh(fixture(GetParam()).string());
  const Mesh text = read_mesh(fixture("gmsh_22.msh").string());
  ASSERT_EQ(mesh.vertices.size(), 14u);
  EXPECT_EQ(mesh.tets.size(), 24u);
  EXPECT_NEAR(volume(mesh), 1, 1e-15);
  EXPECT_EQ(mesh.vertices[3], Vec3(0, 1, 0));
  EXPECT_EQ(mesh.vertices[4], Vec3(0, 0, 1));    // node 6 of the file
  EXPECT_EQ(mesh.tets[0], (Tet{12, 8, 13, 9}));  // 14 10 15 11 in the file
  EXPECT_EQ(mesh.tets, text.tets);
  EXPECT_EQ(mesh.vertices, text.vertices);
}

INSTANTIATE_TEST_SUITE_P(ByGmsh, GmshOutput,
                         testing::Values("gmsh_22.msh", "gmsh_22_binary.msh", "gmsh_41.msh", "gmsh_41_binary.msh",
                                         "gmsh_41_parametric_binary.msh"),
                         name_of_case);

TEST(ReadVtk, TakesTheTetsOfAFileByGmsh) {
  for (const char* name : {"gmsh.vtk", "gmsh_binary.vtk"}) {
    const Mesh mesh = read_mesh(fixture(name).string());
    EXPECT_EQ(mesh.vertices.size(), 14u) << name;
    EXPECT_EQ(mesh.tets.size(), 24u) << name;
    EXPECT_NEAR(volume(mesh), 1, 1e-15) << name;
  }
}

TEST(ReadMesh, TakesEndingsInCapitals) {
  EXPECT_EQ(read_text("CUBE.OFF", contents(fixture("cube.off"))).triangles, cube_triangles);
  const TemporaryFolder folder;
  write_file(folder / "CUBE.NODE", contents(fixture("cube_0.node")));
  write_file(folder / "CUBE.ELE", contents(fixture("cube_0.ele")));
  EXPECT_EQ(read_mesh(folder / "CUBE.NODE").tets, cube_tets);
  EXPECT_EQ(read_mesh(folder / "CUBE.ELE").tets, cube_tets);
}

TEST(ReadMesh, TakesCarriageReturnsInEveryTextFormat) {
  for (const char* name : {"cube_41.msh", "cube_30.vtk", "cube_51.vtk", "cube_quads.obj", "cube.off",
                           "cube_colour.off", "cube.ply", "cube.stl"}) {
    std::string text;
    for (const char c : contents(fixture(name))) text += c == '\n' ? "\r\n" : std::string(1, c);
    EXPECT_EQ(read_text(name, text).vertices, cube_vertices) << name;
  }
}

// Digits from the decimal expansions of doubles; the last is half way between two doubles and goes to the even one.
TEST(ReadMesh, RoundsDecimalsToTheNearestDouble) {
  const Mesh mesh = read_text("x.obj",
                              "v 0.1 0.333333333333333314829616256247 1e-320\n"
                              "v +1.5E+2 -.25 9007199254740993\n"
                              "v 1e-400 -0.000001e-322 2.2250738585072014e-308\nf 1 2 3\n");
  EXPECT_EQ(mesh.vertices[0], Vec3(0.1, 1. / 3, 1e-320));
  EXPECT_EQ(mesh.vertices[1], Vec3(150, -0.25, 9007199254740992.));
  EXPECT_EQ(mesh.vertices[2], Vec3(0, 0, std::numeric_limits<double>::min()));
}

struct DecimalComma : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

TEST(ReadMesh, DoesNotDependOnTheLocale) {
  const std::locale before = std::locale::global(std::locale(std::locale::classic(), new DecimalComma));
  const Mesh mesh = read_text("x.obj", "v 0.5 1.25 2000\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  const std::string message = complaint("x.off", "OFF\n0 12345 0\n");
  std::locale::global(before);
  EXPECT_EQ(mesh.vertices[0], Vec3(0.5, 1.25, 2000));
  EXPECT_TRUE(message.ends_with("found 12345")) << message;
}

TEST(ReadObj, NegativeIndicesCountBackFromTheLatestVertex) {
  const Mesh mesh = read_text("x.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\nv 0 0 1\nf -4//1 -3//2 -1//3\n");
  EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{0, 1, 2}, {0, 1, 3}}));
}

TEST(ReadOff, PolygonsBecomeFansAboutTheirFirstCorner) {
  const Mesh mesh = read_text("x.off", "OFF 5 1 0\n0 0 0\n2 0 0\n3 1 0\n1 2 0\n-1 1 0\n5 1 2 3 4 0 255 0 0\n");
  EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{1, 2, 3}, {1, 3, 4}, {1, 4, 0}}));
}

// A facet whose corners coincide is a defect that the checks of meshes report.
TEST(ReadStl, MergesEqualCornersAndKeepsFacetsWithoutArea) {
  const std::string facet = "facet normal 0 0 0 outer loop vertex ";
  const std::string end = " endloop endfacet\n";
  const Mesh mesh =
      read_text("x.stl", "solid\n" + facet + "1 0 0 vertex 0 1 0 vertex 0 0 1" + end + "endsolid\nSOLID two\n" +
                             facet + "0 1 0 vertex 1 0 0 vertex 1 0 0" + end + facet +
                             "1 -0.0 0 vertex 0 0 1 vertex 1 1e-300 0" + end + "endsolid two\n");
  EXPECT_EQ(mesh.triangles, (std::vector<Triangle>{{0, 1, 2}, {1, 0, 0}, {0, 2, 3}}));
  EXPECT_EQ(mesh.vertices, (std::vector<Vec3>{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1e-300, 0}}));
}

}  // namespace read_test
}  // namespace sim
