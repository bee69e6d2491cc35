#include "collide/normal_cone.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "collide/contact_geometry.hpp"
#include "collide/contact_set.hpp"
#include "collide/scenes.hpp"
#include "collide/tracking.hpp"
#include "mesh/generate.hpp"

namespace sim {
namespace normal_cone_test {

using namespace sim::test;

constexpr double um = 1e-6;

// A box of 2 x 1 x 1 m around the origin, moved and turned.
void add_box(CollideScene& scene, const Vec3& centre, const Mat3& turn = Mat3::Identity()) {
  const Mesh box = generate(BoxShape{.size = {2, 1, 1}, .cells = {1, 1, 1}});
  std::vector<Vec3> vertices;
  for (const Vec3& x : box.vertices) vertices.emplace_back(centre + turn * x);
  scene.add(vertices, box.triangles);
}

Index vertex_at(const CollideScene& scene, const Vec3& place) {
  Index best = 0;
  for (Index i = 0; i < static_cast<Index>(scene.x.size()); ++i) {
    if ((scene.x[i] - place).norm() < (scene.x[best] - place).norm()) best = i;
  }
  EXPECT_LT((scene.x[best] - place).norm(), 1e-9) << "there is no vertex at " << place.transpose();
  return best;
}

// A box on a box, `beside` to the side and half as long along: their long edges at y = 0.5 run side by side. The
// contact between these edges, as it is found when the upper one sinks.
struct Flush {
  CollideScene scene;
  CollisionSurface surface;
  Contact contact;

