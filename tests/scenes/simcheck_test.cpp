// simcheck as its users meet it, on result files made by hand.
#include <gtest/gtest.h>
#include <hdf5.h>

#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>

#include "scenes/result_maker.hpp"
#include "support/program_test.hpp"

namespace sim {
namespace simcheck_test {

using Json = nlohmann::json;

using namespace sim::test;

class Simcheck : public test::ProgramTest {
 protected:
  test::Outcome simcheck(const std::string& arguments) const { return run_here(SIMCHECK_PROGRAM, arguments); }

  Json json(const std::string& arguments, int exit_status = 0) const {
    const test::Outcome outcome = simcheck(arguments + " --json");
    EXPECT_EQ(outcome.exit_status, exit_status) << outcome.text;
    const Json parsed = Json::parse(outcome.text, nullptr, false);
    EXPECT_FALSE(parsed.is_discarded()) << outcome.text;
    return parsed;
  }
  Json judge(const Maker& maker, int exit_status = 0) const {
    maker.write(path("out.h5"));
    return json("out.h5", exit_status);
  }
  // What is not as the run has written it.
  void change(const char* dataset, const std::function<void(std::vector<double>&)>& with) const {
    const hid_t file = H5Fopen(path("out.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    const hid_t set = H5Dopen(file, dataset, H5P_DEFAULT), space = H5Dget_space(set);
    std::vector<double> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
    EXPECT_GE(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
    with(values);
    EXPECT_GE(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
    H5Sclose(space);
    H5Dclose(set);
    H5Fclose(file);
  }
};

TEST_F(Simcheck, BoxesThatOverlapInOneFrameAreFoundThere) {
  crossing_boxes().write(path("out.h5"));
  const test::Outcome outcome = simcheck("out.h5");
  EXPECT_EQ(outcome.exit_status, 2);
  expect_contains(outcome.text, "left with right");
  expect_contains(outcome.text,
                  "verdict: INTERSECTS in 1 frames (the first is 2, the worst 2), 4 of 4 frames judged");

  const Json j = json("out.h5", 2);
  EXPECT_EQ(j["verdict"], "intersects");
  EXPECT_EQ(j["totals"]["intersecting_frames"], 1);
  EXPECT_EQ(j["totals"]["first_intersecting_frame"], 2);
  const Json& frames = j["frames"];
  EXPECT_GT(frames["intersections"][2], 0);
  for (const int clean : {0, 1, 3}) EXPECT_EQ(frames["intersections"][clean], 0);
  EXPECT_NEAR(frames["distance"][0], 0.5, 1e-15);
  EXPECT_EQ(frames["distance"][2], 0);
  EXPECT_NEAR(frames["distance"][3], 0.2, 1e-15);
  ASSERT_EQ(j["intersections"].size(), 1U);
  EXPECT_EQ(j["intersections"][0]["frame"], 2);
  EXPECT_EQ(j["intersections"][0]["objects"], (Json{"left", "right"}));
  EXPECT_NEAR(j["intersections"][0]["depth"], 0.1, 1e-15);
  EXPECT_LT(j["intersections"][0]["triangles"][0][0], 12);
  EXPECT_GE(j["intersections"][0]["triangles"][0][1], 12);
}

TEST_F(Simcheck, ATipThroughAFaceIsThreePairsAndItsDepth) {
  Maker maker;
  maker.add("left", flat_top());
  maker.add("right", tip_down(0.25));
  maker.frame({Vec3::Zero(), Vec3::Zero()});
  maker.frame({Vec3::Zero(), Vec3(0, 0, -0.25)});         // exactly in the face
  maker.frame({Vec3::Zero(), Vec3(0, 0, -0.25 - 1e-3)});  // through it
  const Json j = judge(maker, 2);
  EXPECT_EQ(j["frames"]["intersections"], (Json{0, 0, 3}));
  EXPECT_EQ(j["frames"]["distance"][0], 0.25);
  EXPECT_EQ(j["frames"]["distance"][1], 0);
  EXPECT_NEAR(j["intersections"][0]["depth"], 1e-3, 1e-15);
  // All three have the upper face, triangle 0, and the faces round the tip.
  EXPECT_EQ(j["intersections"][0]["triangles"], (Json{{0, 4}, {0, 5}, {0, 6}}));
}

TEST_F(Simcheck, TouchingInAVertexAnEdgeOrACornerIsClean) {
  Maker maker;
  maker.add("left", unit_box(2));
  maker.add("right", unit_box(2));
  maker.frame({Vec3::Zero(), Vec3(1, 1, 0)});
  maker.frame({Vec3::Zero(), Vec3(1, 1, 1)});
  const Json j = judge(maker);
  EXPECT_EQ(j["verdict"], "clean");
  EXPECT_EQ(j["frames"]["distance"], (Json{0, 0}));
}

TEST_F(Simcheck, FacesThatCoverEachOtherInOnePlaneIntersectWithoutDepth) {
  Maker maker;
  maker.add("left", unit_box());
  maker.add("right", unit_box());
  maker.frame({Vec3::Zero(), Vec3(0, 0, 1)});
  const Json j = judge(maker, 2);
  EXPECT_EQ(j["intersections"][0]["depth"], 0);
  EXPECT_EQ(j["intersections"][0]["way_out"], 0);
}

TEST_F(Simcheck, AnObjectThroughItselfIsFoundAndHasNoDistance) {
  Mesh both = flat_top();
  const Mesh tip = tip_down(0.1);
  both.vertices.insert(both.vertices.end(), tip.vertices.begin(), tip.vertices.end());
  both.tets.push_back({4, 5, 6, 7});
  for (const Triangle& t : tip.triangles) both.triangles.push_back({t[0] + 4, t[1] + 4, t[2] + 4});
  Maker maker;
  maker.scene = one_scene;
  maker.add("cube", both);
  maker.frame({Vec3::Zero()});
  block(maker.frame({Vec3::Zero()}).x, 4)[2] = -0.01;  // the tip alone is pushed down
  maker.write(path("out.h5"));
  const Json j = json("out.h5", 2);
  EXPECT_EQ(j["frames"]["intersections"], (Json{0, 3}));
  EXPECT_TRUE(j["frames"]["distance"][0].is_null());
  EXPECT_EQ(j["intersections"][0]["objects"], (Json{"cube", "cube"}));
  expect_contains(simcheck("out.h5").text, "cube with itself");
}

TEST_F(Simcheck, ABoxWhollyInsideAnotherIntersectsWithoutAPairOfTriangles) {
  Maker maker;
  maker.add("left", unit_box());
  maker.add("right", generate(BoxShape{.size = {0.5, 0.5, 0.5}, .cells = {1, 1, 1}}));
  maker.frame({Vec3::Zero(), Vec3(5, 0, 0)});
  maker.frame({Vec3::Zero(), Vec3(0.125, 0, 0)});
  const Json j = judge(maker, 2);
  EXPECT_EQ(j["totals"]["intersecting_frames"], 1);
  EXPECT_EQ(j["totals"]["worst_frame"], 1);
  EXPECT_EQ(j["frames"]["intersections"], (Json{0, 0}));
  EXPECT_EQ(j["frames"]["distance"][1], 0);
  ASSERT_EQ(j["intersections"].size(), 1U);
  EXPECT_EQ(j["intersections"][0]["inner"], "right");
  EXPECT_EQ(j["intersections"][0]["way_out"], 0.625);
  expect_contains(simcheck("out.h5").text, "at most 0.625 m; right inside the other");
}

TEST_F(Simcheck, BoxesWhoseMeshLinesLieInEachOthersFacesIntersect) {
  Maker maker;
  maker.add("left", unit_box(4));
  maker.add("right", generate(BoxShape{.size = {0.5, 0.5, 0.5}, .cells = {2, 2, 2}}));
  maker.frame({Vec3::Zero(), Vec3(0, 0, 0.875)});
  maker.frame({Vec3::Zero(), Vec3(0, 0, 0.625)});
  const Json j = judge(maker, 2);
  EXPECT_EQ(j["frames"]["intersections"][0], 0);
  EXPECT_GT(j["frames"]["intersections"][1], 0);
  EXPECT_EQ(j["intersections"][0]["depth"], 0);
  EXPECT_EQ(j["intersections"][0]["way_out"], 0.125);
  EXPECT_TRUE(j["intersections"][0]["inner"].is_null());
}

TEST_F(Simcheck, ObstaclesMayIntersectEachOtherButNotWhatMoves) {
  Maker maker;
  maker.scene = R"({ "meshes": { "box": { "generate": "box" } }, "objects": [
    { "name": "left", "type": "fixed", "mesh": "box" }, { "name": "right", "type": "fixed", "mesh": "box" } ] })";
  maker.add("left", unit_box(), ObjectType::fixed);
  maker.add("right", unit_box(), ObjectType::scripted);
  maker.frame({Vec3::Zero(), Vec3(0.9, 0.2, 0.1)});
  const Json j = judge(maker);
  EXPECT_TRUE(j["frames"]["kinetic_energy"][0].is_null());
  EXPECT_TRUE(j["frames"]["distance"][0].is_null());
  expect_contains(simcheck("out.h5").text, "no object is deformable or rigid");
  maker.model.objects[1].type = ObjectType::deformable;
  maker.model.objects[1].material = 0;
  EXPECT_GT(judge(maker, 2)["totals"]["intersections"], 0);
}

// The triangle of this half-space reaches to (1.7, -1, 0) at the farthest.
TEST_F(Simcheck, WhatIsBehindAHalfSpaceIntersectsHoweverFarFromItsTriangle) {
  Maker maker;
  maker.add("cube", unit_box());
  maker.add("ground", generate(HalfSpaceShape{}), ObjectType::fixed);
  maker.model.objects.back().half_space = true;
  for (const double z : {2.0, 0.45, -70.0}) maker.frame({Vec3(100, 0, z), Vec3::Zero()});
  const Json j = judge(maker, 2);
  EXPECT_EQ(j["frames"]["intersections"][0], 0);
  EXPECT_GT(j["frames"]["intersections"][1], 0);
  EXPECT_GT(j["frames"]["intersections"][2], 0);
  EXPECT_EQ(j["intersections"][0]["objects"], (Json{"cube", "ground"}));
  EXPECT_NEAR(j["intersections"][0]["depth"], 0.05, 1e-15);
}

TEST_F(Simcheck, SegmentsThroughABodyAndPointsInsideItAreFound) {
  Maker maker;
  maker.add("cube", unit_box(2));
  maker.add("wire", generate(SegmentsShape{{{-9, 0.1, 0.2}, {9, 0.1, 0.2}}, {}}), ObjectType::fixed);
  maker.add("point", generate(PointsShape{{{0.1, 0.2, 5.3}}}), ObjectType::fixed);
  for (const double z : {1.5, 0.3, 5.1, 8.0}) maker.frame({Vec3(0, 0, z), Vec3::Zero(), Vec3::Zero()});
  const Json j = judge(maker, 2);
  EXPECT_EQ(j["totals"]["intersecting_frames"], 2);
  EXPECT_EQ(j["intersections"][0]["frame"], 1);
  EXPECT_EQ(j["intersections"][0]["objects"], (Json{"cube", "wire"}));
  EXPECT_EQ(j["intersections"][1]["frame"], 2);
  EXPECT_EQ(j["intersections"][1]["objects"], (Json{"cube", "point"}));
}

TEST_F(Simcheck, PinnedVerticesOnAWallAreNoIntersection) {
  Maker maker;
  maker.scene = R"({ "materials": { "m": {} }, "meshes": { "box": { "generate": "box" } }, "objects": [
    { "name": "left", "type": "fixed", "mesh": "box" },
    { "name": "bar", "mesh": "box", "material": "m", "scatter": { "count": 1, "box": [[0, 0, 0], [3, 3, 3]] },
      "boundary": [ { "plane": { "point": [0.5, 0, 0], "normal": [-1, 0, 0] } } ] } ] })";
  maker.add("left", unit_box(), ObjectType::fixed);
  Mesh bar = unit_box(2);
  for (Vec3& x : bar.vertices) x += Vec3(1, 0, 0);
  maker.add("bar.1", bar);
  maker.frame({Vec3::Zero(), Vec3::Zero()});
  const Json j = judge(maker);
  EXPECT_EQ(j["model"]["told_vertices"], 9);
  EXPECT_EQ(j["totals"]["supports"], true);
  maker.model.objects[1].name = "another";  // not the scene's: nothing is known of pins
  const Json unknown = judge(maker, 2);
  expect_contains(unknown["notes"].dump(), "pinned vertices are not known");
}

