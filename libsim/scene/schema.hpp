// The building blocks of the scene format's table (tables.cpp). Private to the room: no other room includes it.
//
// A Table describes one kind of JSON object, a Key one entry of it: what it may hold, its unit, its meaning and the
// field of the plain struct it lands in. Defaults are those of the structs. Reading with all checks, writing the
// effective scene, the JSON Schema and the reference all follow from the tables.
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <optional>

#include "math/types.hpp"
#include "scene/json_text.hpp"

namespace sim {

struct Bounds {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool low_open = true, high_open = true;
};
Bounds above(double low);
Bounds at_least(double low);
Bounds between(double low, double high);             // both excluded
Bounds from_to_below(double low, double high);       // low included
Bounds from_to(double low, double high);             // both included
bool contains(const Bounds& bounds, double number);  // false for what is not finite

struct Table;

// What a value may be.
struct Shape {
  enum class Kind {
    boolean,
    integer,
    number,
    number_or_two,
    number_or_three,
    text,
    expression,
    quantity,
    list,
    names,
    object
  };
  Kind kind = Kind::object;
  Bounds bounds;                      // integer, number, number_or_two; a quantity is a number or an expression of t
  std::vector<std::string> choices;   // text: the allowed ones; empty: any
  std::size_t low_count = 0;          // list
  std::size_t high_count = SIZE_MAX;  // list
  bool nonzero = false;               // list of numbers: not all zero
  std::shared_ptr<const Shape> item;  // list, names: of each entry
  std::vector<const Table*> tables;   // object: one, or alternatives told apart by their tags
};
std::string in_words(const Shape& shape);  // "a number > 0"

// The same with the C++ type it is read into. read() returns false after adding defects; write() returns null for
// what a scene file leaves out.
template <class T>
struct Value {
  Shape shape;
  std::function<bool(const Json&, const std::string& path, T&, Defects&)> read;
  std::function<Json(const T&)> write;
};

struct Key {
  std::string name, unit, meaning;
  Shape shape;
  bool required = false;
  std::string default_value;  // JSON; empty: none
  std::string default_text;   // where the default depends on other keys
  std::string only_for;       // who may have it, in words; empty: all
  std::function<bool(const void* owner)> applies;
  std::function<bool(const Json&, const std::string& path, void* owner, Defects&)> read;
  std::function<Json(const void* owner)> write;
};

template <class Owner>
struct KeyOf : Key {
  KeyOf& must_be_given() {
    required = true;
    default_value.clear();
    return *this;
  }
  KeyOf& otherwise(const char* text) {
    default_text = text;
    return *this;
  }
  KeyOf& only(const char* whom, bool (*test)(const Owner&)) {
    only_for = whom;
    applies = [test](const void* owner) { return test(*static_cast<const Owner*>(owner)); };
    return *this;
  }
};

struct Table {
  std::string title, meaning;
  std::vector<Key> keys;
  std::string tag, tag_value;              // of alternatives: the key that tells, and its value (empty: any)
  std::function<void(void* owner)> start;  // of alternatives: makes the owner hold this one
  std::function<bool(const void*)> holds;  // of alternatives
  std::function<void(const Json&, const std::string& path, void* owner, Defects&)> finish;  // rules between keys
};
bool read_table(const Table& table, const Json& json, const std::string& path, void* owner, Defects& defects);
Json write_table(const Table& table, const void* owner);
// The alternative that `json` is; null after adding a defect.
const Table* choose_table(const Shape& shape, const Json& json, const std::string& path, Defects& defects);

bool check_kind(const Shape& shape, const Json& json, const std::string& path, Defects& defects);
bool check_choice(const Shape& shape, const Json& json, const std::string& path, Defects& defects);

Value<bool> boolean();
Value<double> number(const Bounds& bounds = {});
Value<Index> whole(const Bounds& bounds);
Value<std::uint64_t> seed();
Value<std::string> text();
Value<std::string> one_of(const std::vector<std::string>& choices);
Value<std::string> expression();
Value<Vec3> vector(const Bounds& bounds = {});
Value<Vec3> direction();  // any length but zero
Value<Vec3> factors();    // one for all axes or three, none of them zero

// ---- templates only from here

template <class Enum>
Value<Enum> one_of(const std::vector<std::pair<std::string, Enum>>& choices) {
  Value<Enum> value;
  value.shape.kind = Shape::Kind::text;
  for (const auto& [name, unused] : choices) value.shape.choices.push_back(name);
  value.read = [shape = value.shape, choices](const Json& json, const std::string& path, Enum& out,
                                              Defects& defects) {
    if (!check_choice(shape, json, path, defects)) return false;
    for (const auto& [name, choice] : choices) {
      if (json == name) out = choice;
    }
    return true;
  };
  value.write = [choices](const Enum& in) -> Json {
    for (const auto& [name, choice] : choices) {
      if (choice == in) return name;
    }
    return nullptr;
  };
  return value;
}

template <class T, std::size_t count>
Value<std::array<T, count>> array_of(const Value<T>& item) {
  Value<std::array<T, count>> value;
  value.shape.kind = Shape::Kind::list;
  value.shape.low_count = value.shape.high_count = count;
  value.shape.item = std::make_shared<Shape>(item.shape);
  value.read = [shape = value.shape, item](const Json& json, const std::string& path, std::array<T, count>& out,
                                           Defects& defects) {
    if (!check_kind(shape, json, path, defects)) return false;
    bool good = true;
    for (std::size_t i = 0; i < count; ++i) good &= item.read(json[i], sub_path(path, i), out[i], defects);
    return good;
  };
  value.write = [item](const std::array<T, count>& in) {
    Json list = Json::array();
    bool has_some = false;
    for (const T& entry : in) {
      list.push_back(item.write(entry));
      has_some |= !list.back().is_null();
    }
    return has_some ? list : Json();
  };
  return value;
}

template <class T>
Value<std::vector<T>> list_of(const Value<T>& item, std::size_t low_count = 0) {
  Value<std::vector<T>> value;
  value.shape.kind = Shape::Kind::list;
  value.shape.low_count = low_count;
  value.shape.item = std::make_shared<Shape>(item.shape);
  value.read = [shape = value.shape, item](const Json& json, const std::string& path, std::vector<T>& out,
                                           Defects& defects) {
    if (!check_kind(shape, json, path, defects)) return false;
    bool good = true;
    out.assign(json.size(), T{});
    for (std::size_t i = 0; i < json.size(); ++i) good &= item.read(json[i], sub_path(path, i), out[i], defects);
    return good;
  };
  value.write = [item](const std::vector<T>& in) {
    Json list;
    for (const T& entry : in) list.push_back(item.write(entry));
    return list;
  };
  return value;
}

// { "name": {...}, ... } into a list of structs that know their names, in the order of the file.
template <class T>
Value<std::vector<T>> named(const Value<T>& item, std::string T::*name) {
  Value<std::vector<T>> value;
  value.shape.kind = Shape::Kind::names;
  value.shape.item = std::make_shared<Shape>(item.shape);
  value.read = [shape = value.shape, item, name](const Json& json, const std::string& path, std::vector<T>& out,
                                                 Defects& defects) {
    if (!check_kind(shape, json, path, defects)) return false;
    bool good = true;
    for (const auto& [key, entry] : json.items()) {
      if (key.empty()) add_defect(defects, path, quoted(key), "expected a name that is not empty");
      out.emplace_back();
      out.back().*name = key;
      good &= item.read(entry, sub_path(path, key), out.back(), defects);
    }
    return good;
  };
  value.write = [item, name](const std::vector<T>& in) {
    Json map;
    for (const T& entry : in) map[entry.*name] = item.write(entry);
    return map;
  };
  return value;
}

template <class T>
Value<T> alternatives(const std::vector<const Table*>& tables) {
  Value<T> value;
  value.shape.kind = Shape::Kind::object;
  value.shape.tables = tables;
  value.read = [shape = value.shape](const Json& json, const std::string& path, T& out, Defects& defects) {
    if (!check_kind(shape, json, path, defects)) return false;
    const Table* table = choose_table(shape, json, path, defects);
    if (!table) return false;
    if (table->start) table->start(&out);
    return read_table(*table, json, path, &out, defects);
  };
  value.write = [tables](const T& in) -> Json {
    for (const Table* table : tables) {
      if (!table->holds || table->holds(&in)) return write_table(*table, &in);
    }
    return nullptr;
  };
  return value;
}

template <class T>
Value<T> object(const Table& table) {
  return alternatives<T>({&table});
}

template <class T>
Value<std::optional<T>> maybe(const Value<T>& item) {
  Value<std::optional<T>> value;
  value.shape = item.shape;
  value.read = [item](const Json& json, const std::string& path, std::optional<T>& out, Defects& defects) {
    return item.read(json, path, out.emplace(), defects);
  };
  value.write = [item](const std::optional<T>& in) { return in ? item.write(*in) : Json(); };
  return value;
}

// A key whose place is get(owner): a member pointer, or a generic lambda that returns a reference.
template <class Owner, class Get, class T>
KeyOf<Owner> key_at(const char* name, Get get, const Value<T>& value, const char* unit, const char* meaning) {
  KeyOf<Owner> key;
  key.name = name;
  key.unit = unit;
  key.meaning = meaning;
  key.shape = value.shape;
  key.read = [value, get](const Json& json, const std::string& path, void* owner, Defects& defects) {
    return value.read(json, path, std::invoke(get, *static_cast<Owner*>(owner)), defects);
  };
  key.write = [value, get](const void* owner) {
    return value.write(std::invoke(get, *static_cast<const Owner*>(owner)));
  };
  return key;
}

template <class Owner, class T>
KeyOf<Owner> key(const char* name, T Owner::*member, const Value<T>& value, const char* unit, const char* meaning) {
  KeyOf<Owner> made = key_at<Owner>(name, member, value, unit, meaning);
  const Json otherwise = value.write(Owner{}.*member);
  if (!otherwise.is_null()) made.default_value = otherwise.dump();
  return made;
}

// A nested object whose keys land in the same struct.
template <class Owner>
KeyOf<Owner> group(const char* name, const Table& table, const char* meaning) {
  return key_at<Owner>(
      name, [](auto& owner) -> auto& { return owner; }, object<Owner>(table), "", meaning);
}

// Keys of a part of Owner as keys of Owner.
template <class Owner, class Part, class Get>
std::vector<Key> lift(const std::vector<KeyOf<Part>>& keys, Get get) {
  std::vector<Key> lifted;
  for (const Key& key : keys) {
    lifted.push_back(key);
    lifted.back().read = [read = key.read, get](const Json& json, const std::string& path, void* owner,
                                                Defects& defects) {
      return read(json, path, &get(*static_cast<Owner*>(owner)), defects);
    };
    lifted.back().write = [write = key.write, get](const void* owner) {
      return write(&get(*static_cast<const Owner*>(owner)));
    };
  }
  return lifted;
}

template <class Owner>
Table table(const char* title, const char* meaning, const std::vector<KeyOf<Owner>>& keys) {
  Table made;
  made.title = title;
  made.meaning = meaning;
  made.keys.assign(keys.begin(), keys.end());
  return made;
}

template <class Owner, class Rule>
void set_rule(Table& table, Rule rule) {
  table.finish = [rule](const Json& json, const std::string& path, void* owner, Defects& defects) {
    rule(json, path, *static_cast<Owner*>(owner), defects);
  };
}

}  // namespace sim
