// Springs and hinges four at a time: shells are made of them, and a run asks for 1e10 of their kicks and more. The
// forces are those of elasticity/damped_forces.hpp, to rounding.
#pragma once

#include <array>
#include <vector>

#include "elasticity/assembly.hpp"
#include "math/pack.hpp"

namespace sim {

// `corners` 2: springs; 4: hinges. In the order of ByLevel::items; lanes that are left over have no stiffness.
template <std::size_t corners>
struct ElementPack {
  std::array<std::array<Index, lanes>, corners> vertices{};
  std::array<std::array<Index, lanes>, corners> rows{}, slots{};
  std::array<std::uint8_t, lanes> level{};  // of its clock
  Pack rest = 0.0;                          // m; radians
  Pack stiffness = 0.0;                     // N/m; J
  Pack damping = 0.0;                       // s
};
using SpringPack = ElementPack<2>;
using HingePack = ElementPack<4>;

struct PackPlaces {  // a corner of ElementNumbering
  std::span<const std::uint8_t> level;
  std::span<const Index> row, slot;
};
std::vector<SpringPack> pack_springs(const ElasticBodies& bodies, std::span<const Index> springs,
                                     const PackPlaces& places);
std::vector<HingePack> pack_hinges(const ElasticBodies& bodies, std::span<const Index> hinges,
                                   const PackPlaces& places);

struct PackMoment {
  const VecX& x;              // m, of vertices
  const VecX& v;              // m/s, of slots: what damping goes by
  std::span<const double> h;  // s, a level: 0 where it does not tick
};

// Impulses, kg m/s: all of them, and the part of them that is damping, which nobody may want to know (empty).
struct ImpulseRows {
  std::span<Pack> all, damping;
};
// h times the forces, added to the rows of the corners.
void add_impulses(std::span<const SpringPack> springs, const PackMoment& now, const ImpulseRows& rows);
void add_impulses(std::span<const HingePack> hinges, const PackMoment& now, const ImpulseRows& rows);

}  // namespace sim