TEST_F(Simcheck, MomentumAndEnergyOfARigidCubeAreThoseWorkedOutByHand) {
  Maker maker = falling_cube();
  rigid_frame(maker, {0, 0, 2}, {1, 2, 3}, 2);
  rigid_frame(maker, {0.1, 0.2, 2.25}, {1, 2, 2}, 2);   // free fall: v = 3 - 10 * 0.1
  rigid_frame(maker, {0.2, 0.4, 2.5}, {1.5, 2, 1}, 2);  // pushed along x
  const Json j = judge(maker);
  EXPECT_NEAR(j["model"]["mass"], 1000, 1e-10);
  const Json& f = j["frames"];
  // Spin: sum m r^2 = 1000 / 2 kg m^2, times 2^2 / 2.
  EXPECT_NEAR(f["kinetic_energy"][0], 500 * 14 + 1000, 1e-9);
  EXPECT_NEAR(f["kinetic_energy"][1], 500 * 9 + 1000, 1e-9);
  EXPECT_NEAR(f["potential_energy"][0], 1000 * 10 * 2, 1e-9);
  EXPECT_NEAR(f["potential_energy"][2], 1000 * 10 * 2.5, 1e-9);
  EXPECT_NEAR(f["elastic_energy"][1], 0, 1e-9);
  const std::array<double, 3> p0{1000, 2000, 3000};
  // c x p, and of the spin sum m r x (w x r)
  const std::array<double, 3> l1{0.2 * 2000 - 2.25 * 2000 - 2 * tilt, 2.25 * 1000 - 0.1 * 2000 - 2 * tilt,
                                 0.1 * 2000 - 0.2 * 1000 + 2 * 500};
  const std::array<double, 3> unexplained{500, 0, 0};
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(f["momentum"][0][k], p0[k], 1e-9);
    EXPECT_NEAR(f["angular_momentum"][1][k], l1[k], 1e-9);
    EXPECT_NEAR(f["unexplained_momentum"][1][k], 0, 1e-9);
    EXPECT_NEAR(f["unexplained_momentum"][2][k], unexplained[k], 1e-9);
  }
  EXPECT_NEAR(f["energy_change"][1], 500 * (9 - 14) + 1e4 * 0.25, 1e-9);
  EXPECT_NEAR(j["totals"]["energy_change"], 500 * (1.5 * 1.5 + 4 + 1 - 14) + 1e4 * 0.5, 1e-9);
  EXPECT_NEAR(j["totals"]["unexplained_momentum"][0], 500, 1e-9);
  EXPECT_EQ(j["totals"]["supports"], false);
}

