#include "model_defects.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "geometry.hpp"
#include "math/error.hpp"
#include "mesh/embedding.hpp"

namespace simcheck {

namespace {

bool within(const sim::Range& range, std::size_t count) {
  return range.begin >= 0 && range.begin <= range.end && static_cast<std::size_t>(range.end) <= count;
}

template <std::size_t n>
bool all_within(const std::vector<std::array<sim::Index, n>>& elements, sim::Range rows, sim::Range vertices) {
  return std::all_of(elements.begin() + rows.begin, elements.begin() + rows.end, [&](const auto& element) {
    return std::all_of(element.begin(), element.end(),
                       [&](sim::Index v) { return v >= vertices.begin && v < vertices.end; });
  });
}

// The first row of which a vertex comes twice; -1: none.
template <std::size_t n>
sim::Index repeated_vertex(const std::vector<std::array<sim::Index, n>>& elements, sim::Range rows) {
  for (sim::Index row = rows.begin; row < rows.end; ++row) {
    auto vertices = elements[static_cast<std::size_t>(row)];
    std::sort(vertices.begin(), vertices.end());
    if (std::adjacent_find(vertices.begin(), vertices.end()) != vertices.end()) return row;
  }
  return -1;
}

// What is wrong with the embedding of an object's last vertices; empty: nothing.
std::string embedding_defect(const Subject& subject, const sim::ResultObject& object) {
  const sim::Mesh& mesh = subject.rest;
  const sim::Range nodes = nodes_of(subject, object);
  sim::Index before = -1;
  for (const sim::EmbeddedVertex& point : mesh.embedded) {
    if (point.vertex < object.vertices.begin || point.vertex >= object.vertices.end) continue;
    const std::string name = "embedded vertex " + std::to_string(point.vertex - object.vertices.begin);
    if (point.vertex < nodes.end || point.vertex == before)
      return name + " is not among its last vertices, or comes twice";
    before = point.vertex;
    const bool own = std::all_of(point.corners.begin(), point.corners.end(),
                                 [&](sim::Index corner) { return corner >= nodes.begin && corner < nodes.end; });
    if (!own) return name + " has corners that are no nodes of its cage";
    const double sum = std::accumulate(point.weights.begin(), point.weights.end(), 0.0);
    const double least = *std::min_element(point.weights.begin(), point.weights.end());
    if (!(std::abs(sum - 1) <= sim::outside_a_tet) || !(least >= -sim::outside_a_tet))
      return name + " has weights that are no place in a tetrahedron";
    const auto at = [&](std::size_t k) { return mesh.vertices[point.corners[k]]; };
    if (!(misplacement(point, {at(0), at(1), at(2), at(3)}, mesh.vertices[point.vertex]) <= largest_agreement))
      return name + " is not where its weights put it at rest";
  }
  return "";
}

}  // namespace

void check_model(const Subject& subject) {
  const sim::Mesh& mesh = subject.rest;
  std::size_t triangles = 0;
  const auto fail = [&](const std::string& what) { throw sim::FileError(subject.path + ": /model: " + what); };
  if (mesh.vertices.size() != static_cast<std::size_t>(subject.reader.vertex_count()))
    fail("rest_positions and the frames differ in the number of vertices");
  for (const sim::ResultObject& object : subject.objects) {
    const std::string name = "object \"" + object.name + "\"";
    if (!within(object.vertices, mesh.vertices.size()) || !within(object.tets, mesh.tets.size()) ||
        !within(object.triangles, mesh.triangles.size()))
      fail(name + " names rows that are not there");
    if (!all_within(mesh.tets, object.tets, object.vertices) ||
        !all_within(mesh.triangles, object.triangles, object.vertices))
      fail(name + " has tets or triangles on vertices that are not its own");
    // Those of obstacles may be segments and points, those of cables are segments.
    const bool may_be_thin = is_obstacle(object) || object.cable;
    const sim::Index thin = may_be_thin ? -1 : repeated_vertex(mesh.triangles, object.triangles);
    if (thin >= 0) fail(name + ": triangle " + std::to_string(thin) + " has a corner twice");
    if (const sim::Index row = repeated_vertex(mesh.tets, object.tets); row >= 0)
      fail(name + ": tet " + std::to_string(row) + " has a corner twice");
    if (const std::string defect = embedding_defect(subject, object); !defect.empty()) fail(name + ": " + defect);
    triangles += static_cast<std::size_t>(object.triangles.size());
  }
  if (triangles != mesh.triangles.size()) fail("not every triangle belongs to one object");
}

}  // namespace simcheck
