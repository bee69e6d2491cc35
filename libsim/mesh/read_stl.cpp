// STL, text and binary. Both list triangles with the coordinates of their corners; corners with exactly equal
// coordinates become one vertex, numbered in the order of first appearance.
#include <algorithm>
#include <functional>
#include <unordered_map>

#include "mesh/read_cursor.hpp"
#include "mesh/read_formats.hpp"

namespace sim {
namespace {

constexpr std::size_t head_bytes = 84;  // a comment of 80 and the number of facets
constexpr std::size_t facet_bytes = 50;
constexpr std::string_view coordinate = "a coordinate of a corner";

struct HashPoint {
  std::size_t operator()(const std::array<double, 3>& x) const {
    std::size_t hash = 0;
    for (const double value : x) hash = 1099511628211u * (hash ^ std::hash<double>()(value));
    return hash;
  }
};

// Only looked up, never walked through: its order does not reach the mesh.
using VertexOfPoint = std::unordered_map<std::array<double, 3>, Index, HashPoint>;

Index vertex_at(const std::array<double, 3>& x, VertexOfPoint& known, Mesh& mesh) {
  const auto [place, is_new] = known.try_emplace(x, static_cast<Index>(mesh.vertices.size()));
  if (is_new) mesh.vertices.emplace_back(x[0], x[1], x[2]);
  return place->second;
}

std::uint32_t facet_count(std::string_view text) {
  std::uint32_t count = 0;
  for (std::size_t b = 0; b < 4; ++b)
    count |= static_cast<std::uint32_t>(static_cast<unsigned char>(text[80 + b])) << 8 * b;
  return count;
}

// Binary files may begin with "solid" like text; their size gives them away. A file that begins so but has a byte of
// zero in its first lines is a damaged binary file.
bool is_binary(std::string_view text) {
  if (text.size() >= head_bytes && text.size() == head_bytes + facet_bytes * facet_count(text)) return true;
  const std::string_view start = text.substr(0, head_bytes);
  const std::size_t word = std::min(start.find_first_not_of(" \t\r\n"), start.size());
  std::string first(start.substr(word, 5));
  for (char& c : first) c = static_cast<char>(c | ' ');
  return first != "solid" || start.find('\0') != std::string_view::npos;
}

Mesh read_binary(Cursor& in) {
  in.set_byte_order(std::endian::little);
  in.skip_bytes(80, "the head of a binary STL file (text files begin with \"solid\")");
  const auto count = in.binary<std::uint32_t>("the number of facets");
  if (in.remaining() != facet_bytes * count)
    in.fail("a number of facets that agrees with the size of the file (84 + 50 for each, here " +
                std::to_string(in.text().size()) + " bytes), or text that begins with \"solid\"",
            std::to_string(count));
  Mesh mesh;
  mesh.triangles.reserve(count);
  VertexOfPoint known;
  for (std::uint32_t f = 0; f < count; ++f) {
    in.skip_bytes(12, "a normal");
    Triangle triangle;
    for (Index& corner : triangle) {
      std::array<double, 3> x;
      for (double& value : x) value = in.binary_number<float>(coordinate);
      corner = vertex_at(x, known, mesh);
    }
    mesh.triangles.push_back(triangle);
    in.skip_bytes(2, "the attribute of a facet");
  }
  return mesh;
}

std::string lower_case_word(Cursor& in) {
  std::string word(in.next_word());
  for (char& c : word) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return word;
}

void expect(Cursor& in, std::initializer_list<std::string_view> keywords) {
  for (const std::string_view keyword : keywords) {
    if (lower_case_word(in) != keyword) in.fail(quoted(keyword));
  }
}

void read_text_facet(Cursor& in, VertexOfPoint& known, Mesh& mesh) {
  expect(in, {"normal"});
  for (int k = 0; k < 3; ++k) {  // not used, and not a number on facets without area
    if (in.next_word().empty()) in.fail("a coordinate of a normal");
  }
  expect(in, {"outer", "loop"});
  Triangle triangle;
  for (Index& corner : triangle) {
    expect(in, {"vertex"});
    std::array<double, 3> x;
    for (double& value : x) value = in.next_number(coordinate);
    corner = vertex_at(x, known, mesh);
  }
  mesh.triangles.push_back(triangle);
  expect(in, {"endloop", "endfacet"});
}

// One or more solids, which together are the surface.
Mesh read_text(Cursor& in) {
  Mesh mesh;
  VertexOfPoint known;
  while (in.find_word()) {
    expect(in, {"solid"});
    in.line();  // a name
    std::string word = lower_case_word(in);
    for (; word == "facet"; word = lower_case_word(in)) read_text_facet(in, known, mesh);
    if (word != "endsolid") in.fail("\"facet\" or \"endsolid\"");
    in.line();
  }
  return mesh;
}

}  // namespace

Mesh read_stl(const std::string& path) {
  Cursor in(path);
  return is_binary(in.text()) ? read_binary(in) : read_text(in);
}

}  // namespace sim
