// Files that cannot be read or written: a message with file and remedy, the status 3, and the old file as it was.
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <future>
#include <thread>

#include "scenes/faulty_runs.hpp"

namespace sim {
namespace damaged_test {

namespace fs = std::filesystem;
using test::expect_contains;

class Damaged : public test::FaultyRuns {
 protected:
  // The status, a message with all parts, and the file as it was.
  void expect_refused(int status, const std::string& arguments, const std::vector<std::string>& parts) const {
    expect_kept(simrun(arguments), status, parts, before_);
  }
  void expect_kept(const test::Outcome& outcome, int status, const std::vector<std::string>& parts,
                   const std::string& before) const {
    EXPECT_EQ(outcome.exit_status, status) << outcome.text;
    for (const std::string& part : parts) expect_contains(outcome.text, part);
    EXPECT_TRUE(read("a.h5") == before);
  }
  void write_result(const std::string& bytes) {
    write("a.h5", bytes);
    before_ = bytes;
  }
  void make_result(const std::string& options) {
    expect_done("scene.json -o a.h5 " + options);
    before_ = read("a.h5");
  }

  std::string before_;
};

TEST_F(Damaged, FilesThatWereCutShortAreRefused) {
  make_result("--steps 30");
  const std::string whole = before_;
  for (const std::size_t size : {std::size_t{0}, std::size_t{7}, std::size_t{8}, std::size_t{47}, std::size_t{100},
                                 std::size_t{5000}, whole.size() / 2, whole.size() - 1}) {
    SCOPED_TRACE(std::to_string(size) + " of " + std::to_string(whole.size()) + " bytes");
    write_result(whole.substr(0, size));
    const std::string reason = size < 8 ? "is not an HDF5 file" : "It is damaged or was cut short: take a copy of it";
    expect_refused(3, "--resume a.h5 --steps 40", {"a.h5: ", reason});
    const test::Outcome judged = run_here(SIMCHECK_PROGRAM, "a.h5");
    EXPECT_EQ(judged.exit_status, 3);
    expect_contains(judged.text, reason);
  }
}

// Wherever one bit is wrong: a message, or a run that goes on as it should. What the frames of the past hold has no
// digest.
TEST_F(Damaged, OneWrongBitNeverLeadsToAnotherRun) {
  expect_done("scene.json -o whole.h5 --steps 44");
  const ResultReader whole(path("whole.h5"));
  make_result("--steps 40");
  const std::string bytes = before_;
  std::vector<std::size_t> used;  // most of the file are holes
  for (std::size_t i = 0; i < bytes.size(); ++i)
    if (bytes[i] != '\0') used.push_back(i);
  Random random(5);
  for (int round = 0, count = test::rounds(40); round < count; ++round) {
    const std::size_t place = used[static_cast<std::size_t>(test::draw(random, static_cast<long>(used.size()))) - 1];
    const long bit = test::draw(random, 8) - 1;
    SCOPED_TRACE("bit " + std::to_string(bit) + " of byte " + std::to_string(place));
    std::string spoilt = bytes;
    spoilt[place] = static_cast<char>(spoilt[place] ^ (1 << bit));
    write_result(spoilt);
    const test::Outcome outcome = simrun("--quiet --resume a.h5 --steps 44");
    if (outcome.exit_status != 0) {
      expect_kept(outcome, 3, {"a.h5: "}, spoilt);
      continue;
    }
    const ResultReader result(path("a.h5"));
    ASSERT_EQ(result.frame_step(result.frame_count() - 1), 44);
    EXPECT_EQ(result.positions(result.frame_count() - 1), whole.positions(whole.frame_count() - 1));
    EXPECT_EQ(result.velocities(result.frame_count() - 1), whole.velocities(whole.frame_count() - 1));
  }
}

TEST_F(Damaged, AStateThatIsNotWhatWasWrittenIsRefusedAndAnEarlierOneHelps) {
  expect_done("scene.json -o whole.h5 --steps 44");
  make_result("--steps 40");
  {
    const hdf5::Handle file(H5Fopen(path("a.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
    const hdf5::Handle dataset = hdf5::open_dataset(file, "/checkpoint/velocities");
    const hdf5::Handle space(H5Dget_space(dataset), H5Sclose), one(H5Screate(H5S_SCALAR), H5Sclose);
    const hsize_t place[] = {8, 2, 1};  // after step 40
    const double value = 0.25;
    H5Sselect_elements(space, H5S_SELECT_SET, 1, place);
    ASSERT_GE(H5Dwrite(dataset, H5T_NATIVE_DOUBLE, one, space, H5P_DEFAULT, &value), 0);
  }
  before_ = read("a.h5");
  expect_refused(3, "--resume a.h5 --steps 44",
                 {"a.h5: the checkpoint is damaged: its numbers are not those", "--from STEP with -o new.h5"});
  expect_done("--resume a.h5 --from 35 --steps 44 -o b.h5");
  const ResultReader whole(path("whole.h5")), result(path("b.h5"));
  EXPECT_EQ(result.positions(result.frame_count() - 1), whole.positions(whole.frame_count() - 1));
}

TEST_F(Damaged, ASceneThatIsNotWhatWasWrittenIsRefused) {
  make_result("--steps 10");
  std::size_t place = before_.find("200000.0");
  ASSERT_NE(place, std::string::npos);
  std::string other = before_;
  other[place] = '3';
  write_result(other);
  expect_refused(3, "--resume a.h5 --steps 20", {"a.h5: its scene is not the one that was written"});
}

// Tries until it holds, for as long as that may take.
template <class Condition>
void wait_for(const Condition& condition) {
  while (!condition()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

TEST_F(Damaged, AFileThatARunIsWritingIsLeftToIt) {
  auto running = std::async(std::launch::async, [&] {
    return test::run("cd '" + folder_.string() +
                     "' && echo $$ > pid && exec '" SIMRUN_PROGRAM
                     "' scene.json --threads 1 --set time.duration=1e6 --set contact.enabled=false -o a.h5");
  });
  const auto has_checkpoints = [&] {
    try {
      return checkpoint_steps(path("a.h5")).size() > 2;
    } catch (const FileError&) {
      return false;
    }
  };
  wait_for(
      [&] { return has_checkpoints() || running.wait_for(std::chrono::seconds(0)) == std::future_status::ready; });
  const pid_t writer = std::stoi(read("pid"));
  kill(writer, SIGSTOP);  // it keeps the file, and nothing of what follows depends on how far it has got
  for (const char* arguments : {"scene.json -o a.h5", "--resume a.h5 --duration 2e6"}) {
    const test::Outcome outcome = simrun(arguments);
    EXPECT_EQ(outcome.exit_status, 3) << outcome.text;
    expect_contains(outcome.text, "a.h5: cannot be written: another run is writing it; choose another file, or wait");
    EXPECT_EQ(outcome.text.find("going on after"), std::string::npos) << outcome.text;
  }
  // Into another file it may be gone on with meanwhile.
  expect_done("--resume a.h5 --from 5 --steps 12 -o b.h5 --set contact.enabled=false");
  EXPECT_EQ(ResultReader(path("b.h5")).info().origin, "a.h5, step 5");
  kill(writer, SIGINT);
  kill(writer, SIGCONT);
  const test::Outcome outcome = running.get();
  EXPECT_EQ(outcome.exit_status, 130) << outcome.text;
  EXPECT_EQ(ResultReader(path("a.h5")).info().status, "interrupted");
}

TEST_F(Damaged, AnOldResultStaysWhereANewRunCannotBegin) {
  make_result("--steps 10");
  std::string bad = test::every_kind_of_body;
  bad.replace(bad.find("\"young\""), 7, "\"yuong\"");
  write("bad.json", bad);
  expect_refused(1, "bad.json -o a.h5", {"bad.json", "did you mean \"young\""});
  expect_refused(1, "scene.json -o a.h5 --set objects.1.position=[0.013,0.017,0.1]",
                 {"objects overlap at the start"});
  expect_refused(3, "none.json -o a.h5", {"none.json"});
  expect_refused(1, "scene.json -o a.h5 --solver none", {"none"});
  expect_refused(1, "--resume a.h5 --steps 20 --dt 0.001", {"/time/step: 0.002 in the file, 0.001 now"});
  expect_refused(1, "--resume a.h5 --steps 20 --set contact.friction=0.5", {"/contact/friction: 0.4 in the file"});
  expect_done("scene.json -o a.h5 --steps 12");  // one that can replaces it
  EXPECT_EQ(ResultReader(path("a.h5")).step_count(), 12);
}

TEST_F(Damaged, ALimitOnTheSizeOfFilesIsAnErrorWithAReason) {
  make_result("--steps 10");
  for (const char* arguments : {"scene.json -o a.h5", "--resume a.h5 --steps 20"}) {
    const test::Outcome outcome =
        test::run("cd '" + folder_.string() + "' && ulimit -f 100 && '" SIMRUN_PROGRAM "' " + arguments);
    expect_kept(outcome, 3, {"a.h5: ", "File too large"}, before_);
    EXPECT_FALSE(exists("a.h5.new"));
    const bool goes_on =
        outcome.text.find("The old file is untouched. To go on in it takes room") != std::string::npos;
    EXPECT_EQ(goes_on, std::string(arguments).find("--resume") == 0) << outcome.text;
  }
}

// Permissions do not bind root, who becomes nobody for that.
class Forbidden : public Damaged {
 protected:
  void SetUp() override {
    Damaged::SetUp();
    if (geteuid() != 0) return;
    as_ = "setpriv --reuid=65534 --regid=65534 --clear-groups -- ";
    fs::permissions(folder_, fs::perms::all);
    if (test::run(as_ + "'" SIMRUN_PROGRAM "' --version").exit_status != 0)
      GTEST_SKIP() << "nobody cannot run simrun";
  }
  void TearDown() override {
    fs::permissions(folder_, fs::perms::all);
    Damaged::TearDown();
  }
  test::Outcome simrun_as_user(const std::string& arguments) const {
    return test::run("cd '" + folder_.string() + "' && " + as_ + "'" SIMRUN_PROGRAM "' " + arguments);
  }

  std::string as_;
};

TEST_F(Forbidden, AReadOnlyFileIsNotReplacedAndNotGoneOnWith) {
  make_result("--steps 10");
  const auto read_only = fs::perms::owner_read | fs::perms::group_read | fs::perms::others_read;
  fs::permissions(path("a.h5"), read_only);
  for (const char* arguments : {"scene.json -o a.h5", "--resume a.h5 --steps 20"})
    expect_kept(simrun_as_user(arguments), 3, {"a.h5: cannot be written: Permission denied"}, before_);
  EXPECT_EQ(simrun_as_user("--quiet --resume a.h5 --steps 20 -o b.h5").exit_status, 0);  // for reading it will do
}

TEST_F(Forbidden, AFolderThatCannotBeWrittenToIsNamed) {
  make_result("--steps 10");
  const auto no_writing =
      fs::perms::all & ~(fs::perms::owner_write | fs::perms::group_write | fs::perms::others_write);
  fs::permissions(path("a.h5"), fs::perms::all);
  fs::permissions(folder_, no_writing);
  for (const char* arguments : {"scene.json -o b.h5", "scene.json -o a.h5", "--resume a.h5 --steps 20"})
    expect_kept(simrun_as_user(arguments), 3, {".h5: cannot be written: Permission denied"}, before_);
}

}  // namespace damaged_test
}  // namespace sim
