#include "collide/tracking.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <numbers>
#include <set>

#include "collide/contact_geometry.hpp"
#include "collide/contact_set.hpp"
#include "collide/scenes.hpp"
#include "mesh/generate.hpp"

namespace sim {
namespace tracking_test {

using namespace sim::test;

constexpr double degree = std::numbers::pi / 180;

// A strip along x of squares of side 1, bent by the given angles (degrees) at x = 1, 2, ...; and a small triangle
// whose tip, the last vertex but two, touches it from above. Face 2 k is the half of square k that has its lower left
// corner and all of its right side; face 2 k + 1 the other one.
struct Strip {
  CollideScene scene;
  Index tip = 0;
  CollisionSurface surface;

  explicit Strip(const std::vector<double>& bends) {
    std::vector<Vec3> vertices{{0, 0, 0}, {0, 1, 0}};
    std::vector<Triangle> faces;
    Vec3 along(1, 0, 0);
    for (std::size_t k = 0; k <= bends.size(); ++k) {
      const auto a = static_cast<Index>(2 * k);
      vertices.push_back(vertices[a] + along);
      vertices.push_back(vertices[a + 1] + along);
      faces.push_back({a, a + 2, a + 3});
      faces.push_back({a, a + 3, a + 1});
      if (k < bends.size()) along = Eigen::AngleAxisd(-bends[k] * degree, Vec3::UnitY()) * along;
    }
    scene.add(vertices, faces);
    tip = scene.add({{0, 0, 1}, {0.1, 0, 9}, {0, 0.1, 9}}, {{0, 1, 2}}).begin;
    surface = scene.surface();
  }

  // The tip at height h over the point (u, v) of square k.
  VecX with_tip(Index k, double u, double v, double h) {
    const Vec3 &a = scene.x[2 * k], &b = scene.x[2 * k + 1], &c = scene.x[2 * k + 2];
    scene.x[tip] = a + u * (c - a) + v * (b - a) + h * (c - a).cross(b - a).normalized();
    scene.x[tip + 1] = scene.x[tip] + Vec3(0.1, 0, 9);  // upright wherever it is
    scene.x[tip + 2] = scene.x[tip] + Vec3(0, 0.1, 9);
    return stacked(scene.x);
  }

