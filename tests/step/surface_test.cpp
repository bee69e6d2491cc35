#include "model/model.hpp"

#include <gtest/gtest.h>

#include "mesh/generate.hpp"
#include "support/models.hpp"

namespace sim {
namespace surface_test {

TEST(ModelSurface, VerticesOfDeformableObjectsMoveUnlessTheyAreTold) {
  const Mesh box = generate(BoxShape{.cells = {2, 2, 2}});
  Model model = test::one_body(box, {.young = 1e5});
  model.objects.push_back({.name = "floor", .type = ObjectType::fixed});
  Object& floor = model.objects.back();
  floor.vertices = {27, 27 + 3};
  floor.tets = {48, 48};
  floor.triangles = {48, 49};
  for (const Vec3& x : {Vec3(0, 0, -1), Vec3(1, 0, -1), Vec3(0, 1, -1)}) model.mesh.vertices.push_back(x);
  model.mesh.triangles.push_back({27, 28, 29});
  model.initial_velocity.setZero(90);
  test::pin(model, [](const Vec3& x) { return x[0] < -0.4; });  // with three vertices of the floor: none lies there
  finish_model(model);

  const CollisionSurface& surface = model.surface;
  EXPECT_EQ(surface.triangles, model.mesh.triangles);
  EXPECT_EQ(surface.vertices.size(), 26U + 3U);  // all but the box's middle
  for (Index v = 0; v < 30; ++v) {
    EXPECT_EQ(surface.vertex_object[v], v < 27 ? 0 : 1);
    EXPECT_EQ(surface.vertex_moves[v] != 0, v < 27 && model.mesh.vertices[v][0] > -0.4) << v;
  }
  EXPECT_EQ(surface.object_of_triangle(48), 1);
  EXPECT_EQ(surface.triangle_moves[48], 0);
}

}  // namespace surface_test
}  // namespace sim
