#include "collide/pour.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <sstream>

#include "math/error.hpp"
#include "math/random.hpp"
#include "mesh/mesh.hpp"

namespace sim {

namespace {

constexpr int most_tries = 20000;  // for one copy

using Corners = std::array<Vec3, 2>;

Corners bounds(const BoxRegion& box) {
  return box;
}

Corners bounds(const CylinderRegion& cylinder) {
  const Vec3 axis = cylinder.axis.normalized(), top = cylinder.base + cylinder.height * axis;
  const Vec3 across = cylinder.radius * (1 - axis.array().square()).max(0.0).sqrt().matrix();
  return {cylinder.base.cwiseMin(top) - across, cylinder.base.cwiseMax(top) + across};
}

Corners bounds(const SurfaceRegion& region) {
  Corners box{region.surface.vertices.front(), region.surface.vertices.front()};
  for (const Vec3& x : region.surface.vertices) {
    box[0] = box[0].cwiseMin(x);
    box[1] = box[1].cwiseMax(x);
  }
  return box;
}

bool holds(const BoxRegion& box, const Vec3& x) {
  return (x.array() >= box[0].array()).all() && (x.array() <= box[1].array()).all();
}

bool holds(const CylinderRegion& cylinder, const Vec3& x) {
  const Vec3 axis = cylinder.axis.normalized(), from = x - cylinder.base;
  const double along = from.dot(axis);
  return along >= 0 && along <= cylinder.height && (from - along * axis).norm() <= cylinder.radius;
}

// Boxes and cylinders are convex: what holds the corners holds the whole.
template <class Convex>
bool holds_whole(const Convex& region, const PlacedTree& copy, double) {
  return std::all_of(copy.shape->vertices.begin(), copy.shape->vertices.end(),
                     [&](const Vec3& x) { return holds(region, apply(copy.placement, x)); });
}

bool holds_whole(const SurfaceRegion& region, const PlacedTree& copy, double clearance) {
  const PlacedTree wall{&region.surface, {}};
  if (surfaces_meet(copy, wall, clearance) || holds_part_of(copy, wall)) return false;
  return std::all_of(copy.shape->samples.begin(), copy.shape->samples.end(), [&](Index sample) {
    return winding_number(region.surface, apply(copy.placement, copy.shape->vertices[sample])) > 0.5;
  });
}

class Pour {
 public:
  Pour(const TriangleTree& shape, const PourOptions& options, std::span<const Standing> others)
      : shape_(shape),
        options_(options),
        others_(others),
        bounds_(std::visit([](const auto& region) { return bounds(region); }, options.region)),
        random_(options.seed) {}

  std::optional<Placement> next() {
    for (int tries = 0; tries < most_tries; ++tries) {
      Placement placement{random_quaternion(random_), {0, 0, 0}};
      if (!draw_position(placement)) continue;
      if (is_free(placement)) return placement;
    }
    return {};
  }

  void add(const Placement& placement) {
    copies_.push_back(placement);
    middles_.push_back(apply(placement, shape_.tree.front().center));
  }

  // What stands there already, other copies aside.
  bool leaves_others_free(const Placement& placement) const {
    const PlacedTree copy{&shape_, placement};
    for (const PourPlane& plane : options_.half_spaces) {
      const auto behind = [&](const Vec3& x) {
        return plane.normal.dot(apply(placement, x) - plane.point) <= options_.clearance;
      };
      if (std::any_of(shape_.vertices.begin(), shape_.vertices.end(), behind)) return false;
    }
    return std::none_of(others_.begin(), others_.end(), [&](const Standing& other) {
      return surfaces_meet(copy, other.placed, options_.clearance) || holds_part_of(other.placed, copy) ||
             holds_part_of(copy, other.placed) || (other.may_move && is_caught(copy, other.placed));
    });
  }

 private:
  // Anywhere in the box around the region that leaves the turned copy inside that box.
  bool draw_position(Placement& placement) {
    Corners reach{Vec3::Constant(1e300), Vec3::Constant(-1e300)};
    for (const Vec3& vertex : shape_.vertices) {
      const Vec3 x = apply(placement, vertex);
      reach = {reach[0].cwiseMin(x), reach[1].cwiseMax(x)};
    }
    const Vec3 low = bounds_[0] - reach[0], high = bounds_[1] - reach[1];
    if (!(low.array() <= high.array()).all()) return false;
    for (int axis = 0; axis < 3; ++axis) placement.position[axis] = random_.uniform(low[axis], high[axis]);
    return true;
  }

  bool near(const PlacedTree& a, const PlacedTree& b) const {
    const BallNode &p = a.shape->tree.front(), &q = b.shape->tree.front();
    const double reach = p.radius + q.radius + options_.clearance;
    return (apply(a.placement, p.center) - apply(b.placement, q.center)).squaredNorm() <= reach * reach;
  }

