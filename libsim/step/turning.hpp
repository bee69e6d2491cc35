// Elastic bodies that turn. The linearised force of A and b knows the velocity w x r as no strain, but the straight
// way dt w x r as a stretch by (w dt)^2 / 2. The stiffer the body, the more energy that makes: E (w dt)^4 / 8 a
// volume. So the stiffness of a free body acts on what the step does besides turning it. With c its centre of mass
// and r = x0 - c:
//
//     force     f(x1) = f(x0) - K (x1 - x0 - dt u),     u = (Q - 1) r / dt, the chord of the turn
//     damping   C (v1 - u) of the stiffness
//     turn      Q such that sum m r x u = sum m r x v0:   angular momentum of the turn about x0 is that of v0
//
// Q is the step of a free rigid body by the same scheme (Moser and Veselov's): what holds the body together as it
// turns is along f(x0). Bodies with prescribed vertices are left as they are.
#pragma once

#include "linear/bodies.hpp"
#include "model/guides.hpp"

namespace sim {

struct Turning {
  std::vector<Index> body_of_row;     // of the rows of vertices
  std::vector<std::uint8_t> is_free;  // a body: elastic, and none of its vertices is prescribed in this part
  std::vector<std::uint8_t> turns;    // a body, in this step
  std::vector<Mat3> turn;             // a body: Q
  VecX chord;                         // m/s, of the rows: u
  VecX other, strain;                 // of turn_as_solved(): another u, d
};

void prepare(const Model& model, const Bodies& bodies, Turning& turning);
// Which bodies are free while these entries of Model::prescribed hold.
void find_free(const Model& model, const Bodies& bodies, std::span<const Index> object_of_body, const Guides& guides,
               Turning& turning);

struct TurnInput {
  const Model& model;
  const Bodies& bodies;
  const VecX& x0;
  const VecX& v;  // m/s, of all vertices: whose turn is asked for
  double dt;
  const BlockMatrix& A;  // at x0
};
// b as it was assembled at x0 and v0, made that above; `v`, free flight, turns with its body.
void turn(const TurnInput& input, Turning& turning, VecX& b, VecX& v);
void turn_nothing(Turning& turning);

// Where contacts have changed the turn of a body within the step, u is that of v1 as it was solved. What the change
// is besides a velocity w x r, d, strains the body. Where the change is more momentum than the body may miss, and d
// takes more energy, d . (A - M) d / 2, than it may: b has the new u, v goes by d, and the body has to be solved
// again (true).
struct MayMiss {
  double momentum;         // kg m/s
  double specific_energy;  // J/kg
};
bool turn_as_solved(const TurnInput& input, Index body, const MayMiss& miss, Turning& turning, VecX& b, VecX& v);

// v1 of all vertices becomes v1 - u, at which the stiffness damps them.
void leave_strains(const AssemblyPlan& plan, const Turning& turning, VecX& v);

}  // namespace sim
