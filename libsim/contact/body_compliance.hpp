// The Delassus operator of bodies whose factors are known, as a sparse matrix of contacts:
//
//     W = L A^-1 L^T = sum over bodies of Y^T Y,     Y = C^-1 P L^T,     P A P^T = C C^T of the body
//
// by forward solves only, of the rows that they reach. W has a block where two contacts move the same body.
//
// Nothing is done twice while A and b of a body are the same (ContactProblem::versions): it keeps its factor, the Y
// of the contacts of its last solve, known again by their rows of L, and its velocity without contacts. What only b
// changes is that velocity.
#pragma once

#include <array>

#include "contact/problem.hpp"
#include "linear/block_cholesky.hpp"
#include "linear/bodies.hpp"
#include "math/stop.hpp"

namespace sim {

// A body's rows of L^T of one contact, and where its Y is.
struct ContactSide {
  std::vector<SparseRow> rows;  // of the body; column: of the panel
  Index panel;
};

struct CompliantBody {
  BodyVersion version;  // of the A and b that all below belongs to; 0: of none
  CholeskyFactor C;
  bool definite = false;
  VecX free;  // A^-1 b, m/s
  std::vector<ForwardPanel> panels;
  std::vector<std::vector<double>> products;  // of panels i >= j, row by row, as multiply_transposed() has them
  std::vector<ContactSide> sides;
  std::vector<Index> contacts;  // of this solve, ascending
  std::vector<Index> side_of;   // of each of these
};

struct BodyCompliances {
  CholeskyPatterns patterns;
  std::vector<CompliantBody> bodies;  // by ContactProblem::body
  Bodies parts;                       // of A
  std::vector<Index> body_of_part;
  struct Lane {
    CholeskyScratch cholesky;
    PanelScratch panel;
    std::vector<SparseRow> entries;
  };
  std::array<Lane, 8> lanes;
  std::vector<double> flops;           // a part, of what was done
  std::vector<std::uint8_t> factored;  // a part: was it, in the last call
};

inline CompliantBody& body_of(BodyCompliances& s, Index part) {
  return s.bodies[s.body_of_part[part]];
}
inline const CompliantBody& body_of(const BodyCompliances& s, Index part) {
  return s.bodies[s.body_of_part[part]];
}

// Finds the bodies of A and the patterns of their factors.
void prepare(const ContactProblem& problem, BodyCompliances& s);

// Is the factor of this part that of an earlier solve?
bool is_factored(const ContactProblem& problem, const BodyCompliances& s, Index part);

// Factors and velocities without contacts, where they are not known. False where a matrix is not definite, or
// where it was stopped. Returns flops through the argument.
bool factor_bodies(const ContactProblem& problem, BodyCompliances& s, double& flops, const Stop& stop);
void free_velocity(const BodyCompliances& s, VecX& v);  // A^-1 b

// W = L A^-1 L^T: where it has blocks; then these, of factored bodies.
void coupling_pattern(const ContactProblem& problem, const BodyCompliances& s, BlockMatrix& W);
// Returns the flops. Not all of it where it was stopped: then nothing is kept.
double delassus(const ContactProblem& problem, BodyCompliances& s, BlockMatrix& W, const Stop& stop);

// v = A^-1 (b + L^T r)
void solve_bodies(const ContactProblem& problem, const VecX& r, BodyCompliances& s, VecX& v);

}  // namespace sim
