// Loads made in code, for tests of the stepper.
#pragma once

#include <algorithm>
#include <functional>

#include "step/step.hpp"

namespace sim::test {

inline std::array<TimeValue, 3> constant(const Vec3& value) {
  return {TimeValue{value[0], {}}, TimeValue{value[1], {}}, TimeValue{value[2], {}}};
}

inline std::vector<Triangle> triangles_where(const Model& model, const std::function<bool(const Vec3&)>& chosen) {
  std::vector<Triangle> found;
  for (const Triangle& t : model.mesh.triangles) {
    if (std::all_of(t.begin(), t.end(), [&](Index v) { return chosen(model.mesh.vertices[v]); })) found.push_back(t);
  }
  return found;
}

inline Load traction(const Model& model, const Vec3& value, const std::function<bool(const Vec3&)>& chosen) {
  Load load;
  load.kind = LoadKind::traction;
  load.object = 0;
  load.value = constant(value);
  share_of_triangles(model.mesh.vertices, triangles_where(model, chosen), load);
  return load;
}

inline Load pressure(const Model& model, double value, bool follows, const std::function<bool(const Vec3&)>& chosen) {
  Load load;
  load.kind = LoadKind::pressure;
  load.object = 0;
  load.value = constant({value, 0, 0});
  load.follows = follows;
  load.triangles = triangles_where(model, chosen);
  if (follows) return load;
  share_of_triangles(model.mesh.vertices, load.triangles, load);
  load.triangles.clear();
  return load;
}

inline Load on_rigid(const Model& model, LoadKind kind, const Vec3& value) {
  Load load;
  load.kind = kind;
  load.object = 0;
  load.value = constant(value);
  load.point = model.rigid[0].center;
  load.share = {1};
  return load;
}

}  // namespace sim::test
