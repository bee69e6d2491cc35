// The nested layers of a pair (Harmon et al. 2009, section 4): penalties that begin ever nearer, ever stiffer.
//
//     layer l pushes where the distance d is below eta(l):  V = r(l) (d - eta(l))^2 / 2
//     eta(l) = eta(1) l^(-1/4)      r(l) = r(1) l^3      h(l) = h(1) l^(-3/2)
//
// The energy of all layers grows without bound as d goes to zero, so no energy is enough to pass through. With the
// sums taken for integrals, n layers have
//
//     energy r1 eta1^2 n^(7/2) / 840      force r1 eta1 n^(15/4) / 60      stiffness r1 n^2 (n+1)^2 / 4
#pragma once

#include <vector>

#include "math/types.hpp"

namespace sim {

struct Layers {
  double stiffness = 0;          // N/m, r(1)
  std::vector<double> nearness;  // eta(l) / eta(1) of layer l; [0] is that of no layer, infinite
  std::vector<double> shorter;   // h(l) / h(1)

  Index most() const { return static_cast<Index>(nearness.size()) - 2; }  // one more has its nearness, for proofs
  double stiffness_of(Index layer) const {
    const double l = layer;
    return stiffness * l * l * l;
  }
};
Layers make_layers(double stiffness, Index most);

// How many layers push at this distance; most() + 1 where even that one would.
Index layers_at(const Layers& layers, double distance, double thickness);

// Of layers 1 to `deepest` that push.
double layers_force(const Layers& layers, double distance, double thickness, Index deepest);   // N
double layers_energy(const Layers& layers, double distance, double thickness, Index deepest);  // J

// The closed forms: how deep an impact of this energy gets, and what rests under this force.
double layers_of_impact(double stiffness, double thickness, double energy);
double layers_under(double stiffness, double thickness, double force);

}  // namespace sim
