// Stanford PLY 1.0: a head that lists elements and the types of their properties, then the elements in that order.
// The vertices (x, y, z) and the lists of corners of the faces are taken, everything else is passed over.
#include <algorithm>

#include "mesh/read_cursor.hpp"
#include "mesh/read_formats.hpp"

namespace sim {
namespace {

enum class Type { int8, uint8, int16, uint16, int32, uint32, float32, float64 };

struct TypeName {
  std::string_view name, old_name;
  Type type;
  std::size_t bytes;
};
constexpr TypeName type_names[] = {
    {"int8", "char", Type::int8, 1},        {"uint8", "uchar", Type::uint8, 1},
    {"int16", "short", Type::int16, 2},     {"uint16", "ushort", Type::uint16, 2},
    {"int32", "int", Type::int32, 4},       {"uint32", "uint", Type::uint32, 4},
    {"float32", "float", Type::float32, 4}, {"float64", "double", Type::float64, 8},
};

std::size_t bytes_of(Type type) {
  return type_names[static_cast<std::size_t>(type)].bytes;
}

struct Property {
  std::string_view name;
  Type type = Type::float32;
  bool is_list = false;
  Type count_type = Type::uint8;
};

struct Element {
  std::string_view name;
  std::int64_t count = 0;
  std::vector<Property> properties;
};

class PlyReader {
 public:
  explicit PlyReader(const std::string& path) : in_(path) {}
  Mesh read();

 private:
  void read_head();
  void read_format();
  Property read_property();
  Type to_type(std::string_view word) const;
  void check_head();
  void read_element(const Element& element);
  void read_vertex(const Element& element);
  void read_face(const Element& element);
  void skip(const Property& property);
  double value(Type type, std::string_view expected);
  std::int64_t list_size(const Property& property);

