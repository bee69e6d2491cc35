// Wall-clock time in laps.
#pragma once

#include <chrono>
#include <utility>

namespace sim {

class Stopwatch {
 public:
  double lap() {  // seconds since the last lap, or since the start
    const auto now = Clock::now();
    return std::chrono::duration<double>(now - std::exchange(last_, now)).count();
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point last_ = Clock::now();
};

}  // namespace sim