TEST_F(Simcheck, ElasticEnergyOfAStretchedCubeIsThatOfTheClosedForm) {
  Maker maker = falling_cube();
  State& state = maker.frame({Vec3::Zero()});
  for (Index i = 0; i < 8; ++i) state.x[3 * i] *= 1.1;
  // mu e^2 V with mu = E / 2 where poisson is 0
  EXPECT_NEAR(judge(maker)["frames"]["elastic_energy"][0], 5e4 * 0.01, 1e-9);
}

TEST_F(Simcheck, RecordsThatContradictTheFramesAreReported) {
  Maker maker = falling_cube();
  rigid_frame(maker, {0, 0, 2}, {1, 2, 3}, 2);
  rigid_frame(maker, {0.1, 0.2, 2.25}, {1, 2, 2}, 2);
  StepReport& row = maker.row(10);
  row.kinetic_energy = 5500;
  row.potential_energy = 22500;
  row.momentum = {1000, 2000, 2000};
  row.angular_momentum = {-4100 - 2 * tilt, 2050 - 2 * tilt, 1000};
  Json j = judge(maker);
  EXPECT_EQ(j["totals"]["compared_frames"], 1);
  for (const char* name :
       {"time", "kinetic_energy", "elastic_energy", "potential_energy", "momentum", "angular_momentum"})
    EXPECT_LT(j["totals"]["disagreement"][name]["relative"], 1e-12) << name;

  row.momentum[1] += 3;
  j = judge(maker, 4);
  EXPECT_EQ(j["verdict"], "unsound");
  // Of sum m |v| = 1000 kg at about 3 m/s and the spin's 1.4 m/s on top.
  EXPECT_GT(j["totals"]["disagreement"]["momentum"]["relative"], 3 / (1000 * (3 + 1.42)));
  EXPECT_LE(j["totals"]["disagreement"]["momentum"]["relative"], 3 / (1000 * 3.0));
  EXPECT_EQ(j["totals"]["disagreement"]["momentum"]["frame"], 1);
  EXPECT_LT(j["totals"]["disagreement"]["kinetic_energy"]["relative"], 1e-12);
  expect_contains(simcheck("out.h5").text, "(momentum, frame 1): THEY CONTRADICT EACH OTHER");

  row.momentum[1] -= 3;
  row.status = StepStatus::iteration_limit;  // accepted all the same: there is a frame of it
  j = judge(maker);
  EXPECT_EQ(j["totals"]["compared_frames"], 1);
  EXPECT_EQ(j["run"]["step_statuses"], (Json{{"iteration limit", 1}}));
  row.status = StepStatus::converged;
  row.kinetic_energy = std::nan("");
  judge(maker, 4);
}

// A tet of height 1 whose tip goes up by 0.75, then through the face above it to the same distance behind.
TEST_F(Simcheck, TetrahedraTurnedInsideOutAreNotClean) {
  Maker maker;
  maker.add("left", unit_box());
  maker.add("right", tip_down(5));
  for (const double up : {0.0, 0.75, 2.0, 1.5, 0.0}) block(maker.frame({Vec3::Zero(), Vec3::Zero()}).x, 8)[2] += up;
  Json j = judge(maker, 5);
  EXPECT_EQ(j["verdict"], "inverted");
  EXPECT_EQ(j["exit_status"], 5);
  const std::array<double, 5> volumes{1, 0.25, -1, -0.5, 1};
  for (std::size_t k = 0; k < volumes.size(); ++k) EXPECT_NEAR(j["frames"]["min_volume_ratio"][k], volumes[k], 1e-12);
  EXPECT_EQ(j["frames"]["inverted"], (Json{0, 0, 1, 1, 0}));
  EXPECT_NEAR(j["totals"]["min_volume_ratio"], -1, 1e-12);
  EXPECT_EQ(j["totals"]["min_volume_frame"], 2);
  EXPECT_EQ(j["totals"]["min_volume_object"], "right");
  EXPECT_EQ(j["totals"]["min_volume_tet"], 0);  // counted within its object
  EXPECT_EQ(j["totals"]["inverted_frames"], 2);
  EXPECT_EQ(j["totals"]["first_inverted_frame"], 2);
  EXPECT_EQ(j["totals"]["most_inverted"], 1);
  const std::string text = simcheck("out.h5").text;
  expect_contains(text, "volumes: the smallest is -1 of that at rest, in frame 2, tetrahedron 0 of right");
  expect_contains(text, "TURNED INSIDE OUT: up to 1 tetrahedra in 2 frames, the first is 2");
  expect_contains(text, "verdict: INVERTED, nothing overlaps, but tetrahedra are turned inside out in 2 frames");
  EXPECT_EQ(simcheck("out.h5 --frames 0:2").exit_status, 0);

  maker.row(10).kinetic_energy = 5;  // contradicts frame 1
  EXPECT_EQ(judge(maker, 4)["totals"]["inverted_frames"], 2);
  maker.frames[4].x[2] += 10;  // a corner of the box through the opposite faces
  j = judge(maker, 2);
  EXPECT_EQ(j["verdict"], "intersects");
  EXPECT_EQ(j["totals"]["inverted_frames"], 3);
}

