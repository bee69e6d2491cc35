// What the straight way of a step strains springs and membranes by. A linearised step knows strains to first order,
//
//     spring   n0 . e1 - l0            membrane   sym(F0^T (F1 - F0))            at its start 0
//
// its end 1 has more,
//
//     lengthening   l1 - n0 . e1       (F1 - F0)^T (F1 - F0) / 2
//
// and of that the linearised chord of a turn Q, (Q - 1) x, takes out
//
//     shortening    n0 . C n0 l0       F0^T C F0,   C = 1 - (Q + Q^T) / 2
//
// Lengths in metres, strains of membranes are those of Green (elasticity/thin.hpp).
#pragma once

#include "elasticity/numbering.hpp"
#include "elasticity/thin.hpp"

namespace sim {

// Kinds of elements whose straight ways are looked at.
constexpr bool has_straight_ways(ElementKind kind) {
  return kind == ElementKind::spring || kind == ElementKind::membrane;
}

double lengthening(const Spring& spring, const Corners<2>& x0, const Corners<2>& x1);
Mat2 lengthening(const Membrane& membrane, const Corners<3>& x0, const Corners<3>& x1);

double shortening(const Spring& spring, const Corners<2>& x0, const Mat3& C);
Mat2 shortening(const Membrane& membrane, const Corners<3>& x0, const Mat3& C);

inline double size_of(double strain) {
  return strain;
}
inline double size_of(const Mat2& strain) {
  return strain.trace();
}

// Velocities of the corners against the first that make the rates of strain of the velocities way x, and no turn.
Corners<2> straining(const Spring& spring, const Corners<2>& x, const Mat3& way);
Corners<3> straining(const Membrane& membrane, const Corners<3>& x, const Mat3& way);

}  // namespace sim
