#include "mesh/mesh.hpp"

#include <Eigen/Geometry>

namespace sim {

double six_volume(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  return (b - a).cross(c - a).dot(d - a);
}

double volume(const Mesh& mesh) {
  const auto vertex = [&](Index i) -> const Vec3& { return mesh.vertices[static_cast<std::size_t>(i)]; };
  double sum = 0;
  for (const Tet& t : mesh.tets) sum += six_volume(vertex(t[0]), vertex(t[1]), vertex(t[2]), vertex(t[3]));
  if (mesh.tets.empty()) {
    for (const Triangle& t : mesh.triangles) sum += vertex(t[0]).cross(vertex(t[1])).dot(vertex(t[2]));
  }
  return sum / 6;
}

}  // namespace sim
