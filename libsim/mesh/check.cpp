#include "mesh/check.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <sstream>

#include "math/components.hpp"
#include "mesh/t_junctions.hpp"

namespace sim {

namespace {

// Counts findings of one kind and keeps the first few for the sentence.
class Finding {
 public:
  void add(const std::string& where) {
    if (count_ < most_named) named_ += (count_ > 0 ? ", " : "") + where;
    ++count_;
  }
  void add(Index id) { add(std::to_string(id)); }
  Index count() const { return count_; }

  // "3 tets have zero volume (0, 4, 17): remedy"
  void report(const std::string& one, const std::string& many, const std::string& remedy,
              std::vector<std::string>& sentences) const {
    if (count_ == 0) return;
    std::ostringstream sentence;
    sentence << count_ << ' ' << (count_ == 1 ? one : many) << " (" << named_ << (count_ > most_named ? ", ..." : "")
             << "): " << remedy;
    sentences.push_back(sentence.str());
  }

 private:
  static constexpr Index most_named = 5;
  Index count_ = 0;
  std::string named_;
};

template <std::size_t N>
bool repeats_vertex(std::array<Index, N> element) {
  std::sort(element.begin(), element.end());
  return std::adjacent_find(element.begin(), element.end()) != element.end();
}

template <std::size_t N>
bool names_unknown_vertex(const std::array<Index, N>& element, Index vertices) {
  return std::any_of(element.begin(), element.end(), [&](Index v) { return v < 0 || v >= vertices; });
}

std::string known_vertices(Index count) {
  return count == 0 ? "the mesh has no vertices" : "the mesh has vertices 0 to " + std::to_string(count - 1);
}

// What every other check takes for granted: indices in range and finite coordinates.
template <std::size_t N>
std::vector<std::string> basic_defects(const std::vector<Vec3>& vertices,
                                       const std::vector<std::array<Index, N>>& elements, const std::string& kind) {
  std::vector<std::string> sentences;
  const auto count = static_cast<Index>(vertices.size());
  if (elements.empty()) sentences.push_back("there are no " + kind + "s");
  Finding unknown, infinite;
  for (std::size_t e = 0; e < elements.size(); ++e) {
    if (names_unknown_vertex(elements[e], count)) unknown.add(static_cast<Index>(e));
  }
  for (Index v = 0; v < count; ++v) {
    if (!vertices[v].allFinite()) infinite.add(v);
  }
  unknown.report(kind + " names a vertex that does not exist", kind + "s name a vertex that does not exist",
                 known_vertices(count), sentences);
  infinite.report("vertex has a coordinate that is not a finite number",
                  "vertices have coordinates that are not finite numbers", "correct the coordinates", sentences);
  return sentences;
}

template <std::size_t N>
void report_repeats_and_unused(Index vertices, const std::vector<std::array<Index, N>>& elements,
                               const std::string& kind, std::vector<std::string>& sentences) {
  Finding repeated, unused;
  std::vector<char> used(static_cast<std::size_t>(vertices), 0);
  for (std::size_t e = 0; e < elements.size(); ++e) {
    if (repeats_vertex(elements[e])) repeated.add(static_cast<Index>(e));
    for (const Index v : elements[e]) used[v] = 1;
  }
  for (Index v = 0; v < vertices; ++v) {
    if (!used[v]) unused.add(v);
  }
  repeated.report(kind + " names a vertex twice", kind + "s name a vertex twice", "remove them", sentences);
  unused.report("vertex belongs to no " + kind, "vertices belong to no " + kind, "remove them", sentences);
}

// Below this share of the longest edge's power a volume or an area is rounding only; its sign means nothing.
constexpr double negligible = 1e-14;

template <std::size_t N>
double longest_square(const std::vector<Vec3>& x, const std::array<Index, N>& element) {
  double longest = 0;
  for (std::size_t i = 0; i < N; ++i) {
    for (std::size_t j = i + 1; j < N; ++j) {
      longest = std::max(longest, (x[element[i]] - x[element[j]]).squaredNorm());
    }
  }
  return longest;
}

// Its orientation and its sides mean nothing.
bool is_flat(const std::vector<Vec3>& x, const Tet& t) {
  const double volume = six_volume(x[t[0]], x[t[1]], x[t[2]], x[t[3]]);
  return std::abs(volume) <= negligible * std::pow(longest_square(x, t), 1.5);
}

void report_volumes(const Mesh& mesh, std::vector<std::string>& sentences) {
  Finding flat, turned;
  const auto& x = mesh.vertices;
  for (std::size_t i = 0; i < mesh.tets.size(); ++i) {
    const Tet& t = mesh.tets[i];
    if (repeats_vertex(t)) continue;
    if (is_flat(x, t)) {
      flat.add(static_cast<Index>(i));
    } else if (six_volume(x[t[0]], x[t[1]], x[t[2]], x[t[3]]) < 0) {
      turned.add(static_cast<Index>(i));
    }
  }
  flat.report("tet has zero volume", "tets have zero volume",
              "its four vertices lie in a plane; mesh that place anew", sentences);
  turned.report("tet has negative volume", "tets have negative volume",
                "swap two of its vertices, or mesh that place anew if its neighbours overlap it", sentences);
}

void report_faces(const Mesh& mesh, std::vector<std::string>& sentences) {
  struct Face {
    Triangle key;  // ascending
    Index tet;
    Index opposite;  // vertex
  };
  std::vector<Face> faces;
  for (std::size_t i = 0; i < mesh.tets.size(); ++i) {
    const Tet& t = mesh.tets[i];
    if (repeats_vertex(t)) continue;
    for (unsigned c = 0; c < 4; ++c) {
      Triangle key{t[(c + 1) % 4], t[(c + 2) % 4], t[(c + 3) % 4]};
      std::sort(key.begin(), key.end());
      faces.push_back({key, static_cast<Index>(i), t[c]});
    }
  }
  std::stable_sort(faces.begin(), faces.end(), [](const Face& a, const Face& b) { return a.key < b.key; });

  Finding crowded, overlapping;
  const auto& x = mesh.vertices;
  const auto side = [&](const Face& f) {
    if (is_flat(x, mesh.tets[f.tet])) return 0;
    return six_volume(x[f.key[0]], x[f.key[1]], x[f.key[2]], x[f.opposite]) > 0 ? 1 : -1;
  };
  for (std::size_t i = 0; i < faces.size();) {
    std::size_t end = i + 1;
    while (end < faces.size() && faces[end].key == faces[i].key) ++end;
    const auto where = [&] {
      std::ostringstream text;
      text << "face " << faces[i].key[0] << '-' << faces[i].key[1] << '-' << faces[i].key[2] << " of tets";
      for (std::size_t k = i; k < end; ++k) text << ' ' << faces[k].tet;
      return text.str();
    };
    if (end - i > 2) crowded.add(where());
    if (end - i == 2 && side(faces[i]) * side(faces[i + 1]) > 0) overlapping.add(where());
    i = end;
  }
  crowded.report("face is shared by more than two tets", "faces are shared by more than two tets",
                 "remove tets that are there twice or overlap", sentences);
  overlapping.report("face has both its tets on the same side", "faces have both their tets on the same side",
                     "the tets overlap; remove one or mesh that place anew", sentences);
}

struct Edge {
  std::array<Index, 2> key;  // ascending
  Index triangle;
  bool forward;  // the triangle passes it from key[0] to key[1]
};

// The edges of all triangles but those that name a vertex twice, those of the same two vertices side by side.
std::vector<Edge> sorted_edges(const Mesh& mesh) {
  std::vector<Edge> edges;
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    const Triangle& t = mesh.triangles[i];
    if (repeats_vertex(t)) continue;
    for (unsigned c = 0; c < 3; ++c) {
      const Index a = t[c], b = t[(c + 1) % 3];
      edges.push_back({ascending(a, b), static_cast<Index>(i), a < b});
    }
  }
  std::stable_sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) { return a.key < b.key; });
  return edges;
}

