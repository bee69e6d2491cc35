// A test of a program as its users meet it: in a folder of its own that goes away.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "support/program.hpp"

namespace sim::test {

class ProgramTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = ::testing::UnitTest::GetInstance()->current_test_info()->name();
    std::replace(name.begin(), name.end(), '/', '-');  // of a test with a parameter
    folder_ = std::filesystem::temp_directory_path() / ("simrun-test-" + name + "-" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) const { std::ofstream(folder_ / name) << text; }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  bool exists(const std::string& name) const { return std::filesystem::exists(folder_ / name); }
  std::string read(const std::string& name) const {
    std::ifstream file(folder_ / name);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  Outcome run_here(const std::string& program, const std::string& arguments) const {
    return run("cd '" + folder_.string() + "' && '" + program + "' " + arguments);
  }
  Outcome simrun(const std::string& arguments) const { return run_here(SIMRUN_PROGRAM, arguments); }
  void go(const std::string& arguments) const {  // simrun, which must end well
    const Outcome outcome = simrun(arguments + " --quiet");
    ASSERT_EQ(outcome.exit_status, 0) << outcome.text;
  }
  // simrun, and Ctrl-C a moment after its result is there.
  Outcome interrupt(const std::string& arguments, const std::string& result) const {
    return run("cd '" + folder_.string() + "' && { '" SIMRUN_PROGRAM "' " + arguments + " & while { [ ! -e '" +
               result +
               "' ] || ! grep -q '^SigCgt:.*[2367abef]$' /proc/$!/status; } && kill -0 $!; do sleep 0.01; done; " +
               "sleep 0.1; kill -INT $!; wait $!; }");
  }

  std::filesystem::path folder_;
};

// The same with a scene in that folder, scene.json.
class SceneTest : public ProgramTest {
 protected:
  explicit SceneTest(std::string scene) : scene_(std::move(scene)) {}
  void SetUp() override {
    ProgramTest::SetUp();
    write("scene.json", scene_);
  }

 private:
  const std::string scene_;
};

// A file of the project, wherever the test runs.
inline std::string read_source(const std::string& name) {
  const char* root = std::getenv("SIMRUN_SOURCE_DIR");
  if (root == nullptr) ADD_FAILURE() << "SIMRUN_SOURCE_DIR is not set: run the test through ctest";
  std::ifstream file(std::filesystem::path(root != nullptr ? root : ".") / name);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "no \"" << part << "\" in:\n" << text;
}

}  // namespace sim::test
