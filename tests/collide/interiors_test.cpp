#include "collide/interiors.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <map>
#include <set>

#include "collide/intersections.hpp"
#include "collide/scenes.hpp"
#include "math/parallel.hpp"
#include "mesh/generate.hpp"

namespace sim {
namespace interiors_test {

using namespace sim::test;

void add_mesh(CollideScene& scene, const Mesh& mesh, const Vec3& shift, bool can_move = true) {
  std::vector<Vec3> vertices;
  for (const Vec3& p : mesh.vertices) vertices.push_back(p + shift);
  scene.add(vertices, mesh.triangles, can_move);
}

Mesh box(double side, Index cells) {
  return generate(BoxShape{.size = {side, side, side}, .cells = {cells, cells, cells}});
}

std::vector<ObjectIntersections> overlaps(const CollideScene& scene) {
  return find_overlaps(scene.surface(), stacked(scene.x));
}

TEST(Interiors, BoxesWhoseMeshLinesLieInEachOthersFacesOverlap) {
  CollideScene scene;
  add_mesh(scene, box(1, 4), {0, 0, 0});
  add_mesh(scene, box(0.5, 2), {0, 0, 0.6});
  const auto found = overlaps(scene);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].object_a, 0);
  EXPECT_EQ(found[0].object_b, 1);
  EXPECT_FALSE(found[0].triangles.empty());
  for (const auto& t : found[0].triangles) EXPECT_EQ(t.meeting, TriangleMeeting::touching);
  EXPECT_FALSE(found[0].only_in_one_plane());
  EXPECT_EQ(found[0].depth, 0);  // no two triangles say more
  EXPECT_LT((found[0].way_out - Vec3(0, 0, 0.15)).norm(), 1e-15);
}

TEST(Interiors, TheWayOutTakesObjectsApartAlongTheAxisWhereItIsShortest) {
  CollideScene scene;
  add_mesh(scene, box(1, 1), {0, 0, 0});
  add_mesh(scene, box(0.5, 1), {-0.7, 0.1, 0.2});
  const auto found = overlaps(scene);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_LT((found[0].way_out - Vec3(-0.05, 0, 0)).norm(), 1e-15);
  EXPECT_LE(found[0].depth, 0.05 + 1e-15);
  CollideScene self;
  add_mesh(self, box(1, 2), {0, 0, 0});
  self.x[22] = Vec3(0.1, 0.13, -2);  // the middle of the top pushed out through the bottom
  const auto itself = overlaps(self);
  ASSERT_EQ(itself.size(), 1U);
  EXPECT_TRUE(itself[0].way_out.isZero(0));
}

// A wedge inside a wedge, with a piece of edge in common: the outer one's faces are not in the inner one, so only one
// of the two questions is answered with yes. Whichever triangle comes first.
TEST(Interiors, AWedgeInAWedgeOverlapsBesideTheirCommonEdge) {
  const std::vector<Triangle> faces{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
  CollideScene scene;
  scene.add({{0, 0, 0}, {0, 0, 2}, {5, -5, 1}, {5, 5, 1}}, faces);
  const Vec3 aside(0, 0, 0.5);
  for (const double turn : {1.0, -1.0}) {  // into the outer one, and away from it
    CollideScene two = scene;
    two.add({aside, aside + Vec3::UnitZ(), Vec3(turn, -0.2 * turn, 1), Vec3(turn, 0.2 * turn, 1)}, faces);
    const CollisionSurface surface = two.surface();
    const std::vector<std::uint8_t> closed = closed_objects(surface);
    ASSERT_EQ(closed, (std::vector<std::uint8_t>{1, 1}));
    for (const Index outer : {0, 1}) {
      for (const Index inner : {4, 5}) {
        EXPECT_EQ(overlap_beside_a_line(surface, closed, stacked(two.x), outer, inner), turn > 0);
        EXPECT_EQ(overlap_beside_a_line(surface, closed, stacked(two.x), inner, outer), turn > 0);
      }
    }
    EXPECT_EQ(overlaps(two).empty(), turn < 0);
  }
}

// An edge in the top of a body, with the two faces beside it above or below. A body turned inside out is all that is
// outside of it: beside a notch rather than a wedge.
TEST(Interiors, AWedgeOrANotchOnAFaceOverlapsUnlessItIsAWedgeAbove) {
  const std::vector<Triangle> faces{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
  std::vector<Triangle> inside_out = faces;
  for (Triangle& t : inside_out) std::swap(t[1], t[2]);
  for (const bool above : {true, false}) {
    for (const bool wedge : {true, false}) {
      CollideScene scene;
      scene.add({{-9, -9, 0}, {0, 9, 0}, {9, -9, 0}, {0, 0, -9}}, faces);  // face 0 is its top
      const double z = above ? 1 : -1;
      scene.add({{-1, 0, 0}, {1, 0, 0}, {0, z, z}, {0, -z, z}}, wedge ? faces : inside_out);
      const CollisionSurface surface = scene.surface();
      for (const Index beside : {4, 5}) {
        for (const auto& [s, t] : {std::pair<Index, Index>(0, beside), std::pair<Index, Index>(beside, 0)})
          EXPECT_EQ(overlap_beside_a_line(surface, closed_objects(surface), stacked(scene.x), s, t),
                    !(above && wedge))
              << above << wedge;
      }
    }
  }
}

TEST(Interiors, AnObjectWhollyInsideAnotherIsFoundWhicheverComesFirst) {
  for (const bool large_first : {true, false}) {
    CollideScene scene;
    if (large_first) add_mesh(scene, box(1, 2), {0, 0, 0});
    add_mesh(scene, box(0.25, 2), {0.1, 0.2, -0.1});
    if (!large_first) add_mesh(scene, box(1, 2), {0, 0, 0});
    const auto found = overlaps(scene);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].inner, large_first ? 1 : 0);
    EXPECT_TRUE(found[0].triangles.empty());
    EXPECT_FALSE(found[0].only_in_one_plane());
    EXPECT_GT(found[0].way_out.norm(), 0.25);
  }
}

