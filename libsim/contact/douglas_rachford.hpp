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
// (linear/anderson.hpp), and begun by passes of Gauss-Seidel, each contact solved exactly. Rows of W may depend on
// each other.
#pragma once

#include <functional>

#include "contact/report.hpp"
#include "linear/anderson.hpp"
#include "linear/block_cholesky.hpp"

namespace sim {

struct DouglasRachfordOptions {
  double penalty = 0.1;  // K over the compliance of a contact
  double relaxation = 1.6;
  Index history = 10;       // of the acceleration
  Index first_passes = 5;   // of Gauss-Seidel
  Index accelerated = 150;  // iterations; then plain ones
};

// Contacts that know of each other.
struct CoupledIsland {
  BlockMatrix W;  // m/N
  VecX q;         // m
  std::vector<double> mu;
  VecX r;  // N: from where; then the answer
  VecX u;  // m: W r + q of the answer
};

struct DouglasRachfordScratch {
  CholeskyFactor F;
  CholeskyScratch cholesky;
  Anderson anderson;
  BlockMatrix shifted;
  std::vector<Index> diagonal, rows;
  VecX scale, q, s, z, r, f, u;
};

struct DouglasRachfordReport {
  Index passes = 0, iterations = 0;
  double flops = 0;
  bool accepted = false, definite = true;
};

// Whether an answer will do: u and r of it.
using Accept = std::function<bool(const VecX& u, const VecX& r)>;

DouglasRachfordReport douglas_rachford(const DouglasRachfordOptions& options, const SolveLimits& limits,
                                       const Accept& accept, DouglasRachfordScratch& scratch, CoupledIsland& island);

}  // namespace sim
