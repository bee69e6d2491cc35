#include "scene/placing.hpp"

#include <algorithm>
#include <cmath>
#include <list>

#include "math/error.hpp"
#include "mesh/surface.hpp"
#include "scene/pose_file.hpp"
#include "scene/select.hpp"

namespace sim {
namespace {

std::vector<Vec3> turned(const Source& source) {
  const Mat3 turn = rotation_matrix(source.spec.rotation);
  std::vector<Vec3> vertices;
  vertices.reserve(source.mesh.vertices.size());
  for (const Vec3& x : source.mesh.vertices) vertices.push_back(turn * x);
  return vertices;
}

PlacedCopy copy_of(const Source& source, std::vector<Vec3> vertices) {
  return {std::move(vertices), source.spec.velocity, source.spec.angular_velocity};
}

// ---- one by one, in a lattice, by poses

std::vector<PlacedCopy> lattice(const Source& source, const ArraySpec& array) {
  std::vector<PlacedCopy> copies;
  const std::vector<Vec3> vertices = turned(source);
  for (Index z = 0; z < array.count[2]; ++z) {
    for (Index y = 0; y < array.count[1]; ++y) {
      for (Index x = 0; x < array.count[0]; ++x) {
        const Vec3 place = source.spec.position + array.spacing.cwiseProduct(Vec3(x, y, z));
        copies.push_back(copy_of(source, vertices));
        for (Vec3& vertex : copies.back().vertices) vertex += place;
      }
    }
  }
  return copies;
}

Mat3 turn_of(const PoseSpec& pose) {
  if (!pose.quaternion) return rotation_matrix(pose.rotation.value_or(RotationSpec{}));
  const auto& [w, x, y, z] = *pose.quaternion;
  return Eigen::Quaterniond(w, x, y, z).normalized().toRotationMatrix();
}

std::vector<PlacedCopy> by_poses(const Source& source, const std::vector<PoseSpec>& poses) {
  std::vector<PlacedCopy> copies;
  const std::vector<Vec3> vertices = turned(source);
  for (const PoseSpec& pose : poses) {
    copies.push_back(copy_of(source, vertices));
    PlacedCopy& copy = copies.back();
    const Mat3 turn = turn_of(pose);
    for (Vec3& x : copy.vertices) x = turn * x + pose.position;
    copy.velocity = pose.velocity.value_or(copy.velocity);
    copy.angular_velocity = pose.angular_velocity.value_or(copy.angular_velocity);
  }
  return copies;
}

bool is_free(const ObjectSpec& spec) {
  return spec.type == ObjectType::deformable || spec.type == ObjectType::rigid;
}

std::vector<PlacedCopy> from_file(const Source& source, const Scene& scene, Defects& defects, Defects& unreadable) {
  const std::string path = source.path + "/poses_file";
  try {
    const std::vector<PoseSpec> poses = read_poses(in_folder(source.spec.poses_file, scene));
    const PoseSpec& first = poses.front();
    if (is_free(source.spec) || !(first.velocity || first.angular_velocity)) return by_poses(source, poses);
    add_defect(defects, path, quoted(source.spec.poses_file),
               "expected no columns of velocities, they are for deformable and rigid objects only");
  } catch (const InputError& error) {
    add_defect(defects, path, quoted(source.spec.poses_file), error.what());
  } catch (const FileError& error) {
    add_defect(unreadable, path, quoted(source.spec.poses_file), error.what());
  }
  return {};
}

// ---- poured

struct Crowd {
  std::list<TriangleTree> trees;  // where they are
  std::vector<Standing> standing;
  std::vector<PourPlane> half_spaces;