// All its corners on the faces of the other, and everything else inside.
TEST(Interiors, AnObjectInscribedInAnotherIsInsideIt) {
  CollideScene scene;
  add_mesh(scene, box(2, 2), {0, 0, 0});
  scene.add({{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}},
            {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}});
  const auto found = overlaps(scene);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].inner, 1);
}

TEST(Interiors, SeveralNestedObjectsAreAllFoundAndObstaclesInEachOtherAreNot) {
  CollideScene scene;
  add_mesh(scene, box(4, 1), {0, 0, 0}, false);
  add_mesh(scene, box(2, 1), {0.1, 0.1, 0.1}, false);
  add_mesh(scene, box(1, 1), {0.2, 0.2, 0.2});
  add_mesh(scene, box(1, 1), {9, 0, 0});
  const auto found = overlaps(scene);
  ASSERT_EQ(found.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(found[i].object_a, static_cast<Index>(i));
    EXPECT_EQ(found[i].object_b, 2);
    EXPECT_EQ(found[i].inner, 2);
  }
}

TEST(Interiors, ASheetHasNoInsideButMayLieInOne) {
  Random random(1);
  CollideScene scene;
  add_sheet(scene, random, 4, 0.5, 0.01, 0);
  add_mesh(scene, box(4, 2), {0, 0, 0});
  const auto found = overlaps(scene);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].inner, 0);
  EXPECT_EQ(closed_objects(scene.surface()), (std::vector<std::uint8_t>{0, 1}));
  CollideScene two;
  add_sheet(two, random, 4, 4, 0, 0);
  add_sheet(two, random, 2, 2, 0.01, 0);
  EXPECT_TRUE(overlaps(two).empty());
}

// ---- against the truth

// Boxes of random sizes and cells at places that are multiples of 1/8: in each direction two intervals.
TEST(Interiors, OfRandomBoxesOnAGridAreThoseOfTheirIntervals) {
  Random random(7);
  int deep = 0, in_plane = 0, touching = 0, apart = 0;
  for (int trial = 0; trial < 500; ++trial) {
    std::array<std::array<int, 3>, 2> low{}, high{};
    CollideScene scene;
    for (std::size_t k = 0; k < 2; ++k) {
      BoxShape shape;
      Vec3 middle;
      for (std::size_t c = 0; c < 3; ++c) {
        const int size = 1 + static_cast<int>(random.next() % 6);
        low[k][c] = static_cast<int>(random.next() % 6);
        high[k][c] = low[k][c] + size;
        shape.size[static_cast<int>(c)] = 0.125 * size;
        shape.cells[c] = random.next() % 3 == 0 ? 1 : size;
        middle[static_cast<int>(c)] = 0.0625 * (low[k][c] + high[k][c]);
      }
      add_mesh(scene, generate(shape), middle, k == 0 || trial % 2 == 0);
    }
    int open = 0, closed = 0;
    for (std::size_t c = 0; c < 3; ++c) {
      const int common = std::min(high[0][c], high[1][c]) - std::max(low[0][c], low[1][c]);
      open += common > 0 ? 1 : 0;
      closed += common >= 0 ? 1 : 0;
    }
    const auto found = overlaps(scene);
    const bool covers = open == 2 && closed == 3;  // faces in one plane
    ASSERT_EQ(!found.empty(), open == 3 || covers) << "trial " << trial;
    if (!found.empty()) {
      ASSERT_EQ(found[0].only_in_one_plane(), covers) << "trial " << trial;
    }
    deep += open == 3 ? 1 : 0;
    in_plane += covers ? 1 : 0;
    touching += closed == 3 && open < 2 ? 1 : 0;
    apart += closed < 3 ? 1 : 0;
  }
  EXPECT_GT(std::min({deep, in_plane, touching, apart}), 10);
}

