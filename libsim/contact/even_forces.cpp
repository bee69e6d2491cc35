#include "contact/even_forces.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <span>

#include "contact/report.hpp"

namespace sim {

namespace {

constexpr double same_normal = 1e-3;  // rad: normals that differ by less are one
constexpr double rounding = 1e-5;     // of the most that unit forces do: less is not done
constexpr int most_steps = 30;        // of Newton's method; contacts change sides in a few

// Two bodies have 12 unknowns.
using Small = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 12, 12>;
using SmallVector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 12, 1>;

std::span<const Index> columns_of(const BlockMatrix& L, Index contact) {
  return std::span(L.column).subspan(L.row_begin[contact], L.row_begin[contact + 1] - L.row_begin[contact]);
}

// As the velocity of the first body feels it.
Vec3 normal_of(const BlockMatrix& L, Index contact) {
  return L.at(L.row_begin[contact]).row(0).normalized();
}

// The least y with M y = f, of M symmetric and positive semi-definite.
SmallVector least_solution(const Small& M, const SmallVector& f) {
  const Eigen::SelfAdjointEigenSolver<Small> principal(M);
  SmallVector y = principal.eigenvectors().transpose() * f;
  const double least = rounding * rounding * principal.eigenvalues().cwiseAbs().maxCoeff();
  for (Eigen::Index i = 0; i < y.size(); ++i)
    y[i] = principal.eigenvalues()[i] > least ? y[i] / principal.eigenvalues()[i] : 0;
  return principal.eigenvectors() * y;
}

// Rows of contacts as columns, `count` of each from `first` on, in a basis of what they span.
Eigen::MatrixXd in_a_basis(const BlockMatrix& L, const std::vector<Index>& contacts, int first, int count) {
  const auto blocks = static_cast<Eigen::Index>(columns_of(L, contacts.front()).size());
  Eigen::MatrixXd G(3 * blocks, count * static_cast<Eigen::Index>(contacts.size()));
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    for (Eigen::Index b = 0; b < blocks; ++b)
      G.block(3 * b, count * static_cast<Eigen::Index>(i), 3, count) =
          L.at(L.row_begin[contacts[i]] + static_cast<Index>(b)).middleRows(first, count).transpose();
  }
  const Eigen::SelfAdjointEigenSolver<Small> principal(Small(G * G.transpose()));
  const double least = rounding * rounding * principal.eigenvalues().maxCoeff();
  const auto rank = static_cast<Eigen::Index>((principal.eigenvalues().array() > least).count());
  return principal.eigenvectors().rightCols(rank).transpose() * G;
}

struct Sharing {
  const ContactProblem& problem;
  const std::vector<FrictionState>& states;
  const Patch& patch;
  ContactSolution& y;
  VecX lambda = {};

  Eigen::Index count() const { return static_cast<Eigen::Index>(patch.contacts.size()); }
  Index at(Eigen::Index i) const { return patch.contacts[static_cast<std::size_t>(i)]; }

  bool has_friction_that_slides() const {
    return std::ranges::any_of(patch.contacts,
                               [&](Index i) { return states[i] == FrictionState::sliding && problem.mu[i] > 0; });
  }

  // False where the closed contacts cannot share it otherwise.
  bool share_normal_forces() {
    VecX area = VecX::Zero(count()), share;
    lambda.setZero(count());
    for (Eigen::Index i = 0; i < count(); ++i) {
      if (states[at(i)] == FrictionState::open) continue;
      area[i] = problem.area[at(i)];
      lambda[i] = y.lambda[at(i)];
    }
    if ((area.array() > 0).count() <= patch.normal.rows()) return false;
    area /= area.maxCoeff();
    const SmallVector f = patch.normal * lambda;
    VecX bears = VecX::Ones(count());
    for (int step = 0; step < most_steps; ++step) {
      const SmallVector pressure =
          least_solution(patch.normal * area.cwiseProduct(bears).asDiagonal() * patch.normal.transpose(), f);
      share = area.cwiseProduct(patch.normal.transpose() * pressure);
      const VecX pushes = (share.array() > 0).cast<double>();
      if (pushes == bears) break;
      bears = pushes;
    }
    share = share.cwiseMax(0.0);
    if (!((patch.normal * share - f).norm() <= rounding * f.norm())) return false;
    lambda = share;
    return true;
  }

  void share_sticking_friction() {
    VecX most = VecX::Zero(2 * count()), gamma = most;
    for (Eigen::Index i = 0; i < count(); ++i) {
      if (states[at(i)] != FrictionState::sticking) continue;
      most.segment<2>(2 * i).setConstant(problem.mu[at(i)] * lambda[i]);
      gamma.segment<2>(2 * i) = y.gamma[at(i)];
    }
    if (!(most.maxCoeff() > 0) || gamma.isZero(0)) return;
    most /= most.maxCoeff();
    const Eigen::MatrixXd& G = patch.tangential;
    const SmallVector f = G * gamma;
    const VecX share = most.cwiseProduct(G.transpose() * least_solution(G * most.asDiagonal() * G.transpose(), f));
    if (!((G * share - f).norm() <= rounding * f.norm())) return;
    for (Eigen::Index i = 0; i < count(); ++i) {
      if (states[at(i)] == FrictionState::sticking) y.gamma[at(i)] = share.segment<2>(2 * i);
    }
  }

