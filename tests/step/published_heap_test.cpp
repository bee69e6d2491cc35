// Heaps by steps as published, whose contacts are one system.
#include "collide/intersections.hpp"
#include "support/played.hpp"

namespace sim {
namespace published_heap_test {

// Where all contacts are one system, what has settled is solved again with the rest, and inactive contacts of it are
// gone: a ring went through the floor on a way that nothing had looked at.
TEST(PublishedRounds, LookAtAllThatMovesAgain) {
  test::Played run(R"({"time": {"step": 0.001, "duration": 0.2},
    "materials": {"rubber": {"young": 5e6, "poisson": 0.2, "density": 1000}},
    "meshes": {"ring": {"generate": "torus", "segments": 18, "major_radius": 0.08, "side": 0.04},
               "floor": {"generate": "slab", "size": [6, 6]}},
    "objects": [{"name": "ring", "mesh": "ring", "material": "rubber",
                 "scatter": {"count": 6, "seed": 1, "box": [[-0.15, -0.15, 0.02], [0.15, 0.15, 0.5]]}},
                {"name": "floor", "type": "fixed", "mesh": "floor", "position": [0, 0, -0.05]}],
    "solver": {"method": "sp-active-set", "as_published": true},
    "contact": {"friction": 0.5, "tolerance": 5e-6}})");
  for (int n = 1; n <= 175; ++n) {
    run.advance(1);
    ASSERT_TRUE(initial_intersections(run.model.surface, run.state.x).empty()) << n;
  }
}

}  // namespace published_heap_test
}  // namespace sim