using Integers = Eigen::Matrix<std::int64_t, 3, 1>;

// Convex bodies with corners at integers are apart, or touch, exactly if a plane along a face of one or along an edge
// of each has them on its two sides.
bool insides_meet(const std::array<Integers, 4>& a, const std::array<Integers, 4>& b) {
  std::vector<Integers> axes;
  std::vector<Integers> edges_a, edges_b;
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < i; ++j) {
      edges_a.push_back(a[i] - a[j]);
      edges_b.push_back(b[i] - b[j]);
    }
  }
  for (const auto* edges : {&edges_a, &edges_b}) {
    for (const Integers& u : *edges) {
      for (const Integers& v : *edges) axes.emplace_back(u.cross(v));
    }
  }
  for (const Integers& u : edges_a) {
    for (const Integers& v : edges_b) axes.emplace_back(u.cross(v));
  }
  return std::none_of(axes.begin(), axes.end(), [&](const Integers& axis) {
    if (axis == Integers::Zero()) return false;
    std::int64_t a_low = INT64_MAX, a_high = INT64_MIN, b_low = INT64_MAX, b_high = INT64_MIN;
    for (int k = 0; k < 4; ++k) {
      a_low = std::min(a_low, axis.dot(a[k]));
      a_high = std::max(a_high, axis.dot(a[k]));
      b_low = std::min(b_low, axis.dot(b[k]));
      b_high = std::max(b_high, axis.dot(b[k]));
    }
    return a_high <= b_low || b_high <= a_low;
  });
}

TEST(Interiors, OfRandomTetrahedraWithCornersOnASmallGridAreThoseOfSeparatingPlanes) {
  Random random(11);
  int meet = 0, beside_lines = 0, nested = 0, apart = 0;
  for (int trial = 0; trial < 30000; ++trial) {
    std::array<std::array<Integers, 4>, 2> tets;
    CollideScene scene;
    for (auto& tet : tets) {
      const bool outer = &tet == tets.data() && trial % 3 == 0;
      const unsigned reach = outer ? 13 : 5;
      std::int64_t volume = 0;
      while (volume <= 0) {
        for (Integers& p : tet) {
          for (int c = 0; c < 3; ++c) p[c] = static_cast<std::int64_t>(random.next() % reach) - (outer ? 4 : 0);
        }
        volume = (tet[1] - tet[0]).cross(tet[2] - tet[0]).dot(tet[3] - tet[0]);
      }
      std::vector<Vec3> corners;
      for (const Integers& p : tet) corners.emplace_back(p.cast<double>());
      scene.add(corners, {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}});
    }
    const auto found = overlaps(scene);
    const bool truth = insides_meet(tets[0], tets[1]);
    const bool said = !found.empty() && !found[0].only_in_one_plane();
    ASSERT_EQ(said, truth) << "trial " << trial;
    meet += truth ? 1 : 0;
    apart += truth ? 0 : 1;
    if (!said) continue;
    nested += found[0].inner >= 0 && found[0].triangles.empty() ? 1 : 0;
    beside_lines += std::all_of(found[0].triangles.begin(), found[0].triangles.end(),
                                [](const auto& t) { return t.meeting == TriangleMeeting::touching; })
                        ? 1
                        : 0;
  }
  EXPECT_GT(std::min({meet, beside_lines, nested, apart}), 10);
}

// A union of cubes of side 2, its surface cut along all planes through integers.
using Place = std::array<int, 3>;
struct Blocks {
  std::set<Place> cubes;  // the lowest corner of each, even numbers
  Place shift{};

  bool meets(const Blocks& other) const {
    for (const Place& p : cubes) {
      for (const Place& q : other.cubes) {
        bool common = true;
        for (std::size_t c = 0; c < 3; ++c) common &= std::abs(p[c] + shift[c] - q[c] - other.shift[c]) < 2;
        if (common) return true;
      }
    }
    return false;
  }

