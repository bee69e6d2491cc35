// Everything that can be wrong with an FCLIB file, and what is said about it.
#include <gtest/gtest.h>

#include <limits>

#include "math/error.hpp"
#include "output/fclib_raw.hpp"

namespace sim {
namespace fclib_defect_test {

using testing::expect_contains;
using testing::Folder;
using testing::message_of;
using testing::RawFile;
using testing::read_raw;

void expect_defect(const RawFile& raw, const std::string& part) {
  const Folder folder;
  const std::string path = folder.file("p.hdf5");
  raw.write(path);
  const std::string message = message_of<InputError>([&] { read_fclib(path); });
  expect_contains(message, path + ": ");
  expect_contains(message, part);
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
  EXPECT_NO_THROW(read_raw(raw));
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

}  // namespace fclib_defect_test
}  // namespace sim
