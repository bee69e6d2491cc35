// Legacy VTK unstructured grids, text and binary (always big-endian). Up to version 4.2 a cell is its number of
// points followed by them; from 5.0 on cells are an array of offsets into an array of points.
#include <optional>

#include "mesh/read_cursor.hpp"
#include "mesh/read_formats.hpp"

namespace sim {
namespace {

constexpr std::int64_t tet_type = 10;

// Points, lines and polygons, quadratic, higher-order, Lagrange and Bezier ones too. What is none of these and no tet
// fills volume that would be missing from the body.
bool is_flat(std::int64_t type) {
  return type <= 9 || (type >= 21 && type <= 23) || type == 28 || type == 30 || (type >= 34 && type <= 36) ||
         (type >= 60 && type <= 63) || (type >= 68 && type <= 70) || (type >= 75 && type <= 77);
}

struct Cells {
  std::vector<Index> begin;  // of each cell in `points`, and the end of the last
  std::vector<Index> points;
};

class VtkReader {
 public:
  explicit VtkReader(const std::string& path) : in_(path) {}
  Mesh read();

 private:
  void read_head();
  void read_points();
  void read_cells();
  void read_cells_4(std::int64_t count, std::int64_t size);
  void read_cells_5(std::int64_t offsets, std::int64_t size);
  void read_cell_types();
  void skip_fields();
  std::int64_t count(std::string_view expected, std::size_t text_bytes, std::size_t binary_bytes);
  std::int64_t integer(std::string_view expected, std::int64_t low, std::int64_t high, int bytes = 4);
  int integer_bytes();
  Index point();