  bool is_caught(const PlacedTree& a, const PlacedTree& b) const { return near(a, b) && !can_be_taken_apart(a, b); }

  // The copies whose bounding balls meet that of a new one, the nearest first.
  std::vector<PlacedTree> neighbours_of(const Placement& placement) const {
    const Vec3 middle = apply(placement, shape_.tree.front().center);
    const double reach = 2 * shape_.tree.front().radius + options_.clearance;
    std::vector<std::pair<double, std::size_t>> found;
    for (std::size_t i = 0; i < copies_.size(); ++i) {
      const double square = (middles_[i] - middle).squaredNorm();
      if (square <= reach * reach) found.emplace_back(square, i);
    }
    std::sort(found.begin(), found.end());
    std::vector<PlacedTree> neighbours;
    for (const auto& [square, i] : found) neighbours.push_back({&shape_, copies_[i]});
    return neighbours;
  }

  // The cheap tests first: the order has no influence on the answer.
  bool is_free(const Placement& placement) const {
    const PlacedTree copy{&shape_, placement};
    if (!std::visit([&](const auto& region) { return holds_whole(region, copy, options_.clearance); },
                    options_.region))
      return false;
    const std::vector<PlacedTree> neighbours = neighbours_of(placement);
    const auto meets = [&](const PlacedTree& other) { return surfaces_meet(copy, other, options_.clearance); };
    if (std::any_of(neighbours.begin(), neighbours.end(), meets) || !leaves_others_free(placement)) return false;
    return std::all_of(neighbours.begin(), neighbours.end(), [&](const PlacedTree& other) {
      return !holds_part_of(copy, other) && !holds_part_of(other, copy) && can_be_taken_apart(copy, other);
    });
  }

  const TriangleTree& shape_;
  const PourOptions& options_;
  std::span<const Standing> others_;
  Corners bounds_;
  Random random_;
  std::vector<Placement> copies_;
  std::vector<Vec3> middles_;  // of their bounding balls
};

[[noreturn]] void give_up(std::size_t placed, const PourOptions& options) {
  std::ostringstream message;
  message << "only " << placed << " of " << options.count << " copies fitted in the region: no free place was found "
          << "for the next one in " << most_tries << " random tries. Use a larger region";
  if (placed > 0) {
    message << ", or at most " << placed << " copies";
  } else {
    message << ": a copy, however it is turned, must fit in beside what stands there";
  }
  throw InputError(message.str());
}

double volume_of(const TriangleTree& shape) {
  Mesh surface;
  surface.vertices = shape.vertices;
  surface.triangles = shape.triangles;
  return volume(surface);
}

double volume_of(const Region& region) {
  if (const auto* box = std::get_if<BoxRegion>(&region)) return ((*box)[1] - (*box)[0]).prod();
  if (const auto* cylinder = std::get_if<CylinderRegion>(&region))
    return std::numbers::pi * cylinder->radius * cylinder->radius * cylinder->height;
  return volume_of(std::get<SurfaceRegion>(region).surface);
}

void refuse_the_impossible(const TriangleTree& shape, const PourOptions& options) {
  const double all = options.count * volume_of(shape), room = volume_of(options.region);
  if (all <= room) return;
  std::ostringstream message;
  message << options.count << " copies cannot fit in the region: they have " << all << " m^3 in all, and the region "
          << room << " m^3. Use a larger region, or far fewer than " << std::floor(room / volume_of(shape)) + 1
          << " copies";
  throw InputError(message.str());
}

// As balls, where that is possible.
std::optional<std::vector<Placement>> scatter_balls(const TriangleTree& shape, const PourOptions& options,
                                                    const Pour& pour) {
  const auto* box = std::get_if<BoxRegion>(&options.region);
  const double radius = bounding_radius(shape.vertices);
  if (box == nullptr || !can_fit(radius, {options.count, options.seed, *box})) return {};
  std::vector<Placement> placements;
  try {
    placements = scatter(radius, {options.count, options.seed, *box});
  } catch (const InputError&) {
    return {};
  }
  const bool free = std::all_of(placements.begin(), placements.end(),
                                [&](const Placement& placement) { return pour.leaves_others_free(placement); });
  return free ? std::optional(placements) : std::nullopt;
}

}  // namespace

std::vector<Placement> pour(const TriangleTree& shape, const PourOptions& options, std::span<const Standing> others) {
  refuse_the_impossible(shape, options);
  Pour crowd(shape, options, others);
  if (auto balls = scatter_balls(shape, options, crowd)) return *balls;
  std::vector<Placement> placements;
  while (static_cast<Index>(placements.size()) < options.count) {
    const std::optional<Placement> placement = crowd.next();
    if (!placement) give_up(placements.size(), options);
    crowd.add(*placement);
    placements.push_back(*placement);
  }
  return placements;
}

}  // namespace sim
