#include "mesh/lattice.hpp"

#include <cmath>
#include <sstream>

#include "math/error.hpp"

namespace sim {

namespace {

// Power series on [0, pi/4], nested from the smallest term; the first term left out is below 2e-18.
double nested_series(double square, int last) {
  double sum = 1;
  for (int i = last; i >= 2; i -= 2) sum = 1 - square / (i * (i - 1)) * sum;
  return sum;
}

double small_cosine(double x) {
  return nested_series(x * x, 16);
}

double small_sine(double x) {
  return x * nested_series(x * x, 17);
}

}  // namespace

std::array<double, 2> circle_point(std::int64_t k, std::int64_t n) {
  constexpr double quarter_turn = 1.5707963267948966;
  k = (k % n + n) % n;
  const std::int64_t quarter = 4 * k / n;
  const std::int64_t rest = 4 * k - quarter * n;  // the angle beyond the quarter is quarter_turn * rest / n
  const bool upper_half = 2 * rest > n;
  const double angle = quarter_turn * (static_cast<double>(upper_half ? n - rest : rest) / static_cast<double>(n));
  double c = small_cosine(angle);
  double s = small_sine(angle);
  if (upper_half) std::swap(c, s);
  switch (quarter) {
    case 0:
      return {c, s};
    case 1:
      return {-s, c};
    case 2:
      return {-c, -s};
    default:
      return {s, -c};
  }
}

void add_kuhn_cell(const std::array<Index, 8>& corner, std::vector<Tet>& tets) {
  constexpr int paths[6][4] = {{0, 1, 3, 7}, {0, 2, 6, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}, {0, 3, 2, 7}, {0, 6, 4, 7}};
  for (const auto& p : paths) tets.push_back({corner[p[0]], corner[p[1]], corner[p[2]], corner[p[3]]});
}

void expect_positive(const char* what, double value) {
  if (value > 0 && std::isfinite(value)) return;
  std::ostringstream message;
  message << what << " is " << value << "; expected a positive length in metres";
  throw InputError(message.str());
}

void expect_at_least(const char* what, Index value, Index least) {
  if (value >= least) return;
  std::ostringstream message;
  message << what << " is " << value << "; expected at least " << least;
  throw InputError(message.str());
}

void expect_countable(const char* shape, double tets) {
  constexpr double most = 1e8;
  if (tets <= most) return;
  std::ostringstream message;
  message << shape << " would have " << tets << " tets; expected at most " << most << ": choose fewer cells";
  throw InputError(message.str());
}

}  // namespace sim
