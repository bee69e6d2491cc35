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

using Mat6 = Eigen::Matrix<double, 6, 6>;
using Motions = Eigen::Matrix<double, 3, 6>;

// A body that is held in part, and what it does as a whole. Its motions are the velocities and `size` times the rates
// of turn of a rigid body about its centre.
struct HeldBody {
  Index body = 0;
  Vec3 center{0, 0, 0};
  double size = 1;               // m
  Mat6 mobility = Mat6::Zero();  // 1/kg: its motions by an impulse along them
  double stays = 0;              // of a momentum along the freest motion, the part that is not taken by what holds it

  Motions motions_at(const Vec3& place) const;  // velocities there
};

// Of a body: where both numbers and the unit are those of another problem, so are its A and b; A alone likewise.
struct BodyVersion {
  std::uint64_t A = 0, b = 0;  // 0: not said
  double unit = 1;             // that A and b are in (contact/groups.hpp)
};

struct ContactProblem {
  BlockMatrix A;           // kg; a 3-block of unknowns a row
  VecX b;                  // kg m/s
  BlockMatrix L;           // s: rows of blocks are contacts, columns those of A; within a block: normal, t1, t2
  VecX c;                  // m, a 3-block a contact: c_n, c_t1, c_t2
  std::vector<double> mu;  // a contact: coefficient of friction, >= 0
  std::vector<double> Z;   // a contact: how often it is there, nearly, >= 1 (collide/similarity.hpp)
  std::vector<std::uint64_t> id;  // a contact: the same from solve to solve of a step; may be empty
  double dt = 0;                  // s: the length of the step, that the rows of L carry; 0: not said
  std::vector<double> area;  // a contact: what it stands for between rigid bodies, m^2, in any unit of a problem;
                             // 0 of others; may be empty

  // What is known of the bodies, the connected parts of A (linear/bodies.hpp); all may be empty.
  std::vector<Index> body;       // a row of A: its body
  std::vector<double> mobility;  // a body: 1/kg, of the whole, 3 / trace(1^T A 1) over its rows
  std::vector<HeldBody> held;    // bodies that are held in part, ascending: theirs
  VecX place;                    // m, a row, where there are such bodies

  // What methods may keep from one solve to the next.
  std::uint64_t version = 0;  // where it is the same, bodies of the same number have the same A and b; 0: not said
  std::vector<Index> bodies;  // the number of each of them; empty: 0, 1, 2...
  std::vector<BodyVersion> versions;  // of each of them; empty: not said

  Index contacts() const { return L.rows(); }
};

// In: the warm start (start_cold() where there is none). Out: the best that was found, whatever the report says.
struct ContactSolution {
  VecX v;                               // m/s
  std::vector<double> lambda;           // N, a contact
  std::vector<Vec2> gamma;              // N, along t1 and t2
  std::vector<Vec2> delta;              // direction of friction of a sliding contact, a unit vector
  std::vector<FrictionState> state;     // a contact
  std::vector<std::uint8_t> for_exact;  // a contact: what `auto` remembers; 0 or empty: nothing
};

const HeldBody* find_held(std::span<const HeldBody> held, Index body);  // null: moves freely as a whole

void start_cold(const ContactProblem& problem, ContactSolution& solution);  // v = 0 and no forces

void slip(const ContactProblem& problem, const VecX& v, VecX& s);  // s = L v - c, m
void reaction(const ContactSolution& solution, VecX& r);           // (lambda, -gamma) a contact, N: A v = b + L^T r
void set_reaction(const VecX& r, ContactSolution& solution);       // the other way round
void inverse_diagonal(const ContactProblem& problem, VecX& inverse);  // 1 / diag(A), 1/kg
// The diagonal of L A_d^-1 L^T, m/N: what a force of 1 N in a row moves that row, if A were its diagonal.
void row_compliance(const ContactProblem& problem, const VecX& inverse_diagonal, VecX& k);

// What a force of 1 N moves its contact by, about: the mean over its rows, m/N.
struct Compliance {
  std::vector<double> k;  // a contact: sum over its bodies B of the larger of the two
                          //     trace(L_B A_d^-1 L_B^T) / 3       A as its diagonal: the surroundings of the contact
                          //     trace(W_B W_B^T) / 3 mobility_B   W_B = L_B 1: the body moves as a whole; of one
                          //                                       that is held in part by its motions
  std::vector<double> whole;  // a contact: sum of the second alone; 0 where nothing is known of bodies
};
// Both are bounds from below of the true one, L A^-1 L^T, but for a factor of about one. Of a stiff body the first is
// far too small: what pushes one of its vertices moves all of them.
void compliance(const ContactProblem& problem, const VecX& inverse_diagonal, Compliance& result);

}  // namespace sim
