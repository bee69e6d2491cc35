// Small surfaces in motion for the tests of collide/.
#pragma once

#include "collide/candidates.hpp"
#include "math/random.hpp"
#include "mesh/mesh.hpp"

namespace sim::test {

struct CollideScene {
  std::vector<Vec3> x, v;  // m, m/s
  std::vector<Triangle> triangles;
  std::vector<Index> object;
  std::vector<std::uint8_t> moves;
  Index objects = 0;

  Range add(const std::vector<Vec3>& vertices, const std::vector<Triangle>& faces, bool can_move = true);
  CollisionSurface surface() const { return make_surface(triangles, object, moves); }
};

VecX stacked(const std::vector<Vec3>& points);
Index edge_between(const CollisionSurface& surface, Index a, Index b);  // a test that has none there fails
inline Vec3 random_vector(Random& random, double size) {
  return size * Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
}

// A sheet of n x n squares of two triangles over [0, size]^2, at height z, every vertex displaced by up to `noise`.
void add_sheet(CollideScene& scene, Random& random, int n, double size, double z, double noise, bool can_move = true);

CollideScene random_soup(Random& random);     // triangles of all sizes through each other
CollideScene layered_sheets(Random& random);  // ten sheets a millimetre apart
CollideScene tangled_rings(Random& random);   // a chain of rings that grip each other
CollideScene thin_needles(Random& random);    // triangles a thousand times as long as wide
CollideScene folding_sheet(Random& random);   // one object, folded onto itself
CollideScene over_obstacles(Random& random);  // rings over fixed sheets, some of their vertices pinned
extern const std::vector<std::pair<const char*, CollideScene (*)(Random&)>> all_scenes;

// Smooth random motion: every vertex moves by about `speed`, neighbours alike.
void set_velocities(CollideScene& scene, Random& random, double speed);

}  // namespace sim::test
