#include "output/hdf5.hpp"

#include <algorithm>
#include <limits>
#include <memory>

#include "output/commit_driver.hpp"

namespace sim::hdf5 {
namespace {

herr_t keep_innermost(unsigned, const H5E_error2_t* entry, void* out) {
  *static_cast<std::string*>(out) = entry->desc ? entry->desc : "";
  return 0;
}

Handle text_type() {
  Handle type(check(H5Tcopy(H5T_C_S1), "copy a type"), H5Tclose);
  check(H5Tset_size(type, H5T_VARIABLE), "make a text type");
  check(H5Tset_cset(type, H5T_CSET_UTF8), "make a text type");
  return type;
}

Handle space_of(const Shape& shape, const Shape& most = {}) {
  return {check(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), most.empty() ? nullptr : most.data()),
                "make a dataspace"),
          H5Sclose};
}

Handle create_dataset(hid_t parent, const std::string& name, hid_t type, const Handle& space, const Shape& chunk,
                      int compression = 0) {
  const Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  const Handle access(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose);
  H5Pset_obj_track_times(creation, false);
  if (!chunk.empty()) {
    check(H5Pset_chunk(creation, static_cast<int>(chunk.size()), chunk.data()), "set the chunks of " + name);
    H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER);
    H5Pset_chunk_cache(access, 0, 0, 0);  // rows go to the driver as they are
    if (compression > 0) {
      check(H5Pset_shuffle(creation), "shuffle " + name);
      check(H5Pset_deflate(creation, static_cast<unsigned>(compression)), "compress " + name);
    }
  }
  return {check(H5Dcreate2(parent, name.c_str(), type, space, H5P_DEFAULT, creation, access), "create " + name),
          H5Dclose};
}

Shape shape_of_dataset(const Handle& dataset) {
  const Handle space(check(H5Dget_space(dataset), "read a dataspace"), H5Sclose);
  Shape shape(static_cast<std::size_t>(check(H5Sget_simple_extent_ndims(space), "read a shape")));
  check(H5Sget_simple_extent_dims(space, shape.data(), nullptr), "read a shape");
  return shape;
}

// Selects `count` rows from `first` on in the dataset's space and returns that with the matching space in memory.
std::pair<Handle, Handle> select_rows(const Handle& dataset, const Shape& shape, hsize_t first, hsize_t count) {
  Shape start(shape.size(), 0), extent = shape;
  start[0] = first;
  extent[0] = count;
  Handle space(check(H5Dget_space(dataset), "read a dataspace"), H5Sclose);
  check(H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, extent.data(), nullptr), "select rows");
  return {std::move(space), space_of(extent)};
}

// The chunks of a dataset whose rows are compressed one by one; empty for other datasets.
Shape row_chunk(const Handle& dataset, std::size_t rank) {
  const Handle creation(check(H5Dget_create_plist(dataset), "read how a dataset is stored"), H5Pclose);
  Shape chunk(rank);
  if (H5Pget_layout(creation) != H5D_CHUNKED || H5Pget_nfilters(creation) != 2 ||
      H5Pget_chunk(creation, static_cast<int>(rank), chunk.data()) < 0 || chunk[0] != 1)
    return {};
  return chunk;
}

// Copies a row of two or three dimensions as it is, without undoing and doing the compression.
void copy_chunks(const Handle& from, const Table& to, const Shape& chunk, hsize_t row, std::vector<char>& bytes) {
  for (hsize_t begin = 0; begin < to.row[0]; begin += chunk[1]) {
    const std::array<hsize_t, 3> place{row, begin, 0};
    hsize_t size = 0;
    check(H5Dget_chunk_storage_size(from, place.data(), &size), "read " + to.name);
    if (size == 0) throw Failure(to.name + " has no row " + std::to_string(row));
    bytes.resize(size);
    std::uint32_t filters = 0;
    check(H5Dread_chunk(from, H5P_DEFAULT, place.data(), &filters, bytes.data()), "read " + to.name);
    check(H5Dwrite_chunk(to.dataset, H5P_DEFAULT, filters, place.data(), size, bytes.data()), "write " + to.name);
  }
}

Handle open_attribute(hid_t object, const std::string& name) {
  return {check(H5Aopen(object, name.c_str(), H5P_DEFAULT), "open the attribute " + name), H5Aclose};
}

}  // namespace

void silence() {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

std::string reason() {
  std::string text;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, keep_innermost, &text);
  return text.empty() ? "HDF5 gives no reason" : text;
}

