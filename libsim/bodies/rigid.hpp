// Rigid bodies: mass properties from the mesh, and their motion as two 3-blocks of unknowns each.
//
//     m v1 = m v0 + dt (m g + F)                   c1 = c0 + dt v1
//     I* w = L0 + dt T                             R1 = exp(dt [w]x) R0,   L1 = I* w       [w]x y = w x y
//
// c is the centre of mass, R the turn since rest, L the angular momentum about c in the world's axes (the spin), and
// F, T the forces and their torque about c0. L is what is kept: without torque it does not change, whatever R does,
// which is the gyroscopic term. I* is the inertia at R* = exp(dt/2 [w*]x) R0, halfway of a step without torque: w* is
// where w* = I(R*)^-1 L0, found by iteration. The system stays linear in w, and free motion is the implicit midpoint
// rule: of second order, symmetric in time, so that energy does not drift (docs/decisions/rigid-bodies.md).
// Where that would not keep the energy of a body that turns far in a step, or is not found at all, as of slender
// rods, free turning is followed in parts, to where w leads: I* (w - w free) = dt T and L1 = L0 + I* (w - w free).
//
// Unknowns: v, and u = radius axes^T w, with axes the principal ones at R* as columns, and radius the radius of
// gyration. Then u is a velocity (m/s), its balance is one of momenta (kg m/s), and its block of A is diagonal.
#pragma once

#include <span>
#include <vector>

#include "math/block_matrix.hpp"
#include "mesh/mesh.hpp"

namespace sim {

struct MassProperties {
  double mass = 0;              // kg
  Vec3 center{0, 0, 0};         // m, of mass
  Mat3 inertia = Mat3::Zero();  // kg m^2, about the centre
};
// Of the uniform solid that closed, outward triangles enclose; exact but for rounding (divergence theorem). Other
// triangles make numbers without a meaning, their mass may be negative.
MassProperties mass_properties(std::span<const Vec3> vertices, std::span<const Triangle> triangles, double density);

struct RigidBody {
  Range vertices;                  // of the model
  double mass = 0;                 // kg
  Vec3 center{0, 0, 0};            // m, of mass, at rest
  Mat3 axes;                       // principal axes at rest, as columns
  Vec3 inertia{0, 0, 0};           // kg m^2, about them
  double radius = 0;               // m, of gyration: 3 m radius^2 is the trace of the inertia
  double damping = 0;              // 1/s, alpha of its material: of the velocity of every bit of mass
  Vec3 velocity{0, 0, 0};          // m/s, at time 0
  Vec3 angular_velocity{0, 0, 0};  // rad/s, at time 0
};
RigidBody make_rigid_body(const MassProperties& properties);

struct RigidState {
  Vec3 center{0, 0, 0};                                      // m
  Eigen::Quaterniond turn = Eigen::Quaterniond::Identity();  // a unit quaternion, from rest
  Vec3 velocity{0, 0, 0};                                    // m/s, of the centre
  Vec3 spin{0, 0, 0};                                        // kg m^2/s, L
  Vec3 left_over{0, 0, 0}, left_over_spin{0, 0, 0};          // kg m/s, kg m^2/s: what the last solve missed
};
RigidState initial_state(const RigidBody& body);

Eigen::Quaterniond exponential(const Vec3& turn);  // exp([turn]x), rad

Vec3 angular_velocity(const RigidBody& body, const RigidState& state);  // rad/s: I(R)^-1 L
double kinetic_energy(const RigidBody& body, const RigidState& state);  // J

// A body on its way through a step.
struct RigidStep {
  Mat3 axes;              // principal, at R*
  Vec3 carried{0, 0, 0};  // kg m^2/s, L0 - I* w of free turning: 0 where that is one part
  Vec3 start;             // m, the centre at the start
  RigidState end;         // as the unknowns stand
  Vec3 turn{0, 0, 0};     // rad, dt w
  Mat3 turned;            // exp(dt [w]x): of the arm of a point
};

// Of all bodies; body i has the blocks first_block + 2 i (v) and first_block + 2 i + 1 (u).
struct RigidBlocks {
  std::span<const RigidBody> bodies;
  Index first_block = 0;
  double dt = 0;  // s

  Index linear(Index body) const { return first_block + 2 * body; }
  Index angular(Index body) const { return first_block + 2 * body + 1; }
};
// Fills the steps' axes and start, the bodies' rows of A and b, and their entries of v with free flight.
void integrate(const RigidBlocks& blocks, std::span<const RigidState> states, const Vec3& gravity,
               std::vector<RigidStep>& steps, BlockMatrix& A, VecX& b, VecX& v);
// Their entries of v as they were at the end of the step before.
void set_last_velocities(const RigidBlocks& blocks, std::span<const RigidState> states,
                         std::span<const RigidStep> steps, VecX& v);
// Where v leads: end and turn of the steps.
void move(const RigidBlocks& blocks, std::span<const RigidState> states, const VecX& v,
          std::vector<RigidStep>& steps);
// What a solve has missed, b + L^T r - A v, into the ends of the steps.
void set_left_over(const RigidBlocks& blocks, const VecX& missing, std::vector<RigidStep>& steps);

// Positions of the body's vertices: center + R (X - center at rest).
void place(const RigidBody& body, const RigidState& state, std::span<const Vec3> rest, VecX& x);
// Velocities of its vertices, from their positions.
void set_velocities(const RigidBody& body, const RigidState& state, const VecX& x, VecX& v);

}  // namespace sim
