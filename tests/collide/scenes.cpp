#include "collide/scenes.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "mesh/generate.hpp"

namespace sim::test {

Range CollideScene::add(const std::vector<Vec3>& vertices, const std::vector<Triangle>& faces, bool can_move) {
  const auto first = static_cast<Index>(x.size());
  for (const Vec3& p : vertices) {
    x.push_back(p);
    v.emplace_back(0, 0, 0);
    object.push_back(objects);
    moves.push_back(can_move ? 1 : 0);
  }
  for (const Triangle& t : faces) triangles.push_back({first + t[0], first + t[1], first + t[2]});
  ++objects;
  return {first, static_cast<Index>(x.size())};
}

Index edge_between(const CollisionSurface& surface, Index a, Index b) {
  for (Index e = 0; e < static_cast<Index>(surface.edges.size()); ++e) {
    if (surface.edges[e] == Edge{std::min(a, b), std::max(a, b)}) return e;
  }
  ADD_FAILURE() << "there is no edge between " << a << " and " << b;
  return 0;
}

VecX stacked(const std::vector<Vec3>& points) {
  VecX all(3 * static_cast<Eigen::Index>(points.size()));
  for (Index i = 0; i < static_cast<Index>(points.size()); ++i) block(all, i) = points[i];
  return all;
}

void add_sheet(CollideScene& scene, Random& random, int n, double size, double z, double noise, bool can_move) {
  std::vector<Vec3> vertices;
  std::vector<Triangle> faces;
  for (int j = 0; j <= n; ++j) {
    for (int i = 0; i <= n; ++i)
      vertices.push_back(Vec3(size * i / n, size * j / n, z) + random_vector(random, noise));
  }
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      const int a = j * (n + 1) + i, b = a + 1, c = a + n + 1, d = c + 1;
      faces.push_back({a, b, d});
      faces.push_back({a, d, c});
    }
  }
  scene.add(vertices, faces, can_move);
}

CollideScene random_soup(Random& random) {
  CollideScene scene;
  for (int i = 0; i < 150; ++i) {
    const Vec3 middle = random_vector(random, 0.4);
    const double size = 0.02 * std::pow(20, random.uniform());
    scene.add({middle + random_vector(random, size), middle + random_vector(random, size),
               middle + random_vector(random, size)},
              {{0, 1, 2}}, i % 4 != 0);
  }
  return scene;
}

CollideScene layered_sheets(Random& random) {
  CollideScene scene;
  for (int layer = 0; layer < 10; ++layer) add_sheet(scene, random, 4, 0.1, 0.001 * layer, 0.0004);
  return scene;
}

CollideScene tangled_rings(Random& random) {
  CollideScene scene;
  const Mesh ring = generate(TorusShape{.segments = 8, .side = 0.03});
  for (int i = 0; i < 6; ++i) {
    const Eigen::AngleAxisd turn(i * 1.5707 + random.uniform(-0.2, 0.2), Vec3::UnitX());
    std::vector<Vec3> vertices;
    for (const Vec3& p : ring.vertices) vertices.push_back(turn * p + Vec3(0.105 * i, 0, 0));
    scene.add(vertices, ring.triangles);
  }
  return scene;
}

CollideScene thin_needles(Random& random) {
  CollideScene scene;
  for (int i = 0; i < 120; ++i) {
    const Vec3 tip = random_vector(random, 1), axis = random_vector(random, 1), side = random_vector(random, 1e-3);
    scene.add({tip, tip + axis, tip + axis + side}, {{0, 1, 2}});
  }
  return scene;
}

CollideScene folding_sheet(Random& random) {
  CollideScene scene;
  add_sheet(scene, random, 10, 1, 0, 0.001);
  // Bent round an axis by most of a turn and pressed flat: its two halves lie over each other.
  for (Vec3& p : scene.x) {
    const double angle = 5.5 * (p[0] - 0.5), radius = p[2] + 1 / 5.5;
    p = Vec3(radius * std::sin(angle), p[1], 0.05 * radius * std::cos(angle));
  }
  return scene;
}

CollideScene over_obstacles(Random& random) {
  CollideScene scene = tangled_rings(random);
  for (std::size_t i = 0; i < scene.moves.size(); i += 3) scene.moves[i] = 0;
  add_sheet(scene, random, 5, 0.7, -0.02, 0.004, false);
  add_sheet(scene, random, 5, 0.7, -0.019, 0.004, false);
  return scene;
}

const std::vector<std::pair<const char*, CollideScene (*)(Random&)>> all_scenes{
    {"random soup", random_soup},   {"layered sheets", layered_sheets}, {"tangled rings", tangled_rings},
    {"thin needles", thin_needles}, {"folding sheet", folding_sheet},   {"over obstacles", over_obstacles}};

void set_velocities(CollideScene& scene, Random& random, double speed) {
  const Vec3 phase = random_vector(random, 3);
  for (std::size_t i = 0; i < scene.v.size(); ++i) {
    const Vec3& p = scene.x[i];
    scene.v[i] = speed * Vec3(std::sin(3 * p[1] + phase[0]), std::sin(4 * p[2] + phase[1]),
                              std::sin(5 * p[0] + phase[2] + scene.object[i])) +
                 random_vector(random, 0.2 * speed);
  }
}

}  // namespace sim::test
