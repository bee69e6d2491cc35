#include "scene/defects.hpp"

#include <algorithm>
#include <cctype>
#include <limits>
#include <map>
#include <utility>

#include "math/error.hpp"

namespace sim {
namespace {

constexpr std::size_t most_lines = 20;

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

bool is_inside(const std::string& path, const std::string& root) {
  return path.compare(0, root.size(), root) == 0 && (path.size() == root.size() || path[root.size()] == '/');
}

// What stands between quotation marks, at most `longest` letters of it: an expression may be as long as a file.
std::string with_short_quotes(const std::string& text) {
  constexpr std::size_t longest = 200;
  std::string result;
  std::size_t begin = 0;
  for (;;) {
    const std::size_t open = text.find('"', begin), close = open == text.npos ? open : text.find('"', open + 1);
    if (close == text.npos) return result + text.substr(begin);
    std::size_t end = std::min(close, open + 1 + longest);
    while (end > open + 1 && end < close && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
    result += text.substr(begin, end - begin) + (end < close ? "..." : "") + '"';
    begin = close + 1;
  }
}

}  // namespace

void add_defect(Defects& defects, const std::string& path, const std::string& value, const std::string& expected) {
  std::string source = defects.source;
  for (const Origin& origin : defects.origins) {
    if (is_inside(path, origin.path)) source = origin.source;
  }
  defects.lines.push_back(source + ": " + (path.empty() ? "/" : path) + ": " + value + ": " +
                          with_short_quotes(expected));
}

std::string joined_lines(const Defects& defects) {
  const std::size_t shown = std::min(defects.lines.size(), most_lines);
  std::string message;
  for (std::size_t i = 0; i < shown; ++i) message += (i == 0 ? "" : "\n") + defects.lines[i];
  if (shown < defects.lines.size()) message += "\n... and " + std::to_string(defects.lines.size() - shown) + " more";
  return message;
}

void throw_if_any(const Defects& defects) {
  if (!defects.lines.empty()) throw InputError(joined_lines(defects));
}

std::string sub_path(const std::string& path, const std::string& key) {
  std::string escaped;
  for (const char c : key) {
    if (c == '~') {
      escaped += "~0";
    } else if (c == '/') {
      escaped += "~1";
    } else {
      escaped += c;
    }
  }
  return path + "/" + escaped;
}

std::string sub_path(const std::string& path, std::size_t index) {
  return path + "/" + std::to_string(index);
}

std::string name_without_number(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  const bool numbered =
      dot != name.npos && dot + 1 < name.size() && name.find_first_not_of("0123456789", dot + 1) == name.npos;
  return numbered ? name.substr(0, dot) : name;
}

std::string quoted(const std::string& text) {
  return '"' + text + '"';
}

std::string quoted_list(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + quoted(name);
  return list;
}

std::size_t edit_distance(const std::string& first, const std::string& second) {
  const std::string a = lower(first), b = lower(second);
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before = last;
    last = row;
  }
  return last[b.size()];
}

namespace {

bool is_near(const std::string& name, const std::string& wanted) {
  return edit_distance(name, wanted) <= 1 + std::min(name.size(), wanted.size()) / 3;
}

}  // namespace

std::vector<std::string> nearest_first(std::vector<std::string> names, const std::string& wanted) {
  const auto place = [&](const std::string& name) {
    return is_near(name, wanted) ? std::pair(edit_distance(name, wanted), std::string())
                                 : std::pair(std::numeric_limits<std::size_t>::max(), name);
  };
  std::map<std::string, std::pair<std::size_t, std::string>> places;
  for (const std::string& name : names) places[name] = place(name);
  std::stable_sort(names.begin(), names.end(),
                   [&](const std::string& a, const std::string& b) { return places.at(a) < places.at(b); });
  return names;
}

namespace {

// Keys and words for one thing, here or elsewhere in the format, and what other programs call it.
const std::vector<std::vector<std::string>> alike = {
    {"cells", "segments", "across", "resolution", "subdivisions", "divisions"},
    {"size", "dimensions", "extents", "lengths"},
    {"position", "translation", "translate", "location", "origin"},
    {"young", "e", "youngs_modulus", "young_modulus"},
    {"poisson", "nu", "poisson_ratio", "poissons_ratio"},
    {"density", "rho"},
    {"friction", "mu", "friction_coefficient", "friction_coeff"},
    {"degrees", "angle"},
    {"step", "dt", "time_step", "timestep"},
    {"duration", "tend", "end_time", "end"},
    {"velocity", "linear_velocity"},
    {"box", "cube", "cuboid", "brick"},
    {"sphere", "ball"},
    {"half-space", "plane", "ground", "floor"},
    {"sheet", "grid", "cloth", "square"},
    {"fixed", "static", "obstacle"},
    {"scripted", "kinematic"},
    {"deformable", "elastic", "soft"}};

// Keys of other programs for what is told otherwise here.
const std::map<std::string, std::string> told_otherwise = {
    {"mass", "a body has the mass of its mesh: give its material a \"density\""},
    {"inertia", "a body has the inertia of its mesh, by the \"density\" of its material"},
    {"restitution", "impacts have no coefficient of restitution, but of the method \"acm\": \"acm.restitution\""},
    {"quaternion", "\"rotation\" takes an axis and degrees; \"poses\" take quaternions"},
    {"dhat", "contacts are constraints, without a barrier: \"contact.tolerance\" is the gap that they may have"},
    {"is_obstacle", "an obstacle has the \"type\" \"fixed\", or \"scripted\" with a \"motion\""}};

}  // namespace

std::string did_you_mean(const std::vector<std::string>& names, const std::string& wanted) {
  if (names.empty()) return "";
  const std::string nearest = nearest_first(names, wanted).front();
  if (is_near(nearest, wanted)) return "; did you mean " + quoted(nearest) + "?";
  for (const std::vector<std::string>& words : alike) {
    if (std::find(words.begin(), words.end(), lower(wanted)) == words.end()) continue;
    std::string found;
    for (const std::string& word : words) {
      if (std::find(names.begin(), names.end(), word) != names.end())
        found += (found.empty() ? "" : " or ") + quoted(word);
    }
    if (!found.empty()) return "; did you mean " + found + "?";
  }
  return "";
}

std::string did_you_mean_key(const std::vector<std::string>& keys, const std::string& wanted) {
  const auto told = told_otherwise.find(lower(wanted));
  return told != told_otherwise.end() ? "; " + told->second : did_you_mean(keys, wanted);
}

}  // namespace sim
