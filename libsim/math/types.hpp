// Names for the vectors and matrices of the whole code.
//
// A quantity per vertex (position, velocity, force) is a VecX of 3-blocks: entries 3i, 3i+1, 3i+2 belong to vertex i.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <array>
#include <cstdint>

namespace sim {

using Index = std::int32_t;  // counts vertices, tets, triangles, blocks; the type of these in files too
using Vec3 = Eigen::Vector3d;
using Mat3 = Eigen::Matrix3d;
using Vec2 = Eigen::Vector2d;
using VecX = Eigen::VectorXd;

inline auto block(VecX& v, Index i) {
  return v.segment<3>(3 * Eigen::Index{i});
}
inline auto block(const VecX& v, Index i) {
  return v.segment<3>(3 * Eigen::Index{i});
}

// Of a pair whose order says nothing: the lower one first.
inline std::array<Index, 2> ascending(Index a, Index b) {
  return a < b ? std::array{a, b} : std::array{b, a};
}

struct Range {  // half-open [begin, end)
  Index begin = 0;
  Index end = 0;
  Index size() const { return end - begin; }
};

}  // namespace sim
