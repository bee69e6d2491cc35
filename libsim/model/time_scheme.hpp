// Schemes of time integration. The unknown of a step is its mean velocity w = (x1 - x0) / dt, which is what contacts
// know: they are the same under every scheme. A scheme says which balance of momentum w has to satisfy, and which v1
// follows from it. With F all forces but inertia, those of contacts included:
//
//     semi_implicit       m (w - v0) = dt F,  the elastic force linearised once, at x0               v1 = w
//     implicit_euler      m (w - v0) = dt F(x1)                                                      v1 = w
//     generalized_alpha   m ((1 - am) a1 + am a0) = (1 - af) F(x1) + af F(x0)                        (Chung & Hulbert
//     1993)
//                         x1 = x0 + dt v0 + dt^2 ((1/2 - beta) a0 + beta a1),   v1 = v0 + dt ((1 - gamma) a0 + gamma
//                         a1)
//     quasi_static        0 = F(x1)                                                                  v1 = 0
//
// All but the first are solved by Newton's method (step/newton.hpp). docs/decisions/time-schemes.md has orders and
// energies.
#pragma once

#include "math/types.hpp"

namespace sim {

enum class TimeScheme { semi_implicit, implicit_euler, generalized_alpha, quasi_static };

struct TimeOptions {
  TimeScheme scheme = TimeScheme::semi_implicit;
  double spectral_radius = 0.5;  // of generalized_alpha, in [0, 1]: what a step leaves of the stiffest vibrations
};

// Of second order, without more damping of slow vibrations than the radius of the stiffest asks for.
struct AlphaNumbers {
  explicit AlphaNumbers(double spectral_radius);
  double mass, force;                                                   // am, af
  double beta, gamma;                                                   // Newmark's
  double inertia() const { return (1 - mass) / (beta * (1 - force)); }  // sigma of step/inertia.hpp
  double rate() const { return gamma / beta; }                          // kappa
};

inline AlphaNumbers::AlphaNumbers(double radius)
    : mass((2 * radius - 1) / (radius + 1)),
      force(radius / (radius + 1)),
      beta(0.25 * (1 - mass + force) * (1 - mass + force)),
      gamma(0.5 - mass + force) {}

}  // namespace sim