TEST_F(Simcheck, VolumesAreThoseOfDeformableObjects) {
  Maker maker = crossing_boxes();
  maker.frames.resize(2);
  EXPECT_NEAR(judge(maker)["totals"]["min_volume_ratio"], 1, 1e-12);
  for (Object& object : maker.model.objects) object.type = ObjectType::scripted;
  const Json j = judge(maker);
  EXPECT_TRUE(j["totals"]["min_volume_ratio"].is_null());
  EXPECT_TRUE(j["totals"]["min_volume_frame"].is_null());
  EXPECT_EQ(simcheck("out.h5").text.find("volumes:"), std::string::npos);
}

TEST_F(Simcheck, FilesWithoutVelocitiesAreJudgedByTheirPositions) {
  Maker maker = crossing_boxes();
  maker.velocities = false;
  const Json j = judge(maker, 2);
  EXPECT_TRUE(j["frames"]["kinetic_energy"][0].is_null());
  EXPECT_TRUE(j["frames"]["momentum"][0][0].is_null());
  EXPECT_TRUE(j["frames"]["energy_change"][0].is_null());
  EXPECT_TRUE(j["frames"]["elastic_energy"][0].is_number());
  expect_contains(simcheck("out.h5").text, "no velocities");
}

TEST_F(Simcheck, AFileThatIsStillWrittenOrWasKilledIsJudgedAndSaysSo) {
  Maker maker = crossing_boxes();
  maker.frames.resize(2);
  maker.status = "running";
  maker.write(path("out.h5"));
  const test::Outcome outcome = simcheck("out.h5");
  EXPECT_EQ(outcome.exit_status, 0);
  expect_contains(outcome.text, "still going on, or was killed");
  maker.frames.clear();
  maker.write(path("empty.h5"));
  const test::Outcome empty = simcheck("empty.h5");
  EXPECT_EQ(empty.exit_status, 3);
  expect_contains(empty.text, "holds no frame");
}

TEST_F(Simcheck, FramesThatAreNoNumbersAreNotCalledClean) {
  Maker maker = crossing_boxes();
  maker.frames[2].x[5] = std::nan("");
  const Json j = judge(maker, 4);
  EXPECT_EQ(j["verdict"], "unsound");
  EXPECT_EQ(j["totals"]["frames_not_finite"], 1);
  EXPECT_TRUE(j["frames"]["intersections"][2].is_null());
  expect_contains(simcheck("out.h5").text, "1 frames hold numbers that are not finite");
}

TEST_F(Simcheck, EnergyThatIsNotFiniteIsNotCalledClean) {
  Maker maker = falling_cube();
  maker.frame({Vec3(0, 0, 2)});
  maker.frame({Vec3(0, 0, 2)}).v[4] = 1e200;  // a number, whose square is none
  const Json j = judge(maker, 4);
  EXPECT_EQ(j["verdict"], "unsound");
  EXPECT_EQ(j["totals"]["frames_not_finite"], 1);
  EXPECT_EQ(j["frames"]["finite"], (Json{true, false}));
  EXPECT_EQ(j["frames"]["intersections"], (Json{0, 0}));
  EXPECT_TRUE(j["frames"]["kinetic_energy"][1].is_null());
  expect_contains(simcheck("out.h5").text, "energy or momentum not finite");
}

TEST_F(Simcheck, AFileWithoutAReadableSceneIsJudgedByItsGeometry) {
  Maker maker = crossing_boxes();
  maker.scene = "{ \"objects\": 3 }";
  const Json j = judge(maker, 2);
  EXPECT_TRUE(j["model"]["mass"].is_null());
  EXPECT_TRUE(j["frames"]["momentum"][0][0].is_null());
  EXPECT_NEAR(j["frames"]["distance"][0], 0.5, 1e-15);
  expect_contains(j["notes"].dump(), "energy and momentum are not judged");
}

TEST_F(Simcheck, ManyFramesAreShownEvenlyAndAllThatIntersect) {
  Maker maker = crossing_boxes();
  const std::vector<State> four = maker.frames;
  maker.frames.clear();
  for (int k = 0; k < 100; ++k) maker.frames.push_back(four[k == 57 || k == 58 ? 2 : 0]);
  maker.write(path("out.h5"));
  const std::string text = simcheck("out.h5").text;
  expect_contains(text, "\n     57 ");
  expect_contains(text, "\n     58 ");
  expect_contains(text, "\n     99 ");
  expect_contains(text, "of the 100 frames judged are shown: 40 evenly spaced, and every one that intersects");
  EXPECT_LT(std::count(text.begin(), text.end(), '\n'), 55);

  EXPECT_EQ(json("out.h5 --frames 0:57")["totals"]["frames_judged"], 57);
  EXPECT_EQ(json("out.h5 --frames 50::4", 2)["frames"]["frame"],
            (Json{50, 54, 58, 62, 66, 70, 74, 78, 82, 86, 90, 94, 98}));
  EXPECT_EQ(json("out.h5 --frames 98:1000")["frames"]["frame"], (Json{98, 99}));
  EXPECT_EQ(json("out.h5 --frames 57", 2)["frames"]["frame"], Json::array({57}));
}

TEST_F(Simcheck, DriftIsMeasuredFromFrameZeroWhicheverFramesAreJudged) {
  Maker maker = falling_cube();
  rigid_frame(maker, {0, 0, 2}, {1, 2, 3}, 2);
  rigid_frame(maker, {0.1, 0.2, 2.25}, {1, 2, 2}, 2);
  rigid_frame(maker, {0.2, 0.4, 2.5}, {1.5, 2, 1}, 2);
  maker.write(path("out.h5"));
  EXPECT_NEAR(json("out.h5 --frames 2")["totals"]["unexplained_momentum"][0], 500, 1e-9);
}

TEST_F(Simcheck, UsageErrorsExitWithOneAndFileErrorsWithThree) {
  crossing_boxes().write(path("out.h5"));
  for (const char* wrong : {"", "out.h5 --jsn", "out.h5 --frames 1-2", "out.h5 --frames 4", "out.h5 --frames 2:1",
                            "out.h5 --frames 0:4:0", "out.h5 --frames 0:1:1:1", "out.h5 --frames -1",
                            "out.h5 --threads 0", "out.h5 --threads -3"})
    EXPECT_EQ(simcheck(wrong).exit_status, 1) << wrong;
  expect_contains(simcheck("out.h5 --frames 4").text, "the frames 0 to 3");
  expect_contains(simcheck("out.h5 --threads -3").text, "1 to 1024");
  EXPECT_EQ(simcheck("--help").exit_status, 0);
  EXPECT_EQ(simcheck("--version").exit_status, 0);
  write("text.h5", "no HDF5 at all");
  for (const char* unreadable : {"absent.h5", "text.h5", "."}) {
    const test::Outcome outcome = simcheck(unreadable);
    EXPECT_EQ(outcome.exit_status, 3) << unreadable;
    expect_contains(outcome.text, unreadable);
  }
}

