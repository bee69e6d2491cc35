// A pair that may touch, and what its layers do to it at a tick.
//
//     r = sum w_k x_k between the nearest points, d = |r|, n = r / d
//     all layers l that tick and push:   J = sum h(l) r(l) (eta(l) - d),         along n, by the weights
//     restitution e takes                (1 - e) min(J, P)
//
// P is the momentum with which the pair separates above that of one kick of each layer, so what leaves fast is pushed
// by e J as published; of what is slower, critical damping, so what rests comes to rest (asynchronous/batch.cpp;
// docs/decisions/asynchronous-contact.md). Friction is Coulomb's law over the stretch between two kicks of the
// bodies.
#pragma once

#include "asynchronous/flight.hpp"
#include "asynchronous/layers.hpp"
#include "collide/candidates.hpp"
#include "collide/contact.hpp"
#include "model/asynchronous.hpp"

namespace sim {

struct ActivePair {
  ContactId id = no_contact;
  ContactKind kind = ContactKind::vertex_face;
  Pair pair;
  std::array<Index, 4> vertices{};
  double inverse_mass = 0;  // 1/kg, 1/m_eff: a bound for all weights
  double thickness = 0;     // m, eta(1)
  double friction = 0;
  double bound = 0;                 // m, of a strain limit: the length that it ends at
  double longest_h = 0;             // s, of the outermost layer
  int body_level = 0;               // at whose ticks all that is inside the bodies kicks its vertices
  int coarsest_level = 0;           // of its layers: where it takes energy, the finest clock of its vertices
  Tick stretch = -1;                // between two ticks of that, in which is added up:
  double pressed = 0;               // kg m/s: what the layers gave
  Vec3 braked{0, 0, 0};             // kg m/s: what friction gave
  bool holds = false;               // friction was enough where the stretch began
  std::vector<std::uint8_t> level;  // clocks of the layers that are active, from 1 on
  std::vector<Tick> period;         // the same of free clocks; else empty

  double nearest = 0;                // m, at the ticks of a window
  Vec3 push{0, 0, 0}, rub{0, 0, 0};  // kg m/s on the first side since the step began: of layers, of friction

  Index depth() const { return static_cast<Index>(level.size()); }
};

// What friction goes on by where a step ends amid a stretch is kept in Contact::gamma and delta, which are the
// solver's of other methods: what friction gave along t1 and t2, and what the layers gave, kg m/s.
void remember(const ActivePair& pair, Contact& contact);
double pressed_before(const Contact& contact);
Vec3 braked_before(const Contact& contact);

// What all pairs go by.
struct ContactLaw {
  Layers layers;
  double restitution = 1;
  bool has_free_clocks = false;
  double dt = 0;  // s, of a step
};

bool takes_energy(const ContactLaw& law, const ActivePair& pair);  // by friction or restitution

// Of binary clocks, by its own step; above finest_level where no clock is fine enough.
int level_of_layer(const ContactLaw& law, const ActivePair& pair, Index layer);

// Layers from 1 to `depth`; those that are new remember nothing. False where one of them has no clock fine enough.
bool set_depth(const ContactLaw& law, Index depth, ActivePair& pair);

struct Nearest {
  std::array<double, 4> weights{};  // as in Contact
  Vec3 r{0, 0, 0};                  // m
  Vec3 n{0, 0, 0};                  // from the second side to the first; zero where they touch
  double distance = 0;              // m
};
Nearest nearest_of(ContactKind kind, const std::array<Vec3, 4>& x);

// Of a strain limit the distance is what is left of its length: n pushes its ends together at the upper bound, apart
// at the lower one. Negative where it is passed.
Nearest nearest_of(const ActivePair& pair, const std::array<Vec3, 4>& x);
bool is_upper(const ActivePair& limit);

struct PairKick {
  std::array<double, 4> weights{};
  Vec3 push{0, 0, 0}, rub{0, 0, 0};  // kg m/s, on the first side: of layers, of friction (batch.cpp)
  Vec3 n{0, 0, 0};
  double distance = 0;                         // m
  double force = 0;                            // N, of all layers; 0 where not all of them tick
  double round = 0;                            // kg m/s, one kick of each layer that pushes, ticking now or not
  double stiffness = 0;                        // N/m, of those
  Index layers = 0;                            // that push
  double inverse_mass = 0, most_friction = 0;  // 1/kg; kg m/s, of the stretch (batch.cpp)
  double leaving = 0;                          // kg m/s, of what separates: above `round`
  double later = 0;                            // m/s along n: what the tick gives after its middle
};
// Which layers tick, and for how long they kick.
struct LayerTick {
  int level = 0;    // of binary clocks: it and finer ones
  double part = 1;  // of a kick
  Tick time = 0;    // of free clocks, since the run began
};

// Of free clocks: the first tick of a layer after `now`.
Tick next_tick(const ActivePair& pair, Tick now, Tick origin);

// Of the layers that tick, with the four vertices at x; without restitution and friction.
PairKick pair_kick(const ContactLaw& law, const std::array<Vec3, 4>& x, const LayerTick& tick,
                   const ActivePair& pair);

// How the pair goes, by the weights: along n it separates.
Vec3 relative_velocity(const PairKick& kick, const std::array<Vec3, 4>& v);

// Takes from the push what restitution does of what separates, kg m/s, and returns how much that is.
double restitute(const ContactLaw& law, double separating, PairKick& kick);

}  // namespace sim
