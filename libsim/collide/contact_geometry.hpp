// Where the two sides of a contact are nearest, and how far that point is from leaving its face or edges.
#pragma once

#include <cmath>

#include "collide/contact.hpp"

namespace sim {

// Parts of an edge next to its ends, where its normal says little, and where it begins to.
inline constexpr double doubtful_end = 0.05, end_of_doubt = 2 * doubtful_end;

using Stencil = std::array<Vec3, 4>;  // vertex and face, or edge and edge

Stencil gather(const std::array<Index, 4>& vertices, const VecX& x);

// Unit vectors along both edges; of nearly parallel ones along their mean, twice: what is asked of one after the
// other moves a normal on a little each time, towards a product of both that says nothing.
std::array<Vec3, 2> along_edges(const Stencil& x);

struct NearestPoints {
  std::array<double, 4> weights{};  // as in Contact
  Vec3 r{0, 0, 0};                  // m, between the nearest points
  Vec3 normal{0, 0, 0};             // unit, of the face or across both edges, of either sign; 0 where there is none
  bool inside = false;              // the points are inside the face, or inside both edges
  bool parallel = false;            // nearly, of two edges
  double doubt = 0;                 // 1: doubtful(); less towards the middle of both edges, so that nothing jumps
  std::array<Vec3, 2> along{Vec3::Zero(), Vec3::Zero()};  // of doubtful ones: along_edges() that are met inside
  double size = 0;                                        // m, largest distance within the stencil

  // Two edges whose normal says little: nearly parallel, or met near an end.
  bool doubtful() const { return doubt == 1; }
};
NearestPoints nearest_points(ContactKind kind, const Stencil& x);

// r is long enough for its direction to mean something. What is thick is apart by its thickness, however large the
// face beside it is: half-spaces have triangles of kilometres.
inline bool resolved(const NearestPoints& near, double thickness = 0) {
  return near.r.norm() > 1e-7 * (thickness > 0 ? thickness : near.size);
}

// The normal serves a contact that is separated along `direction`: beside a face or past the end of an edge it does
// not.
inline bool serves(const Vec3& normal, const Vec3& direction) {
  return std::abs(normal.dot(direction)) > 0.5 * direction.norm();
}

// How far the foot of the perpendicular lies outside, in metres (0: it does not), and over which border.
// Vertex-face: border k is the face's edge from corner k to k + 1. Edge-edge: 0 and 1 are the ends of the first edge,
// 2 and 3 those of the second.
struct Foot {
  double outside = 0;
  int border = -1;
};
Foot foot(ContactKind kind, const Stencil& x);

}  // namespace sim
