// The turn of strain limits within a solve. A limit pulls its two vertices along their spring, r = x_i - x_j, with
// lambda; its row has the direction e = r / |r| of where the last solution has led. While it pulls, what turns the
// spring turns the force,
//
//     -lambda r / |r|  ~  -lambda e - g (1 - e e^T) r(x0 + dt v)          g = lambda / |r|, of the last solution
//
// and where a light net stops a heavy body, the second part is hundreds of times the rest of A. So it is taken into
// A and b of the solve, as the geometric stiffness (Tournier et al. 2015, "Stable constrained dynamics"):
//
//     A += dt^2 g (1 - e e^T)       b -= dt g (1 - e e^T) r(x0)           of the pair, with the signs of its weights
//
// That is the second derivative of the Lagrange function of  |r| <= longest, a convex set: the outer iterations are
// Newton's method for it, and it is positive semi-definite. With the last e and lambda the force is along r itself,
// so the solution is the one that the outer iterations have come to without it, where they came to one. Limits of
// compression are not convex: they turn as before.
#pragma once

#include <vector>

#include "collide/contact.hpp"

namespace sim {

struct Part;

struct GeometricStiffness {
  struct Term {
    ContactId id;
    double stiffness;  // g, N/m
    Vec3 n;
    bool operator==(const Term&) const = default;
  };
  struct Block {
    Index slot;
    Mat3 before;
  };
  std::vector<Term> terms;    // of the last solve, ascending ids
  std::vector<Block> blocks;  // of A that have been changed, in this order, as they were
  VecX b;                     // as it was
};

// g of limits that pull, as they are now; at the start of a part, or of those that have just been re-linearised.
void find_transverse_stiffness(const Part& part, std::vector<Contact>& contacts);

// Into A and b, after the islands are known; and out again. Bodies whose share has changed are taken anew.
void add_geometric_stiffness(Part& part);
void remove_geometric_stiffness(Part& part);

// Adds what the solve has had across the limits to its forces: along t1 and t2.
void add_transverse_forces(Part& part);

// Vertices of limits that have gone slack and still pull across, by more than their body may miss.
void find_stale_limits(const Part& part, std::vector<std::array<Index, 4>>& restless);

}  // namespace sim
