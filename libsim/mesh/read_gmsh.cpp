// Gmsh MSH 2.2 and 4.1, text and binary: the same code, as a number is read from text or from bytes in one place.
#include <algorithm>

#include "mesh/read_cursor.hpp"
#include "mesh/read_formats.hpp"
#include "mesh/surface.hpp"

namespace sim {
namespace {

constexpr std::int64_t max_tag = std::numeric_limits<std::int64_t>::max();
constexpr int tet_type = 4;

// Nodes an element of each type has (element types of the MSH format), 0 where the manual lists none.
int nodes_of_type(std::int64_t type) {
  constexpr int nodes[] = {0, 2, 3,  4,  4,  8, 6,  5,  3,  6,  9,  10, 27, 18, 14,
                           1, 8, 20, 15, 13, 9, 10, 12, 15, 15, 21, 4,  5,  6};
  return nodes[type];
}

// Points, lines, triangles and quadrangles of any order. What is none of these and no tet fills volume that would be
// missing from the body.
bool is_flat(std::int64_t type) {
  return (type >= 1 && type <= 3) || (type >= 8 && type <= 10) || type == 15 || type == 16 ||
         (type >= 20 && type <= 28);
}

struct Node {
  std::int64_t tag;  // the number the file gives it
  Index vertex;
};

class GmshReader {
 public:
  explicit GmshReader(const std::string& path) : in_(path) {}
  Mesh read();

 private:
  void read_format();
  void read_nodes();
  void read_node_block(std::int64_t most);
  void read_node(std::int64_t tag, std::int64_t parameters);
  void index_nodes();
  void read_elements_2();
  void read_elements_4();
  void read_element_nodes(std::int64_t type);
  void check_type(std::int64_t type);
  Index find_node(std::int64_t tag) const;

  // A number of the file, in text or binary. Version 4.1 has 8-byte counts and tags, 2.2 has 4-byte ones.
  std::int64_t integer(std::string_view expected, std::int64_t low, std::int64_t high);
  std::int64_t size(std::string_view expected, std::int64_t low, std::int64_t high);
  double coordinate();
  void begin_row();  // in text the numbers of a row stand on one line
  std::int64_t text_or_size_count(std::string_view expected);
  [[noreturn]] void fail(std::string_view expected, std::int64_t found) const;

