// Loads: given forces, on vertices, surfaces and whole bodies.
//
//     b += dt f(x0, t0 + dt/2)          at the positions where the step starts, at the time of its middle
//
//     force        f_i = F / n on each of n vertices; or F at a point of a rigid body
//     pressure     f_i = -p sum a_T / 3 over the triangles T at i, a_T their outward area vectors:
//                  at x0 where it follows the surface, else at rest
//     traction     f_i = q sum |a_T| / 3, a_T at rest
//     body force   f_i = k V_i, V_i the volume at rest that is lumped to i; of a rigid body at its centre of mass
//     torque       T on a rigid body
//
// Forces on vertices of a rigid body add up to one at its centre of mass and a torque. A load that follows is
// explicit: it has no part in A, which stays symmetric (docs/decisions/loads.md).
#pragma once

#include <optional>
#include <span>

#include "bodies/expression.hpp"
#include "bodies/rigid.hpp"
#include "mesh/mesh.hpp"

namespace sim {

struct Model;
struct State;

// A number, or an expression of t.
struct TimeValue {
  double number = 0;
  std::optional<Expression> expression;
  double at(double t) const { return expression ? expression->at(t) : number; }
};

enum class LoadKind { force, pressure, traction, body_force, torque };

struct Load {
  LoadKind kind = LoadKind::force;
  Index object = -1;
  std::array<TimeValue, 3> value;   // N, Pa, Pa, N/m^3, N m; of a pressure the first one
  bool follows = false;             // pressure: the surface as it moves; force and torque: a rigid body as it turns
  std::vector<Index> vertices;      // that it acts on; none: a wrench on a rigid body, or triangles
  std::vector<double> share;        // by vertex: 1/n, m^2, m^3; m^3 of a rigid body
  std::vector<Vec3> area;           // by vertex, of a pressure that does not follow: m^2, outward
  std::vector<Triangle> triangles;  // of a pressure that follows
  Vec3 point{0, 0, 0};              // m, at rest: where the force acts on a rigid body
};

struct Wrench {
  Vec3 force{0, 0, 0}, torque{0, 0, 0};  // N; N m, about the centre of mass
};

struct LoadForces {
  VecX force;                  // N, of all vertices, zero for rigid ones; empty where the model has no loads
  std::vector<Wrench> wrench;  // of rigid bodies
  bool any() const { return force.size() > 0; }
};
// Of a part of a step of length dt from this state. Returns the object whose load is not a finite number, or -1.
Index find_loads(const Model& model, const State& state, double dt, LoadForces& loads);
// The same at these positions of all vertices, at this time.
Index find_loads_at(const Model& model, const VecX& x, std::span<const RigidState> rigid, double time,
                    LoadForces& loads);

// Into the rows of the unknowns; of rigid bodies also into their free flight v.
void add_loads(const Model& model, const LoadForces& loads, const RigidBlocks& blocks,
               std::span<const RigidStep> steps, const BlockMatrix& A, VecX& b, VecX& v);

// Of a load on triangles: its vertices, and what each of them has of it.
void share_of_triangles(std::span<const Vec3> rest, std::span<const Triangle> triangles, Load& load);

}  // namespace sim
