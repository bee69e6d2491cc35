// How many tetrahedra a body has across, and how long they are: linear ones are far too stiff in bending where there
// is one or two, or where they are long.
#pragma once

#include <span>

#include "mesh/mesh.hpp"

namespace sim {

// 1 where all vertices of the tets lie on their surface, 2 where each tet has one that does, 3 where only tets lie
// further inside, and so on layer by layer: as many as the cells of a box across its thinnest side.
int cells_across(std::span<const Tet> tets);

// How many times as long as high the cells are, 1 and more: the median over the tets, each as one of Kuhn's six in a
// box of r x r x 1 or r x 1 x 1, whose longest edge over its smallest height is q = sqrt(2 r^2 + 4) but for a
// twentieth.
double cell_length(std::span<const Tet> tets, std::span<const Vec3> vertices);

// The cells of a body that bends. One that fills the box along its faces bends along the longest side of it, or along
// two that are nearly as long, then where its cells are shorter; its cells are as large as the tets reach along the
// sides. Any other body is as many layers thick as cells_across() finds, and which way its cells are long is not
// known: `straight` is false.
struct BendingCells {
  int across;
  double length;  // over height, 1 and more
  bool straight;
};
BendingCells bending_cells(std::span<const Tet> tets, std::span<const Vec3> vertices);

// How many times too stiffly a bar bends that has so many cells of Kuhn's six tetrahedra (BoxShape) across, against
// Timoshenko's beam: clamped, ten times as long as thick, as many cells wide as thick. Near poisson 0.5 the elements
// lock. Measured at 1, 2, 3, 4, 6 and 8 cells and at some poisson between 0.2 and 0.499
// (tests/step/statics_test.cpp); in between on straight lines over 1 / (1 - 2 poisson) and 1 / cells^2, with 1 at
// infinity. Of cells r times as long as high the shear that a constant strain has in place of bending costs
// 1.5 (r^2 - 1) / (n^2 (1 + poisson)) more.
double bending_excess(int cells, double poisson, double length = 1);

}  // namespace sim
