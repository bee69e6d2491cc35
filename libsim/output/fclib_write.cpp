#include <cerrno>
#include <cstring>

#include "math/error.hpp"
#include "output/descriptor.hpp"
#include "output/fclib.hpp"
#include "output/fclib_matrix.hpp"

namespace sim {

namespace {

using fclib::Matrix;

// The entries that are not zero, and the diagonal of a square matrix.
Matrix entries_of(const BlockMatrix& blocks, Index columns, bool transposed) {
  Matrix matrix;
  matrix.rows = transposed ? columns : 3 * blocks.rows();
  matrix.columns = transposed ? 3 * blocks.rows() : columns;
  for (Index row = 0; row < blocks.rows(); ++row) {
    for (Index slot = blocks.row_begin[row]; slot < blocks.row_begin[row + 1]; ++slot) {
      for (Index k = 0; k < 9; ++k) {
        const Index i = 3 * row + k / 3, j = 3 * blocks.column[slot] + k % 3;
        const double value = blocks.at(slot)(k / 3, k % 3);
        if (value == 0 && (transposed || i != j)) continue;
        matrix.entries.push_back(transposed ? fclib::Entry{j, i, value} : fclib::Entry{i, j, value});
      }
    }
  }
  return matrix;
}

void write_vector(hid_t parent, const std::string& name, const VecX& v) {
  hdf5::write_array(parent, name, {static_cast<hsize_t>(v.size())}, v.data());
}

void write_problem(hid_t file, const ContactProblem& problem) {
  const hdf5::Handle group = hdf5::create_group(file, "fclib_global");
  const std::int32_t dimension = 3;
  hdf5::write_array(group, "spacedim", {1}, &dimension);
  const Index unknowns = 3 * problem.A.rows();
  fclib::write_matrix(group, "M", entries_of(problem.A, unknowns, false));
  fclib::write_matrix(group, "H", entries_of(problem.L, unknowns, true));
  const hdf5::Handle vectors = hdf5::create_group(group, "vectors");
  write_vector(vectors, "f", problem.b);
  write_vector(vectors, "w", VecX::Zero(problem.c.size()) - problem.c);
  hdf5::write_array(vectors, "mu", {problem.mu.size()}, problem.mu.data());
}

void write_solution(hid_t file, const FclibSolution& solution) {
  const hdf5::Handle group = hdf5::create_group(file, "solution");
  write_vector(group, "v", solution.v);
  write_vector(group, "u", solution.u);
  write_vector(group, "r", solution.r);
  for (const auto& [name, text] : solution.provenance) hdf5::write_attribute(group, name, text);
}

}  // namespace

void write_fclib(const std::string& path, const ContactProblem& problem, const FclibSolution* solution) {
  hdf5::silence();
  NewFile target(path);
  std::vector<char> bytes;
  try {
    const hdf5::Handle file = hdf5::create_in_memory();
    write_problem(file, problem);
    if (solution) write_solution(file, *solution);
    bytes = hdf5::image_of(file);
  } catch (const hdf5::Failure& error) {
    throw FileError(path + ": " + error.what());
  }
  if (!write_at(target.descriptor(), bytes.data(), bytes.size(), 0))
    throw FileError(path + ": cannot be written: " + std::strerror(errno));
  target.publish();
}

}  // namespace sim
