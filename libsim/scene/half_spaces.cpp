#include "scene/half_spaces.hpp"

#include <algorithm>

#include "scene/select.hpp"

namespace sim {
namespace {

std::span<const Vec3> vertices_of(const Model& model, const Object& object) {
  return std::span(model.mesh.vertices)
      .subspan(static_cast<std::size_t>(object.vertices.begin), static_cast<std::size_t>(object.vertices.size()));
}

}  // namespace

void enlarge_half_spaces(Model& model) {
  constexpr double times = 1e4;
  std::vector<Vec3> others;
  for (const Object& object : model.objects) {
    if (object.half_space) continue;
    const Extent reach = extent(vertices_of(model, object));
    others.push_back(reach.low);
    others.push_back(reach.high);
  }
  const Extent all = others.empty() ? Extent{Vec3::Zero(), Vec3::Zero()} : extent(others);
  const Vec3 middle = 0.5 * (all.low + all.high);
  for (const Object& object : model.objects) {
    if (!object.half_space) continue;
    Vec3* const x = &model.mesh.vertices[object.vertices.begin];
    const Vec3 center = (x[0] + x[1] + x[2]) / 3, normal = (x[1] - x[0]).cross(x[2] - x[0]).normalized();
    const Vec3 near = middle - normal * normal.dot(middle - center);
    const double size = std::max((all.high - all.low).norm() + (middle - near).norm(), 1e-6);
    const double inradius = (0.5 * (x[0] + x[1]) - center).norm();
    for (int k = 0; k < 3; ++k) x[k] = near + (x[k] - center) * (times * size / inradius);
  }
}

}  // namespace sim
