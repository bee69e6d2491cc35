#include "mesh/tetrahedralize.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "math/error.hpp"
#include "mesh/broken.hpp"
#include "mesh/generate.hpp"
#include "mesh/shapes.hpp"

namespace sim {
namespace tetrahedralize_test {

using testing::bare, testing::joined, testing::octahedron, testing::reversed, testing::tetrahedron;

Mesh cube(Index cells, const Vec3& shift = Vec3(0, 0, 0)) {
  return bare(generate(BoxShape{{1, 1, 1}, {cells, cells, cells}}), shift);
}
Mesh sphere(Index resolution, double radius = 0.5) {
  return bare(generate(SphereShape{radius, resolution}));
}

std::string message_of(const Mesh& surface, const TetrahedralizeOptions& options = {}) {
  try {
    tetrahedralize(surface, options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

void expect_starts(const std::string& message, const std::string& start) {
  EXPECT_EQ(message.substr(0, start.size()), start);
}

// The circumradius of a tet over its shortest edge. With a, b, c the products of opposite edges, the circumradius is
// sqrt((a + b + c) (a + b - c) (a - b + c) (-a + b + c)) / (24 V) (Crelle).
double radius_edge_ratio(const Mesh& mesh, const Tet& t) {
  double shortest = 1e300;
  const auto edge = [&](int i, int j) {
    const testing::Vec d = testing::sub(mesh.vertices[t[i]], mesh.vertices[t[j]]);
    const double length = std::sqrt(testing::dot(d, d));
    shortest = std::min(shortest, length);
    return length;
  };
  const double a = edge(0, 1) * edge(2, 3), b = edge(0, 2) * edge(1, 3), c = edge(0, 3) * edge(1, 2);
  const double product = (a + b + c) * (a + b - c) * (a - b + c) * (-a + b + c);
  return std::sqrt(product) / (24 * testing::tet_volume(mesh, t)) / shortest;
}

double largest_ratio(const Mesh& mesh) {
  double largest = 0;
  for (const Tet& t : mesh.tets) largest = std::max(largest, radius_edge_ratio(mesh, t));
  return largest;
}

double largest_tet(const Mesh& mesh) {
  double largest = 0;
  for (const Tet& t : mesh.tets) largest = std::max(largest, testing::tet_volume(mesh, t));
  return largest;
}

std::map<std::array<Index, 3>, int> faces(const Mesh& mesh) {
  std::map<std::array<Index, 3>, int> count;
  for (const Tet& t : mesh.tets) {
    for (int skip = 0; skip < 4; ++skip) {
      std::array<Index, 3> face{t[(skip + 1) % 4], t[(skip + 2) % 4], t[(skip + 3) % 4]};
      std::sort(face.begin(), face.end());
      ++count[face];
    }
  }
  return count;
}

// Vertices first and unchanged, triangles unchanged and exactly the faces of one tet only, tets that fill what the
// surface encloses.
void expect_filled(const Mesh& surface, const Mesh& mesh, const std::string& name) {
  ASSERT_GE(mesh.vertices.size(), surface.vertices.size()) << name;
  for (std::size_t i = 0; i < surface.vertices.size(); ++i) EXPECT_EQ(mesh.vertices[i], surface.vertices[i]) << name;
  EXPECT_EQ(mesh.triangles, surface.triangles) << name;

  std::set<std::array<Index, 3>> outer;
  for (std::array<Index, 3> t : surface.triangles) {
    std::sort(t.begin(), t.end());
    outer.insert(t);
  }
  std::size_t single = 0;
  for (const auto& [face, count] : faces(mesh)) {
    EXPECT_LE(count, 2) << name;
    EXPECT_EQ(count == 1, outer.count(face) == 1) << name;
    single += count == 1;
  }
  EXPECT_EQ(single, surface.triangles.size()) << name;

  EXPECT_GT(testing::smallest_tet(mesh), 0) << name;
  const double enclosed = testing::enclosed_volume(surface);
  EXPECT_NEAR(testing::tet_volume(mesh), enclosed, 1e-9 * enclosed) << name;  // the grid of 2^32 steps
  EXPECT_EQ(testing::used_vertices(mesh).size(), mesh.vertices.size()) << name;
}

// --- sound surfaces ---

TEST(Tetrahedralize, KeepsTheSurfaceAndFillsIt) {
  const std::vector<std::pair<std::string, Mesh>> surfaces{
      {"tetrahedron", tetrahedron({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1})},
      {"octahedron", octahedron()},
      {"cube of 12 triangles", cube(1)},
      {"cube", cube(4)},
      {"sphere", sphere(6)},
      {"torus", bare(generate(TorusShape{}))},
      {"cylinder", bare(generate(CylinderShape{}))},
      {"two bodies", joined(cube(2), cube(3, {3, 0, 0}))},
      {"bodies 1e-6 apart", joined(cube(3), cube(3, {1 + 1e-6, 0.1, 0.1}))}};
  for (const auto& [name, surface] : surfaces) {
    expect_filled(surface, tetrahedralize(surface, {}), name);
    expect_filled(surface, tetrahedralize(surface, {1.2, 10, 1e-3}), name + ", finer");
  }
}

TEST(Tetrahedralize, SizeAndPlaceDoNotMatter) {
  const Mesh surface = cube(4);
  const std::size_t tets = tetrahedralize(surface, {1.4, 15, 1e-3}).tets.size();
  for (const double scale : {0x1p-20, 0x1p20}) {
    Mesh moved = surface;
    for (Vec3& x : moved.vertices) x = scale * (x + Vec3(1024, -2048, 512));
    const Mesh mesh = tetrahedralize(moved, {1.4, 15, 1e-3 * scale * scale * scale});
    expect_filled(moved, mesh, "moved cube");
    EXPECT_EQ(mesh.tets.size(), tets);
  }
}

TEST(Tetrahedralize, RepeatedRunsGiveTheSameBits) {
  const Mesh first = tetrahedralize(sphere(4), {1.4, 15, 1e-3}), second = tetrahedralize(sphere(4), {1.4, 15, 1e-3});
  EXPECT_EQ(first.vertices, second.vertices);
  EXPECT_EQ(first.tets, second.tets);
}

// The bounds are kept where the triangles of the surface are as small as they ask for: triangles of the sphere of
// 16 cells have edges below 0.05, and a regular tet of 1e-4 m^3 has the edge 0.0947.
TEST(Tetrahedralize, BoundsHoldOnAFineSurface) {
  const Mesh surface = sphere(16);
  const Mesh mesh = tetrahedralize(surface, {1.4, 15, 1e-4});
  expect_filled(surface, mesh, "sphere");
  EXPECT_LE(largest_ratio(mesh), 1.4);
  EXPECT_LE(largest_tet(mesh), 1e-4);
  EXPECT_GE(static_cast<double>(mesh.tets.size()), testing::enclosed_volume(surface) / 1e-4);
}

TEST(Tetrahedralize, EachBoundMakesTheMeshFiner) {
  const Mesh surface = sphere(12);
  const auto make = [&](double quality, double dihedral, double volume) {
    return tetrahedralize(surface, {quality, dihedral, volume});
  };
  const auto tets_above = [](double ratio, const Mesh& mesh) {
    return std::count_if(mesh.tets.begin(), mesh.tets.end(),
                         [&](const Tet& t) { return radius_edge_ratio(mesh, t) > ratio; });
  };
  EXPECT_GT(tets_above(1.4, make(8, 0, 0)), 10 * tets_above(1.4, make(1.4, 0, 0)));
  EXPECT_GT(largest_tet(make(1.4, 0, 0)), 2e-4);
  EXPECT_LE(largest_tet(make(1.4, 15, 2e-4)), 2e-4);
  EXPECT_GT(testing::smallest_dihedral(make(1.4, 15, 0)), testing::smallest_dihedral(make(1.4, 0, 0)));
}

// Tets on the surface are as large as its triangles, whatever max_volume is: no points are added there.
TEST(Tetrahedralize, ACoarseSurfaceStaysCoarse) {
  const Mesh mesh = tetrahedralize(cube(2), {1.4, 15, 1e-5});
  expect_filled(cube(2), mesh, "cube");
  EXPECT_GT(largest_tet(mesh), 1e-5);
}

TEST(Tetrahedralize, CavitiesStayEmpty) {
  const Mesh surface = joined(sphere(4), reversed(sphere(3, 0.2)));
  const Mesh mesh = tetrahedralize(surface, {1.4, 15, 1e-3});
  expect_filled(surface, mesh, "ball with a cavity");
  const Mesh stone = joined(surface, sphere(2, 0.1));
  expect_filled(stone, tetrahedralize(stone, {1.4, 15, 1e-3}), "a ball in the cavity");
}

TEST(Tetrahedralize, BodiesMayShareAVertex) {
  Mesh surface = joined(octahedron(), octahedron({2, 0, 0}));  // vertex 0 and vertex 7 are (1, 0, 0)
  for (Triangle& t : surface.triangles) {
    for (Index& v : t) v = v == 7 ? 0 : v - (v > 7);
  }
  surface.vertices.erase(surface.vertices.begin() + 7);
  expect_filled(surface, tetrahedralize(surface, {}), "two octahedra");
}

// --- surfaces that meet themselves ---

TEST(Tetrahedralize, InterpenetratingTetrahedraAreRefusedWithTheirTriangles) {
  const Mesh first = tetrahedron({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1});
  // The corner of the second is inside the first. The three faces at that corner pass through the sloping face 0.
  const Mesh second = tetrahedron({.1, .1, .1}, {1.1, .1, .1}, {.1, 1.1, .1}, {.1, .1, 1.1});
  EXPECT_EQ(
      message_of(joined(first, second)),
      "the surface intersects or touches itself: 4 triangles (0, 5, 6, 7) meet or nearly meet others that are not "
      "their neighbours; move them apart or unite the parts");
  // A needle through the faces 0 and 3 (z = 0): its three long faces, not its foot, meet them.
  const Mesh needle = tetrahedron({.2, .2, -1}, {.2, .25, -1}, {.25, .2, -1}, {.2, .2, 2});
  EXPECT_NE(message_of(joined(first, reversed(needle))).find("5 triangles (0, 3, 4, 5, 6)"), std::string::npos)
      << message_of(joined(first, reversed(needle)));
}

// A vertex in the middle of the lower side of the cube is pushed up through the upper side: the six triangles about
// it now pass through that side, and the volume is still positive.
TEST(Tetrahedralize, AFoldThroughTheOtherSideIsRefusedWithItsTriangles) {
  Mesh surface = cube(4);
  Index pushed = -1;
  for (Index i = 0; i < static_cast<Index>(surface.vertices.size()); ++i) {
    if (surface.vertices[i] == Vec3(0, 0, -0.5)) pushed = i;
  }
  ASSERT_GE(pushed, 0);
  surface.vertices[pushed] = {0.06, 0.05, 0.7};
  const std::string message = message_of(surface);
  const std::string start = "the surface intersects or touches itself: ";
  expect_starts(message, start);
  const std::string ids = message.substr(message.find('(') + 1, message.find(')') - message.find('(') - 1);
  std::set<Index> named;
  std::istringstream stream(ids);
  for (std::string id; std::getline(stream, id, ',');) {
    if (id != " ...") named.insert(std::stoi(id));
  }
  EXPECT_GE(named.size(), 6);
  // Each one named is either about the pushed vertex or on the upper side.
  for (const Index id : named) {
    const Triangle& t = surface.triangles[id];
    const bool is_above = std::all_of(t.begin(), t.end(), [&](Index v) { return surface.vertices[v][2] == 0.5; });
    const bool is_pushed = std::find(t.begin(), t.end(), pushed) != t.end();
    EXPECT_TRUE(is_above || is_pushed) << id;
  }
}

TEST(Tetrahedralize, AVertexOnAFaceAndFacesOnFacesAreRefused) {
  const Mesh ground = tetrahedron({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1});
  const Mesh needle = tetrahedron({.25, .25, -1}, {.5, .25, -1}, {.25, .5, -1}, {.25, .25, 0});
  const std::string touching = message_of(joined(ground, needle));
  EXPECT_NE(touching.find("(3, "), std::string::npos) << touching;  // triangle 3 lies in z = 0
  expect_starts(message_of(joined(cube(1), cube(1, {1, 0.25, 0.25}))), "the surface intersects or touches itself: ");
  expect_starts(message_of(joined(cube(1), cube(3, {0.25, 0.5, 0.125}))),
                "the surface intersects or touches itself: ");
}

TEST(Tetrahedralize, VerticesAtTheSamePlaceAreRefused) {
  EXPECT_EQ(message_of(joined(octahedron(), octahedron({2, 0, 0}))),
            "the surface cannot be filled with tets: vertices 0 and 7 are at the same place; merge them or move them "
            "apart");
  const std::string twice = message_of(joined(octahedron(), octahedron()));
  EXPECT_NE(twice.find("vertices 0 and 6 are at the same place"), std::string::npos) << twice;
}

TEST(Tetrahedralize, ABodyInsideABodyIsRefusedWithItsTriangles) {
  expect_starts(
      message_of(joined(octahedron({0, 0, 0}, 4), octahedron())),
      "the surface could not be kept as it is: 8 of its triangles (8, 9, 10, 11, 12, 13, 14, 15) do not bound "
      "the tets; they are part of a surface inside another");
}

// --- surfaces with defects ---

TEST(Tetrahedralize, OpenSurfacesAreRefused) {
  Mesh mesh = octahedron();
  mesh.triangles.pop_back();
  EXPECT_EQ(
      message_of(mesh),
      "the surface cannot be filled with tets:\n  3 edges are open (edge 1-3 of triangle 6, edge 1-5 of triangle "
      "5, edge 3-5 of triangle 3): it has a triangle on one side only; close the hole, or make it a "
      "fixed or scripted object, which may be an open surface; cloth has a material of the model \"shell\" or "
      "\"edge-springs\"");
}

TEST(Tetrahedralize, OtherDefectsAreRefusedWithTheirTriangles) {
  EXPECT_NE(message_of(reversed(sphere(2))).find("closed part is inside out (the part of triangle 0)"),
            std::string::npos);
  Mesh turned = octahedron();
  std::swap(turned.triangles[5][0], turned.triangles[5][1]);
  EXPECT_NE(message_of(turned).find("edge 1-2 of triangles 4 5"), std::string::npos);
  Mesh crowded = octahedron();
  crowded.triangles.push_back(crowded.triangles[2]);
  EXPECT_NE(message_of(crowded).find("edge 0-4 of triangles 0 2 8"), std::string::npos);
  Mesh unknown = octahedron();
  unknown.triangles[1][1] = 1000;
  EXPECT_NE(message_of(unknown).find("names a vertex that does not exist (1)"), std::string::npos);
  Mesh infinite = octahedron();
  infinite.vertices[2][0] = std::numeric_limits<double>::infinity();
  EXPECT_NE(message_of(infinite).find("not a finite number (2)"), std::string::npos);
  EXPECT_NE(message_of({}).find("there are no triangles"), std::string::npos);
}

// --- options ---

TEST(Tetrahedralize, OptionsThatMakeNoSenseAreRefused) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double quality : {1.0, 0.0, -2.0, nan, infinity}) {
    EXPECT_NE(message_of(cube(1), {quality, 15, 0}).find("; expected a radius-edge ratio above 1"),
              std::string::npos);
  }
  expect_starts(message_of(cube(1), {0.9, 15, 0}), "quality is 0.9; ");
  for (const double angle : {-1.0, 31.0, nan}) {
    EXPECT_NE(message_of(cube(1), {1.4, angle, 0}).find("; expected an angle from 0 to 30"), std::string::npos);
  }
  expect_starts(message_of(cube(1), {1.4, 50, 0}), "min_dihedral is 50; ");
  for (const double volume : {-1.0, nan, infinity}) {
    EXPECT_NE(message_of(cube(1), {1.4, 15, volume}).find("; expected a volume in m^3, or 0"), std::string::npos);
  }
  expect_starts(message_of(cube(1), {1.4, 15, 1e-12}),
                "max_volume is 1e-12; the surface encloses 1 m^3 and would need ");
}

}  // namespace tetrahedralize_test
}  // namespace sim
