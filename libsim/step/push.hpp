// What drives bodies: their weight, and their loads as if they were weight.
//
//     a_B = max(|g|, |F| / m, |T| / (m r))     m/s^2     F, T the sum of the loads on the body and their torque about
//                                              its centre of mass, r its radius of gyration
#pragma once

#include <algorithm>
#include <span>

#include "collide/contact.hpp"

namespace sim {

struct Push {
  double gravity = 0;                     // m/s^2
  std::span<const double> drive;          // m/s^2, a body: of its loads; empty: there are none
  std::span<const Index> body_of_vertex;  // -1: nothing moves it

  double of(Index body) const { return drive.empty() ? gravity : std::max(gravity, drive[body]); }
  // On a contact: of the one of its sides that is driven less, of those that are driven.
  double on(const Contact& contact) const {
    if (drive.empty()) return gravity;
    double least = 0;
    for (const Index vertex : contact.vertices) {
      const Index body = body_of_vertex[vertex];
      const double own = body < 0 ? 0 : of(body);
      if (own > 0 && (least == 0 || own < least)) least = own;
    }
    return least;
  }
};

}  // namespace sim
