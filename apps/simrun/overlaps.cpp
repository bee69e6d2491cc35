#include "overlaps.hpp"

#include <algorithm>
#include <cstdio>

#include "collide/intersections.hpp"
#include "math/error.hpp"
#include "output/triangle_pairs.hpp"

namespace simrun {

namespace {

constexpr std::size_t most_pairs_of_objects = 20;
constexpr std::size_t most_pairs_of_triangles = 4;

std::string number_text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

std::string names(const sim::Model& model, const sim::ObjectIntersections& pair) {
  const std::string& a = model.objects[pair.object_a].name;
  if (pair.object_a == pair.object_b) return "\"" + a + "\" with itself";
  return "\"" + a + "\" with \"" + model.objects[pair.object_b].name + "\"";
}

// "12+340 (of the objects: 12+4)"
std::string triangle_ids(const sim::Model& model, const sim::ObjectIntersections& pair) {
  std::string global, local;
  const std::size_t shown = std::min(pair.triangles.size(), most_pairs_of_triangles);
  for (std::size_t i = 0; i < shown; ++i) {
    const sim::TriangleIntersection& t = pair.triangles[i];
    const std::string separator = i > 0 ? ", " : "";
    global += separator + std::to_string(t.a) + "+" + std::to_string(t.b);
    local += separator + std::to_string(t.a - model.objects[t.object_a].triangles.begin) + "+" +
             std::to_string(t.b - model.objects[t.object_b].triangles.begin);
  }
  const std::string rest = shown < pair.triangles.size() ? ", ..." : "";
  return global + rest + " (counted within each object: " + local + rest + ")";
}

std::string remedy(const sim::ObjectIntersections& pair) {
  if (pair.object_a == pair.object_b) return "repair the mesh, or how its vertices are told to start";
  if (pair.depth == 0) return "they cover each other in one plane: move them apart by any small distance";
  return "move them apart by at least " + number_text(pair.depth) + " m";
}

std::string describe(const sim::Model& model, const std::vector<sim::ObjectIntersections>& pairs) {
  std::string text;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (i == most_pairs_of_objects) {
      text += "\n  ... and " + std::to_string(pairs.size() - i) + " more pairs of objects";
      break;
    }
    const std::size_t count = pairs[i].triangles.size();
    text += "\n  " + names(model, pairs[i]) + ": " + std::to_string(count) + (count == 1 ? " pair" : " pairs") +
            " of triangles, " + number_text(pairs[i].depth) + " m deep; triangles " + triangle_ids(model, pairs[i]) +
            "; " + remedy(pairs[i]);
  }
  return text;
}

// What to tell about the .obj, also where it could not be written: that must not hide the overlaps.
std::string write_obj(const sim::Model& model, const std::vector<sim::ObjectIntersections>& pairs,
                      const sim::State& start, const std::string& path) {
  std::vector<sim::TrianglePairs> lists;
  for (const sim::ObjectIntersections& pair : pairs) {
    lists.push_back({model.objects[pair.object_a].name + "+" + model.objects[pair.object_b].name, {}});
    for (const sim::TriangleIntersection& t : pair.triangles) lists.back().pairs.push_back({t.a, t.b});
  }
  try {
    sim::write_triangle_pairs(path, lists, model.mesh.triangles, start.x);
  } catch (const sim::FileError& error) {
    return std::string("The pairs of triangles are nowhere to look at: ") + error.what();
  }
  return "All pairs of triangles are in " + path + ", to look at";
}

}  // namespace

void refuse_initial_overlaps(const sim::Model& model, const sim::CollisionSurface& surface, const sim::State& start,
                             const std::string& source, const std::string& obj_path) {
  for (const sim::Object& object : model.objects) {
    const auto first = 3 * Eigen::Index{object.vertices.begin}, count = 3 * Eigen::Index{object.vertices.size()};
    if (start.x.segment(first, count).allFinite()) continue;
    throw sim::InputError(source + ": vertices of \"" + object.name +
                          "\" are told to start at places that are not finite numbers; check its motion at t = 0");
  }
  const auto pairs = sim::by_objects(sim::initial_intersections(surface, start.x));
  if (pairs.empty()) return;
  throw sim::InputError(source + ": surfaces intersect at the start, and no run can begin from there:" +
                        describe(model, pairs) + "\n" + write_obj(model, pairs, start, obj_path));
}

}  // namespace simrun
