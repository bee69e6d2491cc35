// Poses from CSV files (scene/number_table.hpp). Private to the room.
//
// Of copies, in any order:
//     x,y,z                  m, where the mesh's origin goes; needed
//     qw,qx,qy,qz            the turn as a quaternion of any length, or
//     ax,ay,az,degrees       as an axis and an angle
//     vx,vy,vz  wx,wy,wz     m/s and rad/s: velocity and angular velocity at time 0
//
// Of a motion:
//     time                   s, ascending; needed
//     x,y,z                  m, the shift; needed
//     qw,qx,qy,qz            the turn
#pragma once

#include "scene/defects.hpp"
#include "scene/scene.hpp"

namespace sim {

// Throw FileError, or InputError with file, line, column, value and what was expected.
std::vector<PoseSpec> read_poses(const std::string& path);
std::vector<Keyframe> read_keyframes(const std::string& path);

// The scene with the keyframes of all motions that name a file.
Scene with_motion_files(const Scene& scene, Defects& defects, Defects& unreadable);

}  // namespace sim