Handle create_file(const std::string& name, int descriptor) {
  const Handle access(check(H5Pcreate(H5P_FILE_ACCESS), "prepare"), H5Pclose);
  const Handle creation(check(H5Pcreate(H5P_FILE_CREATE), "prepare"), H5Pclose);
  use_commit_driver(access, descriptor);
  // Of HDF5 1.8 so that the superblock has version 2: version 3 marks a file that is being written, and marked files
  // cannot be opened by others, not even after the writer was killed.
  check(H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V110), "create the file");
  // Every block comes from the driver, none from space that became free.
  check(H5Pset_file_space_strategy(creation, H5F_FSPACE_STRATEGY_NONE, false, 1), "create the file");
  // Equal runs give equal bytes: no times of day in the root, either.
  check(H5Pset_obj_track_times(creation, false), "create the file");
  // More attributes than that would move them out of the root's object header.
  check(H5Pset_attr_phase_change(creation, 64, 0), "create the file");
  Handle file(check(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, creation, access), "create the file"), H5Fclose);
  // Of HDF5 1.10 from here on: its chunk index for growing datasets is checksummed and grows without moving entries.
  check(H5Fset_libver_bounds(file, H5F_LIBVER_V110, H5F_LIBVER_V110), "create the file");
  return file;
}

Handle open_file(const std::string& path) {
  const Handle access(check(H5Pcreate(H5P_FILE_ACCESS), "prepare"), H5Pclose);
  H5Pset_file_locking(access, false, true);
  return {check(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access), "open the file"), H5Fclose};
}

Handle create_in_memory() {
  const Handle access(check(H5Pcreate(H5P_FILE_ACCESS), "prepare"), H5Pclose);
  constexpr std::size_t increment = 1 << 20;
  check(H5Pset_fapl_core(access, increment, false), "prepare");
  return {check(H5Fcreate("in memory", H5F_ACC_TRUNC, H5P_DEFAULT, access), "create the file"), H5Fclose};
}

std::vector<char> image_of(hid_t file) {
  check(H5Fflush(file, H5F_SCOPE_GLOBAL), "finish the file");
  const ssize_t size = check(H5Fget_file_image(file, nullptr, 0), "finish the file");
  std::vector<char> bytes(static_cast<std::size_t>(size));
  check(H5Fget_file_image(file, bytes.data(), bytes.size()), "finish the file");
  return bytes;
}

Handle create_group(hid_t parent, const std::string& name, unsigned most_links) {
  const Handle creation(H5Pcreate(H5P_GROUP_CREATE), H5Pclose);
  H5Pset_obj_track_times(creation, false);
  check(H5Pset_link_phase_change(creation, most_links, 0), "create " + name);
  return {check(H5Gcreate2(parent, name.c_str(), H5P_DEFAULT, creation, H5P_DEFAULT), "create " + name), H5Gclose};
}

void write_attribute(hid_t object, const std::string& name, const std::string& text) {
  const Handle type = text_type();
  const Handle scalar(H5Screate(H5S_SCALAR), H5Sclose);
  const Handle attribute(
      check(H5Acreate2(object, name.c_str(), type, scalar, H5P_DEFAULT, H5P_DEFAULT), "create the attribute " + name),
      H5Aclose);
  const char* pointer = text.c_str();
  check(H5Awrite(attribute, type, &pointer), "write the attribute " + name);
}

void write_attribute(hid_t object, const std::string& name, std::int32_t value) {
  const Handle scalar(H5Screate(H5S_SCALAR), H5Sclose);
  const Handle attribute(check(H5Acreate2(object, name.c_str(), H5T_STD_I32LE, scalar, H5P_DEFAULT, H5P_DEFAULT),
                               "create the attribute " + name),
                         H5Aclose);
  check(H5Awrite(attribute, H5T_NATIVE_INT32, &value), "write the attribute " + name);
}

void rewrite_attribute(hid_t object, const std::string& name, const std::string& text) {
  const Handle attribute = open_attribute(object, name);
  const Handle type = text_type();
  const char* pointer = text.c_str();
  check(H5Awrite(attribute, type, &pointer), "write the attribute " + name);
}

Handle open_dataset(hid_t parent, const std::string& name) {
  return {check(H5Dopen2(parent, name.c_str(), H5P_DEFAULT), "open the dataset " + name), H5Dclose};
}

void write_array(hid_t parent, const std::string& name, const Shape& shape, hid_t type, const void* data) {
  const Handle dataset = create_dataset(parent, name, type, space_of(shape), {});
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return;
  check(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data), "write " + name);
}

