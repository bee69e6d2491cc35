#include "step/surface.hpp"

#include <algorithm>

namespace sim {

CollisionSurface make_surface(const Model& model) {
  const std::size_t count = model.mesh.vertices.size();
  std::vector<Index> object_of_vertex(count, -1);
  for (std::size_t k = 0; k < model.objects.size(); ++k) {
    const Range vertices = model.objects[k].vertices;
    std::fill(object_of_vertex.begin() + vertices.begin, object_of_vertex.begin() + vertices.end,
              static_cast<Index>(k));
  }
  std::vector<std::uint8_t> moves(count, 0);
  for (std::size_t i = 0; i < count; ++i) moves[i] = model.plan.block_of_vertex[i] >= 0 ? 1 : 0;
  return make_surface(model.mesh.triangles, object_of_vertex, moves);
}

}  // namespace sim
