#include "scene/number_table.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>

#include "math/error.hpp"
#include "scene/defects.hpp"

namespace sim {
namespace {

using Columns = std::vector<std::string>;

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

void check_header(const std::string& path, int line, const Columns& header, const std::vector<ColumnGroup>& groups) {
  Columns known;
  for (const ColumnGroup& group : groups) known.insert(known.end(), group.names.begin(), group.names.end());
  const auto has = [&](const std::string& name) {
    return std::find(header.begin(), header.end(), name) != header.end();
  };
  for (const std::string& name : header) {
    if (std::find(known.begin(), known.end(), name) == known.end())
      fail_in_line(
          path, line,
          quoted(name) + ": expected a column name, one of " + quoted_list(known) + did_you_mean(known, name));
    if (std::count(header.begin(), header.end(), name) > 1)
      fail_in_line(path, line, quoted(name) + ": expected this column once");
  }
  for (const ColumnGroup& group : groups) {
    const auto given = std::count_if(group.names.begin(), group.names.end(), has);
    if ((group.needed || given > 0) && given != static_cast<std::ptrdiff_t>(group.names.size()))
      fail_in_line(path, line,
                   "expected all of the columns " + quoted_list(group.names) + ", found " + std::to_string(given));
  }
}

double number_in(const std::string& path, int line, const std::string& column, const std::string& text) {
  double value = 0;
  const char* const begin = text.c_str() + (text.starts_with("+") ? 1 : 0);
  const char* const end = text.c_str() + text.size();
  const auto [rest, error] = std::from_chars(begin, end, value);
  if (error != std::errc() || rest != end || !std::isfinite(value))
    fail_in_line(path, line, "column " + quoted(column) + ": " + quoted(text) + ": expected a number");
  return value;
}

}  // namespace

void fail_in_line(const std::string& path, int line, const std::string& what) {
  throw InputError(path + ": line " + std::to_string(line) + ": " + what);
}

std::vector<NumberRow> read_numbers(const std::string& path, const std::vector<ColumnGroup>& groups,
                                    const std::string& what) {
  std::ifstream file(path);
  if (!file)
    throw FileError("the file \"" + path + "\" cannot be opened; files of " + what +
                    "s are relative to the scene's folder");
  std::vector<NumberRow> rows;
  Columns header;
  std::string text;
  for (int line = 1; std::getline(file, text); ++line) {
    if (trimmed(text).empty() || trimmed(text)[0] == '#') continue;
    const Columns found = cells(text);
    if (header.empty()) {
      header = found;
      check_header(path, line, header, groups);
      continue;
    }
    if (found.size() != header.size())
      fail_in_line(path, line,
                   "expected " + std::to_string(header.size()) + " values, as there are column names, found " +
                       std::to_string(found.size()));
    NumberRow row{line, {}};
    for (std::size_t i = 0; i < header.size(); ++i)
      row.values[header[i]] = number_in(path, line, header[i], found[i]);
    rows.push_back(std::move(row));
  }
  if (file.bad()) throw FileError("the file \"" + path + "\" cannot be read to its end");
  if (rows.empty()) throw InputError(path + ": expected a line of column names and at least one " + what);
  return rows;
}

}  // namespace sim
