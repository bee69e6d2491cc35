// Newton's method for the schemes that ask for the forces at the end of a step (step/inertia.hpp), on the same
// contact problem and in the same rounds as contacts are re-linearised:
//
//     solve      A w = b + L^T r, all contacts            linearised at y
//     residual   e = (b' - A' w) - (b - A w)              A', b' linearised at w: what the linear forces have missed
//     where |e| of a body is small it is balanced; else
//     search     y += s (w - y)                           s = 1, less where the force turns against the way, or along
//                                                         the arc of its turn (step/arc_search.hpp)
//
// Quasi-static bodies whose way meets what they have no contact with yet are led back (step/lead_back.hpp). What has
// hit something steps to first order (step/impacts.hpp).
//
// Where forces are linearised is free: y may be stretched, and may lie inside other bodies. So every body has a step
// length s of its own, contacts have no part in the search, and what is accepted is always a whole solution.
#pragma once

#include "collide/contact.hpp"
#include "linear/bodies.hpp"
#include "math/types.hpp"
#include "step/impacts.hpp"

namespace sim {

struct Part;

// Quasi-static: what is solved again, as it was not in balance, may miss that part of what it may in its first solve.
// Else what it misses now could be less than that, and the solution of before would do: it would keep what held it
// back, sigma M (w - y), which is always against its way.
inline constexpr double part_of_solves_again = 0.1;

struct NewtonScratch {
  VecX impulse;                      // kg m/s, of all rows: of contacts
  VecX before, product, way, guess;  // of the rows: b - A w as it was solved, A x, w - y, free flight
  VecX from;                         // m/s, of all vertices: y before the search
  VecX rigid_from;
  std::vector<double> length;     // a body: s of the last round
  std::vector<double> curvature;  // a body: (w - y) . A (w - y)
  std::vector<double> force;      // a body, N: norm of the forces on the corners of its elements
  std::vector<Index> bodies;      // that are looked at
  std::vector<Index> unbalanced;
  std::vector<std::uint8_t> solved_again;  // a body: of quasi-static steps, it was not in balance where it was solved
  std::vector<double> rated;               // a body, N: what it was taken to be pressed by in the last round
  std::vector<std::uint8_t> led_back;      // a body: in this round
  std::vector<std::uint8_t> borne_by_mass;  // a body: of quasi-static steps, sigma holds it back by what counts
  std::vector<ContactId> met;               // pairs that led bodies back in this part, ascending: each does so once
  ObjectPushes pushing;                     // at the start of the part
};

// Before the first round of a part, with its contacts as the last one left them.
void begin(const Part& part, NewtonScratch& newton);

// Quasi-static, before the first system: loads count as weight does in the mass that keeps what is free from flying
// off.
void weigh_loads(Part& part);

// Fills A and b of the part; free flight of the unknowns in v. False where loads are not finite: the part has failed.
bool make_system(Part& part, VecX& v);

// Lowers the order of what has hit something, linearises the forces of what has been solved where it has been led,
// and tells which bodies have to be solved again.
void rebalance(Part& part);

}  // namespace sim
