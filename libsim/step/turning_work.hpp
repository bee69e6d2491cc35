// The work of what is prescribed and turns.
//
// A force that turns with it does no work as it turns. Along the chord of a turn by a, one of N at a radius r would
// do N r a^2 / 2 in a part of a step: an elastic block that jaws press and turn got 11.7 kJ in half a second. One
// that keeps its direction, as a weight that is carried round does, works along the chord. So the work is the mean of
// the powers,
//
//     dt (k P0 + P1) / 2      P0 = sum of f0 . v(x0) over what pushed at the start, P1 = sum of f1 . v(x1)
//
// but a force that comes or goes in the part is counted as the scheme has it, by that of its end: k makes those of
// the start as large, |N1| / |N0| with N = sum of f (X, size)^T of places at rest, and the mean may lead from the
// work along chords only as far as turning all forces of the end back by half a turn does.
//
//     between  sum f1 . (x1 - x0)  and  sum (f1 + Q^T f1) / 2 . (x1 - x0)
//
// Where something slides over what turns, other points of it push at the end than at the start, facet after facet.
// There what is prescribed does the work that the other side gets: the normal force along the way of that, but no
// farther from that along its own chord than forces that turn could be, twice what they are turned by above. A
// contact counts as one that slides by the part 1 - s, s = 1 - |slip| / |way of what turns|, along the tangents and
// not below zero.
#pragma once

#include "step/ledger.hpp"

namespace sim {

// An entry of Model::prescribed that holds along all directions and turns in this part.
struct PrescribedTurn {
  Index object = -1;                                     // whose
  Mat3 turn;                                             // Q
  Vec3 angle;                                            // rad, of Q: its axis times how far it turns
  Pose first, middle, last;                              // at the start of the part, halfway, at the end
  using Forces = Eigen::Matrix<double, 3, 4>;            // sum of f (X - center, size)^T, N m
  Forces before = Forces::Zero(), now = Forces::Zero();  // at the start and at the end
  Vec3 center{0, 0, 0};                                  // m, of its vertices at rest
  double size = 0;                                       // m, their root mean square distance from it
  double start = 0, end = 0;                             // J: dt P0, dt P1
  double chord = 0, turned = 0;                          // J: both ends of what the work is between
  double of_contacts = 0;                                // J: the part of turned - chord that contacts have
  double slides = 0;  // J: what it does more than along chords where something slides over it
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

// What a held vertex gives to the elements, N, at the end, as Newton's schemes have elastic forces; and as
// semi-implicit Euler has them, which are those of the start, with their change in the part.
void give_at_end(const PartOfStep& part, Index vertex, const Vec3& force, PrescribedTurn& turn);
void give_as_at_start(const PartOfStep& part, Index vertex, const Vec3& force, const Vec3& change,
                      PrescribedTurn& turn);
void give_before(const PartOfStep& part, Index vertex, const Vec3& force, PrescribedTurn& turn);

// m: of a contact, `way` is that of its first side along the other, by chords of what turns. Rigid bodies go by the
// chord of their centre and the tangent where their arc ends, and slip would be what both turn by together. The way
// of the body, from the centre c0 to c1 and by w, beside what turns by a, at the place x1 of the end:
//
//     c1 - c0 - (chord that ends at c1 + chord that begins at c0) / 2 + (dt w - a) x (x1 - c1)
//
// with chords of points that go with what turns. It is nothing where both turn as one, wherever the centre is, and of
// second order beside a body that goes straight on or turns otherwise.
Vec3 way_beside_rigid(const PartOfStep& part, const Contact& contact, const Vec3& way, PrescribedTurns& turns);

// A contact of the end, with the force that does work on its first side, N along n, t1 and t2, its way by chords, and
// that above.
struct OnTurning {
  double along = 1;   // s; 1 where neither side turns
  double slides = 0;  // J: what the other side gets more than along chords where it slides
};
OnTurning give_by_contact(const PartOfStep& part, const Contact& contact, const Vec3& force, const Vec3& way,
                          const Vec3& rubbed, PrescribedTurns& turns);

struct BesideChords {  // J: what it does besides, all of it and what contacts have of it
  double whole, of_contacts;
};
BesideChords work_beside_chords(const PrescribedTurn& turn);

}  // namespace sim
