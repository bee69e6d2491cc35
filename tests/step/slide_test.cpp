// What slides over meshed surfaces, by more than a cell in a step, is braked by friction only.
#include <cmath>

#include "math/number_text.hpp"
#include "support/played.hpp"

namespace sim {
namespace slide_test {

using test::Played;
using test::with;

Vec3 mean_velocity(const Played& run, const Object& object) {
  Vec3 sum = Vec3::Zero();
  for (Index i = object.vertices.begin; i < object.vertices.end; ++i) sum += block(run.state.v, i);
  return sum / static_cast<double>(object.vertices.size());
}

// N, of one side on the other: along the normal z and across.
struct Forces {
  double normal = 0;
  Vec3 across = Vec3::Zero();
};
Forces forces_between(const Played& run, Index object) {
  Forces sum;
  for (const Contact& contact : run.state.contacts.contacts) {
    const double side = run.model.surface.vertex_object[contact.vertices[0]] == object ? 1 : -1;
    Vec3 force = contact.lambda * contact.n;
    force -= contact.friction[0] * contact.t1 + contact.friction[1] * contact.t2;
    sum.normal += side * force.z();
    sum.across += side * Vec3(force.x(), force.y(), 0);
  }
  return sum;
}

// Elastic, on an elastic slab: the diagonals of their cells pass each other. v0 - mu g t.
TEST(Slide, ABlockOnASlabOfCellsIsBrakedByFrictionOnly) {
  struct Case {
    const char *speed, *dt;
    int steps;
  };
  for (const Case& one : {Case{"1", "0.01", 10}, Case{"2", "0.005", 20}}) {
    Played run(with(R"({"time": {"step": DT, "duration": 0.1},
      "materials": {"m": {"young": 3e6, "poisson": 0.3, "density": 1000, "damping": {"stiffness": 0.002}}},
      "meshes": {"slab": {"generate": "box", "size": [0.8, 0.14, 0.05], "cells": [48, 8, 3]},
                 "block": {"generate": "box", "size": [0.1, 0.1, 0.05], "cells": [6, 6, 3]}},
      "objects": [{"name": "block", "mesh": "block", "material": "m", "position": [0, 0, 0.02501], "velocity": [SPEED, 0, 0]},
                  {"name": "slab", "mesh": "slab", "material": "m", "position": [0.3, 0, -0.025],
                   "boundary": [{"plane": {"point": [0, 0, -0.05], "normal": [0, 0, -1]}}]}], "contact": {"friction": 0.3}})",
                    {{"DT", one.dt}, {"SPEED", one.speed}}));
    run.advance(one.steps);
    const Vec3 v = mean_velocity(run, run.model.objects[0]);
    EXPECT_NEAR(v.x(), std::stod(one.speed) - 0.3 * 9.81 * 0.1, 0.002) << one.speed << " m/s";
    EXPECT_LT(std::abs(v.y()), 0.002) << one.speed << " m/s";
  }
}

// Quasi-static, 20 mm an increment over cells of 17 mm.
TEST(Slide, ABlockThatIsDraggedFarInAnIncrementIsHeldByFrictionOnly) {
  Played run(R"({"time": {"step": 0.1, "duration": 1.4, "scheme": "quasi-static"},
    "materials": {"m": {"young": 3e6, "poisson": 0.3, "density": 1000}},
    "meshes": {"slab": {"generate": "box", "size": [0.8, 0.14, 0.05], "cells": [48, 8, 3]},
               "block": {"generate": "box", "size": [0.1, 0.1, 0.05], "cells": [6, 6, 3]}},
    "objects": [{"name": "block", "mesh": "block", "material": "m", "position": [0, 0, 0.02501],
                 "boundary": [{"plane": {"point": [0, 0, 0.05], "normal": [0, 0, 1]},
                               "motion": {"translation": ["max(0, t - 0.1) * 0.2", 0, "min(1, t / 0.1) * -0.001"]}}]},
                {"name": "slab", "type": "fixed", "mesh": "slab", "position": [0.3, 0, -0.025]}],
    "contact": {"friction": 0.3}})");
  run.advance(1);
  for (int increment = 2; increment <= 5; ++increment) {
    run.advance(1);
    const Forces on_slab = forces_between(run, 1);
    const double friction = 0.3 * std::abs(on_slab.normal);
    EXPECT_GT(friction, 10);
    EXPECT_NEAR(on_slab.across.norm(), friction, 0.02 * friction) << "increment " << increment;
  }
}

