#include "mesh/node_volumes.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "mesh/embedding.hpp"

namespace sim {

namespace {

using Vec10 = Eigen::Matrix<double, 10, 1>;
using Mat10 = Eigen::Matrix<double, 10, 10>;

constexpr double filled_whole = 1e-9;  // what a tet that is solid may seem to lack
constexpr double met = 1e-6;           // of a moment: it is there
constexpr double softness = 1e-9;      // of second moments: what is missed by a multiplier of one
constexpr int most_iterations = 100;   // Newton's method needs some five

Vec10 moments(const Vec3& y) {
  Vec10 all;
  all << 1, y, y[0] * y[0], y[1] * y[1], y[2] * y[2], y[0] * y[1], y[1] * y[2], y[2] * y[0];
  return all;
}

// In units of the volume and the radius of gyration: weights a_k max(least, 1 + lambda . phi_k), a_k those that are
// given. They are the nearest ones with sum a_k phi_k = wanted; lambda is where the concave dual is largest.
struct Fit {
  std::vector<Vec10> phi;
  std::vector<double> given;
  Vec10 wanted, soft;
  double least = 0;

  double weight(std::size_t k, const Vec10& lambda) const {
    return given[k] * std::max(least, 1 + lambda.dot(phi[k]));
  }

  double dual(const Vec10& lambda) const {
    double value = lambda.dot(wanted) - (soft.array() * lambda.array().square()).sum() / 2;
    for (std::size_t k = 0; k < given.size(); ++k) {
      const double u = 1 + lambda.dot(phi[k]), at = std::max(u, least);
      value -= given[k] * (at * u - at * at / 2);
    }
    return value;
  }

  Vec10 gradient(const Vec10& lambda) const {
    Vec10 left = wanted - soft.cwiseProduct(lambda);
    for (std::size_t k = 0; k < given.size(); ++k) left -= weight(k, lambda) * phi[k];
    return left;
  }

  Mat10 curvature(const Vec10& lambda) const {
    Mat10 sum = Mat10::Identity() * 1e-14;
    sum.diagonal() += soft;
    for (std::size_t k = 0; k < given.size(); ++k) {
      if (1 + lambda.dot(phi[k]) > least) sum += given[k] * phi[k] * phi[k].transpose();
    }
    return sum;
  }

  Vec10 solve() const {
    Vec10 lambda = Vec10::Zero();
    for (int n = 0; n < most_iterations; ++n) {
      const Vec10 left = gradient(lambda);
      if (left.lpNorm<Eigen::Infinity>() < 1e-14) break;
      const Vec10 way = curvature(lambda).ldlt().solve(left);
      const double before = dual(lambda), slope = left.dot(way);
      double part = 1;
      while (part > 1e-10 && !(dual(lambda + part * way) >= before + 1e-4 * part * slope)) part /= 2;
      if (part <= 1e-10) break;  // rounding
      lambda += part * way;
    }
    return lambda;
  }

  bool is_met(const Vec10& lambda) const {
    return (gradient(lambda) + soft.cwiseProduct(lambda)).lpNorm<Eigen::Infinity>() < met;
  }
};

// Second moments less what volume and first moments say of them, which are met: where the nodes have no others (those
// of one cube), nothing is left, and no large multipliers of equal moments are.
void take_out_first_moments(Fit& fit) {
  Eigen::Matrix4d own = Eigen::Matrix4d::Zero();
  Eigen::Matrix<double, 4, 6> shared = Eigen::Matrix<double, 4, 6>::Zero();
  for (std::size_t k = 0; k < fit.phi.size(); ++k) {
    const Eigen::Vector4d first = fit.phi[k].head<4>();
    own += fit.given[k] * first * first.transpose();
    shared += fit.given[k] * first * fit.phi[k].tail<6>().transpose();
  }
  const Eigen::Matrix<double, 4, 6> part = own.ldlt().solve(shared);
  for (Vec10& phi : fit.phi) phi.tail<6>() -= part.transpose() * phi.head<4>();
  fit.wanted.tail<6>() -= part.transpose() * fit.wanted.head<4>();
}

}  // namespace

SolidMoments moments_of(std::span<const Vec3> vertices, std::span<const Triangle> triangles) {
  const Vec3& origin = vertices[triangles.front()[0]];  // near, so that no digits are lost
  SolidMoments solid;
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();
  for (const Triangle& t : triangles) {
    Mat3 x;
    for (int k = 0; k < 3; ++k) x.col(k) = vertices[t[k]] - origin;
    const double six = x.col(0).cross(x.col(1)).dot(x.col(2));
    const Vec3 sum = x.rowwise().sum();
    solid.volume += six / 6;
    first += six / 24 * sum;
    second += six / 120 * (x * x.transpose() + sum * sum.transpose());
  }
  const Vec3 center = first / solid.volume;
  solid.center = origin + center;
  solid.second = second - solid.volume * center * center.transpose();
  return solid;
}

void fit_moments(const SolidMoments& solid, std::span<const Vec3> nodes, std::vector<double>& volumes) {
  const double size = std::sqrt(solid.second.trace() / solid.volume);
  const Mat3 second = solid.second / (solid.volume * size * size);
  Fit fit;
  fit.wanted << 1, Vec3::Zero(), second(0, 0), second(1, 1), second(2, 2), second(0, 1), second(1, 2), second(2, 0);
  fit.soft << Eigen::Vector4d::Zero(), Eigen::Matrix<double, 6, 1>::Constant(softness);
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    fit.phi.push_back(moments((nodes[k] - solid.center) / size));
    fit.given.push_back(volumes[k] / solid.volume);
  }
  take_out_first_moments(fit);
  Vec10 lambda;
  for (fit.least = 0.5;; fit.least = std::max(fit.least / 2, least_filled)) {
    lambda = fit.solve();
    if (fit.is_met(lambda) || fit.least == least_filled) break;
  }
  for (std::size_t k = 0; k < nodes.size(); ++k) volumes[k] = solid.volume * fit.weight(k, lambda);
}

std::vector<double> node_volumes(const Mesh& mesh, const Embedded& object) {
  std::vector<double> volumes(static_cast<std::size_t>(object.vertices.size()));
  double least = 1;
  for (Index t = object.tets.begin; t < object.tets.end; ++t) {
    const auto& [a, b, c, d] = mesh.tets[t];
    const auto& x = mesh.vertices;
    const double part = mesh.filled.empty() ? 1 : mesh.filled[t];
    least = std::min(least, part);
    for (const Index corner : mesh.tets[t])
      volumes[corner - object.vertices.begin] += part * six_volume(x[a], x[b], x[c], x[d]) / 24;
  }
  if (least > 1 - filled_whole) return volumes;
  const auto triangles = std::span(mesh.triangles)
                             .subspan(static_cast<std::size_t>(object.triangles.begin),
                                      static_cast<std::size_t>(object.triangles.size()));
  const auto own =
      std::span(mesh.vertices)
          .subspan(static_cast<std::size_t>(object.vertices.begin), static_cast<std::size_t>(object.vertices.size()));
  fit_moments(moments_of(mesh.vertices, triangles), own, volumes);
  return volumes;
}

}  // namespace sim
