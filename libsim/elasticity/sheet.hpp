// The elements of a sheet: an object of triangles with a material of sheets.
//
//   edge_springs   a spring k_s along every edge, a hinge k_B about every edge of two triangles
//   grid_springs   Provot's: of a grid of vertices, structural springs k_s between neighbours (k_s/2 on the border),
//                  shear springs k_d along both diagonals of every cell, flexion springs between neighbours of
//                  neighbours along a line, and hinges
//   shell          a membrane in every triangle, a hinge of k_B = D/6 about every edge of two, D the bending
//   stiffness
//                  Y t^3 / (12 (1 - nu^2))
//
// Springs keep the strain limit of their material, but for those of flexion, which are as long as those they pass
// over let them.
//
// Masses: density * thickness * area/3 at each corner of a triangle. An edge of more or less than two triangles bends
// freely.
#pragma once

#include "elasticity/assembly.hpp"

namespace sim {

struct Sheet {
  std::span<const Triangle> triangles;  // of vertices of `rest`
  Index first_vertex = 0;               // of the object
  std::array<Index, 2> grid{0, 0};      // cells along both axes, where its vertices are those of a grid
  Index material = 0;
};

// Adds to `parts`.
void add_sheet(std::span<const Vec3> rest, const Sheet& sheet, const Material& material, ThinParts& parts);

double shear_stiffness(const Material& material);    // k_d, N/m
double bending_stiffness(const Material& material);  // k_B, J

}  // namespace sim
