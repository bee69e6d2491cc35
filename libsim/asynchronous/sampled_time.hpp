// Wall-clock time of work that is too short to be measured each time: one in 64 is, and counts for all of them.
#pragma once

#include "math/stopwatch.hpp"

namespace sim {

struct SampledTime {
  static constexpr unsigned one_in = 64;
  unsigned calls = 0;
  double seconds = 0;

  template <class Work>
  void add(Work&& work) {
    if (++calls % one_in != 0) return work();
    Stopwatch watch;
    work();
    seconds += one_in * watch.lap();
  }
};

}  // namespace sim
