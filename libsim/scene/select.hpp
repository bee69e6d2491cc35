// Vertices of a placed object chosen by box, ball, plane, cylinder or list.
#pragma once

#include <span>

#include "scene/scene.hpp"

namespace sim {

// Indices into `vertices`, ascending (those of a list as listed). What lies on the border is chosen, and so is what
// rounding has put outside by no more than 1e-9 of the object's extent. A list may go out of range: the caller
// checks.
std::vector<Index> select_vertices(const Selection& selection, std::span<const Vec3> vertices);

struct Extent {
  Vec3 low{0, 0, 0}, high{0, 0, 0};
};
Extent extent(std::span<const Vec3> vertices);
std::string nothing_chosen(std::span<const Vec3> vertices);  // what is expected where none of these is chosen

// Exact for quarter turns, so that what was aligned with the axes stays so.
Mat3 rotation_matrix(const RotationSpec& rotation);

}  // namespace sim
