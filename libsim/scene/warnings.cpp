#include "scene/warnings.hpp"

#include <cmath>
#include <limits>
#include <set>

#include "collide/intersections.hpp"
#include "math/number_text.hpp"
#include "scene/defects.hpp"

namespace sim {

namespace {

bool is_free(const Object& object) {
  return object.type == ObjectType::deformable || object.type == ObjectType::rigid;
}

// Of the object alone, as if it could deform.
std::vector<TriangleIntersection> cuts_of_itself(const Model& model, const Object& object) {
  std::vector<Triangle> triangles;
  for (Index t = object.triangles.begin; t < object.triangles.end; ++t) {
    Triangle own = model.mesh.triangles[t];
    for (Index& vertex : own) vertex -= object.vertices.begin;
    triangles.push_back(own);
  }
  const auto vertices = static_cast<std::size_t>(object.vertices.size());
  VecX x(3 * static_cast<Eigen::Index>(vertices));
  for (Index i = 0; i < object.vertices.size(); ++i) block(x, i) = model.mesh.vertices[object.vertices.begin + i];
  const std::vector<Index> of_object(vertices, 0);
  const std::vector<std::uint8_t> moves(vertices, 1);
  return initial_intersections(make_surface(triangles, of_object, moves), x);
}

}  // namespace

void warn_of_unused_tolerance(const Scene& scene, LoadReport& report) {
  if (scene.solver.as_published && scene.solver.relative_tolerance != SolverSpec{}.relative_tolerance)
    report.warnings.push_back(
        "solver.relative_tolerance does nothing: with solver.as_published tolerances are absolute "
        "(solver.tolerance)");
}

void warn_of_far_bodies(const Model& model, double separation_part, LoadReport& report) {
  for (std::size_t i = 0; i < model.objects.size(); ++i) {
    const Object& object = model.objects[i];
    if (!is_free(object)) continue;
    double farthest = 0;
    for (Index v = object.vertices.begin; v < object.vertices.end; ++v)
      farthest = std::max(farthest, model.mesh.vertices[v].cwiseAbs().maxCoeff());
    const double rounding = std::numeric_limits<double>::epsilon() * farthest;
    const double nearest = separation_part * model.surface.object_gap[i];
    if (!(rounding > nearest)) continue;
    report.warnings.push_back(quoted(object.name) + " is " + number_text(farthest, 3) +
                              " m from the origin, where coordinates are " + number_text(rounding, 3) +
                              " m apart: more than the " + number_text(nearest, 3) +
                              " m that contacts have to tell apart; move the scene to the origin");
    return;
  }
}

void warn_of_rigid_surfaces_that_cut_themselves(const Model& model, LoadReport& report) {
  std::set<std::string> seen;
  for (const Object& object : model.objects) {
    if (object.type != ObjectType::rigid || !seen.insert(name_without_number(object.name)).second) continue;
    std::vector<TriangleIntersection> cuts = cuts_of_itself(model, object);
    std::erase_if(cuts, [](const TriangleIntersection& cut) { return !cut.insides_overlap; });  // side by side
    if (cuts.empty()) continue;
    report.warnings.push_back("the surface of " + quoted(object.name) + " cuts itself (" +
                              std::to_string(cuts.size()) + (cuts.size() == 1 ? " pair" : " pairs") +
                              " of triangles, the first " + std::to_string(cuts.front().a) + "+" +
                              std::to_string(cuts.front().b) +
                              " of the object): its mass and inertia count what is inside more than once; unite its "
                              "parts in the modeller, or give each an object of its own");
  }
}

}  // namespace sim