// Of edges with one triangle each, those that lie on another one of them: the vertices of a surface without a hole
// may be there once for each of its triangles.
std::vector<char> that_lie_on_others(const Mesh& mesh, const std::vector<std::array<Index, 2>>& edges) {
  using Place = std::array<double, 3>;
  std::map<std::pair<Place, Place>, Index> count;
  const auto place_of = [&](const std::array<Index, 2>& edge) {
    const Vec3 &x = mesh.vertices[edge[0]], &y = mesh.vertices[edge[1]];
    return std::pair<Place, Place>(std::minmax({Place{x[0], x[1], x[2]}, Place{y[0], y[1], y[2]}}));
  };
  std::vector<std::pair<Place, Place>> places;
  for (const auto& edge : edges) {
    places.emplace_back(place_of(edge));
    ++count[places.back()];
  }
  std::vector<char> lies(edges.size());
  for (std::size_t i = 0; i < edges.size(); ++i) lies[i] = count[places[i]] > 1 ? 1 : 0;
  return lies;
}

// Edges with one triangle: those that a vertex in the middle of one explains, those that lie on each other, and
// holes.
void report_open_edges(const Mesh& mesh, const std::vector<Edge>& open, bool may_be_open,
                       std::vector<std::string>& sentences) {
  std::vector<std::array<Index, 2>> keys;
  for (const Edge& edge : open) keys.push_back(edge.key);
  const std::vector<TJunction> junctions = find_t_junctions(mesh.vertices, keys);
  const std::vector<char> explained = explained_by(junctions, keys);
  const auto name = [&](const Edge& edge) {
    std::ostringstream text;
    text << "edge " << edge.key[0] << '-' << edge.key[1] << " of triangle " << edge.triangle;
    return text.str();
  };
  const std::vector<char> doubled = that_lie_on_others(mesh, keys);
  Finding divided, unmerged, hole;
  for (const TJunction& junction : junctions) {
    const Vec3& x = mesh.vertices[junction.vertices.front()];
    std::ostringstream text;
    text << "vertex " << junction.vertices.front() << " at " << x[0] << ' ' << x[1] << ' ' << x[2] << " on "
         << name(open[junction.edge]);
    divided.add(text.str());
  }
  for (std::size_t i = 0; i < open.size(); ++i) {
    if (explained[i] == 0 && !may_be_open) (doubled[i] != 0 ? unmerged : hole).add(name(open[i]));
  }
  divided.report(
      "edge has a vertex of its neighbours in its middle, a T-junction",
      "edges have vertices of their neighbours in their middle, T-junctions",
      "divide the edge's triangle at that vertex, or give its neighbours no vertex there; to close holes or "
      "to merge vertices does not help",
      sentences);
  unmerged.report("edge is open and lies on another one", "edges are open and lie on each other",
                  "the mesh has vertices at equal places: merge them", sentences);
  hole.report(
      "edge is open", "edges are open",
      "it has a triangle on one side only; close the hole, or make it a fixed or scripted object, which may be an "
      "open surface; cloth has a material of the model \"shell\" or \"edge-springs\"",
      sentences);
}

