// Which contact islands are settled in a step: solved, free of collisions and with contacts that have not turned
// since. They are not solved again, whatever others need, until a new contact reaches them.
#pragma once

#include "collide/check.hpp"
#include "collide/contact_set.hpp"
#include "contact/groups.hpp"
#include "step/division.hpp"

namespace sim {

struct Settling {
  std::vector<Index> body_of_vertex;     // of the model: the part of A that moves it (linear/bodies.hpp), or -1
  std::vector<Index> object_of_body;     // rigid objects have two, their blocks of unknowns
  std::vector<Index> turn_of_body;       // of a rigid one the body of its turns, else itself
  std::vector<std::uint8_t> restless;    // a body
  std::vector<std::uint8_t> known_free;  // a vertex: as of the last check of ways
  VecX checked;                          // m, all vertices: the ends of the ways of that check; empty: none
};

void prepare(const Model& model, const Bodies& bodies, Settling& settling);  // once a run
void begin(const Division& division, Settling& settling);  // of a part of a step: what it solves is restless

// Before a check of the ways to x1: the vertices that it need not look at, one mark each. No body that moves them has
// to be solved again, and they go the way that was checked before, if any was.
const std::vector<std::uint8_t>& find_known_free(const VecX& x1, Settling& settling);

std::vector<Index> restless_objects(const Settling& settling);
bool is_restless(const Settling& settling, const std::array<Index, 4>& vertices);  // of a contact or a hit

// After a round: `contacts` as they were solved, `updated` those of restless islands as they are at its end. Islands
// without hits and without restless contacts are settled, and keep the contacts that they were solved with; of the
// others `contacts` get what is updated. An island that was settled and is hit is woken with the contacts that it
// has. Returns whether any is restless.
bool settle(const CollisionSurface& surface, std::span<const Hit> hits,
            std::span<const std::array<Index, 4>> restless_contacts, std::span<const Index> unbalanced,
            Groups& groups, Settling& settling, std::vector<Contact>& updated, std::vector<Contact>& contacts);

}  // namespace sim
