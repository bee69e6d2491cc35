// Generated shapes. Each is centred at the origin, axis along z, and comes with its outward surface.
#pragma once

#include "mesh/mesh.hpp"

namespace sim {

struct BoxShape {
  Vec3 size{1, 1, 1};                   // m, full edge lengths
  std::array<Index, 3> cells{4, 4, 4};  // hexahedra along x, y, z, six tets each
};
struct SlabShape {                   // a flat plate, one cell thick: floors and walls
  std::array<double, 2> size{2, 2};  // m, along x and y
  double thickness = 0.1;            // m, along z
  std::array<Index, 2> cells{1, 1};
};
struct TorusShape {  // a ring of square cross-section, one hexahedron (six tets) a segment
  Index segments = 18;
  double major_radius = 0.08;  // m, from the centre to the middle of the section
  double side = 0.04;          // m, edge of the section
};
struct SphereShape {
  double radius = 0.5;   // m
  Index resolution = 4;  // cells from centre to surface
};
struct CylinderShape {
  double radius = 0.5;  // m
  double length = 1;    // m
  Index segments = 16;  // around the axis
};

Mesh generate(const BoxShape&);
Mesh generate(const SlabShape&);
Mesh generate(const TorusShape&);
Mesh generate(const SphereShape&);
Mesh generate(const CylinderShape&);

}  // namespace sim
