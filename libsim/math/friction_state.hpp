// What a contact does at the end of a step, as the solver leaves it and the next step finds it.
#pragma once

#include <cstdint>

namespace sim {

enum class FrictionState : std::uint8_t {
  open,      // no force
  sticking,  // pushes, and holds its place in the tangent plane
  sliding,   // pushes, and friction is at its bound, along the slip
};

}  // namespace sim
