#include "contact/groups.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "math/parallel.hpp"

namespace sim {

namespace {

constexpr Index rows_a_chunk = 512;

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

void take_bodies(const ContactProblem& problem, const Groups& s, const Units& units, ContactGroup& group) {
  ContactProblem& part = group.problem;
  take_rows(problem.A, group.rows, s.place, part.A);
  take_rows(problem.b, group.rows, part.b);
  part.body.resize(group.rows.size());
  part.mobility.resize(group.bodies.size());
  group.momentum.resize(group.rows.size());
  const auto unit_of = [&](Index body) { return units.momentum.empty() ? 1 : units.momentum[body]; };
  for (std::size_t i = 0; i < group.bodies.size(); ++i) {
    const double unit = unit_of(group.bodies[i]);
    part.mobility[i] = unit * unit * s.mobility[group.bodies[i]];
  }
  parallel_for(static_cast<Index>(group.rows.size()), rows_a_chunk, [&](Index begin, Index end) {
    for (Index row = begin; row < end; ++row) {
      const Index body = s.bodies.of_row[group.rows[row]];
      const auto place = std::lower_bound(group.bodies.begin(), group.bodies.end(), body) - group.bodies.begin();
      const double unit = unit_of(body);
      part.body[row] = static_cast<Index>(place);
      group.momentum[row] = unit;
      if (units.momentum.empty()) continue;
      block(part.b, row) /= unit;
      // A couples rows of one body only.
      for (Index slot = part.A.row_begin[row]; slot < part.A.row_begin[row + 1]; ++slot)
        part.A.at(slot) /= unit * unit;
    }
  });
  part.held.clear();
  for (std::size_t i = 0; i < group.bodies.size(); ++i) {
    const HeldBody* held = find_held(problem.held, group.bodies[i]);
    if (!held) continue;
    const double unit = unit_of(group.bodies[i]);
    part.held.push_back(*held);
    part.held.back().body = static_cast<Index>(i);
    part.held.back().mobility *= unit * unit;
  }
  if (!part.held.empty()) take_rows(problem.place, group.rows, part.place);
  part.version = s.version;
  part.bodies = group.bodies;
  part.versions.clear();
  for (const Index body : group.bodies)
    part.versions.push_back({s.versions[body].A, s.versions[body].b, unit_of(body)});
  group.taken = true;
}

// Unknowns are at their places in the group.
void take_contacts(const ContactProblem& problem, const Groups& s, const Units& units, ContactGroup& group) {
  ContactProblem& part = group.problem;
  take_rows(problem.L, group.contacts, s.place, part.L);
  take_rows(problem.c, group.contacts, part.c);
  part.mu.clear();
  part.Z.clear();
  part.id.clear();
  part.area.clear();
  part.dt = problem.dt;
  group.gap.clear();
  for (const Index contact : group.contacts) {
    part.mu.push_back(problem.mu[contact]);
    part.Z.push_back(problem.Z[contact]);
    if (!problem.id.empty()) part.id.push_back(problem.id[contact]);
    group.gap.push_back(units.gap.empty() ? 1 : units.gap[contact]);
    // Forces are in 1 / gap, and so are rows: for a share by area in newtons.
    if (!problem.area.empty()) part.area.push_back(problem.area[contact] * group.gap.back() * group.gap.back());
  }
  if (units.gap.empty()) return;
  for (Index i = 0; i < part.contacts(); ++i) {
    block(part.c, i) /= group.gap[i];
    for (Index slot = part.L.row_begin[i]; slot < part.L.row_begin[i + 1]; ++slot)
      part.L.at(slot) /= group.gap[i] * group.momentum[part.L.column[slot]];
  }
}

void scale(const std::vector<double>& unit, VecX& x) {
  for (std::size_t i = 0; i < unit.size(); ++i) block(x, static_cast<Index>(i)) *= unit[i];
}

}  // namespace

void find_bodies(const BlockMatrix& A, Groups& s) {
  s.bodies = find_bodies(A);
  s.place.resize(s.bodies.of_row.size());
  forget(A, s);
}

void forget(const BlockMatrix& A, Groups& s) {
  ++s.version;
  s.versions.assign(static_cast<std::size_t>(s.bodies.count()), {s.version, s.version});
  s.groups.clear();
  mobility(A, s.bodies, s.mobility);
  s.solved.assign(static_cast<std::size_t>(s.bodies.count()), 0);
  s.apart.resize(s.solved.size());
  for (Index body = 0; body < s.bodies.count(); ++body) s.apart[body] = body;
}

void renew(const BlockMatrix& A, std::span<const Index> bodies, Groups& s) {
  renew_b(bodies, s);
  for (const Index body : bodies) s.versions[body].A = s.version;
  mobility(A, s.bodies, s.mobility);
}

void renew_b(std::span<const Index> bodies, Groups& s) {
  ++s.version;
  for (const Index body : bodies) {
    s.versions[body].b = s.version;
    if (s.group_of[body] >= 0) s.groups[s.group_of[body]].taken = false;
  }
}

void find_groups(const BlockMatrix& L, bool together, Groups& s) {
  const auto bodies = static_cast<std::size_t>(s.bodies.count());
  s.touching.separate(bodies);
  std::vector<char> touched(bodies, 0);
  Index last = -1;
  for (Index contact = 0; contact < L.rows(); ++contact) {
    if (!together) last = -1;
    for (const Index column : columns_of(L, contact)) {
      const Index body = s.bodies.of_row[column];
      touched[body] = 1;
      if (last >= 0) s.touching.unite(last, body);
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
    s.solved[body] = 0;
    const Index first = s.touching.first_of(body);
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

CgReport solve_apart(const ContactProblem& problem, const CgOptions& options, bool factors, const VecX& guess,
                     Groups& s, VecX& v) {
  s.to_solve.clear();
  for (const Index body : s.apart) {
    if (s.solved[body] != 0) continue;
    s.to_solve.push_back(body);
    for (const Index row : s.bodies.rows_of(body)) block(v, row) = block(guess, row);
  }
  const CgReport report =
      solve_definite(problem.A, problem.b, s.bodies, s.to_solve, options, factors, s.apart_scratch, v);
  for (std::size_t i = 0; i < s.to_solve.size(); ++i)
    s.solved[s.to_solve[i]] = s.apart_scratch.reports[i].status == CgStatus::converged ? 1 : 0;
  return report;
}

void take(const ContactProblem& problem, const ContactSolution& solution, const Groups& s, const Units& units,
          ContactGroup& group) {
  if (!group.taken) take_bodies(problem, s, units, group);
  take_contacts(problem, s, units, group);
  ContactSolution& part = group.solution;
  take_rows(solution.v, group.rows, part.v);
  scale(group.momentum, part.v);
  part.lambda.clear();
  part.gamma.clear();
  part.delta.clear();
  part.state.clear();
  part.for_exact.clear();
  for (std::size_t i = 0; i < group.contacts.size(); ++i) {
    const Index contact = group.contacts[i];
    part.lambda.push_back(solution.lambda[contact] * group.gap[i]);
    part.gamma.push_back(solution.gamma[contact] * group.gap[i]);
    part.delta.push_back(solution.delta[contact]);
    part.state.push_back(solution.state[contact]);
    if (!solution.for_exact.empty()) part.for_exact.push_back(solution.for_exact[contact]);
  }
}

ContactTolerance tolerance_in_units(const ContactGroup& group) {
  return {.momentum = std::sqrt(static_cast<double>(group.bodies.size())), .constraint = 1};
}

void put_back(const ContactGroup& group, ContactSolution& solution) {
  const ContactSolution& part = group.solution;
  for (std::size_t i = 0; i < group.rows.size(); ++i)
    block(solution.v, group.rows[i]) = block(part.v, static_cast<Index>(i)) / group.momentum[i];
  for (std::size_t i = 0; i < group.contacts.size(); ++i) {
    const Index contact = group.contacts[i];
    solution.lambda[contact] = part.lambda[i] / group.gap[i];
    solution.gamma[contact] = part.gamma[i] / group.gap[i];
    solution.delta[contact] = part.delta[i];
    solution.state[contact] = part.state[i];
    if (!solution.for_exact.empty()) solution.for_exact[contact] = part.for_exact.empty() ? 0 : part.for_exact[i];
  }
}

void join(const SolveReport& one, SolveReport& all) {
  all.iterations = std::max(all.iterations, one.iterations);
  all.resets = std::max(all.resets, one.resets);
  all.evaluations = std::max(all.evaluations, one.evaluations);
  all.rounds = std::max(all.rounds, one.rounds);
  all.products = std::max(all.products, one.products);
  all.passes = std::max(all.passes, one.passes);
  all.factorisations += one.factorisations;
  all.contraction = std::max(all.contraction, one.contraction);
  all.flops += one.flops;
  all.by_exact += one.by_exact;
  all.construction_seconds += one.construction_seconds;
  join(one.residual, all.residual);
  join(one.cone_residual, all.cone_residual);
  if (all.status != SolveStatus::converged) return;
  all.status = one.status;
  all.reason = one.reason;
}

}  // namespace sim
