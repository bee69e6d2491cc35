#include "output/fclib.hpp"

#include <gtest/gtest.h>
#include <hdf5.h>

#include <cmath>
#include <fstream>
#include <functional>
#include <limits>
#include <map>

#include "math/error.hpp"
#include "output/fixture.hpp"

namespace sim {
namespace {

using testing::Folder;

// A file by dataset, written with HDF5 itself. Two points of mass 2 and 4 kg joined along x by a spring of 1 (in the
// units of M), one contact between them with normal z and a step of 0.5 s.
struct RawFile {
  std::map<std::string, std::vector<std::int64_t>> integers{{"spacedim", {3}},  //
                                                            {"M/nzmax", {8}},
                                                            {"M/m", {6}},
                                                            {"M/n", {6}},
                                                            {"M/nz", {-1}},
                                                            {"M/p", {0, 2, 3, 4, 6, 7, 8}},
                                                            {"M/i", {0, 3, 1, 2, 0, 3, 4, 5}},
                                                            {"H/nzmax", {6}},
                                                            {"H/m", {6}},
                                                            {"H/n", {3}},
                                                            {"H/nz", {-1}},
                                                            {"H/p", {0, 2, 4, 6}},
                                                            {"H/i", {2, 5, 0, 3, 1, 4}}};
  std::map<std::string, std::vector<double>> reals{{"M/x", {3, -1, 2, 2, -1, 5, 4, 4}},
                                                   {"H/x", {0.5, -0.5, 0.5, -0.5, 0.5, -0.5}},
                                                   {"vectors/f", {1, 2, 3, 4, 5, 6}},
                                                   {"vectors/w", {0.1, -0.2, 0.3}},
                                                   {"vectors/mu", {0.4}}};
  std::map<std::string, std::vector<double>> root_reals;  // by absolute path

  void write(const std::string& path) const {
    const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    for (const auto& [name, values] : integers) put(file, "/fclib_global/" + name, H5T_NATIVE_INT64, values);
    for (const auto& [name, values] : reals) put(file, "/fclib_global/" + name, H5T_NATIVE_DOUBLE, values);
    for (const auto& [name, values] : root_reals) put(file, name, H5T_NATIVE_DOUBLE, values);
    H5Fclose(file);
  }

  template <class T>
  static void put(hid_t file, const std::string& path, hid_t type, const std::vector<T>& values) {
    const hsize_t size = values.size();
    const hid_t space = H5Screate_simple(1, &size, nullptr);
    const hid_t links = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(links, 1);
    const hid_t dataset = H5Dcreate2(file, path.c_str(), type, space, links, H5P_DEFAULT, H5P_DEFAULT);
    if (size > 0) H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    H5Dclose(dataset);
    H5Pclose(links);
    H5Sclose(space);
  }
};

FclibProblem read(const RawFile& raw) {
  const Folder folder;
  raw.write(folder.file("p.hdf5"));
  return read_fclib(folder.file("p.hdf5"));
}

template <class Error>
std::string message_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  } catch (const std::exception& error) {
    return std::string("another exception: ") + error.what();
  }
  return "no exception";
}

void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "no \"" << part << "\" in: " << text;
}

void expect_defect(const RawFile& raw, const std::string& part) {
  const Folder folder;
  const std::string path = folder.file("p.hdf5");
  raw.write(path);
  const std::string message = message_of<InputError>([&] { read_fclib(path); });
  expect_contains(message, path + ": ");
  expect_contains(message, part);
}

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
  const FclibProblem file = read({});
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
  expect_equal(read(raw).problem, read({}).problem);
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
  expect_equal(read(raw).problem, read({}).problem);
}

