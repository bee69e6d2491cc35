#include "math/random.hpp"

#include <cmath>

namespace sim {

namespace {
constexpr std::uint64_t multiplier = 6364136223846793005ULL;
constexpr std::uint64_t increment = 1442695040888963407ULL;
}  // namespace

Random::Random(std::uint64_t seed) : state_(seed + increment) {
  next();
}

std::uint32_t Random::next() {
  const std::uint64_t old = state_;
  state_ = old * multiplier + increment;
  const auto shifted = static_cast<std::uint32_t>(((old >> 18U) ^ old) >> 27U);
  const auto turn = static_cast<std::uint32_t>(old >> 59U);
  return (shifted >> turn) | (shifted << ((32U - turn) & 31U));
}

double Random::uniform() {
  const std::uint64_t high = next();
  const std::uint64_t low = next();
  return static_cast<double>(((high << 32U) | low) >> 11U) * 0x1.0p-53;
}

double Random::uniform(double low, double high) {
  return low + (high - low) * uniform();
}

std::array<double, 4> random_quaternion(Random& random) {
  const auto point_in_disc = [&random](double& x, double& y) {
    double square = 0;
    do {
      x = random.uniform(-1, 1);
      y = random.uniform(-1, 1);
      square = x * x + y * y;
    } while (square >= 1 || square == 0);
    return square;
  };
  double a = 0, b = 0, c = 0, d = 0;
  const double s1 = point_in_disc(a, b);
  const double s2 = point_in_disc(c, d);
  const double scale = std::sqrt((1 - s1) / s2);
  return {a, b, c * scale, d * scale};
}

}  // namespace sim
