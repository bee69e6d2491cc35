#include "contact/untouched.hpp"

#include <algorithm>
#include <cmath>

namespace sim {

namespace {

// A and b of s.problem.
void take_touched(const ContactProblem& problem, Untouched& s) {
  s.rows.clear();
  s.place.resize(s.bodies.of_row.size());
  for (Index row = 0; row < problem.A.rows(); ++row) {
    if (s.touched[s.bodies.of_row[row]] == 0) continue;
    s.place[row] = static_cast<Index>(s.rows.size());
    s.rows.push_back(row);
  }
  take_rows(problem.A, s.rows, s.place, s.problem.A);
  take_rows(problem.b, s.rows, s.problem.b);
  s.taken = true;
}

void move_forces(ContactSolution& from, ContactSolution& to) {
  to.lambda.swap(from.lambda);
  to.gamma.swap(from.gamma);
  to.delta.swap(from.delta);
  to.state.swap(from.state);
}

}  // namespace

void find_bodies(const BlockMatrix& A, Untouched& s) {
  s.bodies = find_bodies(A);
  forget(s);
}

void forget(Untouched& s) {
  s.touched.assign(static_cast<std::size_t>(s.bodies.count()), 0);
  s.missed.assign(s.touched.size(), 0.0);
  s.solved = s.taken = false;
}

bool mark_touched(const BlockMatrix& L, Untouched& s) {
  for (const Index column : L.column) {
    char& touched = s.touched[s.bodies.of_row[column]];
    if (touched == 0) s.taken = false;
    touched = 1;
  }
  return std::find(s.touched.begin(), s.touched.end(), 0) != s.touched.end();
}

void start_apart(const VecX& guess, const Untouched& s, VecX& v) {
  for (Index body = 0; body < s.bodies.count(); ++body) {
    if (s.touched[body] != 0) continue;
    for (const Index row : s.bodies.rows_of(body)) block(v, row) = block(guess, row);
  }
}

CgReport solve_apart(const ContactProblem& problem, const CgOptions& options, Untouched& s, VecX& v) {
  if (s.solved) return {};
  s.apart.clear();
  for (Index body = 0; body < s.bodies.count(); ++body) {
    if (s.touched[body] == 0) s.apart.push_back(body);
  }
  const CgReport report = conjugate_gradient(problem.A, problem.b, s.bodies, s.apart, options, s.cg, v);
  for (std::size_t i = 0; i < s.apart.size(); ++i) {
    const double missed = s.cg.reports[i].residual;
    s.missed[s.apart[i]] = missed * missed;
  }
  s.solved = true;
  return report;
}

double missed_apart(const Untouched& s) {
  double sum = 0;
  for (std::size_t body = 0; body < s.touched.size(); ++body) sum += s.touched[body] == 0 ? s.missed[body] : 0;
  return std::sqrt(sum);
}

void take(const ContactProblem& problem, ContactSolution& solution, Untouched& s) {
  if (!s.taken) take_touched(problem, s);
  s.problem.L = problem.L;
  for (Index& column : s.problem.L.column) column = s.place[column];
  s.problem.c = problem.c;
  s.problem.mu = problem.mu;
  s.problem.Z = problem.Z;
  take_rows(solution.v, s.rows, s.solution.v);
  move_forces(solution, s.solution);
}

void put_back(Untouched& s, ContactSolution& solution) {
  put_rows(s.solution.v, s.rows, solution.v);
  move_forces(s.solution, solution);
}

}  // namespace sim
