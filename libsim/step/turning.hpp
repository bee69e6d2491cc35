// Elastic bodies that turn. The linearised force of A and b is that of the start of the step, whose stiffness knows
// the velocity w x r as no strain, but the straight way dt w x r as a stretch by (w dt)^2 / 2. The stiffer the body,
// the more energy that makes: E (w dt)^4 / 8 a volume. So the force of a free body is linearised where it will have
// turned to, if strains cross it within the step. With c its centre of mass, r0 = x0 - c and Q its turn over the step
// without torque, from its angular momentum by the midpoint rule as for rigid bodies (bodies/rigid.hpp):
//
//     force       f(x1) = Q f(x0) - K* (x1 - x0 - dt u),     K* = Q K Q^T,     u = (Q - 1) r0 / dt, the chord
//     damping     C* (v1 - u) of the stiffness
//     velocity    v0 + dw x Q r0, with dw such that angular momentum about Q (r0 + dt e0) is what it was about r0;
//                 e0 is what v0 has besides the turn, v0 - w x (r0 - dt v0 / 2): v0 is a chord, too, but at the start
//
// The last undoes what implicit Euler takes of a turn, a part (w dt)^2 of it a step; what holds a body together as it
// turns, m (v1 - v0) inwards, stays. Bodies with vertices that are told how to move are left as they are.
#pragma once

#include "linear/bodies.hpp"
#include "step/guides.hpp"

namespace sim {

struct Turning {
  std::vector<Index> body_of_row;     // of the rows of vertices
  std::vector<std::uint8_t> is_free;  // a body: elastic, and none of its vertices is told how to move in this part
  std::vector<std::uint8_t> turns;    // a body, in this step
  std::vector<Mat3> turn;             // a body: Q
  VecX chord;                         // m/s, of the rows: u
  std::vector<Index> mirror;          // a row: buffer
};

void prepare(const Model& model, const Bodies& bodies, Turning& turning);
// Which bodies are free while these entries of Model::told hold.
void find_free(const Model& model, const Bodies& bodies, std::span<const Index> object_of_body, const Guides& guides,
               Turning& turning);

// A and b as they were assembled at x0 and v0, all vertices, made those above. v0 is of `back` before x0: dt / 2, of
// velocities that are a scene's 0; `v`, free flight, turns with its body.
void turn(const Model& model, const Bodies& bodies, const VecX& x0, const VecX& v0, double dt, double back,
          Turning& turning, BlockMatrix& A, VecX& b, VecX& v);
void turn_nothing(Turning& turning);

// v1 of all vertices becomes Q^T (v1 - u), at which K itself damps them.
void turn_back(const AssemblyPlan& plan, const Turning& turning, VecX& v);

}  // namespace sim
