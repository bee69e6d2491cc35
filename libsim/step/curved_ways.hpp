// What goes round a curve within a part of a step: rigid bodies that turn (but in statics), and obstacles by their
// script. Detection sees all ways as straight lines, and what stands between a curve and its chord would be passed
// by.
//
//     bow    farthest of the surface's vertices from their chords, at 0.38 and at half of the part; of half-spaces
//            along their normals, at half of it
//     legs   ceil(sqrt(bow / farthest)), where the bow is more than farthest = 20 eps2 (TrackingOptions::farthest)
//     met    what collides on the way through the ends of the legs, but where a contact of the same two objects
//            pushes along much the same direction
//
// What is met is left to shorter parts: half as long, a bow is a quarter.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "collide/check.hpp"

namespace sim {

struct Part;

struct Pushing {  // a contact that pushes, its direction towards the object of lower number
  std::array<Index, 2> objects;
  Vec3 direction;
};

struct CurvedWays {                  // buffers
  std::vector<std::uint8_t> curved;  // an object
  std::vector<Pushing> pushing;      // by objects
  VecX from, to;
  std::vector<Box> boxes;
  Detection detection;
  Candidates candidates;
  CheckBuffers check;
  std::vector<Hit> hits, met;
};

// Of pairs of which something is solved for and nothing is divided; a pair may be there more than once.
std::span<const Hit> find_met_on_curves(Part& part);

}  // namespace sim
