#include "scene/select.hpp"

#include <cmath>
#include <numbers>

#include "math/number_text.hpp"

namespace sim {
namespace {

constexpr double rounding = 1e-9;

bool is_chosen(const BoxSelection& box, const Vec3& x, double border) {
  return (x.array() >= box.corners[0].array() - border).all() && (x.array() <= box.corners[1].array() + border).all();
}

bool is_chosen(const SphereSelection& sphere, const Vec3& x, double border) {
  return (x - sphere.center).norm() <= sphere.radius + border;
}

bool is_chosen(const PlaneSelection& plane, const Vec3& x, double border) {
  return (x - plane.point).dot(plane.normal.normalized()) >= -border;
}

bool is_chosen(const CylinderSelection& cylinder, const Vec3& x, double border) {
  const Vec3 arm = x - cylinder.point, axis = cylinder.axis.normalized();
  return (arm - axis * axis.dot(arm)).norm() <= cylinder.radius + border;
}

}  // namespace

Extent extent(std::span<const Vec3> vertices) {
  Extent reach{vertices.front(), vertices.front()};
  for (const Vec3& x : vertices) {
    reach.low = reach.low.cwiseMin(x);
    reach.high = reach.high.cwiseMax(x);
  }
  return reach;
}

std::string nothing_chosen(std::span<const Vec3> vertices) {
  const auto text = [](const Vec3& x) {
    return "(" + number_text(x[0], 6) + ", " + number_text(x[1], 6) + ", " + number_text(x[2], 6) + ")";
  };
  const Extent reach = extent(vertices);
  return "expected to choose at least one vertex, but none lies there; the object reaches from " + text(reach.low) +
         " to " + text(reach.high);
}

std::vector<Index> select_vertices(const Selection& selection, std::span<const Vec3> vertices) {
  if (const auto* list = std::get_if<ListSelection>(&selection)) return list->vertices;
  const Extent reach = extent(vertices);
  const double border = rounding * (reach.high - reach.low).norm();
  std::vector<Index> found;
  const auto collect = [&](const auto& region) {
    for (std::size_t i = 0; i < vertices.size(); ++i) {
      if (is_chosen(region, vertices[i], border)) found.push_back(static_cast<Index>(i));
    }
  };
  if (const auto* box = std::get_if<BoxSelection>(&selection)) collect(*box);
  if (const auto* sphere = std::get_if<SphereSelection>(&selection)) collect(*sphere);
  if (const auto* plane = std::get_if<PlaneSelection>(&selection)) collect(*plane);
  if (const auto* cylinder = std::get_if<CylinderSelection>(&selection)) collect(*cylinder);
  return found;
}

Mat3 rotation_matrix(const RotationSpec& rotation) {
  static constexpr double sines[] = {0, 1, 0, -1};
  const double turn = std::fmod(rotation.degrees, 360);
  const double quarters = std::fmod(turn / 90 + 4, 4);
  const double radians = turn * std::numbers::pi / 180;
  const bool exact = quarters == std::floor(quarters);
  const double s = exact ? sines[static_cast<int>(quarters)] : std::sin(radians);
  const double c = exact ? sines[(static_cast<int>(quarters) + 1) % 4] : std::cos(radians);
  const Vec3 a = rotation.axis.normalized();
  Mat3 cross;
  cross << 0, -a[2], a[1], a[2], 0, -a[0], -a[1], a[0], 0;
  return c * Mat3::Identity() + s * cross + (1 - c) * a * a.transpose();
}

}  // namespace sim
