// A token that counts how often it is looked at and asks at a look of the test's choice: early ends, without time.
#pragma once

#include <atomic>
#include <limits>

#include "math/stop.hpp"

namespace sim::test {

struct CountedStop {
  long asks_at = std::numeric_limits<long>::max();  // this look, the first is 1, and all that follow
  mutable std::atomic<long> looks{0};

  Stop token() const {
    return {[](const void* by) {
              const auto* self = static_cast<const CountedStop*>(by);
              return ++self->looks >= self->asks_at;
            },
            this};
  }
};

}  // namespace sim::test
