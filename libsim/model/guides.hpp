// Guided vertices: an entry of Model::prescribed holds them, but along some directions only (symmetry planes,
// rollers), or only until it lets them go. They keep their unknowns.
//
// In a part of a step let H be the projector onto the directions that are held of each vertex, P = 1 - H, and w = H w
// the velocity that is prescribed along them. The unknowns are what is left, v* = v - w = P v*:
//
//     A* = P A P + s H      b* = P (b - A w)      L* = L P      c* = c - L w            s = trace(A_ii) / 3
//
// A* has the pattern of A, is as symmetric, and positive definite. v* and b* are zero where a vertex is held, and no
// row of a contact knows of it: contact methods see a problem like any other (docs/decisions/constraints.md).
#pragma once

#include "model/state.hpp"

namespace sim {

struct Guides {
  bool known = false;
  std::vector<std::uint8_t> holds;  // an entry of Model::prescribed: in this part
  std::vector<Mat3> held;           // of Model::guided: H
  std::vector<Mat3> way_of_turn;  // an object: of scripted ones in this part (model/lever.hpp); none of those: empty
};

// Whether an entry holds its vertices in a part of a step that begins at `time`.
bool holds(const PrescribedVertices& prescribed, double time);

// Whether any vertex of it is prescribed, by whatever entry, wholly or along some directions.
bool is_held(const Model& model, const Object& object);

// Which entries hold. True where that is not what `guides` knew.
bool find_holds(const Model& model, double time, Guides& guides);

// Holds a vertex along the unit vector n, too: its H, and in `sum` the value that it shall have along n. Directions
// need not be at right angles. False where it is held along n already.
bool hold(const Vec3& n, const Vec3& value, Mat3& held, Eigen::Ref<Vec3> sum);

// The directions of an entry, at right angles.
std::vector<Vec3> directions_of(const PrescribedVertices& prescribed);

// Velocities that take the prescribed vertices from where they are to where their motion has them at the end of the
// part, into their entries of `velocity` (all vertices); of guided ones w, and into `guides` their H. Others are left
// alone.
void prescribed_velocities(const Model& model, const State& state, double dt, Guides& guides, VecX& velocity);

// H of a vertex: zero of free ones, and of vertices of rigid bodies.
Mat3 held_part(const Model& model, const Guides& guides, Index vertex);

// A and b of a part, and a first guess of the unknowns, made those above. `prescribed` holds w.
void guide(const Model& model, const Guides& guides, const VecX& prescribed, BlockMatrix& A, VecX& b, VecX& v);
void keep_free(const Model& model, const Guides& guides, VecX& rows);  // P rows

// Velocities of all vertices made those of prescribed ones; of guided ones P v + w.
void go_as_prescribed(const Model& model, const Guides& guides, const VecX& prescribed, VecX& v);

}  // namespace sim
