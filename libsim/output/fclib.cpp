#include "output/fclib.hpp"

#include <algorithm>
#include <cmath>

#include "contact/friction_states.hpp"
#include "contact/row_similarity.hpp"
#include "math/error.hpp"
#include "math/number_text.hpp"
#include "output/fclib_matrix.hpp"

namespace sim {

namespace {

using fclib::Entry;
using fclib::Matrix;
using fclib::significant_digits;
using fclib::Source;

const std::string root = "/fclib_global";

std::string place(Index row, Index column) {
  return root + "/M(" + std::to_string(row) + ", " + std::to_string(column) + ")";
}

void check_kind(const Source& source) {
  if (!source.has(root)) {
    source.defect(root, source.has("/fclib_local")
                            ? "is missing: the file holds a local problem (/fclib_local), expected a global one"
                            : "is missing: this is not a problem in FCLIB's global format");
  }
  const std::int64_t dimension = source.integer(root + "/spacedim");
  if (dimension != 3) source.defect(root + "/spacedim", "is " + std::to_string(dimension) + ", expected 3");
  if (source.has(root + "/G") && source.integer(root + "/G/n") != 0)
    source.defect(root + "/G", "holds " + std::to_string(source.integer(root + "/G/n")) +
                                   " equality constraints, expected none: they are not supported");
}

void check_sizes(const Source& source, const Matrix& M, const Matrix& H) {
  if (M.rows != M.columns)
    source.defect(root + "/M", "has " + std::to_string(M.rows) + " rows and " + std::to_string(M.columns) +
                                   " columns, expected a square matrix");
  if (M.rows == 0 || M.rows % 3 != 0)
    source.defect(root + "/M/m", "is " + std::to_string(M.rows) +
                                     ", expected a multiple of three, the unknowns of at least one point");
  if (H.rows != M.rows)
    source.defect(root + "/H/m",
                  "is " + std::to_string(H.rows) + ", expected " + std::to_string(M.rows) + ", the size of M");
  if (H.columns % 3 != 0)
    source.defect(root + "/H/n", "is " + std::to_string(H.columns) + ", expected three columns a contact");
}

// Half of a symmetric matrix stands for the whole: mirrors it, and says so.
void complete(Matrix& M, std::vector<std::string>& notes) {
  bool lower = false, upper = false;
  for (const Entry& e : M.entries) {
    if (e.value == 0) continue;
    lower = lower || e.row > e.column;
    upper = upper || e.row < e.column;
  }
  if (lower == upper) return;
  notes.push_back("M is given by its " + std::string(lower ? "lower" : "upper") +
                  " triangle only, and is taken for symmetric");
  const std::size_t given = M.entries.size();
  for (std::size_t k = 0; k < given; ++k) {
    const Entry e = M.entries[k];
    if (e.row != e.column) M.entries.push_back({e.column, e.row, e.value});
  }
}

// Symmetric to rounding, with a positive diagonal; that it is definite shows only in solving.
void check_matrix(const Source& source, const BlockMatrix& A) {
  VecX diagonal(3 * Eigen::Index{A.rows()});
  for (Index row = 0; row < A.rows(); ++row) block(diagonal, row) = A.at(A.find(row, row)).diagonal();
  for (Index i = 0; i < diagonal.size(); ++i) {
    if (!(diagonal[i] > 0))
      source.defect(place(i, i), "is " + number_text(diagonal[i], significant_digits) +
                                     ", expected a positive number: M is not positive definite");
  }
  constexpr double rounding = 1e-9;
  for (Index row = 0; row < A.rows(); ++row) {
    for (Index slot = A.row_begin[row]; slot < A.row_begin[row + 1]; ++slot) {
      const Index column = A.column[slot], mirror = A.find(column, row);
      const Mat3 here = A.at(slot), there = mirror < 0 ? Mat3::Zero() : Mat3(A.at(mirror).transpose());
      for (Index k = 0; k < 9; ++k) {
        const Index i = 3 * row + k / 3, j = 3 * column + k % 3;
        const double a = here(k / 3, k % 3), b = there(k / 3, k % 3);
        if (!(std::abs(a - b) <= rounding * std::sqrt(diagonal[i] * diagonal[j])))
          source.defect(place(i, j), "is " + number_text(a, significant_digits) + ", but M(" + std::to_string(j) +
                                         ", " + std::to_string(i) + ") is " + number_text(b, significant_digits) +
                                         ", expected a symmetric matrix");
      }
    }
  }
}

void check_rows(const Source& source, const BlockMatrix& L) {
  for (Index i = 0; i < L.rows(); ++i) {
    double normal = 0;
    for (Index slot = L.row_begin[i]; slot < L.row_begin[i + 1]; ++slot) normal += L.at(slot).row(0).cwiseAbs().sum();
    if (normal == 0)
      source.defect(root + "/H", "has nothing in column " + std::to_string(3 * i) + ", the normal of contact " +
                                     std::to_string(i) + ": no unknown moves it");
  }
}

std::vector<double> read_friction(const Source& source, Index contacts) {
  const VecX mu = source.vector(root + "/vectors/mu", contacts, "one a contact (a third of the columns of H)");
  for (Index i = 0; i < contacts; ++i) {
    if (mu[i] < 0)
      source.defect(
          root + "/vectors/mu[" + std::to_string(i) + "]",
          "is " + number_text(mu[i], significant_digits) + ", expected a coefficient of friction of 0 or more");
  }
  return {mu.begin(), mu.end()};
}

ContactProblem read_problem(const Source& source, std::vector<std::string>& notes) {
  check_kind(source);
  Matrix M = fclib::read_matrix(source, root + "/M"), H = fclib::read_matrix(source, root + "/H");
  check_sizes(source, M, H);
  ContactProblem problem;
  problem.b = source.vector(root + "/vectors/f", M.rows, "the size of M");
  problem.c = VecX::Zero(H.columns) - source.vector(root + "/vectors/w", H.columns, "the columns of H");
  problem.mu = read_friction(source, H.columns / 3);

  complete(M, notes);
  problem.A = fclib::blocks_of(M, true);
  check_matrix(source, problem.A);
  std::swap(H.rows, H.columns);
  for (Entry& entry : H.entries) std::swap(entry.row, entry.column);
  problem.L = fclib::blocks_of(H, false);
  check_rows(source, problem.L);
  problem.Z = row_similarity(problem.L);
  return problem;
}

FclibSolution read_solution(const Source& source, const std::string& group, Index unknowns, Index contacts) {
  FclibSolution solution;
  solution.v = source.vector(group + "/v", unknowns, "the unknowns of the problem");
  solution.u = source.vector(group + "/u", 3 * contacts, "three a contact");
  solution.r = source.vector(group + "/r", 3 * contacts, "three a contact");
  return solution;
}

}  // namespace

FclibProblem read_fclib(const std::string& path) {
  const Source source = fclib::open_source(path);
  FclibProblem result;
  result.problem = read_problem(source, result.notes);
  if (source.has("/solution"))
    result.solution = read_solution(source, "/solution", 3 * result.problem.A.rows(), result.problem.contacts());
  return result;
}

FclibSolution read_fclib_solution(const std::string& path, Index unknowns, Index contacts) {
  const Source source = fclib::open_source(path);
  for (const char* group : {"/solution", "/guesses/1"}) {
    if (source.has(group)) return read_solution(source, group, unknowns, contacts);
  }
  source.defect("/solution", "is missing, and so is /guesses: there is nothing to start from");
}

FclibSolution to_fclib(const ContactProblem& problem, const ContactSolution& solution) {
  FclibSolution result;
  result.v = solution.v;
  slip(problem, solution.v, result.u);
  reaction(solution, result.r);
  return result;
}

ContactSolution from_fclib(const ContactProblem& problem, const FclibSolution& solution) {
  ContactSolution result;
  result.v = solution.v;
  set_reaction(solution.r, result);
  derive_states(problem, result);
  return result;
}

bool is_fclib_file(const std::string& path) {
  hdf5::silence();
  try {
    return H5Fis_hdf5(path.c_str()) > 0 && hdf5::exists(hdf5::open_file(path), "/fclib_global");
  } catch (const hdf5::Failure&) {
    return false;
  }
}

}  // namespace sim
