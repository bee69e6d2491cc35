#include "scene/pose_file.hpp"

#include <utility>

#include "math/error.hpp"
#include "scene/defects.hpp"
#include "scene/json_text.hpp"
#include "scene/make_mesh.hpp"
#include "scene/number_table.hpp"

namespace sim {
namespace {

const ColumnGroup place_columns{{"x", "y", "z"}, true};
const ColumnGroup turn_columns{{"qw", "qx", "qy", "qz"}};

Vec3 three(const NumberRow& row, const char* x, const char* y, const char* z) {
  return {row.at(x), row.at(y), row.at(z)};
}

std::optional<Vec3> maybe_three(const NumberRow& row, const char* x, const char* y, const char* z) {
  if (!row.has(x)) return {};
  return three(row, x, y, z);
}

std::optional<std::array<double, 4>> quaternion_of(const std::string& path, const NumberRow& row) {
  if (!row.has("qw")) return {};
  const std::array<double, 4> q{row.at("qw"), row.at("qx"), row.at("qy"), row.at("qz")};
  if (q == std::array<double, 4>{0, 0, 0, 0})
    fail_in_line(path, row.line, "columns \"qw\" to \"qz\": expected a quaternion that is not zero");
  return q;
}

PoseSpec pose_of(const std::string& path, const NumberRow& row) {
  PoseSpec pose;
  pose.position = three(row, "x", "y", "z");
  pose.velocity = maybe_three(row, "vx", "vy", "vz");
  pose.angular_velocity = maybe_three(row, "wx", "wy", "wz");
  pose.quaternion = quaternion_of(path, row);
  if (!row.has("ax")) return pose;
  if (pose.quaternion)
    fail_in_line(path, row.line, "expected a quaternion or an axis with degrees, found columns of both");
  pose.rotation = {three(row, "ax", "ay", "az"), row.at("degrees")};
  if (!(pose.rotation->axis.norm() > 0))
    fail_in_line(path, row.line, "columns \"ax\" to \"az\": expected an axis that is not zero");
  return pose;
}

void read_file_of(MotionSpec& motion, const std::string& path, const Scene& scene, Defects& defects,
                  Defects& unreadable) {
  if (motion.file.empty()) return;
  try {
    motion.keyframes = read_keyframes(in_folder(motion.file, scene));
  } catch (const InputError& error) {
    add_defect(defects, path + "/file", sim::quoted(motion.file), error.what());
  } catch (const FileError& error) {
    add_defect(unreadable, path + "/file", sim::quoted(motion.file), error.what());
  }
}

}  // namespace

std::vector<PoseSpec> read_poses(const std::string& path) {
  static const std::vector<ColumnGroup> groups{place_columns,
                                               turn_columns,
                                               {.names = {"ax", "ay", "az", "degrees"}},
                                               {.names = {"vx", "vy", "vz"}},
                                               {.names = {"wx", "wy", "wz"}}};
  std::vector<PoseSpec> poses;
  for (const NumberRow& row : read_numbers(path, groups, "pose")) poses.push_back(pose_of(path, row));
  return poses;
}

std::vector<Keyframe> read_keyframes(const std::string& path) {
  static const std::vector<ColumnGroup> groups{{{"time"}, true}, place_columns, turn_columns};
  std::vector<Keyframe> keyframes;
  for (const NumberRow& row : read_numbers(path, groups, "pose")) {
    const double time = row.at("time");
    if (!keyframes.empty() && !(time > keyframes.back().time))
      fail_in_line(path, row.line,
                   "column \"time\": " + shown(time) + ": expected a number > " + shown(keyframes.back().time) +
                       ": times must ascend");
    keyframes.push_back({time, three(row, "x", "y", "z"), 0, quaternion_of(path, row)});
  }
  return keyframes;
}

Scene with_motion_files(const Scene& scene, Defects& defects, Defects& unreadable) {
  Scene read = scene;
  for (std::size_t i = 0; i < read.objects.size(); ++i) {
    ObjectSpec& object = read.objects[i];
    const std::string path = sub_path("/objects", i);
    if (object.motion) read_file_of(*object.motion, path + "/motion", scene, defects, unreadable);
    for (std::size_t k = 0; k < object.boundary.size(); ++k) {
      if (std::optional<MotionSpec>& motion = object.boundary[k].motion)
        read_file_of(*motion, sub_path(path + "/boundary", k) + "/motion", scene, defects, unreadable);
    }
  }
  return read;
}

}  // namespace sim
