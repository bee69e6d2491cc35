// Working memory of the steps by local forces; may be thrown away between steps at no cost but time.
#pragma once

#include "collide/check.hpp"
#include "elasticity/frequency.hpp"
#include "linear/conjugate_gradient.hpp"
#include "local/depth.hpp"
#include "model/guides.hpp"
#include "model/ledger.hpp"
#include "model/loads.hpp"
#include "model/options.hpp"

namespace sim {

// By node of a contact: 4 k and the next are of its corner k (local/response.hpp).
struct OfNodes {
  std::array<Vec3, 16> values;
  OfNodes() { values.fill(Vec3::Zero()); }
  Vec3& operator[](int node) { return values[static_cast<std::size_t>(node)]; }
  const Vec3& operator[](int node) const { return values[static_cast<std::size_t>(node)]; }
};

// What a contact has got in a part of a step, in kg m: divided by the square of the part's length it is a force,
// divided by the length an impulse.
struct Answer {
  Vec3 total{0, 0, 0};                 // of the first side: sum over the passes of mu_a D_a
  double normal = 0;                   // sum of mu_a d_a
  std::array<double, 2> tangential{};  // along t1 and t2
};

// Beside the contacts, in their order.
struct Pushed {
  ContactId id = no_contact;
  Answer now, before;  // after the last pass, and before it
  OfNodes moved;       // m Delta, after the passes
};

// Forces on all vertices at one place and time.
struct Forces {
  bool known = false;
  VecX x;  // m
  double time = 0;
  VecX elastic;      // N
  LoadForces loads;  // of the same time
};

struct LocalScratch {
  State next, start;  // on the way through the step; at the start of a part
  Forces before, after;
  std::vector<double> of_corners;  // N
  VecX damping;                    // N: -beta D v, after the part
  VecX flight;                     // m/s: as the part goes without contacts
  VecX x1;                         // m
  VecX prescribed;                 // m/s
  Guides guides;
  FrequencyBuffer frequency;

  // Of implicit parts.
  ElementBuffer elements;
  BlockMatrix A;
  VecX b, unknowns;
  CgScratch cg;

  // Of contacts.
  Detection detection;
  Candidates candidates, added;
  CheckBuffers check;
  std::vector<Hit> hits;
  std::vector<Index> escaped;
  std::vector<std::uint8_t> known_free;  // of all vertices: as at the last check, and nothing was hit there
  std::vector<Pushed> pushed, realigned;
  std::vector<double> weight;  // of all vertices: sum of |w| over the contacts of a pass
  VecX shift;                  // m, of all vertices: of a pass
  VecX moved;                  // m, of all vertices: sum of Delta
  VecX moved_before;           // before the last pass
  double momentum = 1;         // Nesterov's t
  std::vector<Index> touched;  // vertices of the contacts of a pass
  std::vector<Index> in_play;  // of all contacts of the part that have pushed
  std::vector<std::uint8_t> is_in_play;

  // Of the published form.
  DepthScratch depth;
  std::vector<Penetration> penetrations;

  Ledger ledger;
  KnownEnergy energy;
  std::vector<Contact> solving;  // contacts of the step that is not over, with impulses (N s) for forces
  std::vector<Contact> solved, limits;
  Trace trace;  // this stepper has no iterations to tell of
};

}  // namespace sim
