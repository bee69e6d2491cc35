// A thin layer over the HDF5 C API: handles that close themselves, errors as exceptions. For sources of this room
// only.
#pragma once

#include <hdf5.h>

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace sim::hdf5 {

// What went wrong and HDF5's reason, without the name of the file; with_path() turns it into a FileError.
struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Handle() = default;
  Handle(hid_t id, Close close) : id_(id), close_(close) {}
  ~Handle() { reset(); }
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  operator hid_t() const { return id_; }
  void reset() {
    if (id_ >= 0) close_(id_);
    id_ = -1;
  }

 private:
  hid_t id_ = -1;
  Close close_ = nullptr;
};

void silence();        // HDF5 prints no errors of its own in this thread
std::string reason();  // the innermost entry of HDF5's error stack

// Throws Failure("cannot <doing>: <reason>") where `result` reports an error.
template <class T>
T check(T result, const std::string& doing) {
  if (result < 0) throw Failure("cannot " + doing + ": " + reason());
  return result;
}

template <class T>
hid_t native_type();
template <>
inline hid_t native_type<std::int32_t>() {
  return H5T_NATIVE_INT32;
}
template <>
inline hid_t native_type<std::int64_t>() {
  return H5T_NATIVE_INT64;
}
template <>
inline hid_t native_type<double>() {
  return H5T_NATIVE_DOUBLE;
}

using Shape = std::vector<hsize_t>;

// A new file of `descriptor` under the commit driver; close it by letting go of the handle.
Handle create_file(const std::string& name, int descriptor);
Handle open_file(const std::string& path);  // for reading; takes no lock
// A new file that is in memory only, of the oldest format, and its bytes.
Handle create_in_memory();
std::vector<char> image_of(hid_t file);

// Up to `most_links` the group keeps its links in its own header, which is written at once or not at all.
Handle create_group(hid_t parent, const std::string& name, unsigned most_links = 8);
void write_attribute(hid_t object, const std::string& name, const std::string& text);  // UTF-8 of any length
void write_attribute(hid_t object, const std::string& name, std::int32_t value);
void rewrite_attribute(hid_t object, const std::string& name, const std::string& text);

void write_array(hid_t parent, const std::string& name, const Shape& shape, hid_t type, const void* data);
template <class T>
void write_array(hid_t parent, const std::string& name, const Shape& shape, const T* data) {
  write_array(parent, name, shape, native_type<T>(), data);
}
void write_texts(hid_t parent, const std::string& name, const std::vector<std::string>& texts);

// A dataset that grows by rows; `row` is the shape of one. Without compression (level 0) chunks that are not full are
// written in place. With it (deflate of level 1 to 9, after a shuffle of bytes) whole chunks must be appended.
struct Table {
  Handle dataset;
  std::string name;
  hid_t type = -1;
  Shape row;
  hsize_t rows = 0;
};
Table create_table(hid_t parent, const std::string& name, hid_t type, const Shape& row, const Shape& chunk,
                   int compression = 0);
void append_rows(Table& table, hsize_t count, const void* data);
haddr_t header_address(hid_t object);
// Appends the rows that `to` does not have yet, below `end`, of the dataset of the same name in a group of another
// file.
void copy_rows(hid_t from, const std::string& group, Table& to, hsize_t end);
// The same of a run that an older version may have begun: NaN, or -1, in a column that it did not write.
void copy_known_rows(hid_t from, const std::string& group, Table& to, hsize_t end);
void remove(hid_t parent, const std::string& name);
void rename(hid_t parent, const std::string& from, const std::string& to);

Handle open_dataset(hid_t parent, const std::string& name);
Shape shape_of(hid_t parent, const std::string& name);
hsize_t row_count(hid_t parent, const std::string& name);                       // throws Failure for a single number
void check_row_shape(hid_t parent, const std::string& name, const Shape& row);  // throws Failure where it is another
// `count` rows from `first` on; throws Failure where there are fewer.
void read_rows(hid_t parent, const std::string& name, hsize_t first, hsize_t count, hid_t type, void* data);
template <class T>
T read_row(hid_t parent, const std::string& name, hsize_t row) {
  T value{};
  check_row_shape(parent, name, {});
  read_rows(parent, name, row, 1, native_type<T>(), &value);
  return value;
}
std::vector<std::int64_t> read_integers(hid_t parent, const std::string& name);  // all rows
// How many rows of a dataset of ascending integers are `limit` at most.
hsize_t rows_until(hid_t parent, const std::string& name, std::int64_t limit);
std::string read_text_attribute(hid_t object, const std::string& name);
std::int64_t read_integer_attribute(hid_t object, const std::string& name);
std::vector<std::string> read_texts(hid_t parent, const std::string& name);

// For files of unknown origin. Is there an object at this absolute path?
bool exists(hid_t file, const std::string& path);
// How many numbers the dataset holds; throws Failure where it holds something else, more than integers where those
// are wanted, a table of several columns, or claims far more numbers than its bytes can hold.
hsize_t array_length(hid_t file, const std::string& path, bool integers);
void read_array(hid_t file, const std::string& path, hid_t type, void* data);  // the whole dataset

}  // namespace sim::hdf5
