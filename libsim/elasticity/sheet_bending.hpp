// How stiffly the hinges of a shell bend, against a plate of its material: D = Y t^3 / (12 (1 - nu^2)).
//
// A patch of the mesh is laid flat, bent to the curvature K, w = x.K x / 2, and let go inside: of its vertices u
// above w those inside take the least energy of its hinges, those at its rim stay. What a hinge is turned by is
//
//   theta = sum over its two triangles of (p.K p - s/l e.K e) / (2 h)  +  what u does
//
// with its edge e of length l, p from the first end of e to the apex, s along e and h across it. Laid flat are
// triangles one after the other from the middle of the patch, each from the one before; hinges see the lengths of
// their own two triangles, so patches may be of curved surfaces.
//
// Each triangle has of each of its hinges the part that it has of their area. Twice the energy of the triangles in
// the middle, over their area and D, is K.C K, and of it are taken along every direction d
//
//   bent to a cylinder, K = d d^T                           K.C K             of the plate: 1
//   a strip along d, free to bend across as it likes        1 / (M.C^-1 M),   of the plate: 1 - nu^2
//                                                           M = d d^T
//
// Without u all of this is exact where two neighbours are a parallelogram; u matters for others.
#pragma once

#include <optional>
#include <span>

#include "elasticity/material.hpp"
#include "elasticity/thin.hpp"

namespace sim {

struct BendingRange {  // of stiffness over that of the plate, cylinders and strips along all directions
  double smallest = 1;
  double largest = 1;
};

// Of the hinges of one shell: the mean over patches around its vertices, those farthest from borders. None where no
// vertex has triangles all round.
std::optional<BendingRange> bending_range(std::span<const Vec3> rest, std::span<const Hinge> hinges,
                                          const Material& shell);

}  // namespace sim
