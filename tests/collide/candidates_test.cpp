#include "collide/candidates.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "collide/brute_force.hpp"
#include "collide/moving_frames.hpp"
#include "geometry/closest_points.hpp"
#include "math/parallel.hpp"

namespace sim {
namespace candidates_test {

using namespace sim::test;

constexpr double dt = 0.001;

void advance(CollideScene& scene, double time) {
  for (std::size_t i = 0; i < scene.x.size(); ++i) scene.x[i] += time * scene.v[i];
}

Candidates detect(const CollideScene& scene, const CollisionSurface& surface, const DetectionOptions& options,
                  Detection& detection) {
  Candidates found;
  find_candidates(surface, {stacked(scene.x), stacked(scene.v), dt}, options, detection, found);
  return found;
}

void expect_equal(const Candidates& found, const Candidates& expected, const char* what) {
  EXPECT_EQ(found.vertex_face.size(), expected.vertex_face.size()) << what;
  EXPECT_EQ(found.edge_edge.size(), expected.edge_edge.size()) << what;
  EXPECT_TRUE(found.vertex_face == expected.vertex_face) << what;
  EXPECT_TRUE(found.edge_edge == expected.edge_edge) << what;
}

Candidates united(const Candidates& a, const Candidates& b) {
  Candidates both;
  std::set_union(a.vertex_face.begin(), a.vertex_face.end(), b.vertex_face.begin(), b.vertex_face.end(),
                 std::back_inserter(both.vertex_face));
  std::set_union(a.edge_edge.begin(), a.edge_edge.end(), b.edge_edge.begin(), b.edge_edge.end(),
                 std::back_inserter(both.edge_edge));
  return both;
}

struct Speed {
  const char* name;
  double speed, margin;  // m/s, m
};

void PrintTo(const Speed& speed, std::ostream* out) {  // NOLINT(readability-identifier-naming): GoogleTest's name
  *out << speed.name;
}

// The scene in the frames in which it is looked at (collide/moving_frames.hpp): v less their ways.
CollideScene in_frames(CollideScene scene, const Detection& detection, bool own) {
  for (std::size_t i = 0; i < scene.v.size(); ++i) {
    scene.v[i] -= detection.common.way / dt;
    if (own && detection.own.any) scene.v[i] -= way_of(detection.own, scene.object[i]) / dt;
  }
  return scene;
}

Candidates brute_force(const CollideScene& scene, const CollisionSurface& surface, const DetectionOptions& options) {
  Detection detection;
  Candidates found;
  find_candidates(surface, {stacked(scene.x), stacked(scene.v), dt}, options, detection, found);
  const auto pairs = [&](bool own) {
    return brute_force(surface, reach_boxes(in_frames(scene, detection, own), dt, options), options.separation);
  };
  Candidates all = pairs(false), own = pairs(true);
  const auto of_one_frame = [&](ContactKind kind, Pair pair) {
    const auto v = stencil(surface, kind, pair);
    const std::vector<Index>& frame = detection.own.frame;
    return detection.own.any && frame[scene.object[v[0]]] >= 0 &&
           frame[scene.object[v[0]]] == frame[scene.object[v[3]]];
  };
  const auto keep = [&](Candidates& some, bool of_one) {
    std::erase_if(some.vertex_face, [&](Pair p) { return of_one_frame(ContactKind::vertex_face, p) != of_one; });
    std::erase_if(some.edge_edge, [&](Pair p) { return of_one_frame(ContactKind::edge_edge, p) != of_one; });
  };
  keep(all, false);
  keep(own, true);
  return united(all, own);
}

// Of every scene, at rest, slow and fast: what is found at first and after ten refits.
class CandidatesOf : public testing::TestWithParam<Speed> {};

TEST_P(CandidatesOf, AreTheBruteForceSetAtFirstAndAfterRefits) {
  for (const auto& [name, make] : all_scenes) {
    Random random(5);
    CollideScene scene = make(random);
    set_velocities(scene, random, GetParam().speed);
    const CollisionSurface surface = scene.surface();
    const DetectionOptions options{.margin = GetParam().margin, .separation = 1e-5, .rebuild_ratio = 1e9};
    Detection detection;
    const Candidates first = detect(scene, surface, options, detection);
    expect_equal(first, brute_force(scene, surface, options), name);
    EXPECT_GT(first.size(), 10) << name << ": too few to say anything";
    for (int i = 0; i < 10; ++i) {
      advance(scene, 20 * dt);
      detect(scene, surface, options, detection);
    }
    const Candidates later = detect(scene, surface, options, detection);
    EXPECT_EQ(detection.rebuilds, 1);
    expect_equal(later, brute_force(scene, surface, options), name);
  }
}

INSTANTIATE_TEST_SUITE_P(Speeds, CandidatesOf,
                         testing::Values(Speed{"Resting", 0, 0.03}, Speed{"Slow", 1, 0.01}, Speed{"Fast", 50, 1e-4}),
                         [](const auto& speed) { return speed.param.name; });

struct Size {
  double scale, offset;  // m: of the scene, and how far it is from the origin
};

void PrintTo(const Size& size, std::ostream* out) {  // NOLINT(readability-identifier-naming): GoogleTest's name
  *out << "scale " << size.scale << " at " << size.offset;
}

class CandidatesAt : public testing::TestWithParam<Size> {};

// None is lost, and none is kept that twice the rounding cannot excuse.
TEST_P(CandidatesAt, AreTheBruteForceSetButForRounding) {
  const auto [scale, offset] = GetParam();
  for (const auto& [name, make] : all_scenes) {
    Random random(5);
    CollideScene scene = make(random);
    set_velocities(scene, random, 1);
    for (Vec3& x : scene.x) x = scale * x + offset * Vec3(1, -0.7, 0.3);
    for (Vec3& v : scene.v) v *= scale;
    const CollisionSurface surface = scene.surface();
    const DetectionOptions options{.margin = 0.01 * scale, .separation = 1e-5 * scale};
    Detection detection;
    const Candidates found = detect(scene, surface, options, detection);
    const auto boxes = reach_boxes(scene, dt, options);
    EXPECT_GT(found.size(), 10) << name << ": too few to say anything";
    if (offset == 0) {
      expect_equal(found, brute_force(surface, boxes, options.separation), name);
      continue;
    }
    const Candidates fewest = brute_force(surface, boxes, options.separation, 0),
                     most = brute_force(surface, boxes, options.separation, 2);
    for (const auto list : {&Candidates::vertex_face, &Candidates::edge_edge}) {
      const auto holds = [list](const Candidates& all, const Candidates& some) {
        return std::includes((all.*list).begin(), (all.*list).end(), (some.*list).begin(), (some.*list).end());
      };
      EXPECT_TRUE(holds(found, fewest)) << name;
      EXPECT_TRUE(holds(most, found)) << name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, CandidatesAt,
                         testing::Values(Size{1, 0}, Size{1, 1e3}, Size{1, 1e6}, Size{1e-6, 0}, Size{1e-6, 1e3},
                                         Size{1e-6, 1e6}));

// Far from the origin, at rest, with no margin: a vertex exactly in a face, and two edges exactly through one point,
// all of it in whole numbers over 2^20. Without room for rounding some would seem to be apart.
TEST(Candidates, ThatTouchExactlyFarFromTheOriginAreKept) {
  Random random(8);
  const auto whole = [&random](int reach) -> Vec3 {
    Vec3 p;
    for (double& c : p) c = static_cast<double>(random.next() % static_cast<unsigned>(2 * reach + 1)) - reach;
    return p * 0x1p-20;
  };
  const DetectionOptions options{.margin = 0, .separation = 0};
  for (int trial = 0; trial < 1000; ++trial) {
    const Vec3 origin = Vec3(1e6, -3e5, 7e5) + whole(1 << 19);
    const Vec3 a = whole(1000), b = whole(1000), c = whole(1000), p = (2 * a + b + c) / 4;
    CollideScene face;
    face.add({origin + a, origin + b, origin + c}, {{0, 1, 2}});
    face.add({origin + p, origin + p + whole(1000), origin + p + whole(1000)}, {{0, 1, 2}});
    const CollisionSurface surface = face.surface();
    Detection detection;
    const auto& found = detect(face, surface, options, detection).vertex_face;
    ASSERT_TRUE(std::binary_search(found.begin(), found.end(), Pair{3, 0})) << trial;

    const Vec3 u = whole(1000), v = whole(1000);
    CollideScene edges;
    edges.add({origin - u, origin + u, origin + u + whole(1000)}, {{0, 1, 2}});
    edges.add({origin - v, origin + v, origin + v + whole(1000)}, {{0, 1, 2}});
    const CollisionSurface crossed = edges.surface();
    const auto edge = [&](Index i) {
      return static_cast<Index>(std::find(crossed.edges.begin(), crossed.edges.end(), Edge{i, i + 1}) -
                                crossed.edges.begin());
    };
    Detection again;
    const auto& kept = detect(edges, crossed, options, again).edge_edge;
    ASSERT_TRUE(std::binary_search(kept.begin(), kept.end(), Pair{edge(0), edge(3)})) << trial;
  }
}

TEST(Candidates, OfAnObstacleAreOnlyWithWhatMoves) {
  Random random(3);
  CollideScene scene = over_obstacles(random);
  const CollisionSurface surface = scene.surface();
  Detection detection;
  const Candidates found = detect(scene, surface, {}, detection);
  const auto some_move = [&](ContactKind kind, Pair pair) {
    const auto vertices = stencil(surface, kind, pair);
    return std::any_of(vertices.begin(), vertices.end(), [&](Index v) { return scene.moves[v] != 0; });
  };
  for (const Pair p : found.vertex_face) EXPECT_TRUE(some_move(ContactKind::vertex_face, p));
  for (const Pair p : found.edge_edge) EXPECT_TRUE(some_move(ContactKind::edge_edge, p));
}

TEST(Candidates, OfRigidBodiesAreThoseWithOthers) {
  Random random(3);
  const CollideScene scene = over_obstacles(random);
  Detection detection, of_rigid;
  const DetectionOptions wide{.margin = 0.02};
  std::vector<Index> bodies(scene.object.size(), -1);
  std::vector<std::uint8_t> moves = scene.moves;
  for (std::size_t v = 0; v < bodies.size(); ++v) {  // every second object; all of it moves
    if (scene.object[v] % 2 == 0) continue;
    bodies[v] = scene.object[v];
    moves[v] = 1;
  }
  const CollisionSurface rigid = make_surface(scene.triangles, scene.object, moves, bodies);
  Candidates expected = detect(scene, make_surface(scene.triangles, scene.object, moves), wide, detection);
  const Index all = expected.size();
  const auto within_one = [&](ContactKind kind) {
    return [&, kind](Pair pair) {
      const auto v = stencil(rigid, kind, pair);
      return bodies[v[0]] >= 0 && bodies[v[0]] == bodies[v[3]];
    };
  };
  std::erase_if(expected.vertex_face, within_one(ContactKind::vertex_face));
  std::erase_if(expected.edge_edge, within_one(ContactKind::edge_edge));
  EXPECT_LT(expected.size(), all);
  EXPECT_GT(expected.size(), 0);
  const Candidates found = detect(scene, rigid, wide, of_rigid);
  EXPECT_EQ(found.vertex_face, expected.vertex_face);
  EXPECT_EQ(found.edge_edge, expected.edge_edge);
}

TEST(Candidates, NoneWhereNothingMovesAndNoneWithoutTriangles) {
  Random random(3);
  CollideScene scene = random_soup(random);
  std::fill(scene.moves.begin(), scene.moves.end(), 0);
  Detection detection, of_nothing;
  EXPECT_EQ(detect(scene, scene.surface(), {}, detection).size(), 0);
  EXPECT_EQ(detect({}, CollideScene{}.surface(), {}, of_nothing).size(), 0);
}

TEST(Candidates, OfPositionsThatAreNotNumbersDoNotCrash) {
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    Random random(3);
    CollideScene scene = random_soup(random);
    for (std::size_t i = 0; i < scene.x.size(); i += 5) scene.x[i][i % 3] = bad;
    Detection detection;
    Candidates found;
    const CollisionSurface surface = scene.surface();
    for (int i = 0; i < 2; ++i) found = detect(scene, surface, {}, detection);
    EXPECT_GT(found.size(), 0);
  }
}

TEST(Bvh, ABoxOfWhatIsNotANumberIsEverywhere) {
  CollideScene scene;
  scene.add({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}});
  scene.add({{7, 7, 7}, {8, 7, 7}, {7, 8, 7}}, {{0, 1, 2}});
  scene.add({{-7, 7, 7}, {-8, 7, 7}, {-7, 8, 7}}, {{0, 1, 2}});
  const CollisionSurface surface = scene.surface();
  for (int axis = 0; axis < 3; ++axis) {
    CollideScene lost = scene;
    for (int k = 0; k < 3; ++k) lost.x[k][axis] = std::nan("");
    const auto boxes = [&] {
      std::vector<Box> all(3);
      for (Index t = 0; t < 3; ++t) {
        all[t].low << lost.x[3 * t].array(), 0;
        all[t].high = all[t].low;
      }
      return all;
    }();
    Bvh bvh;
    build(surface, boxes, 0, bvh);
    const BvhNode &nowhere = bvh.nodes[bvh.leaf_of_triangle[0]], &root = bvh.nodes[0];
    EXPECT_EQ(nowhere.low[axis], -std::numeric_limits<float>::infinity());
    EXPECT_EQ(root.high[axis], std::numeric_limits<float>::infinity());
    BvhNode none = nowhere;
    none.low[axis] = none.high[axis] = std::numeric_limits<float>::quiet_NaN();
    BvhNode here = nowhere;
    here.low[axis] = here.high[axis] = 3;
    EXPECT_TRUE(overlap(none, here));
    EXPECT_TRUE(overlap(here, none));
  }
}

TEST(LookUpAgain, LeavesNothingEscapedButWhatIsNotFinite) {
  Random random(3);
  CollideScene scene = random_soup(random);
  const CollisionSurface surface = scene.surface();
  for (const double far : {1e3, 1e300, std::numeric_limits<double>::infinity(), std::nan("")}) {
    Detection detection;
    Candidates candidates = detect(scene, surface, {}, detection), added;
    std::vector<Vec3> x1 = scene.x;
    x1[5][1] = far;
    std::vector<Index> escaped;
    find_escaped(surface, stacked(x1), detection, escaped);
    EXPECT_EQ(escaped, std::vector<Index>{5});
    look_up_again(surface, escaped, stacked(scene.x), stacked(x1), {}, detection, candidates, added);
    find_escaped(surface, stacked(x1), detection, escaped);
    EXPECT_EQ(escaped.empty(), std::isfinite(far)) << far;
    EXPECT_EQ(added.size() > 0, std::isfinite(far)) << far;
  }
}

TEST(Reach, ContainsNothingThatIsNotANumber) {
  const Box box{Eigen::Array4d(-1, -1, -1, 0), Eigen::Array4d(1, 1, 1, 0)};
  EXPECT_TRUE(contains(box, {1, -1, 0.5}));
  for (int axis = 0; axis < 3; ++axis) {
    for (const double bad : {1.0000001, -1.0000001, std::nan(""), std::numeric_limits<double>::infinity()}) {
      Vec3 p(0, 0, 0);
      p[axis] = bad;
      EXPECT_FALSE(contains(box, p));
    }
  }
}

// Detection allocates while its buffers grow; after that they stay where they are.
TEST(Candidates, BuffersAreKeptFromStepToStep) {
  Random random(3);
  CollideScene scene = layered_sheets(random);
  set_velocities(scene, random, 1);
  const CollisionSurface surface = scene.surface();
  const VecX x = stacked(scene.x), v = stacked(scene.v);
  Detection detection;
  Candidates found;
  const auto places = [&] {
    std::vector<const void*> all{found.vertex_face.data(), found.edge_edge.data(), detection.bvh.nodes.data(),
                                 detection.reach.edge.data(), detection.work_items.data()};
    for (const Detection::Work& work : detection.work) {
      all.push_back(work.vertex_face.data());
      all.push_back(work.edge_edge.data());
    }
    return all;
  };
  const auto two_steps = [&] {
    find_candidates(surface, {x, v, 2 * dt}, {}, detection, found);
    find_candidates(surface, {x, v, dt}, {}, detection, found);
  };
  two_steps();
  two_steps();
  const auto before = places();
  two_steps();
  EXPECT_EQ(detection.rebuilds, 1);
  EXPECT_EQ(places(), before);
}

// Windows of asynchronous contact give boxes: of other lengths, and some of them twice.
TEST(Candidates, OfGivenBoxesAreTheSameWhateverWasThereBefore) {
  Random random(17);
  CollideScene scene = layered_sheets(random);
  set_velocities(scene, random, 2);
  const CollisionSurface surface = scene.surface();
  const VecX v = stacked(scene.v);
  Detection kept;
  std::size_t most = 0;
  Index searches = 0;
  for (int window = 0; window < 60; ++window) {
    const double seconds = dt * (window % 7 == 3 ? 0.25 : 1), ahead = window % 20 < 10 ? 1 : 8;
    const DetectionOptions options{.separation = window % 30 < 15 ? 0.01 : 0.02};
    std::vector<Box> boxes;
    for (std::size_t i = 0; i < scene.x.size(); ++i) {
      const Vec3 a = scene.x[i], b = a + seconds * scene.v[i];
      boxes.push_back({Eigen::Array4d(std::min(a[0], b[0]), std::min(a[1], b[1]), std::min(a[2], b[2]), 0),
                       Eigen::Array4d(std::max(a[0], b[0]), std::max(a[1], b[1]), std::max(a[2], b[2]), 0)});
    }
    const VecX x = stacked(scene.x);
    Candidates found, expected;
    Detection fresh;
    const std::vector<Pair> before = kept.near.edge_edge;
    find_candidates(surface, boxes, {x, v, ahead * seconds}, options, kept, found);
    find_candidates(surface, boxes, {x, v, seconds}, options, fresh, expected);
    expect_equal(found, expected, "of this window");
    most = std::max(most, found.edge_edge.size());
    searches += before != kept.near.edge_edge ? 1 : 0;
    if (window % 5 != 4) advance(scene, seconds);
  }
  EXPECT_GT(most, 100);
  EXPECT_LT(searches, 50);  // what was found lasts
}

TEST(Candidates, AreSortedWithoutDuplicatesAndShareNoVertex) {
  Random random(9);
  const CollideScene scene = folding_sheet(random);
  const CollisionSurface surface = scene.surface();
  Detection detection;
  const Candidates found = detect(scene, surface, {.margin = 0.1}, detection);
  const auto not_ascending = [](Pair a, Pair b) { return !(a < b); };
  EXPECT_EQ(std::adjacent_find(found.vertex_face.begin(), found.vertex_face.end(), not_ascending),
            found.vertex_face.end());
  EXPECT_EQ(std::adjacent_find(found.edge_edge.begin(), found.edge_edge.end(), not_ascending), found.edge_edge.end());
  const auto distinct = [&](ContactKind kind, Pair pair) {
    auto v = stencil(surface, kind, pair);
    std::sort(v.begin(), v.end());
    return std::adjacent_find(v.begin(), v.end()) == v.end();
  };
  for (const Pair p : found.vertex_face) EXPECT_TRUE(distinct(ContactKind::vertex_face, p));
  for (const Pair p : found.edge_edge) EXPECT_TRUE(p.first < p.second && distinct(ContactKind::edge_edge, p));
}

TEST(Candidates, DoNotDependOnTheNumberOfThreads) {
  for (const auto& [name, make] : all_scenes) {
    Random random(6);
    CollideScene scene = make(random);
    set_velocities(scene, random, 5);
    const CollisionSurface surface = scene.surface();
    std::vector<Candidates> found;
    for (const int threads : {1, 2, 3}) {
      set_thread_count(threads);
      Detection detection;
      found.push_back(detect(scene, surface, {}, detection));
    }
    set_thread_count(1);
    expect_equal(found[1], found[0], name);
    expect_equal(found[2], found[0], name);
  }
}

TEST(Candidates, DoNotDependOnTheHistoryOfTheTree) {
  Random random(6);
  CollideScene scene = layered_sheets(random);
  set_velocities(scene, random, 5);
  const CollisionSurface surface = scene.surface();
  Detection old, fresh;
  detect(scene, surface, {.rebuild_ratio = 1e9}, old);
  advance(scene, 0.1);
  const Candidates by_old = detect(scene, surface, {.rebuild_ratio = 1e9}, old);
  expect_equal(by_old, detect(scene, surface, {}, fresh), "old tree and new tree");
}

// Along a motion of many small steps, in which some vertices leave their skins and some are thrown out of their
// reach.
TEST(Candidates, OfEveryStepAreThoseOfAFreshSearch) {
  for (const auto& [name, make] : all_scenes) {
    Random random(8);
    CollideScene scene = make(random);
    set_velocities(scene, random, 0.3);
    const CollisionSurface surface = scene.surface();
    const DetectionOptions options{.margin = 1e-3};
    Detection kept;
    Index searched_in_part = 0;
    for (int step = 0; step < 60; ++step) {
      for (std::size_t i = static_cast<std::size_t>(step) % 50; i < scene.v.size(); i += 50)
        scene.v[i] += random_vector(random, 0.5);
      Detection fresh;
      Candidates by_kept = detect(scene, surface, options, kept), by_fresh = detect(scene, surface, options, fresh);
      ASSERT_NO_FATAL_FAILURE(expect_equal(by_kept, by_fresh, name)) << step;
      if (kept.renewed > 0) ++searched_in_part;
      std::vector<Vec3> x1 = scene.x;
      for (std::size_t i = 0; i < x1.size(); ++i) x1[i] += dt * scene.v[i];
      if (step % 9 == 4) x1[0] += Vec3::Constant(0.02);
      std::vector<Index> escaped;
      Candidates added;
      find_escaped(surface, stacked(x1), kept, escaped);
      look_up_again(surface, escaped, stacked(scene.x), stacked(x1), options, kept, by_kept, added);
      look_up_again(surface, escaped, stacked(scene.x), stacked(x1), options, fresh, by_fresh, added);
      expect_equal(by_kept, by_fresh, name);
      scene.x = x1;
    }
    EXPECT_GT(searched_in_part, 5) << name;
  }
}

TEST(Candidates, TreeIsRebuiltOnceItHasDegraded) {
  Random random(6);
  CollideScene scene = random_soup(random);
  const CollisionSurface surface = scene.surface();
  Detection detection;
  detect(scene, surface, {}, detection);
  for (int i = 0; i < 5; ++i) detect(scene, surface, {}, detection);
  EXPECT_EQ(detection.rebuilds, 1);
  for (std::size_t i = 0; i < scene.x.size(); i += 3) {  // every triangle to another place
    const Vec3 shift = random_vector(random, 3);
    for (std::size_t k = 0; k < 3; ++k) scene.x[i + k] += shift;
  }
  detect(scene, surface, {}, detection);
  EXPECT_EQ(detection.rebuilds, 2);
  EXPECT_DOUBLE_EQ(detection.bvh.cost, detection.bvh.built_cost);
}

// Wherever in their reaches the vertices of a pair go that was left out: they stay apart.
TEST(Candidates, PairsThatAreLeftOutCannotMeet) {
  for (const auto& [name, make] : all_scenes) {
    Random random(8);
    CollideScene scene = make(random);
    set_velocities(scene, random, 5);
    const CollisionSurface surface = scene.surface();
    const DetectionOptions options{.separation = 1e-4};
    const auto boxes = reach_boxes(scene, dt, options);
    Detection detection;
    const Candidates kept = detect(scene, surface, options, detection);
    const auto somewhere = [&](Index v) {
      Vec3 p;  // the corners are where pairs come nearest
      for (int c = 0; c < 3; ++c) p[c] = random.next() % 2 != 0 ? boxes[v].low[c] : boxes[v].high[c];
      return p;
    };
    for (const Pair pair : all_pairs(surface).vertex_face) {
      if (std::binary_search(kept.vertex_face.begin(), kept.vertex_face.end(), pair)) continue;
      const auto v = stencil(surface, ContactKind::vertex_face, pair);
      const auto near = closest_point_triangle(somewhere(v[0]), somewhere(v[1]), somewhere(v[2]), somewhere(v[3]));
      ASSERT_GT(near.distance, 1e-4) << name;
    }
    for (const Pair pair : all_pairs(surface).edge_edge) {
      if (std::binary_search(kept.edge_edge.begin(), kept.edge_edge.end(), pair)) continue;
      const auto v = stencil(surface, ContactKind::edge_edge, pair);
      const auto near = closest_segment_segment(somewhere(v[0]), somewhere(v[1]), somewhere(v[2]), somewhere(v[3]));
      ASSERT_GT(near.distance, 1e-4) << name;
    }
  }
}

TEST(LookUpAgain, FindsWhatEscapedVerticesBringAndNothingElse) {
  for (const auto& [name, make] : all_scenes) {
    Random random(12);
    CollideScene scene = make(random);
    set_velocities(scene, random, 0.5);
    const CollisionSurface surface = scene.surface();
    const DetectionOptions options;
    Detection detection;
    Candidates candidates = detect(scene, surface, options, detection), added;
    const Candidates before = candidates;
    auto boxes = reach_boxes(scene, dt, options);

    // Most vertices move as foreseen, every seventh is thrown.
    std::vector<Vec3> x1 = scene.x;
    std::vector<Index> thrown, escaped;
    for (std::size_t i = 0; i < x1.size(); ++i) {
      x1[i] += dt * scene.v[i];
      if (i % 7 != 0) continue;
      x1[i] = scene.x[i] + Vec3::Constant(0.04) + random_vector(random, 0.02);
      thrown.push_back(static_cast<Index>(i));
      const Vec3 end = scene.x[i] + options.growth * (x1[i] - scene.x[i]);
      const Vec3 margin = Vec3::Constant(options.margin);
      boxes[i].low = boxes[i].low.cwiseMin(end - margin).cwiseMin(scene.x[i] - margin);
      boxes[i].high = boxes[i].high.cwiseMax(end + margin).cwiseMax(scene.x[i] + margin);
    }
    find_escaped(surface, stacked(x1), detection, escaped);
    EXPECT_EQ(escaped, thrown) << name;
    look_up_again(surface, escaped, stacked(scene.x), stacked(x1), options, detection, candidates, added);
    const Candidates expected = united(before, brute_force(surface, boxes, 0));
    expect_equal(candidates, expected, name);
    EXPECT_GT(added.size(), 0) << name;
    Candidates difference;
    std::set_difference(expected.vertex_face.begin(), expected.vertex_face.end(), before.vertex_face.begin(),
                        before.vertex_face.end(), std::back_inserter(difference.vertex_face));
    std::set_difference(expected.edge_edge.begin(), expected.edge_edge.end(), before.edge_edge.begin(),
                        before.edge_edge.end(), std::back_inserter(difference.edge_edge));
    expect_equal(added, difference, name);
    find_escaped(surface, stacked(x1), detection, escaped);
    EXPECT_TRUE(escaped.empty());
  }
}

}  // namespace candidates_test
}  // namespace sim
