#include "contact/cr_constraints.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sim {

namespace {

constexpr double same_row = 1e-9;  // rows that differ by less, relatively, are the same

bool same_rows(const ContactProblem& problem, Index a, Index b) {
  const BlockMatrix& L = problem.L;
  const Index count = L.row_begin[a + 1] - L.row_begin[a];
  if (L.row_begin[b + 1] - L.row_begin[b] != count || problem.mu[a] != problem.mu[b]) return false;
  double size = 0, difference = 0;
  for (Index i = 0; i < count; ++i) {
    const Index sa = L.row_begin[a] + i, sb = L.row_begin[b] + i;
    if (L.column[sa] != L.column[sb]) return false;
    size = std::max(size, L.at(sa).cwiseAbs().maxCoeff());
    difference = std::max(difference, (L.at(sa) - L.at(sb)).cwiseAbs().maxCoeff());
  }
  const Vec3 ca = block(problem.c, a), cb = block(problem.c, b);
  return difference <= same_row * size && (ca - cb).norm() <= same_row * (ca.norm() + cb.norm());
}

// Contacts with the same columns are neighbours in this order, the first of them first.
bool by_columns(const BlockMatrix& L, Index a, Index b) {
  const auto columns = [&](Index i) {
    return std::pair(L.column.begin() + L.row_begin[i], L.column.begin() + L.row_begin[i + 1]);
  };
  const auto [a_begin, a_end] = columns(a);
  const auto [b_begin, b_end] = columns(b);
  const auto order = std::lexicographical_compare_three_way(a_begin, a_end, b_begin, b_end);
  return order != 0 ? order < 0 : a < b;
}

void find_duplicates(const ContactProblem& problem, CrConstraints& constraints) {
  const Index contacts = problem.contacts();
  constraints.leader.resize(static_cast<std::size_t>(contacts));
  constraints.order.resize(static_cast<std::size_t>(contacts));
  for (Index i = 0; i < contacts; ++i) constraints.leader[i] = constraints.order[i] = i;
  std::sort(constraints.order.begin(), constraints.order.end(),
            [&](Index a, Index b) { return by_columns(problem.L, a, b); });
  for (Index place = 1; place < contacts; ++place) {
    const Index i = constraints.order[place], before = constraints.leader[constraints.order[place - 1]];
    if (same_rows(problem, i, before)) constraints.leader[i] = before;
  }
}

// The rows of a contact in the state that it has. D follows from |gamma + s / k|: the projection on the friction disk
// turns by the part of a change that is across it.
void set_rows(const CrRules& rules, const CrConstraints& constraints, const ContactSolution& solution, Index i,
              RowMask& rows) {
  rows = {};
  rows.normal = solution.state[i] != FrictionState::open;
  if (solution.state[i] == FrictionState::sticking) rows.tangents = RowMask::Tangents::both;
  if (solution.state[i] != FrictionState::sliding) return;
  const double bound = solution.gamma[i].norm();
  if (!(bound > 0)) return;
  const double k = constraints.k[i];
  const double beyond = (k * solution.gamma[i] + constraints.slip.segment<2>(3 * i + 1)).norm() - k * bound;
  rows.tangents = RowMask::Tangents::across;
  rows.direction = solution.delta[i];
  rows.D = std::max(beyond, 1e-3 * rules.tolerance) / bound;
}

struct Evaluation {
  const ContactProblem& problem;
  const CrRules& rules;
  CrConstraints& constraints;
  ContactSolution& solution;
  CrSystem& system;
  double negligible_gap = negligible_part * rules.tolerance;

  double normal(Index i) const { return constraints.slip[3 * i]; }
  Vec2 slip(Index i) const { return constraints.slip.segment<2>(3 * i + 1); }

  void release(Index i) {
    constraints.released[i] = 1;
    solution.state[i] = FrictionState::open;
    solution.lambda[i] = 0;
    solution.gamma[i].setZero();
  }

  // Friction of a sliding contact along `direction` as strong as lambda' allows.
  void slide(Index i, const Vec2& direction, double lambda) {
    solution.state[i] = FrictionState::sliding;
    solution.delta[i] = direction;
    solution.gamma[i] = problem.mu[i] * std::max(0.0, lambda) * direction;
  }

  void activate(Index i) {
    const double size = slip(i).norm();
    const Vec2 direction = size > 0 ? Vec2(slip(i) / size) : Vec2(1, 0);
    solution.lambda[i] = 0;
    slide(i, direction, 0);
    if (!constraints.released[i]) solution.state[i] = FrictionState::sticking;
  }

  bool leaves_the_cone(Index i) const {
    const double size = solution.gamma[i].norm();
    const double beyond = size - problem.mu[i] * std::max(0.0, solution.lambda[i]);
    return constraints.k[i] * beyond > negligible_gap && slip(i).dot(solution.gamma[i]) > -negligible_gap * size;
  }

  Vec2 realigned(Index i) const {
    const Vec2 towards = constraints.k[i] * solution.gamma[i] + slip(i);
    return towards.norm() > 0 ? Vec2(towards.normalized()) : solution.delta[i];
  }

