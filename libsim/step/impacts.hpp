// Impacts under the scheme of second order (docs/decisions/time-schemes.md): what ends a motion at once is no motion
// that goes on as it came. Objects that have hit something, and what touches them, step by implicit Euler.
#pragma once

#include <array>
#include <map>
#include <vector>

#include "collide/contact_set.hpp"

namespace sim {

struct Model;
struct Part;

using ObjectPushes = std::map<std::array<Index, 2>, double>;  // N, two objects: the sum of their contacts

ObjectPushes pushes_of_objects(const Model& model, const ContactSet& contacts);

// After a solve. `changed`: objects that step by implicit Euler from now on and did not before.
void lower_orders(Part& part, std::vector<std::uint8_t>& changed);

}  // namespace sim
