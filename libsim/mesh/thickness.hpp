// How many tetrahedra a body has across: linear ones are far too stiff in bending where there is one or two.
#pragma once

#include <span>

#include "mesh/mesh.hpp"

namespace sim {

// 1 where all vertices of the tets lie on their surface, 2 where each tet has one that does, 3 where only tets lie
// further inside, and so on layer by layer: as many as the cells of a box across its thinnest side.
int cells_across(std::span<const Tet> tets);

// How many times too stiffly a bar bends that has so many cells of Kuhn's six tetrahedra (BoxShape) across, against
// Timoshenko's beam: clamped, ten times as long as thick, as many cells wide as thick. Near poisson 0.5 the elements
// lock. Measured at 1, 2, 3, 4, 6 and 8 cells and at some poisson between 0.2 and 0.499
// (tests/step/statics_test.cpp); in between on straight lines over 1 / (1 - 2 poisson) and 1 / cells^2, with 1 at
// infinity.
double bending_excess(int cells, double poisson);

}  // namespace sim