  Cursor in_;
  Mesh mesh_;
  std::optional<Cells> cells_;
  bool version_5_ = false, binary_ = false;
};

std::int64_t VtkReader::integer(std::string_view expected, std::int64_t low, std::int64_t high, int bytes) {
  if (!binary_) return in_.next_integer(expected, low, high);
  return bytes == 8 ? in_.binary_integer<std::int64_t>(expected, low, high)
                    : in_.binary_integer<std::int32_t>(expected, low, high);
}

std::int64_t VtkReader::count(std::string_view expected, std::size_t text_bytes, std::size_t binary_bytes) {
  const std::int64_t n = in_.integer(expected, 0, max_index);
  in_.check_room(n, binary_ ? binary_bytes : text_bytes, expected);
  return n;
}

Mesh VtkReader::read() {
  read_head();
  for (;;) {
    const std::string_view section = in_.next_word();
    if (section == "POINTS" && mesh_.vertices.empty()) {
      read_points();
    } else if (section == "CELLS" && !cells_) {
      read_cells();
    } else if (section == "CELL_TYPES" && cells_) {
      read_cell_types();
      return std::move(mesh_);  // nothing that follows is geometry
    } else if (section == "FIELD") {
      skip_fields();
    } else if (section == "METADATA") {
      in_.line();
      while (!in_.line().empty()) continue;  // an empty line ends it
    } else {
      in_.fail("POINTS, then CELLS, then CELL_TYPES");
    }
  }
}

void VtkReader::read_head() {
  constexpr std::string_view magic = "# vtk DataFile Version ";
  const std::string_view first = in_.line();
  if (!first.starts_with(magic)) in_.fail("\"# vtk DataFile Version\" and a version");
  const std::string_view version = first.substr(magic.size(), 3);
  const bool known = version.size() == 3 && version[1] == '.' && version[0] >= '1' && version[0] <= '5' &&
                     version[2] >= '0' && version[2] <= (version[0] == '5' ? '1' : '9');
  if (!known) in_.fail("a version of legacy VTK from 1.0 to 5.1");
  version_5_ = version[0] == '5';
  in_.line();  // the title
  const std::string_view kind = in_.next_word();
  if (kind != "ASCII" && kind != "BINARY") in_.fail("ASCII or BINARY");
  binary_ = kind == "BINARY";
  in_.set_byte_order(std::endian::big);
  in_.expect("DATASET");
  in_.expect("UNSTRUCTURED_GRID");
}

void VtkReader::read_points() {
  const std::int64_t n = count("the number of points", 6, 12);
  const std::string_view type = in_.word();
  if (type != "float" && type != "double") in_.fail("float or double for the type of the points");
  const bool is_float = type == "float";
  in_.end_line("the end of the line after the type of the points");
  if (binary_ && !is_float) in_.check_room(n, 24, "a number of points");
  mesh_.vertices.resize(n);
  for (Vec3& x : mesh_.vertices) {
    for (int k = 0; k < 3; ++k) {
      constexpr std::string_view expected = "a coordinate of a point";
      x[k] = !binary_   ? in_.next_number(expected)
             : is_float ? in_.binary_number<float>(expected)
                        : in_.binary_number<double>(expected);
    }
  }
}

void VtkReader::read_cells() {
  if (mesh_.vertices.empty()) in_.fail("POINTS before CELLS");
  const std::int64_t n = count("the number of cells", 2, 4);
  const std::int64_t size = count("the size of the list of cells", 2, 4);
  in_.end_line("the end of the line after the size of the list of cells");
  cells_.emplace();
  version_5_ ? read_cells_5(n, size) : read_cells_4(n, size);
}

Index VtkReader::point() {
  return static_cast<Index>(integer("the index of a point", 0, static_cast<std::int64_t>(mesh_.vertices.size()) - 1));
}

void VtkReader::read_cells_4(std::int64_t n, std::int64_t size) {
  for (std::int64_t c = 0, used = 0; c < n; ++c) {
    const std::int64_t points = integer("the number of points of a cell", 0, size - used - 1);
    used += points + 1;
    cells_->begin.push_back(static_cast<Index>(cells_->points.size()));
    for (std::int64_t p = 0; p < points; ++p) cells_->points.push_back(point());
    if (c + 1 == n && used != size)
      in_.fail(std::to_string(size) + " numbers in the list of cells as its head says", std::to_string(used));
  }
  cells_->begin.push_back(static_cast<Index>(cells_->points.size()));
}

// Goes behind the name of the type that ends the line.
int VtkReader::integer_bytes() {
  const std::string_view type = in_.word();
  const bool is_4 = type == "vtktypeint32" || type == "int";
  if (!is_4 && type != "vtktypeint64") in_.fail("vtktypeint64 or vtktypeint32");
  in_.end_line("the end of the line after the type");
  return is_4 ? 4 : 8;
}

void VtkReader::read_cells_5(std::int64_t offsets, std::int64_t size) {
  in_.expect("OFFSETS");
  const int offset_bytes = integer_bytes();
  for (std::int64_t o = 0, last = 0; o < offsets; ++o) {
    const std::int64_t low = o + 1 == offsets ? size : last, high = o == 0 ? 0 : size;
    last = integer("an offset into the points of the cells", low, high, offset_bytes);
    cells_->begin.push_back(static_cast<Index>(last));
  }
  in_.expect("CONNECTIVITY");
  const int point_bytes = integer_bytes();
  const std::int64_t last_point = static_cast<std::int64_t>(mesh_.vertices.size()) - 1;
  for (std::int64_t p = 0; p < size; ++p)
    cells_->points.push_back(static_cast<Index>(integer("the index of a point", 0, last_point, point_bytes)));
}

void VtkReader::read_cell_types() {
  const std::int64_t cells = std::max<std::int64_t>(0, static_cast<std::int64_t>(cells_->begin.size()) - 1);
  in_.integer("the number of cells", cells, cells);
  in_.end_line("the end of the line after the number of cells");
  for (std::int64_t c = 0; c < cells; ++c) {
    const std::int64_t type = integer("the type of a cell", 0, max_index);
    if (type != tet_type && !is_flat(type)) in_.fail(first_order_tets, "cell type " + std::to_string(type));
    if (type != tet_type) continue;
    const Index begin = cells_->begin[c], points = cells_->begin[c + 1] - begin;
    if (points != 4)
      in_.fail("four points for cell " + std::to_string(c) + ", which is a tet", std::to_string(points));
    Tet tet;
    for (int k = 0; k < 4; ++k) tet[k] = cells_->points[begin + k];
    mesh_.tets.push_back(tet);
  }
}

// Fields between the parts of the geometry, such as the time of the mesh.
void VtkReader::skip_fields() {
  if (in_.word().empty()) in_.fail("the name of the field");
  const std::int64_t arrays = in_.integer("the number of arrays of a field", 0, max_index);
  for (std::int64_t a = 0; a < arrays; ++a) {
    if (in_.next_word().empty()) in_.fail("the name of an array");
    const std::int64_t components = in_.integer("the number of components of an array", 1, max_index);
    const std::int64_t tuples = in_.integer("the number of tuples of an array", 0, max_index);
    in_.check_room(tuples, static_cast<std::size_t>(components), "a number of tuples");
    const std::string_view type = in_.word();
    const bool is_8 = type == "double" || type == "long" || type == "unsigned_long" || type == "vtktypeint64" ||
                      type == "vtktypeuint64";
    const bool is_4 = type == "float" || type == "int" || type == "unsigned_int" || type == "vtkIdType";
    const bool is_2 = type == "short" || type == "unsigned_short";
    const bool is_1 = type == "char" || type == "unsigned_char";
    if (!is_8 && !is_4 && !is_2 && !is_1) in_.fail("the type of a field of numbers");
    in_.end_line("the end of the line after the type of an array");
    const std::int64_t values = tuples * components;
    if (binary_) {
      in_.skip_bytes(static_cast<std::size_t>(values) * (is_8 ? 8 : is_4 ? 4 : is_2 ? 2 : 1), "a field");
    } else {
      for (std::int64_t v = 0; v < values; ++v) {
        if (in_.next_word().empty()) in_.fail("a value of a field");
      }
    }
  }
}

}  // namespace

Mesh read_vtk(const std::string& path) {
  return VtkReader(path).read();
}

}  // namespace sim
