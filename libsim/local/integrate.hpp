// The free motion of a part of a step, of length h, from (x0, v0); p are the elastic forces, q the loads.
//
//     verlet           v = (1 - alpha h/2) v0 + h/2 (p(x0)/m + q(x0, t0)/m + g)        x~ = x0 + h v
//                      contacts: x1 = x~ + Delta, v += Delta/h  (local/response.hpp)
//                      v1 = (v + h/2 (p(x1)/m + q(x1, t1)/m + g) - h/m beta D(x1) v) / (1 + alpha h/2)
//     implicit_euler   A v = b (elasticity/assembly.hpp)        x~ = x0 + h v;   v1 = v + Delta/h
//
// Without damping the positions of the first are those of Spillmann, Becker & Teschner 2007, equation 12:
// x1 = 2 x0 - x_before + h^2/m (p + F), but from a state that starts by itself and lets h change.
#pragma once

#include "local/part.hpp"

namespace sim {

// How many parts a step must have at least, for the vibrations of the elements as they stand not to grow.
Index parts_of_step(const Model& model, const Options& options, const VecX& x, FrequencyBuffer& buffer);

void fly(LocalPart& part);     // LocalScratch::flight and x1
void finish(LocalPart& part);  // x and v of the state from x1 and LocalScratch::moved

}  // namespace sim
