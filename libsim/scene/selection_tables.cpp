#include "scene/selection_tables.hpp"

namespace sim {
namespace {

const Table& sphere_selection_table() {
  static const Table made = table<SphereSelection>(
      "sphere", "All vertices in a ball.",
      {key("center", &SphereSelection::center, vector(), "m", "Its centre.").must_be_given(),
       key("radius", &SphereSelection::radius, number(above(0)), "m", "Its radius.").must_be_given()});
  return made;
}

const Table& plane_selection_table() {
  static const Table made = table<PlaneSelection>(
      "plane", "All vertices on one side of a plane, or on it.",
      {key("point", &PlaneSelection::point, vector(), "m", "A point of the plane.").must_be_given(),
       key("normal", &PlaneSelection::normal, direction(), "", "Points to the side that is chosen; of any length.")
           .must_be_given()});
  return made;
}

const Table& cylinder_selection_table() {
  static const Table made = table<CylinderSelection>(
      "cylinder", "All vertices near an axis.",
      {key("point", &CylinderSelection::point, vector(), "m", "A point of the axis.").must_be_given(),
       key("axis", &CylinderSelection::axis, direction(), "", "Direction of the axis, of any length.")
           .must_be_given(),
       key("radius", &CylinderSelection::radius, number(above(0)), "m", "Distance from the axis, at most.")
           .must_be_given()});
  return made;
}

// One of the kinds of region as an entry that may hold any.
template <class Part>
Value<std::optional<Selection>> one_kind(const Value<Part>& part) {
  Value<std::optional<Selection>> value;
  value.shape = part.shape;
  value.read = [part](const Json& json, const std::string& path, std::optional<Selection>& out, Defects& defects) {
    Part region;
    if (!part.read(json, path, region, defects)) return false;
    out = region;
    return true;
  };
  value.write = [part](const std::optional<Selection>& in) {
    return in && std::holds_alternative<Part>(*in) ? part.write(std::get<Part>(*in)) : Json();
  };
  return value;
}

// A value that is the only member of a struct.
template <class Owner, class T>
Value<Owner> member(const Value<T>& item, T Owner::*place) {
  Value<Owner> value;
  value.shape = item.shape;
  value.read = [item, place](const Json& json, const std::string& path, Owner& out, Defects& defects) {
    return item.read(json, path, out.*place, defects);
  };
  value.write = [item, place](const Owner& in) { return item.write(in.*place); };
  return value;
}

}  // namespace

Value<std::array<Vec3, 2>> box_corners() {
  return array_of<Vec3, 2>(vector());
}

Value<SphereSelection> sphere_region() {
  return object<SphereSelection>(sphere_selection_table());
}

Value<PlaneSelection> plane_region() {
  return object<PlaneSelection>(plane_selection_table());
}

Value<CylinderSelection> cylinder_region() {
  return object<CylinderSelection>(cylinder_selection_table());
}

Value<std::vector<Index>> vertex_numbers() {
  return list_of(whole(at_least(0)), 1);
}

void check_corners(const BoxSelection& box, const Json& json, const std::string& path, Defects& defects) {
  if ((box.corners[0].array() <= box.corners[1].array()).all()) return;
  add_defect(defects, sub_path(path, "box"), shown(json["box"]),
             "expected the lowest corner first, then the highest, with low <= high along x, y and z");
}

std::vector<Key> selection_keys(std::optional<Selection> LoadSpec::*place) {
  return {
      key("box", place, one_kind(member(box_corners(), &BoxSelection::corners)), "m",
          "Chooses what lies in a box: its lowest and highest corner, in the world at time 0."),
      key("sphere", place, one_kind(sphere_region()), "", "Chooses what lies in a ball, at time 0."),
      key("plane", place, one_kind(plane_region()), "", "Chooses what lies on one side of a plane, at time 0."),
      key("cylinder", place, one_kind(cylinder_region()), "", "Chooses what lies in an endless cylinder, at time 0."),
      key("list", place, one_kind(member(vertex_numbers(), &ListSelection::vertices)), "",
          "Chooses vertices by their numbers in the object's mesh, from 0.")};
}

}  // namespace sim
