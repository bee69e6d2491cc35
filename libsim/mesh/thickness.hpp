// How many tetrahedra a body has across: linear ones are far too stiff in bending where there is one or two.
#pragma once

#include <span>

#include "mesh/mesh.hpp"

namespace sim {

// 1 where all vertices of the tets lie on their surface, 2 where each tet has one that does, 3 for all others: as
// many as the cells of a box across its thinnest side, at most 3.
int cells_across(std::span<const Tet> tets);

// How many times too stiffly a bar bends that has so many cells of Kuhn's six tetrahedra (BoxShape) across, against
// Timoshenko's beam: clamped, ten times as long as thick, as many cells wide as thick. Measured at poisson 0.2, 0.3
// and 0.45, in between on straight lines (tests/step/statics_test.cpp). 1 from 3 cells on.
double bending_excess(int cells, double poisson);

}  // namespace sim
