#include "elasticity/element.hpp"

#include <Eigen/LU>

#include "elasticity/principal.hpp"
#include "math/decompose.hpp"

namespace sim {

namespace {

using Corners = std::array<Vec3, 4>;

// M b_i for all corners.
Corners turned_gradients(const Mat3& M, const Mat3& inverse_shape) {
  const Mat3 G = M * inverse_shape.transpose();
  return {-(G.col(0) + G.col(1) + G.col(2)), G.col(0), G.col(1), G.col(2)};
}

void store_forces(const Element& element, const Mat3& P, double* forces) {
  Eigen::Map<Mat3>{forces} = -element.rest_volume * (P * element.inverse_shape.transpose());
}

void rotated_linear(const Element& element, double scale, double* forces, double* blocks) {
  const Mat3 R = polar_rotation(element.F);
  store_forces(element, corotational_stress(element.law.lame, R, element.F), forces);
  const Corners g = turned_gradients(R, element.inverse_shape);
  const double mu = scale * element.rest_volume * element.law.lame.mu;
  const double lambda = scale * element.rest_volume * element.law.lame.lambda;
  for (std::size_t pair = 0; pair < corner_pairs.size(); ++pair) {
    const auto [i, j] = corner_pairs[pair];
    const Vec3 mu_j = mu * g[j], lambda_j = lambda * g[j];
    Mat3 K = mu_j * g[i].transpose() + g[i] * lambda_j.transpose();
    K.diagonal().array() += mu_j.dot(g[i]);
    Eigen::Map<Mat3>{blocks + 9 * pair} = K;
  }
}

// dP/dF contracted with two shape gradients, all seen in the frame of the SVD.
Mat3 contracted(const PrincipalDerivatives& d, const Mat3& same, const Mat3& across, const Vec3& gi, const Vec3& gj) {
  Mat3 K = d.hessian.cwiseProduct(gi * gj.transpose()) + across.cwiseProduct(gj * gi.transpose());
  K.diagonal() += same * gi.cwiseProduct(gj);
  return K;
}

void exact(const Element& element, double scale, double* forces, double* blocks) {
  const RotationSvd svd = rotation_svd(element.F);
  PrincipalDerivatives d = principal_derivatives(element.law, svd.sigma);
  store_forces(element, svd.U * d.gradient.asDiagonal() * svd.V.transpose(), forces);
  remove_negative(d);

  Mat3 same = Mat3::Zero(), across = Mat3::Zero();  // factors of dX_ab and dX_ba in dY_ab
  for (int k = 0; k < 3; ++k) {
    const int a = (k + 1) % 3, b = (k + 2) % 3;
    same(a, b) = same(b, a) = 0.5 * (d.flip[k] + d.twist[k]);
    across(a, b) = across(b, a) = 0.5 * (d.flip[k] - d.twist[k]);
  }
  const Corners g = turned_gradients(svd.V.transpose(), element.inverse_shape);
  const Mat3 scaled_U = scale * element.rest_volume * svd.U;
  for (std::size_t pair = 0; pair < corner_pairs.size(); ++pair) {
    const auto [i, j] = corner_pairs[pair];
    const Mat3 K = contracted(d, same, across, g[i], g[j]);
    Eigen::Map<Mat3>{blocks + 9 * pair} = scaled_U * K * svd.U.transpose();
  }
}

}  // namespace

void element_forces(const Element& element, double* forces) {
  store_forces(element, stress(element.law, element.F), forces);
}

void element_forces_and_stiffness(const Element& element, double scale, double* forces, double* blocks) {
  const bool linear = element.law.stiffness == Stiffness::rotated_linear;
  if (linear && element.F.determinant() >= element.law.continued_below) {
    rotated_linear(element, scale, forces, blocks);
  } else {
    exact(element, scale, forces, blocks);
  }
}

}  // namespace sim