// Returns whether every edge has exactly two triangles that pass it in opposite directions.
bool report_edges(const Mesh& mesh, const std::vector<Edge>& edges, bool may_be_open,
                  std::vector<std::string>& sentences) {
  std::vector<Edge> open;
  Finding crowded, turned;
  for (std::size_t i = 0; i < edges.size();) {
    std::size_t end = i + 1;
    while (end < edges.size() && edges[end].key == edges[i].key) ++end;
    const auto where = [&] {
      std::ostringstream text;
      text << "edge " << edges[i].key[0] << '-' << edges[i].key[1] << " of triangle" << (end - i > 1 ? "s" : "");
      for (std::size_t k = i; k < end; ++k) text << ' ' << edges[k].triangle;
      return text.str();
    };
    if (end - i == 1) open.push_back(edges[i]);
    if (end - i > 2) crowded.add(where());
    if (end - i == 2 && edges[i].forward == edges[i + 1].forward) turned.add(where());
    i = end;
  }
  report_open_edges(mesh, open, may_be_open, sentences);
  crowded.report("edge is shared by more than two triangles", "edges are shared by more than two triangles",
                 "remove triangles that are there twice, or separate parts that touch along an edge", sentences);
  turned.report("edge has neighbours of opposite orientation", "edges have neighbours of opposite orientation",
                "reverse one of the two triangles", sentences);
  return open.empty() && crowded.count() + turned.count() == 0;
}

// For each triangle the lowest triangle of its connected part.
std::vector<Index> parts_of(const Mesh& mesh, const std::vector<Edge>& edges) {
  Components parts(mesh.triangles.size());
  for (std::size_t i = 0; i + 1 < edges.size(); i += 2) parts.unite(edges[i].triangle, edges[i + 1].triangle);
  return parts.firsts();
}