TEST_F(Simcheck, ADamagedModelIsRefused) {
  Maker maker = crossing_boxes();
  const auto refused_with = [&](Index vertex, const std::string& words) {
    maker.model.mesh.triangles[3][1] = vertex;
    maker.write(path("out.h5"));
    const test::Outcome outcome = simcheck("out.h5");
    EXPECT_EQ(outcome.exit_status, 3);
    expect_contains(outcome.text, words);
  };
  refused_with(99, "/model/triangles names vertices that are not there: the file is damaged");
  refused_with(9, "object \"left\" has tets or triangles on vertices that are not its own");
}

TEST_F(Simcheck, ACornerThatComesTwiceIsRefused) {
  for (const bool of_triangle : {true, false}) {
    Maker maker = crossing_boxes();
    if (of_triangle) {
      maker.model.mesh.triangles[3] = {0, 0, 1};
    } else {
      maker.model.mesh.tets[3] = {0, 1, 2, 0};
    }
    maker.write(path("out.h5"));
    const test::Outcome outcome = simcheck("out.h5");
    EXPECT_EQ(outcome.exit_status, 3);
    expect_contains(outcome.text, of_triangle ? "object \"left\": triangle 3 has a corner twice"
                                              : "object \"left\": tet 3 has a corner twice");
  }
}

TEST_F(Simcheck, JsonHasTheDocumentedKeysAndDoesNotDependOnThreads) {
  Maker maker = crossing_boxes();
  maker.row(1);
  maker.write(path("out.h5"));
  const Json j = json("out.h5 --threads 1", 2);
  const std::map<std::string, std::vector<std::string>> documented{
      {"totals",
       {"frames_judged",
        "frames_in_file",
        "frames_not_finite",
        "intersecting_frames",
        "intersections",
        "first_intersecting_frame",
        "worst_frame",
        "smallest_distance",
        "smallest_distance_frame",
        "energy_change",
        "energy_in_play",
        "unexplained_momentum",
        "momentum_in_play",
        "angular_momentum_change",
        "angular_momentum_in_play",
        "supports",
        "compared_frames",
        "min_volume_ratio",
        "min_volume_frame",
        "min_volume_object",
        "min_volume_tet",
        "inverted_frames",
        "first_inverted_frame",
        "most_inverted",
        "misplaced",
        "misplaced_frame",
        "misplaced_vertex",
        "disagreement"}},
      {"run", {"status", "reason", "solver", "program_version", "threads", "steps", "step_statuses"}},
      {"model",
       {"objects", "deformable", "rigid", "obstacles", "vertices", "tets", "faces", "mass", "told_vertices"}},
      {"frames",
       {"frame",
        "step",
        "time",
        "finite",
        "intersections",
        "distance",
        "nearest_objects",
        "min_volume_ratio",
        "inverted",
        "kinetic_energy",
        "elastic_energy",
        "potential_energy",
        "energy_change",
        "momentum",
        "angular_momentum",
        "angular_momentum_change",
        "unexplained_momentum",
        "unexplained_energy",
        "unexplained_angular_momentum",
        "disagreement"}},
      {"ledger",
       {"steps",
        "all_steps",
        "energy_in_play",
        "work_prescribed",
        "work_loads",
        "dissipation_friction",
        "dissipation_damping",
        "dissipation_scheme",
        "work_correction",
        "imbalance",
        "imbalance_step",
        "frame_imbalance",
        "frame_imbalance_frame",
        "made",
        "returned_by_friction",
        "returned_by_damping",
        "given_by_scheme",
        "allowed",
        "unborne_steps",
        "first_unborne_step",
        "unborne_force"}}};
  for (const char* key : {"program", "file", "verdict", "exit_status", "intersections", "notes"})
    EXPECT_TRUE(j.contains(key)) << key;
  const std::string page = test::read_source("docs/simcheck.md");
  for (const auto& [group, keys] : documented) {
    EXPECT_EQ(j[group].size(), keys.size()) << group;
    for (const std::string& key : keys) {
      EXPECT_TRUE(j[group].contains(key)) << group << "." << key;
      expect_contains(page, "`" + key + "`");
    }
  }
  for (const auto& [name, column] : j["frames"].items()) EXPECT_EQ(column.size(), 4U) << name;
  EXPECT_EQ(simcheck("out.h5 --json --threads 1").text, simcheck("out.h5 --json --threads 2").text);
}

// The unit cube of 1000 kg in free fall at g = 10 m/s^2, by frames 0 and 10 and the rows of all steps between, with
// velocities `first` and `last`, energies by a straight line, and `given` J of work. What is left is the scheme's.
Maker fall(const Vec3& first, const Vec3& last, double given = 0) {
  Maker maker = falling_cube();
  rigid_frame(maker, {0, 0, 2}, first, 0);
  rigid_frame(maker, {0.1, 0.2, 2.25}, last, 0);
  const double start = 500 * first.squaredNorm(), end = 500 * last.squaredNorm(), fall = 1e4 * 0.25;
  for (int k = 1; k <= 10; ++k) {
    StepReport& row = maker.row(k);
    row.kinetic_energy = start + k * (end - start) / 10;
    row.potential_energy = 2e4 + k * fall / 10;
    row.work_prescribed = given / 10;
    row.dissipation_scheme = row.work_prescribed - (end - start) / 10 - fall / 10;
    row.momentum = 1000 * (first + k * (last - first) / 10);
    row.impulse_external = {0, 0, -100};  // 1000 kg * 10 m/s^2 * 0.01 s
    row.angular_momentum = Vec3(0.1, 0.2, 2.25).cross(row.momentum);
  }
  return maker;
}

TEST_F(Simcheck, ALedgerThatBalancesExplainsEnergyAndMomentum) {
  // v = 3 - 10 * 0.1, up by 0.25: what kinetic energy loses the potential gains.
  const Json j = judge(fall({1, 2, 3}, {1, 2, 2}));
  EXPECT_EQ(j["ledger"]["steps"], 10);
  EXPECT_EQ(j["ledger"]["imbalance"], 0);
  EXPECT_NEAR(j["frames"]["unexplained_energy"][1], 0, 1e-9);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(j["frames"]["unexplained_momentum"][1][k], 0, 1e-9);
  EXPECT_NEAR(j["ledger"]["energy_in_play"], 500 * 14 - 250 + 0, 1e-9);  // of the first row
  EXPECT_NEAR(j["ledger"]["made"]["energy"], 0, 1e-9);
}

