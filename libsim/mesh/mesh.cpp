#include "mesh/mesh.hpp"

#include <Eigen/Geometry>

namespace sim {

double six_volume(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  return (b - a).cross(c - a).dot(d - a);
}

VecX positions(const Mesh& mesh) {
  const auto vertices = static_cast<Index>(mesh.vertices.size());
  VecX x(3 * Eigen::Index{vertices});
  for (Index i = 0; i < vertices; ++i) block(x, i) = mesh.vertices[i];
  return x;
}

double volume(const Mesh& mesh) {
  const auto vertex = [&](Index i) -> const Vec3& { return mesh.vertices[static_cast<std::size_t>(i)]; };
  // Cones from a vertex of the mesh: from the origin the volumes of a body far away would cancel to noise.
  const Vec3 apex = mesh.triangles.empty() ? Vec3(0, 0, 0) : vertex(mesh.triangles[0][0]);
  double sum = 0;
  for (const Tet& t : mesh.tets) sum += six_volume(vertex(t[0]), vertex(t[1]), vertex(t[2]), vertex(t[3]));
  if (mesh.tets.empty()) {
    for (const Triangle& t : mesh.triangles) sum += six_volume(apex, vertex(t[0]), vertex(t[1]), vertex(t[2]));
  }
  return sum / 6;
}

}  // namespace sim
