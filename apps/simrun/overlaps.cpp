#include "overlaps.hpp"

#include <algorithm>
#include <cmath>

#include "collide/intersections.hpp"
#include "collide/too_near.hpp"
#include "math/error.hpp"
#include "math/number_text.hpp"
#include "output/triangle_pairs.hpp"

namespace simrun {

namespace {

constexpr std::size_t most_pairs_of_objects = 20;
constexpr std::size_t most_pairs_of_triangles = 4;
constexpr int digits = 3;           // of lengths
constexpr double least_way = 1e-6;  // m: a shorter one may be lost in the rounding of coordinates

template <class PairOfObjects>
std::string names(const sim::Model& model, const PairOfObjects& pair) {
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

// More than the value by half to one and a half of the third digit, so that a shift by this much leaves a gap.
std::string upper_text(double value) {
  if (!(value > 0)) return "0";
  const double unit = std::pow(10, std::floor(std::log10(value)) - 2);
  return sim::number_text((std::round(value / unit) + 1) * unit, digits);
}

// Obstacles stay where they are, where the other can be moved.
std::string remedy(const sim::Model& model, const sim::ObjectIntersections& pair) {
  if (pair.object_a == pair.object_b) return "repair the mesh, or how its vertices are prescribed to start";
  if (pair.only_in_one_plane()) return "they cover each other in one plane: move them apart by any small distance";
  int axis = 0;
  const double way = pair.way_out.cwiseAbs().maxCoeff(&axis);
  const bool moves_a =
      !is_obstacle(model.objects[pair.object_a].type) && is_obstacle(model.objects[pair.object_b].type);
  const bool is_down = (pair.way_out[axis] < 0) != moves_a;
  return "moving \"" + model.objects[moves_a ? pair.object_a : pair.object_b].name + "\" by " +
         upper_text(std::max(way, least_way)) + " m along " + (is_down ? "-" : "+") + "xyz"[axis] +
         " takes them apart";
}

// How deep two objects are in each other can be narrowed down only.
std::string depth_text(const sim::ObjectIntersections& pair) {
  if (pair.object_a == pair.object_b) return "at least " + sim::number_text(pair.depth, digits) + " m deep";
  if (pair.only_in_one_plane()) return "0 m deep";
  return sim::number_text(pair.depth, digits) + " m deep or more, " + upper_text(pair.way_out.norm()) + " m at most";
}

std::string describe(const sim::Model& model, const sim::ObjectIntersections& pair) {
  std::string text = names(model, pair) + ": ";
  if (pair.inner >= 0) {
    text += "\"" + model.objects[pair.inner].name + "\" is inside, or a part of it is; ";
  }
  if (!pair.triangles.empty()) {
    const std::size_t count = pair.triangles.size();
    text += std::to_string(count) + (count == 1 ? " pair" : " pairs") + " of triangles, " + depth_text(pair) +
            "; triangles " + triangle_ids(model, pair) + "; ";
  }
  return text + remedy(model, pair);
}

std::string describe(const sim::Model& model, const std::vector<sim::ObjectIntersections>& pairs) {
  std::string text;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (i == most_pairs_of_objects) {
      text += "\n  ... and " + std::to_string(pairs.size() - i) + " more pairs of objects";
      break;
    }
    text += "\n  " + describe(model, pairs[i]);
  }
  return text;
}

// What to tell about the .obj, also where it could not be written: that must not hide the overlaps.
std::string write_obj(const sim::Model& model, const std::vector<sim::ObjectIntersections>& pairs,
                      const sim::State& start, const std::string& path) {
  const bool any = std::any_of(pairs.begin(), pairs.end(), [](const auto& p) { return !p.triangles.empty(); });
  if (!any) return "No two triangles intersect, so there are none to look at";
  std::vector<sim::TrianglePairs> lists;
  for (const sim::ObjectIntersections& pair : pairs) {
    if (pair.triangles.empty()) continue;
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

void refuse_touching(const sim::Model& model, const std::vector<sim::TooNear>& pairs, const std::string& source) {
  if (pairs.empty()) return;
  std::string text =
      source + ": objects touch at the start, nearer than coordinates tell apart, and no run can begin from there:";
  for (std::size_t i = 0; i < std::min(pairs.size(), most_pairs_of_objects); ++i)
    text += "\n  " + names(model, pairs[i]) + ": " + sim::number_text(pairs[i].distance, digits) + " m";
  if (pairs.size() > most_pairs_of_objects)
    text += "\n  ... and " + std::to_string(pairs.size() - most_pairs_of_objects) + " more pairs of objects";
  throw sim::InputError(
      text + "\nMove one of them away by a micrometre or less: gaps below contact.tolerance are kept as they are");
}

}  // namespace

void refuse_initial_overlaps(const sim::Model& model, const sim::CollisionSurface& surface, const sim::State& start,
                             const std::string& source, const std::string& obj_path) {
  for (const sim::Object& object : model.objects) {
    const auto first = 3 * Eigen::Index{object.vertices.begin}, count = 3 * Eigen::Index{object.vertices.size()};
    if (start.x.segment(first, count).allFinite()) continue;
    throw sim::InputError(
        source + ": vertices of \"" + object.name +
        "\" are prescribed to start at places that are not finite numbers; check its motion at t = 0");
  }
  const auto pairs = sim::find_overlaps(surface, start.x);
  if (pairs.empty()) return refuse_touching(model, sim::touching(surface, start.x), source);
  throw sim::InputError(source + ": objects overlap at the start, and no run can begin from there:" +
                        describe(model, pairs) + "\n" + write_obj(model, pairs, start, obj_path));
}

}  // namespace simrun