  void add(std::span<const Vec3> vertices, const Source& source) {
    if (source.half_space) {
      const Vec3 normal = (vertices[1] - vertices[0]).cross(vertices[2] - vertices[0]).normalized();
      half_spaces.push_back({vertices[0], normal});
      return;
    }
    trees.push_back(make_triangle_tree(vertices, source.mesh.triangles));
    standing.push_back({{&trees.back(), {}}, is_free(source.spec)});
  }
};

// Scripted objects begin where their motion has them.
std::vector<Vec3> at_the_start(const PlacedCopy& copy, const ObjectSpec& spec) {
  std::vector<Vec3> vertices = copy.vertices;
  if (!spec.motion) return vertices;
  const Pose pose = Motion(*spec.motion).pose(0);
  for (Vec3& x : vertices) x = pose.apply(x);
  return vertices;
}

Region region_of(const ScatterSpec& scatter, const Scene& scene, const SceneMeshes& meshes) {
  if (const auto* box = std::get_if<BoxRegion>(&scatter.region)) return *box;
  if (const auto* cylinder = std::get_if<CylinderRegion>(&scatter.region)) return *cylinder;
  const auto& region = std::get<MeshRegionSpec>(scatter.region);
  const auto spec = std::find_if(scene.meshes.begin(), scene.meshes.end(),
                                 [&](const MeshSpec& mesh) { return mesh.name == region.mesh; });
  const Index made = meshes.of_spec[static_cast<std::size_t>(spec - scene.meshes.begin())];
  if (made < 0) return BoxRegion{};
  std::vector<Vec3> vertices = meshes.made[made].vertices;
  const Mat3 turn = rotation_matrix(region.rotation);
  for (Vec3& x : vertices) x = turn * x + region.position;
  return SurfaceRegion{make_triangle_tree(vertices, meshes.made[made].triangles)};
}

// m: what the thickest object keeps, and a little more, so that nothing begins nearer; 0 where none has thickness.
double thickest(std::span<const Source> sources, const Scene& scene) {
  double most = 0;
  for (const Source& source : sources) {
    const Material* material = source.material < 0 ? nullptr : &scene.materials[source.material];
    most = std::max(most, 1.001 * thickness_of(source.spec, material));
  }
  return most;
}

std::vector<PlacedCopy> poured(const Source& source, const Scene& scene, const SceneMeshes& meshes, double thickest,
                               Crowd& crowd, Defects& defects) {
  const std::string path = source.path + "/scatter";
  const ScatterSpec& spec = *source.spec.scatter;
  PourOptions options{spec.count, spec.seed, region_of(spec, scene, meshes), 0, {}};
  if (const auto* mesh = std::get_if<SurfaceRegion>(&options.region); mesh != nullptr && !mesh->surface.closed) {
    add_defect(defects, path + "/mesh/name", quoted(std::get<MeshRegionSpec>(spec.region).mesh),
               "expected a closed surface, which encloses a region");
    return {};
  }
  const std::vector<Vec3> vertices = turned(source);
  crowd.trees.push_back(make_triangle_tree(vertices, source.mesh.triangles));
  const TriangleTree& tree = crowd.trees.back();
  options.clearance =
      std::max(scene.contact.tolerance.value_or(gap_by_edge(mean_edge(vertices, source.mesh.triangles))), thickest);
  options.half_spaces = crowd.half_spaces;
  std::vector<PlacedCopy> copies;
  try {
    for (const Placement& placement : pour(tree, options, crowd.standing)) {
      copies.push_back(copy_of(source, vertices));
      for (Vec3& x : copies.back().vertices) x = apply(placement, x);
      crowd.standing.push_back({{&tree, placement}, true});
    }
  } catch (const InputError& error) {
    add_defect(defects, path, quoted(source.spec.name), error.what());
  }
  return copies;
}

}  // namespace

std::vector<std::vector<PlacedCopy>> place_objects(const Scene& scene, std::span<const Source> sources,
                                                   const SceneMeshes& meshes, Defects& defects, Defects& unreadable) {
  std::vector<std::vector<PlacedCopy>> placed(sources.size());
  const bool any_poured = std::any_of(sources.begin(), sources.end(),
                                      [](const Source& source) { return source.spec.scatter.has_value(); });
  Crowd crowd;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const ObjectSpec& spec = sources[i].spec;
    if (spec.scatter) continue;
    if (!spec.poses_file.empty()) {
      placed[i] = from_file(sources[i], scene, defects, unreadable);
    } else if (!spec.poses.empty()) {
      placed[i] = by_poses(sources[i], spec.poses);
    } else {
      placed[i] = lattice(sources[i], spec.array.value_or(ArraySpec{}));
    }
    if (!any_poured || !scene.contact.enabled) continue;
    for (const PlacedCopy& copy : placed[i]) crowd.add(at_the_start(copy, spec), sources[i]);
  }
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if (sources[i].spec.scatter)
      placed[i] = poured(sources[i], scene, meshes, thickest(sources, scene), crowd, defects);
  }
  return placed;
}

}  // namespace sim
