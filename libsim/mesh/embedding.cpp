#include "mesh/embedding.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <sstream>

#include "math/error.hpp"
#include "mesh/columns.hpp"
#include "mesh/surface.hpp"

namespace sim {

namespace {

constexpr double rounding = 1e-12;  // of a weight: nearer to 0 it is 0
constexpr double columns_a_tet = 16;

struct Found {
  Index tet = -1;
  std::array<double, 4> weights{};
  double least = -std::numeric_limits<double>::infinity();  // of the weights
};

std::array<double, 4> weights_in(const Mesh& cage, const Tet& tet, const Mat3& inverse_shape, const Vec3& x) {
  const Vec3 b = inverse_shape * (x - cage.vertices[tet[0]]);
  return {1 - b.sum(), b[0], b[1], b[2]};
}

Mat3 inverse_shape(const Mesh& cage, const Tet& tet) {
  Mat3 shape;
  for (int k = 0; k < 3; ++k) shape.col(k) = cage.vertices[tet[k + 1]] - cage.vertices[tet[0]];
  return shape.inverse();
}

// For every point the tet that it is deepest in.
std::vector<Found> find_tets(const std::vector<Vec3>& points, const Mesh& cage) {
  std::vector<Index> order(points.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](Index a, Index b) { return points[a][0] < points[b][0]; });
  std::vector<Found> found(points.size());
  for (Index t = 0; t < static_cast<Index>(cage.tets.size()); ++t) {
    const Tet& tet = cage.tets[t];
    Vec3 low = cage.vertices[tet[0]], high = low;
    for (const Index corner : tet) {
      low = low.cwiseMin(cage.vertices[corner]);
      high = high.cwiseMax(cage.vertices[corner]);
    }
    const double more = 1e-6 * (high - low).norm();
    const Mat3 inverse = inverse_shape(cage, tet);
    auto next = std::lower_bound(order.begin(), order.end(), low[0] - more,
                                 [&](Index point, double x) { return points[point][0] < x; });
    for (; next != order.end() && points[*next][0] <= high[0] + more; ++next) {
      const Vec3& x = points[*next];
      if ((x.array() < low.array() - more).any() || (x.array() > high.array() + more).any()) continue;
      const auto weights = weights_in(cage, tet, inverse, x);
      const double least = *std::min_element(weights.begin(), weights.end());
      if (least > found[*next].least) found[*next] = {t, weights, least};
    }
  }
  return found;
}

std::array<double, 4> cleaned(std::array<double, 4> weights) {
  const auto largest = std::max_element(weights.begin(), weights.end());
  double others = 0;
  for (double& weight : weights) {
    if (std::abs(weight) < rounding) weight = 0;
    if (&weight != &*largest) others += weight;
  }
  *largest = 1 - others;
  return weights;
}

[[noreturn]] void reject(const std::vector<Found>& found, const std::vector<Vec3>& points) {
  const auto is_out = [](const Found& one) { return one.least < -outside_a_tet; };
  const auto first = std::find_if(found.begin(), found.end(), is_out);
  const Vec3& x = points[static_cast<std::size_t>(first - found.begin())];
  std::ostringstream message;
  message << "expected a cage that holds all of the surface, but "
          << std::count_if(found.begin(), found.end(), is_out) << " of its " << found.size()
          << " vertices are in none of the cage's tetrahedra, the first of them at (" << x[0] << ", " << x[1] << ", "
          << x[2] << ")";
  throw InputError(message.str());
}

struct Piece {  // of a column in a tet
  double low, high;
  bool empty() const { return !(high > low); }
};

// z where the column (x, y) is in the tet, whose faces look outward.
Piece piece_of(const std::array<std::pair<Vec3, double>, 4>& planes, double x, double y, Piece piece) {
  for (const auto& [n, offset] : planes) {
    const double rest = offset - n[0] * x - n[1] * y;  // n_z z <= rest
    if (n[2] > 0) {
      piece.high = std::min(piece.high, rest / n[2]);
    } else if (n[2] < 0) {
      piece.low = std::max(piece.low, rest / n[2]);
    } else if (rest < 0) {
      return {0, 0};
    }
  }
  return piece;
}

double filled_part(const Columns& columns, const std::array<Vec3, 4>& x) {
  constexpr int faces[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
  std::array<std::pair<Vec3, double>, 4> planes;
  for (std::size_t k = 0; k < 4; ++k) {
    const Vec3& a = x[faces[k][0]];
    const Vec3 n = (x[faces[k][1]] - a).cross(x[faces[k][2]] - a);
    planes[k] = {n, n.dot(a)};
  }
  const Vec3 low = x[0].cwiseMin(x[1]).cwiseMin(x[2]).cwiseMin(x[3]);
  const Vec3 high = x[0].cwiseMax(x[1]).cwiseMax(x[2]).cwiseMax(x[3]);
  const Range in_x = columns.range_x(low[0], high[0]), in_y = columns.range_y(low[1], high[1]);
  double full = 0, all = 0;
  for (Index j = in_y.begin; j < in_y.end; ++j) {
    for (Index i = in_x.begin; i < in_x.end; ++i) {
      const Piece piece = piece_of(planes, columns.x_of(i), columns.y_of(j), {low[2], high[2]});
      if (piece.empty()) continue;
      full += inside(columns.at(i, j), piece.low, piece.high);
      all += piece.high - piece.low;
    }
  }
  return all > 0 ? full / all : 0;
}

}  // namespace

Embedding make_embedding(std::span<const EmbeddedVertex> vertices, std::size_t count) {
  Embedding embedding;
  if (vertices.empty()) return embedding;
  embedding.vertices.assign(vertices.begin(), vertices.end());
  embedding.of_vertex.assign(count, -1);
  for (std::size_t i = 0; i < vertices.size(); ++i) embedding.of_vertex[vertices[i].vertex] = static_cast<Index>(i);
  return embedding;
}

void follow(const Embedding& embedding, VecX& values) {
  for (const EmbeddedVertex& point : embedding.vertices) {
    Vec3 sum = Vec3::Zero();
    for (std::size_t k = 0; k < 4; ++k) {
      if (point.weights[k] != 0) sum += point.weights[k] * block(values, point.corners[k]);
    }
    block(values, point.vertex) = sum;
  }
}

std::vector<double> filled_parts(const Mesh& surface, const Mesh& cage) {
  double six = 0;
  const auto corners = [&](const Tet& t) {
    return std::array<Vec3, 4>{cage.vertices[t[0]], cage.vertices[t[1]], cage.vertices[t[2]], cage.vertices[t[3]]};
  };
  const auto six_of = [&](const Tet& t) {
    const auto x = corners(t);
    return six_volume(x[0], x[1], x[2], x[3]);
  };
  for (const Tet& tet : cage.tets) six += six_of(tet);
  const Columns columns =
      make_columns(surface, std::cbrt(six / static_cast<double>(cage.tets.size())) / columns_a_tet);
  std::vector<double> parts;
  double sum = 0;
  for (const Tet& tet : cage.tets) {
    parts.push_back(std::clamp(filled_part(columns, corners(tet)), least_filled, 1.0));
    sum += parts.back() * six_of(tet) / 6;
  }
  const double solid = volume(surface);
  for (double& part : parts) part *= solid / sum;
  return parts;
}

Mesh embed(const Mesh& surface_mesh, const Mesh& cage) {
  Mesh surface{surface_mesh.vertices, {}, surface_mesh.triangles};
  drop_unused_vertices(surface);
  const std::vector<Found> found = find_tets(surface.vertices, cage);
  if (std::any_of(found.begin(), found.end(), [](const Found& one) { return one.least < -outside_a_tet; }))
    reject(found, surface.vertices);
  Mesh mesh{cage.vertices, cage.tets, {}, {}, filled_parts(surface, cage)};
  const auto first = static_cast<Index>(cage.vertices.size());
  mesh.vertices.insert(mesh.vertices.end(), surface.vertices.begin(), surface.vertices.end());
  for (const Triangle& t : surface.triangles) mesh.triangles.push_back({first + t[0], first + t[1], first + t[2]});
  for (std::size_t i = 0; i < found.size(); ++i)
    mesh.embedded.push_back({first + static_cast<Index>(i), cage.tets[found[i].tet], cleaned(found[i].weights)});
  return mesh;
}

}  // namespace sim