  void add_to(CollideScene& scene, const Mat3& map) const {
    std::map<Place, Index> index_of;
    std::vector<Vec3> vertices;
    std::vector<Triangle> triangles;
    const auto index = [&](const Place& p) {
      const auto [place, fresh] = index_of.try_emplace(p, static_cast<Index>(vertices.size()));
      if (fresh) vertices.push_back(map * Vec3(p[0] + shift[0], p[1] + shift[1], p[2] + shift[2]));
      return place->second;
    };
    for (const Place& cube : cubes) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        for (const int out : {-1, 1}) {
          Place next = cube;
          next[axis] += 2 * out;
          if (cubes.contains(next)) continue;
          const std::size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
          for (int k = 0; k < 4; ++k) {
            Place a = cube;
            a[axis] += out > 0 ? 2 : 0;
            a[u] += k % 2;
            a[v] += k / 2;
            Place b = a, c = a, d = a;
            ++b[u];
            ++c[u];
            ++c[v];
            ++d[v];
            if (out < 0) std::swap(b, d);
            triangles.push_back({index(a), index(b), index(c)});
            triangles.push_back({index(a), index(c), index(d)});
          }
        }
      }
    }
    scene.add(vertices, triangles);
  }
};

Blocks random_blocks(Random& random, int cubes, int reach) {
  Blocks blocks;
  for (int i = 0; i < cubes; ++i) {
    Place p{};
    for (int& c : p) c = 2 * static_cast<int>(random.next() % static_cast<unsigned>(reach));
    blocks.cubes.insert(p);
  }
  for (int& c : blocks.shift) c = static_cast<int>(random.next() % 2);
  return blocks;
}

// Not convex, with cubes that have an edge or a corner in common (edges of four faces), cavities, several parts; seen
// straight and through a map that makes nothing parallel to an axis. No two triangles can cross: all lie between
// neighbouring planes through integers.
TEST(Interiors, OfRandomBlocksAreThoseOfTheirCubes) {
  Random random(5);
  Mat3 skew;
  skew << 3, 1, -2, -1, 4, 1, 2, -1, 5;
  int meet = 0, beside_lines = 0, apart = 0;
  for (int trial = 0; trial < 120; ++trial) {
    const Blocks one = random_blocks(random, 8, 3), other = random_blocks(random, 1 + trial % 3, 3);
    CollideScene scene;
    const Mat3 map = trial % 2 == 0 ? Mat3(Mat3::Identity()) : skew;
    one.add_to(scene, map);
    other.add_to(scene, map);
    EXPECT_EQ(closed_objects(scene.surface()), (std::vector<std::uint8_t>{1, 1}));
    const auto found = overlaps(scene);
    const bool truth = one.meets(other);
    const bool said = !found.empty() && !found[0].only_in_one_plane();
    ASSERT_TRUE(found.empty() || (found.size() == 1 && found[0].object_a != found[0].object_b)) << "trial " << trial;
    ASSERT_EQ(said, truth) << "trial " << trial;
    meet += truth ? 1 : 0;
    apart += truth ? 0 : 1;
    beside_lines += said && std::all_of(found[0].triangles.begin(), found[0].triangles.end(),
                                        [](const auto& t) { return t.meeting == TriangleMeeting::touching; })
                        ? 1
                        : 0;
  }
  EXPECT_GT(std::min({meet, beside_lines, apart}), 10);
}

TEST(Interiors, WhatIsInACavityIsNotInsideAndWhatIsInItsWallIs) {
  Blocks hollow, inner;
  for (int i = 0; i < 27; ++i) {
    if (i != 13) hollow.cubes.insert({2 * (i % 3), 2 * (i / 3 % 3), 2 * (i / 9)});
  }
  CollideScene cavity;
  hollow.add_to(cavity, Mat3::Identity());
  add_mesh(cavity, box(1, 2), {3, 3, 3});
  EXPECT_TRUE(overlaps(cavity).empty());
  CollideScene wall;
  hollow.add_to(wall, Mat3::Identity());
  add_mesh(wall, box(1, 2), {1, 3, 3});
  ASSERT_EQ(overlaps(wall).size(), 1U);
  EXPECT_EQ(overlaps(wall)[0].inner, 1);
  CollideScene through;  // from the cavity into the wall, all along mesh lines
  hollow.add_to(through, Mat3::Identity());
  add_mesh(through, generate(BoxShape{.size = {2, 1, 1}, .cells = {2, 2, 2}}), {2, 3.5, 3.5});
  ASSERT_EQ(overlaps(through).size(), 1U);
  EXPECT_EQ(overlaps(through)[0].inner, -1);
}