TEST(Fclib, EntriesAtTheSamePlaceAreAddedAndSlackIsIgnored) {
  RawFile raw;
  raw.integers["M/nzmax"] = {12};
  raw.integers["M/p"] = {0, 3, 4, 5, 7, 8, 9};
  raw.integers["M/i"] = {0, 3, 0, 1, 2, 0, 3, 4, 5, 99, 99};
  raw.reals["M/x"] = {1, -1, 2, 2, 2, -1, 5, 4, 4, 7, 7};
  expect_equal(read(raw).problem, read({}).problem);
}

TEST(Fclib, StoredZerosChangeNothing) {
  RawFile raw;
  raw.integers["H/nzmax"] = {7};
  raw.integers["H/p"] = {0, 3, 5, 7};
  raw.integers["H/i"] = {2, 5, 0, 0, 3, 1, 4};
  raw.reals["H/x"] = {0.5, -0.5, 0, 0.5, -0.5, 0.5, -0.5};
  expect_equal(read(raw).problem, read({}).problem);
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
    const FclibProblem file = read(raw);
    expect_equal(file.problem, read({}).problem);
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
  const ContactProblem problem = read(raw).problem;
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
  return read(raw).problem;
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
  const ContactProblem problem = read({}).problem;
  ContactSolution solution;
  start_cold(problem, solution);
  solution.v << 1, 2, 3, 10, 20, 30;
  // H^T v + w, by hand: 0.5 (3 - 30) + 0.1, 0.5 (1 - 10) - 0.2, 0.5 (2 - 20) + 0.3
  EXPECT_NEAR((to_fclib(problem, solution).u - Vec3(-13.4, -4.7, -8.7)).norm(), 0, 1e-14);
}

