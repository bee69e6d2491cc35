// Elements of thin things, each with its energy, its forces and its stiffness: springs along edges, membranes in
// triangles, hinges about the edges between two triangles, bends of cables between two edges.
//
//   Spring     V = k (l - l0)^2 / 2
//   Membrane   V = A t S:E/2,  E = (F^T F - 1)/2,  S = Y/(1-nu^2) [(1-nu) E + nu tr E 1]   (Saint Venant and
//              Kirchhoff, plane stress; F is 3x2, of the triangle laid flat at rest)
//   Hinge      V = k_B c (theta - theta0)^2,  c = 3 |e0|^2 / A0                    (Grinspun et al. 2003, no 1/2)
//              theta is the angle between the normals of the two triangles, A0 the area of both at rest
//   Bend       V = B / (2 L) |q|^2,  L = (|a| + |b|)/2 at rest,  q = 2 a x b / chi,  chi = |a||b| + a.b
//              a and b are the edges before and after a vertex, |q| = 2 tan(angle/2): straight at rest
//              (Bergou et al. 2008)
//
// Forces are the negative gradients of V. Stiffness is positive semi-definite: of springs
// k (n n^T + max(0, 1 - l0/l) (1 - n n^T)), of membranes the exact one without its negative eigenvalues, of hinges
// 2 k_B c grad theta grad theta^T, of bends B/L J^T J with J the derivative of q. The damping matrix D is that part
// of it that is blind to turns (as that of tets, elasticity/element.hpp): k n n^T, what S makes of rates of E, all of
// a hinge's, and of a bend what changes |q|.
//
// A mesh of equilateral triangles with hinges is a plate of D = 6 k_B and nu = -1/3, with springs a membrane of
// Y t = 2 k / sqrt(3) and nu = 1/3.
#pragma once

#include "elasticity/element.hpp"

namespace sim {

using Mat2 = Eigen::Matrix2d;

template <std::size_t count>
using Corners = std::array<Vec3, count>;

struct Spring {
  std::array<Index, 2> vertices{};
  Index material = 0;
  double rest_length = 0;  // m
  double stiffness = 0;    // N/m, k
};

struct Membrane {
  std::array<Index, 3> vertices{};
  Index material = 0;
  Mat2 inverse_shape = Mat2::Identity();  // 1/m, of the edges 01 and 02 in the plane of the triangle
  double rest_area = 0;                   // m^2
  double stiffness = 0;                   // N/m, Y t / (1 - nu^2)
  double poisson = 0;
};

struct Hinge {
  std::array<Index, 4> vertices{};  // the edge from 0 to 1, the apexes 2 (on its left) and 3
  Index material = 0;
  double rest_angle = 0;  // radians
  double stiffness = 0;   // J, k_B c
};

struct Bend {
  std::array<Index, 3> vertices{};  // in the middle the one that both edges share
  Index material = 0;
  double stiffness = 0;  // J, B / L
};

// What makes a spring, a membrane, a hinge or a bend of the vertices at rest.
Spring make_spring(std::array<Index, 2> vertices, const Corners<2>& rest, double stiffness, Index material);
struct MembraneLaw {
  double young = 0;      // Pa
  double poisson = 0;    // in (-1, 1)
  double thickness = 0;  // m
};
Membrane make_membrane(std::array<Index, 3> vertices, const Corners<3>& rest, const MembraneLaw& law, Index material);
Hinge make_hinge(std::array<Index, 4> vertices, const Corners<4>& rest, double bend, Index material);  // bend: k_B, J
Bend make_bend(std::array<Index, 3> vertices, const Corners<3>& rest, double bend, Index material);  // bend: B, N m^2

double hinge_angle(const Corners<4>& x);  // theta, in (-pi, pi]

// J; of springs and membranes that of their strain less `unseen` (m; of Green), where that is given
// (elasticity/straight_ways.hpp).
double element_energy(const Spring& spring, const Corners<2>& x, double unseen = 0);
double element_energy(const Membrane& membrane, const Corners<3>& x, const Mat2& unseen = Mat2::Zero());
double element_energy(const Hinge& hinge, const Corners<4>& x);
double element_energy(const Bend& bend, const Corners<3>& x);

// N, three numbers a corner.
void element_forces(const Spring& spring, const Corners<2>& x, double* forces);
void element_forces(const Membrane& membrane, const Corners<3>& x, double* forces);
void element_forces(const Hinge& hinge, const Corners<4>& x, double* forces);
void element_forces(const Bend& bend, const Corners<3>& x, double* forces);

// The forces, and whole * (K + damping D)_ij for the pairs of corners i < j, in the order of corner_pairs. Of springs
// and membranes the part of K that comes of their stress is that of their strain less `unseen`, too.
void element_forces_and_stiffness(const Spring& spring, const Corners<2>& x, const ElementScale& scale,
                                  double* forces, double* blocks, double unseen = 0);
void element_forces_and_stiffness(const Membrane& membrane, const Corners<3>& x, const ElementScale& scale,
                                  double* forces, double* blocks, const Mat2& unseen = Mat2::Zero());
void element_forces_and_stiffness(const Hinge& hinge, const Corners<4>& x, const ElementScale& scale, double* forces,
                                  double* blocks);
// Of a bend `across`: what of rates across q counts in D (elasticity/strains.hpp).
void element_forces_and_stiffness(const Bend& bend, const Corners<3>& x, const ElementScale& scale, double* forces,
                                  double* blocks, double across = 0);

// v . D v, of corners at x with the velocities v.
double strain_rate_product(const Spring& spring, const Corners<2>& x, const Corners<2>& v);
double strain_rate_product(const Membrane& membrane, const Corners<3>& x, const Corners<3>& v);
double strain_rate_product(const Hinge& hinge, const Corners<4>& x, const Corners<4>& v);
double strain_rate_product(const Bend& bend, const Corners<3>& x, const Corners<3>& v);

}  // namespace sim