  explicit Flush(const Vec3& beside, double sinks = 4 * um) {
    const Vec3 upper(1, 0, 1 + 2 * um);
    add_box(scene, Vec3::Zero());
    add_box(scene, upper + beside);
    surface = scene.surface();
    const Index low = edge_between(surface, vertex_at(scene, {-1, 0.5, 0.5}), vertex_at(scene, {1, 0.5, 0.5}));
    const Vec3 corner = upper + beside + Vec3(0, 0.5, -0.5);
    const Index high =
        edge_between(surface, vertex_at(scene, corner - Vec3::UnitX()), vertex_at(scene, corner + Vec3::UnitX()));
    std::vector<Vec3> x1 = scene.x;
    for (std::size_t i = scene.x.size() / 2; i < x1.size(); ++i) x1[i].z() -= sinks;
    contact = make_contact(surface, {ContactKind::edge_edge, {low, high}, 0.5}, stacked(scene.x), stacked(x1));
  }
};

// The lower box is the first of the pair: the normal points down to it.
TEST(NormalCone, BoxesThatLieFlushPushEachOtherUpWhereverTheirEdgesAreNearest) {
  for (const double y : {-20 * um, -3 * um, -um, 0.0, um, 3 * um, 20 * um}) {
    const Flush flush({0, y, 0});
    EXPECT_LT((flush.contact.n + Vec3::UnitZ()).norm(), 1e-8) << "beside by " << y;
    EXPECT_NEAR(flush.contact.gap, 2 * um, 1e-12);
  }
}

TEST(NormalCone, TrackingTurnsAWedgeBetweenThemBack) {
  Flush flush({0, 3 * um, 0});
  turn_frame(flush.contact, Vec3(0, -0.8, -0.6));
  const VecX x = stacked(flush.scene.x);
  for (int k = 0; k < 6; ++k) relinearise(flush.surface, flush.contact, x, {});
  EXPECT_LT((flush.contact.n + Vec3::UnitZ()).norm(), 1e-9);
}

// All of the scene turned about an axis, a degree at a time, and the contact made anew each time: its normal, down at
// first, turns with the bodies.
void expect_to_turn_with_the_bodies(const CollideScene& scene, const CollisionSurface& surface, Contact contact,
                                    const Vec3& axis) {
  for (int degrees = 1; degrees <= 40; ++degrees) {
    const Mat3 turn = Eigen::AngleAxisd(degrees * std::numbers::pi / 180, axis).toRotationMatrix();
    std::vector<Vec3> turned;
    for (const Vec3& x : scene.x) turned.emplace_back(turn * x);
    relinearise(surface, contact, stacked(turned), {});
    EXPECT_LT((contact.n + turn.col(2)).norm(), 0.002) << "after " << degrees << " degrees";
  }
}

TEST(NormalCone, NormalsOfParallelEdgesTurnWithTheBodies) {
  for (const double y : {-3 * um, 0.0, 3 * um}) {
    const Flush flush({0, y, 0});
    for (const Vec3& axis : {Vec3(1, 0, 0), Vec3(-1, 0, 0), Vec3(0, 1, 0), Vec3(0, -1, 0)})
      expect_to_turn_with_the_bodies(flush.scene, flush.surface, flush.contact, axis);
  }
}

// Two ridges of right angles, the upper one turned by two degrees about z: where they cross all normals across both
// are in their cones, and so nearly parallel that their product says little of which. Made anew again and again, one
// that leans by 20 degrees stays.
TEST(NormalCone, ANormalAcrossNearlyParallelRidgesStaysHoweverOftenItIsMadeAnew) {
  constexpr double degree = std::numbers::pi / 180;
  const Mat3 on_edge = Eigen::AngleAxisd(45 * degree, Vec3::UnitX()).toRotationMatrix();
  const Mat3 across = Eigen::AngleAxisd(2 * degree, Vec3::UnitZ()).toRotationMatrix();
  const double half = std::sqrt(0.5);
  CollideScene scene;
  add_box(scene, Vec3::Zero(), on_edge);
  const Vec3 upper(0.3, 0, 2 * half + 2 * um);
  add_box(scene, upper, across * on_edge);
  const CollisionSurface surface = scene.surface();
  const Index low = edge_between(surface, vertex_at(scene, {-1, 0, half}), vertex_at(scene, {1, 0, half}));
  const Index high = edge_between(surface, vertex_at(scene, upper + across * Vec3(-1, 0, -half)),
                                  vertex_at(scene, upper + across * Vec3(1, 0, -half)));
  std::vector<Vec3> x1 = scene.x;
  for (std::size_t i = x1.size() / 2; i < x1.size(); ++i) x1[i].z() -= 4 * um;
  Contact contact = make_contact(surface, {ContactKind::edge_edge, {low, high}, 0.5}, stacked(scene.x), stacked(x1));
  ASSERT_TRUE(nearest_points(contact.kind, gather(contact.vertices, stacked(scene.x))).inside);
  const Vec3 along = (Vec3::UnitX() + across.col(0)).normalized();
  turn_frame(contact, Eigen::AngleAxisd(20 * degree, along) * contact.n);
  const Vec3 n = contact.n;
  for (int k = 0; k < 30; ++k) relinearise(surface, contact, stacked(scene.x), {});
  EXPECT_LT(angle_between(contact.n, n), 1e-3);
}

// An L, 1 m high, its inner corner in the origin: it fills what is at x < 0 or y > 0. Vertex 0 is that corner, 0 - 1
// and 0 - 5 are its lower rims, along -y and x.
void add_l(CollideScene& scene) {
  std::vector<Vec3> corners;
  for (const double z : {0.0, 1.0}) {
    for (const auto& [x, y] : {std::pair{0, 0}, {0, -1}, {-1, -1}, {-1, 1}, {1, 1}, {1, 0}})
      corners.emplace_back(x, y, z);
  }
  std::vector<Triangle> faces{{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}};
  for (Index k = 0; k < 4; ++k) faces.push_back({6, faces[k][2] + 6, faces[k][1] + 6});
  for (Index k = 0; k < 6; ++k) {
    const Index next = (k + 1) % 6;
    faces.push_back({k, k + 6, next});
    faces.push_back({next, k + 6, next + 6});
  }
  scene.add(corners, faces);
}

// The block's top is under the L, but for its end, where it rises by 3 degrees beside the wall x = 0 of the notch.
// The rim of that wall and the edge of the block cross at the inner corner. Along both nothing pushes, and so what
// keeps them apart is nearly the normal of the wall: that the other rim of the corner points along it does not
// matter, as it is over the top, and has a contact there.
TEST(NormalCone, AtAnInnerCornerARimIsPushedAsIfItsPartOfTheBodyWereAllOfIt) {
  CollideScene scene;
  add_l(scene);
  const Mat3 turn =
      (Eigen::AngleAxisd(-0.05, Vec3::UnitX()) * Eigen::AngleAxisd(0.009, Vec3::UnitZ())).toRotationMatrix();
  const Vec3 edge = turn * Vec3::UnitY();
  const Vec3 across = edge.cross(Vec3::UnitY()).normalized();  // from the rim to the edge
  const Vec3 middle = um * across + Vec3(0, 10 * um, 0);       // past the corner
  add_box(scene, middle + turn * Vec3(1, 0, -0.5), turn);
  const CollisionSurface surface = scene.surface();
  const Index rim = edge_between(surface, 0, 1);
  const Index of_block =
      edge_between(surface, vertex_at(scene, middle - 0.5 * edge), vertex_at(scene, middle + 0.5 * edge));
  const VecX x = stacked(scene.x);
  Contact contact = make_contact(surface, {ContactKind::edge_edge, {rim, of_block}, 0}, x, x);
  const NearestPoints near = nearest_points(contact.kind, gather(contact.vertices, x));
  ASSERT_NEAR(std::abs(near.weights[0]), 1, 1e-12);  // at the end of the rim
  ASSERT_GT(across.x(), 0.9);
  turn_frame(contact, -across);
  for (int round = 0; round < 5; ++round) relinearise(surface, contact, x, {});
  EXPECT_LT(angle_between(contact.n, -across), 3) << contact.n.transpose();
}

// The block's top is flush under the L, and its edge crosses the corner, some micrometres off it, at any angle.
TEST(NormalCone, AtAnInnerCornerWhatLiesFlushIsPushedOutOfBothFaces) {
  for (const double degrees : {100.0, 120.0, 135.0, 150.0, 170.0}) {
    const Mat3 turn = Eigen::AngleAxisd(degrees * std::numbers::pi / 180, Vec3::UnitZ()).toRotationMatrix();
    for (const double beside : {-4 * um, -um, um, 4 * um}) {
      for (const Index end : {1, 5}) {
        CollideScene scene;
        add_l(scene);
        const Vec3 middle = turn * Vec3(0, beside, 0) - Vec3(0, 0, um);
        add_box(scene, middle + turn * Vec3(0, -0.5, -0.5), turn);
        const CollisionSurface surface = scene.surface();
        const Index of_block = edge_between(surface, vertex_at(scene, middle + turn * Vec3(-1, 0, 0)),
                                            vertex_at(scene, middle + turn * Vec3(1, 0, 0)));
        const Index rim = edge_between(surface, 0, end);
        const VecX x = stacked(scene.x);
        Contact contact = make_contact(surface, {ContactKind::edge_edge, {rim, of_block}, 0}, x, x);
        for (int round = 0; round < 7; ++round) relinearise(surface, contact, x, {});
        EXPECT_LT((contact.n - Vec3::UnitZ()).norm(), 0.002)
            << degrees << " " << beside << " " << end << ": " << contact.n.transpose();
      }
    }
  }
}

// A block whose lower edge along y crosses an edge along x of a plate of 4 x 4 cells, next to one end of it.
TEST(NormalCone, NormalsOfEdgesMetNearTheirEndsTurnWithTheBodies) {
  for (const double beside : {0.0001, 0.02, 0.04, 0.96, 0.98, 0.9999}) {
    CollideScene scene;
    const Mesh plate = generate(BoxShape{.size = {4, 4, 1}, .cells = {4, 4, 1}});
    scene.add(plate.vertices, plate.triangles);
    add_box(scene, {1 + beside, 0.2, 1 + 2 * um});
    const CollisionSurface surface = scene.surface();
    const Index low = edge_between(surface, vertex_at(scene, {0, 0, 0.5}), vertex_at(scene, {1, 0, 0.5}));
    const Vec3 corner(beside, -0.3, 0.5 + 2 * um);
    const Index high = edge_between(surface, vertex_at(scene, corner), vertex_at(scene, corner + Vec3::UnitY()));
    std::vector<Vec3> x1 = scene.x;
    for (std::size_t i = plate.vertices.size(); i < x1.size(); ++i) x1[i].z() -= 4 * um;
    const Contact contact =
        make_contact(surface, {ContactKind::edge_edge, {low, high}, 0.5}, stacked(scene.x), stacked(x1));
    ASSERT_LT((contact.n + Vec3::UnitZ()).norm(), 1e-8) << beside;
    for (const Vec3& axis : {Vec3(1, 0, 0), Vec3(-1, 0, 0), Vec3(0, 1, 0), Vec3(0, -1, 0)})
      expect_to_turn_with_the_bodies(scene, surface, contact, axis);
  }
}

TEST(NormalCone, TwoEdgesThatCrossKeepTheirNormal) {
  // The upper box stands on one of its long edges, turned by a quarter about z: it crosses the long edge at y = 0.5
  // of the lower one, which is turned by half of one about x.
  const double half = std::sqrt(0.5), eighth = std::numbers::pi / 4;
  const Mat3 on_edge = Eigen::AngleAxisd(eighth, Vec3::UnitX()).toRotationMatrix();
  const Mat3 across = Eigen::AngleAxisd(2 * eighth, Vec3::UnitZ()).toRotationMatrix() * on_edge;
  CollideScene scene;
  add_box(scene, Vec3::Zero(), on_edge);
  add_box(scene, {0.2, 0.3, 2 * half + um}, across);
  const CollisionSurface surface = scene.surface();
  const Index low = edge_between(surface, vertex_at(scene, {-1, 0, half}), vertex_at(scene, {1, 0, half}));
  const Vec3 foot(0.2, 0.3, half + um);
  const Index high =
      edge_between(surface, vertex_at(scene, foot - Vec3::UnitY()), vertex_at(scene, foot + Vec3::UnitY()));
  Contact contact;
  contact.vertices = stencil(surface, ContactKind::edge_edge, {low, high});
  const VecX x = stacked(scene.x);
  const NearestPoints near = nearest_points(ContactKind::edge_edge, gather(contact.vertices, x));
  const Vec3 n = -Vec3::UnitZ();
  EXPECT_EQ(within_cones(surface, ContactKind::edge_edge, contact.vertices, near.weights, x, n), n);
  // The faces fall off by 45 degrees, but along an edge that is met inside nothing pushes.
  const Vec3 tilted = Vec3(0.3, 0.4, -1).normalized();
  EXPECT_LT((within_cones(surface, ContactKind::edge_edge, contact.vertices, near.weights, x, tilted) - n).norm(),
            1e-9);
}

// The diagonals of two faces that lie on each other, 5 degrees apart: the directions between them are in their plane,
// and those along them, too.
TEST(NormalCone, DiagonalsOfFacesThatSlidePastEachOtherPushOutOfTheFaces) {
  for (const double degrees : {0.0, 1.0, 5.0, 20.0}) {
    CollideScene scene;
    add_box(scene, Vec3::Zero());
    const Mat3 turn = Eigen::AngleAxisd(degrees * std::numbers::pi / 180, Vec3::UnitZ()).toRotationMatrix();
    add_box(scene, {0, 0, 1 + um}, turn);
    const CollisionSurface surface = scene.surface();
    const auto diagonal = [&](Index object, double z) {
      for (Index e = 0; e < static_cast<Index>(surface.edges.size()); ++e) {
        const auto [a, b] = surface.edges[e];
        const bool is_on_face = std::abs(scene.x[a].z() - z) < 1e-9 && std::abs(scene.x[b].z() - z) < 1e-9;
        if (surface.vertex_object[a] == object && is_on_face && (scene.x[a] - scene.x[b]).norm() > 2.1)
          return surface.edges[e];
      }
      return Edge{-1, -1};
    };
    const Edge low = diagonal(0, 0.5), high = diagonal(1, 0.5 + um);
    ASSERT_GE(low[0], 0);
    ASSERT_GE(high[0], 0);
    const Vec3 along = (scene.x[low[1]] - scene.x[low[0]]).normalized(), across = along.cross(Vec3::UnitZ());
    for (const Vec3& n : {Vec3(across - 0.005 * Vec3::UnitZ()), Vec3(-across - 0.005 * Vec3::UnitZ()),
                          Vec3(along + 0.5 * across - 0.005 * Vec3::UnitZ())}) {
      const Vec3 found = within_cones(surface, ContactKind::edge_edge, {low[0], low[1], high[0], high[1]},
                                      {0.6, 0.4, -0.3, -0.7}, stacked(scene.x), n.normalized());
      EXPECT_LT((found + Vec3::UnitZ()).norm(), 1e-6) << degrees << " degrees, n " << n.transpose();
    }
  }
}

TEST(NormalCone, ACornerBesideABoxCannotBePushedSidewaysByWhatLiesUnderIt) {
  // The upper box's corner lies beyond the lower one's side by more than it lies above: the nearest point is seen
  // aslant.
  Flush flush({0, 4 * um, 0});
  const Index corner = vertex_at(flush.scene, Vec3(0, 0.5 + 4 * um, 0.5 + 2 * um));
  Index top = -1;
  const Index a = vertex_at(flush.scene, {-1, 0.5, 0.5}), b = vertex_at(flush.scene, {1, 0.5, 0.5});
  for (Index t = 0; t < static_cast<Index>(flush.surface.triangles.size()); ++t) {
    const Triangle& face = flush.surface.triangles[t];
    const bool is_top =
        flush.scene.x[face[0]].z() == 0.5 && flush.scene.x[face[1]].z() == 0.5 && flush.scene.x[face[2]].z() == 0.5;
    if (is_top && shares_vertex(face, a) && shares_vertex(face, b)) top = t;
  }
  ASSERT_NE(top, -1);
  const VecX x = stacked(flush.scene.x);
  const std::array<Index, 4> vertices = stencil(flush.surface, ContactKind::vertex_face, {corner, top});
  const NearestPoints near = nearest_points(ContactKind::vertex_face, gather(vertices, x));
  ASSERT_GT(near.r.y(), 1.9 * near.r.z());
  const Vec3 n =
      within_cones(flush.surface, ContactKind::vertex_face, vertices, near.weights, x, near.r.normalized());
  EXPECT_LT((n - Vec3::UnitZ()).norm(), 1e-9);
}

TEST(NormalCone, InADentTheNormalStaysWhatItIs) {
  // A groove along x with sides of 45 degrees, and the edge of a small roof over it.
  CollideScene scene;
  scene.add({{-1, 0, 0}, {1, 0, 0}, {0, 1, 1}, {0, -1, 1}}, {{0, 1, 2}, {1, 0, 3}});
  scene.add({{-0.5, 0, um}, {0.5, 0, um}, {0, 0.1, 1}, {0, -0.1, 1}}, {{1, 0, 2}, {0, 1, 3}});
  const CollisionSurface surface = scene.surface();
  const Index low = edge_between(surface, 0, 1), high = edge_between(surface, 4, 5);
  const std::array<Index, 4> vertices = stencil(surface, ContactKind::edge_edge, {low, high});
  const Vec3 n = -Vec3::UnitZ();
  EXPECT_EQ(within_cones(surface, ContactKind::edge_edge, vertices, {0.5, 0.5, -0.5, -0.5}, stacked(scene.x), n), n);
}

// A roof with its ridge along y, and on it a body of which only the underside is here: bent round the ridge, one of
// its vertices lies a little beside it. The edge from there meets the ridge near that vertex, 3 um off and mostly
// sideways. The underside has a dent there and no direction to push in; the roof pushes up.
TEST(NormalCone, AnUndersideBentRoundARidgeIsPushedOffTheRidge) {
  CollideScene scene;
  const double slope = 0.3;
  scene.add({{0, -1, 0}, {0, 1, 0}, {-1, 0, -slope}, {1, 0, -slope}}, {{0, 1, 2}, {1, 0, 3}, {0, 2, 3}, {2, 1, 3}});
  const Vec3 beside = Vec3(3 * um, 0, -slope * 3 * um) + Vec3(0, 0, 0.2 * um);
  scene.add({beside, beside + Vec3(-1, 0, -slope), beside + Vec3(1, 0.5, -slope), beside + Vec3(1, -0.5, -slope),
             beside + Vec3(0, 0, 5)},
            {{0, 2, 3}, {0, 3, 1}, {0, 1, 2}, {3, 2, 4}, {1, 3, 4}, {2, 1, 4}});
  const CollisionSurface surface = scene.surface();
  const VecX x = stacked(scene.x);
  for (const Vec3& seen : {Vec3(-1, 0, 0.1), Vec3(-1, 0, -0.05), Vec3(0.7, 0, -0.7)}) {
    const Vec3 n =
        within_cones(surface, ContactKind::edge_edge, {0, 1, 4, 5}, {0.5, 0.5, -1, 0}, x, seen.normalized());
    // From the body to the roof, the normals of whose faces are 17 degrees from the vertical.
    EXPECT_LT(n.z(), -0.9) << "seen along " << seen.transpose() << ": " << n.transpose();
  }
}

// Two boxes whose long edges cross at right angles, that of the upper one lying on that of the lower one.
struct Crossing {
  CollideScene scene;
  CollisionSurface surface;
  std::array<Index, 4> vertices{};

