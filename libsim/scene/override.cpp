#include "scene/override.hpp"

#include <algorithm>
#include <optional>

#include "math/error.hpp"
#include "scene/tables.hpp"

namespace sim {
namespace {

std::vector<std::string> split(const std::string& path) {
  std::vector<std::string> parts(1);
  for (const char c : path) {
    if (c == '.') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

std::string join(const std::vector<std::string>& parts, std::size_t begin, std::size_t end) {
  std::string joined = parts[begin];
  for (std::size_t i = begin + 1; i < end; ++i) joined += "." + parts[i];
  return joined;
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// The numbers that people type and JSON does not have: .5, 5. and +5; also inside lists, not inside quotes.
std::string with_json_numbers(const std::string& text) {
  std::string written;
  bool in_quotes = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i], before = i > 0 ? text[i - 1] : ' ', after = i + 1 < text.size() ? text[i + 1] : ' ';
    in_quotes ^= c == '"';
    const bool is_sign = c == '+' && before != 'e' && before != 'E' && (is_digit(after) || after == '.');
    if (!in_quotes && is_sign) continue;
    if (!in_quotes && c == '.' && !is_digit(before) && is_digit(after)) written += '0';
    written += c;
    if (!in_quotes && c == '.' && is_digit(before) && !is_digit(after)) written += '0';
  }
  return written;
}

// Nothing where the text is no JSON.
std::optional<Json> json_of(const std::string& text, const std::string& path, Defects& defects) {
  Defects within{defects.source, {}, {}};
  try {
    Json value = read_json(text, within, path);
    defects.lines.insert(defects.lines.end(), within.lines.begin(), within.lines.end());
    return value;
  } catch (const InputError& error) {
    if (within.lines.empty()) return std::nullopt;
    // A defect of the value (a number too large), not of its grammar: nobody means that as text.
    defects.lines.push_back(error.what());
    return text;
  }
}

Json value_of(const std::string& text, const std::string& path, Defects& defects) {
  if (std::optional<Json> value = json_of(text, path, defects)) return *value;
  return json_of(with_json_numbers(text), path, defects).value_or(text);
}

bool is_index(const std::string& part) {
  return !part.empty() && part.size() < 10 && part.find_first_not_of("0123456789") == std::string::npos;
}

std::vector<std::string> names_in(const Json& list) {
  std::vector<std::string> names;
  for (const Json& entry : list) {
    if (entry.is_object() && entry.contains("name") && entry["name"].is_string()) names.push_back(entry["name"]);
  }
  return names;
}

// Walks down the tree; names with dots in them are found by taking as many parts as make a known one.
struct Walk {
  Json* place;
  std::string path;
  std::optional<std::string> made;  // path of the first key that was not there before
};

bool step_into_list(Walk& walk, const std::vector<std::string>& parts, std::size_t& next, Defects& defects) {
  Json& list = *walk.place;
  for (std::size_t end = parts.size(); end > next; --end) {
    const std::string name = join(parts, next, end);
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (!list[i].is_object() || !list[i].contains("name") || list[i]["name"] != name) continue;
      walk.place = &list[i];
      walk.path = sub_path(walk.path, i);
      next = end;
      return true;
    }
  }
  const std::string& part = parts[next];
  if (is_index(part) && std::stoul(part) < list.size()) {
    walk.place = &list[std::stoul(part)];
    walk.path = sub_path(walk.path, std::stoul(part));
    ++next;
    return true;
  }
  const std::vector<std::string> names = names_in(list);
  const std::string numbers =
      list.empty() ? "the list is empty" : "a number from 0 to " + std::to_string(list.size() - 1);
  add_defect(defects, walk.path, quoted(part),
             "expected " + numbers +
                 (names.empty() ? "" : " or a name, one of " + quoted_list(nearest_first(names, part))) +
                 did_you_mean(names, part));
  return false;
}

// materials and meshes: their keys are names that the scene gives.
bool holds_names(const std::string& path) {
  const std::vector<Key>& keys = scene_table().keys;
  return std::any_of(keys.begin(), keys.end(), [&](const Key& key) {
    return key.shape.kind == Shape::Kind::names && path == sub_path("", key.name);
  });
}

// A name that is not there may be given all of its value, not a part of it: that would make a thing of its own out of
// what is misspelt.
void add_unknown_name(const Walk& walk, const std::string& name, Defects& defects) {
  std::vector<std::string> names;
  for (const auto& [key, unused] : walk.place->items()) names.push_back(key);
  const std::string path = walk.path.substr(1);
  add_defect(
      defects, walk.path, quoted(name),
      (names.empty() ? "expected a name that the scene has, but it has none"
                     : "expected one of " + quoted_list(nearest_first(names, name)) + did_you_mean(names, name)) +
          " (a new one is given whole: --set '" + path + "." + name + "={...}')");
}

bool step_into_object(Walk& walk, const std::vector<std::string>& parts, std::size_t& next, Defects& defects) {
  Json& object = *walk.place;
  std::size_t end = parts.size();
  while (end > next + 1 && !object.contains(join(parts, next, end))) --end;
  const std::string key = join(parts, next, end);
  if (end < parts.size() && !object.contains(key) && holds_names(walk.path)) {
    add_unknown_name(walk, key, defects);
    return false;
  }
  walk.path = sub_path(walk.path, key);
  if (!object.contains(key) && !walk.made) walk.made = walk.path;
  walk.place = &object[key];
  next = end;
  return true;
}

}  // namespace

void apply_override(Json& scene, const std::string& text, Defects& defects) {
  Defects found{"--set " + text, {}, {}};
  const std::size_t equals = text.find('=');
  const std::vector<std::string> parts = split(text.substr(0, std::min(equals, text.size())));
  const bool has_gap = std::any_of(parts.begin(), parts.end(), [](const std::string& part) { return part.empty(); });
  if (equals == std::string::npos || has_gap) {
    defects.lines.push_back(found.source + ": expected path.to.key=value, such as time.step=0.001 or " +
                            "objects.ball.velocity=[0,0,1]");
    return;
  }
  Walk walk{&scene, "", std::nullopt};
  for (std::size_t next = 0; next < parts.size();) {
    if (walk.place->is_null() && walk.made) *walk.place = Json::object();
    if (walk.place->is_array()) {
      if (!step_into_list(walk, parts, next, found)) break;
    } else if (walk.place->is_object()) {
      if (!step_into_object(walk, parts, next, found)) break;
    } else {
      add_defect(
          found, walk.path, shown(*walk.place),
          "expected an object or a list to look for " + quoted(parts[next]) + " in, found " + kind_of(*walk.place));
      break;
    }
  }
  if (found.lines.empty()) *walk.place = value_of(text.substr(equals + 1), walk.path, found);
  defects.lines.insert(defects.lines.end(), found.lines.begin(), found.lines.end());
  defects.origins.push_back({walk.made.value_or(walk.path), found.source, walk.path});
}

}  // namespace sim
