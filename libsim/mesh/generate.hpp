// Generated shapes. Each is centred at the origin, axis along z, and comes with its outward surface; paths and
// ribbons are where their points are. Vertices and tets are in an order that keeps neighbours together, and are the
// same bits on every machine. Parameters that make no shape throw InputError.
//
//   box, slab  a grid of cells, each cut in the same six tets (Kuhn 1960); vertices with x fastest, then y, then z
//   torus      the same cells bent round the axis; vertices 4 s .. 4 s + 3 are section s: inner and outer below, then
//              above. Volume n sin(2 pi / n) R a^2 for n segments, major radius R, side a
//   sphere     the icosahedron: the 20 tets between its centre and its faces are cut in n^3 each, the octahedra in
//              between along their shortest diagonal, and every layer is pushed out to the sphere k / n of the
//              radius. 10 k^2 + 2 vertices a layer, the outermost on the sphere, the poles among them; 20 n^3 tets,
//              dihedral angles above 35 degrees
//   cylinder   a prism over the regular n-gon: round(n / 6) rings of nearly equilateral triangles, layers as thick as
//              rings are wide, three tets a prism; dihedral angles above 29 degrees from four segments on, unless the
//              length is so small that a single layer is thinner than that
//   sheet      a flat rectangle of triangles in the plane z = 0, facing z, in one of three patterns:
//              grid         vertices with x fastest, then y; cells cut along one diagonal and the other in turn
//              equilateral  rows of triangles, those of every other row shifted by half a cell; its ends are halves.
//                           Sides are alike where rows are sqrt(3)/2 as high as cells are long
//              cross        the vertices of a grid, then one in the middle of each cell; four triangles a cell
//   path       segments of equal length along a line through given points, whose corners they cut
//   ribbon     a strip of triangles along such a path, in a given direction as wide as it is
//   wedge      a stone of an arch: a sector of a ring about the z axis, symmetric about x, five tets a cell. The axis
//              of the ring is at the origin
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
struct TorusShape {            // a ring of square cross-section, of hexahedra of six tets each
  Index segments = 18;         // hexahedra around the ring
  double major_radius = 0.08;  // m, from the centre to the middle of the section
  double side = 0.04;          // m, edge of the section
  Index across = 1;            // hexahedra along both edges of the section
};
struct SphereShape {
  double radius = 0.5;   // m, of the outermost vertices
  Index resolution = 4;  // cells from centre to surface
};
struct CylinderShape {
  double radius = 0.5;  // m, of the outermost vertices
  double length = 1;    // m
  Index segments = 16;  // around the axis
};
enum class SheetPattern { grid, equilateral, cross };
struct SheetShape {
  std::array<double, 2> size{1, 1};    // m, along x and y
  std::array<Index, 2> cells{10, 10};  // along x and y; of equilateral: triangles along a row, and rows
  SheetPattern pattern = SheetPattern::equilateral;
};

struct PathShape {
  std::vector<Vec3> points;  // m
  Index segments = 10;       // of all the path
};
struct RibbonShape {
  std::vector<Vec3> points;  // m, of its middle line
  Index segments = 10;       // cells along it
  Vec3 across{0, 1, 0};      // its direction across, of any length
  double width = 0.1;        // m
  Index cells = 1;           // across
};
struct WedgeShape {
  std::array<double, 2> radii{0.8, 1};  // m, inner and outer
  double degrees = 20;                  // that it takes of the ring
  double depth = 0.2;                   // m, along z
  std::array<Index, 3> cells{2, 2, 2};  // from inside out, along the ring, along z
};

// Obstacles that are no bodies. A half-space is one triangle, of inradius 1 m about the origin, that faces z:
// load.cpp makes it as large as the scene needs. Segments and points are triangles {a, b, b} and {a, a, a}.
struct HalfSpaceShape {};
struct SegmentsShape {
  std::vector<Vec3> points;                    // m
  std::vector<std::array<Index, 2>> segments;  // between points, from 0; none: one point to the next
};
struct PointsShape {
  std::vector<Vec3> points;  // m
};

Mesh generate(const BoxShape&);
Mesh generate(const SlabShape&);
Mesh generate(const TorusShape&);
Mesh generate(const SphereShape&);
Mesh generate(const CylinderShape&);
Mesh generate(const SheetShape&);
Mesh generate(const PathShape&);
Mesh generate(const RibbonShape&);
Mesh generate(const WedgeShape&);
Mesh generate(const HalfSpaceShape&);
Mesh generate(const SegmentsShape&);
Mesh generate(const PointsShape&);

}  // namespace sim
