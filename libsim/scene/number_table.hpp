// Tables of numbers in CSV files: a line of column names, then one row a line. Private to the room.
//
// Columns come in any order. Empty lines and lines that begin with # are passed over.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace sim {

struct ColumnGroup {  // of which all columns are there, or none
  std::vector<std::string> names;
  bool needed = false;
};

struct NumberRow {
  int line = 0;  // of the file, from 1
  std::map<std::string, double> values;

  bool has(const std::string& column) const { return values.contains(column); }
  double at(const std::string& column) const { return values.at(column); }
};

// `what` is one row, in words. Throws FileError, or InputError with file, line, column, value and what was expected.
std::vector<NumberRow> read_numbers(const std::string& path, const std::vector<ColumnGroup>& groups,
                                    const std::string& what);

[[noreturn]] void fail_in_line(const std::string& path, int line, const std::string& what);

}  // namespace sim
