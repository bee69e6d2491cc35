// What the schemes of model/time_scheme.hpp make of masses and velocities. But for semi-implicit Euler,
//
//     A = sigma M + kappa dt C(x) + dt^2 K(x)            x = x0 + dt y: where the forces are linearised
//     b = sigma M w0 + dt (f(x) - f_C(x) + q + M g) + (kappa dt C + dt^2 K) y
//     v1 = kappa w + c0
//     f_C = alpha M (kappa y + c0) + beta B^T C s',  s' = kappa (s(x) - s(x0)) / dt + c (elasticity/strain_rates.hpp)
//
//                          sigma        kappa        w0                                           c0
//     implicit_euler       1            1            v0                                           0
//     generalized_alpha    inertia()    rate()       v0 + dt (1/2 - beta) a0                      v0 (1 - kappa) +
//                                                    + dt (af f0 - am a0) / (sigma (1 - af))      dt a0 (1 - gamma -
//                                                    kappa (1/2 - beta))
//     quasi_static         small        0            y                                            0
//
// where f0 = F0 / m, and c is c0 with strains for positions. So A w = b + L^T r is Newton's step, and its solution
// satisfies the scheme where w = y.
//
// Generalized alpha is of second order only where motion is smooth: after an impact a0 would be the impulse, and a
// body that stops would be thrown back. So what has just hit something steps by implicit Euler (History::holds), and
// so does all that touches it: action and reaction then act for the same time.
//
// Quasi-static steps keep a little mass, less in every round: what is free to move moves by no more than its size
// before it is caught.
#pragma once

#include <span>

#include "model/guides.hpp"
#include "model/time_scheme.hpp"
#include "step/division.hpp"

namespace sim {

// kg m: of a rigid body, what makes its spin a velocity.
inline double momentum_of_turning(const RigidBody& body) {
  return body.mass * body.radius;
}

struct Inertia {
  TimeOptions options;
  std::vector<std::uint8_t> second;  // an object: it steps by generalized alpha
  std::vector<std::uint8_t> hit;     // an object: it, or what touches it, has hit something in this part
  // By vertex; of a rigid body the entry of its first vertex is that of its centre, that of its second that of its
  // turning: L / (m radius) for a velocity.
  std::vector<double> mass, damping;  // sigma, kappa
  VecX mean, rest;                    // m/s: w0, c0
  VecX point;                         // m/s: y, prescribed vertices included
  VecX place;                         // m: x0 + dt y
  StrainStart strains;                // where anything has stiffness damping
  VecX prescribed;                    // m/s: of prescribed vertices, from there to where they have to be
  VecX rigid_point;                   // m/s: y of the blocks of rigid bodies
  double shrinking = 1;               // quasi-static: of sigma, in this round
  std::vector<double> size;           // m, an object: quasi-static, half the diagonal of its box
  bool newton() const { return options.scheme != TimeScheme::semi_implicit; }
  bool is_static() const { return options.scheme == TimeScheme::quasi_static; }
  bool is_of_second_order(Index object) const { return !second.empty() && second[object] != 0; }
};

// Of a part of a step, with y = 0: all that can be of second order is.
void begin(const Model& model, const State& state, const TimeOptions& options, double dt, Inertia& inertia);
// Quasi-static: what drives the object (m/s^2, step/push.hpp) counts as its weight does.
void weigh(const Model& model, Index object, double drive, double dt, Inertia& inertia);
// These objects step by implicit Euler.
void lower_orders(const Model& model, const State& state, std::span<const Index> objects, Inertia& inertia);

// Where forces are linearised, from y. `prescribed`: velocities of prescribed vertices in this part.
void place_point(const Model& model, const State& state, const VecX& prescribed, double dt, Inertia& inertia);

// A and b as assembled at `place` with masses M, w0 for v0, kappa and `damped`, made those above.
void add_inertia(const Model& model, double dt, const Inertia& inertia, BlockMatrix& A, VecX& b);
// Rigid bodies turn by the scheme, too, with L for the momentum: torques of contacts act as their forces do, or what
// rolls would lose the one where it keeps the other. Their states with mean spins for those of the start:
std::vector<RigidState> turning_by_means(const Model& model, const State& state, const Inertia& inertia);
// The rows of rigid bodies as integrated from these made those above, and their free flight v.
void add_rigid_inertia(const Model& model, const State& state, double dt, const Inertia& inertia,
                       std::span<const RigidStep> steps, BlockMatrix& A, VecX& b, VecX& v);

// v1 of `end` and what the next step has to know, from w of all vertices, and of rigid bodies in the velocities of
// `end`. Prescribed vertices go on with w. Objects that are not solved are left alone.
struct Finish {
  const State& start;
  const Guides& guides;
  const VecX& w;
  double dt;
  const Division& division;
};
void finish(const Model& model, const Inertia& inertia, const Finish& step, State& end);

}  // namespace sim
