// What a point of the surface depends on: a short list of blocks of unknowns, the same for bodies of every kind.
//
//     the point sum_k weight_k x[vertex_k] moves by  sum over its blocks of  dt rows  (3x3) times the block's
//     unknowns
//
//     deformable    dx = dt weight v                of every vertex that has unknowns
//     rigid         dx = dt (W v + w x a) + ...     W = sum of weight, a = sum of weight R (x0 - c), of all its
//                                                   vertices, R = exp(dt [w*]x) the turn of the last solution w*
//
// The rows are the tangents of the arcs where these end, and so is the arm of a force; the dots are what an arc bends
// off that tangent.
#pragma once

#include "bodies/rigid.hpp"

namespace sim {

struct PointBlock {
  Index column = 0;
  double weight = 0;
  Index turning = -1;  // the body, for its block u
  Vec3 arm{0, 0, 0};   // m, of such a block: a
};

struct PointBlocks {
  // Four embedded vertices, each in another tet, are sixteen; four of other rigid bodies would be eight.
  std::array<PointBlock, 16> blocks;
  int count = 0;

  void add(Index column, double weight) { blocks[count++] = {column, weight, -1, Vec3::Zero()}; }
  // The vertex of a rigid body that lies at `arm` from its centre at the start. Returns the dots, m.
  Vec3 add(const RigidBlocks& rigid, Index body, const RigidStep& step, double weight, const Vec3& arm);
  void reach(Index body, const Vec3& farther);  // m, of its weighted places: its arm, as it is at the end
  // Of an embedded vertex: equal columns are added up.
  void add_shared(Index column, double weight);
  void sort();  // by column
};

// The 3x3 block of L for the rows (n, t1, t2) of a contact.
Mat3 block_of_rows(const PointBlock& point, const RigidBlocks& rigid, std::span<const RigidStep> steps,
                   const Mat3& rows);

}  // namespace sim