void write_texts(hid_t parent, const std::string& name, const std::vector<std::string>& texts) {
  std::vector<const char*> pointers;
  for (const std::string& text : texts) pointers.push_back(text.c_str());
  const Handle type = text_type();
  write_array(parent, name, {texts.size()}, type, pointers.data());
}

Table create_table(hid_t parent, const std::string& name, hid_t type, const Shape& row, const Shape& chunk,
                   int compression) {
  Shape shape{0}, most{H5S_UNLIMITED};
  shape.insert(shape.end(), row.begin(), row.end());
  most.insert(most.end(), row.begin(), row.end());
  return {create_dataset(parent, name, type, space_of(shape, most), chunk, compression), name, type, row, 0};
}

void append_rows(Table& table, hsize_t count, const void* data) {
  Shape shape{table.rows + count};
  shape.insert(shape.end(), table.row.begin(), table.row.end());
  check(H5Dset_extent(table.dataset, shape.data()), "extend " + table.name);
  if (std::find(shape.begin(), shape.end(), 0) == shape.end()) {
    const auto [space, memory] = select_rows(table.dataset, shape, table.rows, count);
    check(H5Dwrite(table.dataset, table.type, memory, space, H5P_DEFAULT, data), "write " + table.name);
  }
  table.rows += count;
}

void copy_rows(hid_t from, const std::string& group, Table& to, hsize_t end) {
  constexpr hsize_t bytes_at_once = 16 << 20;
  const std::string name = group + "/" + to.name;
  check_row_shape(from, name, to.row);
  hsize_t row_bytes = H5Tget_size(to.type);
  for (const hsize_t extent : to.row) row_bytes *= extent;
  const hsize_t rows_at_once = std::max<hsize_t>(1, bytes_at_once / std::max<hsize_t>(1, row_bytes));
  std::vector<char> bytes;
  const Handle dataset = open_dataset(from, name);
  const Shape chunk = row_chunk(dataset, to.row.size() + 1);
  if (chunk.size() >= 2 && chunk == row_chunk(to.dataset, chunk.size()) && to.rows < end) {
    if (shape_of_dataset(dataset)[0] < end) throw Failure(name + " has fewer rows than it should");
    Shape shape{end};
    shape.insert(shape.end(), to.row.begin(), to.row.end());
    check(H5Dset_extent(to.dataset, shape.data()), "extend " + to.name);
    for (; to.rows < end; ++to.rows) copy_chunks(dataset, to, chunk, to.rows, bytes);
  }
  while (to.rows < end) {
    const hsize_t count = std::min(rows_at_once, end - to.rows);
    bytes.resize(count * row_bytes);
    read_rows(from, name, to.rows, count, to.type, bytes.data());
    append_rows(to, count, bytes.data());
  }
}

void remove(hid_t parent, const std::string& name) {
  check(H5Ldelete(parent, name.c_str(), H5P_DEFAULT), "remove " + name);
}

void rename(hid_t parent, const std::string& from, const std::string& to) {
  check(H5Lmove(parent, from.c_str(), parent, to.c_str(), H5P_DEFAULT, H5P_DEFAULT), "rename " + from);
}

haddr_t header_address(hid_t object) {
  H5O_info_t info;
  check(H5Oget_info2(object, &info, H5O_INFO_BASIC), "find an object");
  return info.addr;
}

Shape shape_of(hid_t parent, const std::string& name) {
  return shape_of_dataset(open_dataset(parent, name));
}

hsize_t row_count(hid_t parent, const std::string& name) {
  const Shape shape = shape_of(parent, name);
  if (shape.empty()) throw Failure(name + " is a single number and no table");
  return shape[0];
}

void read_rows(hid_t parent, const std::string& name, hsize_t first, hsize_t count, hid_t type, void* data) {
  const Handle dataset = open_dataset(parent, name);
  const Shape shape = shape_of_dataset(dataset);
  if (shape.empty() || first + count > shape[0])
    throw Failure(name + " has " + std::to_string(shape.empty() ? 0 : shape[0]) + " rows, wanted are " +
                  std::to_string(first) + " to " + std::to_string(first + count));
  if (count == 0 || std::find(shape.begin(), shape.end(), 0) != shape.end()) return;
  const auto [space, memory] = select_rows(dataset, shape, first, count);
  check(H5Dread(dataset, type, memory, space, H5P_DEFAULT, data), "read " + name);
}

std::vector<std::int64_t> read_integers(hid_t parent, const std::string& name) {
  check_row_shape(parent, name, {});
  std::vector<std::int64_t> values(row_count(parent, name));
  read_rows(parent, name, 0, values.size(), H5T_NATIVE_INT64, values.data());
  return values;
}