TEST_F(Simcheck, ALedgerThatIsNotThatOfItsStepsIsUnsound) {
  Maker maker = fall({1, 2, 3}, {1, 2, 2});
  maker.rows[4].work_prescribed += 1;
  Json j = judge(maker, 4);
  EXPECT_EQ(j["verdict"], "unsound");
  EXPECT_EQ(j["ledger"]["imbalance_step"], 5);
  EXPECT_NEAR(j["ledger"]["imbalance"], 1 / 6751.0, 1e-7);
  EXPECT_NEAR(j["ledger"]["frame_imbalance"], 1, 1e-6);
  EXPECT_NEAR(j["frames"]["unexplained_energy"][1], -1, 1e-9);
  expect_contains(simcheck("out.h5").text, "IT DOES NOT BALANCE");
  // 1e-8 of what is in play: less than what records may be off by, more than rounding.
  maker.rows[4].work_prescribed += -1 + 7e-5;
  judge(maker, 4);
  maker.rows[4].work_prescribed -= 7e-5;
  judge(maker);
  // The same in the first row, which has no row before it: the frames tell.
  maker.rows[0].work_prescribed += 1;
  j = judge(maker, 4);
  EXPECT_LT(j["ledger"]["imbalance"], 1e-15);
  EXPECT_EQ(j["ledger"]["frame_imbalance_frame"], 1);
}

TEST_F(Simcheck, AQuasiStaticStepWhoseWeightNothingBearsIsUnsound) {
  Maker maker = falling_cube();
  maker.scene.insert(1, R"("time": {"step": 0.01, "scheme": "quasi-static"},)");
  for (int k = 0; k < 2; ++k) rigid_frame(maker, {0, 0, 2}, Vec3::Zero(), 0);
  for (int k = 1; k <= 10; ++k) {
    StepReport& row = maker.row(k);
    row.potential_energy = 2e4;
    row.impulse_external = {0, 0, -100};  // 1000 kg * 10 m/s^2 * 0.01 s
    row.impulse_scheme = {0, 0, 100};
  }
  const Json j = judge(maker, 4);
  EXPECT_EQ(j["ledger"]["unborne_steps"], 10);
  EXPECT_EQ(j["ledger"]["first_unborne_step"], 1);
  EXPECT_NEAR(j["ledger"]["unborne_force"], 1e4, 1e-9);
  expect_contains(simcheck("out.h5").text, "nothing bears 1e+04 N in 10 quasi-static steps (the first is 1)");
  // Borne by what is prescribed, or by contacts; the same in time is a fall.
  for (StepReport& row : maker.rows) std::swap(row.impulse_prescribed, row.impulse_scheme);
  judge(maker);
  for (StepReport& row : maker.rows) {
    std::swap(row.impulse_prescribed, row.impulse_scheme);
    row.active = 4;
  }
  judge(maker);
  for (StepReport& row : maker.rows) row.active = 0;
  maker.scene.replace(maker.scene.find("quasi-static"), 12, "semi-implicit");
  judge(maker);
}

// Of a pressure all around a closed body the sum is rounding, which bears nothing and needs nothing that bears it.
TEST_F(Simcheck, TheRoundingOfLoadsInBalanceNeedsNothingThatBearsIt) {
  Maker maker = falling_cube();
  maker.scene.insert(1, R"("time": {"step": 0.01, "scheme": "quasi-static"},)");
  for (const double height : {2.0, 1.0}) rigid_frame(maker, {0, 0, height}, Vec3::Zero(), 0);
  for (int k = 1; k <= 10; ++k) {
    StepReport& row = maker.row(k);
    row.potential_energy = k < 6 ? 2e4 : 1e4;
    row.work_prescribed = k == 6 ? -1e4 : 0;
    row.impulse_external = {0, 0, -1e-16};
    row.impulse_scheme = {0, 0, 1e-16};
  }
  judge(maker);
  for (StepReport& row : maker.rows) {
    row.impulse_external *= 1e10;
    row.impulse_scheme *= 1e10;
  }
  EXPECT_EQ(judge(maker, 4)["ledger"]["unborne_steps"], 10);
}

TEST_F(Simcheck, MomentumThatNothingGaveIsTold) {
  Maker maker = fall({1, 2, 3}, {1.5, 2, 2});
  EXPECT_NEAR(judge(maker, 4)["totals"]["unexplained_momentum"][0], 500, 1e-9);
  for (StepReport& row : maker.rows) {
    row.impulse_prescribed = {49, 0, 0};
    row.impulse_left_over = {1, 0, 0};
    row.work_prescribed += 62.5;
    row.dissipation_scheme += 62.5;
  }
  maker.write(path("out.h5"));
  const Json j = json("out.h5");
  EXPECT_NEAR(j["totals"]["unexplained_momentum"][0], 0, 1e-9);
  expect_contains(simcheck("out.h5").text, "kg m/s that nothing gave");
}

TEST_F(Simcheck, EnergyThatNothingGaveIsUnsound) {
  const double more = 500 * (16 - 9) + 2500;  // v_z from 3 to 4 m/s, on the way up
  const Json j = judge(fall({1, 2, 3}, {1, 2, 4}), 4);
  EXPECT_EQ(j["verdict"], "unsound");
  EXPECT_NEAR(j["ledger"]["made"]["energy"], more, 1e-9);
  EXPECT_EQ(j["ledger"]["made"]["from_step"], 0);
  EXPECT_EQ(j["ledger"]["made"]["to_step"], 10);
  // A hundredth of what is in play, and 1000 kg lifted by the tolerance of gaps: 1/8000 of the mean edge of a cube of
  // 1 m, whose faces have edges of 1, 1 and sqrt(2) m.
  const double gap = (2 + std::sqrt(2.0)) / 3 / 8000;
  EXPECT_NEAR(j["ledger"]["allowed"], 0.01 * (500 * 21 + 2250) + 1000 * 10 * gap, 0.01);
  expect_contains(simcheck("out.h5").text, "UNSOUND, nothing overlaps, but energy came from nothing, 6000 J");
  judge(fall({1, 2, 3}, {1, 2, 4}, more));        // the same, by the work of something
  judge(fall({1, 2, 3}, {1, 2, 4}, more - 120));  // a hundredth of it was not
  judge(fall({1, 2, 3}, {1, 2, 4}, more - 150), 4);
}

TEST_F(Simcheck, FrictionAndDampingThatGiveEnergyAreUnsound) {
  Maker maker = fall({1, 2, 3}, {1, 2, 2});
  maker.rows[2].dissipation_friction = -40;  // within what the tolerance of contacts may do: 1 % of 6750 J
  maker.rows[2].dissipation_scheme += 40;
  judge(maker);
  maker.rows[3].dissipation_friction = -40;
  maker.rows[3].dissipation_scheme += 40;
  const Json j = judge(maker, 4);
  EXPECT_NEAR(j["ledger"]["returned_by_friction"]["energy"], 80, 1e-9);
  EXPECT_EQ(j["ledger"]["returned_by_friction"]["from_step"], 0);
  EXPECT_EQ(j["ledger"]["returned_by_friction"]["to_step"], 4);
  expect_contains(simcheck("out.h5").text, "given back by friction: 80 J from step 0 to 4");
  maker = fall({1, 2, 3}, {1, 2, 2});
  maker.rows[2].dissipation_damping = -1e-3;  // damping has no tolerance
  maker.rows[2].dissipation_scheme += 1e-3;
  judge(maker, 4);
  maker.solver = "acm";  // whose damping goes by the velocities before a tick
  judge(maker);
  maker.rows[2].dissipation_damping = -100;
  maker.rows[2].dissipation_scheme += 100;
  judge(maker, 4);
}