// How often the parts other than `part` wind around p: the sum of solid angles (Van Oosterom and Strackee 1983).
double winding_of_others(const Mesh& mesh, const std::vector<Index>& parts, Index part, const Vec3& p) {
  double sum = 0;
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    if (parts[i] == part) continue;
    const Triangle& t = mesh.triangles[i];
    const Vec3 a = mesh.vertices[t[0]] - p, b = mesh.vertices[t[1]] - p, c = mesh.vertices[t[2]] - p;
    const double la = a.norm(), lb = b.norm(), lc = c.norm();
    sum += 2 * std::atan2(six_volume(Vec3::Zero(), a, b, c),
                          la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
  }
  return sum / (4 * std::numbers::pi);
}

// A part of negative volume is the wall of a cavity when the others wind around it, and inside out when not. They are
// asked at the centre of a triangle, because parts may touch at vertices.
void report_inside_out(const Mesh& mesh, const std::vector<Edge>& edges, std::vector<std::string>& sentences) {
  const std::vector<Index> parts = parts_of(mesh, edges);
  std::vector<double> volume(parts.size(), 0), square_extent(parts.size(), 0);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Triangle& t = mesh.triangles[i];
    const Index part = parts[i];
    const Vec3& origin = mesh.vertices[mesh.triangles[part][0]];
    volume[part] += six_volume(origin, mesh.vertices[t[0]], mesh.vertices[t[1]], mesh.vertices[t[2]]);
    for (const Index v : t) {
      square_extent[part] = std::max(square_extent[part], (mesh.vertices[v] - origin).squaredNorm());
    }
  }
  Finding empty, inside_out;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto part = static_cast<Index>(i);
    const Triangle& t = mesh.triangles[i];
    if (parts[i] != part || repeats_vertex(t)) continue;
    if (std::abs(volume[i]) <= negligible * std::pow(square_extent[i], 1.5)) {
      empty.add("the part of triangle " + std::to_string(part));
    } else if (volume[i] < 0) {
      const Vec3 centre = (mesh.vertices[t[0]] + mesh.vertices[t[1]] + mesh.vertices[t[2]]) / 3;
      if (winding_of_others(mesh, parts, part, centre) > 0.5) continue;
      inside_out.add("the part of triangle " + std::to_string(part));
    }
  }
  empty.report("closed part encloses no volume", "closed parts enclose no volume", "remove its triangles", sentences);
  inside_out.report("closed part is inside out", "closed parts are inside out",
                    "reverse its triangles, they must be counter-clockwise from outside", sentences);
}

}  // namespace

Index orient_tets(Mesh& mesh) {
  const auto count = static_cast<Index>(mesh.vertices.size());
  Index turned = 0;
  for (Tet& t : mesh.tets) {
    if (names_unknown_vertex(t, count) || repeats_vertex(t)) continue;
    const auto& x = mesh.vertices;
    if (six_volume(x[t[0]], x[t[1]], x[t[2]], x[t[3]]) < 0) {
      std::swap(t[2], t[3]);
      ++turned;
    }
  }
  return turned;
}

std::vector<std::string> tet_defects(const Mesh& mesh) {
  std::vector<std::string> sentences = basic_defects(mesh.vertices, mesh.tets, "tet");
  if (!sentences.empty()) return sentences;
  report_repeats_and_unused(static_cast<Index>(mesh.vertices.size()), mesh.tets, "tet", sentences);
  report_volumes(mesh, sentences);
  report_faces(mesh, sentences);
  return sentences;
}

std::vector<std::string> surface_defects(const Mesh& mesh, bool may_be_open) {
  std::vector<std::string> sentences = basic_defects(mesh.vertices, mesh.triangles, "triangle");
  if (!sentences.empty()) return sentences;
  report_repeats_and_unused(static_cast<Index>(mesh.vertices.size()), mesh.triangles, "triangle", sentences);
  Finding flat;
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    const Triangle& t = mesh.triangles[i];
    if (repeats_vertex(t)) continue;
    const Vec3 u = mesh.vertices[t[1]] - mesh.vertices[t[0]], v = mesh.vertices[t[2]] - mesh.vertices[t[0]];
    if (u.cross(v).norm() <= negligible * longest_square(mesh.vertices, t)) flat.add(static_cast<Index>(i));
  }
  flat.report("triangle has zero area", "triangles have zero area", "collapse its shortest edge or flip its longest",
              sentences);
  const std::vector<Edge> edges = sorted_edges(mesh);
  if (report_edges(mesh, edges, may_be_open, sentences)) report_inside_out(mesh, edges, sentences);
  return sentences;
}

}  // namespace sim