  // Where lambda answers strongly to friction, taking lambda' = lambda goes round for ever. So lambda' goes the part
  // of the way that would have been right the last time, if lambda answered to this contact alone (Aitken 1926).
  double relaxed(Index i, double held, double wanted) {
    const double error = wanted - held, before = std::exchange(constraints.error_before[i], error);
    double& part = constraints.part[i];
    const double answer = part * before / (before - error);
    if (before != 0 && answer > 0) part = std::clamp(answer, std::max(0.1, 0.3 * part), std::min(1.0, 3 * part));
    return held + part * error;
  }

  // Algorithm 3: strength and direction of sliding friction.
  bool update_sliding(Index i) {
    double strength = std::max(0.0, solution.lambda[i]);
    const Vec2 direction = realigned(i);
    const Vec2 change = problem.mu[i] * strength * direction - solution.gamma[i];
    if (constraints.k[i] * change.norm() <= negligible_gap) return false;
    strength = relaxed(i, solution.gamma[i].norm() / problem.mu[i], strength);
    // D is that of the friction which is there: set before it changes.
    RowMask& rows = system.rows[i];
    set_rows(rules, constraints, solution, i, rows);
    rows.direction = direction;
    slide(i, direction, strength);
    return true;
  }

  bool contact(Index i) {
    if (solution.state[i] == FrictionState::open) {
      if (normal(i) >= -negligible_gap) return false;
      activate(i);
    } else if (normal(i) >= -negligible_gap && -constraints.k[i] * solution.lambda[i] > negligible_gap) {
      release(i);
    } else if (solution.state[i] == FrictionState::sticking) {
      if (!leaves_the_cone(i)) return false;
      slide(i, solution.gamma[i].normalized(), solution.lambda[i]);
    } else if (slip(i).dot(solution.delta[i]) < -negligible_gap) {
      solution.state[i] = FrictionState::sticking;
    } else {
      return update_sliding(i);
    }
    set_rows(rules, constraints, solution, i, system.rows[i]);
    return true;
  }
};

}  // namespace

void gather_from_duplicates(const CrConstraints& constraints, ContactSolution& solution) {
  for (Index i = 0; i < static_cast<Index>(constraints.leader.size()); ++i) {
    const Index leader = constraints.leader[i];
    if (leader == i) continue;
    if (solution.state[leader] == FrictionState::open) {
      solution.state[leader] = solution.state[i];
      solution.delta[leader] = solution.delta[i];
    }
    solution.lambda[leader] += solution.lambda[i];
    solution.gamma[leader] += solution.gamma[i];
    solution.lambda[i] = 0;
    solution.gamma[i].setZero();
    solution.state[i] = FrictionState::open;
  }
}

void share_among_duplicates(const CrConstraints& constraints, ContactSolution& solution) {
  const auto contacts = static_cast<Index>(constraints.leader.size());
  const auto& leader = constraints.leader;
  std::vector<Index> copies(leader.size(), 0);  // of a leader, itself among them
  for (const Index i : leader) ++copies[i];
  for (Index i = 0; i < contacts; ++i) {
    if (leader[i] != i) continue;
    solution.lambda[i] /= static_cast<double>(copies[i]);
    solution.gamma[i] /= static_cast<double>(copies[i]);
  }
  for (Index i = 0; i < contacts; ++i) {
    solution.lambda[i] = solution.lambda[leader[i]];
    solution.gamma[i] = solution.gamma[leader[i]];
    solution.delta[i] = solution.delta[leader[i]];
    solution.state[i] = solution.state[leader[i]];
  }
}

void prepare(const ContactProblem& problem, const CrSystem& system, CrConstraints& constraints) {
  compliance(problem, system.inverse_diagonal, constraints.k);
  find_duplicates(problem, constraints);
}

void begin(const ContactProblem& problem, CrConstraints& constraints, ContactSolution& solution, CrSystem& system) {
  for (Index i = 0; i < problem.contacts(); ++i) {
    if (solution.state[i] != FrictionState::open) continue;
    solution.lambda[i] = 0;  // nobody would look after it
    solution.gamma[i].setZero();
  }
  gather_from_duplicates(constraints, solution);
  constraints.part.assign(solution.lambda.size(), 1.0);
  constraints.error_before.assign(solution.lambda.size(), 0.0);
  constraints.released.assign(solution.lambda.size(), 0);
  slip(problem, solution.v, constraints.slip);
  for (Index i = 0; i < problem.contacts(); ++i) {
    set_rows({}, constraints, solution, i, system.rows[i]);
  }
}

bool evaluate(const ContactProblem& problem, const CrRules& rules, CrConstraints& constraints,
              ContactSolution& solution, CrSystem& system) {
  slip(problem, solution.v, constraints.slip);
  Evaluation evaluation{problem, rules, constraints, solution, system};
  bool changed = false;
  for (Index i = 0; i < problem.contacts(); ++i) {
    if (constraints.leader[i] == i) changed |= evaluation.contact(i);
  }
  return changed;
}

}  // namespace sim
