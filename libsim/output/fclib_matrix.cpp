#include "output/fclib_matrix.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>

#include "math/error.hpp"
#include "math/number_text.hpp"

namespace sim::fclib {

namespace {

constexpr std::int64_t most = std::numeric_limits<Index>::max();

// The length of a dataset that must be there. What is wrong with its kind is the user's to mend, not damage.
hsize_t length_of(const Source& source, const std::string& dataset, bool integers) {
  if (!source.has(dataset))
    source.defect(dataset, "is missing, expected " + std::string(integers ? "integers" : "numbers"));
  try {
    return hdf5::array_length(source.file, dataset, integers);
  } catch (const hdf5::Failure& error) {
    source.defect(dataset, error.what());
  }
}

template <class T>
std::vector<T> read(const Source& source, const std::string& dataset, bool integers) {
  std::vector<T> values(length_of(source, dataset, integers));
  if (values.empty()) return values;
  try {
    hdf5::read_array(source.file, dataset, hdf5::native_type<T>(), values.data());
  } catch (const hdf5::Failure& error) {
    throw FileError(source.path + ": " + dataset + ": " + error.what());
  }
  return values;
}

Index size_at(const Source& source, const std::string& dataset) {
  const std::int64_t value = source.integer(dataset);
  if (value < 0 || value > most)
    source.defect(dataset, "is " + std::to_string(value) + ", expected 0 to " + std::to_string(most));
  return static_cast<Index>(value);
}

// i and x have at least the `used` entries, and no more than nzmax says.
void check_lengths(const Source& source, const std::string& group, std::int64_t used, std::int64_t nzmax) {
  if (used > nzmax)
    source.defect(group + "/nzmax",
                  "is " + std::to_string(nzmax) + ", but the matrix has " + std::to_string(used) + " entries");
  for (const char* name : {"/i", "/x"}) {
    const auto length = static_cast<std::int64_t>(length_of(source, group + name, name[1] == 'i'));
    if (length >= used && length <= nzmax) continue;
    source.defect(group + name, "has " + std::to_string(length) + " entries, expected " + std::to_string(used) +
                                    (nzmax > used ? " to " + std::to_string(nzmax) : ""));
  }
}

void check_pointers(const Source& source, const std::string& group, const std::vector<std::int64_t>& p) {
  if (p[0] != 0) source.defect(group + "/p[0]", "is " + std::to_string(p[0]) + ", expected 0");
  for (std::size_t j = 1; j < p.size(); ++j) {
    if (p[j] < p[j - 1])
      source.defect(
          group + "/p[" + std::to_string(j) + "]",
          "is " + std::to_string(p[j]) + " after " + std::to_string(p[j - 1]) + ", expected no smaller number");
  }
}

Index index_at(const Source& source, const std::string& dataset, std::size_t place, std::int64_t value, Index size,
               const char* what) {
  if (value < 0 || value >= size)
    source.defect(dataset + "[" + std::to_string(place) + "]",
                  "is " + std::to_string(value) + ", expected a " + what + " below " + std::to_string(size));
  return static_cast<Index>(value);
}

void read_compressed(const Source& source, const std::string& group, bool by_columns, std::int64_t nzmax,
                     Matrix& matrix) {
  const Index lists = by_columns ? matrix.columns : matrix.rows, size = by_columns ? matrix.rows : matrix.columns;
  const auto pointers = static_cast<std::int64_t>(length_of(source, group + "/p", true));
  if (pointers != std::int64_t{lists} + 1)
    source.defect(group + "/p", "has " + std::to_string(pointers) + " entries, expected " +
                                    std::to_string(std::int64_t{lists} + 1) + ", one more than " +
                                    (by_columns ? "columns" : "rows"));
  const auto p = source.integers(group + "/p");
  check_pointers(source, group, p);
  check_lengths(source, group, p.back(), nzmax);
  const auto i = source.integers(group + "/i");
  const auto x = source.reals(group + "/x");
  matrix.entries.reserve(static_cast<std::size_t>(p.back()));
  for (Index list = 0; list < lists; ++list) {
    for (auto k = static_cast<std::size_t>(p[list]); k < static_cast<std::size_t>(p[list + 1]); ++k) {
      const Index other = index_at(source, group + "/i", k, i[k], size, by_columns ? "row" : "column");
      matrix.entries.push_back(by_columns ? Entry{other, list, x[k]} : Entry{list, other, x[k]});
    }
  }
}

void read_triplets(const Source& source, const std::string& group, std::int64_t count, std::int64_t nzmax,
                   Matrix& matrix) {
  check_lengths(source, group, count, nzmax);
  const auto p = source.integers(group + "/p"), i = source.integers(group + "/i");
  if (static_cast<std::int64_t>(p.size()) < count)
    source.defect(group + "/p",
                  "has " + std::to_string(p.size()) + " entries, expected nz = " + std::to_string(count));
  const auto x = source.reals(group + "/x");
  const auto n = static_cast<std::size_t>(count);
  const auto within = [n](const std::vector<std::int64_t>& list, Index size) {
    return std::all_of(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(n),
                       [size](std::int64_t value) { return value >= 0 && value < size; });
  };
  const bool as_it_is = within(p, matrix.rows) && within(i, matrix.columns);
  if (!as_it_is && within(i, matrix.rows) && within(p, matrix.columns))
    source.defect(group,
                  "has triplets that fit only with columns in p and rows in i, as CSparse has them; expected "
                  "FCLIB's order: rows in p, columns in i");
  matrix.entries.reserve(n);
  for (std::size_t k = 0; k < n; ++k) {
    matrix.entries.push_back({index_at(source, group + "/p", k, p[k], matrix.rows, "row"),
                              index_at(source, group + "/i", k, i[k], matrix.columns, "column"), x[k]});
  }
}

std::uint64_t block_key(const Entry& entry) {
  return static_cast<std::uint64_t>(entry.row / 3) << 32 | static_cast<std::uint32_t>(entry.column / 3);
}

}  // namespace

void Source::defect(const std::string& what, const std::string& text) const {
  throw InputError(path + ": " + what + " " + text);
}

std::int64_t Source::integer(const std::string& dataset) const {
  const auto values = integers(dataset);
  if (values.size() != 1) defect(dataset, "has " + std::to_string(values.size()) + " entries, expected one number");
  return values[0];
}

std::vector<std::int64_t> Source::integers(const std::string& dataset) const {
  return read<std::int64_t>(*this, dataset, true);
}

std::vector<double> Source::reals(const std::string& dataset) const {
  auto values = read<double>(*this, dataset, false);
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (!std::isfinite(values[k]))
      defect(dataset + "[" + std::to_string(k) + "]",
             "is " + number_text(values[k], significant_digits) + ", expected a finite number");
  }
  return values;
}

