// Pairs of triangles as a Wavefront .obj, to look at in any viewer: one group of faces for each named list of pairs,
// in front of each pair's two faces a comment with their numbers.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "mesh/mesh.hpp"

namespace sim {

struct TrianglePairs {
  std::string group;  // spaces become _, as the format wants
  std::vector<std::array<Index, 2>> pairs;
};

// Throws FileError where the file cannot be written.
void write_triangle_pairs(const std::string& path, std::span<const TrianglePairs> lists,
                          std::span<const Triangle> triangles, const VecX& x);

}  // namespace sim
