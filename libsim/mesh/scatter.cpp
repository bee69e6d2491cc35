#include "mesh/scatter.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "math/error.hpp"
#include "math/random.hpp"

namespace sim {

namespace {

constexpr int most_tries = 100000;            // for one copy
constexpr double densest_packing = 0.7405;    // of equal balls, rounded up (Hales 2005: pi / sqrt 18)
constexpr double usual_random_packing = 0.3;  // random sequential addition jams at 0.384, slowly

using Point = std::array<double, 3>;

double ball_volume(double radius) {
  return 4.0 / 3.0 * 3.141592653589793 * radius * radius * radius;
}

double box_volume(const ScatterOptions& options) {
  const auto& [low, high] = options.box;
  return (high[0] - low[0]) * (high[1] - low[1]) * (high[2] - low[2]);
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
  const double share = options.count * ball_volume(radius) / box_volume(options);
  if (share > densest_packing) {
    const double most = std::floor(densest_packing / share * options.count);
    message << options.count << " copies cannot fit in the box: their bounding balls (radius " << radius
            << " m) would fill " << 100 * share << " % of its volume, and no packing fills more than "
            << 100 * densest_packing << " %, or " << most << " copies; at random about "
            << std::floor(usual_random_packing / share * options.count)
            << " fit easily. Use a bigger box or fewer copies";
    throw InputError(message.str());
  }
}

[[noreturn]] void give_up(std::size_t placed, double radius, const ScatterOptions& options) {
  const double needed = options.count * ball_volume(radius);
  std::ostringstream message;
  message << "only " << placed << " of " << options.count << " copies fitted in the box: no free place was found for "
          << "the next one in " << most_tries << " random tries. All bounding balls (radius " << radius
          << " m) would "
          << "fill " << 100 * needed / box_volume(options) << " % of the box, and random placement fills about "
          << 100 * usual_random_packing << " % easily. Use a box of about " << needed / usual_random_packing
          << " m^3 (now " << box_volume(options) << "), or at most about "
          << std::min(static_cast<double>(placed),
                      std::floor(usual_random_packing * box_volume(options) / ball_volume(radius)))
          << " copies";
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
