// The search of Newton's method for the place y where forces are linearised next (step/newton.hpp):
//
//     y = from + s (w - from)               s of a body begins with 1
//     shorten s                             while the force at y points back along the way by more than 0.9 of what
//                                           drove it there
//     on arcs   y += bow(s) / dt            where it does so at s = 1: the turn of the body in w - from as a turn
//                                           (step/whole_body.hpp), for straight it would stretch
#pragma once

#include <map>

#include "step/whole_body.hpp"

namespace sim {

struct Part;

// The arcs of bodies that go along one, and where and how those began.
struct ArcSearch {
  std::map<Index, Arc> arc;  // a body
  VecX place, way;           // of all vertices: x0 + dt y, m, and w - y, m/s; empty: none went along an arc yet
};

// y of the bodies that are looked at, by their lengths and arcs, of all their vertices, prescribed ones included.
void put_points(Part& part, const ArcSearch& search);

// With the system made at y: shortens the way of bodies whose force (b' - A' y) - (b - A w) points back along it, or
// lets them go along their arc. Whether there were any: put_points() again.
bool shorten(Part& part, ArcSearch& search);

// w of the unknowns in the way of `point` (of all vertices) and of rigid bodies.
void point_rows(const Part& part, const VecX& point, const VecX& rigid_point, VecX& rows);

}  // namespace sim
