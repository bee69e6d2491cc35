// What contacts do to each object in a step or a part of one (ContactShare of model/report.hpp).
#pragma once

#include "collide/contact.hpp"
#include "model/report.hpp"
#include "model/state.hpp"

namespace sim {

// One contact, with the force on its first side, at x and v of the end; by the lever of thick sides, too
// (model/lever.hpp), `way_of_turn` as that has it.
void add_contact(const Model& model, const State& end, double dt, std::span<const Mat3> way_of_turn,
                 const Contact& contact, const Vec3& force, std::vector<ContactShare>& shares);

}  // namespace sim
