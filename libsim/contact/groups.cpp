#include "contact/groups.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sim {

namespace {

Index first_of(std::vector<Index>& in_one_with, Index body) {
  while (in_one_with[body] != body) body = in_one_with[body] = in_one_with[in_one_with[body]];
  return body;
}

// The smaller one stands for both.
void unite(std::vector<Index>& in_one_with, Index a, Index b) {
  a = first_of(in_one_with, a);
  b = first_of(in_one_with, b);
  in_one_with[std::max(a, b)] = std::min(a, b);
}

std::span<const Index> columns_of(const BlockMatrix& L, Index contact) {
  return std::span(L.column).subspan(L.row_begin[contact], L.row_begin[contact + 1] - L.row_begin[contact]);
}

// Keeps the old group where it has the same bodies. Groups are asked for by their first body: `next` is the first of
// the old ones that can still be it.
ContactGroup group_again(std::vector<Index> bodies, std::vector<ContactGroup>& before, std::size_t& next) {
  while (next < before.size() && before[next].bodies.front() < bodies.front()) ++next;
  if (next < before.size() && before[next].bodies == bodies) {
    before[next].contacts.clear();
    return std::move(before[next++]);
  }
  ContactGroup fresh;
  fresh.bodies = std::move(bodies);
  return fresh;
}

void take_bodies(const ContactProblem& problem, const Groups& s, ContactGroup& group) {
  take_rows(problem.A, group.rows, s.place, group.problem.A);
  take_rows(problem.b, group.rows, group.problem.b);
  group.problem.version = s.version;
  group.problem.bodies = group.bodies;
  group.taken = true;
}

// Unknowns are at their places in the group.
void take_contacts(const ContactProblem& problem, const Groups& s, ContactGroup& group) {
  ContactProblem& part = group.problem;
  take_rows(problem.L, group.contacts, s.place, part.L);
  take_rows(problem.c, group.contacts, part.c);
  part.mu.clear();
  part.Z.clear();
  for (const Index contact : group.contacts) {
    part.mu.push_back(problem.mu[contact]);
    part.Z.push_back(problem.Z[contact]);
  }
}

}  // namespace

void find_bodies(const BlockMatrix& A, Groups& s) {
  s.bodies = find_bodies(A);
  s.place.resize(s.bodies.of_row.size());
  forget(s);
}

void forget(Groups& s) {
  ++s.version;
  s.groups.clear();
  s.missed.assign(static_cast<std::size_t>(s.bodies.count()), Groups::unsolved);
  s.apart.resize(s.missed.size());
  for (Index body = 0; body < s.bodies.count(); ++body) s.apart[body] = body;
}

void find_groups(const BlockMatrix& L, bool together, Groups& s) {
  const auto bodies = static_cast<std::size_t>(s.bodies.count());
  s.in_one_with.resize(bodies);
  for (Index body = 0; body < s.bodies.count(); ++body) s.in_one_with[body] = body;
  std::vector<char> touched(bodies, 0);
  Index last = -1;
  for (Index contact = 0; contact < L.rows(); ++contact) {
    if (!together) last = -1;
    for (const Index column : columns_of(L, contact)) {
      const Index body = s.bodies.of_row[column];
      touched[body] = 1;
      if (last >= 0) unite(s.in_one_with, last, body);
      last = body;
    }
  }

  s.apart.clear();
  s.group_of.assign(bodies, -1);
  std::vector<std::vector<Index>> members;
  for (Index body = 0; body < s.bodies.count(); ++body) {
    if (touched[body] == 0) {
      s.apart.push_back(body);
      continue;
    }
    s.missed[body] = Groups::unsolved;
    const Index first = first_of(s.in_one_with, body);
    if (first == body) {
      s.group_of[body] = static_cast<Index>(members.size());
      members.emplace_back();
    }
    s.group_of[body] = s.group_of[first];
    members[s.group_of[body]].push_back(body);
  }

  std::vector<ContactGroup> before = std::exchange(s.groups, {});
  std::size_t next = 0;
  for (std::vector<Index>& one : members) s.groups.push_back(group_again(std::move(one), before, next));
  for (Index contact = 0; contact < L.rows(); ++contact) {
    const Index body = s.bodies.of_row[columns_of(L, contact).front()];
    s.groups[s.group_of[body]].contacts.push_back(contact);
  }
  for (ContactGroup& group : s.groups) group.rows.clear();
  for (Index row = 0; row < static_cast<Index>(s.bodies.of_row.size()); ++row) {
    const Index group = s.group_of[s.bodies.of_row[row]];
    if (group < 0) continue;
    s.place[row] = static_cast<Index>(s.groups[group].rows.size());
    s.groups[group].rows.push_back(row);
  }
}

