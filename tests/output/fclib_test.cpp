#include "output/fclib.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "math/error.hpp"
#include "output/fclib_raw.hpp"

namespace sim {
namespace fclib_test {

using testing::expect_contains;
using testing::Folder;
using testing::message_of;
using testing::RawFile;
using testing::read_raw;

void expect_equal(const BlockMatrix& a, const BlockMatrix& b) {
  EXPECT_EQ(a.row_begin, b.row_begin);
  EXPECT_EQ(a.column, b.column);
  EXPECT_EQ(a.values, b.values);
}

void expect_equal(const ContactProblem& a, const ContactProblem& b) {
  expect_equal(a.A, b.A);
  expect_equal(a.L, b.L);
  EXPECT_EQ(a.b, b.b);
  EXPECT_EQ(a.c, b.c);
  EXPECT_EQ(a.mu, b.mu);
  EXPECT_EQ(a.Z, b.Z);
}

TEST(Fclib, BecomesTheProblemThatItSays) {
  const FclibProblem file = read_raw({});
  const ContactProblem& problem = file.problem;
  EXPECT_EQ(problem.A.row_begin, (std::vector<Index>{0, 2, 4}));
  EXPECT_EQ(problem.A.column, (std::vector<Index>{0, 1, 0, 1}));
  EXPECT_EQ(Mat3(problem.A.at(0)), Mat3(Vec3(3, 2, 2).asDiagonal()));
  EXPECT_EQ(Mat3(problem.A.at(1)), Mat3(Vec3(-1, 0, 0).asDiagonal()));
  EXPECT_EQ(Mat3(problem.A.at(2)), Mat3(Vec3(-1, 0, 0).asDiagonal()));
  EXPECT_EQ(Mat3(problem.A.at(3)), Mat3(Vec3(5, 4, 4).asDiagonal()));
  EXPECT_EQ(problem.L.column, (std::vector<Index>{0, 1}));
  Mat3 frame;
  frame << 0, 0, 0.5, 0.5, 0, 0, 0, 0.5, 0;  // rows: normal, first and second tangent
  EXPECT_EQ(Mat3(problem.L.at(0)), frame);
  EXPECT_EQ(Mat3(problem.L.at(1)), Mat3(-frame));
  VecX f(6);
  f << 1, 2, 3, 4, 5, 6;
  EXPECT_EQ(problem.b, f);
  EXPECT_EQ(problem.c, VecX(Vec3(-0.1, 0.2, -0.3)));
  EXPECT_EQ(problem.mu, std::vector<double>{0.4});
  EXPECT_EQ(problem.Z, std::vector<double>{1});
  EXPECT_FALSE(file.solution);
  EXPECT_TRUE(file.notes.empty());
}

TEST(Fclib, CompressedRowsAreTheSameProblem) {
  RawFile raw;
  raw.integers["M/nz"] = {-2};  // symmetric: p, i, x stay
  raw.integers["H/nz"] = {-2};
  raw.integers["H/p"] = {0, 1, 2, 3, 4, 5, 6};
  raw.integers["H/i"] = {1, 2, 0, 1, 2, 0};
  raw.reals["H/x"] = {0.5, 0.5, 0.5, -0.5, -0.5, -0.5};
  expect_equal(read_raw(raw).problem, read_raw({}).problem);
}

TEST(Fclib, TripletsAreTheSameProblem) {
  RawFile raw;
  raw.integers["M/nz"] = {8};
  raw.integers["M/p"] = {3, 0, 1, 2, 0, 3, 4, 5};
  raw.integers["M/i"] = {0, 0, 1, 2, 3, 3, 4, 5};
  raw.reals["M/x"] = {-1, 3, 2, 2, -1, 5, 4, 4};
  raw.integers["H/nz"] = {6};
  raw.integers["H/p"] = {2, 5, 0, 3, 1, 4};  // rows
  raw.integers["H/i"] = {0, 0, 1, 1, 2, 2};  // columns
  expect_equal(read_raw(raw).problem, read_raw({}).problem);
}

TEST(Fclib, EntriesAtTheSamePlaceAreAddedAndSlackIsIgnored) {
  RawFile raw;
  raw.integers["M/nzmax"] = {12};
  raw.integers["M/p"] = {0, 3, 4, 5, 7, 8, 9};
  raw.integers["M/i"] = {0, 3, 0, 1, 2, 0, 3, 4, 5, 99, 99};
  raw.reals["M/x"] = {1, -1, 2, 2, 2, -1, 5, 4, 4, 7, 7};
  expect_equal(read_raw(raw).problem, read_raw({}).problem);
}

TEST(Fclib, StoredZerosChangeNothing) {
  RawFile raw;
  raw.integers["H/nzmax"] = {7};
  raw.integers["H/p"] = {0, 3, 5, 7};
  raw.integers["H/i"] = {2, 5, 0, 0, 3, 1, 4};
  raw.reals["H/x"] = {0.5, -0.5, 0, 0.5, -0.5, 0.5, -0.5};
  expect_equal(read_raw(raw).problem, read_raw({}).problem);
}

TEST(Fclib, OneTriangleOfMStandsForBoth) {
  for (const bool lower : {true, false}) {
    RawFile raw;
    raw.integers["M/nzmax"] = {7};
    raw.integers["M/p"] =
        lower ? std::vector<std::int64_t>{0, 2, 3, 4, 5, 6, 7} : std::vector<std::int64_t>{0, 1, 2, 3, 5, 6, 7};
    raw.integers["M/i"] =
        lower ? std::vector<std::int64_t>{0, 3, 1, 2, 3, 4, 5} : std::vector<std::int64_t>{0, 1, 2, 0, 3, 4, 5};
    raw.reals["M/x"] = lower ? std::vector<double>{3, -1, 2, 2, 5, 4, 4} : std::vector<double>{3, 2, 2, -1, 5, 4, 4};
    const FclibProblem file = read_raw(raw);
    expect_equal(file.problem, read_raw({}).problem);
    ASSERT_EQ(file.notes.size(), 1u);
    expect_contains(file.notes[0], lower ? "lower triangle only" : "upper triangle only");
  }
}

TEST(Fclib, AnEmptyContactSetIsAProblem) {
  RawFile raw;
  raw.integers["H/n"] = raw.integers["H/nzmax"] = raw.integers["H/p"] = {0};
  raw.integers["H/i"].clear();
  raw.reals["H/x"].clear();
  raw.reals["vectors/w"].clear();
  raw.reals["vectors/mu"].clear();
  const Folder folder;
  const ContactProblem problem = read_raw(raw).problem;
  EXPECT_EQ(problem.contacts(), 0);
  EXPECT_EQ(problem.c.size(), 0);
  ContactSolution solution;
  start_cold(problem, solution);
  const FclibSolution written = to_fclib(problem, solution);
  write_fclib(folder.file("a.hdf5"), problem, &written);
  const FclibProblem back = read_fclib(folder.file("a.hdf5"));
  expect_equal(back.problem, problem);
  EXPECT_EQ(back.solution->r.size(), 0);
}

// Numbers that only come through if they are not printed on the way.
ContactProblem odd_problem() {
  RawFile raw;
  raw.reals["M/x"] = {3, -1.0 / 3, 2 + 1e-15, 2, -1.0 / 3, 5, 1e-300, 4e200};
  raw.reals["vectors/w"] = {std::nextafter(0.1, 1), 0, -1e-310};
  raw.reals["vectors/mu"] = {std::sqrt(0.1)};
  return read_raw(raw).problem;
}

TEST(Fclib, GivesBackEveryBit) {
  const Folder folder;
  const ContactProblem problem = odd_problem();
  const FclibSolution solution{.v = VecX::LinSpaced(6, 0.1, 0.7),
                               .u = Vec3(1e-3, 1.0 / 3, 0),
                               .r = Vec3(200, -0.1, 1e-17),
                               .provenance = {{"solver", "by hand"}}};
  write_fclib(folder.file("a.hdf5"), problem, &solution);
  const FclibProblem back = read_fclib(folder.file("a.hdf5"));
  expect_equal(back.problem, problem);
  ASSERT_TRUE(back.solution);
  EXPECT_EQ(back.solution->v, solution.v);
  EXPECT_EQ(back.solution->u, solution.u);
  EXPECT_EQ(back.solution->r, solution.r);
  const ContactSolution ours = from_fclib(problem, solution);
  EXPECT_EQ(ours.lambda[0], 200);
  EXPECT_EQ(ours.gamma[0], Vec2(0.1, -1e-17));
  EXPECT_EQ(to_fclib(problem, ours).r, solution.r);
}

TEST(Fclib, TheSameProblemIsTheSameFile) {
  const Folder folder;
  std::string texts[2];
  for (std::string& text : texts) {
    write_fclib(folder.file("a.hdf5"), odd_problem());
    std::ifstream file(folder.file("a.hdf5"), std::ios::binary);
    text.assign(std::istreambuf_iterator<char>(file), {});
  }
  EXPECT_GT(texts[0].size(), 1000u);
  EXPECT_EQ(texts[0], texts[1]);
}

TEST(Fclib, LocalVelocitiesAreThoseOfTheFile) {
  const ContactProblem problem = read_raw({}).problem;
  ContactSolution solution;
  start_cold(problem, solution);
  solution.v << 1, 2, 3, 10, 20, 30;
  // H^T v + w, by hand: 0.5 (3 - 30) + 0.1, 0.5 (1 - 10) - 0.2, 0.5 (2 - 20) + 0.3
  EXPECT_NEAR((to_fclib(problem, solution).u - Vec3(-13.4, -4.7, -8.7)).norm(), 0, 1e-14);
}

TEST(Fclib, OthersFindTheLayout) {
  const Folder folder;
  const FclibSolution solution{.v = VecX::LinSpaced(6, 1, 6), .u = Vec3(7, 8, 9), .r = Vec3(10, 11, 12)};
  write_fclib(folder.file("a.hdf5"), read_raw({}).problem, &solution);
  const std::string script = std::string(std::getenv("SIMRUN_SOURCE_DIR")) + "/tests/output/fclib_layout_test.py";
  const std::string command = std::string(SIMRUN_PYTHON) + " " + script + " " + folder.file("a.hdf5");
  const int status = std::system(command.c_str());
  if (WIFEXITED(status) && WEXITSTATUS(status) == 77) GTEST_SKIP() << "h5py is not installed";
  EXPECT_EQ(status, 0);
}

TEST(Fclib, GuessesServeWhereThereIsNoSolution) {
  RawFile raw;
  raw.root_reals = {{"/guesses/number_of_guesses", {1}},
                    {"/guesses/1/v", {6, 5, 4, 3, 2, 1}},
                    {"/guesses/1/u", {1, 2, 3}},
                    {"/guesses/1/r", {4, 5, 6}}};
  const Folder folder;
  raw.write(folder.file("p.hdf5"));
  EXPECT_FALSE(read_fclib(folder.file("p.hdf5")).solution);
  EXPECT_EQ(read_fclib_solution(folder.file("p.hdf5"), 6, 1).r, VecX(Vec3(4, 5, 6)));
  const std::string sizes = message_of<InputError>([&] { read_fclib_solution(folder.file("p.hdf5"), 9, 1); });
  expect_contains(sizes, "/guesses/1/v has 6 entries, expected 9");
  RawFile().write(folder.file("q.hdf5"));
  expect_contains(message_of<InputError>([&] { read_fclib_solution(folder.file("q.hdf5"), 6, 1); }),
                  "there is nothing to start from");
}

TEST(FclibFile, WhatCannotBeReadIsAFileError) {
  const Folder folder;
  const std::string path = folder.file("p.hdf5");
  expect_contains(message_of<FileError>([&] { read_fclib(path); }), "No such file");
  std::ofstream(path) << "M v = H r + f";
  expect_contains(message_of<FileError>([&] { read_fclib(path); }), path + ": is not an HDF5 file");
  RawFile().write(path);
  std::filesystem::resize_file(path, std::filesystem::file_size(path) / 2);
  expect_contains(message_of<FileError>([&] { read_fclib(path); }), path + ": cannot open the file");
}

TEST(FclibFile, WhatCannotBeWrittenIsAFileErrorAndLeavesWhatWasThere) {
  const Folder folder;
  const ContactProblem problem = read_raw({}).problem;
  EXPECT_THROW(write_fclib(folder.file("no/such/folder.hdf5"), problem), FileError);
  std::filesystem::create_directory(folder.file("taken"));
  EXPECT_THROW(write_fclib(folder.file("taken"), problem), FileError);
  EXPECT_TRUE(std::filesystem::is_directory(folder.file("taken")));
}

}  // namespace fclib_test
}  // namespace sim
