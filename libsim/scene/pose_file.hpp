// Poses from a CSV file: a line of column names, then one pose a line. Private to the room.
//
//     x,y,z                  m, where the mesh's origin goes; needed
//     qw,qx,qy,qz            the turn as a quaternion of any length, or
//     ax,ay,az,degrees       as an axis and an angle
//     vx,vy,vz  wx,wy,wz     m/s and rad/s: velocity and angular velocity at time 0
//
// Columns come in any order. Empty lines and lines that begin with # are passed over.
#pragma once

#include "scene/scene.hpp"

namespace sim {

// Throws FileError, or InputError with file, line, column, value and what was expected.
std::vector<PoseSpec> read_poses(const std::string& path);

}  // namespace sim
