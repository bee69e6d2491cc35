#include "scene/load_tables.hpp"

#include <algorithm>

#include "scene/expression.hpp"
#include "scene/selection_tables.hpp"

namespace sim {
namespace {

Value<TimeValueSpec> quantity() {
  Value<TimeValueSpec> value;
  value.shape.kind = Shape::Kind::quantity;
  value.read = [shape = value.shape](const Json& json, const std::string& path, TimeValueSpec& out,
                                     Defects& defects) {
    if (!check_kind(shape, json, path, defects)) return false;
    out = {};
    if (json.is_number()) {
      out.number = json.get<double>();
      return true;
    }
    out.expression = json.get<std::string>();
    const std::string defect = expression_defect(out.expression);
    if (!defect.empty()) add_defect(defects, path, shown(json), defect);
    return defect.empty();
  };
  value.write = [](const TimeValueSpec& in) { return in.expression.empty() ? Json(in.number) : Json(in.expression); };
  return value;
}

constexpr const char* selections[] = {"box", "sphere", "plane", "cylinder", "list"};

void check_selection(const Json& json, const std::string& path, const LoadSpec& load, Defects& defects) {
  const auto given = std::count_if(std::begin(selections), std::end(selections),
                                   [&](const char* name) { return json.contains(name); });
  if (given > 1) {
    add_defect(defects, path, shown(json),
               "expected only one of " + quoted_list({std::begin(selections), std::end(selections)}));
  } else if (given == 1 && std::holds_alternative<BoxSelection>(*load.select)) {
    check_corners(std::get<BoxSelection>(*load.select), json, path, defects);
  }
}

Table load_table(LoadKind kind, const char* meaning, KeyOf<LoadSpec> value) {
  Table made;
  made.title = "load: " + value.name;
  made.meaning = meaning;
  made.tag = value.name;
  made.start = [kind](void* owner) { static_cast<LoadSpec*>(owner)->kind = kind; };
  made.holds = [kind](const void* owner) { return static_cast<const LoadSpec*>(owner)->kind == kind; };
  made.keys = {value.must_be_given()};
  return made;
}

KeyOf<LoadSpec> vector_key(const char* name, const char* unit, const char* meaning) {
  return key_at<LoadSpec>(
      name, [](auto& load) -> auto& { return load.value; }, array_of<TimeValueSpec, 3>(quantity()), unit, meaning);
}

void add_selection(Table& made) {
  for (const Key& key : selection_keys(&LoadSpec::select)) made.keys.push_back(key);
  set_rule<LoadSpec>(made, check_selection);
}

KeyOf<LoadSpec> follows_key(const char* otherwise, const char* meaning) {
  return key("follows", &LoadSpec::follows, maybe(boolean()), "", meaning).otherwise(otherwise);
}

const Table& force_table() {
  static const Table made = [] {
    Table t = load_table(
        LoadKind::force,
        "A force on chosen vertices, each of which gets an equal part of it; or on a rigid object, at a point of it.",
        vector_key("force", "N", "The whole force."));
    add_selection(t);
    t.keys.push_back(key("point", &LoadSpec::point, maybe(vector()), "m",
                         "Where it acts on a rigid object, in the world at time 0; it goes with the object.")
                         .otherwise("centre of mass"));
    t.keys.push_back(follows_key("`false`", "Whether it turns with a rigid object; else its direction stays."));
    return t;
  }();
  return made;
}

const Table& pressure_table() {
  static const Table made = [] {
    Table t = load_table(
        LoadKind::pressure,
        "A pressure on the surface triangles of which all corners are chosen; without a choice on the whole surface.",
        key_at<LoadSpec>(
            "pressure", [](auto& load) -> auto& { return load.value[0]; }, quantity(), "Pa",
            "Pushes against the side to which triangles face, of bodies the outside; where negative it pulls, which "
            "inflates a closed sheet."));
    add_selection(t);
    t.keys.push_back(follows_key("`true`",
                                 "Whether it follows the surface as it moves; else it has the areas and directions "
                                 "of time 0."));
    return t;
  }();
  return made;
}

const Table& traction_table() {
  static const Table made = [] {
    Table t = load_table(
        LoadKind::traction,
        "A force per area on the surface triangles of which all corners are chosen; without a choice on the whole "
        "surface. Areas are those of time 0, and its direction stays.",
        vector_key("traction", "Pa", "Force per area."));
    add_selection(t);
    return t;
  }();
  return made;
}

const Table& body_force_table() {
  static const Table made = [] {
    Table t =
        load_table(LoadKind::body_force,
                   "A force per volume: of the whole object, or of the part of the volume that belongs to chosen "
                   "vertices: a quarter of each tetrahedron to each of its corners, a third of each triangle of a "
                   "sheet, a half of each segment of a cable.",
                   vector_key("body_force", "N/m^3", "Force per volume at rest."));
    add_selection(t);
    return t;
  }();
  return made;
}

const Table& torque_table() {
  static const Table made = [] {
    Table t = load_table(LoadKind::torque, "A torque on a rigid object.",
                         vector_key("torque", "N m", "About the centre of mass, right-handed."));
    t.keys.push_back(follows_key("`false`", "Whether it turns with the object; else its direction stays."));
    return t;
  }();
  return made;
}

void check_load(const Json& json, const std::string& path, const LoadSpec& load, bool rigid, Defects& defects) {
  const auto complain = [&](const char* key, const char* expected) {
    add_defect(defects, sub_path(path, key), json.contains(key) ? shown(json[key]) : "missing", expected);
  };
  const bool whole = load.kind == LoadKind::force && !load.select;
  if (load.kind == LoadKind::torque && !rigid)
    complain("torque", "expected none on a deformable object: turn it by tractions or forces on its vertices");
  if (load.point && !rigid) complain("point", "expected none on a deformable object: choose vertices of it");
  if (whole && !rigid)
    add_defect(defects, path, shown(json),
               "expected vertices of the deformable object that it acts on, one of " +
                   quoted_list({std::begin(selections), std::end(selections)}) +
                   "; a force on all of it is a \"body_force\"");
  if (load.kind == LoadKind::body_force && load.select && rigid)
    add_defect(defects, path, shown(json), "expected no choice of vertices: it acts on all of a rigid object");
  if (load.kind == LoadKind::force && load.select && load.point)
    complain("point", "expected either a point or chosen vertices");
  if (load.kind == LoadKind::force && load.follows && !(whole && rigid))
    complain("follows", "expected none of a force on vertices: its direction stays");
}

}  // namespace

Value<LoadSpec> load_value() {
  static const std::vector<const Table*> all = {&force_table(), &pressure_table(), &traction_table(),
                                                &body_force_table(), &torque_table()};
  return alternatives<LoadSpec>(all);
}

void check_loads(const Json& json, const std::string& path, const ObjectSpec& object, Defects& defects) {
  for (std::size_t i = 0; i < object.loads.size(); ++i)
    check_load(json["loads"][i], sub_path(path + "/loads", i), object.loads[i], object.type == ObjectType::rigid,
               defects);
}

}  // namespace sim