// In a heap that never comes to rest what the scheme gives is taken by friction: energy does not grow.
TEST_F(Simcheck, ASchemeThatGivesWhatFrictionTakesIsUnsound) {
  Maker maker = fall({1, 2, 3}, {1, 2, 2});
  for (StepReport& row : maker.rows) {
    row.dissipation_friction = 7;
    row.dissipation_scheme -= 4;
    row.work_correction = 3;
  }
  Json j = judge(maker, 4);
  EXPECT_LT(double{j["ledger"]["made"]["energy"]}, 1e-9);
  EXPECT_NEAR(j["ledger"]["given_by_scheme"]["energy"], 70, 1e-9);
  EXPECT_EQ(j["ledger"]["given_by_scheme"]["from_step"], 0);
  EXPECT_EQ(j["ledger"]["given_by_scheme"]["to_step"], 10);
  EXPECT_NEAR(j["ledger"]["work_correction"], 30, 1e-9);
  expect_contains(simcheck("out.h5").text, "UNSOUND, nothing overlaps, but the scheme gave energy, 70 J");
  // As much as may be, 1 % of 6750 J and the tolerance of gaps, and as much of it once more where an impact took it
  // first.
  for (StepReport& row : maker.rows) {
    row.dissipation_friction -= 1;
    row.dissipation_scheme += 1;
  }
  j = judge(maker);
  EXPECT_NEAR(j["ledger"]["given_by_scheme"]["energy"], 60, 1e-9);
  maker.rows[4].dissipation_scheme += 500;
  maker.rows[4].work_correction += 500;
  EXPECT_NEAR(judge(maker)["ledger"]["given_by_scheme"]["energy"], 60, 1e-9);
  // A large loss does not pay for what is given later.
  maker.rows[0].dissipation_scheme += 1000;
  maker.rows[0].work_prescribed += 1000;
  maker.rows[5].dissipation_scheme -= 100;
  maker.rows[5].dissipation_friction += 100;
  EXPECT_NEAR(judge(maker, 4)["ledger"]["given_by_scheme"]["energy"], 154, 1e-9);
}

// Where much is pressed gaps within their tolerance are worth more than weight. What they took and gave comes back:
// in a stretch of steps it counts once, and none before it counts.
TEST_F(Simcheck, WhatGapsAreWorthMayBeMadeOnceInAStretch) {
  Maker maker = fall({1, 2, 3}, {1, 2, 2});
  const auto correct = [&](std::size_t row) {  // by 100 J, which friction takes at once
    maker.rows[row].work_correction += 100;
    maker.rows[row].dissipation_friction += 100;
  };
  correct(3);  // 1 % of 6750 J and the weight are 69 J
  judge(maker, 4);
  maker.rows[2].work_of_gaps = 1000;
  judge(maker, 4);
  maker.rows[3].work_of_gaps = 20;
  judge(maker, 4);
  maker.rows[3].work_of_gaps = 35;
  EXPECT_NEAR(judge(maker)["ledger"]["given_by_scheme"]["work_of_gaps"], 35, 1e-12);
  correct(7);
  maker.rows[7].work_of_gaps = 100;
  judge(maker, 4);
  maker.rows[5].work_of_gaps = 134;
  const Json j = judge(maker);
  EXPECT_NEAR(j["ledger"]["given_by_scheme"]["energy"], 200, 1e-9);
  EXPECT_NEAR(j["ledger"]["given_by_scheme"]["work_of_gaps"], 134, 1e-12);
  // Of the stretches after the large one the worst is judged.
  correct(8);
  maker.rows[8].dissipation_friction += 100;
  maker.rows[8].work_correction += 100;
  EXPECT_EQ(judge(maker, 4)["ledger"]["given_by_scheme"]["to_step"], 9);
}

TEST_F(Simcheck, AFileWithoutALedgerIsJudgedByGravity) {
  fall({1, 2, 3}, {1.5, 2, 2}).write(path("out.h5"));
  const hid_t file = H5Fopen(path("out.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  EXPECT_GE(H5Ldelete(file, "/steps/impulse_left_over", H5P_DEFAULT), 0);
  H5Fclose(file);
  const Json j = json("out.h5");
  EXPECT_TRUE(j["ledger"].is_null());
  EXPECT_TRUE(j["frames"]["unexplained_energy"][1].is_null());
  EXPECT_NEAR(j["totals"]["unexplained_momentum"][0], 500, 1e-9);
  expect_contains(simcheck("out.h5").text, "that gravity does not explain");
}

TEST_F(Simcheck, TheLedgerOfARealRunClosesWithObstaclesPinsAndDamping) {
  write("scene.json", R"({ "name": "belt", "time": { "step": 0.002, "duration": 0.4 },
    "materials": { "m": { "young": 1e5, "poisson": 0.3, "damping": { "mass": 0.5, "stiffness": 0.001 } } },
    "meshes": { "ring": { "generate": "torus" }, "slab": { "generate": "slab" },
                "bar": { "generate": "box", "size": [0.4, 0.05, 0.05], "cells": [8, 1, 1] } },
    "objects": [ { "name": "ring", "mesh": "ring", "material": "m", "position": [0, 0, 0.03], "velocity": [0, 0, -1] },
                 { "name": "belt", "type": "scripted", "mesh": "slab", "position": [0, 0, -0.05], "motion": { "velocity": [0.5, 0, 0] } },
                 { "name": "bar", "mesh": "bar", "material": "m", "position": [0.5, 0.2, 0.3],
                   "boundary": [ { "plane": { "point": [0.69, 0, 0], "normal": [1, 0, 0] },
                                   "motion": { "velocity": [0, 0.2, -0.3] } } ] } ] })");
  ASSERT_EQ(simrun("scene.json --quiet -o out.h5").exit_status, 0);
  const Json j = json("out.h5");
  EXPECT_EQ(j["ledger"]["steps"], 200);
  EXPECT_LT(j["ledger"]["imbalance"], 1e-12);
  const double energy = j["ledger"]["energy_in_play"], momentum = j["totals"]["momentum_in_play"];
  EXPECT_LT(double{j["ledger"]["frame_imbalance"]}, 1e-12 * energy);
  EXPECT_GT(std::abs(double{j["ledger"]["work_prescribed"]}), 1e-3 * energy);
  EXPECT_GT(j["ledger"]["dissipation_friction"], 1e-3 * energy);
  EXPECT_GT(j["ledger"]["dissipation_damping"], 1e-3 * energy);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(j["totals"]["unexplained_momentum"][k], 0, 1e-9 * momentum);
}

// Six tenths of a radian a step: the ring grows along the tangents of its way, and the energy of that is from
// nowhere. Only steps as published do that: the others are divided.
TEST_F(Simcheck, ARunWhoseStepIsTooLongForItsSpinIsUnsound) {
  write("scene.json", R"({ "name": "spin", "time": { "step": 0.01, "duration": 0.1 }, "gravity": [0, 0, 0],
    "materials": { "m": {} }, "meshes": { "ring": { "generate": "torus" } },
    "objects": [ { "name": "ring", "mesh": "ring", "material": "m", "angular_velocity": [0, 0, 80] } ] })");
  ASSERT_EQ(simrun("scene.json --quiet -o out.h5 --set solver.as_published=true").exit_status, 0);
  const Json j = json("out.h5", 4);
  EXPECT_GT(double{j["ledger"]["made"]["energy"]}, 0.1 * double{j["ledger"]["energy_in_play"]});
  ASSERT_EQ(simrun("scene.json --quiet -o fine.h5 --set solver.as_published=true --dt 0.0005").exit_status, 0);
  EXPECT_EQ(json("fine.h5")["verdict"], "clean");
  ASSERT_EQ(simrun("scene.json --quiet -o divided.h5").exit_status, 0);
  EXPECT_EQ(json("divided.h5")["verdict"], "clean");
}

