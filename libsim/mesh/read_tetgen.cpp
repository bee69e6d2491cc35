// TetGen .node and .ele. Both count from the same first number, 0 or 1; that of the first node decides.
#include <filesystem>

#include "math/error.hpp"
#include "mesh/read_cursor.hpp"
#include "mesh/read_formats.hpp"

namespace sim {
namespace {

constexpr char comment = '#';

// The number of columns behind the ones that count: attributes and boundary marker.
void pass_over_columns(Cursor& in, std::int64_t columns, const char* what) {
  for (std::int64_t c = 0; c < columns; ++c) {
    if (in.word().empty()) in.fail(what);
  }
  in.end_line("the end of the line, by the number of columns in the head of the file");
}

// A number of the head that may be left out.
std::int64_t optional_integer(Cursor& in, const char* what, std::int64_t high) {
  return in.at_line_end() ? 0 : in.integer(what, 0, high);
}

Index read_nodes(Cursor& in, Mesh& mesh) {
  const std::int64_t count = in.next_integer("the number of nodes", 0, max_index);
  in.check_room(count, 8, "a number of nodes");
  in.integer("the dimension", 3, 3);
  const std::int64_t attributes = optional_integer(in, "the number of attributes of a node", max_index);
  const std::int64_t markers = optional_integer(in, "the flag of boundary markers", 1);
  in.end_line("the end of the line after the head of the file");
  mesh.vertices.reserve(count);
  std::int64_t first = 0;
  for (std::int64_t n = 0; n < count; ++n) {
    if (n == 0) first = in.next_integer("the number of the first node", 0, 1);
    if (n > 0) in.next_integer("the number of the next node", first + n, first + n);
    const double x = in.number("the x coordinate of a node");
    const double y = in.number("the y coordinate of a node");
    const double z = in.number("the z coordinate of a node");
    mesh.vertices.emplace_back(x, y, z);
    pass_over_columns(in, attributes + markers, "the attributes and the boundary marker of a node");
  }
  in.end_file("the end of the file after " + std::to_string(count) + " nodes");
  return static_cast<Index>(first);
}

void read_tets(Cursor& in, Index first, Mesh& mesh) {
  const std::int64_t count = in.next_integer("the number of tets", 0, max_index);
  in.check_room(count, 10, "a number of tets");
  if (in.integer("the number of nodes of a tet", 4, 10) != 4) in.fail(first_order_tets);
  const std::int64_t attributes = optional_integer(in, "the number of attributes of a tet", max_index);
  in.end_line("the end of the line after the head of the file");
  mesh.tets.reserve(count);
  const std::int64_t last = first + static_cast<std::int64_t>(mesh.vertices.size()) - 1;
  for (std::int64_t t = 0; t < count; ++t) {
    in.next_integer("the number of the next tet", first + t, first + t);
    Tet tet;
    for (Index& corner : tet)
      corner = static_cast<Index>(in.integer("the number of a node of the .node file", first, last)) - first;
    mesh.tets.push_back(tet);
    pass_over_columns(in, attributes, "the attributes of a tet");
  }
  in.end_file("the end of the file after " + std::to_string(count) + " tets");
}

}  // namespace

Mesh read_tetgen(const std::string& path) {
  std::filesystem::path node_path(path), tet_path(path);
  const std::string ending = node_path.extension().string();
  const bool is_node_file = ending.size() == 5;  // .node and not .ele
  const bool capitals = ending[1] < 'a';
  if (is_node_file) tet_path.replace_extension(capitals ? ".ELE" : ".ele");
  if (!is_node_file) node_path.replace_extension(capitals ? ".NODE" : ".node");
  const std::filesystem::path& partner = is_node_file ? tet_path : node_path;
  if (std::filesystem::exists(path) && !std::filesystem::exists(partner))
    throw FileError(partner.string() + ": there is no such file, but TetGen meshes are the two files .node and .ele");

  Mesh mesh;
  Cursor nodes(node_path.string(), comment);
  const Index first = read_nodes(nodes, mesh);
  Cursor tets(tet_path.string(), comment);
  read_tets(tets, first, mesh);
  return mesh;
}

}  // namespace sim
