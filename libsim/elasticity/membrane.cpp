#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <cmath>

#include "elasticity/damped_forces.hpp"
#include "elasticity/strain_rate_forces.hpp"
#include "elasticity/strains.hpp"
#include "elasticity/triangle.hpp"

namespace sim {

namespace {

using Mat4 = Eigen::Matrix4d;

// Y t / (1 - nu^2) [(1 - nu) E + nu tr E 1]
Mat2 tension(const Membrane& m, const Mat2& E) {
  Mat2 S = m.stiffness * (1 - m.poisson) * E;
  S.diagonal().array() += m.stiffness * m.poisson * E.trace();
  return S;
}

Mat2 strain(const Mat32& F) {
  return 0.5 * (F.transpose() * F - Mat2::Identity());
}

Mat2 strain_rate(const Mat32& F, const Mat32& rate) {
  const Mat2 product = F.transpose() * rate;
  return 0.5 * (product + product.transpose());
}

void store_forces(const Membrane& m, const Mat32& F, const Mat2& S, double* forces) {
  const Mat32 f = -m.rest_area * (F * S * m.inverse_shape.transpose());  // of corners 1 and 2
  Eigen::Map<Mat32>{forces + 3} = f;
  Eigen::Map<Vec3>{forces} = -(f.col(0) + f.col(1));
}

Mat2 symmetric(const Strains<3>& n) {
  Mat2 E;
  E << n[0], n[2], n[2], n[1];
  return E;
}

// Orthonormal, the first two columns in the plane of F.
Mat3 frame(const Mat32& F) {
  Mat3 Q;
  const Vec3 a = F.col(0), b = F.col(1);
  const Vec3 first = a.norm() > 0 ? a.normalized() : Vec3(Vec3::UnitX());
  Vec3 second = b - first * first.dot(b);
  second = second.norm() > 0 ? second.normalized() : first.unitOrthogonal();
  Q << first, second, first.cross(second);
  return Q;
}

// d(FS)/dF for changes within the plane of the triangle, F in its frame; entry (i + 2j, k + 2l) is dP_ij/dF_kl.
Mat4 in_plane(const Membrane& m, const Mat2& F, const Mat2& S) {
  Mat4 H;
  for (int l = 0; l < 2; ++l) {
    for (int k = 0; k < 2; ++k) {
      Mat2 dF = Mat2::Zero();
      dF(k, l) = 1;
      const Mat2 product = F.transpose() * dF;
      const Mat2 dP = F * tension(m, 0.5 * (product + product.transpose())) + dF * S;
      H.col(k + 2 * l) = Eigen::Map<const Eigen::Vector4d>(dP.data());
    }
  }
  return 0.5 * (H + H.transpose());
}

// Without negative eigenvalues.
template <class Matrix>
Matrix clamped(const Matrix& H) {
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(H);
  return eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0.0).asDiagonal() * eigen.eigenvectors().transpose();
}

// What K and D are made of, in the frame of the triangle.
struct InFrame {
  Mat4 plane;
  Mat2 across;

  Mat3 between(const Vec2& bi, const Vec2& bj) const {
    Mat3 K = Mat3::Zero();
    for (int a = 0; a < 2; ++a) {
      for (int b = 0; b < 2; ++b) K.topLeftCorner<2, 2>() += bi[a] * bj[b] * plane.block<2, 2>(2 * a, 2 * b);
    }
    K(2, 2) = bi.dot(across * bj);
    return K;
  }
};

InFrame stiffness_in_frame(const Membrane& m, const Mat2& F, const Mat2& S, double damping) {
  InFrame in{in_plane(m, F, S), Mat2::Zero()};
  if (!(Eigen::LLT<Mat4>(in.plane).info() == Eigen::Success)) in.plane = clamped(in.plane);
  if (!S.isZero(0)) in.across = S(0, 0) > 0 && S.determinant() > 0 ? S : clamped(S);
  if (damping > 0) in.plane += damping * in_plane(m, F, Mat2::Zero());
  return in;
}

}  // namespace

Membrane make_membrane(std::array<Index, 3> vertices, const Corners<3>& rest, const MembraneLaw& law,
                       Index material) {
  const Mat32 E = edges(rest);
  const Mat2 shape = frame(E).leftCols<2>().transpose() * E;
  const double factor = law.young * law.thickness / (1 - law.poisson * law.poisson);
  return {vertices, material, shape.inverse(), 0.5 * shape.determinant(), factor, law.poisson};
}