TEST_F(Simcheck, ARealRunAgreesWithItselfToRounding) {
  write("scene.json", R"({ "name": "fall", "time": { "step": 0.002, "duration": 0.1 },
    "materials": { "m": { "young": 1e5 } }, "meshes": { "ring": { "generate": "torus" } },
    "objects": [ { "name": "ring", "mesh": "ring", "material": "m", "velocity": [0.3, 0, 1], "angular_velocity": [0, 9, 0] } ] })");
  ASSERT_EQ(simrun("scene.json --quiet -o out.h5").exit_status, 0);
  const Json j = json("out.h5");
  EXPECT_EQ(j["totals"]["compared_frames"], 5);
  for (const auto& [name, found] : j["totals"]["disagreement"].items()) EXPECT_LT(found["relative"], 1e-12) << name;
  // The scheme keeps momentum: only rounding, and the linear solver's 1e-12, are left.
  for (int k = 0; k < 3; ++k)
    EXPECT_NEAR(j["totals"]["unexplained_momentum"][k], 0, 1e-9 * double{j["totals"]["momentum_in_play"]});
  EXPECT_EQ(j["run"]["step_statuses"], (Json{{"converged", 50}}));
}

// A box about its middle axis, in flight and at the origin: momentum and weight's energy are sums of nothing but
// rounding.
TEST_F(Simcheck, ARigidBodyThatOnlyTurnsAgreesWithItself) {
  write("scene.json", R"({ "name": "turn", "time": { "step": 0.002, "duration": 2 }, "gravity": [0, 0, 1e-9],
    "materials": { "m": {} }, "meshes": { "brick": { "generate": "box", "size": [0.4, 0.2, 0.1], "cells": [4, 2, 1] } },
    "objects": [ { "name": "brick", "type": "rigid", "mesh": "brick", "material": "m", "angular_velocity": [0.01, 10, 0.01] } ] })");
  ASSERT_EQ(simrun("scene.json --quiet -o out.h5").exit_status, 0);
  const Json j = json("out.h5");
  EXPECT_EQ(j["verdict"], "clean");
  for (const auto& [name, found] : j["totals"]["disagreement"].items()) EXPECT_LT(found["relative"], 1e-12) << name;
}

// At 1e4 m from the origin the surface of a frame is rounded to 1e-12 m, its mass to 1e-10, and m g.x is some 1e6 J:
// all of that is not to be mistaken for energy, nor to hide as much.
TEST_F(Simcheck, ARigidBodyFarFromTheOriginIsJudgedAsCloseAsOneNearIt) {
  write("scene.json", R"({ "name": "far", "time": { "step": 0.002, "duration": 0.1 }, "gravity": [4.387, 0, -8.774],
    "materials": { "m": {} }, "meshes": { "box": { "generate": "box", "size": [0.2, 0.2, 0.2], "cells": [2, 2, 2] } },
    "objects": [ { "name": "floor", "type": "fixed", "mesh": "half-space", "position": [1e4, -1e4, 1e4] },
                 { "name": "box", "type": "rigid", "mesh": "box", "material": "m", "position": [1e4, -1e4, 10000.100002],
                   "velocity": [0.1, 0, 0], "angular_velocity": [0, 0, 3] } ],
    "contact": { "friction": 0.3 } })");
  ASSERT_EQ(simrun("scene.json --quiet -o out.h5").exit_status, 0);
  const Json j = json("out.h5");
  EXPECT_EQ(j["ledger"]["frame_imbalance"], 0);
  // A millionth of the energy in play, in the first row: it is the frames that tell.
  const double error = 1e-6 * double{j["ledger"]["energy_in_play"]};
  change("/steps/work_prescribed", [&](std::vector<double>& work) { work[0] += error; });
  EXPECT_NEAR(json("out.h5", 4)["ledger"]["frame_imbalance"], error, 0.01 * error);
}

TEST_F(Simcheck, ARigidBodyThatGrowsContradictsItsMass) {
  write("scene.json", R"({ "name": "grows", "time": { "step": 0.01, "duration": 0.1 }, "gravity": [0, 0, 0],
    "materials": { "m": {} }, "meshes": { "box": { "generate": "box" } },
    "objects": [ { "name": "box", "type": "rigid", "mesh": "box", "material": "m" } ] })");
  ASSERT_EQ(simrun("scene.json --quiet -o out.h5").exit_status, 0);
  json("out.h5");
  change("/frames/positions", [](std::vector<double>& x) {
    for (std::size_t k = x.size() / 2; k < x.size(); ++k) x[k] *= 1 + 1e-6;
  });
  EXPECT_NEAR(json("out.h5", 4)["totals"]["disagreement"]["rigid_mass"]["relative"], 3e-6, 1e-10);
}

// Its centre has no arm about the origin then, but its mass has.
TEST_F(Simcheck, ARigidBodyThatFliesThroughTheOriginAgreesWithItself) {
  write("scene.json", R"({ "name": "through", "time": { "step": 0.01, "duration": 0.2 }, "gravity": [0, 0, 0],
    "materials": { "m": {} }, "meshes": { "ball": { "generate": "sphere", "resolution": 3, "radius": 0.1 } },
    "output": { "every": 1 },
    "objects": [ { "name": "ball", "type": "rigid", "mesh": "ball", "material": "m", "position": [-0.1, 0, 0],
                   "velocity": [1, 0, 0] } ] })");
  ASSERT_EQ(simrun("scene.json --quiet -o out.h5").exit_status, 0);
  const auto checked = json("out.h5");
  for (const auto& [name, found] : checked["totals"]["disagreement"].items())
    EXPECT_LT(found["relative"], 1e-12) << name;
}

}  // namespace simcheck_test
}  // namespace sim
