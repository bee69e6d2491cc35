#include "mesh/scatter.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <sstream>

#include "math/error.hpp"
#include "math/random.hpp"

namespace sim {

namespace {

constexpr int most_tries = 100000;          // for one copy
constexpr double densest_packing = 0.7405;  // of equal balls, rounded up (Hales 2005: pi / sqrt 18)
// Random sequential addition jams at 0.384, slowly, and leaves room at walls. This share of the box made narrower by
// a radius along each axis was reached with every seed tried, in boxes of 3 to 50 radii.
constexpr double easy_packing = 0.33;

using Point = std::array<double, 3>;

double ball_volume(double radius) {
  return 4.0 / 3.0 * std::numbers::pi * radius * radius * radius;
}

double box_volume(const ScatterOptions& options) {
  const auto& [low, high] = options.box;
  return (high[0] - low[0]) * (high[1] - low[1]) * (high[2] - low[2]);
}

// The part of the box that the bounding balls of all copies would fill.
double filled_share(double radius, const ScatterOptions& options) {
  return options.count * ball_volume(radius) / box_volume(options);
}

// How many copies are surely placed at random in the box made longer by `factor` along each axis.
double easy_count(double radius, const ScatterOptions& options, double factor) {
  double room = easy_packing / ball_volume(radius);
  for (int axis = 0; axis < 3; ++axis) room *= factor * (options.box[1][axis] - options.box[0][axis]) - radius;
  return std::max(std::floor(room), 1.0);
}

std::string remedy(double radius, const ScatterOptions& options, double most) {
  double factor = 1.1;
  while (easy_count(radius, options, factor) < options.count) factor *= 1.01;
  std::ostringstream text;
  text << "Use a box " << std::ceil(100 * factor) / 100 << " times as long along each axis, or at most "
       << std::min(easy_count(radius, options, 1), most) << " copies";
  return text.str();
}

void check(double radius, const ScatterOptions& options) {
  const auto& [low, high] = options.box;
  std::ostringstream message;
  if (!(radius > 0) || !std::isfinite(radius)) {
    message << "the bounding radius of the copies is " << radius << " m; expected a positive length";
    throw InputError(message.str());
  }
  if (options.count < 1) {
    message << "count is " << options.count << "; expected at least 1";
    throw InputError(message.str());
  }
  for (int axis = 0; axis < 3; ++axis) {
    const double width = high[axis] - low[axis];
    if (!(width > 0) || !std::isfinite(width)) {
      message << "box reaches from " << low[axis] << " to " << high[axis] << " along "
              << "xyz"[axis] << "; expected the lowest corner first, then the highest";
      throw InputError(message.str());
    }
    if (width < 2 * radius) {
      message << "box is " << width << " m wide along "
              << "xyz"[axis] << ", but a copy in any position needs " << 2 * radius
              << " m (the diameter of its bounding ball): 0 of " << options.count << " copies fit; use a bigger box";
      throw InputError(message.str());
    }
  }
  const double share = filled_share(radius, options);
  if (!can_fit(radius, options)) {
    const double most = std::floor(densest_packing / share * options.count);
    message << options.count << " copies cannot fit in the box: their bounding balls (radius " << radius
            << " m) would fill " << 100 * share << " % of its volume, and no packing fills more than "
            << 100 * densest_packing << " %, or " << most << " copies. " << remedy(radius, options, most);
    throw InputError(message.str());
  }
}

[[noreturn]] void give_up(std::size_t placed, double radius, const ScatterOptions& options) {
  const double share = filled_share(radius, options);
  std::ostringstream message;
  message << "only " << placed << " of " << options.count << " copies fitted in the box: no free place was found for "
          << "the next one in " << most_tries << " random tries. All bounding balls (radius " << radius
          << " m) would fill " << 100 * share << " % of the box, which is too much for a random placement. "
          << remedy(radius, options, static_cast<double>(placed));
  throw InputError(message.str());
}

// Finds whether a centre is nearer than `distance` to one of those before. The grid only saves time: it has no
// influence on the answer.
class Crowd {
 public:
  Crowd(const Point& low, const Point& high, double distance) : low_(low), square_distance_(distance * distance) {
    constexpr double most_cells = 128;
    for (unsigned axis = 0; axis < 3; ++axis) {
      const double extent = high[axis] - low[axis];
      const double cells = std::clamp(std::floor(extent / distance * 0.999), 1.0, most_cells);
      cells_[axis] = static_cast<Index>(cells);
      per_metre_[axis] = extent > 0 ? cells / extent : 0;
    }
    first_.assign(static_cast<std::size_t>(cells_[0]) * static_cast<std::size_t>(cells_[1] * cells_[2]), -1);
  }

