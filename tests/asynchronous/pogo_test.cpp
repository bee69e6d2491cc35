// What hops: against a program of its own, and its energy.
#include "asynchronous/pogo.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "asynchronous/played.hpp"

namespace sim {
namespace {

using test::Played;

// Two masses and a spring of unit mass per metre that hop on a floor.
Played stick(double height, double stretch, double gravity) {
  Played played = test::cable({1}, stretch);
  Model& model = played.model;
  model.gravity = {0, 0, -gravity};
  model.friction = 0;
  model.mesh.vertices = {{0, 0, height}, {0, 0, height + 1}};
  test::add(model, ObjectType::fixed, test::one_triangle({-50, -50, 0}, {100, -50, 0}, {-50, 100, 0}), -1);
  played.options.detect_collisions = true;
  return played;
}

double energy(const StepReport& r) {
  return r.kinetic_energy + r.elastic_energy + r.potential_energy + r.contact_energy;
}

// Clocks that no touch shifts neither feed nor drain it.
TEST(Pogo, KeepsItsEnergy) {
  Played played = stick(0.5, 20, 1);
  played.options.asynchronous = {.thickness = 0.1, .stiffness = 100, .restitution = 1, .contact_fraction = 0.05};
  played.options.dt = 0.02;
  played.begin();
  double lowest = 1e9, highest = 0, pushes = 0;
  for (int n = 0; n < 10000; ++n) {
    const StepReport r = played.advance(1);
    pushes += r.contacts;
    lowest = std::min(lowest, energy(r));
    highest = std::max(highest, energy(r));
  }
  EXPECT_GT(pushes, 500);
  EXPECT_GT(lowest, 0.97);  // J, of 1 when it is let go
  EXPECT_LT(highest, 1.03);
}

// Rounding is doubled about every second by what hops, so they agree for a while only: some thirty hops.
TEST(Pogo, HopsAsByAProgramOfItsOwn) {
  for (const double fraction : {0.1, 0.02}) {
    Played played = stick(1, 1, 0.1);
    played.model.materials.front().density *= 2;  // two masses of 1 kg
    played.options.asynchronous = {
        .thickness = 0.1, .stiffness = 1000, .restitution = 1, .contact_fraction = fraction};
    played.options.dt = 1;
    played.begin();
    test::Pogo other(0.1, 0.1, 1000, fraction);
    double farthest = 0;
    int in_contact = 0;
    for (int n = 0; n < 50; ++n) {
      const StepReport r = played.advance(1);
      in_contact += r.contacts > 0;
      other.advance();
      farthest = std::max({farthest, std::abs(played.state.x[2] - other.lower),
                           std::abs(played.state.x[5] - other.upper), std::abs(energy(r) - other.energy())});
    }
    EXPECT_GE(in_contact, 10);
    EXPECT_LT(farthest, 1e-8);
  }
}

}  // namespace
}  // namespace sim
