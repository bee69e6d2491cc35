// Wavefront OBJ: vertices (v) and faces (f). Everything else, such as normals and materials, is passed over.
#include "mesh/read_cursor.hpp"
#include "mesh/read_formats.hpp"

namespace sim {
namespace {

// The next word of a statement, which goes on in the next line where a line ends with a backslash.
std::string_view statement_word(Cursor& in) {
  std::string_view word = in.word();
  while (word == "\\" && in.at_line_end()) {
    in.line();
    word = in.word();
  }
  return word;
}

void read_vertex(Cursor& in, Mesh& mesh) {
  const double x = in.number("the x coordinate of a vertex");
  const double y = in.number("the y coordinate of a vertex");
  const double z = in.number("the z coordinate of a vertex");
  mesh.vertices.emplace_back(x, y, z);
}

// A corner is i, i/j, i//k or i/j/k; i counts vertices from 1, or from the latest one back when it is negative.
Index corner(const Cursor& in, std::string_view word, std::size_t vertices) {
  const std::string_view digits = word.substr(0, word.find('/'));
  const auto count = static_cast<std::int64_t>(vertices);
  const std::int64_t i = in.parse_integer(digits, "the index of a vertex");
  if (i == 0 || i > count || i < -count)
    in.fail("the index of a vertex given before, from 1 to " + std::to_string(count) + " or from -1 to -" +
            std::to_string(count));
  return static_cast<Index>(i > 0 ? i - 1 : count + i);
}

}  // namespace

Mesh read_obj(const std::string& path) {
  Cursor in(path, '#');
  Mesh mesh;
  std::vector<Index> corners;
  while (in.find_word()) {
    const std::string_view keyword = in.word();
    if (keyword == "v") {
      read_vertex(in, mesh);
    } else if (keyword == "f") {
      corners.clear();
      for (std::string_view word = statement_word(in); !word.empty(); word = statement_word(in))
        corners.push_back(corner(in, word, mesh.vertices.size()));
      if (corners.size() < 3) in.fail("three or more corners of a face", std::to_string(corners.size()));
      append_fan(corners, mesh.triangles);
    }
    in.line();
  }
  return mesh;
}

}  // namespace sim
