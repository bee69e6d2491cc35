#include "contact/untouched.hpp"

#include <algorithm>
#include <cmath>

namespace sim {

namespace {

// The rows in `rows`, ascending, whose columns are all among them; place[r] is where row r is in there.
void take_rows(const BlockMatrix& A, const std::vector<Index>& rows, const std::vector<Index>& place,
               BlockMatrix& part) {
  part.row_begin.assign(1, 0);
  part.column.clear();
  part.values.clear();
  for (const Index row : rows) {
    const Index begin = A.row_begin[row], end = A.row_begin[row + 1];
    for (Index slot = begin; slot < end; ++slot) part.column.push_back(place[A.column[slot]]);
    part.values.insert(part.values.end(), A.values.begin() + 9 * std::ptrdiff_t{begin},
                       A.values.begin() + 9 * std::ptrdiff_t{end});
    part.row_begin.push_back(static_cast<Index>(part.column.size()));
  }
  part.values.push_back(0);
}

void take_blocks(const VecX& x, const std::vector<Index>& rows, VecX& part) {
  part.resize(3 * static_cast<Eigen::Index>(rows.size()));
  for (Index i = 0; i < static_cast<Index>(rows.size()); ++i) block(part, i) = block(x, rows[i]);
}

void put_blocks(const VecX& part, const std::vector<Index>& rows, VecX& x) {
  for (Index i = 0; i < static_cast<Index>(rows.size()); ++i) block(x, rows[i]) = block(part, i);
}

// Makes A and b of s.problem and v of s.solution from the rows of bodies that are touched, or of the others.
void take_bodies(const ContactProblem& problem, bool touched, Untouched& s) {
  s.rows.clear();
  s.place.assign(s.body_of_row.size(), -1);
  for (Index row = 0; row < static_cast<Index>(s.body_of_row.size()); ++row) {
    if ((s.touched[s.body_of_row[row]] != 0) != touched) continue;
    s.place[row] = static_cast<Index>(s.rows.size());
    s.rows.push_back(row);
  }
  take_rows(problem.A, s.rows, s.place, s.problem.A);
  take_blocks(problem.b, s.rows, s.problem.b);
  s.taken = touched;
}

void move_forces(ContactSolution& from, ContactSolution& to) {
  to.lambda.swap(from.lambda);
  to.gamma.swap(from.gamma);
  to.delta.swap(from.delta);
  to.state.swap(from.state);
}

}  // namespace

void find_bodies(const BlockMatrix& A, Untouched& s) {
  s.body_of_row.assign(static_cast<std::size_t>(A.rows()), -1);
  Index bodies = 0;
  std::vector<Index> reached;
  for (Index first = 0; first < A.rows(); ++first) {
    if (s.body_of_row[first] >= 0) continue;
    s.body_of_row[first] = bodies;
    reached.assign(1, first);
    while (!reached.empty()) {
      const Index row = reached.back();
      reached.pop_back();
      for (Index slot = A.row_begin[row]; slot < A.row_begin[row + 1]; ++slot) {
        const Index neighbour = A.column[slot];
        if (s.body_of_row[neighbour] >= 0) continue;
        s.body_of_row[neighbour] = bodies;
        reached.push_back(neighbour);
      }
    }
    ++bodies;
  }
  s.touched.resize(static_cast<std::size_t>(bodies));
  s.missed.resize(static_cast<std::size_t>(bodies));
  forget(s);
}

void forget(Untouched& s) {
  std::fill(s.touched.begin(), s.touched.end(), 0);
  std::fill(s.missed.begin(), s.missed.end(), 0.0);
  s.solved = s.taken = false;
}

bool mark_touched(const BlockMatrix& L, Untouched& s) {
  for (const Index column : L.column) {
    char& touched = s.touched[s.body_of_row[column]];
    if (touched == 0) s.taken = false;
    touched = 1;
  }
  return std::find(s.touched.begin(), s.touched.end(), 0) != s.touched.end();
}

CgReport solve_apart(const ContactProblem& problem, const ContactTolerance& tolerance, const VecX& guess, Untouched& s,
                     VecX& v) {
  if (s.solved) return {};
  take_bodies(problem, false, s);
  take_blocks(guess, s.rows, s.solution.v);
  const CgOptions options{.tolerance = 0, .absolute = untouched_part * tolerance.momentum};
  const CgReport report = conjugate_gradient(s.problem.A, s.problem.b, options, s.cg, s.solution.v);
  put_blocks(s.solution.v, s.rows, v);
  for (Index i = 0; i < static_cast<Index>(s.rows.size()); ++i)
    s.missed[s.body_of_row[s.rows[i]]] += block(s.cg.r, i).squaredNorm();
  s.solved = true;
  return report;
}

double missed_apart(const Untouched& s) {
  double sum = 0;
  for (std::size_t body = 0; body < s.touched.size(); ++body) sum += s.touched[body] == 0 ? s.missed[body] : 0;
  return std::sqrt(sum);
}

void take(const ContactProblem& problem, ContactSolution& solution, Untouched& s) {
  if (!s.taken) take_bodies(problem, true, s);
  s.problem.L = problem.L;
  for (Index& column : s.problem.L.column) column = s.place[column];
  s.problem.c = problem.c;
  s.problem.mu = problem.mu;
  s.problem.Z = problem.Z;
  take_blocks(solution.v, s.rows, s.solution.v);
  move_forces(solution, s.solution);
}

void put_back(Untouched& s, ContactSolution& solution) {
  put_blocks(s.solution.v, s.rows, solution.v);
  move_forces(s.solution, solution);
}

}  // namespace sim
