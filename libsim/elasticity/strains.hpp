// Strains of elements that no rigid motion changes, by whatever angle it turns, and the damping of their rates.
//
//   Tet        S of F = R S, the stretch in the axes of rest: six numbers
//   Spring     its length                                                             m
//   Membrane   E11, E22, E12 of E = (F^T F - 1)/2
//   Hinge      theta
//   Bend       q, as far as its length changes (three numbers, in the axes of the world)
//
// With s the strains, B = ds/dx and C the stiffness by strains for which B^T C B is the D of elasticity/element.hpp
// and elasticity/thin.hpp, rates s' of them give the forces -B^T C s' and take the power s' . C s' >= 0.
//
// Of a bend only |q| is blind to turns, and it has a corner where it is straight, which vibrations pass. So its rates
// are vectors, carried along by the shortest turn from tangent to tangent and then by 1 - (change / larger)^2 of |q|
// of what q rolls about the tangent: all of it where it turns as a rigid body does, nothing where it was straight. A
// roll by more than a quarter is a way through straight, which has the same ends. Forces and power are those of the
// part along q, whose direction is noise where it comes to be straight: so of what is across q there counts the
// part 1 - |q1| / (0.01 |q0|), where that is positive: all of it where it is straight, as D has it there.
#pragma once

#include "elasticity/numbering.hpp"
#include "elasticity/principal.hpp"
#include "elasticity/thin.hpp"
#include "math/decompose.hpp"

namespace sim {

constexpr Index strains_of(ElementKind kind) {
  constexpr std::array<Index, element_kinds> count{6, 1, 3, 1, 3};
  return count[static_cast<std::size_t>(kind)];
}

template <std::size_t count>
using Strains = std::array<double, count>;

template <std::size_t count>
struct StrainChange {
  Strains<count> by{};
  bool carried = true;  // rates at the start say something about those at the end
};
template <std::size_t count>
Strains<count> carried(const StrainChange<count>&, const Strains<count>& rates) {
  return rates;
}
struct BendChange : StrainChange<3> {
  Mat3 turn = Mat3::Identity();  // of rates, from the start to the end
  double across = 0;             // part of the rates across q at the end that counts
};
Strains<3> carried(const BendChange& change, const Strains<3>& rates);

StrainChange<1> strain_change(const Spring& spring, const Corners<2>& x0, const Corners<2>& x1);
StrainChange<3> strain_change(const Membrane& membrane, const Corners<3>& x0, const Corners<3>& x1);
StrainChange<1> strain_change(const Hinge& hinge, const Corners<4>& x0, const Corners<4>& x1);
BendChange strain_change(const Bend& bend, const Corners<3>& x0, const Corners<3>& x1);

// B v, of corners at x with the velocities v. (Of a bend q', less what it rolls where it is bent.)
Strains<1> strain_rates(const Spring& spring, const Corners<2>& x, const Corners<2>& v);
Strains<3> strain_rates(const Membrane& membrane, const Corners<3>& x, const Corners<3>& v);
Strains<1> strain_rates(const Hinge& hinge, const Corners<4>& x, const Corners<4>& v);
Strains<3> strain_rates(const Bend& bend, const Corners<3>& x, const Corners<3>& v);

// Adds scale times -B^T C s' at x to the forces, three numbers a corner.
void add_forces_of_rates(const Spring& spring, const Corners<2>& x, const Strains<1>& rates, double scale,
                         double* forces);
void add_forces_of_rates(const Membrane& membrane, const Corners<3>& x, const Strains<3>& rates, double scale,
                         double* forces);
void add_forces_of_rates(const Hinge& hinge, const Corners<4>& x, const Strains<1>& rates, double scale,
                         double* forces);
void add_forces_of_rates(const Bend& bend, const Corners<3>& x, const Strains<3>& rates, double scale, double* forces,
                         double across = 0);

// s' . C s' at x, W for rates in 1/s.
double power_of_rates(const Spring& spring, const Corners<2>& x, const Strains<1>& rates);
double power_of_rates(const Membrane& membrane, const Corners<3>& x, const Strains<3>& rates);
double power_of_rates(const Hinge& hinge, const Corners<4>& x, const Strains<1>& rates);
double power_of_rates(const Bend& bend, const Corners<3>& x, const Strains<3>& rates, double across = 0);

// ---- tets

// S, and of an inverted F sqrt(2 |s_2|) times its third axis, m: S + m m^T is the root of F^T F.
struct Stretch {
  Mat3 S = Mat3::Identity();
  Vec3 inverted{0, 0, 0};
  bool is_inverted() const { return !inverted.isZero(0); }
};
Stretch stretch_of(const RotationSvd& svd);

// Of S; or of the root of F^T F, which is smooth where an F that stays inverted comes by s_1 + s_2 = 0 and its
// nearest rotation jumps.
struct StretchRate {
  Mat3 rate = Mat3::Zero();
  bool of_root = false;
};
struct StretchChange {
  StretchRate by;
  bool carried = true;  // as above
};
StretchChange stretch_change(const Stretch& start, const RotationSvd& end);

// A tet with its damping stiffness, in the frame of its SVD.
struct DampedTet {
  const Element& element;
  RotationSvd svd;
  PrincipalDerivatives stiffness;
};
DampedTet damped_tet(const Element& element);
// Over a step that ends as `element` and began with the volume ratio J0. The volume energy of corotational elements
// begins with a curvature at once (elasticity/volume_energy.hpp): it has that in the mean of the step, for forces
// that jump from one place to the next can be in balance nowhere.
DampedTet damped_tet(const Element& element, double J0);

Mat3 stretch_rate(const RotationSvd& svd, const Mat3& dF);  // S' of a motion that changes F at the rate dF
void add_forces_of_rates(const DampedTet& tet, const StretchRate& rate, double scale, double* forces);  // corners 1-3
double power_of_rates(const DampedTet& tet, const StretchRate& rate);

}  // namespace sim
