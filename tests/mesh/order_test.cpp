#include "mesh/order.hpp"

#include <gtest/gtest.h>

#include "math/random.hpp"
#include "mesh/generate.hpp"
#include "mesh/shapes.hpp"

namespace sim {
namespace order_test {

double mean_span(const Mesh& mesh) {
  double span = 0;
  for (const Tet& t : mesh.tets) {
    span += *std::max_element(t.begin(), t.end()) - *std::min_element(t.begin(), t.end());
  }
  return span / static_cast<double>(mesh.tets.size());
}

// The box with its vertices and tets in random order.
Mesh shuffled_box() {
  Mesh mesh = generate(BoxShape{{1, 2, 1}, {6, 12, 6}});
  Random random(5);
  const auto count = static_cast<Index>(mesh.vertices.size());
  std::vector<Index> place(mesh.vertices.size());
  for (Index i = 0; i < count; ++i) place[i] = i;
  for (Index i = count - 1; i > 0; --i) std::swap(place[i], place[static_cast<Index>(random.uniform(0, i + 1))]);
  const std::vector<Vec3> old = mesh.vertices;
  for (Index i = 0; i < count; ++i) mesh.vertices[place[i]] = old[i];
  for (Tet& t : mesh.tets) {
    for (Index& v : t) v = place[v];
  }
  for (Triangle& t : mesh.triangles) {
    for (Index& v : t) v = place[v];
  }
  for (std::size_t i = mesh.tets.size() - 1; i > 0; --i) {
    std::swap(mesh.tets[i], mesh.tets[static_cast<std::size_t>(random.uniform(0, static_cast<double>(i + 1)))]);
  }
  return mesh;
}

// The corners of every element as coordinates: what must not change but for the order of the tets.
template <class Element>
std::vector<std::vector<double>> places(const Mesh& mesh, const std::vector<Element>& elements) {
  std::vector<std::vector<double>> result;
  for (const Element& e : elements) {
    auto& row = result.emplace_back();
    for (const Index v : e) row.insert(row.end(), mesh.vertices[v].begin(), mesh.vertices[v].end());
  }
  return result;
}

TEST(Order, KeepsTheShape) {
  const Mesh before = shuffled_box();
  Mesh after = before;
  order_locally(after);
  EXPECT_EQ(places(before, before.triangles), places(after, after.triangles));
  auto tets_before = places(before, before.tets), tets_after = places(after, after.tets);
  std::sort(tets_before.begin(), tets_before.end());
  std::sort(tets_after.begin(), tets_after.end());
  EXPECT_EQ(tets_before, tets_after);
}

// In a random order the four corners of a tet span 3/5 of all vertices on the average.
TEST(Order, BringsNeighboursTogether) {
  Mesh mesh = shuffled_box();
  const auto count = static_cast<double>(mesh.vertices.size());
  ASSERT_GT(mean_span(mesh), 0.55 * count);
  order_locally(mesh);
  EXPECT_LT(mean_span(mesh), 0.2 * count);
  double jump = 0;
  for (std::size_t i = 1; i < mesh.tets.size(); ++i) jump += std::abs(mesh.tets[i][0] - mesh.tets[i - 1][0]);
  EXPECT_LT(jump / static_cast<double>(mesh.tets.size()), 0.05 * count);
}

TEST(Order, LeavesTheFirstVerticesAlone) {
  const Mesh before = shuffled_box();
  Mesh after = before;
  order_locally(after, 100);
  for (Index i = 0; i < 100; ++i) EXPECT_EQ(before.vertices[i], after.vertices[i]);
  EXPECT_NE(before.vertices, after.vertices);
  EXPECT_EQ(places(before, before.triangles), places(after, after.triangles));
}

TEST(Order, OfNothingIsNothing) {
  Mesh mesh;
  order_locally(mesh);
  EXPECT_TRUE(mesh.vertices.empty());
}

}  // namespace order_test
}  // namespace sim