VecX Source::vector(const std::string& dataset, Index size, const char* why) const {
  const hsize_t length = length_of(*this, dataset, false);
  if (length != static_cast<hsize_t>(size))
    defect(dataset, "has " + std::to_string(length) + " entries, expected " + std::to_string(size) + ", " + why);
  const auto values = reals(dataset);
  return Eigen::Map<const VecX>(values.data(), size);
}

Source open_source(const std::string& path) {
  hdf5::silence();
  if (!std::ifstream(path)) throw FileError(path + ": cannot be read: " + std::strerror(errno));
  if (H5Fis_hdf5(path.c_str()) <= 0) throw FileError(path + ": is not an HDF5 file");
  try {
    return {path, hdf5::open_file(path)};
  } catch (const hdf5::Failure& error) {
    throw FileError(path + ": " + error.what());
  }
}

Matrix read_matrix(const Source& source, const std::string& group) {
  if (!source.has(group)) source.defect(group, "is missing, expected a matrix (nzmax, m, n, nz, p, i, x)");
  Matrix matrix;
  matrix.rows = size_at(source, group + "/m");
  matrix.columns = size_at(source, group + "/n");
  const Index nzmax = size_at(source, group + "/nzmax");
  const std::int64_t nz = source.integer(group + "/nz");
  if (nz < -2 || nz > most)
    source.defect(group + "/nz",
                  "is " + std::to_string(nz) +
                      ", expected -1 (compressed columns), -2 (compressed rows) or the number of triplets");
  if (nz >= 0) {
    read_triplets(source, group, nz, nzmax, matrix);
  } else {
    read_compressed(source, group, nz == -1, nzmax, matrix);
  }
  return matrix;
}

BlockMatrix blocks_of(const Matrix& matrix, bool diagonal) {
  std::vector<std::uint64_t> keys;
  keys.reserve(matrix.entries.size());
  for (const Entry& entry : matrix.entries) {
    if (entry.value != 0) keys.push_back(block_key(entry));
  }
  for (Index row = 0; diagonal && row < matrix.rows; row += 3) keys.push_back(block_key({row, row, 0}));
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());

  BlockMatrix blocks;
  blocks.row_begin.assign(static_cast<std::size_t>(matrix.rows / 3) + 1, 0);
  blocks.column.reserve(keys.size());
  for (const std::uint64_t key : keys) {
    ++blocks.row_begin[(key >> 32) + 1];
    blocks.column.push_back(static_cast<Index>(key & 0xffffffffU));
  }
  for (std::size_t r = 1; r < blocks.row_begin.size(); ++r) blocks.row_begin[r] += blocks.row_begin[r - 1];
  blocks.values.assign(9 * keys.size() + 1, 0.0);
  for (const Entry& entry : matrix.entries) {
    if (entry.value != 0)
      blocks.at(blocks.find(entry.row / 3, entry.column / 3))(entry.row % 3, entry.column % 3) += entry.value;
  }
  return blocks;
}

void write_matrix(hid_t parent, const std::string& name, const Matrix& matrix) {
  const std::size_t count = matrix.entries.size();
  if (count > static_cast<std::size_t>(most))
    throw hdf5::Failure(name + " has " + std::to_string(count) + " entries, more than FCLIB's format can count");
  std::vector<Entry> entries = matrix.entries;
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return a.column != b.column ? a.column < b.column : a.row < b.row;
  });
  std::vector<std::int32_t> p(static_cast<std::size_t>(matrix.columns) + 1, 0), i;
  std::vector<double> x;
  for (const Entry& entry : entries) {
    ++p[entry.column + 1];
    i.push_back(entry.row);
    x.push_back(entry.value);
  }
  for (std::size_t j = 1; j < p.size(); ++j) p[j] += p[j - 1];

  const hdf5::Handle group = hdf5::create_group(parent, name);
  const std::pair<const char*, std::int32_t> numbers[] = {
      {"nzmax", static_cast<std::int32_t>(count)}, {"m", matrix.rows}, {"n", matrix.columns}, {"nz", -1}};
  for (const auto& [key, value] : numbers) hdf5::write_array(group, key, {1}, &value);
  hdf5::write_array(group, "p", {p.size()}, p.data());
  hdf5::write_array(group, "i", {i.size()}, i.data());
  hdf5::write_array(group, "x", {x.size()}, x.data());
}

}  // namespace sim::fclib