double element_energy(const Membrane& m, const Corners<3>& x, const Mat2& unseen) {
  const Mat2 E = strain(edges(x) * m.inverse_shape) - unseen;
  return 0.5 * m.rest_area * tension(m, E).cwiseProduct(E).sum();
}

void element_forces(const Membrane& m, const Corners<3>& x, double* forces) {
  const Mat32 F = edges(x) * m.inverse_shape;
  store_forces(m, F, tension(m, strain(F)), forces);
}

void element_forces_and_stiffness(const Membrane& m, const Corners<3>& x, const ElementScale& scale, double* forces,
                                  double* blocks, const Mat2& unseen) {
  const Mat32 F = edges(x) * m.inverse_shape;
  const Mat2 E = strain(F);
  store_forces(m, F, tension(m, E), forces);
  const Mat3 Q = frame(F);
  const InFrame in = stiffness_in_frame(m, Q.leftCols<2>().transpose() * F, tension(m, E - unseen), scale.damping);
  const Mat3 scaled_Q = scale.whole * m.rest_area * Q;
  const Vec2 b1 = m.inverse_shape.row(0).transpose(), b2 = m.inverse_shape.row(1).transpose(), b0 = -(b1 + b2);
  Eigen::Map<Mat3>{blocks} = scaled_Q * in.between(b0, b1) * Q.transpose();
  Eigen::Map<Mat3>{blocks + 9} = scaled_Q * in.between(b0, b2) * Q.transpose();
  Eigen::Map<Mat3>{blocks + 18} = scaled_Q * in.between(b1, b2) * Q.transpose();
}

double strain_rate_product(const Membrane& m, const Corners<3>& x, const Corners<3>& v) {
  const Mat2 E = strain_rate(edges(x) * m.inverse_shape, edges(v) * m.inverse_shape);
  return m.rest_area * tension(m, E).cwiseProduct(E).sum();
}

void add_strain_rate_forces(const Membrane& m, const Corners<3>& x, const Corners<3>& v, double scale,
                            double* forces) {
  const Mat32 F = edges(x) * m.inverse_shape;
  std::array<double, 9> damping{};
  store_forces(m, F, scale * tension(m, strain_rate(F, edges(v) * m.inverse_shape)), damping.data());
  for (std::size_t k = 0; k < damping.size(); ++k) forces[k] += damping[k];
}

StrainChange<3> strain_change(const Membrane& m, const Corners<3>& x0, const Corners<3>& x1) {
  const Mat2 by = strain(edges(x1) * m.inverse_shape) - strain(edges(x0) * m.inverse_shape);
  return {{by(0, 0), by(1, 1), by(0, 1)}};
}

Strains<3> strain_rates(const Membrane& m, const Corners<3>& x, const Corners<3>& v) {
  const Mat2 E = strain_rate(edges(x) * m.inverse_shape, edges(v) * m.inverse_shape);
  return {E(0, 0), E(1, 1), E(0, 1)};
}

void add_forces_of_rates(const Membrane& m, const Corners<3>& x, const Strains<3>& rates, double scale,
                         double* forces) {
  std::array<double, 9> damping{};
  store_forces(m, edges(x) * m.inverse_shape, scale * tension(m, symmetric(rates)), damping.data());
  for (std::size_t k = 0; k < damping.size(); ++k) forces[k] += damping[k];
}

double power_of_rates(const Membrane& m, const Corners<3>&, const Strains<3>& rates) {
  const Mat2 E = symmetric(rates);
  return m.rest_area * tension(m, E).cwiseProduct(E).sum();
}

double damped_forces(const Membrane& m, const Corners<3>& x, const Corners<3>& v, double beta, double* forces) {
  const Mat32 F = edges(x) * m.inverse_shape;
  const Mat2 rate = strain_rate(F, edges(v) * m.inverse_shape), S = tension(m, rate);
  store_forces(m, F, tension(m, strain(F)) + beta * S, forces);
  return beta * m.rest_area * S.cwiseProduct(rate).sum();
}

}  // namespace sim