// Boxes in boxes of one object, each facing out or in: where nothing is there twice, the flux through all of them is
// the volume of what is solid.
TEST(Interiors, PartsOfOneObjectAreDoubledWhereTheFluxIsNotTheVolumeOfTheSolid) {
  const std::array<double, 5> sides{1, 0.8, 0.55, 0.3, 0};
  const Mat3 turn = Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  int doubled = 0, sound = 0;
  for (unsigned facing = 0; facing < 16; ++facing) {
    Mesh all;
    double flux = 0, solid = 0;
    int depth = 0, lowest = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      const bool inward = (facing >> k & 1U) != 0;
      const Mesh one = box(sides[k], 1 + static_cast<Index>(k));
      const auto first = static_cast<Index>(all.vertices.size());
      for (const Vec3& p : one.vertices) all.vertices.push_back(turn * p);
      for (Triangle t : one.triangles) {
        if (inward) std::swap(t[1], t[2]);
        all.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
      }
      depth += inward ? -1 : 1;
      lowest = std::min(lowest, depth);
      flux += (inward ? -1 : 1) * std::pow(sides[k], 3);
      solid += depth > 0 ? std::pow(sides[k], 3) - std::pow(sides[k + 1], 3) : 0;
    }
    if (lowest < 0) continue;  // inside out, which checks of meshes find
    CollideScene scene;
    add_mesh(scene, all, {0.2, 0.1, -3});
    const auto surface = scene.surface();
    const auto found = doubled_parts(surface, closed_objects(surface), stacked(scene.x));
    EXPECT_EQ(found.empty(), std::abs(flux - solid) < 1e-12) << facing;
    (found.empty() ? sound : doubled) += 1;
  }
  EXPECT_EQ(sound, 1);
  EXPECT_EQ(doubled, 5);
}

// A block in a hollow one: in its cavity, also flush with the wall, or in the wall.
TEST(Interiors, ABlockInTheCavityOfItsOwnObjectIsNotDoubledAndOneInTheWallIs) {
  Blocks hollow;
  for (int i = 0; i < 27; ++i) {
    if (i != 13) hollow.cubes.insert({2 * (i % 3), 2 * (i / 3 % 3), 2 * (i / 9)});
  }
  const auto is_doubled = [&](double at) {
    CollideScene scene;
    hollow.add_to(scene, Mat3::Identity());
    const auto first = static_cast<Index>(scene.x.size());
    const Mesh block = box(1, 2);
    for (const Vec3& p : block.vertices) scene.x.push_back(p + Vec3(at, 3, 3));
    for (const Triangle& t : block.triangles) scene.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
    scene.object.resize(scene.x.size(), 0);
    scene.moves.resize(scene.x.size(), 1);
    const auto surface = scene.surface();
    return !doubled_parts(surface, closed_objects(surface), stacked(scene.x)).empty();
  };
  EXPECT_FALSE(is_doubled(3));
  EXPECT_FALSE(is_doubled(2.5));  // flush
  EXPECT_TRUE(is_doubled(1));
}

// The two arms of a U, of one object, pushed into each other along a mesh line.
TEST(Interiors, AnObjectInItselfAlongAMeshLineIsFound) {
  const auto arms = [](double pushed) {
    CollideScene scene;
    Mesh u = box(1, 2);
    const Mesh arm = box(0.5, 2);
    const auto first = static_cast<Index>(u.vertices.size());
    for (const Vec3& p : arm.vertices) u.vertices.push_back(p + Vec3(0, 0, 0.75 - pushed));
    for (const Triangle& t : arm.triangles) u.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
    add_mesh(scene, u, {0, 0, 0});
    return overlaps(scene);
  };
  EXPECT_TRUE(arms(-0.125).empty());
  const auto found = arms(0.125);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].object_a, found[0].object_b);
}

TEST(Interiors, DoNotDependOnTheNumberOfThreads) {
  CollideScene scene;
  add_mesh(scene, box(1, 4), {0, 0, 0});
  add_mesh(scene, box(0.5, 2), {0, 0, 0.6});
  std::vector<std::vector<std::pair<Index, Index>>> found;
  for (const int threads : {1, 2, 3}) {
    set_thread_count(threads);
    found.emplace_back();
    const auto objects = overlaps(scene);
    for (const auto& t : objects[0].triangles) found.back().emplace_back(t.a, t.b);
  }
  set_thread_count(1);
  EXPECT_TRUE(std::is_sorted(found[0].begin(), found[0].end()));
  EXPECT_TRUE(found[0] == found[1] && found[0] == found[2]);
}

}  // namespace interiors_test
}  // namespace sim