void start_apart(const VecX& guess, const Groups& s, VecX& v) {
  for (const Index body : s.apart) {
    for (const Index row : s.bodies.rows_of(body)) block(v, row) = block(guess, row);
  }
}

CgReport solve_apart(const ContactProblem& problem, const CgOptions& options, Groups& s, VecX& v) {
  s.to_solve.clear();
  for (const Index body : s.apart) {
    if (s.missed[body] == Groups::unsolved) s.to_solve.push_back(body);
  }
  // Others may be added later, or come back: what all may miss is shared out beforehand.
  CgOptions of_these = options;
  of_these.absolute *= std::sqrt(static_cast<double>(s.to_solve.size()) / static_cast<double>(s.bodies.count()));
  const CgReport report = conjugate_gradient(problem.A, problem.b, s.bodies, s.to_solve, of_these, s.cg, v);
  for (std::size_t i = 0; i < s.to_solve.size(); ++i) {
    const CgReport& one = s.cg.reports[i];
    if (one.status == CgStatus::converged) s.missed[s.to_solve[i]] = one.residual * one.residual;
  }
  return report;
}

double missed_apart(const Groups& s) {
  double sum = 0;
  for (const Index body : s.apart) sum += s.missed[body] == Groups::unsolved ? 0 : s.missed[body];
  return std::sqrt(sum);
}

ContactTolerance share_of(const ContactTolerance& tolerance, const Groups& s, const ContactGroup& group) {
  std::size_t rows = 0;
  for (const ContactGroup& one : s.groups) rows += one.rows.size();
  const double left = s.apart.empty() ? 1 : 1 - untouched_part * untouched_part;
  const double share = rows == 0 ? 1 : static_cast<double>(group.rows.size()) / static_cast<double>(rows);
  ContactTolerance result = tolerance;
  result.momentum *= std::sqrt(left * share);
  return result;
}

void take(const ContactProblem& problem, const ContactSolution& solution, const Groups& s, ContactGroup& group) {
  if (!group.taken) take_bodies(problem, s, group);
  take_contacts(problem, s, group);
  ContactSolution& part = group.solution;
  take_rows(solution.v, group.rows, part.v);
  part.lambda.clear();
  part.gamma.clear();
  part.delta.clear();
  part.state.clear();
  for (const Index contact : group.contacts) {
    part.lambda.push_back(solution.lambda[contact]);
    part.gamma.push_back(solution.gamma[contact]);
    part.delta.push_back(solution.delta[contact]);
    part.state.push_back(solution.state[contact]);
  }
}

void put_back(const ContactGroup& group, ContactSolution& solution) {
  const ContactSolution& part = group.solution;
  put_rows(part.v, group.rows, solution.v);
  for (std::size_t i = 0; i < group.contacts.size(); ++i) {
    const Index contact = group.contacts[i];
    solution.lambda[contact] = part.lambda[i];
    solution.gamma[contact] = part.gamma[i];
    solution.delta[contact] = part.delta[i];
    solution.state[contact] = part.state[i];
  }
}

void join(const SolveReport& one, SolveReport& all) {
  all.iterations = std::max(all.iterations, one.iterations);
  all.resets = std::max(all.resets, one.resets);
  all.evaluations = std::max(all.evaluations, one.evaluations);
  all.rounds = std::max(all.rounds, one.rounds);
  all.contraction = std::max(all.contraction, one.contraction);
  all.construction_seconds += one.construction_seconds;
  join(one.residual, all.residual);
  join(one.cone_residual, all.cone_residual);
  if (all.status != SolveStatus::converged) return;
  all.status = one.status;
  all.reason = one.reason;
}

}  // namespace sim
