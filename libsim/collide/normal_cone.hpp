// Where a surface may push to. At a vertex or on an edge it can only push along directions in which nothing of it
// goes farther (the cone of its normals): n . d <= 0 for every direction d from there along the surface. In other
// directions another part of it is nearer, and that part has a contact of its own.
//
// Two bodies that lie on each other with their sides flush meet in edges on edges and corners on edges. The direction
// between their nearest points, micrometres apart, is any: taken for a normal it makes a wedge, which pushes the one
// off sideways.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "collide/contact.hpp"

namespace sim {

// Where vertices are: at x, or on their way from x0 to x1.
struct Places {
  const VecX &x0, &x1;
  double time = 0;
  Places(const VecX& x) : x0(x), x1(x) {}  // NOLINT: any x is one
  Places(const VecX& from, const VecX& to, double at) : x0(from), x1(to), time(at) {}
  Vec3 of(Index vertex) const {
    const Vec3 start = block(x0, vertex);
    return time == 0 ? start : Vec3(start + time * (block(x1, vertex) - start));
  }
};

// At an impact; at x0 where a triangle at these vertices has turned by more than 60 degrees until then: what turns so
// far along chords has no shape on its way.
Places places_at(const CollisionSurface& surface, const std::array<Index, 4>& vertices, const VecX& x0,
                 const VecX& x1, double time);

inline constexpr double cone_slack = 0.1;  // sine of an angle; a tilt up to there makes no wedge

// `n` of a contact between these vertices (as in Contact), turned as little as it takes for both sides to be able to
// push along it. Which corner, edge or face of each side meets is told by the weights, to the digit: a millimetre
// beside a corner its other edges do not matter. Where one side has a dent, bent round the other one, only the other
// can push. Where n lies in both surfaces it says nothing (a corner that slides over an edge inside a plane): then
// the direction out of them. `n` itself where there is no such direction: in dents of both, or where the surfaces
// have passed through each other.
Vec3 within_cones(const CollisionSurface& surface, ContactKind kind, const std::array<Index, 4>& vertices,
                  const std::array<double, 4>& weights, const Places& x, const Vec3& n);

// What turns has no shape on its straight way.
enum class Planes : std::uint8_t { of_what_does_not_move, of_rigid_too };

// The normal of a plane of something that cannot bend, on the side of n, against something that can, where n and what
// that has there are within cone_slack of it. Rims that press against it are tilted by what gaps may miss; that says
// nothing of where they push, and what presses them is not to push them aside for it.
std::optional<Vec3> normal_of_plane(const CollisionSurface& surface, ContactKind kind,
                                    const std::array<Index, 4>& vertices, const std::array<double, 4>& weights,
                                    const Places& x, const Vec3& n, Planes planes);

// What slides along a surface and dips by a little below it, where contacts are yet to be found, hits the side of
// what comes next in its plane. Then the contact of the hit gets the points that were nearest at x0, and the normal
// of a face of either side that it slid along there, within eps2 of it, and has passed at x1 by less than a tenth
// (cone_slack) of what it has passed along its own normal. Whether there is such a face.
bool slide_past_a_face(const CollisionSurface& surface, const VecX& x0, const VecX& x1, Contact& contact);

// Whether n points into the body that it should push away from and out of the one that it should push away, at what
// meets: both have gone into each other before, on the way that led to this. A surface with a border has no inside.
bool is_met_from_inside(const CollisionSurface& surface, ContactKind kind, const std::array<Index, 4>& vertices,
                        const std::array<double, 4>& weights, const Places& x, const Vec3& n);

// Whether n points into the body of the face, out of which a vertex is then held from inside. A surface with a border
// has no inside.
bool is_behind_face(const CollisionSurface& surface, const std::array<Index, 4>& vertices, const Places& x,
                    const Vec3& n);

// Whether a side cannot push along n, or be pushed: n is out of its cone, as along an edge or in the plane that a
// vertex is inside of, or all that meets there of it looks the other way. Whatever way led to this, something else of
// the same two bodies met before, unless the one is inside the other. Of a surface with a border that is not known.
bool is_met_from_behind(const CollisionSurface& surface, ContactKind kind, const std::array<Index, 4>& vertices,
                        const std::array<double, 4>& weights, const Places& x, const Vec3& n);

}  // namespace sim