  Contact contact_with(Index face, const VecX& x) const {
    Contact c = make_contact(surface, {ContactKind::vertex_face, {tip, face}, 0}, x, x);
    c.lambda = 3;
    c.gamma = {0.5, -0.25};
    c.age = 7;
    c.state = FrictionState::sticking;
    return c;
  }
};

TEST(Relinearise, TurnsByLessThanTheLimitAtATimeAndGetsThere) {
  Strip strip({});
  const VecX flat = strip.with_tip(0, 0.7, 0.3, 0.01);
  Contact c = strip.contact_with(0, flat);
  EXPECT_LT((c.n - Vec3::UnitZ()).norm(), 1e-14);
  // The strip turns by 50 degrees about y, the tip stays over it, farther along.
  const Eigen::AngleAxisd turn(50 * degree, Vec3::UnitY());
  VecX x = strip.with_tip(0, 0.8, 0.3, 0.02);
  for (Index i = 0; i < static_cast<Index>(strip.scene.x.size()); ++i) block(x, i) = turn * block(x, i).eval();
  const TrackingOptions options;
  const std::array<double, 4> old_weights = c.weights;
  for (int round = 0; round < 4; ++round) {
    const Vec3 before = c.n;
    const Turn t = relinearise(strip.surface, c, x, options);
    EXPECT_LE(std::acos(std::min(1.0, before.dot(c.n))), 15 * degree);
    EXPECT_NEAR(t.done, round < 3 ? 15 : 5, 1e-6);
    EXPECT_NEAR(t.left, std::max(0, 35 - 15 * round), 1e-6);
    if (round == 0) {  // equation 21: the same share of the new weights
      EXPECT_NEAR(c.weights[1], 0.7 * old_weights[1] + 0.3 * -0.2, 1e-8);
      EXPECT_NEAR(c.weights[2], 0.7 * old_weights[2] + 0.3 * -0.5, 1e-8);
    }
  }
  EXPECT_LT((c.n - turn * Vec3::UnitZ()).norm(), 1e-12);
  EXPECT_NEAR(c.gap, 0.02, 1e-12);
  EXPECT_LT((c.t1.cross(c.t2) - c.n).norm(), 1e-14);
  const Turn again = relinearise(strip.surface, c, x, options);
  EXPECT_LT(again.done, 1e-6);
}

TEST(Relinearise, KeepsItsSideWhenTheVertexHasPassedThrough) {
  Strip strip({});
  Contact c = strip.contact_with(0, strip.with_tip(0, 0.7, 0.3, 0.01));
  relinearise(strip.surface, c, strip.with_tip(0, 0.7, 0.3, -0.002), {});
  EXPECT_LT((c.n - Vec3::UnitZ()).norm(), 1e-14);
  EXPECT_NEAR(c.gap, -0.002, 1e-14);
}

// Half over the neighbour in the same plane: the direction to its own face's border is no normal to slide against.
TEST(Relinearise, KeepsTheNormalOfAFlatSurfaceAcrossItsEdges) {
  Strip strip({0});
  const VecX x = strip.with_tip(0, 1 + 3e-6, 0.3, 2e-6);
  const Contact made = strip.contact_with(0, x);
  EXPECT_LT((made.n - Vec3::UnitZ()).norm(), 1e-14);
  Contact c = strip.contact_with(0, strip.with_tip(0, 0.99, 0.3, 2e-6));
  EXPECT_LT(relinearise(strip.surface, c, x, {}).done, 1e-6);
  EXPECT_LT((c.n - Vec3::UnitZ()).norm(), 1e-14);
  EXPECT_NEAR(c.gap, 2e-6, 1e-15);
}

TEST(Relinearise, KeepsAContactBesideTheBorderOfASheetThere) {
  Strip strip({});
  Contact c = strip.contact_with(0, strip.with_tip(0, 1 + 4e-6, 0.3, 0));
  EXPECT_LT((c.n - Vec3::UnitX()).norm(), 1e-9);
  const VecX x = strip.with_tip(0, 1 + 3e-6, 0.4, 0);
  EXPECT_EQ(slide(strip.surface, c, x, {}), Slide::stays);
  relinearise(strip.surface, c, x, {});
  EXPECT_LT((c.n - Vec3::UnitX()).norm(), 1e-9);
  EXPECT_NEAR(c.gap, 3e-6, 1e-14);
}

// A corner over the upper edge of a wall, nearer than the direction between them tells anything: the wall's own
// normal is none of theirs.
TEST(Relinearise, KeepsTheNormalOverTheEdgeOfAWallHoweverNear) {
  for (const double h : {1e-6, 1e-8, 1e-10}) {
    Strip strip({-90});
    const VecX x = strip.with_tip(0, 1, 0.3, h);
    Contact c = strip.contact_with(3, x);
    EXPECT_LT((c.n - Vec3::UnitZ()).norm(), 1e-6) << h;
    EXPECT_LT(relinearise(strip.surface, c, x, {}).done, 1e-4) << h;
    EXPECT_LT((c.n - Vec3::UnitZ()).norm(), 1e-6) << h;
    EXPECT_NEAR(c.gap, h, 1e-12) << h;
  }
}

// A patch of a body, closed by a point behind it.
std::vector<Triangle> closed_by(Index point, std::vector<Triangle> patch) {
  std::set<std::pair<Index, Index>> border;
  for (const auto& [a, b, c] : patch) {
    for (const auto& [from, to] : {std::pair{a, b}, {b, c}, {c, a}}) {
      if (border.erase({to, from}) == 0) border.emplace(from, to);
    }
  }
  for (const auto& [from, to] : border) patch.push_back({to, from, point});
  return patch;
}

// Two rims out of a heap of letters that cross 16 um from each other, next to an end of the one, from where both bend
// towards each other. There is no direction in which nothing of them goes farther, and least does one 6.9 degrees
// beside that across both edges: kept apart along that only, they went through each other.
TEST(Relinearise, KeepsTheNormalAcrossTwoRimsNextToADent) {
  const auto metres = [](std::vector<Vec3> millimetres) {
    for (Vec3& x : millimetres) x *= 1e-3;
    return millimetres;
  };
  CollideScene scene;
  scene.add(metres({{-4.5695, -21.3852, 14.5225},
                    {-5.8013, 25.4184, -1.3998},
                    {-37.5177, -76.5719, -8.2678},
                    {-36.5376, -30.7927, -21.5886},
                    {-38.9063, 15.1285, -36.2238},
                    {-6.7200, -69.0196, 29.0004},
                    {22.9832, 16.3126, -29.4150},
                    {24.9805, 68.5327, -45.7175},
                    {-10.1871, 79.2975, -12.6540},
                    {-52.7127, 39.7206, 42.4437},
                    {-53.8491, -7.1692, 56.4806},
                    {-56.8160, -54.1366, 69.1631},
                    {-80, 0, 0}}),
            closed_by(12, {{11, 5, 0},
                           {10, 11, 0},
                           {10, 0, 1},
                           {9, 10, 1},
                           {9, 1, 8},
                           {7, 8, 1},
                           {1, 6, 7},
                           {3, 4, 1},
                           {3, 1, 0},
                           {4, 6, 1},
                           {2, 3, 0},
                           {2, 0, 5}}));
  const Index other = scene
                          .add(metres({{-5.6288, 19.0254, 0.7975},
                                       {15.9996, -23.0586, -13.9202},
                                       {63.4860, -58.8249, -49.0814},
                                       {64.3499, -11.2823, -64.5837},
                                       {39.6241, 33.7502, -50.8322},
                                       {12.8963, 77.9626, -35.9294},
                                       {-24.5555, 87.5633, -0.1871},
                                       {-41.5189, 28.2970, 34.5259},
                                       {13.6722, -69.4014, 0.1830},
                                       {26.1355, 28.3101, 35.4296},
                                       {48.8297, -13.5761, 21.4450},
                                       {47.0429, -59.9677, 35.6350},
                                       {80, 0, 0}}),
                               closed_by(12, {{2, 8, 1},
                                              {3, 2, 1},
                                              {4, 3, 1},
                                              {4, 1, 0},
                                              {5, 4, 0},
                                              {6, 5, 0},
                                              {6, 0, 7},
                                              {7, 0, 9},
                                              {0, 1, 10},
                                              {0, 10, 9},
                                              {1, 8, 11},
                                              {1, 11, 10}}))
                          .begin;
  const CollisionSurface surface = scene.surface();
  const VecX x = stacked(scene.x);
  const Pair rims{edge_between(surface, 0, 1), edge_between(surface, other, other + 1)};
  Contact contact = make_contact(surface, {ContactKind::edge_edge, rims, 0}, x, x);
  const NearestPoints near = nearest_points(contact.kind, gather(contact.vertices, x));
  ASSERT_TRUE(near.doubtful());
  const Vec3 across = near.r.normalized();
  for (const double tilt : {0.0, 0.05}) {
    turn_frame(contact, (across + tilt * (scene.x[1] - scene.x[0]).normalized()).normalized());
    for (int round = 0; round < 5; ++round) relinearise(surface, contact, x, {});
    EXPECT_LT(angle_between(contact.n, across), 0.1) << contact.n.transpose();
  }
}

TEST(Slide, StaysOnItsFaceAndOnTheBorderOfIt) {
  Strip strip({20});
  Contact c = strip.contact_with(0, strip.with_tip(0, 0.7, 0.3, 1e-6));
  EXPECT_EQ(slide(strip.surface, c, strip.with_tip(0, 0.9, 0.2, 1e-6), {}), Slide::stays);
  EXPECT_EQ(slide(strip.surface, c, strip.with_tip(0, 1 + 4e-6, 0.2, 1e-6), {}), Slide::stays);
  EXPECT_EQ(c.pair.second, 0);
}

TEST(Slide, OverTheEdgeOfABentSurfaceTakesItsHistoryAlong) {
  for (const double bend : {20.0, -20.0}) {  // a valley and a ridge
    Strip strip({bend});
    const VecX from = strip.with_tip(0, 0.9, 0.2, 1e-6);
    Contact c = strip.contact_with(0, from);
    const Contact before = c;
    const VecX x = strip.with_tip(1, 0.1, 0.4, 1e-6);
    ASSERT_EQ(slide(strip.surface, c, x, {}), Slide::moved);
    EXPECT_EQ(c.pair, (Pair{strip.tip, 3}));
    EXPECT_EQ(c.id, contact_id(ContactKind::vertex_face, {strip.tip, 3}));
    EXPECT_EQ(c.slid_from, before.id);
    EXPECT_EQ(c.lambda, 3);
    EXPECT_EQ(c.gamma, before.gamma);
    EXPECT_EQ(c.age, 7);
    EXPECT_EQ(c.state, FrictionState::sticking);
    EXPECT_NEAR(c.weights[1] + c.weights[2] + c.weights[3], -1, 1e-14);
    EXPECT_NEAR(std::acos(c.n.dot(before.n)), 15 * degree, 1e-7);  // of the 20
    EXPECT_NEAR(relinearise(strip.surface, c, x, {}).done, 5, 1e-6);
    EXPECT_NEAR(c.gap, 1e-6, 1e-12);
    EXPECT_GT(c.n[2], 0);
  }
}

TEST(Slide, CrossesSeveralFacesInOneGo) {
  Strip strip({5, 5, 5});
  Contact c = strip.contact_with(0, strip.with_tip(0, 0.9, 0.2, 1e-6));
  ASSERT_EQ(slide(strip.surface, c, strip.with_tip(3, 0.5, 0.3, 1e-6), {}), Slide::moved);
  EXPECT_EQ(c.pair.second, 6);
}

TEST(Slide, EndsAtABorderAtASharpEdgeAndBesideARidge) {
  Strip flat({});
  Contact off = flat.contact_with(0, flat.with_tip(0, 0.9, 0.2, 1e-6));
  const ContactId id = off.id;
  EXPECT_EQ(slide(flat.surface, off, flat.with_tip(0, 1.1, 0.2, 1e-6), {}), Slide::gone);
  EXPECT_EQ(off.id, id);

  Strip sharp({-90});
  Contact over_edge = sharp.contact_with(0, sharp.with_tip(0, 0.9, 0.2, 1e-6));
  EXPECT_EQ(slide(sharp.surface, over_edge, sharp.with_tip(1, 0.1, 0.4, 0.01), {}), Slide::gone);
  Contact down_the_side = sharp.contact_with(0, sharp.with_tip(0, 0.9, 0.2, 1e-6));
  EXPECT_EQ(slide(sharp.surface, down_the_side, sharp.with_tip(1, 0.1, 0.4, 1e-6), {}), Slide::gone);

  Strip ridge({-40});  // 0.01 above the ridge, in the wedge that no face has below it
  Contact beside = ridge.contact_with(0, ridge.with_tip(0, 0.9, 0.2, 1e-6));
  EXPECT_EQ(slide(ridge.surface, beside, ridge.with_tip(0, 1.001, 0.2, 0.01), {}), Slide::gone);
}

// From a face with a vertex that moves to one without, under a tip that does not move either.
TEST(Slide, EndsWhereNoVertexOfTheNextFaceMoves) {
  for (const bool next_moves : {true, false}) {
    Strip strip({0});
    std::fill(strip.scene.moves.begin(), strip.scene.moves.end(), 0);
    strip.scene.moves[0] = 1;  // of square 0 only
    strip.scene.moves[5] = next_moves ? 1 : 0;
    strip.surface = strip.scene.surface();
    Contact c = strip.contact_with(0, strip.with_tip(0, 0.9, 0.2, 1e-6));
    const ContactId id = c.id;
    EXPECT_EQ(slide(strip.surface, c, strip.with_tip(1, 0.5, 0.6, 1e-6), {}),
              next_moves ? Slide::moved : Slide::gone);
    EXPECT_EQ(c.id == id, !next_moves);
  }
}

// The far corner of the strip is folded back over face 0, and slides forward to above the face it is a corner of.
TEST(Slide, EndsAtTheVertexOwnFaces) {
  Strip strip({0});
  constexpr Index corner = 5;
  strip.scene.x[corner] = Vec3(0.9, 0.2, 1e-6);
  const VecX from = stacked(strip.scene.x);
  Contact c = make_contact(strip.surface, {ContactKind::vertex_face, {corner, 0}, 0}, from, from);
  strip.scene.x[corner] = Vec3(1.5, 0.5, 1e-6);
  ASSERT_TRUE(shares_vertex(strip.surface.triangles[3], corner));
  EXPECT_EQ(slide(strip.surface, c, stacked(strip.scene.x), {}), Slide::gone);
  EXPECT_EQ(c.pair.second, 0);
}

// A polyline of two edges (0-1 and 1-2, bent by 10 degrees) under an edge across it, in both orders of ids.
struct CrossedEdges {
  CollideScene scene;
  CollisionSurface surface;
  Index first_piece = -1, second_piece = -1, across = -1;