  Cursor in_;
  Mesh mesh_;
  std::vector<Element> elements_;
  std::int64_t vertex_count_ = 0;
  std::vector<Index> corners_;
  bool binary_ = false;
};

bool is_corner_list(const Property& property) {
  return property.is_list && (property.name == "vertex_indices" || property.name == "vertex_index");
}

int axis_of(const Property& property) {
  if (property.is_list || property.name.size() != 1) return -1;
  const auto axis = std::string_view("xyz").find(property.name[0]);
  return axis == std::string_view::npos ? -1 : static_cast<int>(axis);
}

Mesh PlyReader::read() {
  read_head();
  check_head();
  for (const Element& element : elements_) {
    for (std::int64_t e = 0; e < element.count; ++e) read_element(element);
  }
  if (!binary_) in_.end_file("the end of the file after the last element");
  if (in_.remaining() > 0)
    in_.fail_at(in_.position(), "the end of the file after the last element",
                std::to_string(in_.remaining()) + " more bytes");
  return std::move(mesh_);
}

void PlyReader::read_head() {
  if (in_.line() != "ply") in_.fail("\"ply\" on the first line");
  read_format();
  for (;;) {
    const std::string_view keyword = in_.next_word();
    if (keyword == "end_header") {
      in_.end_line("the end of the line after end_header");
      return;
    }
    if (keyword == "element") {
      const std::string_view name = in_.word();
      elements_.push_back({name, in_.integer("the number of elements", 0, max_index), {}});
    } else if (keyword == "property" && !elements_.empty()) {
      elements_.back().properties.push_back(read_property());
    } else if (keyword == "comment" || keyword == "obj_info") {
      in_.line();
      continue;
    } else {
      in_.fail("element, property, comment, obj_info or end_header");
    }
    in_.end_line("the end of the line");
  }
}

void PlyReader::read_format() {
  std::string_view keyword = in_.next_word();
  for (; keyword == "comment" || keyword == "obj_info"; keyword = in_.next_word()) in_.line();
  if (keyword != "format") in_.fail("\"format\"");
  const std::string_view format = in_.word();
  binary_ = format != "ascii";
  if (format == "binary_big_endian") {
    in_.set_byte_order(std::endian::big);
  } else if (format == "binary_little_endian") {
    in_.set_byte_order(std::endian::little);
  } else if (binary_) {
    in_.fail("ascii, binary_little_endian or binary_big_endian");
  }
  if (in_.word() != "1.0") in_.fail("version 1.0 of PLY");
  in_.end_line("the end of the line");
}

Type PlyReader::to_type(std::string_view word) const {
  for (const TypeName& t : type_names) {
    if (word == t.name || word == t.old_name) return t.type;
  }
  in_.fail("the type of a property (char, uchar, short, ushort, int, uint, float, double or int8 to float64)");
}

Property PlyReader::read_property() {
  Property property;
  std::string_view type = in_.word();
  property.is_list = type == "list";
  if (property.is_list) {
    property.count_type = to_type(in_.word());
    if (property.count_type == Type::float32 || property.count_type == Type::float64)
      in_.fail("a whole-number type for the length of a list");
    type = in_.word();
  }
  property.type = to_type(type);
  property.name = in_.word();
  if (property.name.empty()) in_.fail("the name of a property");
  return property;
}

// What the head promises must fit into the file and make a surface.
void PlyReader::check_head() {
  int vertex_elements = 0, face_elements = 0;
  for (const Element& element : elements_) {
    std::size_t bytes = 0;
    std::array<int, 3> axes{};
    int corner_lists = 0;
    for (const Property& p : element.properties) {
      bytes += !binary_ ? 1 : bytes_of(p.is_list ? p.count_type : p.type);
      if (axis_of(p) >= 0) ++axes[axis_of(p)];
      corner_lists += is_corner_list(p);
    }
    const std::string quoted_name = "element " + std::string(element.name);
    if (bytes == 0) in_.fail("at least one property of " + quoted_name, "none");
    in_.check_room(element.count, bytes, "a number for " + quoted_name);
    if (element.name == "vertex") {
      if (axes != std::array{1, 1, 1}) in_.fail("the properties x, y and z of element vertex, each once", "others");
      vertex_count_ = element.count;
      ++vertex_elements;
    } else if (element.name == "face") {
      if (corner_lists != 1) in_.fail("one list vertex_indices of element face", std::to_string(corner_lists));
      ++face_elements;
    }
  }
  if (vertex_elements != 1 || face_elements != 1)
    in_.fail("one element vertex and one element face",
             std::to_string(vertex_elements) + " and " + std::to_string(face_elements));
}

void PlyReader::read_element(const Element& element) {
  if (!binary_) in_.find_word();
  if (element.name == "vertex") {
    read_vertex(element);
  } else if (element.name == "face") {
    read_face(element);
  } else {
    for (const Property& property : element.properties) skip(property);
  }
  if (!binary_) in_.end_line("the end of the line after the last property");
}

void PlyReader::read_vertex(const Element& element) {
  Vec3 x;
  for (const Property& property : element.properties) {
    const int axis = axis_of(property);
    if (axis < 0) skip(property);
    if (axis >= 0) x[axis] = value(property.type, "a coordinate of a vertex");
  }
  mesh_.vertices.push_back(x);
}

void PlyReader::read_face(const Element& element) {
  for (const Property& property : element.properties) {
    if (!is_corner_list(property)) {
      skip(property);
      continue;
    }
    const std::int64_t count = list_size(property);
    if (count < 3) in_.fail("three or more corners of a face", std::to_string(count));
    corners_.clear();
    for (std::int64_t c = 0; c < count; ++c) {
      constexpr std::string_view expected = "the index of a vertex";
      const double index = value(property.type, expected);
      corners_.push_back(static_cast<Index>(in_.whole(index, expected, 0, vertex_count_ - 1)));
    }
    append_fan(corners_, mesh_.triangles);
  }
}

double PlyReader::value(Type type, std::string_view expected) {
  if (!binary_) return in_.number(expected);
  switch (type) {
    case Type::int8:
      return in_.binary_number<std::int8_t>(expected);
    case Type::uint8:
      return in_.binary_number<std::uint8_t>(expected);
    case Type::int16:
      return in_.binary_number<std::int16_t>(expected);
    case Type::uint16:
      return in_.binary_number<std::uint16_t>(expected);
    case Type::int32:
      return in_.binary_number<std::int32_t>(expected);
    case Type::uint32:
      return in_.binary_number<std::uint32_t>(expected);
    case Type::float32:
      return in_.binary_number<float>(expected);
    case Type::float64:
      break;
  }
  return in_.binary_number<double>(expected);
}

std::int64_t PlyReader::list_size(const Property& property) {
  constexpr std::string_view expected = "the length of a list";
  const std::int64_t size = in_.whole(value(property.count_type, expected), expected, 0, max_index);
  in_.check_room(size, binary_ ? bytes_of(property.type) : 2, expected);
  return size;
}

void PlyReader::skip(const Property& property) {
  const std::int64_t values = property.is_list ? list_size(property) : 1;
  if (binary_) {
    in_.skip_bytes(static_cast<std::size_t>(values) * bytes_of(property.type), "a property");
  } else {
    for (std::int64_t v = 0; v < values; ++v) {
      if (in_.word().empty()) in_.fail("property " + std::string(property.name));
    }
  }
}

}  // namespace

Mesh read_ply(const std::string& path) {
  return PlyReader(path).read();
}

}  // namespace sim
