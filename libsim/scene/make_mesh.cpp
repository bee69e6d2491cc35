#include "scene/make_mesh.hpp"

#include <algorithm>
#include <filesystem>
#include <map>

#include "math/error.hpp"
#include "math/number_text.hpp"
#include "mesh/check.hpp"
#include "mesh/embedding.hpp"
#include "mesh/read.hpp"
#include "mesh/refine.hpp"
#include "mesh/surface.hpp"
#include "scene/tables.hpp"

namespace sim {
namespace {

std::string resolved(const FileShape& shape, const Scene& scene) {
  return in_folder(shape.file, scene);
}

std::string joined(const std::vector<std::string>& sentences) {
  std::string text;
  for (const std::string& sentence : sentences) text += (text.empty() ? "" : "; ") + sentence;
  return text;
}

void check(const std::vector<std::string>& defects) {
  if (!defects.empty()) throw InputError("expected a sound mesh: " + joined(defects));
}

bool all_in_range(const Mesh& mesh) {
  const auto count = static_cast<Index>(mesh.vertices.size());
  const auto fits = [count](Index i) { return i >= 0 && i < count; };
  const auto all_fit = [&](const auto& cell) { return std::all_of(cell.begin(), cell.end(), fits); };
  return std::all_of(mesh.tets.begin(), mesh.tets.end(), all_fit) &&
         std::all_of(mesh.triangles.begin(), mesh.triangles.end(), all_fit);
}

// A mirrored mesh would be inside out.
void scale(Mesh& mesh, const MeshSpec& spec) {
  Vec3 factors = spec.scale;
  for (const char axis : spec.flip) factors[axis - 'x'] *= -1;
  for (Vec3& vertex : mesh.vertices) vertex = vertex.cwiseProduct(factors);
  const bool mirrored = std::count_if(factors.begin(), factors.end(), [](double f) { return f < 0; }) % 2 == 1;
  if (!mirrored) return;
  for (Tet& tet : mesh.tets) std::swap(tet[2], tet[3]);
  for (Triangle& triangle : mesh.triangles) std::swap(triangle[1], triangle[2]);
}

Mesh read_file(const MeshSpec& spec, const FileShape& shape, const Scene& scene) {
  const std::string path = resolved(shape, scene);
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) {
    const char* remedy = shape.file.starts_with("meshes/") ? "; scripts/meshes.sh makes those of the benchmarks" : "";
    throw FileError("the file \"" + path + "\" does not exist; files of meshes are relative to the scene's folder" +
                    remedy);
  }
  Mesh mesh = read_mesh(path);
  scale(mesh, spec);
  if (all_in_range(mesh)) refine(mesh, shape.refine);
  if (!shape.tetrahedralize) return mesh;
  if (!mesh.tets.empty()) {
    throw InputError("expected no \"tetrahedralize\" here, the file holds tetrahedra already");
  }
  check(surface_defects(mesh));
  return tetrahedralize(mesh, *shape.tetrahedralize);
}

Mesh make(const MeshSpec& spec, const Scene& scene) {
  return std::visit(
      [&](const auto& shape) {
        if constexpr (std::is_same_v<std::decay_t<decltype(shape)>, FileShape>) {
          return read_file(spec, shape, scene);
        } else {
          Mesh mesh = generate(shape);
          scale(mesh, spec);
          return mesh;
        }
      },
      spec.shape);
}

bool is_thin_object(const ObjectSpec& object, const Scene& scene) {
  return object.type == ObjectType::deformable &&
         std::any_of(scene.materials.begin(), scene.materials.end(), [&](const Material& material) {
           return material.name == object.material && is_thin(material.model);
         });
}

bool is_for_obstacles_only(const MeshSpec& spec, const Scene& scene) {
  return std::all_of(scene.objects.begin(), scene.objects.end(),
                     [&](const ObjectSpec& object) { return is_obstacle(object.type) || object.mesh != spec.name; });
}

// Obstacles and sheets may be less than closed surfaces.
bool may_be_open(const MeshSpec& spec, const Scene& scene) {
  return std::all_of(scene.objects.begin(), scene.objects.end(), [&](const ObjectSpec& object) {
    return is_obstacle(object.type) || is_thin_object(object, scene) || object.mesh != spec.name;
  });
}

bool is_no_body(const MeshSpec& spec) {
  return std::holds_alternative<HalfSpaceShape>(spec.shape) || std::holds_alternative<PointsShape>(spec.shape);
}

bool is_of_segments(const MeshSpec& spec) {
  return std::holds_alternative<SegmentsShape>(spec.shape) || std::holds_alternative<PathShape>(spec.shape);
}

// Whether material and mesh go together is for each object to say (fit.hpp).
bool may_be_of_segments(const MeshSpec& spec, const Scene& scene) {
  return std::all_of(scene.objects.begin(), scene.objects.end(), [&](const ObjectSpec& object) {
    return object.type != ObjectType::rigid || object.mesh != spec.name;
  });
}

// A segment that is there twice would have twice the mass and stiffness.
void check_that_segments_differ(const Mesh& mesh) {
  std::vector<std::array<Index, 2>> ends;
  for (const Triangle& t : mesh.triangles) ends.push_back({std::min(t[0], t[1]), std::max(t[0], t[1])});
  std::sort(ends.begin(), ends.end());
  const auto twice = std::adjacent_find(ends.begin(), ends.end());
  if (twice == ends.end()) return;
  throw InputError("expected every segment of a cable once, in one of its two directions, but points " +
                   std::to_string((*twice)[0]) + " and " + std::to_string((*twice)[1]) +
                   " are joined more than once");
}

// A vertex of no segment would have no mass.
void check_segments(const Mesh& mesh, const MeshSpec& spec, const Scene& scene) {
  if (is_for_obstacles_only(spec, scene)) return;
  std::vector<std::uint8_t> used(mesh.vertices.size(), 0);
  for (const Triangle& t : mesh.triangles) {
    used[t[0]] = used[t[1]] = 1;
    if (!((mesh.vertices[t[1]] - mesh.vertices[t[0]]).norm() > 0))
      throw InputError("expected segments of some length for a cable");
  }
  if (std::find(used.begin(), used.end(), 0) != used.end())
    throw InputError("expected every point of a cable to be on a segment");
  check_that_segments_differ(mesh);
}

// Tets of the mesh, and what they enclose.
void check_tets(Mesh& mesh, const MeshSpec& spec, LoadReport& report) {
  const Index turned = all_in_range(mesh) ? orient_tets(mesh) : 0;
  if (turned > 0) {
    report.notes.push_back("mesh " + quoted(spec.name) + ": " + std::to_string(turned) + " of " +
                           std::to_string(mesh.tets.size()) + " tetrahedra were inside out and have been turned");
  }
  check(tet_defects(mesh));
  mesh.triangles = extract_surface(mesh.tets);
}

Mesh cage_of(const Mesh& surface, const MeshSpec& spec, const Scene& scene, LoadReport& report) {
  if (spec.embed->cell) return make_cage(surface, *spec.embed->cell);
  const auto named = std::find_if(scene.meshes.begin(), scene.meshes.end(),
                                  [&](const MeshSpec& other) { return other.name == *spec.embed->cage; });
  if (named->embed) throw InputError("expected a cage that is not embedded itself");
  Mesh cage = make(*named, scene);
  if (cage.tets.empty()) throw InputError("expected a cage of tetrahedra, " + quoted(named->name) + " has none");
  check_tets(cage, *named, report);
  return cage;
}

// Contacts are at vertices of the surface, and between them a finer cage gives way: a box squeezed between plates
// pressed with 0.98, 0.78 and 0.55 of what it must with cells of 0.8, 0.6 and 0.5 of its surface's edges.
void tell_of_fine_cage(const Mesh& made, const MeshSpec& spec, LoadReport& report) {
  constexpr double finest = 0.75;
  const double cage = mean_edge(made.vertices, extract_surface(made.tets));
  const double surface = mean_edge(made.vertices, made.triangles);
  if (cage >= finest * surface) return;
  report.warnings.push_back("mesh " + quoted(spec.name) + ": the cage has edges of " + number_text(cage, 3) +
                            " m in the mean, its surface of " + number_text(surface, 3) +
                            " m: contacts are at vertices of the surface, and the cage gives way between them. Give "
                            "the surface more triangles (cells, or `refine` of a file), or the cage larger cells");
}

Mesh make_embedded(Mesh mesh, const MeshSpec& spec, const Scene& scene, LoadReport& report) {
  if (is_no_body(spec) || is_of_segments(spec))
    throw InputError("expected a closed surface to embed, this shape encloses nothing");
  if (!mesh.tets.empty()) check_tets(mesh, spec, report);
  const Mesh surface{mesh.vertices, {}, mesh.triangles};
  if (mesh.tets.empty()) check(surface_defects(surface));
  Mesh made = embed(surface, cage_of(surface, spec, scene, report));
  report.notes.push_back("mesh " + quoted(spec.name) + ": " + std::to_string(made.triangles.size()) +
                         " triangles are embedded in " + std::to_string(made.tets.size()) + " tetrahedra");
  tell_of_fine_cage(made, spec, report);
  return made;
}

Mesh make_checked(const MeshSpec& spec, const Scene& scene, LoadReport& report) {
  Mesh mesh = make(spec, scene);
  if (spec.embed) return make_embedded(std::move(mesh), spec, scene, report);
  if (is_no_body(spec)) {
    if (is_for_obstacles_only(spec, scene)) return mesh;
    throw InputError("expected fixed and scripted objects only for this shape, which encloses nothing");
  }
  if (is_of_segments(spec)) {
    if (!may_be_of_segments(spec, scene))
      throw InputError("expected fixed, scripted and deformable objects only for this shape, which encloses nothing");
    check_segments(mesh, spec, scene);
    return mesh;
  }
  if (mesh.tets.empty()) {
    check(surface_defects(mesh, may_be_open(spec, scene)));
    if (mesh.triangles.empty()) throw InputError("expected tetrahedra or triangles, found none");
    return mesh;
  }
  check_tets(mesh, spec, report);
  if (is_for_obstacles_only(spec, scene)) hollow_out(mesh);
  return mesh;
}

// The same text for specifications that make the same mesh. Obstacles have no inside.
std::string identity(const MeshSpec& spec, const Scene& scene) {
  Json json = write_mesh(spec);
  if (const auto* file = std::get_if<FileShape>(&spec.shape)) {
    std::error_code ignored;
    json["file"] = std::filesystem::weakly_canonical(resolved(*file, scene), ignored).string();
  }
  return json.dump() + (is_for_obstacles_only(spec, scene) ? " of obstacles" : "");
}

std::string origin(const MeshSpec& spec, const Scene& scene) {
  if (const auto* file = std::get_if<FileShape>(&spec.shape)) return quoted(resolved(*file, scene));
  return shown(write_mesh(spec));
}

bool is_used(const MeshSpec& spec, const Scene& scene) {
  return std::any_of(scene.objects.begin(), scene.objects.end(), [&](const ObjectSpec& object) {
    const std::vector<std::string> names = meshes_of(object);
    return std::find(names.begin(), names.end(), spec.name) != names.end();
  });
}

bool is_cage(const MeshSpec& spec, const Scene& scene) {
  return std::any_of(scene.meshes.begin(), scene.meshes.end(), [&](const MeshSpec& other) {
    return other.embed && other.embed->cage == spec.name && is_used(other, scene);
  });
}

}  // namespace