TEST(Fclib, OthersFindTheLayout) {
  const Folder folder;
  const FclibSolution solution{.v = VecX::LinSpaced(6, 1, 6), .u = Vec3(7, 8, 9), .r = Vec3(10, 11, 12)};
  write_fclib(folder.file("a.hdf5"), read({}).problem, &solution);
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

TEST(FclibDefect, KindOfProblem) {
  RawFile raw;
  raw.integers["spacedim"] = {2};
  expect_defect(raw, "/fclib_global/spacedim is 2, expected 3");
  raw = {};
  raw.integers["G/n"] = {4};
  expect_defect(raw, "4 equality constraints, expected none");
  raw.integers.clear();
  raw.reals.clear();
  raw.root_reals = {{"/fclib_local/vectors/q", {1}}};
  expect_defect(raw, "holds a local problem");
  raw.root_reals = {{"/something", {1}}};
  expect_defect(raw, "not a problem in FCLIB's global format");
}

TEST(FclibDefect, MissingDatasets) {
  for (const char* name : {"M/nz", "M/p", "H/i", "H/nzmax"}) {
    RawFile raw;
    raw.integers.erase(name);
    expect_defect(raw, "/fclib_global/" + std::string(name) + " is missing");
  }
  for (const char* name : {"M/x", "vectors/f", "vectors/w", "vectors/mu"}) {
    RawFile raw;
    raw.reals.erase(name);
    expect_defect(raw, "/fclib_global/" + std::string(name) + " is missing");
  }
}

TEST(FclibDefect, SizesOfMatrices) {
  RawFile raw;
  raw.integers["M/m"] = {7};
  expect_defect(raw, "/fclib_global/M has 7 rows and 6 columns, expected a square matrix");
  raw.integers["M/n"] = {7};
  raw.integers["M/p"].push_back(8);
  expect_defect(raw, "/fclib_global/M/m is 7, expected a multiple of three");
  raw = {};
  raw.integers["H/m"] = {9};
  expect_defect(raw, "/fclib_global/H/m is 9, expected 6, the size of M");
  raw = {};
  raw.integers["H/n"] = {4};
  raw.integers["H/p"].push_back(6);
  expect_defect(raw, "/fclib_global/H/n is 4, expected three columns a contact");
  raw = {};
  raw.integers["M/m"] = raw.integers["M/n"] = raw.integers["H/m"] = raw.integers["M/nz"] = {0};
  raw.integers["M/nzmax"] = {0};
  raw.integers["M/p"] = raw.integers["M/i"] = raw.integers["H/i"] = {};
  raw.reals["M/x"] = raw.reals["H/x"] = {};
  raw.integers["H/p"] = {0, 0, 0, 0};
  expect_defect(raw, "/fclib_global/M/m is 0, expected a multiple of three");
}

TEST(FclibDefect, SizesOfVectors) {
  const std::pair<const char*, const char*> vectors[] = {
      {"vectors/f", "/vectors/f has 7 entries, expected 6, the size of M"},
      {"vectors/w", "/vectors/w has 4 entries, expected 3, the columns of H"},
      {"vectors/mu", "/vectors/mu has 2 entries, expected 1, one a contact"}};
  for (const auto& [name, text] : vectors) {
    RawFile raw;
    raw.reals[name].push_back(0);
    expect_defect(raw, text);
  }
}

TEST(FclibDefect, NumbersThatAreNotFinite) {
  for (const char* name : {"M/x", "H/x", "vectors/f", "vectors/w", "vectors/mu"}) {
    RawFile raw;
    raw.reals[name].back() = std::numeric_limits<double>::quiet_NaN();
    const std::size_t last = raw.reals[name].size() - 1;
    expect_defect(raw, "/" + std::string(name) + "[" + std::to_string(last) + "] is nan, expected a finite number");
    raw.reals[name].back() = -std::numeric_limits<double>::infinity();
    expect_defect(raw, "is -inf, expected a finite number");
  }
}

TEST(FclibDefect, NegativeFriction) {
  RawFile raw;
  raw.reals["vectors/mu"] = {-0.1};
  expect_defect(raw, "/vectors/mu[0] is -0.1, expected a coefficient of friction of 0 or more");
}

TEST(FclibDefect, Indices) {
  RawFile raw;
  raw.integers["H/i"][5] = 6;
  expect_defect(raw, "/fclib_global/H/i[5] is 6, expected a row below 6");
  raw.integers["H/i"][5] = -1;
  expect_defect(raw, "/fclib_global/H/i[5] is -1, expected a row below 6");
  raw = {};
  raw.integers["M/p"][3] = 2;
  expect_defect(raw, "/fclib_global/M/p[3] is 2 after 3, expected no smaller number");
  raw = {};
  raw.integers["M/p"][0] = 1;
  expect_defect(raw, "/fclib_global/M/p[0] is 1, expected 0");
  raw = {};
  raw.integers["M/p"].pop_back();
  expect_defect(raw, "/fclib_global/M/p has 6 entries, expected 7, one more than columns");
  raw = {};
  raw.integers["M/p"].back() = 9;
  expect_defect(raw, "/fclib_global/M/nzmax is 8, but the matrix has 9 entries");
  raw = {};
  raw.integers["M/i"].pop_back();
  expect_defect(raw, "/fclib_global/M/i has 7 entries, expected 8");
  raw = {};
  raw.reals["M/x"].push_back(1);
  expect_defect(raw, "/fclib_global/M/x has 9 entries, expected 8");
}

TEST(FclibDefect, KindOfMatrix) {
  RawFile raw;
  raw.integers["M/nz"] = {-3};
  expect_defect(raw, "/fclib_global/M/nz is -3, expected -1 (compressed columns), -2 (compressed rows)");
  raw.integers["M/nz"] = {-1, -1};
  expect_defect(raw, "/fclib_global/M/nz has 2 entries, expected one number");
  raw = {};
  raw.integers["M/m"] = {-6};
  expect_defect(raw, "/fclib_global/M/m is -6, expected 0 to 2147483647");
  raw.integers["M/m"] = {std::int64_t{1} << 33};  // would be 0 in 32 bits
  expect_defect(raw, "/fclib_global/M/m is 8589934592");
  raw = {};
  raw.integers.erase("H/i");
  raw.reals["H/i"] = {2, 5, 0, 3, 1, 4};
  expect_defect(raw, "/fclib_global/H/i does not hold integers");
}

TEST(FclibDefect, TripletsInTheOrderOfCSparse) {
  RawFile raw;
  raw.integers["H/nz"] = {6};
  raw.integers["H/i"] = {2, 5, 0, 3, 1, 4};  // rows
  raw.integers["H/p"] = {0, 0, 1, 1, 2, 2};  // columns
  expect_defect(raw, "/fclib_global/H has triplets that fit only with columns in p and rows in i");
}

TEST(FclibDefect, TooFewTriplets) {
  RawFile raw;
  raw.integers["H/nz"] = {6};
  raw.integers["H/p"] = {2, 5};
  expect_defect(raw, "/fclib_global/H/p has 2 entries, expected nz = 6");
}

TEST(FclibDefect, MatricesThatCannotBe) {
  RawFile raw;
  raw.reals["M/x"][1] = -1.5;
  expect_defect(raw, "/fclib_global/M(0, 3) is -1, but M(3, 0) is -1.5, expected a symmetric matrix");
  raw = {};
  raw.reals["M/x"][7] = -4;
  expect_defect(raw, "/fclib_global/M(5, 5) is -4, expected a positive number");
  raw.reals["M/x"][7] = 0;
  expect_defect(raw, "/fclib_global/M(5, 5) is 0, expected a positive number");
  raw = {};
  raw.reals["H/x"][0] = raw.reals["H/x"][1] = 0;
  expect_defect(raw, "/fclib_global/H has nothing in column 0, the normal of contact 0");
}

TEST(FclibDefect, RoundingIsNotAsymmetry) {
  RawFile raw;
  raw.reals["M/x"][1] = -1 - 1e-15;
  EXPECT_NO_THROW(read(raw));
}

TEST(FclibDefect, ASolutionOfAnotherProblem) {
  RawFile raw;
  raw.root_reals = {{"/solution/v", {1, 2, 3}}, {"/solution/u", {1, 2, 3}}, {"/solution/r", {1, 2, 3}}};
  expect_defect(raw, "/solution/v has 3 entries, expected 6, the unknowns of the problem");
  raw.root_reals.erase("/solution/v");
  expect_defect(raw, "/solution/v is missing");
}

// Sizes that would take tens of gigabytes, in a file of some kilobytes.
TEST(FclibDefect, SizesThatTheFileCannotHold) {
  const Folder folder;
  const std::string path = folder.file("p.hdf5");
  constexpr std::int64_t huge = 2147483646;
  RawFile raw;
  for (const char* name : {"M/m", "M/n", "H/m"}) raw.integers[name] = {huge};
  for (const char* name : {"M/nz", "M/nzmax"}) raw.integers[name] = {0};
  for (const char* name : {"M/p", "M/i"}) raw.integers[name].clear();
  raw.reals["M/x"].clear();
  raw.reals.erase("vectors/f");
  raw.write(path);
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  const hsize_t size = huge, chunk = 1000;
  const hid_t space = H5Screate_simple(1, &size, nullptr), creation = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(creation, 1, &chunk);
  H5Dclose(H5Dcreate2(file, "/fclib_global/vectors/f", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, creation, H5P_DEFAULT));
  H5Pclose(creation);
  H5Sclose(space);
  H5Fclose(file);
  expect_contains(message_of<InputError>([&] { read_fclib(path); }), "/vectors/f claims 2147483646 numbers");
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
  const ContactProblem problem = read({}).problem;
  EXPECT_THROW(write_fclib(folder.file("no/such/folder.hdf5"), problem), FileError);
  std::filesystem::create_directory(folder.file("taken"));
  EXPECT_THROW(write_fclib(folder.file("taken"), problem), FileError);
  EXPECT_TRUE(std::filesystem::is_directory(folder.file("taken")));
}

}  // namespace
}  // namespace sim
