#include "scene/schema.hpp"

#include <algorithm>
#include <cmath>

#include "scene/expression.hpp"

namespace sim {
namespace {

std::string plain(double number) {
  return Json(number == std::round(number) && std::abs(number) < 1e16 ? Json(static_cast<std::int64_t>(number))
                                                                      : Json(number))
      .dump();
}

std::string range_in_words(const Bounds& bounds, bool is_integer) {
  const bool low = std::isfinite(bounds.low);
  const bool high = std::isfinite(bounds.high) && !(is_integer && bounds.high >= std::numeric_limits<Index>::max());
  if (low && high) {
    return std::string(" in ") + (bounds.low_open ? "(" : "[") + plain(bounds.low) + ", " + plain(bounds.high) +
           (bounds.high_open ? ")" : "]");
  }
  if (low) return (bounds.low_open ? " > " : " >= ") + plain(bounds.low);
  if (high) return (bounds.high_open ? " < " : " <= ") + plain(bounds.high);
  return "";
}

std::string count_in_words(std::size_t count) {
  static const char* const words[] = {"no", "one", "two", "three", "four"};
  return count <= 4 ? words[count] : std::to_string(count);
}

// "three numbers", "two lists of three numbers", "a list of whole numbers >= 0, not empty"
std::string list_in_words(const Shape& shape) {
  const Shape& item = *shape.item;
  std::string items;
  switch (item.kind) {
    case Shape::Kind::integer:
      items = "whole numbers" + range_in_words(item.bounds, true);
      break;
    case Shape::Kind::number:
      items = "numbers" + range_in_words(item.bounds, false);
      break;
    case Shape::Kind::expression:
      items = "expressions of t";
      break;
    case Shape::Kind::quantity:
      items = "numbers or expressions of t";
      break;
    case Shape::Kind::text:
      items = "names";
      break;
    case Shape::Kind::list:
      items = "lists of " + list_in_words(item);
      break;
    default:
      items = "objects {...}";
      break;
  }
  if (shape.low_count == shape.high_count) {
    return count_in_words(shape.low_count) + " " + items + (shape.nonzero ? ", not all zero" : "");
  }
  return "a list of " + items + (shape.low_count > 0 ? ", not empty" : "");
}

std::vector<std::string> names_of(const std::vector<Key>& keys) {
  std::vector<std::string> names;
  names.reserve(keys.size());
  for (const Key& key : keys) names.push_back(key.name);
  return names;
}

// `listed`: those of the known keys that the thing may have.
void add_unknown_key(const std::vector<std::string>& known, const std::vector<std::string>& listed,
                     const std::string& name, const Json& value, const std::string& path, Defects& defects) {
  add_defect(
      defects, sub_path(path, name), shown(value),
      "unknown key, expected one of " + quoted_list(nearest_first(listed, name)) + did_you_mean_key(known, name));
}

std::vector<std::string> names_that_apply(const std::vector<Key>& keys, const void* owner) {
  std::vector<std::string> names;
  for (const Key& key : keys) {
    if (!key.applies || key.applies(owner)) names.push_back(key.name);
  }
  return names;
}

void check_applies(const Table& table, const Json& json, const std::string& path, const void* owner,
                   Defects& defects) {
  for (const Key& key : table.keys) {
    if (!key.applies || key.applies(owner) || !json.contains(key.name)) continue;
    add_defect(defects, sub_path(path, key.name), shown(json[key.name]),
               "expected no " + quoted(key.name) + " here, it is for " + key.only_for + " only");
  }
}

// Whole numbers may be written 100, 100.0 or 1e2.
bool is_whole(const Json& json) {
  return json.is_number_integer() || (json.is_number_float() && json.get<double>() == std::round(json.get<double>()));
}

bool is_within(const Json& json, const Bounds& bounds) {
  return json.is_number() && contains(bounds, json.get<double>());
}

bool is_factor(const Json& json) {
  return json.is_number() && std::isfinite(json.get<double>()) && json.get<double>() != 0;
}

Shape shape_of(Shape::Kind kind, const Bounds& bounds = {}) {
  Shape shape;
  shape.kind = kind;
  shape.bounds = bounds;
  return shape;
}

template <class T, class Convert>
Value<T> checked(const Shape& shape, Convert convert) {
  Value<T> value;
  value.shape = shape;
  value.read = [shape, convert](const Json& json, const std::string& path, T& out, Defects& defects) {
    if (!check_kind(shape, json, path, defects)) return false;
    out = convert(json);
    return true;
  };
  value.write = [](const T& in) { return Json(in); };
  return value;
}

}  // namespace

Bounds above(double low) {
  Bounds bounds;
  bounds.low = low;
  return bounds;
}

Bounds at_least(double low) {
  Bounds bounds = above(low);
  bounds.low_open = false;
  return bounds;
}

Bounds between(double low, double high) {
  Bounds bounds = above(low);
  bounds.high = high;
  return bounds;
}

Bounds from_to_below(double low, double high) {
  Bounds bounds = between(low, high);
  bounds.low_open = false;
  return bounds;
}

Bounds from_to(double low, double high) {
  Bounds bounds = from_to_below(low, high);
  bounds.high_open = false;
  return bounds;
}

bool contains(const Bounds& bounds, double number) {
  return std::isfinite(number) && (number > bounds.low || (!bounds.low_open && number == bounds.low)) &&
         (number < bounds.high || (!bounds.high_open && number == bounds.high));
}

std::string in_words(const Shape& shape) {
  switch (shape.kind) {
    case Shape::Kind::boolean:
      return "true or false";
    case Shape::Kind::integer:
      return "a whole number" + range_in_words(shape.bounds, true);
    case Shape::Kind::number:
      return "a number" + range_in_words(shape.bounds, false);
    case Shape::Kind::number_or_two:
      return "a number" + range_in_words(shape.bounds, false) + ", or two";
    case Shape::Kind::number_or_three:
      return "a number or three, none of them zero";
    case Shape::Kind::text:
      return shape.choices.empty()       ? "text"
             : shape.choices.size() == 1 ? quoted(shape.choices.front())
                                         : "one of " + quoted_list(shape.choices);
    case Shape::Kind::expression:
      return "an expression of t";
    case Shape::Kind::quantity:
      return "a number or an expression of t";
    case Shape::Kind::list:
      return list_in_words(shape);
    case Shape::Kind::names:
      return "objects by name {\"name\": {...}}";
    case Shape::Kind::object:
      return "an object {...}";
  }
  return "";
}

bool check_kind(const Shape& shape, const Json& json, const std::string& path, Defects& defects) {
  using Kind = Shape::Kind;
  bool good = false;
  switch (shape.kind) {
    case Kind::boolean:
      good = json.is_boolean();
      break;
    case Kind::integer:
      good = json.is_number() && is_whole(json) && contains(shape.bounds, json.get<double>());
      break;
    case Kind::number:
      good = json.is_number() && contains(shape.bounds, json.get<double>());
      break;
    case Kind::number_or_two:
      good = is_within(json, shape.bounds) || (json.is_array() && json.size() == 2 &&
                                               is_within(json[0], shape.bounds) && is_within(json[1], shape.bounds));
      break;
    case Kind::number_or_three:
      good = is_factor(json) ||
             (json.is_array() && json.size() == 3 && std::all_of(json.begin(), json.end(), is_factor));
      break;
    case Kind::text:
      good = json.is_string() && !json.get_ref<const std::string&>().empty();
      break;
    case Kind::expression:
    case Kind::quantity:
      good = json.is_string() || json.is_number();
      break;
    case Kind::list:
      good = json.is_array() && json.size() >= shape.low_count && json.size() <= shape.high_count;
      if (good && shape.nonzero) {
        good = std::any_of(json.begin(), json.end(), [](const Json& entry) { return entry != 0; });
      }
      break;
    case Kind::names:
    case Kind::object:
      good = json.is_object();
      break;
  }
  if (good) return true;
  const bool right_kind = (json.is_number() && (shape.kind == Kind::integer || shape.kind == Kind::number)) ||
                          shape.kind == Kind::number_or_two || shape.kind == Kind::number_or_three ||
                          (json.is_array() && shape.nonzero && json.size() == shape.low_count);
  std::string expected = "expected " + in_words(shape);
  if (shape.kind == Kind::integer && json.is_number() && json.get<double>() > shape.bounds.high) {
    expected += ", at most " + plain(shape.bounds.high);
  }
  add_defect(defects, path, shown(json), expected + (right_kind ? "" : ", found " + kind_of(json)));
  return false;
}

bool check_choice(const Shape& shape, const Json& json, const std::string& path, Defects& defects) {
  if (json.is_string()) {
    const auto& wanted = json.get_ref<const std::string&>();
    if (std::find(shape.choices.begin(), shape.choices.end(), wanted) != shape.choices.end()) return true;
    add_defect(
        defects, path, shown(json),
        "expected one of " + quoted_list(nearest_first(shape.choices, wanted)) + did_you_mean(shape.choices, wanted));
  } else {
    add_defect(defects, path, shown(json), "expected " + in_words(shape) + ", found " + kind_of(json));
  }
  return false;
}

bool read_table(const Table& table, const Json& json, const std::string& path, void* owner, Defects& defects) {
  const std::size_t lines_before = defects.lines.size();
  std::vector<std::string> unknown;
  for (const auto& [name, value] : json.items()) {
    const auto same_name = [&name = name](const Key& key) { return key.name == name; };
    const auto key = std::find_if(table.keys.begin(), table.keys.end(), same_name);
    if (key == table.keys.end()) {
      unknown.push_back(name);
    } else {
      key->read(value, sub_path(path, name), owner, defects);
    }
  }
  for (const std::string& name : unknown)  // which keys apply the others tell
    add_unknown_key(names_of(table.keys), names_that_apply(table.keys, owner), name, json[name], path, defects);
  for (const Key& key : table.keys) {
    if (!key.required || json.contains(key.name)) continue;
    add_defect(defects, sub_path(path, key.name), "missing", "expected " + in_words(key.shape) + ": " + key.meaning);
  }
  // Rules between keys need keys that are sound, or they would blame the wrong one.
  if (defects.lines.size() != lines_before) return false;
  check_applies(table, json, path, owner, defects);
  if (table.finish && defects.lines.size() == lines_before) table.finish(json, path, owner, defects);
  return defects.lines.size() == lines_before;
}

Json write_table(const Table& table, const void* owner) {
  Json json = Json::object();
  for (const Key& key : table.keys) {
    if (key.applies && !key.applies(owner)) continue;
    Json value = key.write(owner);
    if (!value.is_null()) json[key.name] = std::move(value);
  }
  return json;
}

const Table* choose_table(const Shape& shape, const Json& json, const std::string& path, Defects& defects) {
  if (shape.tables.size() == 1) return shape.tables.front();
  std::vector<std::string> tags, given, known;
  for (const Table* table : shape.tables) {
    if (std::find(tags.begin(), tags.end(), table->tag) == tags.end()) tags.push_back(table->tag);
    for (const Key& key : table->keys) {
      if (std::find(known.begin(), known.end(), key.name) == known.end()) known.push_back(key.name);
    }
  }
  std::copy_if(tags.begin(), tags.end(), std::back_inserter(given),
               [&](const auto& tag) { return json.contains(tag); });
  if (given.size() > 1) {
    add_defect(defects, path, shown(json), "expected only one of " + quoted_list(tags));
    return nullptr;
  }
  if (given.empty()) {
    const std::size_t lines_before = defects.lines.size();
    for (const auto& [name, value] : json.items()) {
      if (std::find(known.begin(), known.end(), name) == known.end()) {
        add_unknown_key(known, known, name, value, path, defects);
      }
    }
    if (defects.lines.size() == lines_before) {
      add_defect(defects, path, shown(json), "expected one of the keys " + quoted_list(tags));
    }
    return nullptr;
  }
  Shape values;
  values.kind = Shape::Kind::text;
  for (const Table* table : shape.tables) {
    if (table->tag != given.front()) continue;
    if (table->tag_value.empty() || json[table->tag] == table->tag_value) return table;
    values.choices.push_back(table->tag_value);
  }
  check_choice(values, json[given.front()], sub_path(path, given.front()), defects);
  return nullptr;
}

Value<bool> boolean() {
  return checked<bool>(shape_of(Shape::Kind::boolean), [](const Json& json) { return json.get<bool>(); });
}

Value<double> number(const Bounds& bounds) {
  return checked<double>(shape_of(Shape::Kind::number, bounds), [](const Json& json) { return json.get<double>(); });
}

Value<Index> whole(const Bounds& bounds) {
  Bounds fitting = bounds;
  if (fitting.high > std::numeric_limits<Index>::max()) {
    fitting.high = std::numeric_limits<Index>::max();
    fitting.high_open = false;
  }
  return checked<Index>(shape_of(Shape::Kind::integer, fitting),
                        [](const Json& json) { return static_cast<Index>(json.get<double>()); });
}

Value<std::uint64_t> seed() {
  // Beyond 2^53 not every whole number is a double, and readers of JSON differ.
  Bounds bounds = at_least(0);
  bounds.high = 9007199254740991;
  bounds.high_open = false;
  return checked<std::uint64_t>(shape_of(Shape::Kind::integer, bounds),
                                [](const Json& json) { return static_cast<std::uint64_t>(json.get<double>()); });
}

Value<std::string> text() {
  Value<std::string> value;
  value.shape = shape_of(Shape::Kind::text);
  value.read = [shape = value.shape](const Json& json, const std::string& path, std::string& out, Defects& defects) {
    if (!check_kind(shape, json, path, defects)) return false;
    out = json.get<std::string>();
    if (out.find('\0') == std::string::npos) return true;
    add_defect(defects, path, shown(json), "expected text without the letter of code 0, which files end names at");
    return false;
  };
  value.write = [](const std::string& in) { return in.empty() ? Json() : Json(in); };
  return value;
}

Value<std::string> one_of(const std::vector<std::string>& choices) {
  std::vector<std::pair<std::string, std::string>> pairs;
  pairs.reserve(choices.size());
  for (const std::string& choice : choices) pairs.emplace_back(choice, choice);
  return one_of<std::string>(pairs);
}

Value<std::string> expression() {
  Value<std::string> value = text();
  value.shape.kind = Shape::Kind::expression;
  value.read = [shape = value.shape](const Json& json, const std::string& path, std::string& out, Defects& defects) {
    if (!check_kind(shape, json, path, defects)) return false;
    out = json.is_string() ? json.get<std::string>() : json.dump();
    const std::string defect = expression_defect(out);
    if (!defect.empty()) add_defect(defects, path, shown(json), defect);
    return defect.empty();
  };
  return value;
}

Value<Vec3> vector(const Bounds& bounds) {
  const Value<std::array<double, 3>> numbers = array_of<double, 3>(number(bounds));
  Value<Vec3> value;
  value.shape = numbers.shape;
  value.read = [numbers](const Json& json, const std::string& path, Vec3& out, Defects& defects) {
    std::array<double, 3> entries{};
    if (!numbers.read(json, path, entries, defects)) return false;
    out = Vec3(entries[0], entries[1], entries[2]);
    return true;
  };
  value.write = [](const Vec3& in) { return Json({in[0], in[1], in[2]}); };
  return value;
}

Value<Vec3> direction() {
  Value<Vec3> value = vector();
  value.shape.nonzero = true;
  value.read = [shape = value.shape, read = value.read](const Json& json, const std::string& path, Vec3& out,
                                                        Defects& defects) {
    if (!check_kind(shape, json, path, defects) || !read(json, path, out, defects)) return false;
    const double length = out.stableNorm();
    const bool good = length > 1e-100 && length < 1e100;  // its square must be a number too
    if (!good) add_defect(defects, path, shown(json), "expected a direction with a length in (1e-100, 1e100)");
    return good;
  };
  return value;
}

Value<Vec3> factors() {
  Value<Vec3> value = checked<Vec3>(shape_of(Shape::Kind::number_or_three), [](const Json& json) -> Vec3 {
    if (json.is_number()) return Vec3::Constant(json.get<double>());
    return {json[0].get<double>(), json[1].get<double>(), json[2].get<double>()};
  });
  value.write = [](const Vec3& in) {
    return in[0] == in[1] && in[1] == in[2] ? Json(in[0]) : Json({in[0], in[1], in[2]});
  };
  return value;
}

}  // namespace sim