  bool is_free(const Point& p) const {
    const std::array<Index, 3> c = cell(p);
    for (Index z = std::max(c[2] - 1, 0); z <= std::min(c[2] + 1, cells_[2] - 1); ++z) {
      for (Index y = std::max(c[1] - 1, 0); y <= std::min(c[1] + 1, cells_[1] - 1); ++y) {
        for (Index x = std::max(c[0] - 1, 0); x <= std::min(c[0] + 1, cells_[0] - 1); ++x) {
          for (Index i = first_[slot({x, y, z})]; i >= 0; i = next_[i]) {
            if (is_near(p, centres_[i])) return false;
          }
        }
      }
    }
    return true;
  }

  void add(const Point& p) {
    Index& first = first_[slot(cell(p))];
    next_.push_back(first);
    first = static_cast<Index>(centres_.size());
    centres_.push_back(p);
  }

 private:
  bool is_near(const Point& a, const Point& b) const {
    const double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return x * x + y * y + z * z < square_distance_;
  }
  std::array<Index, 3> cell(const Point& p) const {
    std::array<Index, 3> c;
    for (unsigned axis = 0; axis < 3; ++axis) {
      c[axis] = std::min(static_cast<Index>((p[axis] - low_[axis]) * per_metre_[axis]), cells_[axis] - 1);
    }
    return c;
  }
  std::size_t slot(const std::array<Index, 3>& c) const {
    return static_cast<std::size_t>(c[0] + cells_[0] * (c[1] + cells_[1] * c[2]));
  }

  Point low_, per_metre_;
  double square_distance_;
  std::array<Index, 3> cells_;
  std::vector<Index> first_, next_;  // linked lists of the centres in a cell
  std::vector<Point> centres_;
};

}  // namespace

double bounding_radius(std::span<const Vec3> vertices) {
  double square = 0;
  for (const Vec3& x : vertices) square = std::max(square, x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
  return std::sqrt(square);
}

bool can_fit(double radius, const ScatterOptions& options) {
  return filled_share(radius, options) <= densest_packing;
}

std::vector<Placement> scatter(double radius, const ScatterOptions& options) {
  check(radius, options);
  Point low, high;  // of the centres
  for (int axis = 0; axis < 3; ++axis) {
    low[axis] = options.box[0][axis] + radius;
    high[axis] = std::max(low[axis], options.box[1][axis] - radius);
  }
  Crowd crowd(low, high, 2 * radius);
  Random random(options.seed);
  std::vector<Placement> placements;
  placements.reserve(static_cast<std::size_t>(options.count));
  while (static_cast<Index>(placements.size()) < options.count) {
    Point p{};
    bool found = false;
    for (int tries = 0; tries < most_tries && !found; ++tries) {
      for (int axis = 0; axis < 3; ++axis) p[axis] = std::min(random.uniform(low[axis], high[axis]), high[axis]);
      found = crowd.is_free(p);
    }
    if (!found) give_up(placements.size(), radius, options);
    crowd.add(p);
    placements.push_back({random_quaternion(random), Vec3(p[0], p[1], p[2])});
  }
  return placements;
}

// x + 2 w (q cross x) + 2 q cross (q cross x), written out: vectorised products may fuse.
Vec3 apply(const Placement& placement, const Vec3& x) {
  const auto& [w, a, b, c] = placement.rotation;
  const double u = 2 * (b * x[2] - c * x[1]);
  const double v = 2 * (c * x[0] - a * x[2]);
  const double t = 2 * (a * x[1] - b * x[0]);
  return {x[0] + w * u + (b * t - c * v) + placement.position[0],
          x[1] + w * v + (c * u - a * t) + placement.position[1],
          x[2] + w * t + (a * v - b * u) + placement.position[2]};
}

}  // namespace sim
