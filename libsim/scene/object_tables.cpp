#include "scene/object_tables.hpp"

#include <algorithm>

#include "scene/copy_tables.hpp"
#include "scene/load_tables.hpp"
#include "scene/scene.hpp"
#include "scene/selection_tables.hpp"

namespace sim {
namespace {

const Table& keyframe_table() {
  static const Table made =
      table<Keyframe>("keyframe", "Where a motion is at one time.",
                      {key("time", &Keyframe::time, number(), "s", "When.").must_be_given(),
                       key("translation", &Keyframe::translation, vector(), "m", "Shift from the place at rest."),
                       key("degrees", &Keyframe::degrees, number(), "degrees", "Turn about the motion's axis."),
                       key("quaternion", &Keyframe::quaternion, maybe(array_of<double, 4>(number())), "",
                           "Instead of `degrees`, the turn about `center` as a quaternion w, x, y, z of any length; "
                           "then all keyframes of the motion have one.")});
  return made;
}

void check_quaternions(const Json& json, const std::string& path, const MotionSpec& motion, Defects& defects) {
  if (!motion.file.empty() && !motion.keyframes.empty())
    add_defect(defects, sub_path(path, "file"), shown(json["file"]), "expected \"file\" or \"keyframes\", not both");
  const auto has_one = [](const Keyframe& keyframe) { return keyframe.quaternion.has_value(); };
  if (std::none_of(motion.keyframes.begin(), motion.keyframes.end(), has_one)) return;
  for (std::size_t i = 0; i < motion.keyframes.size(); ++i) {
    const Keyframe& keyframe = motion.keyframes[i];
    const std::string place = sub_path(sub_path(path, "keyframes"), i);
    const Json& own = json["keyframes"][i];
    if (!keyframe.quaternion) {
      add_defect(defects, sub_path(place, "quaternion"), "missing",
                 "expected one in every keyframe of the motion, or in none; [1, 0, 0, 0] is no turn");
    } else if (*keyframe.quaternion == std::array<double, 4>{0, 0, 0, 0}) {
      add_defect(defects, sub_path(place, "quaternion"), shown(own["quaternion"]),
                 "expected four numbers, not all zero");
    }
    if (keyframe.degrees != 0)
      add_defect(defects, sub_path(place, "degrees"), shown(own["degrees"]),
                 "expected \"degrees\" or \"quaternion\", not both; \"degrees\" of the motion itself goes with both");
  }
}

const Table& motion_table() {
  static const Table made = [] {
    Table t = table<MotionSpec>(
        "motion",
        "Prescribed motion: x(t) = center + Q(t) (X - center) + d(t), where X is the place at rest. "
        "The turn Q and the shift d are the sums of all that is given here; quaternions turn before `axis` does. "
        "Objects start where the motion has them at t = 0.",
        {key("velocity", &MotionSpec::velocity, vector(), "m/s", "Constant velocity."),
         key("axis", &MotionSpec::axis, direction(), "", "Direction of the axis of all turning, of any length."),
         key("center", &MotionSpec::center, vector(), "m", "A point of the axis, in the world."),
         key("degrees_per_second", &MotionSpec::degrees_per_second, number(), "degrees/s", "Constant turning."),
         key("keyframes", &MotionSpec::keyframes, list_of(object<Keyframe>(keyframe_table())), "",
             "Places by time, ascending: linear in between, constant before the first and after the last. Between "
             "two quaternions the angular velocity is constant, and the turn the shorter one, of at most half a "
             "turn."),
         key("file", &MotionSpec::file, text(), "",
             "Keyframes from this CSV file instead, relative to the folder of the scene file. Its first line names "
             "the columns, in any order: `time,x,y,z` (s; m, the shift) and, if wanted, `qw,qx,qy,qz`. With "
             "`center` at the origin these are the poses of a frame that is at rest in the world's."),
         key("translation", &MotionSpec::translation_expression, array_of<std::string, 3>(expression()), "m",
             "Shift along x, y and z as expressions of the time t in seconds, such as `\"0.1*sin(2*pi*t)\"`."),
         key("degrees", &MotionSpec::degrees_expression, expression(), "degrees", "Turn as an expression of t.")});
    set_rule<MotionSpec>(t, [](const Json& json, const std::string& path, const MotionSpec& motion,
                               Defects& defects) {
      check_quaternions(json, path, motion, defects);
      for (std::size_t i = 1; i < motion.keyframes.size(); ++i) {
        if (motion.keyframes[i].time > motion.keyframes[i - 1].time) continue;
        add_defect(defects, sub_path(sub_path(sub_path(path, "keyframes"), i), "time"),
                   shown(json["keyframes"][i]["time"]),
                   "expected a number > " + shown(motion.keyframes[i - 1].time) + ": times of keyframes must ascend");
      }
    });
    return t;
  }();
  return made;
}

void check_boundary(const Json& json, const std::string& path, const BoundarySpec& entry, Defects& defects) {
  if (const auto* box = std::get_if<BoxSelection>(&entry.select)) check_corners(*box, json, path, defects);
  if (entry.normal && entry.axes)
    add_defect(defects, sub_path(path, "axes"), shown(json["axes"]), "expected \"axes\" or \"normal\", not both");
}

template <class Part>
Table selection_table(const char* title, const char* meaning, KeyOf<BoundarySpec> select) {
  Table made;
  made.title = title;
  made.meaning = meaning;
  made.tag = select.name;
  made.start = [](void* owner) { static_cast<BoundarySpec*>(owner)->select = Part{}; };
  made.holds = [](const void* owner) {
    return std::holds_alternative<Part>(static_cast<const BoundarySpec*>(owner)->select);
  };
  made.keys = {
      select.must_be_given(),
      key("motion", &BoundarySpec::motion, maybe(object<MotionSpec>(motion_table())), "",
          "How the vertices move; left out, they are fixed where they are."),
      key("axes", &BoundarySpec::axes, maybe(one_of({"x", "y", "z", "xy", "xz", "yz", "xyz"})), "",
          "Along which axes of the world the vertices are prescribed (Dirichlet); along the others they are free. "
          "A plane of symmetry across x is `\"x\"`, rollers on the ground are `\"z\"`. Two entries may hold a vertex "
          "along different directions.")
          .otherwise("all, `\"xyz\"`"),
      key("normal", &BoundarySpec::normal, maybe(direction()), "",
          "The one direction along which they are held, of any length, where that is no axis."),
      key("release", &BoundarySpec::release, maybe(number(above(0))), "s",
          "From this time on the entry holds nothing: the vertices go on as fast as they are then. The step that it "
          "falls into is still held.")
          .otherwise("never")};
  set_rule<BoundarySpec>(made, check_boundary);
  return made;
}

const Table& in_box_table() {
  static const Table made = selection_table<BoxSelection>(
      "boundary: box", "Vertices of a deformable object that lie in a box.",
      key_at<BoundarySpec>(
          "box", [](auto& entry) -> auto& { return std::get<BoxSelection>(entry.select).corners; }, box_corners(),
          "m", "Lowest and highest corner, in the world at time 0."));
  return made;
}

const Table& in_sphere_table() {
  static const Table made = selection_table<SphereSelection>(
      "boundary: sphere", "Vertices of a deformable object that lie in a ball.",
      key_at<BoundarySpec>(
          "sphere", [](auto& entry) -> auto& { return std::get<SphereSelection>(entry.select); }, sphere_region(), "",
          "The ball, in the world at time 0."));
  return made;
}

const Table& beyond_plane_table() {
  static const Table made = selection_table<PlaneSelection>(
      "boundary: plane", "Vertices of a deformable object that lie on one side of a plane.",
      key_at<BoundarySpec>(
          "plane", [](auto& entry) -> auto& { return std::get<PlaneSelection>(entry.select); }, plane_region(), "",
          "The plane, in the world at time 0."));
  return made;
}

const Table& in_cylinder_table() {
  static const Table made = selection_table<CylinderSelection>(
      "boundary: cylinder", "Vertices of a deformable object that lie in an endless cylinder.",
      key_at<BoundarySpec>(
          "cylinder", [](auto& entry) -> auto& { return std::get<CylinderSelection>(entry.select); },
          cylinder_region(), "", "The cylinder, in the world at time 0."));
  return made;
}

const Table& in_list_table() {
  static const Table made = selection_table<ListSelection>(
      "boundary: list", "Vertices of a deformable object by number.",
      key_at<BoundarySpec>(
          "list", [](auto& entry) -> auto& { return std::get<ListSelection>(entry.select).vertices; },
          vertex_numbers(), "", "Numbers of vertices of the object's mesh, from 0."));
  return made;
}

const std::vector<const Table*>& boundary_tables() {
  static const std::vector<const Table*> all = {&in_box_table(), &in_sphere_table(), &beyond_plane_table(),
                                                &in_cylinder_table(), &in_list_table()};
  return all;
}

bool is_free(const ObjectSpec& object) {
  return !sim::is_obstacle(object.type);
}
bool is_deformable(const ObjectSpec& object) {
  return object.type == ObjectType::deformable;
}
bool is_obstacle(const ObjectSpec& object) {
  return !is_free(object);
}
bool is_scripted(const ObjectSpec& object) {
  return object.type == ObjectType::scripted;
}
bool has_position(const ObjectSpec& object) {
  return !object.scatter && object.poses.empty() && object.poses_file.empty();
}

void check_needs(const Json& json, const std::string& path, const ObjectSpec& object, Defects& defects) {
  if (object.name.find('*') != std::string::npos)
    add_defect(defects, sub_path(path, "name"), shown(json["name"]),
               "expected a name without *, which stands for any text in contact.pairs");
  check_copies(json, path, object, defects);
  if (is_free(object) && !json.contains("material")) {
    add_defect(defects, sub_path(path, "material"), "missing",
               std::string("expected the name of a material, ") + to_string(object.type) + " objects need one");
  }
  if (is_scripted(object) && !json.contains("motion")) {
    add_defect(defects, sub_path(path, "motion"), "missing",
               "expected an object {...} that tells how the scripted object moves");
  }
}

}  // namespace

const Table& object_table() {
  static const Table made = [] {
    Table t = table<ObjectSpec>(
        "object", "One body, or many copies of it.",
        {key("name", &ObjectSpec::name, text(), "", "Its name, of no other object.").must_be_given(),
         key("type", &ObjectSpec::type,
             one_of<ObjectType>({{"deformable", ObjectType::deformable},
                                 {"rigid", ObjectType::rigid},
                                 {"scripted", ObjectType::scripted},
                                 {"fixed", ObjectType::fixed}}),
             "",
             "What moves it: elasticity, forces on it as a rigid body, its `motion`, or nothing. A rigid object has "
             "the mass and inertia of the solid that its surface encloses: closed parts that cross count twice where "
             "they do, and a warning tells."),
         key("mesh", &ObjectSpec::mesh, text(), "",
             "Name of one of the meshes, or of a generated shape, which then has all its defaults.")
             .must_be_given(),
         key("material", &ObjectSpec::material, text(), "",
             "Name of one of the materials; deformable and rigid objects need it. Of a rigid one, `density` and "
             "`damping.mass` count.")
             .only("deformable and rigid objects", is_free),
         key("position", &ObjectSpec::position, vector(), "m", "Where the mesh's origin goes.")
             .only("objects without scatter and poses", has_position),
         key("rotation", &ObjectSpec::rotation, object<RotationSpec>(rotation_table()), "",
             "Turn about the mesh's origin, before anything else places it."),
         key("velocity", &ObjectSpec::velocity, vector(), "m/s", "Velocity at time 0.")
             .only("deformable and rigid objects", is_free),
         key("angular_velocity", &ObjectSpec::angular_velocity, vector(), "rad/s",
             "Angular velocity at time 0, about the centre of mass.")
             .only("deformable and rigid objects", is_free),
         key("friction", &ObjectSpec::friction, maybe(number(at_least(0))), "",
             "Coulomb's friction coefficient of its surface, see [contact](#contact).")
             .otherwise("that of its material"),
         key("thickness", &ObjectSpec::thickness, number(at_least(0)), "m",
             "Of an open surface, segments or points: half of it is kept free on both their sides, so that segments "
             "are rods and points balls of this diameter. (Cables do not meet points.)")
             .only("fixed and scripted objects", is_obstacle),
         key("scatter", &ObjectSpec::scatter, maybe(alternatives<ScatterSpec>(scatter_tables())), "",
             "Makes many copies of the object, at random."),
         key("array", &ObjectSpec::array, maybe(object<ArraySpec>(array_table())), "",
             "Makes many copies of the object, in a lattice."),
         key("poses", &ObjectSpec::poses, list_of(object<PoseSpec>(pose_table())), "",
             "Makes a copy of the object for each entry."),
         key("poses_file", &ObjectSpec::poses_file, text(), "",
             "Makes a copy for each line of this CSV file, relative to the folder of the scene file. Its first line "
             "names the columns: `x,y,z`, if wanted `qw,qx,qy,qz` or `ax,ay,az,degrees`, `vx,vy,vz` and `wx,wy,wz`."),
         key("motion", &ObjectSpec::motion, maybe(object<MotionSpec>(motion_table())), "",
             "How a scripted object moves; it needs one.")
             .only("scripted objects", is_scripted),
         key("boundary", &ObjectSpec::boundary, list_of(alternatives<BoundarySpec>(boundary_tables())), "",
             "Prescribed vertices, fixed or with a motion: wholly, along some directions, or for a time.")
             .only("deformable objects", is_deformable),
         key("loads", &ObjectSpec::loads, list_of(load_value()), "", "Forces on the object, besides gravity.")
             .only("deformable and rigid objects", is_free)});
    set_rule<ObjectSpec>(t,
                         [](const Json& json, const std::string& path, const ObjectSpec& object, Defects& defects) {
                           check_needs(json, path, object, defects);
                           check_loads(json, path, object, defects);
                         });
    return t;
  }();
  return made;
}

}  // namespace sim
