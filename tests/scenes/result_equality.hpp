// Whether two result files hold the same, bit for bit.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "output/hdf5.hpp"

namespace sim::test {

inline std::vector<std::string> dataset_names(hid_t file) {
  std::vector<std::string> names;
  const auto collect = [](hid_t, const char* name, const H5O_info_t* info, void* list) -> herr_t {
    if (info->type == H5O_TYPE_DATASET) static_cast<std::vector<std::string>*>(list)->emplace_back(name);
    return 0;
  };
  H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_INC, collect, &names, H5O_INFO_BASIC);
  return names;
}

inline std::vector<char> bytes_of(hid_t file, const std::string& name) {
  const hdf5::Handle dataset(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose);
  const hdf5::Handle type(H5Dget_type(dataset), H5Tclose), space(H5Dget_space(dataset), H5Sclose);
  if (H5Tget_class(type) == H5T_STRING) {
    std::vector<char> bytes;
    for (const std::string& text : hdf5::read_texts(file, name)) {
      bytes.insert(bytes.end(), text.begin(), text.end());
      bytes.push_back('\0');
    }
    return bytes;
  }
  std::vector<char> bytes(H5Tget_size(type) * static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
  if (bytes.empty()) return bytes;
  EXPECT_GE(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()), 0) << name;
  return bytes;
}

// Wall times; and what acm watches beyond what pushes, which a resume begins anew.
inline bool depends_on_the_machine(const std::string& name) {
  return name.rfind("steps/t_", 0) == 0 || name.rfind("events/t_", 0) == 0;
}
inline bool may_differ_after_a_resume(const std::string& name) {
  return name.rfind("events/c_", 0) == 0 || name == "events/pairs" || name == "events/smallest_h";
}

// All datasets, but for those.
inline void expect_same_datasets(const std::string& one, const std::string& two) {
  const hdf5::Handle a = hdf5::open_file(one), b = hdf5::open_file(two);
  const std::vector<std::string> names = dataset_names(a);
  ASSERT_EQ(names, dataset_names(b));
  EXPECT_GT(names.size(), 40U);
  for (const std::string& name : names) {
    EXPECT_EQ(hdf5::shape_of(a, name), hdf5::shape_of(b, name)) << name;
    if (depends_on_the_machine(name) || may_differ_after_a_resume(name)) continue;
    EXPECT_TRUE(bytes_of(a, name) == bytes_of(b, name)) << name;
  }
}

// How many rows of a dataset of a run that has not ended are there, by the rules of docs/result-format.md.
inline hsize_t finished_rows(hid_t file, const std::string& name) {
  const bool of_limits = name.rfind("contacts/limits/", 0) == 0;
  const std::string group = of_limits ? "contacts/limits" : name.substr(0, name.find('/')),
                    column = name.substr(group.size() + 1);
  const auto length = [&](const char* counter) { return hdf5::shape_of(file, counter).at(0); };
  const hsize_t rows = group == "steps"        ? length("steps/step")
                       : group == "events"     ? length("events/step")
                       : group == "trace"      ? length("trace/step")
                       : group == "checkpoint" ? length("checkpoint/step")
                                               : length("frames/time");
  const bool by_number = group == "trace" ? column != "step"
                                          : of_limits || group == "contacts" ||
                                                (group == "checkpoint" && column.rfind("contact_", 0) == 0);
  if (column == "begin" || column == "layer_begin") return rows + 1;
  if (group == "checkpoint" && column.rfind("layer_", 0) == 0)
    return static_cast<hsize_t>(hdf5::read_row<std::int64_t>(file, group + "/layer_begin", rows));
  return by_number ? static_cast<hsize_t>(hdf5::read_row<std::int64_t>(file, group + "/begin", rows)) : rows;
}

// All rows that a run which has not ended has written are those of the whole run, but for the columns of wall time.
inline void expect_beginning_of(const std::string& whole, const std::string& part) {
  const hdf5::Handle a = hdf5::open_file(whole), b = hdf5::open_file(part);
  for (const std::string& name : dataset_names(b)) {
    if (depends_on_the_machine(name) || may_differ_after_a_resume(name)) continue;
    if (name.rfind("checkpoint/last/", 0) == 0) continue;
    const std::vector<char> expected = bytes_of(a, name), found = bytes_of(b, name);
    if (name.rfind("model/", 0) == 0) {
      EXPECT_TRUE(expected == found) << name;
      continue;
    }
    const hsize_t rows = finished_rows(b, name), rows_there = hdf5::shape_of(b, name).at(0);
    ASSERT_LE(rows, rows_there) << name;
    ASSERT_LE(rows, hdf5::shape_of(a, name).at(0)) << name;
    const std::size_t size = rows > 0 ? found.size() / rows_there * rows : 0;
    EXPECT_TRUE(std::equal(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(size), expected.begin()))
        << name;
  }
}

}  // namespace sim::test
