// A small FCLIB file written with HDF5 itself, and what is said about files.
#pragma once

#include <gtest/gtest.h>
#include <hdf5.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "output/fclib.hpp"
#include "output/fixture.hpp"

namespace sim::testing {

// A file by dataset, written with HDF5 itself. Two points of mass 2 and 4 kg joined along x by a spring of 1 (in the
// units of M), one contact between them with normal z and a step of 0.5 s.
struct RawFile {
  std::map<std::string, std::vector<std::int64_t>> integers{{"spacedim", {3}},  //
                                                            {"M/nzmax", {8}},
                                                            {"M/m", {6}},
                                                            {"M/n", {6}},
                                                            {"M/nz", {-1}},
                                                            {"M/p", {0, 2, 3, 4, 6, 7, 8}},
                                                            {"M/i", {0, 3, 1, 2, 0, 3, 4, 5}},
                                                            {"H/nzmax", {6}},
                                                            {"H/m", {6}},
                                                            {"H/n", {3}},
                                                            {"H/nz", {-1}},
                                                            {"H/p", {0, 2, 4, 6}},
                                                            {"H/i", {2, 5, 0, 3, 1, 4}}};
  std::map<std::string, std::vector<double>> reals{{"M/x", {3, -1, 2, 2, -1, 5, 4, 4}},
                                                   {"H/x", {0.5, -0.5, 0.5, -0.5, 0.5, -0.5}},
                                                   {"vectors/f", {1, 2, 3, 4, 5, 6}},
                                                   {"vectors/w", {0.1, -0.2, 0.3}},
                                                   {"vectors/mu", {0.4}}};
  std::map<std::string, std::vector<double>> root_reals;  // by absolute path

  void write(const std::string& path) const {
    const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    for (const auto& [name, values] : integers) put(file, "/fclib_global/" + name, H5T_NATIVE_INT64, values);
    for (const auto& [name, values] : reals) put(file, "/fclib_global/" + name, H5T_NATIVE_DOUBLE, values);
    for (const auto& [name, values] : root_reals) put(file, name, H5T_NATIVE_DOUBLE, values);
    H5Fclose(file);
  }

  template <class T>
  static void put(hid_t file, const std::string& path, hid_t type, const std::vector<T>& values) {
    const hsize_t size = values.size();
    const hid_t space = H5Screate_simple(1, &size, nullptr);
    const hid_t links = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(links, 1);
    const hid_t dataset = H5Dcreate2(file, path.c_str(), type, space, links, H5P_DEFAULT, H5P_DEFAULT);
    if (size > 0) H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    H5Dclose(dataset);
    H5Pclose(links);
    H5Sclose(space);
  }
};

inline FclibProblem read_raw(const RawFile& raw) {
  const Folder folder;
  raw.write(folder.file("p.hdf5"));
  return read_fclib(folder.file("p.hdf5"));
}

template <class Error>
std::string message_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  } catch (const std::exception& error) {
    return std::string("another exception: ") + error.what();
  }
  return "no exception";
}

inline void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "no \"" << part << "\" in: " << text;
}

}  // namespace sim::testing
