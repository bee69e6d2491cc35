#include "scene/fit.hpp"

#include <algorithm>
#include <set>

#include "collide/interiors.hpp"
#include "collide/surface.hpp"
#include "collide/too_near.hpp"
#include "math/number_text.hpp"
#include "mesh/surface.hpp"

namespace sim {

namespace {

enum class Matter { solid, sheet, cable };

Matter matter_of(const Material& material) {
  if (material.model == MaterialModel::cable) return Matter::cable;
  return is_of_sheets(material.model) ? Matter::sheet : Matter::solid;
}

Matter matter_of(const Mesh& mesh) {
  if (!mesh.tets.empty()) return Matter::solid;
  return is_face(mesh.triangles.front()) ? Matter::sheet : Matter::cable;
}

const char* name_of(Matter matter) {
  constexpr const char* names[] = {"solids", "sheets", "cables"};
  return names[static_cast<std::size_t>(matter)];
}

const char* elements_of(Matter matter) {
  constexpr const char* names[] = {"tetrahedra", "triangles", "segments"};
  return names[static_cast<std::size_t>(matter)];
}

}  // namespace

void check_fit(const Source& source, const Scene& scene, Defects& defects) {
  const ObjectSpec& spec = source.spec;
  const std::vector<Triangle>& triangles = source.mesh.triangles;
  const bool encloses = std::any_of(triangles.begin(), triangles.end(), is_face) && is_closed(triangles);
  if (spec.thickness > 0 && (source.half_space || encloses)) {
    add_defect(defects, source.path + "/thickness", number_text(spec.thickness, 6),
               "expected 0 for the mesh " + quoted(spec.mesh) +
                   ", which has an inside: thickness is for open "
                   "surfaces, segments and points");
  }
  if (!source.mesh.embedded.empty() && spec.type != ObjectType::deformable) {
    add_defect(defects, source.path + "/mesh", quoted(spec.mesh),
               "expected a mesh without \"embed\", which is for deformable objects");
  }
  if (source.material < 0) return;
  const Material& material = scene.materials[source.material];
  const auto complain = [&](const char* key, const std::string& value, const std::string& expected) {
    add_defect(defects, source.path + key, quoted(value), expected);
  };
  const Matter has = matter_of(source.mesh), is = matter_of(material);
  const std::string is_of_text = "the material " + quoted(material.name) + " is of " + name_of(is);
  if (spec.type == ObjectType::rigid && is != Matter::solid) {
    complain("/material", spec.material, "expected a material of solids for a rigid object, and " + is_of_text);
  } else if (spec.type != ObjectType::deformable) {
    return;
  } else if (has == Matter::sheet && is == Matter::solid) {
    complain("/mesh", spec.mesh,
             "expected tetrahedra for a deformable object of the material " + quoted(material.name) +
                 ", this mesh is a bare surface: add \"tetrahedralize\": {} to " + sub_path("/meshes", spec.mesh) +
                 ", or choose a material of sheets (edge-springs, shell)");
  } else if (has != is) {
    complain("/material", spec.material,
             std::string("expected a material of ") + name_of(has) + " for the mesh " + quoted(spec.mesh) +
                 ", which has " + elements_of(has) + ", and " + is_of_text);
  } else if (material.model == MaterialModel::grid_springs && source.grid[0] == 0) {
    complain("/mesh", spec.mesh,
             "expected a mesh generated as a sheet of the pattern \"grid\" for the material " +
                 quoted(material.name) + ", which is of grid-springs; edge-springs go with any mesh of triangles");
  }
}

void check_parts(const Model& model, Defects& defects) {
  const CollisionSurface& surface = model.surface;
  const VecX x = positions(model.mesh);
  std::set<std::string> seen;
  for (const DoubledPart& part : doubled_parts(surface, closed_objects(surface), x)) {
    const Object& object = model.objects[part.object];
    if (is_obstacle(object.type) || !seen.insert(name_without_number(object.name)).second) continue;
    const Vec3 at = block(x, surface.triangles[part.triangle][0]);
    const auto own = [&](Index triangle) { return std::to_string(triangle - object.triangles.begin); };
    add_defect(
        defects, "/objects", quoted(object.name),
        "expected what its surface encloses once, but the closed part of its triangle " + own(part.triangle) +
            ", which faces outward, is inside the one of triangle " + own(part.outer) + ", near (" +
            number_text(at[0], 4) + ", " + number_text(at[1], 4) + ", " + number_text(at[2], 4) +
            "): it would be there twice. Remove it from the mesh, reverse its triangles if it is the wall of a "
            "cavity, or unite both in the modeller");
  }
}

void check_thickness(const Model& model, Defects& defects) {
  const VecX x = positions(model.mesh);
  for (const TooNear& near : nearer_than_thickness(model.surface, x)) {
    const std::string one = quoted(model.objects[near.object_a].name);
    const bool itself = near.object_a == near.object_b;
    const bool crosses = near.distance < 1e-9 * near.thickness;  // rounding
    add_defect(defects, "/objects",
               one + (itself ? " and itself" : " and " + quoted(model.objects[near.object_b].name)),
               "expected more than " + number_text(near.thickness, 6) +
                   " m between them at the start, which their thickness keeps, but " +
                   (crosses ? "they touch or cross" : "it is " + number_text(near.distance, 6) + " m") +
                   "; move them apart, or make them thinner");
  }
}

}  // namespace sim
