// An elastic body as a whole, about its centre: its turn in a step, and what is no turn of it.
#pragma once

#include <span>

#include "linear/bodies.hpp"
#include "model/model.hpp"

namespace sim {

struct Whole {
  double mass = 0;               // kg
  Vec3 center = Vec3::Zero();    // m
  Vec3 velocity = Vec3::Zero();  // m/s, of the centre
  Vec3 spin = Vec3::Zero();      // kg m^2/s
  Mat3 second = Mat3::Zero();    // kg m^2: sum of m r r^T
  double motion = 0;             // J: twice the kinetic energy about the centre
  double own_inertia = 0;        // kg m^2: of a straight cable about its line, which its vertices do not have
};

// Of its rows, the unknowns of vertices; x and v of all vertices.
Whole whole_body(const Model& model, std::span<const Index> rows, const VecX& x, const VecX& v);

// Q such that the sum of m r x (Q - 1) r is dt times the spin, by Newton's method: the turn from here, at velocities
// that are its chord.
Mat3 turn_of(const Whole& whole, double dt);
// The turn that has led here: of m r x (1 - Q^T) r.
Mat3 turn_before(Whole whole, double dt);

// The turn that straight ways with these velocities are the beginning of: about the centre, which goes straight on,
// or of a body that is held about the axis of its motion.
struct Arc {
  Vec3 pivot = Vec3::Zero();  // m
  Vec3 turn = Vec3::Zero();   // rad/s
  // After a time t, of a point x: what the arc is besides the straight way, (exp(t turn) - 1 - t turn x)(x - pivot),
  // in metres, and its rate.
  Vec3 bow(const Vec3& x, double t) const;
  Vec3 bow_rate(const Vec3& x, double t) const;
};
Arc arc_of(const Whole& whole, bool held);

// rad/s of the whole that its mass has a spin with (kg m^2/s).
Vec3 angular_velocity(const Whole& whole, const Vec3& spin);
// The part of its motion about the centre that is the turn of a rigid body: 1 of a stiff one, less of what turns in
// parts.
double part_that_turns(const Whole& whole);

// Less stretches by less than rounding; what is no number is told where the motion is judged.
bool differ(const Mat3& Q, const Mat3& from);

// Of a matrix C that moves every r by C r: without the velocity w x r of the same angular momentum.
Mat3 without_spin(const Whole& whole, const Mat3& C);

// kg m/s: norm of the momenta m C r of the rows.
double momentum_of(const Model& model, std::span<const Index> rows, const VecX& x, const Whole& whole, const Mat3& C);

}  // namespace sim