std::string in_folder(const std::string& file, const Scene& scene) {
  return (std::filesystem::path(scene.folder) / file).lexically_normal().string();
}

std::vector<std::string> pose_files(const Scene& scene) {
  std::vector<std::string> files;
  const auto add = [&](const std::string& file) {
    if (!file.empty()) files.push_back(in_folder(file, scene));
  };
  for (const ObjectSpec& object : scene.objects) {
    add(object.poses_file);
    if (object.motion) add(object.motion->file);
    for (const BoundarySpec& entry : object.boundary) add(entry.motion ? entry.motion->file : "");
  }
  return files;
}

std::vector<std::string> mesh_files(const Scene& scene) {
  std::vector<std::string> files;
  for (const MeshSpec& spec : scene.meshes) {
    const auto* shape = std::get_if<FileShape>(&spec.shape);
    if (shape == nullptr) continue;
    files.push_back(resolved(*shape, scene));
    std::filesystem::path other = files.back();
    const std::string ending = other.extension().string();
    if (ending == ".node") files.push_back(other.replace_extension(".ele").string());
    if (ending == ".ele") files.push_back(other.replace_extension(".node").string());
  }
  return files;
}

SceneMeshes make_meshes(const Scene& scene, LoadReport& report, Defects& defects, Defects& unreadable) {
  SceneMeshes meshes;
  std::map<std::string, std::size_t> known;  // identity -> spec that made it
  for (std::size_t i = 0; i < scene.meshes.size(); ++i) {
    const MeshSpec& spec = scene.meshes[i];
    meshes.of_spec.push_back(-1);
    if (!is_used(spec, scene) && is_cage(spec, scene)) continue;
    if (!is_used(spec, scene)) {
      report.warnings.push_back("mesh " + quoted(spec.name) + " is used by no object");
      continue;
    }
    const auto [same, is_new] = known.try_emplace(identity(spec, scene), i);
    if (!is_new) {
      meshes.of_spec[i] = meshes.of_spec[same->second];
      report.notes.push_back("meshes " + quoted(scene.meshes[same->second].name) + " and " + quoted(spec.name) +
                             " are the same: made once");
      continue;
    }
    const std::string path = sub_path("/meshes", spec.name);
    try {
      meshes.made.push_back(make_checked(spec, scene, report));
      meshes.of_spec[i] = static_cast<Index>(meshes.made.size()) - 1;
    } catch (const InputError& error) {
      add_defect(defects, path, origin(spec, scene), error.what());
    } catch (const FileError& error) {
      add_defect(unreadable, path, origin(spec, scene), error.what());
    }
  }
  return meshes;
}

}  // namespace sim