// Beyond what friction bears: pushed to its rim it would hang on the side of its table from inside.
TEST(Slide, NothingHoldsARigidBoxThatIsPushedBeyondFriction) {
  Played run(R"({"time": {"step": 0.25, "duration": 1, "scheme": "quasi-static"},
    "materials": {"m": {"density": 1000}},
    "meshes": {"plate": {"generate": "box", "size": [0.5, 0.5, 0.1], "cells": [1, 1, 1]},
               "b": {"generate": "box", "size": [0.1, 0.1, 0.1], "cells": [3, 3, 3]}},
    "objects": [{"name": "box", "type": "rigid", "mesh": "b", "material": "m", "position": [0, 0, 0.05001],
                 "loads": [{"force": ["3.09015 * t", 0, 0]}]},
                {"name": "plate", "type": "fixed", "mesh": "plate", "position": [0, 0, -0.05]}], "contact": {"friction": 0.3}})");
  run.advance(3);
  EXPECT_LT(std::abs(run.state.rigid[0].center.x()), 1e-5);
  const StepReport report = step(run.model, run.options, run.state, run.scratch);
  EXPECT_NE(report.status, StepStatus::converged);
  EXPECT_FALSE(report.accepted);
}

// Out of a grip: by the third increment its end is 10 mm beyond the plates.
TEST(Slide, ABlockThatIsDrawnOutOfAGripIsNotHeldByWhatItHasLeft) {
  Played run(R"({"time": {"step": 1, "duration": 11, "scheme": "quasi-static"}, "gravity": [0, 0, 0],
    "materials": {"m": {"young": 1e6, "poisson": 0.3, "density": 1000}},
    "meshes": {"plate": {"generate": "box", "size": [0.02, 0.2, 0.2], "cells": [1, 1, 1]},
               "b": {"generate": "box", "size": [0.1, 0.1, 0.1], "cells": [4, 4, 4]}},
    "objects": [{"name": "block", "mesh": "b", "material": "m",
                 "boundary": [{"plane": {"point": [0, 0, 0.05], "normal": [0, 0, 1]}, "axes": "yz",
                               "motion": {"translation": [0, 0, "max(0, t - 1) * 0.04"]
}
}]
},
                {"name": "left", "type": "scripted", "mesh": "plate", "position": [-0.06001, 0, 0],
                 "motion": {"translation": ["min(t, 1) * 0.002", 0, 0]}},
                {"name": "right", "type": "scripted", "mesh": "plate", "position": [0.06001, 0, 0],
                 "motion": {"translation": ["min(t, 1) * -0.002", 0, 0]}}], "contact": {
  "friction" : 0.4
}
})");
  double pushed = 0;
  const auto push = [&] {
    double sum = 0;
    for (const Contact& contact : run.state.contacts.contacts) sum += contact.lambda;
    return sum;
  };
  for (int step = 1; step <= 6; ++step) {
    run.advance(1);
    const double low = -0.05 + 0.04 * (step - 1);  // of the block; the plates end at 0.1 m
    if (low < 0.09) pushed = push();
    if (low > 0.1) {
      EXPECT_LT(push(), 1e-3 * pushed) << "increment " << step;
    }
  }
  EXPECT_GT(pushed, 10);
}

}  // namespace slide_test
}  // namespace sim