  Cursor in_;
  Mesh mesh_;
  std::vector<Node> nodes_;  // by ascending tag once all are read
  bool version_4_ = false, binary_ = false, have_format_ = false, have_nodes_ = false, have_elements_ = false;
};

std::int64_t GmshReader::integer(std::string_view expected, std::int64_t low, std::int64_t high) {
  return binary_ ? in_.binary_integer<std::int32_t>(expected, low, high) : in_.integer(expected, low, high);
}

std::int64_t GmshReader::size(std::string_view expected, std::int64_t low, std::int64_t high) {
  return binary_ && version_4_ ? in_.binary_integer<std::int64_t>(expected, low, high) : integer(expected, low, high);
}

double GmshReader::coordinate() {
  constexpr std::string_view expected = "a coordinate of a node";
  return binary_ ? in_.binary_number<double>(expected) : in_.number(expected);
}

void GmshReader::begin_row() {
  if (!binary_) in_.find_word();
}

// Version 2.2 writes the counts of nodes and elements as text in binary files too.
std::int64_t GmshReader::text_or_size_count(std::string_view expected) {
  if (version_4_) return size(expected, 0, max_index);
  const std::int64_t count = in_.integer(expected, 0, max_index);
  in_.end_line("the end of the line after " + std::string(expected));
  return count;
}

void GmshReader::fail(std::string_view expected, std::int64_t found) const {
  in_.fail(expected, std::to_string(found));
}

Mesh GmshReader::read() {
  while (in_.find_word()) {
    const std::string_view section = in_.word();
    if (!section.starts_with('$') || section.size() < 2) in_.fail("the name of a section, like $Nodes");
    const std::string end = "$End" + std::string(section.substr(1));
    if (section == "$MeshFormat") {
      read_format();
    } else if (section == "$Nodes") {
      read_nodes();
    } else if (section == "$Elements") {
      if (!have_nodes_ || have_elements_) in_.fail("one section $Elements, after $Nodes");
      have_elements_ = true;
      in_.end_line("the end of the line after $Elements");
      begin_row();
      version_4_ ? read_elements_4() : read_elements_2();
    } else {
      in_.skip_to(end);
      continue;
    }
    in_.expect(end);
  }
  if (!have_elements_) in_.fail_at(in_.position(), "a section $Elements", "the end of the file");
  // Gmsh writes the points of the geometry and nodes of passed-over elements too; a simulation has no use for them.
  drop_unused_vertices(mesh_);
  return std::move(mesh_);
}

void GmshReader::read_format() {
  if (have_format_) in_.fail("one section $MeshFormat");
  const std::string_view version = in_.next_word();
  if (version != "2.2" && version != "4.1")
    in_.fail("version 2.2 or 4.1 of the MSH format (gmsh mesh.msh -save -format msh41 -o new.msh converts others)");
  version_4_ = version == "4.1";
  binary_ = in_.integer("the file type (0 text, 1 binary)", 0, 1) == 1;
  in_.integer("the data size", 8, 8);
  in_.end_line("the end of the line after the data size");
  have_format_ = true;
  if (!binary_) return;
  const auto one = in_.binary<std::uint32_t>("the number one that tells the byte order");
  constexpr std::uint32_t swapped_one = 1u << 24;
  if (one != 1 && one != swapped_one) fail("the number one that tells the byte order", one);
  constexpr bool little = std::endian::native == std::endian::little;
  if (one == swapped_one) in_.set_byte_order(little ? std::endian::big : std::endian::little);
}

void GmshReader::read_nodes() {
  if (!have_format_ || have_nodes_) in_.fail("one section $Nodes, after $MeshFormat");
  have_nodes_ = true;
  in_.end_line("the end of the line after $Nodes");
  begin_row();
  const std::int64_t blocks = version_4_ ? size("the number of node blocks", 0, max_tag) : 1;
  const std::int64_t count = text_or_size_count("the number of nodes");
  in_.check_room(count, binary_ ? 28 : 8, "a number of nodes");
  mesh_.vertices.reserve(count);
  nodes_.reserve(count);
  if (version_4_) {
    size("the smallest node tag", 0, max_tag);
    size("the largest node tag", 0, max_tag);
    for (std::int64_t b = 0; b < blocks; ++b) read_node_block(count - static_cast<std::int64_t>(nodes_.size()));
    if (static_cast<std::int64_t>(nodes_.size()) != count)
      in_.fail(std::to_string(count) + " nodes as the head of $Nodes says", std::to_string(nodes_.size()));
  } else {
    for (std::int64_t n = 0; n < count; ++n) {
      begin_row();
      read_node(integer("the number of a node", 1, max_tag), 0);
    }
  }
  index_nodes();
}

// A block of version 4.1: the tags of all its nodes, then the coordinates of all (with their place on a curve or
// surface of the geometry where the block is parametric).
void GmshReader::read_node_block(std::int64_t most) {
  begin_row();
  const std::int64_t dimension = integer("the dimension of the entity of a node block", 0, 3);
  integer("the tag of the entity of a node block", std::numeric_limits<std::int32_t>::min(), max_index);
  const std::int64_t parametric = integer("the flag of parametric nodes", 0, 1);
  const std::int64_t count = size("the number of nodes of a block", 0, most);
  in_.check_room(count, binary_ ? 32 : 8, "a number of nodes of a block");
  std::vector<std::int64_t> tags(count);
  for (std::int64_t& tag : tags) {
    begin_row();
    tag = size("the tag of a node", 1, max_tag);
  }
  for (const std::int64_t tag : tags) {
    begin_row();
    read_node(tag, parametric * dimension);
  }
}

void GmshReader::read_node(std::int64_t tag, std::int64_t parameters) {
  const double x = coordinate(), y = coordinate(), z = coordinate();
  for (std::int64_t p = 0; p < parameters; ++p) coordinate();
  if (!binary_) in_.end_line("the end of the line after the coordinates of a node");
  nodes_.push_back({tag, static_cast<Index>(mesh_.vertices.size())});
  mesh_.vertices.emplace_back(x, y, z);
}

void GmshReader::index_nodes() {
  std::stable_sort(nodes_.begin(), nodes_.end(), [](const Node& a, const Node& b) { return a.tag < b.tag; });
  const auto twin =
      std::adjacent_find(nodes_.begin(), nodes_.end(), [](const Node& a, const Node& b) { return a.tag == b.tag; });
  if (twin != nodes_.end())
    in_.fail("a different number for every node", "the number " + std::to_string(twin->tag) + " twice");
}

Index GmshReader::find_node(std::int64_t tag) const {
  if (nodes_.empty()) fail("nodes before elements", tag);
  // Tags mostly have no gaps: then the place of a tag is known and no search is needed.
  const std::uint64_t guess = static_cast<std::uint64_t>(tag) - static_cast<std::uint64_t>(nodes_.front().tag);
  if (guess < nodes_.size() && nodes_[guess].tag == tag) return nodes_[guess].vertex;
  const auto found = std::lower_bound(nodes_.begin(), nodes_.end(), tag,
                                      [](const Node& node, std::int64_t t) { return node.tag < t; });
  if (found == nodes_.end() || found->tag != tag) fail("the number of a node of $Nodes", tag);
  return found->vertex;
}

void GmshReader::check_type(std::int64_t type) {
  if (type != tet_type && !is_flat(type)) in_.fail(first_order_tets, "element type " + std::to_string(type));
}

// The nodes of one element: a tet is kept, anything flat passed over.
void GmshReader::read_element_nodes(std::int64_t type) {
  constexpr std::string_view expected = "the number of a node of an element";
  if (type == tet_type) {
    Tet tet;
    for (Index& corner : tet) corner = find_node(size(expected, 1, max_tag));
    mesh_.tets.push_back(tet);
    if (!binary_) in_.end_line("the end of the line after the four nodes of a tet");
  } else if (binary_) {
    in_.skip_bytes((version_4_ ? 8 : 4) * static_cast<std::size_t>(nodes_of_type(type)), expected);
  } else {
    in_.line();
  }
}

void GmshReader::read_elements_2() {
  const std::int64_t count = text_or_size_count("the number of elements");
  in_.check_room(count, 8, "a number of elements");
  for (std::int64_t done = 0; done < count;) {
    begin_row();
    if (!binary_) integer("the number of an element", 0, max_tag);
    const std::int64_t type = integer("the type of an element", 1, max_index);
    check_type(type);
    const std::int64_t in_block = binary_ ? integer("the number of elements of a block", 1, count - done) : 1;
    const std::int64_t tags = integer("the number of tags of an element", 0, max_index);
    for (std::int64_t e = 0; e < in_block; ++e) {
      if (binary_) integer("the number of an element", 0, max_index);
      for (std::int64_t t = 0; t < tags; ++t)
        integer("a tag of an element", std::numeric_limits<std::int32_t>::min(), max_index);
      read_element_nodes(type);
    }
    done += in_block;
  }
}

void GmshReader::read_elements_4() {
  const std::int64_t blocks = size("the number of element blocks", 0, max_tag);
  const std::int64_t count = size("the number of elements", 0, max_index);
  in_.check_room(count, binary_ ? 16 : 4, "a number of elements");
  size("the smallest element tag", 0, max_tag);
  size("the largest element tag", 0, max_tag);
  std::int64_t done = 0;
  for (std::int64_t b = 0; b < blocks; ++b) {
    begin_row();
    integer("the dimension of the entity of an element block", 0, 3);
    integer("the tag of the entity of an element block", std::numeric_limits<std::int32_t>::min(), max_index);
    const std::int64_t type = integer("the type of the elements of a block", 1, max_index);
    check_type(type);
    const std::int64_t in_block = size("the number of elements of a block", 0, count - done);
    for (std::int64_t e = 0; e < in_block; ++e) {
      begin_row();
      size("the tag of an element", 0, max_tag);
      read_element_nodes(type);
    }
    done += in_block;
  }
  if (done != count) fail(std::to_string(count) + " elements as the head of $Elements says", done);
}

}  // namespace

Mesh read_gmsh(const std::string& path) {
  return GmshReader(path).read();
}

}  // namespace sim
