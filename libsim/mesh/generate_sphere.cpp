#include <algorithm>
#include <cmath>
#include <map>

#include "mesh/generate.hpp"
#include "mesh/lattice.hpp"
#include "mesh/order.hpp"
#include "mesh/surface.hpp"

namespace sim {

namespace {

// The icosahedron in the unit sphere, two corners on the z axis; faces counter-clockwise from outside.
struct Icosahedron {
  std::array<Vec3, 12> corners;
  std::vector<Triangle> faces;
};

Icosahedron icosahedron() {
  Icosahedron result;
  const double height = 1 / std::sqrt(5.0);
  const double distance = 2 / std::sqrt(5.0);
  result.corners[0] = Vec3(0, 0, 1);
  result.corners[11] = Vec3(0, 0, -1);
  for (Index k = 0; k < 5; ++k) {
    const auto upper = circle_point(2 * k, 10);
    const auto lower = circle_point(2 * k + 1, 10);
    result.corners[1 + k] = Vec3(distance * upper[0], distance * upper[1], height);
    result.corners[6 + k] = Vec3(distance * lower[0], distance * lower[1], -height);
    const Index u = 1 + k, next_u = 1 + (k + 1) % 5, l = 6 + k, next_l = 6 + (k + 1) % 5;
    for (const Triangle& f : {Triangle{0, u, next_u}, {u, l, next_u}, {l, next_l, next_u}, {11, next_l, l}}) {
      result.faces.push_back(f);
    }
  }
  return result;
}

// Vertices are shared between the 20 pieces: each is known by the corners it lies between and its weights on them.
class SphereBuilder {
 public:
  explicit SphereBuilder(const SphereShape& shape) : shape_(shape) {}

  Mesh build() {
    for (const Triangle& face : solid_.faces) add_piece(face);
    return std::move(mesh_);
  }

 private:
  using Weights = std::array<Index, 3>;  // on the corners of a face; what is missing to `resolution` is the centre's

  // Cuts the piece between the centre and a face into small tets: upright ones, and octahedra between them, which
  // are cut in four around their shortest diagonal, and upside-down ones.
  void add_piece(const Triangle& face) {
    const Index n = shape_.resolution;
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; i + j < n; ++j) {
        for (Index k = 0; i + j + k < n; ++k) {
          const auto at = [&](Index a, Index b, Index c) { return vertex(face, {i + a, j + b, k + c}); };
          const Index layer = i + j + k;
          mesh_.tets.push_back({at(0, 0, 0), at(1, 0, 0), at(0, 1, 0), at(0, 0, 1)});
          if (layer + 2 <= n) {
            add_octahedron({at(1, 0, 0), at(0, 1, 0), at(0, 0, 1), at(0, 1, 1), at(1, 0, 1), at(1, 1, 0)});
          }
          if (layer + 3 <= n) mesh_.tets.push_back({at(1, 0, 1), at(1, 1, 0), at(0, 1, 1), at(1, 1, 1)});
        }
      }
    }
  }

  // Corners i and i + 3 are opposite; 0, 1, 2 are counter-clockwise from outside, 3, 4, 5 in the layer above.
  void add_octahedron(const std::array<Index, 6>& p) {
    constexpr double clearly = 1 - 1e-9;  // equal diagonals must not be told apart by rounding
    const auto square_length = [&](Index i) {
      return (mesh_.vertices[p[i]] - mesh_.vertices[p[i + 3]]).squaredNorm();
    };
    Index best = 0;
    for (Index i = 1; i < 3; ++i) {
      if (square_length(i) < clearly * square_length(best)) best = i;
    }
    const Index a = best, b = (best + 1) % 3, c = (best + 2) % 3;
    const std::array<Index, 4> ring{p[b], p[c], p[b + 3], p[c + 3]};
    for (Index i = 0; i < 4; ++i) mesh_.tets.push_back({p[a], p[a + 3], ring[i], ring[(i + 1) % 4]});
  }

  Index vertex(const Triangle& face, const Weights& weights) {
    std::array<std::array<Index, 2>, 3> key;  // (corner, weight), ascending; unused places hold (-1, 0)
    for (Index i = 0; i < 3; ++i)
      key[i] = weights[i] > 0 ? std::array<Index, 2>{face[i], weights[i]} : std::array<Index, 2>{-1, 0};
    std::sort(key.begin(), key.end());
    const auto [place, is_new] = known_.try_emplace(key, static_cast<Index>(mesh_.vertices.size()));
    if (is_new) mesh_.vertices.push_back(position(key));
    return place->second;
  }

  // On shell s of n: the point of the flat face, pushed out to the radius s / n.
  Vec3 position(const std::array<std::array<Index, 2>, 3>& key) const {
    Index shell = 0;
    Vec3 p = Vec3::Zero();
    for (const auto& [corner, weight] : key) {
      if (weight == 0) continue;
      shell += weight;
      p += static_cast<double>(weight) * solid_.corners[corner];
    }
    if (shell == 0) return Vec3::Zero();
    const double length = std::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
    return p * (shape_.radius * (static_cast<double>(shell) / shape_.resolution) / length);
  }

  SphereShape shape_;
  Icosahedron solid_ = icosahedron();
  std::map<std::array<std::array<Index, 2>, 3>, Index> known_;
  Mesh mesh_;
};

}  // namespace

Mesh generate(const SphereShape& shape) {
  expect_positive("radius of the sphere", shape.radius);
  expect_at_least("resolution of the sphere", shape.resolution, 1);
  expect_countable("the sphere", 20 * std::pow(shape.resolution, 3));
  Mesh mesh = SphereBuilder(shape).build();
  order_locally(mesh);
  mesh.triangles = extract_surface(mesh.tets);
  return mesh;
}

}  // namespace sim
