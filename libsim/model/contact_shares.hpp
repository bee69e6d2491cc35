// What contacts do to each object in a step or a part of one (ContactShare of model/report.hpp).
#pragma once

#include "collide/contact.hpp"
#include "model/report.hpp"
#include "model/state.hpp"

namespace sim {

// m and m/s, an object: the centre of mass, and how fast it goes; of obstacles the mean of their vertices.
struct Centers {
  std::vector<Vec3> place, velocity;
};
Centers centers_of(const Model& model, const State& state);

// One contact, with the force on its first side, at x and v of the end, `centers` likewise; by the lever of thick
// sides, too (model/lever.hpp), `way_of_turn` as that has it.
void add_contact(const Model& model, const State& end, double dt, std::span<const Vec3> centers,
                 std::span<const Mat3> way_of_turn, const Contact& contact, const Vec3& force,
                 std::vector<ContactShare>& shares);

}  // namespace sim
