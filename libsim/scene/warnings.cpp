#include "scene/warnings.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <span>

#include "collide/intersections.hpp"
#include "elasticity/sheet_bending.hpp"
#include "math/number_text.hpp"
#include "mesh/surface.hpp"
#include "model/own_weight.hpp"
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

// Hinges come in the order of objects.
std::span<const Hinge> hinges_of(const Model& model, const Object& object) {
  const auto first_from = [&](Index vertex) {
    return std::partition_point(model.elastic.hinges.begin(), model.elastic.hinges.end(),
                                [&](const Hinge& hinge) { return hinge.vertices[0] < vertex; });
  };
  return {first_from(object.vertices.begin), first_from(object.vertices.end)};
}

}  // namespace

void warn_of_unused_tolerance(const Scene& scene, LoadReport& report) {
  if (scene.solver.as_published && scene.solver.relative_tolerance != SolverSpec{}.relative_tolerance)
    report.warnings.push_back(
        "solver.relative_tolerance does nothing: with solver.as_published tolerances are absolute "
        "(solver.tolerance)");
}

void warn_of_far_bodies(const Model& model, double separation_part, LoadReport& report) {
  constexpr double most_of_weight = 0.01;
  for (std::size_t i = 0; i < model.objects.size(); ++i) {
    const Object& object = model.objects[i];
    if (!is_free(object)) continue;
    double farthest = 0;
    for (Index v = object.vertices.begin; v < object.vertices.end; ++v)
      farthest = std::max(farthest, model.mesh.vertices[v].cwiseAbs().maxCoeff());
    const double rounding = std::numeric_limits<double>::epsilon() * farthest;
    const double nearest = separation_part * model.surface.object_gap[i];
    const bool is_solid = object.type == ObjectType::deformable && object.tets.size() > 0;
    const double weight = is_solid ? model.gravity.norm() * mass_of(model, object) : 0;
    const double force = weight > 0 ? model.materials[object.material].young *
                                          mean_edge(model.mesh, object.triangles) * rounding  // on a vertex
                                    : 0;
    std::string worth;
    if (rounding > nearest)
      worth = "more than the " + number_text(nearest, 3) + " m that contacts have to tell apart; move the scene";
    else if (force > most_of_weight * weight)
      worth = "worth " + number_text(force, 2) + " N on each vertex of a body that weighs " + number_text(weight, 2) +
              " N; it may not come to rest, or only in many iterations: move the scene";
    if (worth.empty()) continue;
    report.warnings.push_back(quoted(object.name) + " is " + number_text(farthest, 3) +
                              " m from the origin, where coordinates are " + number_text(rounding, 3) +
                              " m apart: " + worth + " to the origin");
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

void warn_of_shells_that_bend_unlike_plates(const Model& model, LoadReport& report) {
  constexpr double most_unlike = 1.25;
  std::set<std::string> seen;
  std::map<std::string, std::vector<std::string>> named;  // by how they bend
  for (const Object& object : model.objects) {
    if (!is_thin(object) || model.materials[object.material].model != MaterialModel::shell ||
        !seen.insert(name_without_number(object.name)).second)
      continue;
    const auto range = bending_range(model.mesh.vertices, hinges_of(model, object), model.materials[object.material]);
    if (!range || (range->smallest >= 1 / most_unlike && range->largest <= most_unlike)) continue;
    named[number_text(range->smallest, 2) + " to " + number_text(range->largest, 2)].push_back(object.name);
  }
  for (const auto& [range, names] : named) {
    const std::size_t others = names.size() - 1;
    report.warnings.push_back(
        quoted(names.front()) +
        (others == 0 ? " bends "
                     : " and " + std::to_string(others) + (others == 1 ? " other bend " : " others bend ")) +
        range +
        " times as stiffly as a plate of the material, by the direction: hinges about edges stand for a plate where "
        "triangles are nearly equilateral (in a generated sheet: pattern \"equilateral\", cells 1.155 times as long "
        "as rows are high), and finer ones of the same shape bend the same");
  }
}

}  // namespace sim
