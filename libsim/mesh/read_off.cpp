// Geomview OFF. The letters before OFF say what else stands on the lines of vertices (ST: texture coordinates,
// C: colour, N: normal); the coordinates always come first.
#include <algorithm>

#include "mesh/read_cursor.hpp"
#include "mesh/read_formats.hpp"

namespace sim {

Mesh read_off(const std::string& path) {
  Cursor in(path, '#');
  const std::string_view keyword = in.next_word();
  constexpr std::string_view keywords[] = {"OFF", "COFF", "NOFF", "CNOFF", "STOFF", "STCOFF", "STNOFF", "STCNOFF"};
  if (std::find(std::begin(keywords), std::end(keywords), keyword) == std::end(keywords))
    in.fail("OFF, or STCNOFF without some of the letters before OFF");
  const bool bare = keyword == "OFF";

  const std::int64_t vertices = in.next_integer("the number of vertices", 0, max_index);
  in.check_room(vertices, 6, "a number of vertices");
  const std::int64_t faces = in.next_integer("the number of faces", 0, max_index);
  in.check_room(faces, 2, "a number of faces");
  in.line();  // the number of edges is not needed

  Mesh mesh;
  mesh.vertices.reserve(vertices);
  for (std::int64_t v = 0; v < vertices; ++v) {
    const double x = in.next_number("the x coordinate of a vertex");
    const double y = in.number("the y coordinate of a vertex");
    const double z = in.number("the z coordinate of a vertex");
    mesh.vertices.emplace_back(x, y, z);
    if (bare) in.end_line("the end of the line after three coordinates (COFF instead of OFF says that more follows)");
    if (!bare) in.line();
  }
  std::vector<Index> corners;
  for (std::int64_t f = 0; f < faces; ++f) {
    const std::int64_t count = in.next_integer("the number of corners of a face", 3, max_index);
    in.check_room(count, 2, "a number of corners");
    corners.clear();
    for (std::int64_t c = 0; c < count; ++c)
      corners.push_back(static_cast<Index>(in.integer("the index of a vertex", 0, vertices - 1)));
    append_fan(corners, mesh.triangles);
    in.line();  // a colour may follow
  }
  in.end_file("the end of the file after " + std::to_string(faces) + " faces");
  return mesh;
}

}  // namespace sim
