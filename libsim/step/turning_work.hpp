// The work of what is prescribed and turns.
//
// A force that turns with it does no work as it turns. Along the chord of a turn by a, one of N at a radius r would
// do N r a^2 / 2 in a part of a step: an elastic block that jaws press and turn got 11.7 kJ in half a second. One
// that keeps its direction, as a weight that is carried round does, works along the chord; and where something slides
// over what turns, other points of it carry the force at the end than at the start. So the work is the mean of the
// powers,
//
//     dt (P0 + P1) / 2        P0 = sum of f0 . v(x0) over what pushed at the start, P1 = sum of f1 . v(x1)
//
// but a force that comes or goes in the part is counted as the scheme has it, by that of its end: the mean may lead
// from the work along chords only as far as turning all forces of the end back by half a turn does.
//
//     between  sum f1 . (x1 - x0)  and  sum (f1 + Q^T f1) / 2 . (x1 - x0)
#pragma once

#include "step/ledger.hpp"

namespace sim {

// An entry of Model::prescribed that holds along all directions and turns in this part.
struct PrescribedTurn {
  Mat3 turn;                     // Q
  Pose middle;                   // halfway through the part
  double start = 0, end = 0;     // J: dt P0, dt P1
  double chord = 0, turned = 0;  // J: both ends of what the work is between
  double closing = 0;            // J: work_correction of contacts with it
};

struct PrescribedTurns {
  std::vector<PrescribedTurn> turns;
  std::vector<Index> of_vertex;  // or -1; empty where nothing turns
  bool any() const { return !turns.empty(); }
  PrescribedTurn* of(Index vertex);  // null where it does not turn
};

// Those of a part, with what contacts took of them at its start. Contacts of what works by means of both ends
// (step/work_forces.hpp) are none of theirs.
PrescribedTurns find_turns(const PartOfStep& part);

// What a vertex gives to others, N, at the end, by contacts or as Newton's schemes have elastic forces; and what it
// gives as semi-implicit Euler has elastic forces, which are those of the start, with their change in the part.
void give_at_end(const PartOfStep& part, Index vertex, const Vec3& force, PrescribedTurn& turn);
void give_as_at_start(const PartOfStep& part, Index vertex, const Vec3& force, const Vec3& change,
                      PrescribedTurn& turn);
void give_before(const PartOfStep& part, Index vertex, const Vec3& force, PrescribedTurn& turn);
void give_at_end_by_lever(const Vec3& reach, const Vec3& force, PrescribedTurn& turn);  // model/lever.hpp

double work_beside_chords(const PrescribedTurn& turn);  // J

}  // namespace sim
