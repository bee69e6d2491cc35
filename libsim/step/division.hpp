// A step whose contact islands do not all get to its end is taken in two halves, and so on (Otaduy et al. 2009,
// section 4), by the objects of the islands that fail and by no others:
//
//     take(objects, part):  advance the objects through the part
//                           those of islands that failed: take(them, first half), take(them, second half)
//
// Through the halves the others go the straight way that they have been found to go. What meets one of them there is
// taken back: both are divided. Islands that are far apart therefore never see how the others are divided.
#pragma once

#include <span>

#include "model/state.hpp"

namespace sim {

// What becomes of an object in a part of a step.
enum class Share : std::uint8_t {
  solved,   // its motion is solved for; that of obstacles is prescribed
  known,    // it goes the way that a longer part has found
  divided,  // its island fails: left to shorter parts
};

struct Division {
  std::vector<Share> share;      // an object
  std::vector<Index> met;        // known objects, that solved ones have run into
  std::vector<char> moves;       // an object: has unknowns
  const VecX* motion = nullptr;  // m/s, all vertices: of known objects

  Share of(const CollisionSurface& surface, Index vertex) const { return share[surface.vertex_object[vertex]]; }
};

void begin(const Model& model, Division& division);  // of a step: all are solved

// Of a contact or a hit: one of its sides moves and has this share.
bool has(const Division& division, const CollisionSurface& surface, const std::array<Index, 4>& vertices,
         Share share);
bool has_any(const Division& division, Share share);  // an object that moves
// The contacts of islands that are solved.
void keep_solved(const Division& division, const CollisionSurface& surface, std::vector<Contact>& contacts);

// Velocities of all vertices at the start of a part, of known objects as they go.
void begin_motion(const State& state, const Division& division, const CollisionSurface& surface, VecX& v);
// Where divided objects go is not known yet: as if they stood.
void stop_divided(const CollisionSurface& surface, const Division& division, VecX& motion);

// Divides these objects, and all that contacts connect with them: with `together` all that moves.
void divide(std::span<const Index> objects, const CollisionSurface& surface, std::span<const Contact> contacts,
            bool together, Division& division);

// The state at the end of a part: of divided objects `shorter`, where the shorter parts have taken them, of all
// others `whole`.
void join(const Model& model, const Division& division, const State& whole, State& shorter);

}  // namespace sim
