// One step's frictional contact problem as algebra; nothing here knows of meshes, time or gravity.
//
//     A v = b + J^T lambda - J_t^T gamma                              balance of momentum, kg m/s
//     0 <= lambda   and   j_n v >= c_n,  one of them an equality      Signorini
//     |gamma| <= mu lambda;   j_t v = c_t  where it is less,          Coulomb, with an exact cone; gamma points along
//     else gamma = mu lambda s / |s| with the slip s = j_t v - c_t    the slip that it resists (maximal dissipation)
//
// (Verschoor & Jalba 2019, equations 9 and 14.) A is symmetric positive definite. The rows j_n, j_t1, j_t2 of a
// contact are a row of 3x3 blocks in L. They carry the length of the step: L v and c are metres, lambda and gamma
// newtons.
#pragma once

#include <vector>

#include "math/block_matrix.hpp"
#include "math/friction_state.hpp"

namespace sim {

struct ContactProblem {
  BlockMatrix A;           // kg; a 3-block of unknowns a row
  VecX b;                  // kg m/s
  BlockMatrix L;           // s: rows of blocks are contacts, columns those of A; within a block: normal, t1, t2
  VecX c;                  // m, a 3-block a contact: c_n, c_t1, c_t2
  std::vector<double> mu;  // a contact: coefficient of friction, >= 0
  std::vector<double> Z;   // a contact: how often it is there, nearly, >= 1 (collide/similarity.hpp)

  // What methods may keep from one solve to the next. Bodies are the connected parts of A (linear/bodies.hpp).
  std::uint64_t version =
      0;  // where it is the same, bodies of the same number have the same A and b; 0: it is not said
  std::vector<Index> bodies;  // the number of each of them; empty: 0, 1, 2...

  Index contacts() const { return L.rows(); }
};

// In: the warm start (start_cold() where there is none). Out: the best that was found, whatever the report says.
struct ContactSolution {
  VecX v;                            // m/s
  std::vector<double> lambda;        // N, a contact
  std::vector<Vec2> gamma;           // N, along t1 and t2
  std::vector<Vec2> delta;           // direction of friction of a sliding contact, a unit vector
  std::vector<FrictionState> state;  // a contact
};

void start_cold(const ContactProblem& problem, ContactSolution& solution);  // v = 0 and no forces

void slip(const ContactProblem& problem, const VecX& v, VecX& s);  // s = L v - c, m
void reaction(const ContactSolution& solution, VecX& r);           // (lambda, -gamma) a contact, N: A v = b + L^T r
void set_reaction(const VecX& r, ContactSolution& solution);       // the other way round
void inverse_diagonal(const ContactProblem& problem, VecX& inverse);  // 1 / diag(A), 1/kg
// The diagonal of L A_d^-1 L^T, m/N: what a force of 1 N in a row moves that row, if A were its diagonal.
void row_compliance(const ContactProblem& problem, const VecX& inverse_diagonal, VecX& k);

}  // namespace sim
