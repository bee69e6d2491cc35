// A random generator whose numbers are the same on every machine and compiler (std::uniform_* are not): PCG32,
// O'Neill 2014, seeded with one integer. Only integer arithmetic, divisions by powers of two and sqrt are used.
#pragma once

#include <cstdint>

#include "math/types.hpp"

namespace sim {

class Random {
 public:
  explicit Random(std::uint64_t seed);
  std::uint32_t next();
  double uniform();  // in [0, 1), 53 random bits
  double uniform(double low, double high);

 private:
  std::uint64_t state_;
};

// A rotation drawn evenly from all rotations (Marsaglia 1972), as the quaternion (w, x, y, z).
std::array<double, 4> random_quaternion(Random& random);

}  // namespace sim