  Crossing() {
    const Mat3 on_edge = Eigen::AngleAxisd(std::numbers::pi / 4, Vec3::UnitX()).toRotationMatrix();
    const Mat3 across = Eigen::AngleAxisd(std::numbers::pi / 2, Vec3::UnitZ()).toRotationMatrix();
    const double reach = std::sqrt(0.5);
    add_box(scene, Vec3::Zero(), on_edge);
    add_box(scene, Vec3(0, 0, 2 * reach + um), across * on_edge);
    surface = scene.surface();
    vertices = {vertex_at(scene, {-1, 0, reach}), vertex_at(scene, {1, 0, reach}),
                vertex_at(scene, {0, -1, reach + um}), vertex_at(scene, {0, 1, reach + um})};
  }
  std::vector<Vec3> with_upper_at(double z) const {
    std::vector<Vec3> x = scene.x;
    for (std::size_t i = x.size() / 2; i < x.size(); ++i) x[i].z() += z;
    return x;
  }
};

TEST(MetFromInside, IsTheContactWithTheNormalTheWrongWayRound) {
  const Crossing boxes;
  const VecX x = stacked(boxes.scene.x);
  const std::array<double, 4> weights{0.5, 0.5, -0.5, -0.5};
  const auto met_from_inside = [&](const Vec3& n) {
    return is_met_from_inside(boxes.surface, ContactKind::edge_edge, boxes.vertices, weights, x, n);
  };
  // The normal points from the second to the first: down.
  EXPECT_FALSE(met_from_inside(-Vec3::UnitZ()));
  EXPECT_TRUE(met_from_inside(Vec3::UnitZ()));
  EXPECT_FALSE(met_from_inside(Vec3::UnitX()));
}

TEST(MetFromInside, IsNothingOfASurfaceWithABorder) {
  CollideScene scene;
  scene.add({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}});
  add_box(scene, Vec3(0.2, 0.2, 0.5 + um));
  const CollisionSurface surface = scene.surface();
  const Index corner = vertex_at(scene, {-0.8, -0.3, um});
  const std::array<Index, 4> vertices{0, 1, corner, corner == 3 ? 4 : 3};
  for (const double side : {-1.0, 1.0})
    EXPECT_FALSE(is_met_from_inside(surface, ContactKind::edge_edge, vertices, {0.5, 0.5, -1, 0}, stacked(scene.x),
                                    side * Vec3::UnitZ()));
}

// An edge inside a face is met along its normal only, a sharp one between its faces.
TEST(MetFromBehind, IsTheContactWithANormalInTheFaceOfItsEdge) {
  const Flush flush({0.3, 0.2, 0});
  const std::array<Index, 4> vertices = flush.contact.vertices;
  const VecX x = stacked(flush.scene.x);
  const std::array<double, 4> weights{0.5, 0.5, -0.5, -0.5};
  const auto met_beside = [&](const Vec3& n) {
    return is_met_from_behind(flush.surface, ContactKind::edge_edge, vertices, weights, x, n);
  };
  EXPECT_FALSE(met_beside(-Vec3::UnitZ()));
  EXPECT_TRUE(met_beside(Vec3::UnitY()));  // out of the lower box by its side, but into the upper one's
  EXPECT_TRUE(met_beside(-Vec3::UnitY()));
  EXPECT_TRUE(met_beside(Vec3::UnitZ()));
}

// Over the rim of the lower box, as it is pushed along it.
TEST(MetBehind, AVertexThatLiesOnABodyIsNotHeldByItsSideFromInside) {
  CollideScene scene;
  add_box(scene, Vec3::Zero());
  add_box(scene, {-0.01, 0.1, 1 + um});
  const CollisionSurface surface = scene.surface();
  const VecX x0 = stacked(scene.x);
  std::vector<Vec3> dips = scene.x;
  for (std::size_t i = scene.x.size() / 2; i < dips.size(); ++i) dips[i] += Vec3(0.05, 0, -0.01);
  const VecX x1 = stacked(dips);
  const Index vertex = vertex_at(scene, {0.99, -0.4, 0.5 + um});
  Index top = -1, side = -1;
  for (Index t = 0; t < static_cast<Index>(surface.triangles.size()); ++t) {
    if (surface.object_of_triangle(t) != 0) continue;
    const auto [a, b, c] = surface.triangles[t];
    const Vec3 n = (scene.x[b] - scene.x[a]).cross(scene.x[c] - scene.x[a]).normalized();
    if (n.z() > 0.9) top = t;
    if (n.x() > 0.9) side = t;
  }
  const auto added = [&](const std::vector<Hit>& hits) {
    ContactSet set;
    return add_contacts(surface, hits, x0, x1, set);
  };
  const Hit on{ContactKind::vertex_face, {vertex, top}, 0.0001},
      behind{ContactKind::vertex_face, {vertex, side}, 0.2};
  EXPECT_EQ(added({on}), 1);
  EXPECT_EQ(added({behind}), 1);  // as in a container
  EXPECT_EQ(added({on, behind}), 1);
}

// Next to a corner of a face, on its diagonal, which is no edge of the body.
TEST(MetFromBehind, IsAVertexThatMeetsADiagonalAlongItself) {
  CollideScene scene;
  add_box(scene, Vec3::Zero());
  add_box(scene, Vec3(0, 0, -1 - um));
  const CollisionSurface surface = scene.surface();
  const VecX x = stacked(scene.x);
  const Index vertex = vertex_at(scene, {1, -0.5, -0.5 - um}), end = vertex_at(scene, {1, -0.5, -0.5});
  int diagonals = 0;
  for (const Index triangle : surface.vertex_triangles.of(end)) {
    const Triangle& corners = surface.triangles[triangle];
    std::array<Index, 4> vertices{vertex, corners[0], corners[1], corners[2]};
    for (int k = 1; k < 4; ++k) {
      if (vertices[k] == end) continue;
      const Vec3 edge = scene.x[vertices[k]] - scene.x[end];
      if ((edge.array().abs() > 0.1).count() < 2) continue;  // of the body
      ++diagonals;
      for (const double beside : {2e-6, 1e-8}) {
        std::array<double, 4> weights{1, 0, 0, 0};
        for (int j = 1; j < 4; ++j) weights[j] = vertices[j] == end ? beside - 1 : j == k ? -beside : 0;
        const Vec3 n = edge.normalized();
        EXPECT_TRUE(is_met_from_behind(surface, ContactKind::vertex_face, vertices, weights, x, n));
        EXPECT_TRUE(is_met_from_behind(surface, ContactKind::vertex_face, vertices, weights, x, -n));
        if (std::abs(edge.z()) > 0.1) continue;  // in a side
        EXPECT_FALSE(is_met_from_behind(surface, ContactKind::vertex_face, vertices, weights, x, -Vec3::UnitZ()));
      }
    }
  }
  EXPECT_GT(diagonals, 0);
}

// The inner edge of an L ends at its side: it is met there from outside only, whatever the dent lets through.
TEST(MetFromBehind, IsTheEndOfAnInnerEdgeThatIsPushedOut) {
  CollideScene scene;
  add_l(scene);
  add_box(scene, {0, 0, -0.5 - um});
  const CollisionSurface surface = scene.surface();
  const VecX x = stacked(scene.x);
  int ends = 0;
  for (Index e = 0; e < static_cast<Index>(surface.edges.size()); ++e) {
    const auto [a, b] = surface.edges[e];
    if (surface.vertex_object[a] != 0) continue;
    const Vec3 along = (scene.x[b] - scene.x[a]).normalized(), middle = 0.5 * (scene.x[a] + scene.x[b]);
    if (middle.head<2>().norm() > 1e-9 || std::abs(along.z()) < 0.9) continue;  // the inner edge is upright
    ++ends;
    const Index other = vertex_at(scene, {-1, 0.5, -um}), next = vertex_at(scene, {1, 0.5, -um});
    for (const bool at_first : {true, false}) {
      const std::array<double, 4> weights{at_first ? 1.0 : 0.0, at_first ? 0.0 : 1.0, -0.5, -0.5};
      const Vec3 out = at_first ? Vec3(-along) : along;  // of the L by the side on which the edge ends
      // n pushes the first, the L.
      EXPECT_TRUE(is_met_from_behind(surface, ContactKind::edge_edge, {a, b, other, next}, weights, x, out)) << e;
    }
  }
  EXPECT_EQ(ends, 1);
}

// On its way the upper one has gone into the lower one, and its upper edge comes to the edge that it met first.
TEST(MetFromBehind, IsNotAddedWhereAnotherContactKeepsTheBodiesApart) {
  const Crossing boxes;
  const double reach = std::sqrt(0.5), down = 2.8;
  const VecX x0 = stacked(boxes.with_upper_at(0.4)), x1 = stacked(boxes.with_upper_at(0.4 - down));
  const Index low = edge_between(boxes.surface, boxes.vertices[0], boxes.vertices[1]);
  const Index high = edge_between(boxes.surface, boxes.vertices[2], boxes.vertices[3]);
  const Index top = edge_between(boxes.surface, vertex_at(boxes.scene, {0, -1, 3 * reach + um}),
                                 vertex_at(boxes.scene, {0, 1, 3 * reach + um}));
  const Hit met{ContactKind::edge_edge, {low, high}, 0.4 / down};
  const Hit behind{ContactKind::edge_edge, {low, top}, (0.4 + 2 * reach) / down};
  const auto added = [&](const std::vector<Hit>& known, const std::vector<Hit>& all) {
    ContactSet set;
    for (const Hit& hit : known) {
      set.contacts.emplace_back();
      set.contacts.back().id = contact_id(hit.kind, hit.pair);
    }
    return add_contacts(boxes.surface, all, x0, x1, set);
  };
  EXPECT_EQ(added({}, {met, behind}), 1);
  EXPECT_EQ(added({met}, {met, behind}), 0);
  // Alone it is, as of a body inside of the other; that it does not collide a contact keeps them from nothing.
  EXPECT_EQ(added({}, {behind}), 1);
  EXPECT_EQ(added({met}, {behind}), 1);
  EXPECT_EQ(added({behind}, {behind, met}), 1);
}

// Flush with the side of the other one, whose outside is its own: as of a body inside of the other.
TEST(MetFromBehind, IsAVertexInsideASideThatLooksTheSameWay) {
  CollideScene scene;
  add_box(scene, Vec3::Zero());
  add_box(scene, Vec3(0, 0.3, 0.2));  // on its trial way far in the lower one
  const CollisionSurface surface = scene.surface();
  const VecX x = stacked(scene.x);
  const auto met = [&](const std::array<Index, 4>& vertices, const std::array<double, 4>& weights, const Vec3& n) {
    return is_met_from_behind(surface, ContactKind::edge_edge, vertices, weights, x, n);
  };
  const Index a = vertex_at(scene, {1, -0.5, 0.5}), b = vertex_at(scene, {1, 0.5, 0.5});
  const Index c = vertex_at(scene, {1, -0.2, -0.3}), d = vertex_at(scene, {1, -0.2, 0.7});
  // n points from the second to the first. Both rims are met inside, at right angles in the plane x = 1.
  EXPECT_TRUE(met({a, b, c, d}, {0.7, 0.3, -0.2, -0.8}, Vec3::UnitX()));
  EXPECT_TRUE(met({a, b, c, d}, {0.7, 0.3, -0.2, -0.8}, -Vec3::UnitX()));
  EXPECT_TRUE(met({a, b, c, d}, {0.7, 0.3, -0.2, -0.8}, Vec3::UnitY()));
}

// The diagonal of a face, next to its corner: along it nothing pushes, in it neither.
TEST(MetFromBehind, IsAnEdgeThatIsMetAlongItself) {
  const Flush flush({0.3, 0.2, 0});
  const std::array<Index, 4> vertices = flush.contact.vertices;
  const VecX x = stacked(flush.scene.x);
  const Vec3 along = (flush.scene.x[vertices[1]] - flush.scene.x[vertices[0]]).normalized();
  for (const double end : {0.5, 0.9, 1 - 1e-8}) {
    const std::array<double, 4> weights{1 - end, end, -0.5, -0.5};
    EXPECT_TRUE(is_met_from_behind(flush.surface, ContactKind::edge_edge, vertices, weights, x, along)) << end;
    EXPECT_FALSE(is_met_from_behind(flush.surface, ContactKind::edge_edge, vertices, weights, x, -Vec3::UnitZ()))
        << end;
  }
}

// One that keeps the bodies apart, and collides on its way all the same, is not turned round for it.
TEST(MetFromInside, IsNoPlaceForAContactToMoveTo) {
  const Crossing boxes;
  const VecX x0 = stacked(boxes.with_upper_at(-0.4)), x1 = stacked(boxes.with_upper_at(0.4));
  const Index low = edge_between(boxes.surface, boxes.vertices[0], boxes.vertices[1]);
  const Index high = edge_between(boxes.surface, boxes.vertices[2], boxes.vertices[3]);
  const std::vector<Hit> through{{ContactKind::edge_edge, {low, high}, 0.5}};
  ContactSet set;
  add_contacts(boxes.surface, through, x0, x1, set);
  Contact& contact = set.contacts.front();
  turn_frame(contact, -contact.n);
  ASSERT_FALSE(is_met_from_inside(boxes.surface, contact.kind, contact.vertices, contact.weights, x0, contact.n));
  contact.gap = contact.target_gap = um;
  const Vec3 n = contact.n;
  for (int time = 1; time <= 4; ++time) {
    EXPECT_EQ(keep_off(
                  boxes.surface, through, [](const Contact&) { return um; }, x0, x1, set),
              1);
    EXPECT_EQ(contact.n, n);
    EXPECT_DOUBLE_EQ(contact.target_gap, (1 + time) * um);
  }
  EXPECT_FALSE(contact.frozen);
}

// The diagonal of a box's side at z, whichever it has.
Edge diagonal_at(const CollideScene& scene, const CollisionSurface& surface, double z) {
  for (const Edge& edge : surface.edges) {
    const Vec3 &a = scene.x[edge[0]], &b = scene.x[edge[1]];
    if (a.z() == z && b.z() == z && std::abs((b - a).x()) > 1.9 && std::abs((b - a).y()) > 0.9) return edge;
  }
  ADD_FAILURE() << "no diagonal at " << z;
  return {};
}

// Side on side, the diagonals of both meet inside: neither can push along the sides, and what lies between the
// nearest points of two edges that slide over each other may be just that.
TEST(NormalCone, WhereTheDirectionLiesInBothSurfacesTheyPushOutOfThem) {
  CollideScene scene;
  add_box(scene, Vec3::Zero());
  add_box(scene, {0.1, 0.05, 1.5});
  const CollisionSurface surface = scene.surface();
  const Edge low = diagonal_at(scene, surface, 0.5), high = diagonal_at(scene, surface, 1.0);
  const Vec3 along = (scene.x[low[1]] - scene.x[low[0]]).normalized(), beside = along.cross(Vec3::UnitZ());
  for (const double tilt : {6e-5, -6e-5, 0.0}) {
    const Vec3 n =
        within_cones(surface, ContactKind::edge_edge, {high[0], high[1], low[0], low[1]}, {0.5, 0.5, -0.5, -0.5},
                     stacked(scene.x), (beside + tilt * Vec3::UnitZ()).normalized());
    EXPECT_LT((n - Vec3::UnitZ()).norm(), 1e-9) << n.transpose();
  }
}

// The inner rim of a ring: of a vertex there only the flat side's normal, along its axis, is in the cone of all its
// edges. An edge that crosses the rim beside that vertex and runs along the axis is pushed across, not along itself.
TEST(NormalCone, NothingIsPushedAlongTheEdgeThatIsMetInside) {
  CollideScene scene;
  const Mesh ring = generate(TorusShape{.segments = 24, .major_radius = 0.02, .side = 0.006});
  scene.add(ring.vertices, ring.triangles);
  const Vec3 rim(0.017, 0, 0.003);
  const Index end = vertex_at(scene, rim);
  const double turn = std::numbers::pi / 12;
  const Index next = vertex_at(scene, {0.017 * std::cos(turn), 0.017 * std::sin(turn), 0.003});
  // A wedge whose lower edge lies above the rim, along z but for a slope, beside the end.
  const Vec3 along = (scene.x[next] - scene.x[end]).normalized();
  const Vec3 beside = scene.x[end] + 1e-3 * (scene.x[next] - scene.x[end]);
  const Vec3 edge = Vec3(0.3, 0, 0.95).normalized(), n = along.cross(edge).normalized();
  const Vec3 inward = n.x() < 0 ? n : Vec3(-n);  // from the rim to the hole
  const Vec3 middle = beside + 1e-8 * inward;
  const auto first = static_cast<Index>(scene.x.size());
  scene.add({middle - 0.002 * edge, middle + 0.002 * edge, middle + 0.004 * inward + 0.004 * along,
             middle + 0.004 * inward - 0.004 * along},
            {{0, 2, 1}, {1, 3, 0}, {0, 3, 2}, {1, 2, 3}});
  const CollisionSurface surface = scene.surface();
  for (const double tilt : {0.0, 0.05, -0.05}) {
    const Vec3 seen = (-inward + tilt * along).normalized();
    const Vec3 found = within_cones(surface, ContactKind::edge_edge, {end, next, first, first + 1},
                                    {0.999, 0.001, -0.5, -0.5}, stacked(scene.x), seen);
    EXPECT_LT(std::abs(found.dot(edge)), 2 * cone_slack) << found.transpose();
    EXPECT_GT(found.dot(-inward), 0.9) << found.transpose();
  }
}

// A corner stands on the edge of a shallow valley, flat or bent up by some degrees, and an edge of it leaves steeply:
// it meets that of the valley a little beside the corner, seen along the floor. It cannot push into the floor,
// against what holds the corner.
TEST(NormalCone, TheEdgeOfACornerIsNotPushedIntoTheFloorThatTheCornerStandsOn) {
  for (const double bent : {0.0, 0.03, 0.06, 0.09, 0.12, 0.2}) {
    CollideScene scene;
    scene.add({{0, -1, 0}, {0, 1, 0}, {-1, 0, bent}, {1, 0, bent}, {0, 0, -3}},
              {{0, 3, 1}, {1, 2, 0}, {3, 0, 4}, {1, 3, 4}, {2, 1, 4}, {0, 2, 4}});
    const Vec3 corner(-3 * um, 0.3, 3 * um);
    std::vector<Vec3> above{corner};
    for (const double degrees : {0.0, 120.0, 240.0}) {
      const double angle = degrees * std::numbers::pi / 180;
      above.push_back(corner + Vec3(std::cos(angle), std::sin(angle), 1));
    }
    scene.add(above, {{0, 2, 1}, {0, 3, 2}, {0, 1, 3}, {1, 2, 3}});
    const CollisionSurface surface = scene.surface();
    for (const double tilt : {-0.2, 0.0, 0.05, 0.2, 0.3}) {
      const Vec3 n = within_cones(surface, ContactKind::edge_edge, {0, 1, 5, 6}, {0.35, 0.65, -0.9999, -0.0001},
                                  stacked(scene.x), Vec3(-1, 0, tilt).normalized());
      EXPECT_LE(n.z(), 0) << "bent by " << bent << ", seen with a tilt of " << tilt << ": " << n.transpose();
      if (bent <= cone_slack) {
        EXPECT_LT(n.z(), -0.7) << bent << ", " << tilt << ": " << n.transpose();
      }
    }
  }
}

// A vertex of the inner rim of a ring on an edge along a rod, between two of its faces: wherever it has slid to along
// that edge, it is pushed across it.
TEST(NormalCone, NothingIsPushedAlongTheBorderOfAFaceThatAVertexIsMetOn) {
  CollideScene scene;
  const Mesh rod = generate(CylinderShape{.radius = 0.0195, .length = 0.2, .segments = 24});
  scene.add(rod.vertices, rod.triangles);
  const Mesh ring = generate(TorusShape{.segments = 24, .major_radius = 0.04, .side = 0.04});
  std::vector<Vec3> moved;
  for (const Vec3& x : ring.vertices) moved.push_back(x - Vec3(0.0005 - 1e-7, 0, 0.007));
  scene.add(moved, ring.triangles);
  const CollisionSurface surface = scene.surface();
  const auto first = static_cast<Index>(rod.vertices.size());
  int seen = 0;
  for (const Index vertex : surface.vertices) {
    if (vertex < first) continue;
    for (const Triangle& face : surface.triangles) {
      if (face[0] >= first) continue;
      const auto& x = scene.x;
      const NearestPoints near =
          nearest_points(ContactKind::vertex_face, {x[vertex], x[face[0]], x[face[1]], x[face[2]]});
      if (!(near.r.norm() < 2e-7)) continue;
      std::vector<Vec3> met;
      for (int k = 0; k < 3; ++k)
        if (std::abs(near.weights[k + 1]) > 1e-9) met.push_back(x[face[k]]);
      if (met.size() != 2) continue;
      const Vec3 along = (met[1] - met[0]).normalized(), across = near.normal;
      const Vec3 found = within_cones(surface, ContactKind::vertex_face, {vertex, face[0], face[1], face[2]},
                                      near.weights, stacked(x), across);
      EXPECT_LT(std::abs(found.dot(along)), cone_slack) << found.transpose();
      EXPECT_GT(found.x(), 0.9) << found.transpose();
      ++seen;
    }
  }
  EXPECT_GT(seen, 0);
}

// A block on a fixed table of two triangles: its rim, an edge and a vertex inside its underside, lower at one end by
// `tilt`, on the table's diagonal and face.
struct OnTable {
  CollideScene scene;
  CollisionSurface surface;

