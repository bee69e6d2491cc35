// The kicks of the forces inside the bodies, and of what is steady on their vertices, at one tick.
//
//     elements      v_i += h f_e(x) / m_i,  with stiffness damping h (f_e(x) - beta D v) / m_i
//     steady        v_i += h (g + q_i / m_i),  q the loads;  mass damping v_i *= exp(-alpha h), half before, half
//     after
//
// Forces are those of the positions at the tick, velocities those before it. A vertex adds its kicks up in the order
// of elements, whatever thread computed them: the same bits for any number of threads. What keeps vertices on their
// way that are prescribed is the holder's, and goes to the ledger.
#pragma once

#include "asynchronous/flight.hpp"
#include "asynchronous/kick_plan.hpp"
#include "model/guides.hpp"

namespace sim {

// What a step gave to each vertex, beside elastic and contact forces.
struct VertexLedger {
  VecX steady;                        // m s, its places times h: what is steady gave it is steady_force() times that
  VecX external, angular_external;    // kg m/s, kg m^2/s about the origin: mass damping
  VecX held, angular_held;            // the same of what holds prescribed vertices, and of obstacles
  VecX held_work, load_work, damped;  // J, one number a vertex

  void begin(Index vertices);
};

// Vertices and what may change their velocity.
struct InFlight {
  const Model& model;
  const KickPlan& plan;
  const Guides& guides;
  const LoadForces& loads;
  Flights& flights;
  VertexLedger& ledger;
};

// An impulse on a vertex at its place at `now`; what a holder takes of it goes to the ledger. Returns the mean of its
// velocities before and after.
Vec3 kick(const InFlight& bodies, Index vertex, Tick now, const Vec3& impulse);

Vec3 steady_force(const InFlight& bodies, Index vertex);  // N: its weight and what loads it

struct KickBuffers {
  VecX now;                     // m, of vertices that elements need
  std::vector<double> impulse;  // kg m/s, a corner: 3
  std::vector<double> damped;   // J, a corner, the first of its element
};

void kick_bodies(const InFlight& bodies, Tick now, KickBuffers& buffers, StepEvents& events);

// Of one element, and of what is steady on one vertex, whatever else ticks: of free clocks.
void kick_element(const InFlight& bodies, std::size_t kind, Index element, Tick now, KickBuffers& buffers,
                  StepEvents& events);
void kick_steady(const InFlight& bodies, Index vertex, Tick now, StepEvents& events);

// v made what prescribed vertices have from here on, with the jump that their holders give them.
void hold_as_prescribed(const InFlight& bodies, const VecX& prescribed);

}  // namespace sim
