#include "fuzz/damage.hpp"

#include <hdf5.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "fuzz/files.hpp"

namespace fuzz {

namespace {

struct Bytes {
  const std::uint8_t* at;
  const std::uint8_t* end;

  bool empty() const { return at == end; }
  unsigned one() { return empty() ? 0 : *at++; }
  unsigned two() { return one() + 256 * one(); }
};

std::vector<std::string> datasets_of(hid_t file) {
  std::vector<std::string> names;
  H5Ovisit2(
      file, H5_INDEX_NAME, H5_ITER_INC,
      [](hid_t, const char* name, const H5O_info_t* info, void* to) -> herr_t {
        if (info->type == H5O_TYPE_DATASET) static_cast<std::vector<std::string>*>(to)->emplace_back(name);
        return 0;
      },
      &names, H5O_INFO_BASIC);
  return names;
}

// What it holds, as it lies there; none of texts of any length, which are pointers in memory.
std::vector<std::uint8_t> contents(hid_t dataset) {
  const hid_t type = H5Dget_type(dataset), space = H5Dget_space(dataset);
  std::vector<std::uint8_t> bytes;
  if (H5Tdetect_class(type, H5T_VLEN) <= 0 && H5Tis_variable_str(type) <= 0) {
    bytes.resize(H5Tget_size(type) *
                 static_cast<std::size_t>(std::max<hssize_t>(0, H5Sget_simple_extent_npoints(space))));
    if (!bytes.empty()) H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data());
  }
  H5Sclose(space);
  H5Tclose(type);
  return bytes;
}

void overwrite(hid_t dataset, Bytes& input) {
  std::vector<std::uint8_t> bytes = contents(dataset);
  const std::size_t offset = input.two(), count = input.one() % 17;
  for (std::size_t i = 0; i < count; ++i) {
    const auto byte = static_cast<std::uint8_t>(input.one());
    if (!bytes.empty()) bytes[(offset + i) % bytes.size()] = byte;
  }
  const hid_t type = H5Dget_type(dataset);
  if (!bytes.empty()) H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data());
  H5Tclose(type);
}

void resize(hid_t dataset, Bytes& input) {
  const hid_t space = H5Dget_space(dataset);
  hsize_t sizes[H5S_MAX_RANK] = {};
  const int rank = H5Sget_simple_extent_dims(space, sizes, nullptr);
  H5Sclose(space);
  const unsigned axis = input.one(), length = input.one();
  if (rank <= 0) return;
  sizes[axis % static_cast<unsigned>(rank)] = length;
  H5Dset_extent(dataset, sizes);
}

void make_anew(hid_t file, const std::string& name, Bytes& input) {  // as numbers of another kind and shape
  const unsigned kind = input.one(), length = input.one();
  const hid_t types[] = {H5T_NATIVE_DOUBLE, H5T_NATIVE_INT8, H5T_NATIVE_INT64, H5T_C_S1};
  H5Ldelete(file, name.c_str(), H5P_DEFAULT);
  const hsize_t size = length;
  const hid_t space = length == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &size, nullptr);
  const hid_t made = H5Dcreate2(file, name.c_str(), types[kind % 4], space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  if (made >= 0) H5Dclose(made);
  H5Sclose(space);
}

}  // namespace

void damage(const std::string& whole, const std::string& path, const std::uint8_t* data, std::size_t size) {
  std::filesystem::copy_file(whole, path, std::filesystem::copy_options::overwrite_existing);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  if (file < 0) std::abort();
  const std::vector<std::string> names = datasets_of(file);
  Bytes input{data, data + size};
  while (!input.empty()) {
    const std::string& name = names[input.two() % names.size()];
    const unsigned what = input.one() % 4;
    if (what == 2) H5Ldelete(file, name.c_str(), H5P_DEFAULT);
    if (what == 3) make_anew(file, name, input);
    if (what >= 2) continue;
    const hid_t dataset = H5Dopen2(file, name.c_str(), H5P_DEFAULT);
    if (dataset < 0) continue;  // removed before
    what == 0 ? overwrite(dataset, input) : resize(dataset, input);
    H5Dclose(dataset);
  }
  H5Fclose(file);
}

std::string whole_file() {
  const char* name = std::getenv("SIMRUN_FUZZ_FILE");
  if (name == nullptr) {
    std::fputs("SIMRUN_FUZZ_FILE is not set: the file to damage (scripts/fuzz.sh makes one)\n", stderr);
    std::exit(2);
  }
  return name;
}

}  // namespace fuzz
