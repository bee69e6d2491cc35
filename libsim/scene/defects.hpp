// What is wrong with a scene: every defect is one line
//     source: /json/path: value: what was expected; did you mean "..."?
// and all of them are told together.
#pragma once

#include <string>
#include <vector>

#include "scene/origin.hpp"

namespace sim {

struct Defects {
  std::string source;           // the file's name
  std::vector<Origin> origins;  // the last that fits counts
  std::vector<std::string> lines;
};

void add_defect(Defects& defects, const std::string& path, const std::string& value, const std::string& expected);

std::string joined_lines(const Defects& defects);  // of very many only the first
// Throws InputError with the joined lines.
void throw_if_any(const Defects& defects);

// path/key, with the escapes of JSON pointers (RFC 6901).
std::string sub_path(const std::string& path, const std::string& key);
std::string sub_path(const std::string& path, std::size_t index);

std::string name_without_number(const std::string& name);  // "heap" of "heap.3"
std::string quoted(const std::string& text);
std::string quoted_list(const std::vector<std::string>& names);  // "a", "b", "c"

// Edits (insert, delete, replace, swap of neighbours) that make one of the other, upper and lower case alike.
std::size_t edit_distance(const std::string& first, const std::string& second);
// Those that are near enough to be meant, then the others by the alphabet.
std::vector<std::string> nearest_first(std::vector<std::string> names, const std::string& wanted);
// `; did you mean "..."?` where one of the names is near enough, else nothing.
std::string did_you_mean(const std::vector<std::string>& names, const std::string& wanted);
// The same for keys, which may also be asked for by another word for the same thing: "cells" for "resolution".
std::string did_you_mean_key(const std::vector<std::string>& keys, const std::string& wanted);

}  // namespace sim
