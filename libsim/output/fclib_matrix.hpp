// The sparse matrices of FCLIB files as lists of entries, and the datasets they consist of. For sources of this room
// only.
//
//     nz = -1   compressed columns: column j has the entries p[j] to p[j+1], with rows i and values x
//     nz = -2   compressed rows: row j has the entries p[j] to p[j+1], with columns i and values x
//     nz >= 0   nz triplets: row p[k], column i[k], value x[k]   (CSparse has the two the other way round)
//
// nzmax says how long i and x may be. Entries at the same place are added.
#pragma once

#include <string>
#include <vector>

#include "math/block_matrix.hpp"
#include "output/hdf5.hpp"

namespace sim::fclib {

inline constexpr int significant_digits = 10;  // of numbers in messages

struct Source {
  std::string path;
  hdf5::Handle file;

  bool has(const std::string& dataset) const { return hdf5::exists(file, dataset); }
  // Throws InputError: "<path>: <what> <text>".
  [[noreturn]] void defect(const std::string& what, const std::string& text) const;

  std::int64_t integer(const std::string& dataset) const;                      // of one entry
  std::vector<std::int64_t> integers(const std::string& dataset) const;        // any length
  std::vector<double> reals(const std::string& dataset) const;                 // any length
  VecX vector(const std::string& dataset, Index size, const char* why) const;  // finite, of this size
};
// Throws FileError where there is no such file, or it is not HDF5.
Source open_source(const std::string& path);

struct Entry {
  Index row, column;
  double value;
};

struct Matrix {
  Index rows = 0, columns = 0;
  std::vector<Entry> entries;
};
Matrix read_matrix(const Source& source, const std::string& group);

// All blocks that hold an entry other than zero, and the diagonal where `diagonal` says so; entries are added up.
// Sizes must be multiples of three.
BlockMatrix blocks_of(const Matrix& matrix, bool diagonal);

void write_matrix(hid_t parent, const std::string& name, const Matrix& matrix);  // compressed columns

}  // namespace sim::fclib
