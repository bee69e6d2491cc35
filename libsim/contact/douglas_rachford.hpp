// Contacts that are coupled by a full operator W, with Coulomb's exact cone, by Douglas-Rachford splitting:
//
//     u = W r + q
//     0 <= r_n,  u_n >= 0,  one of them an equality;   |r_t| <= mu r_n,  u_t = 0 where it is less, else against r_t
//
//     z = P(s),   r = (W + K)^-1 (K (2 z - s) - q),   s <- s + 1.6 (r - z)
//
// P projects a contact: its normal force to 0 or more, then its friction into the disk of mu times that. Where s
// stands still, r = z solves the problem (Lions & Mercier 1979; relaxation: Eckstein & Bertsekas 1992). K is a tenth
// of the compliance of each contact by itself, and forces are scaled so that K is 1. s is accelerated
// (linear/anderson.hpp), and begun by passes of Gauss-Seidel, each contact solved exactly.
//
// Rows of W may depend on each other, and contradict each other by what earlier steps have missed: rigid bodies would
// brace themselves between their contacts for it. So rows yield to their forces, by a part of the tolerance where the
// force is the largest:  W <- W + soft tolerance / max r_n. The answer is then the only one.
//
// Newton's method (contact/cone_newton.hpp) is tried from the start and on the way, where it costs no more than the
// rest: where the states of contacts are right it takes a few steps, elsewhere it is given up.
#pragma once

#include <limits>

#include "contact/cone_newton.hpp"
#include "contact/report.hpp"
#include "linear/anderson.hpp"
#include "linear/block_cholesky.hpp"

namespace sim {

struct DouglasRachfordOptions {
  double penalty = 0.1;  // K over the compliance of a contact
  double relaxation = 1.6;
  Index history = 10;                       // of the acceleration
  Index first_passes = 5;                   // of Gauss-Seidel
  double soft = 0.025;                      // tolerances that the largest force may make its row yield
  Index times_as_long = 5, and_more = 100;  // iterations, once within the tolerance, to get there
};

// Contacts that know of each other.
struct CoupledIsland {
  BlockMatrix W;                                                // m/N
  VecX q;                                                       // m
  double tolerance = 1;                                         // m
  double finer = finest_part;                                   // tolerances, of the softened problem: where it ends
  double flops = 0;                                             // that W has cost
  double most_flops = std::numeric_limits<double>::infinity();  // of the iterations
  std::vector<double> mu;
  VecX r;      // N: from where; then the answer
  VecX other;  // N: it begins from these forces where they come as near as r; empty: there are none
};

struct DouglasRachfordScratch {
  CholeskyFactor F;
  CholeskyScratch cholesky;
  Anderson anderson;
  BlockMatrix shifted;
  std::vector<Index> diagonal, rows;
  VecX scale, q, s, z, r, f, u, tried_u, tried_r, soft;
  ConeNewtonScratch newton;
};

struct DouglasRachfordReport {
  Index passes = 0, iterations = 0, factorisations = 0;
  double flops = 0;
  double error = std::numeric_limits<double>::infinity();  // of the answer, in tolerances
  bool definite = true;
};

DouglasRachfordReport douglas_rachford(const DouglasRachfordOptions& options, const SolveLimits& limits,
                                       const Judge& error_in_tolerances, DouglasRachfordScratch& scratch,
                                       CoupledIsland& island);

}  // namespace sim
