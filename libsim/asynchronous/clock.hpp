// Clocks that tick together: a clock of level j ticks 2^j times in a step, at multiples of its h = dt / 2^j. All
// levels from some one on tick at any tick of one of them, and all of them where a step begins and ends. Times within
// a step are whole numbers of the finest tick: sums of doubles would drift.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace sim {

using Tick = std::int64_t;

inline constexpr int finest_level = 40;
inline constexpr Tick ticks_a_step = Tick{1} << finest_level;

constexpr Tick ticks_of(int level) {
  return ticks_a_step >> level;
}

// The lowest level whose h is no longer than `longest`, finest_level + 1 where there is none.
inline int level_of(double longest, double dt) {
  const double ratio = dt / longest;
  if (!(ratio > 1)) return 0;
  int exponent = 0;
  const double mantissa = std::frexp(ratio, &exponent);  // in [1/2, 1)
  const int level = mantissa == 0.5 ? exponent - 1 : exponent;
  return std::isfinite(ratio) && level <= finest_level ? level : finest_level + 1;
}

inline double length_of(int level, double dt) {  // s; dt 2^-level, in every kick: without a call of std::ldexp
  return dt * std::bit_cast<double>(static_cast<std::uint64_t>(1023 - level) << 52);
}

// This level and all finer ones tick at `now`, in [0, ticks_a_step].
inline int coarsest_at(Tick now) {
  return now == 0 ? 0 : finest_level - std::countr_zero(static_cast<std::uint64_t>(now));
}

// Where a step begins and ends every kick is half of one: the other half is in the step beside it.
inline double part_of_kick(Tick now) {
  return now == 0 || now == ticks_a_step ? 0.5 : 1.0;
}

// The same of clocks of any length: whole ticks, no longer than a step. They tick at multiples of it from the start
// of the run, so that none has to be remembered; 0 where no tick is short enough.
inline Tick period_of(double longest, double dt) {
  const double ticks = longest / length_of(finest_level, dt);
  return ticks < static_cast<double>(ticks_a_step) ? static_cast<Tick>(ticks) : ticks_a_step;
}

// The first multiple after `now`; both in ticks of the step that begins at `origin`, ticks since the run began.
constexpr Tick next_multiple(Tick period, Tick now, Tick origin) {
  return ((origin + now) / period + 1) * period - origin;
}

}  // namespace sim