  bool run() {
    if (!has_friction_that_slides() || !share_normal_forces()) return false;
    share_sticking_friction();
    for (Eigen::Index i = 0; i < count(); ++i) {
      if (states[at(i)] != FrictionState::open) y.lambda[at(i)] = lambda[i];
    }
    return true;
  }
};

// States of a patch from how its contacts move. What pushes is off by something: what is no farther off is as near.
void find_states(const Patch& patch, const VecX& slips, double tolerance, const ContactSolution& y,
                 std::vector<FrictionState>& states) {
  double off = 0;
  for (const Index i : patch.contacts) {
    if (y.lambda[i] > 0) off = std::max(off, std::abs(slips[3 * i]));
  }
  off = std::clamp(off, finest_part * tolerance, tolerance);
  for (const Index i : patch.contacts) {
    const bool closed = y.lambda[i] > 0 || slips[3 * i] <= off;
    const bool slides = slips.segment<2>(3 * i + 1).norm() > tolerance;
    states[i] = !closed ? FrictionState::open : slides ? FrictionState::sliding : FrictionState::sticking;
  }
}

// What it bears now pushes, and what slides has the friction of that.
void follow(const ContactProblem& problem, const std::vector<FrictionState>& states, const VecX& slips, Index i,
            ContactSolution& y) {
  const Vec2 slip = slips.segment<2>(3 * i + 1);
  if (states[i] == FrictionState::sliding) y.gamma[i] = problem.mu[i] * y.lambda[i] * slip.normalized();
  if (!(y.lambda[i] > 0) || y.state[i] != FrictionState::open) return;
  y.state[i] = states[i];
  y.delta[i] = slip.norm() > 0 ? Vec2(slip.normalized()) : Vec2(1, 0);
}

void find_bases(const BlockMatrix& L, Patch& patch) {
  patch.normal = in_a_basis(L, patch.contacts, 0, 1);
  patch.tangential = in_a_basis(L, patch.contacts, 1, 2);
}

bool is_determined(const Patch& patch) {
  return static_cast<Eigen::Index>(patch.contacts.size()) <= patch.normal.rows();
}

// Contacts of the same two bodies, in groups.
std::vector<std::vector<Index>> contacts_of_two(const ContactProblem& problem) {
  const BlockMatrix& L = problem.L;
  std::vector<Index> order;
  for (Index i = 0; i < static_cast<Index>(problem.area.size()); ++i) {
    if (problem.area[i] > 0) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return std::ranges::lexicographical_compare(columns_of(L, a), columns_of(L, b));
  });
  std::vector<std::vector<Index>> groups;
  for (std::size_t k = 0; k < order.size(); ++k) {
    if (k == 0 || !std::ranges::equal(columns_of(L, order[k - 1]), columns_of(L, order[k]))) groups.emplace_back();
    groups.back().push_back(order[k]);
  }
  return groups;
}

// Of one normal each; their bases are not found yet.
std::vector<Patch> faces_of(const BlockMatrix& L, const std::vector<Index>& contacts) {
  std::vector<Patch> faces;
  for (const Index i : contacts) {
    const auto same = std::ranges::find_if(faces, [&](const Patch& face) {
      return (normal_of(L, face.contacts.front()) - normal_of(L, i)).norm() < same_normal;
    });
    if (same == faces.end()) {
      faces.push_back({{i}, {}, {}});
    } else {
      same->contacts.push_back(i);
    }
  }
  return faces;
}

// Of contacts whose bases are not found yet. False where nothing was shared anew.
bool share(const ContactProblem& problem, const std::vector<FrictionState>& states, Patch& patch,
           ContactSolution& solution) {
  Sharing sharing{problem, states, patch, solution};
  if (patch.contacts.size() < 2 || !sharing.has_friction_that_slides()) return false;
  find_bases(problem.L, patch);
  return !is_determined(patch) && sharing.run();
}

}  // namespace

std::vector<Patch> find_patches(const ContactProblem& problem) {
  std::vector<Patch> patches;
  for (const std::vector<Index>& contacts : contacts_of_two(problem)) {
    for (Patch& face : faces_of(problem.L, contacts)) {
      if (face.contacts.size() < 2) continue;
      find_bases(problem.L, face);
      if (!is_determined(face)) patches.push_back(std::move(face));
    }
  }
  return patches;
}

void share_evenly(const ContactProblem& problem, const std::vector<FrictionState>& states,
                  const std::vector<Patch>& patches, ContactSolution& solution) {
  for (const Patch& patch : patches) Sharing{problem, states, patch, solution}.run();
}

bool share_evenly(const ContactProblem& problem, double tolerance, ContactSolution& solution) {
  VecX slips;
  std::vector<FrictionState> states(solution.lambda.size(), FrictionState::open);
  bool shared = false;
  for (const std::vector<Index>& contacts : contacts_of_two(problem)) {
    if (contacts.size() < 2) continue;
    if (slips.size() == 0) slip(problem, solution.v, slips);
    std::vector<Patch> faces = faces_of(problem.L, contacts);
    for (const Patch& face : faces) find_states(face, slips, tolerance, solution, states);
    const auto sticks = [&](Index i) { return states[i] == FrictionState::sticking && problem.mu[i] > 0; };
    Patch all{contacts, {}, {}};
    std::vector<Index> of_shared;
    if (faces.size() > 1 && std::ranges::none_of(contacts, sticks) && share(problem, states, all, solution)) {
      of_shared = contacts;
    } else {
      for (Patch& face : faces) {
        if (share(problem, states, face, solution))
          of_shared.insert(of_shared.end(), face.contacts.begin(), face.contacts.end());
      }
    }
    for (const Index i : of_shared) follow(problem, states, slips, i, solution);
    shared = shared || !of_shared.empty();
  }
  return shared;
}

}  // namespace sim
