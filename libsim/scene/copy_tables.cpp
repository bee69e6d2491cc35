#include "scene/copy_tables.hpp"

namespace sim {
namespace {

const Table& cylinder_region_table() {
  static const Table made = table<CylinderRegion>(
      "region cylinder", "A round region.",
      {key("base", &CylinderRegion::base, vector(), "m", "Middle of its lower end."),
       key("axis", &CylinderRegion::axis, direction(), "", "Direction from there to the other end, of any length."),
       key("radius", &CylinderRegion::radius, number(above(0)), "m", "Radius.").must_be_given(),
       key("height", &CylinderRegion::height, number(above(0)), "m", "Length along the axis.").must_be_given()});
  return made;
}

const Table& mesh_region_table() {
  static const Table made = table<MeshRegionSpec>(
      "region mesh", "What a closed mesh encloses.",
      {key("name", &MeshRegionSpec::mesh, text(), "", "Name of one of the meshes, or of a generated shape.")
           .must_be_given(),
       key("position", &MeshRegionSpec::position, vector(), "m", "Where the mesh's origin goes."),
       key("rotation", &MeshRegionSpec::rotation, object<RotationSpec>(rotation_table()), "",
           "Turn about the mesh's origin, before it is moved.")});
  return made;
}

template <class Part>
Table region_table(const char* title, const char* meaning, KeyOf<ScatterSpec> region) {
  Table made;
  made.title = title;
  made.meaning =
      std::string(meaning) +
      " Copies are turned at random and do not overlap, neither each other nor what else the scene places; "
      "nor are they linked. They are called `heap.1`, `heap.2`, ...";
  made.tag = region.name;
  made.start = [](void* owner) { static_cast<ScatterSpec*>(owner)->region = Part{}; };
  made.holds = [](const void* owner) {
    return std::holds_alternative<Part>(static_cast<const ScatterSpec*>(owner)->region);
  };
  made.keys = {key("count", &ScatterSpec::count, whole(at_least(1)), "", "Number of copies.").must_be_given(),
               key("seed", &ScatterSpec::seed, seed(), "", "Another seed gives another arrangement."),
               region.must_be_given()};
  return made;
}

template <class Part>
constexpr auto part_of_region = [](auto& scatter) -> auto& {
  return std::get<Part>(scatter.region);
};

const Table& scatter_box_table() {
  static const Table made = [] {
    Table t = region_table<BoxRegion>(
        "scatter: box", "Many copies in a box.",
        key_at<ScatterSpec>("box", part_of_region<BoxRegion>, array_of<Vec3, 2>(vector()), "m",
                            "Lowest and highest corner of the box that holds all "
                            "copies whole."));
    set_rule<ScatterSpec>(
        t, [](const Json& json, const std::string& path, const ScatterSpec& scatter, Defects& defects) {
          const auto& box = std::get<BoxRegion>(scatter.region);
          if ((box[0].array() < box[1].array()).all()) return;
          add_defect(defects, sub_path(path, "box"), shown(json["box"]),
                     "expected the lowest corner first, then the highest, with low < high along x, y and z");
        });
    return t;
  }();
  return made;
}

const Table& scatter_cylinder_table() {
  static const Table made = region_table<CylinderRegion>(
      "scatter: cylinder", "Many copies in a cylinder.",
      key_at<ScatterSpec>("cylinder", part_of_region<CylinderRegion>, object<CylinderRegion>(cylinder_region_table()),
                          "", "The cylinder that holds all copies whole."));
  return made;
}

const Table& scatter_mesh_table() {
  static const Table made = region_table<MeshRegionSpec>(
      "scatter: mesh", "Many copies in what a closed mesh encloses.",
      key_at<ScatterSpec>("mesh", part_of_region<MeshRegionSpec>, object<MeshRegionSpec>(mesh_region_table()), "",
                          "The mesh that holds all copies whole; it need not be an object."));
  return made;
}

void check_pose(const Json& json, const std::string& path, const PoseSpec& pose, Defects& defects) {
  if (pose.quaternion && pose.rotation) {
    add_defect(defects, path, shown(json), "expected \"rotation\" or \"quaternion\", not both");
  }
  if (pose.quaternion && *pose.quaternion == std::array<double, 4>{0, 0, 0, 0}) {
    add_defect(defects, sub_path(path, "quaternion"), shown(json["quaternion"]),
               "expected four numbers, not all zero");
  }
}

}  // namespace

const Table& rotation_table() {
  static const Table made = table<RotationSpec>(
      "rotation", "A turn about an axis through the mesh's origin.",
      {key("axis", &RotationSpec::axis, direction(), "", "Direction of the axis, of any length."),
       key("degrees", &RotationSpec::degrees, number(), "degrees", "Angle, right-handed about the axis.")});
  return made;
}

const std::vector<const Table*>& scatter_tables() {
  static const std::vector<const Table*> all = {&scatter_box_table(), &scatter_cylinder_table(),
                                                &scatter_mesh_table()};
  return all;
}

const Table& array_table() {
  static const Table made = table<ArraySpec>(
      "array", "Copies in a lattice, those along x first. They are called `wall.1`, `wall.2`, ...",
      {key("count", &ArraySpec::count, array_of<Index, 3>(whole(at_least(1))), "", "Copies along x, y and z.")
           .must_be_given(),
       key("spacing", &ArraySpec::spacing, vector(), "m",
           "From one copy to the next along x, y and z. The first copy is at the object's `position`.")
           .must_be_given()});
  return made;
}

const Table& pose_table() {
  static const Table made = [] {
    Table t = table<PoseSpec>(
        "pose", "Where a copy goes, and how fast it is at time 0.",
        {key("position", &PoseSpec::position, vector(), "m", "Where the mesh's origin goes.").must_be_given(),
         key("rotation", &PoseSpec::rotation, maybe(object<RotationSpec>(rotation_table())), "",
             "Turn about the mesh's origin, after that of the object."),
         key("quaternion", &PoseSpec::quaternion, maybe(array_of<double, 4>(number())), "",
             "The same as a quaternion w, x, y, z of any length."),
         key("velocity", &PoseSpec::velocity, maybe(vector()), "m/s", "Velocity at time 0; not given: the object's."),
         key("angular_velocity", &PoseSpec::angular_velocity, maybe(vector()), "rad/s",
             "Angular velocity at time 0; not given: the object's.")});
    set_rule<PoseSpec>(t, check_pose);
    return t;
  }();
  return made;
}

void check_copies(const Json& json, const std::string& path, const ObjectSpec& object, Defects& defects) {
  std::vector<std::string> given;
  for (const char* name : {"scatter", "array", "poses", "poses_file"}) {
    if (json.contains(name)) given.emplace_back(name);
  }
  if (given.size() > 1) {
    add_defect(defects, path, quoted_list(given), "expected only one of these, each makes all copies of the object");
  }
  for (std::size_t i = 0; i < object.poses.size() && is_obstacle(object.type); ++i) {
    if (!object.poses[i].velocity && !object.poses[i].angular_velocity) continue;
    add_defect(defects, sub_path(sub_path(path, "poses"), i), shown(json["poses"][i]),
               "expected no velocities here, they are for deformable and rigid objects only");
  }
}

}  // namespace sim
