// Do the insides of closed surfaces overlap, also where no triangle of the one crosses a triangle of the other? By
// exact arithmetic. Uses nothing of the continuous test.
//
// Surfaces whose mesh lines lie in each other's faces pass through each other without any two triangles having points
// of their insides in common: each pair only touches. And a body may lie wholly inside another. Both are found here.
//
// Claim. Let two closed surfaces, each free of intersections with itself and of triangles without area, have no pair
// of triangles that cross. Then their insides overlap exactly if
//   (1) they do so next to a piece of plane that faces of both share: the faces look the same way; or
//   (2) they do so next to a piece of line that an edge of the one shares with a face or an edge of the other; or
//   (3) an edge-connected part of one surface has points inside the other, and meets the other surface in finitely
//       many points at most: then it is inside with all its other points.
// Proof. The surfaces meet in finitely many pieces of planes and lines, and points. Where insides overlap, what is
// common to them has a border, made of both surfaces. A piece of it that belongs to both is (1): both have their
// inside on its one side. Otherwise one of the surfaces, in an edge-connected part C of it, has points inside the
// other. They are an open set of C; its border in C is where the two surfaces meet. Finitely many points do not
// divide C: with a border like that, or none, the set is C up to these points, (3). Otherwise the border holds a
// piece of line. Along it the picture does not change; across it both surfaces are rays, and a ray of C lies inside
// the other surface's sector: (2). There the triangle of this ray touches one at the sector's side.
//
// (2) is decided from the order of faces around the line, any even number of them; (3) with one point of C,
// infinitely near a corner and beside an edge of one of its triangles, which is on no line or point of the other
// surface. All are signs of determinants.
//
// Not proven: surfaces that are not closed (they have no inside and are passed over, but may lie inside others), that
// intersect themselves, or that have triangles without area. Parts of one object within each other are looked for by
// themselves (doubled_parts), as (3) has it: the wall of a cavity is one, too.
#pragma once

#include "collide/reach.hpp"

namespace sim {

// By object: every edge has as many triangles running the one way as the other, and it is no sheet.
std::vector<std::uint8_t> closed_objects(const CollisionSurface& surface);

// Of two triangles that touch: do the insides of their surfaces overlap next to a line that the two share? Both may
// be of one object, which overlaps itself then. `closed` as above.
bool overlap_beside_a_line(const CollisionSurface& surface, std::span<const std::uint8_t> closed, const VecX& x,
                           Index s, Index t);

// Of two triangles that overlap in one plane: do they look the same way, so that the insides of their surfaces
// overlap beside them?
bool overlap_beside_a_plane(const CollisionSurface& surface, std::span<const std::uint8_t> closed, const VecX& x,
                            Index s, Index t);

struct Nested {
  Index inner = 0, outer = 0;  // objects: a part of the inner's surface has points inside the outer
};

// What (3) finds, ascending: parts of objects with points inside other objects, as far as their boxes say that they
// may be wholly inside. Pairs in which nothing moves are left out.
std::vector<Nested> nested_objects(const CollisionSurface& surface, std::span<const std::uint8_t> closed,
                                   const VecX& x);

// A part of a closed object's surface that faces outward inside another part of it: what it encloses is there twice.
// (One that faces inward is the wall of a cavity.)
struct DoubledPart {
  Index object = 0, triangle = 0, outer = 0;  // triangles: one of the part, and of what it is in
};
// Ascending. Of surfaces that nowhere cut themselves these are all.
std::vector<DoubledPart> doubled_parts(const CollisionSurface& surface, std::span<const std::uint8_t> closed,
                                       const VecX& x);

}  // namespace sim
