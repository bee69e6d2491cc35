// Energy, momentum, volumes and stress of the deformable and rigid bodies in a state. Prescribed vertices count with
// their lumped mass and velocity, rigid bodies with their spin.
#pragma once

#include "elasticity/tet_fields.hpp"
#include "elasticity/volumes.hpp"
#include "model/report.hpp"
#include "model/state.hpp"

namespace sim {

struct Measures {
  double kinetic_energy = 0;       // J
  double elastic_energy = 0;       // J
  double potential_energy = 0;     // J, -sum m g.x
  Vec3 momentum{0, 0, 0};          // kg m/s
  Vec3 angular_momentum{0, 0, 0};  // kg m^2/s, about the origin
  VolumeSummary volumes;           // tets as rows of Model::mesh.tets
};

Measures measure(const Model& model, const State& state);
Measures measure(const Model& model, const State& state, double elastic_energy);  // where that is known

// The row of Model::mesh.tets of a row of Model::elastic.tets; -1 of none.
Index mesh_tet(const Model& model, Index elastic_tet);

// Of every tetrahedron of the mesh; NaN for those of objects that are not deformable.
TetFields tet_fields(const Model& model, const VecX& x, const AskedFields& asked);

}  // namespace sim
