// What holds and moves vertices, from the scene into the model: directions, releases, quaternions and files of poses.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <sstream>

#include "scene/loaded.hpp"
#include "scene/messages.hpp"
#include "step/step.hpp"

namespace sim {
namespace constraints_test {

constexpr double pi = std::numbers::pi;

// A cube of 2 m round the origin, 8 corners.
std::string scene_with(const std::string& boundary) {
  return R"({ "materials": { "rubber": {} },
    "meshes": { "cube": { "generate": "box", "size": [2, 2, 2], "cells": [1, 1, 1] } },
    "objects": [ { "name": "cube", "mesh": "cube", "material": "rubber", "boundary": [)" +
         boundary + "] } ] }";
}

std::string moved(const std::string& motion) {
  return R"({ "meshes": { "cube": { "generate": "box", "size": [2, 2, 2], "cells": [1, 1, 1] } },
    "objects": [ { "name": "cube", "type": "scripted", "mesh": "cube", "motion": )" +
         motion + " } ] }";
}

const char* const left = R"("plane": { "point": [-1, 0, 0], "normal": [-1, 0, 0] })";
const char* const bottom = R"("plane": { "point": [0, 0, -1], "normal": [0, 0, -1] })";

TEST(BoundaryOfAScene, HoldsTheDirectionsAndForTheTimeThatItSays) {
  const Model model = load(scene_with(std::string("{ ") + left + R"(, "axes": "x" }, { )" + bottom +
                                      R"(, "axes": "yz", "release": 0.25 }, { "list": [7], "normal": [0, 3, 4] })"));
  ASSERT_EQ(model.prescribed.size(), 3U);
  EXPECT_EQ(model.prescribed[0].directions, std::vector<Vec3>{Vec3::UnitX()});
  EXPECT_EQ(model.prescribed[1].directions, (std::vector<Vec3>{Vec3::UnitY(), Vec3::UnitZ()}));
  EXPECT_EQ(model.prescribed[2].directions, std::vector<Vec3>{Vec3(0, 0.6, 0.8)});
  EXPECT_TRUE(std::isinf(model.prescribed[0].release));
  EXPECT_EQ(model.prescribed[1].release, 0.25);
  EXPECT_EQ(model.plan.vertex_of_block.size(), 8U) << "all keep their unknowns";
  EXPECT_EQ(model.guided.size(), 7U);  // but for (1, -1, 1)
  const Model pinned = load(scene_with("{ \"list\": [0, 1] }, { \"list\": [2], \"axes\": \"xyz\" }"));
  EXPECT_EQ(pinned.plan.vertex_of_block.size(), 5U);
  EXPECT_TRUE(pinned.guided.empty());
}

TEST(BoundaryOfAScene, IsWrittenAsItWasRead) {
  const std::string text =
      scene_with(R"({ "list": [0], "axes": "y", "release": 3 }, { "list": [1], "normal": [1, 1, 0],
      "motion": { "keyframes": [ { "time": 0, "quaternion": [2, 0, 0, 0] }, { "time": 1, "quaternion": [0, 0, 0, 1] } ] } },
      { "list": [2], "motion": { "file": "screw.csv" } })");
  const Scene scene = parse_scene(text, "test.json", ".");
  EXPECT_EQ(parse_scene(scene.json, "again", ".").json, scene.json);
  const Scene again = parse_scene(scene.json, "again", ".");
  const BoundarySpec& second = again.objects[0].boundary[1];
  EXPECT_EQ(second.normal, Vec3(1, 1, 0));
  EXPECT_EQ(second.motion->keyframes[1].quaternion, (std::array<double, 4>{0, 0, 0, 1}));
}

TEST(BoundaryMessages, TellOfDirectionsThatAreHeldTwice) {
  EXPECT_EQ(load_error(scene_with(R"({ "list": [1, 2], "axes": "xz" }, { "list": [2], "axes": "yz" })")),
            "test.json: /objects/0/boundary/1: vertex 2 of \"cube\": expected every vertex once along a direction, "
            "/objects/0/boundary/0 has chosen it already");
  EXPECT_EQ(load_error(scene_with(R"({ "list": [2], "axes": "x" }, { "list": [2], "axes": "y" },
                                     { "list": [2], "normal": [1, 1, 0] })")),
            "test.json: /objects/0/boundary/2: vertex 2 of \"cube\": expected every vertex once along a direction, "
            "/objects/0/boundary/0 or /objects/0/boundary/1 has chosen it already");
  EXPECT_EQ(load_error(scene_with(R"({ "list": [2], "axes": "x" }, { "list": [2] })")).substr(0, 36),
            "test.json: /objects/0/boundary/1: ve");
}

TEST(BoundaryMessages, TellOfWhatCannotBe) {
  const auto rule = [](const std::string& entry) { return message(scene_with("{ \"list\": [1], " + entry + " }")); };
  const std::string place = "test.json: /objects/0/boundary/0/";
  EXPECT_EQ(rule(R"("axes": "x", "normal": [1, 0, 0])"),
            place + "axes: \"x\": expected \"axes\" or \"normal\", not both");
  EXPECT_EQ(rule(R"("axes": "zx")").substr(0, place.size() + 20), place + "axes: \"zx\": expected");
  EXPECT_EQ(rule(R"("normal": [0, 0, 0])"), place + "normal: [0,0,0]: expected three numbers, not all zero");
  EXPECT_EQ(rule(R"("release": 0)"), place + "release: 0: expected a number > 0");
}

// ---- quaternions and files

TEST(MotionMessages, TellOfQuaternionsThatMakeNoMotion) {
  const auto rule = [](const std::string& keyframes) {
    return message(moved("{ \"keyframes\": [" + keyframes + "] }"));
  };
  const std::string place = "test.json: /objects/0/motion/keyframes/1/";
  const std::string first = R"({ "time": 0, "quaternion": [1, 0, 0, 0] }, { "time": 1)";
  EXPECT_EQ(rule(first + " }"),
            place +
                "quaternion: missing: expected one in every keyframe of the motion, or in none; [1, 0, 0, 0] is "
                "no turn");
  EXPECT_EQ(rule(first + R"(, "quaternion": [0, 0, 0, 0] })"),
            place + "quaternion: [0,0,0,0]: expected four numbers, not all zero");
  EXPECT_EQ(rule(first + R"(, "quaternion": [1, 0, 0, 0], "degrees": 3 })").substr(0, place.size() + 20),
            place + "degrees: 3: expected");
  EXPECT_EQ(message(moved(R"({ "file": "a.csv", "keyframes": [ { "time": 0 } ] })")),
            "test.json: /objects/0/motion/file: \"a.csv\": expected \"file\" or \"keyframes\", not both");
}

class MotionFile : public ::testing::Test {
 protected:
  MotionFile() {
    const char* name = ::testing::UnitTest::GetInstance()->current_test_info()->name();
    folder_ = std::filesystem::temp_directory_path() / (std::string("simrun-motion-") + name);
    std::filesystem::create_directories(folder_);
  }
  ~MotionFile() override { std::filesystem::remove_all(folder_); }
  void write(const std::string& text) const { std::ofstream(folder_ / "poses.csv") << text; }
  std::string error_of(const std::string& text) const {
    write(text);
    return load_error(moved(R"({ "file": "poses.csv" })"), folder_.string());
  }
  std::filesystem::path folder_;
};

// A screw has constant velocities, so that poses far apart tell all of it.
TEST_F(MotionFile, OfAScrewIsThatScrewAtAllTimes) {
  constexpr double turns_a_second = 0.7, pitch = 0.3;
  const Vec3 axis = Vec3(1, 2, -1).normalized(), through(0.4, 0, 1);
  const auto turn = [&](double t) { return Eigen::AngleAxisd(2 * pi * turns_a_second * t, axis); };
  std::ostringstream text;
  text.precision(17);
  text << "# a screw\nqw, qx, qy, qz, time, z, y, x\n";
  for (int k = 0; k < 6; ++k) {
    const double t = 0.6 * k, length = k % 2 == 0 ? 1 : -3;  // 151 degrees from one to the next
    const Eigen::Quaterniond q(turn(t));
    const Vec3 shift = pitch * turns_a_second * t * axis;
    text << length * q.w() << "," << length * q.x() << "," << length * q.y() << "," << length * q.z() << "," << t
         << "," << shift.z() << "," << shift.y() << "," << shift.x() << "\n";
  }
  write(text.str());
  const Model model = load(moved(R"({ "file": "poses.csv", "center": [0.4, 0, 1] })"), folder_.string());
  const auto screwed = [&](const Vec3& X, double t) -> Vec3 {
    return through + turn(t) * (X - through) + pitch * turns_a_second * t * axis;
  };
  for (double t = 0; t <= 3; t += 0.01)
    EXPECT_LT((model.prescribed[0].motion.pose(t).apply(Vec3(3, 1, 2)) - screwed(Vec3(3, 1, 2), t)).norm(), 1e-13)
        << t;
  // Through the steps of a run, without drift.
  State state = initial_state(model);
  Scratch scratch;
  for (int n = 1; n <= 100; ++n) step(model, {.dt = 0.03}, state, scratch);
  for (Index i = 0; i < 8; ++i)
    EXPECT_LT((block(state.x, i) - screwed(model.mesh.vertices[i], 3)).norm(), 1e-12) << i;
}

TEST_F(MotionFile, WithoutQuaternionsShiftsAndIsConstantOutside) {
  write("time,x,y,z\r\n1,0,0,1\r\n\r\n2,4,0,1\r\n");
  const Model model = load(moved(R"({ "file": "poses.csv", "velocity": [0, 1, 0] })"), folder_.string());
  const Motion& motion = model.prescribed[0].motion;
  EXPECT_EQ(motion.pose(0).apply(Vec3(1, 1, 1)), Vec3(1, 1, 2));
  EXPECT_EQ(motion.pose(1.5).apply(Vec3(1, 1, 1)), Vec3(3, 2.5, 2));
  EXPECT_EQ(motion.pose(4).apply(Vec3(1, 1, 1)), Vec3(5, 5, 2));
}

TEST_F(MotionFile, SaysWhereItIsWrong) {
  const std::string start = "test.json: /objects/0/motion/file: \"poses.csv\": " + (folder_ / "poses.csv").string();
  EXPECT_EQ(error_of("time,x,y,z\n0,0,0,0\n1,0,0,0\n1,0,0,0\n"),
            start + ": line 4: column \"time\": 1.0: expected a number > 1.0: times must ascend");
  EXPECT_EQ(error_of("t,x,y,z\n0,0,0,0\n").substr(start.size(), 30), ": line 1: \"t\": expected a colu");
  EXPECT_EQ(error_of("time,x,y,z,qw\n0,0,0,0,1\n"),
            start + ": line 1: expected all of the columns \"qw\", \"qx\", \"qy\", \"qz\", found 1");
  EXPECT_EQ(error_of("x,y,z\n0,0,0\n"), start + ": line 1: expected all of the columns \"time\", found 0");
  EXPECT_EQ(error_of("time,x,y,z\n0,0,1e,0\n"), start + ": line 2: column \"y\": \"1e\": expected a number");
  EXPECT_EQ(error_of("time,x,y,z,qw,qx,qy,qz\n0,0,0,0,0,0,0,0\n"),
            start + ": line 2: columns \"qw\" to \"qz\": expected a quaternion that is not zero");
  EXPECT_EQ(error_of("time,x,y,z\n"), start + ": expected a line of column names and at least one pose");
  std::filesystem::remove(folder_ / "poses.csv");
  EXPECT_NE(
      load_error(moved(R"({ "file": "poses.csv" })"), folder_.string()).find("cannot be opened; files of poses"),
      std::string::npos);
}

}  // namespace constraints_test
}  // namespace sim