  explicit CrossedEdges(bool across_is_lowest) {
    const Vec3 turn(std::cos(10 * degree), 0, -std::sin(10 * degree));
    const std::vector<Vec3> line{{0, 0, 0}, {1, 0, 0}, Vec3(1, 0, 0) + turn, {0.9, 0, -5}};
    const std::vector<Vec3> other{{0, -1, 0.1}, {0, 1, 0.1}, {0, 0, 9}};
    Range l, o;
    if (across_is_lowest) o = scene.add(other, {{0, 1, 2}});
    l = scene.add(line, {{0, 1, 3}, {1, 2, 3}});
    if (!across_is_lowest) o = scene.add(other, {{0, 1, 2}});
    surface = scene.surface();
    first_piece = edge_between(surface, l.begin, l.begin + 1);
    second_piece = edge_between(surface, l.begin + 1, l.begin + 2);
    across = edge_between(surface, o.begin, o.begin + 1);
    ends = o;
  }
  VecX with_across_at(const Vec3& middle) {
    scene.x[ends.begin] = middle - Vec3::UnitY();
    scene.x[ends.begin + 1] = middle + Vec3::UnitY();
    return stacked(scene.x);
  }
  Range ends;
};

// What the contact does to the edge across: the sum of its vertices' weights times the tangential force.
Vec3 push_on_across(const CrossedEdges& e, const Contact& c, const std::array<double, 2>& along) {
  double weight = 0;
  for (int k = 0; k < 4; ++k) {
    if (c.vertices[k] == e.ends.begin || c.vertices[k] == e.ends.begin + 1) weight += c.weights[k];
  }
  return weight * (along[0] * c.t1 + along[1] * c.t2);
}

TEST(Slide, OfTwoEdgesGoesOnToTheNextEdge) {
  for (const bool across_is_lowest : {false, true}) {
    CrossedEdges e(across_is_lowest);
    const Pair first{std::min(e.first_piece, e.across), std::max(e.first_piece, e.across)};
    const Pair second{std::min(e.second_piece, e.across), std::max(e.second_piece, e.across)};
    const VecX from = e.with_across_at({0.9, 0, 0.001});
    Contact c = make_contact(e.surface, {ContactKind::edge_edge, first, 0}, from, from);
    c.lambda = 2;
    c.gamma = {0.3, 0.8};
    const Vec3 push = push_on_across(e, c, c.gamma);
    EXPECT_EQ(slide(e.surface, c, e.with_across_at({0.95, 0, 0.001}), {}), Slide::stays);
    const VecX x = e.with_across_at({1.2, 0, 0.001 - 0.2 * std::tan(10 * degree)});
    ASSERT_EQ(slide(e.surface, c, x, {}), Slide::moved);
    EXPECT_EQ(c.id, contact_id(ContactKind::edge_edge, second));
    EXPECT_EQ(c.lambda, 2);
    EXPECT_NEAR(c.gap, 0.001 * std::cos(10 * degree), 1e-9);
    EXPECT_LT((c.t1.cross(c.t2) - c.n).norm(), 1e-14);
    // The friction force has turned with the normal, by 10 degrees, and no more.
    EXPECT_NEAR(push_on_across(e, c, c.gamma).norm(), push.norm(), 1e-12);
    EXPECT_GT(push_on_across(e, c, c.gamma).normalized().dot(push.normalized()), std::cos(10.001 * degree));
    EXPECT_EQ(slide(e.surface, c, e.with_across_at({5, 0, 0}), {}), Slide::gone);
  }
}

TEST(Slide, OfTwoEdgesEndsWhereNoVertexOfTheNextPairMoves) {
  for (const bool next_moves : {true, false}) {
    CrossedEdges e(false);
    std::fill(e.scene.moves.begin(), e.scene.moves.end(), 0);
    e.scene.moves[0] = 1;                   // of the first piece only
    e.scene.moves[2] = next_moves ? 1 : 0;  // of the second one
    e.surface = e.scene.surface();
    const VecX from = e.with_across_at({0.9, 0, 0.001});
    Contact c = make_contact(e.surface, {ContactKind::edge_edge, {e.first_piece, e.across}, 0}, from, from);
    const VecX x = e.with_across_at({1.2, 0, 0.001 - 0.2 * std::tan(10 * degree)});
    EXPECT_EQ(slide(e.surface, c, x, {}), next_moves ? Slide::moved : Slide::gone);
  }
}

// Past the end two edges go on, one below the other; whichever has the lower id, the upper one takes the contact.
TEST(Slide, OfTwoEdgesGoesOnToTheNearestOfSeveral) {
  for (const bool upper_is_lower_id : {true, false}) {
    const Vec3 upper(2, 0, -0.1), lower(2, 0, -0.4);
    CollideScene scene;
    scene.add({{0, 0, 0},
               {1, 0, 0},
               upper_is_lower_id ? upper : lower,
               upper_is_lower_id ? lower : upper,
               {0.9, 0, -5},
               {0.9, -1, 0.001},
               {0.9, 1, 0.001},
               {0.9, 0, 9}},
              {{0, 1, 4}, {1, 2, 4}, {1, 3, 4}, {5, 6, 7}});
    const CollisionSurface surface = scene.surface();
    const auto edge = [&](Index a, Index b) {
      return static_cast<Index>(std::find(surface.edges.begin(), surface.edges.end(), Edge{a, b}) -
                                surface.edges.begin());
    };
    const VecX from = stacked(scene.x);
    Contact c = make_contact(surface, {ContactKind::edge_edge, {edge(0, 1), edge(5, 6)}, 0}, from, from);
    scene.x[5][0] = scene.x[6][0] = 1.3;
    ASSERT_EQ(slide(surface, c, stacked(scene.x), {}), Slide::moved);
    EXPECT_EQ(c.pair, (Pair{edge(1, upper_is_lower_id ? 2 : 3), edge(5, 6)}));
  }
}

TEST(Slide, OfTwoEdgesKeepsItsForceWhenTheOrderOfTheirIdsTurnsRound) {
  // Edges are ordered by their vertices: 0-3 and then 3-9 on the one side, 1-2 across.
  CollideScene scene;
  scene.add({{0, 0, 0}, {0.9, -1, 0.001}, {0.9, 1, 0.001}, {1, 0, 0}, {0.9, 0, 7}, {2, 0, 0}, {1, 0, -7}},
            {{0, 3, 6}, {3, 5, 6}, {1, 2, 4}});
  const CollisionSurface surface = scene.surface();
  Index first = -1, second = -1, across = -1;
  for (Index e = 0; e < static_cast<Index>(surface.edges.size()); ++e) {
    if (surface.edges[e] == Edge{0, 3}) first = e;
    if (surface.edges[e] == Edge{3, 5}) second = e;
    if (surface.edges[e] == Edge{1, 2}) across = e;
  }
  ASSERT_TRUE(first < across && across < second);
  const VecX from = stacked(scene.x);
  Contact c = make_contact(surface, {ContactKind::edge_edge, {first, across}, 0}, from, from);
  c.gamma = {0.3, 0.8};
  c.drift = {1e-6, 2e-6};
  c.c_t = {3e-6, -4e-6};
  c.delta = {0.7, 0.2};
  c.slip = {-5e-6, 6e-6};
  const auto on_across = [&](const std::array<double, 2>& along) {
    double weight = 0;
    for (int k = 0; k < 4; ++k) weight += c.vertices[k] == 1 || c.vertices[k] == 2 ? c.weights[k] : 0;
    return Vec3(weight * (along[0] * c.t1 + along[1] * c.t2));
  };
  const Vec3 push = on_across(c.gamma), drift = on_across(c.drift), way = on_across(c.c_t),
             change = on_across(c.delta), slip = on_across(c.slip);
  scene.x[1][0] = scene.x[2][0] = 1.1;
  ASSERT_EQ(slide(surface, c, stacked(scene.x), {}), Slide::moved);
  EXPECT_EQ(c.pair, (Pair{across, second}));
  EXPECT_NEAR(c.gap, 0.001, 1e-12);
  EXPECT_LT((on_across(c.gamma) - push).norm(), 1e-12);
  EXPECT_LT((on_across(c.drift) - drift).norm(), 1e-15);
  EXPECT_LT((on_across(c.c_t) - way).norm(), 1e-15);
  EXPECT_LT((on_across(c.delta) - change).norm(), 1e-12);
  EXPECT_LT((on_across(c.slip) - slip).norm(), 1e-15);
  EXPECT_LT((c.t1.cross(c.t2) - c.n).norm(), 1e-14);
}

// A small plate of cells on a larger one, turned and moved at random. Whatever crossing of edges passes over whatever
// vertices as it slides, something of the pair's neighbourhood takes the contact on: the plates still lie on each
// other.
TEST(Slide, OfTwoFlatPlatesNeverLosesAContactOverTheirVertices) {
  constexpr int cells = 8, upper_cells = 4;
  constexpr double h = 1e-4, farthest_move = 0.3;  // of cells of 1
  Random random(7);
  CollideScene scene;
  add_sheet(scene, random, cells, cells, 0, 0);
  const auto first_upper = static_cast<Index>(scene.x.size());
  add_sheet(scene, random, upper_cells, upper_cells, h, 0);
  const CollisionSurface surface = scene.surface();
  const auto posed = [&](double angle, double x, double y) {
    std::vector<Vec3> now = scene.x;
    const Eigen::AngleAxisd turn(angle, Vec3::UnitZ());
    const Vec3 middle(0.5 * upper_cells, 0.5 * upper_cells, 0), to(0.5 * cells + x, 0.5 * cells + y, 0);
    for (std::size_t v = static_cast<std::size_t>(first_upper); v < now.size(); ++v)
      now[v] = turn * (now[v] - middle) + to;
    return stacked(now);
  };
  const auto edges = static_cast<Index>(surface.edges.size());
  const auto is_inside = [&](Index e) { return surface.edge_triangles[e][1] != -1; };
  int stayed = 0, to_edges = 0, to_vertices = 0, gone = 0;
  for (int k = 0; k < 60; ++k) {
    const double angle = k % 3 == 0 ? 0 : random.uniform(-3, 3);  // as they lie on each other cell by cell, or not
    const double x = random.uniform(-0.5, 0.5), y = random.uniform(-0.5, 0.5);
    const VecX from = posed(angle, x, y);
    const VecX to = posed(angle + random.uniform(-0.02, 0.02), x + random.uniform(-0.7, 0.7) * farthest_move,
                          y + random.uniform(-0.7, 0.7) * farthest_move);
    for (Index lower = 0; lower < edges; ++lower) {
      for (Index upper = lower + 1; upper < edges; ++upper) {
        if (!is_inside(lower) || !is_inside(upper) || surface.edges[lower][0] >= first_upper ||
            surface.edges[upper][0] < first_upper)
          continue;
        const Stencil places = gather(stencil(surface, ContactKind::edge_edge, {lower, upper}), from);
        if (foot(ContactKind::edge_edge, places).outside > 0) continue;
        Contact c = make_contact(surface, {ContactKind::edge_edge, {lower, upper}, 0}, from, from);
        if (!(std::abs(c.n[2]) > 0.9)) continue;  // parallel ones
        c.lambda = 2;
        const Vec3 upwards = c.n;
        const Slide outcome = slide(surface, c, to, {});
        ++(outcome == Slide::gone               ? gone
           : outcome == Slide::stays            ? stayed
           : c.kind == ContactKind::vertex_face ? to_vertices
                                                : to_edges);
        if (outcome != Slide::moved) continue;
        EXPECT_EQ(c.lambda, 2);
        EXPECT_NEAR(gap(c, to), h, 1e-9);
        const double side = surface.vertex_object[c.vertices[0]] == surface.vertex_object[0] ? 1 : -1;
        EXPECT_NEAR(c.n[2], side * upwards[2], 1e-9);
      }
    }
  }
  EXPECT_EQ(gone, 0);
  EXPECT_GT(stayed, 100);
  EXPECT_GT(to_edges, 100);
  EXPECT_GT(to_vertices, 10);
}

}  // namespace tracking_test
}  // namespace sim
