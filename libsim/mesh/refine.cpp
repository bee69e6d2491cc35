#include "mesh/refine.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/error.hpp"
#include "math/number_text.hpp"

namespace sim {
namespace {

using Edge = std::array<Index, 2>;  // the smaller first

struct Middles {
  std::vector<Edge> edges;  // ascending
  Index first = 0;          // vertex in the middle of the first of them

  Index operator()(Index a, Index b) const {
    const auto found = std::lower_bound(edges.begin(), edges.end(), ascending(a, b));
    return first + static_cast<Index>(found - edges.begin());
  }
};

Middles add_middles(Mesh& mesh) {
  Middles middles;
  const auto add = [&](const auto& cell) {
    for (std::size_t i = 0; i < cell.size(); ++i) {
      for (std::size_t j = i + 1; j < cell.size(); ++j) middles.edges.push_back(ascending(cell[i], cell[j]));
    }
  };
  for (const Tet& tet : mesh.tets) add(tet);
  for (const Triangle& triangle : mesh.triangles) add(triangle);
  std::sort(middles.edges.begin(), middles.edges.end());
  middles.edges.erase(std::unique(middles.edges.begin(), middles.edges.end()), middles.edges.end());
  middles.first = static_cast<Index>(mesh.vertices.size());
  for (const Edge& edge : middles.edges)
    mesh.vertices.push_back(0.5 * (mesh.vertices[edge[0]] + mesh.vertices[edge[1]]));
  return middles;
}

void refine(const Triangle& t, const Middles& middle, std::vector<Triangle>& finer) {
  const Index ab = middle(t[0], t[1]), bc = middle(t[1], t[2]), ca = middle(t[2], t[0]);
  for (const Triangle& part : {Triangle{t[0], ab, ca}, {ab, t[1], bc}, {ca, bc, t[2]}, {ab, bc, ca}})
    finer.push_back(part);
}

void refine(const Tet& t, const Middles& middle, const std::vector<Vec3>& x, std::vector<Tet>& finer) {
  const Index ab = middle(t[0], t[1]), ac = middle(t[0], t[2]), ad = middle(t[0], t[3]);
  const Index bc = middle(t[1], t[2]), bd = middle(t[1], t[3]), cd = middle(t[2], t[3]);
  for (const Tet& corner : {Tet{t[0], ab, ac, ad}, {ab, t[1], bc, bd}, {ac, bc, t[2], cd}, {ad, bd, cd, t[3]}})
    finer.push_back(corner);
  // Two ends of a diagonal, and the four others around it.
  struct Cut {
    std::array<Index, 2> ends;
    std::array<Index, 4> around;
  };
  const std::array<Cut, 3> cuts{
      {{{cd, ab}, {ac, bc, bd, ad}}, {{bd, ac}, {ab, ad, cd, bc}}, {{ad, bc}, {ab, ac, cd, bd}}}};
  const auto length = [&](const Cut& cut) { return (x[cut.ends[1]] - x[cut.ends[0]]).squaredNorm(); };
  const Cut& cut =
      *std::min_element(cuts.begin(), cuts.end(), [&](const Cut& a, const Cut& b) { return length(a) < length(b); });
  for (std::size_t i = 0; i < 4; ++i)
    finer.push_back({cut.ends[0], cut.ends[1], cut.around[i], cut.around[(i + 1) % 4]});
}

void refine(Mesh& mesh) {
  const Middles middles = add_middles(mesh);
  std::vector<Tet> tets;
  std::vector<Triangle> triangles;
  for (const Tet& tet : mesh.tets) refine(tet, middles, mesh.vertices, tets);
  for (const Triangle& triangle : mesh.triangles) refine(triangle, middles, triangles);
  mesh.tets = std::move(tets);
  mesh.triangles = std::move(triangles);
}

// Numbers of coordinates, and of edges of the last cells but one before equal ones are one, must fit.
void check_size(const Mesh& mesh, Index times) {
  constexpr double most = std::numeric_limits<Index>::max() / 3.0;
  const double tets = static_cast<double>(mesh.tets.size()) * std::pow(8, times);
  const double triangles = static_cast<double>(mesh.triangles.size()) * std::pow(4, times);
  if (static_cast<double>(mesh.vertices.size()) + tets + triangles <= most) return;
  throw InputError("expected a mesh that is refined less often: " +
                   (tets > 0 ? number_text(tets, 2) + " tetrahedra" : number_text(triangles, 2) + " triangles") +
                   " are more than there are numbers for");
}

}  // namespace

void refine(Mesh& mesh, Index times) {
  check_size(mesh, times);
  for (Index time = 0; time < times; ++time) refine(mesh);
}

}  // namespace sim
