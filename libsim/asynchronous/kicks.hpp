// The kicks of the forces inside the bodies, and of what is steady on their vertices, at one tick.
//
//     elements      v_i += (h f_e(x) - beta D (x - x')) / m_i,  x' where the element ticked last, in this step
//     steady        v_i += h (g + q_i / m_i),  q the loads;  mass damping v_i *= exp(-alpha h), half before, half
//     after
//
// Forces are those of the positions at the tick. Stiffness damping goes by the way since the element's tick before:
// of velocities only one phase would be seen, where elements that tick unlike push a vertex to and fro. So it comes
// wholly before a step's end, and there is none where one begins. Of free clocks it goes by the velocities. Kicks are
// added up in an order of their own (Rows of asynchronous/kick_plan.hpp): the same bits for any number of threads.
// What keeps vertices on their way that are prescribed is the holder's, and goes to the ledger.
#pragma once

#include "asynchronous/flight.hpp"
#include "asynchronous/kick_plan.hpp"
#include "model/guides.hpp"

namespace sim {

// What a step gave to the vertices, beside elastic and contact forces.
struct VertexLedger {
  // What is steady and the medium gave to a chunk of KickPlan::vertices: one thread at a time adds to it.
  struct Chunk {
    Vec3 drag{0, 0, 0};     // kg m/s, of the medium
    Vec3 angular{0, 0, 0};  // kg m^2/s about the origin, of both
    double damped = 0;      // J
    double rubbed = 0;      // J, what friction gave

    Chunk& operator+=(const Chunk& other);
  };
  std::vector<Chunk> chunks;

  VecX held, angular_held;  // kg m/s, kg m^2/s, a vertex: of what holds prescribed vertices, and of obstacles
  VecX held_work;           // J, a vertex

  // Of a vertex, since all of its elements ticked last: impulses of damping of the stiffness, where there is any, and
  // of friction, kg m/s; where it was then, m; how it went until then, m/s, from one such tick to the next.
  VecX damping, friction, from, mean;
  VecX last;  // m, of KickPlan::slots: where the vertex was when that clock ticked last, where there is damping

  void begin(const Model& model, const KickPlan& plan);
  Chunk of_chunks() const;
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

// How much of an impulse at a tick at which all clocks of a body tick belongs to what comes after it: half, of those
// where steps begin and end, which are halves themselves, all and nothing.
double part_after(Tick now);

// What friction gives, an impulse at `now`: work along the way of the vertex, as of damping, in J, as far as it is
// known by now; the rest goes to the ledger.
double rub_work(const InFlight& bodies, Index vertex, Tick now, const Vec3& impulse);

Vec3 steady_force(const InFlight& bodies, Index vertex);  // N: its weight and what loads it

struct KickBuffers {
  VecX now;                // m, of vertices that elements need
  VecX rates;              // m/s, of KickPlan::slots: how the vertex went since that clock ticked last
  std::vector<Pack> rows;  // kg m/s, of KickPlan::rows; the last number is 0

  std::vector<Pack> damping_rows;  // the same of damping of the stiffness alone, where there is any
};

void kick_bodies(const InFlight& bodies, Tick now, KickBuffers& buffers, StepEvents& events);

// Of one element, and of what is steady on one vertex, whatever else ticks: of free clocks.
void kick_element(const InFlight& bodies, std::size_t kind, Index element, Tick now, KickBuffers& buffers,
                  StepEvents& events);
void kick_steady(const InFlight& bodies, Index vertex, Tick now, StepEvents& events);

// v made what prescribed vertices have from here on, with the jump that their holders give them.
void hold_as_prescribed(const InFlight& bodies, const VecX& prescribed);

}  // namespace sim