void copy_known_rows(hid_t from, const std::string& group, Table& to, hsize_t end) {
  if (exists(from, group + "/" + to.name)) return copy_rows(from, group, to, end);
  const std::size_t numbers = end * (to.row.empty() ? 1 : to.row[0]);
  if (to.type == H5T_NATIVE_DOUBLE) {
    append_rows(to, end, std::vector<double>(numbers, std::numeric_limits<double>::quiet_NaN()).data());
  } else if (to.type == H5T_NATIVE_INT32) {
    append_rows(to, end, std::vector<std::int32_t>(numbers, -1).data());
  } else {
    append_rows(to, end, std::vector<std::int64_t>(numbers, -1).data());
  }
}

hsize_t rows_until(hid_t parent, const std::string& name, std::int64_t limit) {
  const std::vector<std::int64_t> values = read_integers(parent, name);
  return static_cast<hsize_t>(std::upper_bound(values.begin(), values.end(), limit) - values.begin());
}

void check_row_shape(hid_t parent, const std::string& name, const Shape& row) {
  const Shape shape = shape_of(parent, name);
  if (shape.size() != row.size() + 1 || !std::equal(row.begin(), row.end(), shape.begin() + 1))
    throw Failure(name + " has rows of another shape than expected");
}

std::string read_text_attribute(hid_t object, const std::string& name) {
  const Handle attribute = open_attribute(object, name);
  const Handle type = text_type();
  char* text = nullptr;
  check(H5Aread(attribute, type, static_cast<void*>(&text)), "read the attribute " + name);
  const std::string result = text ? text : "";
  H5free_memory(text);
  return result;
}

std::int64_t read_integer_attribute(hid_t object, const std::string& name) {
  const Handle attribute = open_attribute(object, name);
  std::int64_t value = 0;
  check(H5Aread(attribute, H5T_NATIVE_INT64, &value), "read the attribute " + name);
  return value;
}

std::vector<std::string> read_texts(hid_t parent, const std::string& name) {
  const Handle dataset = open_dataset(parent, name);
  const Shape shape = shape_of_dataset(dataset);
  if (shape.size() != 1) throw Failure(name + " is not a list, as it should be");
  std::vector<char*> pointers(shape[0], nullptr);
  if (pointers.empty()) return {};
  const Handle type = text_type();
  check(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, static_cast<void*>(pointers.data())), "read " + name);
  std::vector<std::string> texts;
  for (char* text : pointers) {
    texts.emplace_back(text ? text : "");
    H5free_memory(text);
  }
  return texts;
}

bool exists(hid_t file, const std::string& path) {
  for (std::size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
    if (H5Lexists(file, path.substr(0, end).c_str(), H5P_DEFAULT) <= 0) return false;
    if (end == std::string::npos) return H5Oexists_by_name(file, path.c_str(), H5P_DEFAULT) > 0;
  }
}

hsize_t array_length(hid_t file, const std::string& path, bool integers) {
  const Handle object(check(H5Oopen(file, path.c_str(), H5P_DEFAULT), "open"), H5Oclose);
  if (H5Iget_type(object) != H5I_DATASET) throw Failure("is a group, expected a dataset");
  const Handle type(check(H5Dget_type(object), "read the type"), H5Tclose);
  const H5T_class_t type_class = H5Tget_class(type);
  if (type_class != H5T_INTEGER && (integers || type_class != H5T_FLOAT))
    throw Failure(integers ? "does not hold integers" : "does not hold numbers");

  const Shape shape = shape_of_dataset(object);
  hsize_t length = 1;
  for (const hsize_t extent : shape) {
    if (extent != 1 && length != 1) throw Failure("is a table of several columns, expected one list");
    length *= extent;
  }
  // Nothing that HDF5 compresses with gets below a thousandth.
  constexpr hsize_t unsuspicious = 1 << 26, most_compression = 2000;
  if (length > unsuspicious && H5Dget_storage_size(object) < length / most_compression)
    throw Failure("claims " + std::to_string(length) + " numbers, but the file holds " +
                  std::to_string(H5Dget_storage_size(object)) + " bytes of it");
  return length;
}

void read_array(hid_t file, const std::string& path, hid_t type, void* data) {
  const Handle dataset(check(H5Dopen2(file, path.c_str(), H5P_DEFAULT), "open"), H5Dclose);
  check(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data), "read");
}

}  // namespace sim::hdf5
