#include "contact/problem.hpp"

#include <algorithm>

#include "math/cross_matrix.hpp"
#include "math/parallel.hpp"

namespace sim {

namespace {

constexpr Index rows_a_chunk = 1024;
constexpr Index contacts_a_chunk = 128;

}  // namespace

Motions HeldBody::motions_at(const Vec3& place) const {
  Motions motions;
  motions << Mat3::Identity(), cross_matrix((center - place) / size);
  return motions;
}

const HeldBody* find_held(std::span<const HeldBody> held, Index body) {
  const auto place =
      std::lower_bound(held.begin(), held.end(), body, [](const HeldBody& one, Index b) { return one.body < b; });
  return place != held.end() && place->body == body ? &*place : nullptr;
}

void start_cold(const ContactProblem& problem, ContactSolution& solution) {
  const auto contacts = static_cast<std::size_t>(problem.contacts());
  solution.v.setZero(problem.b.size());
  solution.lambda.assign(contacts, 0.0);
  solution.gamma.assign(contacts, Vec2::Zero());
  solution.delta.assign(contacts, Vec2::Zero());
  solution.state.assign(contacts, FrictionState::open);
}

void slip(const ContactProblem& problem, const VecX& v, VecX& s) {
  s.resize(problem.c.size());
  multiply(problem.L, v, s);
  s -= problem.c;
}

void reaction(const ContactSolution& solution, VecX& r) {
  const auto contacts = static_cast<Index>(solution.lambda.size());
  r.resize(3 * Eigen::Index{contacts});
  // 0 - x, not -x: no force is 0 and not -0, which files would show.
  for (Index i = 0; i < contacts; ++i)
    block(r, i) << solution.lambda[i], 0.0 - solution.gamma[i][0], 0.0 - solution.gamma[i][1];
}

void set_reaction(const VecX& r, ContactSolution& solution) {
  const auto contacts = static_cast<Index>(r.size() / 3);
  solution.lambda.resize(static_cast<std::size_t>(contacts));
  solution.gamma.resize(static_cast<std::size_t>(contacts));
  for (Index i = 0; i < contacts; ++i) {
    solution.lambda[i] = r[3 * i];
    solution.gamma[i] = Vec2(0.0 - r[3 * i + 1], 0.0 - r[3 * i + 2]);
  }
}

void inverse_diagonal(const ContactProblem& problem, VecX& inverse) {
  inverse.resize(3 * Eigen::Index{problem.A.rows()});
  parallel_for(problem.A.rows(), rows_a_chunk, [&](Index begin, Index end) {
    for (Index row = begin; row < end; ++row)
      block(inverse, row) = problem.A.at(problem.A.find(row, row)).diagonal().cwiseInverse();
  });
}

void row_compliance(const ContactProblem& problem, const VecX& inverse_diagonal, VecX& k) {
  k.setZero(3 * Eigen::Index{problem.contacts()});
  for (Index i = 0; i < problem.contacts(); ++i) {
    for (Index slot = problem.L.row_begin[i]; slot < problem.L.row_begin[i + 1]; ++slot) {
      block(k, i) += problem.L.at(slot).cwiseAbs2() * block(inverse_diagonal, problem.L.column[slot]);
    }
  }
}

namespace {

struct OfBody {  // the part of a contact that one body has
  Index body;
  Mat3 whole;
  double diagonal;
  const HeldBody* held;
  Motions by_motions;  // of a held one
  double mobility(const ContactProblem& problem) const {
    if (held) return (by_motions * held->mobility).cwiseProduct(by_motions).sum();
    return problem.body.empty() ? 0 : whole.squaredNorm() * problem.mobility[body];
  }
};

void find_parts(const ContactProblem& problem, const VecX& inverse_diagonal, Index contact,
                std::vector<OfBody>& parts) {
  parts.clear();
  for (Index slot = problem.L.row_begin[contact]; slot < problem.L.row_begin[contact + 1]; ++slot) {
    const Index row = problem.L.column[slot], body = problem.body.empty() ? 0 : problem.body[row];
    auto part = parts.begin();
    while (part != parts.end() && part->body != body) ++part;
    if (part == parts.end())
      part = parts.insert(part, {body, Mat3::Zero(), 0, find_held(problem.held, body), Motions::Zero()});
    const auto L = problem.L.at(slot);
    part->whole += L;
    if (part->held) part->by_motions += L * part->held->motions_at(block(problem.place, row));
    part->diagonal += (L.cwiseAbs2() * block(inverse_diagonal, row)).sum();
  }
}

}  // namespace

void compliance(const ContactProblem& problem, const VecX& inverse_diagonal, Compliance& result) {
  const Index contacts = problem.contacts();
  result.k.assign(static_cast<std::size_t>(contacts), 0.0);
  result.whole.assign(static_cast<std::size_t>(contacts), 0.0);
  parallel_for(contacts, contacts_a_chunk, [&](Index begin, Index end) {
    std::vector<OfBody> parts;
    for (Index i = begin; i < end; ++i) {
      find_parts(problem, inverse_diagonal, i, parts);
      for (const OfBody& part : parts) {
        const double whole = part.mobility(problem);
        result.whole[i] += whole / 3;
        result.k[i] += std::max(part.diagonal, whole) / 3;
      }
    }
  });
}

}  // namespace sim
