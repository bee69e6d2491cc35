#include "scene/pairs.hpp"

#include <algorithm>
#include <cassert>
#include <map>
#include <set>

namespace sim {
namespace {

// Does the text have this form, where * stands for any text?
bool matches(std::string_view form, std::string_view text) {
  const std::size_t star = form.find('*');
  if (star == std::string_view::npos) return form == text;
  if (!text.starts_with(form.substr(0, star))) return false;
  const std::string_view rest = form.substr(star + 1);
  for (std::size_t begin = star; begin <= text.size(); ++begin) {
    if (matches(rest, text.substr(begin))) return true;
  }
  return false;
}

std::optional<double> own_friction(const Scene& scene, const ObjectSpec& spec) {
  if (spec.friction) return spec.friction;
  const auto material = std::find_if(scene.materials.begin(), scene.materials.end(),
                                     [&](const Material& m) { return m.name == spec.material; });
  return material != scene.materials.end() ? material->friction : std::nullopt;
}

// All that decides how an object meets others: by entry, which of its names fit.
struct Kind {
  std::optional<double> friction;
  std::vector<std::array<bool, 2>> fits;
  auto operator<=>(const Kind&) const = default;
};

Kind kind_of(const Scene& scene, const NamedObject& object) {
  Kind kind;
  kind.friction = own_friction(scene, *object.spec);
  for (const PairSpec& pair : scene.contact.pairs)
    kind.fits.push_back({fits(pair.between[0], object), fits(pair.between[1], object)});
  return kind;
}

double combined(const Scene& scene, const Kind& a, const Kind& b) {
  if (a.friction && b.friction) return std::min(*a.friction, *b.friction);
  return a.friction.value_or(b.friction.value_or(scene.contact.friction));
}

// The last entry that fits; null where none does.
const PairSpec* entry_of(const Scene& scene, const Kind& a, const Kind& b) {
  for (std::size_t i = scene.contact.pairs.size(); i-- > 0;) {
    if ((a.fits[i][0] && b.fits[i][1]) || (a.fits[i][1] && b.fits[i][0])) return &scene.contact.pairs[i];
  }
  return nullptr;
}

// A copy's number is cut off: thousands of names help nobody.
std::vector<std::string> known_names(std::span<const NamedObject> objects) {
  std::vector<std::string> names;
  for (const NamedObject& object : objects) {
    if (names.empty() || names.back() != object.spec->name) names.push_back(object.spec->name);
  }
  return names;
}

std::string twice(const PairSpec& pair, const std::string& first) {
  return "expected every two names once, " + first + " has " + quoted(pair.between[0]) + " and " +
         quoted(pair.between[1]) + " already and could never count";
}

}  // namespace

std::vector<NamedObject> named_objects(const Scene& scene, const Model& model) {
  std::map<std::string, const ObjectSpec*> by_name;
  for (const ObjectSpec& spec : scene.objects) by_name[spec.name] = &spec;
  std::vector<NamedObject> named;
  for (const Object& object : model.objects) {
    std::string name = object.name;  // "heap.3" is a copy of "heap"
    while (by_name.count(name) == 0 && name.rfind('.') != std::string::npos) name.resize(name.rfind('.'));
    assert(by_name.count(name) != 0);
    named.push_back({object.name, by_name[name]});
  }
  return named;
}

bool fits(const std::string& name, const NamedObject& object) {
  return matches(name, object.name) || matches(name, object.spec->name);
}

void check_pairs(const Scene& scene, std::span<const NamedObject> objects, Defects& defects) {
  const std::string path = "/contact/pairs";
  std::map<std::array<std::string, 2>, std::size_t> seen;
  const std::vector<std::string> known = known_names(objects);
  if (!defects.lines.empty()) return;  // objects may be missing
  for (std::size_t i = 0; i < scene.contact.pairs.size(); ++i) {
    const PairSpec& pair = scene.contact.pairs[i];
    const std::string place = sub_path(path, i) + "/between";
    for (std::size_t k = 0; k < 2; ++k) {
      const std::string& name = pair.between[k];
      if (std::any_of(objects.begin(), objects.end(), [&](const NamedObject& o) { return fits(name, o); })) continue;
      add_defect(defects, sub_path(place, k), quoted(name),
                 "expected the name of an object, of one copy of it, or with * for any text; the objects are " +
                     quoted_list(nearest_first(known, name)) + did_you_mean(known, name));
    }
    std::array<std::string, 2> names = pair.between;
    std::sort(names.begin(), names.end());
    const auto [first, is_new] = seen.emplace(names, i);
    if (!is_new)
      add_defect(defects, place, quoted_list({names[0], names[1]}), twice(pair, sub_path(path, first->second)));
  }
}

PairTable pair_table(const Scene& scene, std::span<const NamedObject> objects) {
  PairTable table;
  std::map<Kind, Index> index;
  std::vector<Kind> kinds;
  for (const NamedObject& object : objects) {
    const Kind kind = kind_of(scene, object);
    const auto [found, is_new] = index.emplace(kind, static_cast<Index>(kinds.size()));
    if (is_new) kinds.push_back(kind);
    table.groups.of_object.push_back(found->second);
  }
  table.groups.count = kinds.size();
  for (const Kind& a : kinds) {
    for (const Kind& b : kinds) {
      const PairSpec* entry = entry_of(scene, a, b);
      table.groups.excluded.push_back(entry != nullptr && entry->exclude ? 1 : 0);
      table.friction.push_back(entry != nullptr ? entry->friction.value_or(0) : combined(scene, a, b));
    }
  }
  return table;
}

void set_pairs(const Scene& scene, std::span<const NamedObject> objects, Model& model) {
  PairTable table = pair_table(scene, objects);
  if (table.groups.count <= 1 && scene.contact.pairs.empty() && !table.friction.empty()) {
    model.friction = table.friction.front();  // all are alike
    return;
  }
  model.pair_friction = std::move(table.friction);
  model.surface.groups = std::move(table.groups);
}

bool has_friction(const Scene& scene) {
  const auto rubs = [](const std::optional<double>& friction) { return friction.value_or(0) > 0; };
  return scene.contact.friction > 0 ||
         std::any_of(scene.contact.pairs.begin(), scene.contact.pairs.end(),
                     [&](const PairSpec& pair) { return rubs(pair.friction); }) ||
         std::any_of(scene.objects.begin(), scene.objects.end(),
                     [&](const ObjectSpec& spec) { return rubs(own_friction(scene, spec)); });
}

}  // namespace sim