  OnTable(double tilt, bool table_moves) {
    scene.add({{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}}, {{0, 1, 2}, {0, 2, 3}}, table_moves);
    const double low = 2 * um - tilt;
    scene.add({{-0.5, 0.25, 2 * um}, {0.5, 0.25, low}, {0, -0.25, 2 * um}, {0, 0.25, 1}},
              {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}});
    surface = scene.surface();
  }
  // Of the rim that crosses the diagonal at (0.25, 0.25).
  std::optional<Vec3> of_rim(const Vec3& n = -Vec3::UnitZ()) const {
    return normal_of_plane(surface, ContactKind::edge_edge, {0, 2, 4, 5}, {0.375, 0.625, -0.25, -0.75},
                           stacked(scene.x), n, Planes::of_rigid_too);
  }
};

TEST(NormalOfPlane, IsThatOfWhatCannotBendWhereARimLiesOnItWithALittleTilt) {
  for (const double tilt : {0.0, 1 * um, -1 * um}) {
    const auto found = OnTable(tilt, false).of_rim();
    ASSERT_TRUE(found) << tilt;
    EXPECT_EQ((*found + Vec3::UnitZ()).norm(), 0) << tilt;
  }
}

TEST(NormalOfPlane, IsNoneWhereTheRimOrTheNormalIsTiltedByMoreOrThePlaneMayBend) {
  EXPECT_TRUE(OnTable(0.05, false).of_rim());
  EXPECT_FALSE(OnTable(0.2, false).of_rim());
  EXPECT_FALSE(OnTable(0, false).of_rim(Vec3(0.3, 0, -1).normalized()));
  EXPECT_FALSE(OnTable(0, true).of_rim());
}

// A rim of the table is no plane.
TEST(NormalOfPlane, IsNoneAtARim) {
  CollideScene scene;
  add_box(scene, Vec3::Zero());
  scene.moves.assign(scene.x.size(), 0);
  scene.add({{-0.5, 0.2, 0.5 + 2 * um}, {0.5, 0.7, 0.5 + 2 * um}, {0, 0, 1}, {0.1, 0, 1}},
            {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}});
  const CollisionSurface surface = scene.surface();
  const Index a = vertex_at(scene, {-1, 0.5, 0.5}), b = vertex_at(scene, {1, 0.5, 0.5});
  EXPECT_FALSE(normal_of_plane(surface, ContactKind::edge_edge, {a, b, 8, 9}, {0.45, 0.55, -0.4, -0.6},
                               stacked(scene.x), -Vec3::UnitZ(), Planes::of_rigid_too));
}

}  // namespace normal_cone_test
}  // namespace sim
