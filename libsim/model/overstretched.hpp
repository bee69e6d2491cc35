// Prescribed motion that asks more of strain limits than they allow. Between two prescribed vertices every path of
// limited springs, with free vertices between, must be able to reach from one to the other:
//
//     |x_a - x_b| <= sum of longest over the shortest such path
//
// where x are their places at the end of the step. What breaks this has no solution, however short the step and
// whatever the method. (Springs between two prescribed vertices are not kept.)
#pragma once

#include <optional>
#include <string>

#include "model/model.hpp"
#include "model/state.hpp"

namespace sim {

struct Overstretched {
  std::array<Index, 2> vertices{-1, -1};
  double distance = 0, allowed = 0;  // m
};

// Of a step of dt from this state: the pair that is farthest beyond what is allowed, less what gaps of limits take of
// it (collide/limits.hpp).
std::optional<Overstretched> overstretched(const Model& model, const State& state, double dt);

// "two vertices of "rope" are to be 1.12 m apart, and its strain limits allow 1.1 m"
std::string overstretched_text(const Model& model, const Overstretched& found);

}  // namespace sim
