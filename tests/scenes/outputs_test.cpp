// simrun replaces results of earlier runs, and nothing else.
#include <gtest/gtest.h>

#include <filesystem>

#include "output/result_reader.hpp"
#include "support/program_test.hpp"

namespace sim {
namespace outputs_test {

namespace fs = std::filesystem;
using test::expect_contains;

const char* const one_ring =
    R"({ "name": "one", "time": { "step": 0.002, "duration": 0.004 }, "materials": { "m": {} },
  "meshes": { "ring": { "generate": "torus" } }, "objects": [ { "name": "ring", "mesh": "ring", "material": "m" } ] })";

class Outputs : public test::ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    write("mine.json", one_ring);
  }

  // Status 3, a message with all parts, and the file as it was.
  void expect_kept(const std::string& arguments, const std::string& file, const std::vector<std::string>& parts) {
    const std::string before = read(file);
    const test::Outcome outcome = simrun(arguments);
    EXPECT_EQ(outcome.exit_status, 3) << arguments << "\n" << outcome.text;
    for (const std::string& part : parts) expect_contains(outcome.text, part);
    EXPECT_TRUE(read(file) == before) << arguments;
  }
};

TEST_F(Outputs, TheSceneIsNotReplacedByResultOrLogWhateverItIsCalled) {
  expect_kept("mine.json -o mine.json", "mine.json", {"mine.json: is the scene file", "with -o"});
  expect_kept("mine.json --log-file mine.json", "mine.json", {"mine.json: is the scene file", "with --log-file"});
  expect_kept("mine.json -o ./a/../mine.json", "mine.json", {});
  fs::create_symlink("mine.json", folder_ / "link.h5");
  fs::create_hard_link(folder_ / "mine.json", folder_ / "hard.txt");
  expect_kept("mine.json -o link.h5", "mine.json", {"link.h5: is the scene file"});
  expect_kept("mine.json --log-file hard.txt", "mine.json", {"hard.txt: is the scene file"});
  fs::rename(folder_ / "mine.json", folder_ / "mine.xdmf");
  expect_kept("mine.xdmf -o mine.h5", "mine.xdmf", {"mine.xdmf: is the scene file", "companion for ParaView"});
}

TEST_F(Outputs, MeshFilesAreNotReplaced) {
  fs::create_directory(folder_ / "meshes");
  for (const char* name : {"cube.off", "cube_0.node", "cube_0.ele"})
    write(std::string("meshes/") + name, test::read_source(std::string("tests/data/meshes/") + name));
  const auto scene = [](const std::string& mesh) {
    return R"({ "name": "one", "materials": { "m": {} }, "meshes": { "c": )" + mesh +
           R"( }, "objects": [ { "name": "cube", "mesh": "c", "type": "fixed" } ] })";
  };
  write("mine.json", scene(R"({ "file": "meshes/cube.off" })"));
  expect_kept("mine.json -o meshes/cube.off", "meshes/cube.off", {"is a mesh file of the scene"});
  expect_kept("mine.json --log-file meshes/cube.off", "meshes/cube.off", {"is a mesh file of the scene"});
  write("mine.json", scene(R"({ "file": "meshes/cube_0.node" })"));
  expect_kept("mine.json -o meshes/cube_0.ele", "meshes/cube_0.ele", {"is a mesh file of the scene"});
  expect_kept("mine.json -o meshes/cube_0.node", "meshes/cube_0.node", {"is a mesh file of the scene"});
}

TEST_F(Outputs, OtherFilesThatExistAreNotReplaced) {
  write("notes.txt", "what I found out in three years\n");
  for (const char* name : {"notes.overlaps.obj", "notes.xdmf"}) fs::copy(folder_ / "notes.txt", folder_ / name);
  expect_kept("mine.json -o notes.txt", "notes.txt",
              {"notes.txt: exists and is no result file of simrun", "with -o"});
  expect_kept("mine.json --log-file notes.txt", "notes.txt", {"exists and is no log file", "with --log-file"});
  expect_kept("mine.json -o notes.h5", "notes.xdmf", {"notes.xdmf: exists"});
  fs::remove(folder_ / "notes.xdmf");
  expect_kept("mine.json -o notes.h5", "notes.overlaps.obj", {"notes.overlaps.obj: exists"});
  fs::remove(folder_ / "notes.overlaps.obj");
  EXPECT_EQ(simrun("mine.json --quiet -o notes.h5").exit_status, 0);
}

TEST_F(Outputs, TheLogIsNotWrittenIntoTheResult) {
  EXPECT_EQ(simrun("mine.json -o out.h5 --log-file ./out.h5").exit_status, 3);
  EXPECT_EQ(simrun("mine.json -o out.h5 --log-file out.xdmf").exit_status, 3);
  EXPECT_FALSE(exists("out.h5"));
}

TEST_F(Outputs, ResultsLogsAndEmptyFilesAreReplaced) {
  for (int run = 0; run < 2; ++run)
    EXPECT_EQ(simrun("mine.json --quiet -o out.h5 --log-file log.txt").exit_status, 0) << run;
  EXPECT_EQ(ResultReader(path("out.h5")).step_count(), 2);
  write("empty.h5", "");
  write("empty.log", "");
  EXPECT_EQ(simrun("mine.json --quiet -o empty.h5 --log-file empty.log").exit_status, 0);
  EXPECT_EQ(simrun("mine.json --quiet -o dev.h5 --log-file /dev/null").exit_status, 0);
}

}  // namespace outputs_test
}  // namespace sim
