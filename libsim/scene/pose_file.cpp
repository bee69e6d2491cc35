#include "scene/pose_file.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <map>

#include "math/error.hpp"
#include "scene/defects.hpp"

namespace sim {
namespace {

using Columns = std::vector<std::string>;

const std::vector<Columns>& groups() {
  static const std::vector<Columns> all = {{"x", "y", "z"},
                                           {"qw", "qx", "qy", "qz"},
                                           {"ax", "ay", "az", "degrees"},
                                           {"vx", "vy", "vz"},
                                           {"wx", "wy", "wz"}};
  return all;
}

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> found(1);
  for (const char c : line) {
    if (c == ',') {
      found.emplace_back();
    } else {
      found.back() += c;
    }
  }
  for (std::string& cell : found) cell = trimmed(cell);
  return found;
}

[[noreturn]] void fail(const std::string& path, int line, const std::string& what) {
  throw InputError(path + ": line " + std::to_string(line) + ": " + what);
}

void check_header(const std::string& path, int line, const Columns& header) {
  Columns known;
  for (const Columns& group : groups()) known.insert(known.end(), group.begin(), group.end());
  const auto has = [&](const std::string& name) {
    return std::find(header.begin(), header.end(), name) != header.end();
  };
  for (const std::string& name : header) {
    if (std::find(known.begin(), known.end(), name) == known.end())
      fail(path, line,
           quoted(name) + ": expected a column name, one of " + quoted_list(known) + did_you_mean(known, name));
    if (std::count(header.begin(), header.end(), name) > 1)
      fail(path, line, quoted(name) + ": expected this column once");
  }
  for (const Columns& group : groups()) {
    const auto given = std::count_if(group.begin(), group.end(), has);
    const bool needed = group.front() == "x" || given > 0;
    if (needed && given != static_cast<std::ptrdiff_t>(group.size()))
      fail(path, line, "expected all of the columns " + quoted_list(group) + ", found " + std::to_string(given));
  }
  if (has("qw") && has("ax"))
    fail(path, line, "expected a quaternion or an axis with degrees, found columns of both");
}

double number_in(const std::string& path, int line, const std::string& column, const std::string& text) {
  double value = 0;
  const char* const begin = text.c_str() + (text.starts_with("+") ? 1 : 0);
  const char* const end = text.c_str() + text.size();
  const auto [rest, error] = std::from_chars(begin, end, value);
  if (error != std::errc() || rest != end || !std::isfinite(value))
    fail(path, line, "column " + quoted(column) + ": " + quoted(text) + ": expected a number");
  return value;
}

using Row = std::map<std::string, double>;

std::optional<Vec3> three(const Row& row, const char* x, const char* y, const char* z) {
  if (!row.contains(x)) return {};
  return Vec3(row.at(x), row.at(y), row.at(z));
}

PoseSpec pose_of(const std::string& path, int line, const Row& row) {
  PoseSpec pose;
  pose.position = *three(row, "x", "y", "z");
  pose.velocity = three(row, "vx", "vy", "vz");
  pose.angular_velocity = three(row, "wx", "wy", "wz");
  if (row.contains("qw")) {
    pose.quaternion = {row.at("qw"), row.at("qx"), row.at("qy"), row.at("qz")};
    if (*pose.quaternion == std::array<double, 4>{0, 0, 0, 0})
      fail(path, line, "columns \"qw\" to \"qz\": expected a quaternion that is not zero");
  }
  if (row.contains("ax")) {
    pose.rotation = {*three(row, "ax", "ay", "az"), row.at("degrees")};
    if (!(pose.rotation->axis.norm() > 0))
      fail(path, line, "columns \"ax\" to \"az\": expected an axis that is not zero");
  }
  return pose;
}

}  // namespace

std::vector<PoseSpec> read_poses(const std::string& path) {
  std::ifstream file(path);
  if (!file)
    throw FileError("the file \"" + path + "\" cannot be opened; files of poses are relative to the scene's folder");
  std::vector<PoseSpec> poses;
  Columns header;
  std::string text;
  for (int line = 1; std::getline(file, text); ++line) {
    if (trimmed(text).empty() || trimmed(text)[0] == '#') continue;
    const Columns found = cells(text);
    if (header.empty()) {
      header = found;
      check_header(path, line, header);
      continue;
    }
    if (found.size() != header.size())
      fail(path, line,
           "expected " + std::to_string(header.size()) + " values, as there are column names, found " +
               std::to_string(found.size()));
    Row row;
    for (std::size_t i = 0; i < header.size(); ++i) row[header[i]] = number_in(path, line, header[i], found[i]);
    poses.push_back(pose_of(path, line, row));
  }
  if (file.bad()) throw FileError("the file \"" + path + "\" cannot be read to its end");
  if (poses.empty()) throw InputError(path + ": expected a line of column names and at least one pose");
  return poses;
}

}  // namespace sim
