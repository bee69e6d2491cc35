// Which forces inside the bodies kick when. Every element has a clock by its own frequency
// (elasticity/element_frequency.hpp); what is steady on a vertex, gravity, loads and mass damping, goes with the
// finest of its elements.
//
//     h = f min(2 / omega, 2 / (beta omega^2))       rounded down to dt / 2^j; f = AsyncOptions::elastic_fraction
//
// On surfaces that may touch something all of them are also short enough for a contact that rests in layer n_r =
// AsyncOptions::rest_depth: a force that ticks more slowly than half the period of such a contact throws it out.
//
//     h <= pi h(1) / (2 f_c n_r^2)       h(1) of the stiffest pair that the vertex can be in, f_c = contact_fraction
//
// Binary clocks are looked at anew where a step begins: on a vertex in layer n of a pair that takes energy all of
// them are as short as that of the layer (asynchronous/resting.hpp), and an element that is smaller than at rest,
// which is as much stiffer, has the omega of what it has come to (elasticity/element_sizes.hpp).
#pragma once

#include <array>
#include <limits>

#include "asynchronous/clock.hpp"
#include "asynchronous/packs.hpp"
#include "elasticity/element_frequency.hpp"
#include "elasticity/element_sizes.hpp"
#include "model/model.hpp"
#include "model/options.hpp"

namespace sim {

// Things by falling level: those that tick at a level are the first count[level].
struct ByLevel {
  std::vector<Index> items;
  std::array<Index, finest_level + 2> count{};
};
ByLevel sort_by_level(std::span<const std::uint8_t> levels);

// Where elements put what they give: a block of elements_a_block of one kind, in the order of ByLevel::items, adds it
// up in rows of its own, one for each vertex that they have, and a vertex adds its rows up. So a tick passes few
// bytes from elements to vertices, and has the same bits for any number of threads.
inline constexpr Index elements_a_block = 1024;
struct Rows {
  std::array<std::vector<Index>, element_kinds> first;  // of a block; at its end that of the next one
  std::vector<Index> of_corner;                         // of ElementNumbering
  std::vector<Index> vertex;                            // of a row
  std::vector<std::uint8_t> level;                      // of a row: the finest of its block
};

// What a vertex of KickPlan::vertices adds up: its rows by falling level.
struct Gather {
  std::vector<Index> begin, rows;
};

// The clocks that the elements of a vertex have, a slot each, by falling level.
struct ClockSlots {
  std::vector<Index> begin;         // of a vertex; at the end that of the next one
  std::vector<std::uint8_t> level;  // of a slot
  std::vector<Index> of_corner;     // of ElementNumbering
};

using ElementLevels = std::array<std::vector<std::uint8_t>, element_kinds>;

struct KickPlan {
  // What clocks are made of, by the places of things.
  ByKind omega;             // rad/s, at rest
  std::vector<double> cap;  // s, a vertex
  std::array<std::vector<Sizes>, element_kinds> rest_sizes;
  // What they are made by: where nothing touches, and by contacts.
  ElementLevels element_level;
  std::vector<std::uint8_t> vertex_level, contact_level;  // 0: nothing

  std::array<ByLevel, element_kinds> elements;
  ClockSlots slots;
  std::vector<SpringPack> springs;  // in the order of their items
  std::vector<HingePack> hinges;
  std::vector<std::uint8_t> corner_level;  // of the element, a corner of ElementNumbering
  std::vector<std::uint8_t> steady_level;  // a vertex with mass: the finest clock that kicks it
  std::vector<std::uint8_t> whole_level;   // at whose ticks all of them kick it: the coarsest
  ByLevel vertices;                        // with mass, by that
  Rows rows;
  Gather gather;                     // an item of `vertices`
  std::vector<double> kept;          // a vertex: of its speed, by the medium in half a kick
  std::vector<double> inverse_mass;  // a vertex; 0 where it has no unknowns: it goes as prescribed
  int finest = 0;

  // Of free clocks: an element, a vertex; empty where clocks are binary.
  std::array<std::vector<Tick>, element_kinds> element_period;
  std::vector<Tick> steady_period;

  bool any_damping = false;  // of stiffness
  bool any_drag = false;     // of mass

  // By material: steps of its elements, what they would be without stiffness damping, and how much of it costs none.
  struct Damped {
    double shortest = std::numeric_limits<double>::infinity(), undamped = shortest, free = shortest;  // s
  };
  std::vector<Damped> damped;

  // Of an element none of whose clocks is fine enough.
  bool too_stiff = false;
};

double steady_step(const KickPlan& plan, Index vertex, double dt);  // s

KickPlan make_kick_plan(const Model& model, const Options& options);

// Clocks of a step that begins at x, with these levels of contacts; false where they are those that there were.
bool follow(const Model& model, const Options& options, const VecX& x, std::vector<std::uint8_t>&& contact_level,
            KickPlan& plan);

// kg, a vertex: the smallest mass of the surface features that it is a corner of; infinite where all are obstacles.
std::vector<double> smallest_masses(const Model& model, std::span<const double> inverse_mass);

// s: of the outermost layer of a pair with 1/m_eff.
double outermost_step(double contact_fraction, double stiffness, double inverse_mass);

}  // namespace sim
