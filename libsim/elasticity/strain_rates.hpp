// Stiffness damping by what a whole step does to the strains s of its elements (elasticity/strains.hpp), so that it
// is blind to turns by any angle. With x0 and x1 the ends of a part of a step,
//
//     force     -beta B1^T C1 s1'          s1' = kappa (s1 - s0) / dt + c        N
//     matrix    beta kappa / dt D(x1)      D = B^T C B
//     loss      dt beta r . C1 r           r = (s1 - s0) / dt                    J, never negative
//
// kappa = 1 and c = 0 for implicit Euler. Generalized alpha has Newmark's rates, as it has velocities
// (step/inertia.hpp): c = (1 - kappa) s0' + dt (1 - gamma - kappa (1/2 - beta_N)) s0''. Its loss has the mean of C0
// and C1. What B changes on the way is no part of the matrix.
#pragma once

#include "elasticity/assembly.hpp"
#include "elasticity/strains.hpp"

namespace sim {

// Where the strains of elements that are damped are in a vector of all of them.
struct StrainLayout {
  // An element of a kind: its first number; -1: it is not damped. Empty: none of the kind is.
  std::array<std::vector<Index>, element_kinds> first;
  Index numbers = 0;
  Index first_of(ElementKind kind, Index element) const {
    const std::vector<Index>& of_kind = first[static_cast<std::size_t>(kind)];
    return of_kind.empty() ? -1 : of_kind[element];
  }
};
StrainLayout plan_strains(const ElasticBodies& bodies);

struct StrainStart {
  VecX x;                     // m, of all vertices: x0
  std::vector<Stretch> tets;  // of those that are damped
  VecX rest;                  // 1/s: c
};
void begin(const ElasticBodies& bodies, const StrainLayout& layout, const VecX& x0, StrainStart& start);  // c = 0

// For StepInput: A and b have these damping forces.
struct StrainsOfStep {
  const StrainLayout& layout;
  const StrainStart& start;
};

// The forces on the corners of an element, three numbers a corner (of a tet on the last three), and the kappa that
// its matrix has to have: 1 where c says nothing about the end (StrainChange::carried is false).
struct StepDamping {
  double kappa = 1;
  std::array<double, 12> forces{};
  double across = 0;  // of a bend: BendChange
};
template <ElementKind kind>
StepDamping damping_of_step(const ElasticBodies& bodies, const StepInput& input, Index element);

// B v of all that is damped.
VecX strain_rates(const ElasticBodies& bodies, const StrainLayout& layout, const VecX& x, const VecX& v);

// s1 - s0 of all that is damped; of each number whether rates at the start say anything about it; and those rates,
// carried along.
struct StrainChanges {
  VecX by;
  std::vector<std::uint8_t> known;
  VecX rate, acceleration;
};
struct StrainRates {
  const VecX &rate, &acceleration;
};
StrainChanges strain_changes(const ElasticBodies& bodies, const StrainsOfStep& strains, const VecX& x1,
                             const StrainRates& at_start);

// -beta B^T C s' of all vertices, in newtons. Elements that are inverted have none.
VecX strain_rate_forces(const ElasticBodies& bodies, const StrainLayout& layout, const VecX& x, const VecX& rates);

struct StrainMotion {
  const VecX &x0, &x1;
  double dt = 0;                         // s
  std::span<const std::uint8_t> counts;  // a vertex: elements with such a first corner count; empty: all do
  std::span<const std::uint8_t> second;  // the same: they go by generalized alpha; empty: none do
};
double strain_damping_loss(const ElasticBodies& bodies, const StrainLayout& layout, const StrainMotion& motion);

// visit(vertex of its first corner, its first number, how many it has) for every element that is damped.
template <class Visit>
void each_damped(const ElasticBodies& bodies, const StrainLayout& layout, const Visit& visit) {
  for (std::size_t k = 0; k < element_kinds; ++k) {
    const auto kind = static_cast<ElementKind>(k);
    for (Index i = 0; i < static_cast<Index>(layout.first[k].size()); ++i) {
      if (layout.first[k][i] >= 0)
        visit(bodies.numbering.vertex[bodies.numbering.corner_of(kind, i)], layout.first[k][i], strains_of(kind));
    }
  }
}

}  // namespace sim
