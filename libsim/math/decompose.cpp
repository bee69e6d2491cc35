#include "math/decompose.hpp"

#include <Eigen/Geometry>
#include <cmath>
#include <limits>
#include <utility>

namespace sim {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

// Squares of squares of the entries must neither overflow nor vanish; matrices outside are scaled first.
constexpr double smallest_entry = 1e-30;
constexpr double largest_entry = 1e30;

bool needs_scaling(double entry) {
  return entry > 0 && (entry < smallest_entry || entry > largest_entry) && std::isfinite(entry);
}

// cos and sin of the rotation that makes [a w; w d] diagonal, by the smaller of the two possible angles.
struct PlaneRotation {
  double c = 1, s = 0, t = 0;
};
PlaneRotation diagonalizing_rotation(double a, double w, double d) {
  const double difference = d - a;
  const double t = 2 * w / (difference + std::copysign(std::sqrt(difference * difference + 4 * w * w), difference));
  const double c = 1 / std::sqrt(1 + t * t);
  return {c, t * c, t};
}

void rotate_columns(const PlaneRotation& turn, Vec3& p, Vec3& q) {
  const Vec3 old = p;
  p = turn.c * old - turn.s * q;
  q = turn.s * old + turn.c * q;
}

// A symmetric matrix on its way to diagonal form, in plain variables so that the compiler keeps them in registers.
struct Jacobi {
  double xx, yy, zz, xy, xz, yz;
  Vec3 v0{1, 0, 0}, v1{0, 1, 0}, v2{0, 0, 1};
};

// One rotation of rows and columns p and q; r is the third one.
void annihilate(double& pp, double& qq, double& pq, double& rp, double& rq, Vec3& vp, Vec3& vq, double negligible) {
  if (!(std::abs(pq) > negligible)) return;  // also where something is not a number
  const PlaneRotation turn = diagonalizing_rotation(pp, pq, qq);
  pp -= turn.t * pq;
  qq += turn.t * pq;
  pq = 0;
  const double old = rp;
  rp = turn.c * old - turn.s * rq;
  rq = turn.s * old + turn.c * rq;
  rotate_columns(turn, vp, vq);
}

void diagonalize(Jacobi& j) {
  const double square = j.xx * j.xx + j.yy * j.yy + j.zz * j.zz + 2 * (j.xy * j.xy + j.xz * j.xz + j.yz * j.yz);
  const double negligible = 0.25 * epsilon * std::sqrt(square);
  constexpr int sweep_limit = 12;  // convergence is quadratic: four are the rule
  for (int sweep = 0; sweep < sweep_limit; ++sweep) {
    if (!(std::max({std::abs(j.xy), std::abs(j.xz), std::abs(j.yz)}) > negligible)) return;
    annihilate(j.xx, j.yy, j.xy, j.xz, j.yz, j.v0, j.v1, negligible);
    annihilate(j.xx, j.zz, j.xz, j.xy, j.yz, j.v0, j.v2, negligible);
    annihilate(j.yy, j.zz, j.yz, j.xy, j.xz, j.v1, j.v2, negligible);
  }
}

// Exchanges two columns of a rotation; it stays a rotation.
void exchange(Vec3& p, Vec3& q) {
  const Vec3 old = p;
  p = q;
  q = -old;
}

Vec3 perpendicular_unit(const Vec3& u) {
  Index least = 0;
  u.cwiseAbs().minCoeff(&least);
  return u.cross(Vec3::Unit(least)).normalized();
}

Mat3 columns(const Vec3& a, const Vec3& b, const Vec3& c) {
  Mat3 M;
  M << a, b, c;
  return M;
}

// Rows are turned into columns by V already: c1 and c2 lie in the plane across u0.
void finish_svd(const Vec3& u0, Vec3 c1, Vec3 c2, double scale, RotationSvd& svd, Vec3& v1, Vec3& v2) {
  double square1 = c1.squaredNorm(), square2 = c2.squaredNorm();
  if (square2 > square1) {
    exchange(c1, c2);
    exchange(v1, v2);
    std::swap(square1, square2);
  }
  const double overlap = c1.dot(c2);
  if (overlap * overlap > epsilon * epsilon * scale * scale * square1) {
    const PlaneRotation turn = diagonalizing_rotation(square1, overlap, square2);
    rotate_columns(turn, c1, c2);
    rotate_columns(turn, v1, v2);
    square1 = c1.squaredNorm();
  }
  const bool nothing_left = !(square1 > 4 * epsilon * epsilon * scale * scale);
  const Vec3 u1 = nothing_left ? perpendicular_unit(u0) : Vec3(c1 / std::sqrt(square1));
  const Vec3 u2 = u0.cross(u1);
  svd.U = columns(u0, u1, u2);
  const double sigma1 = nothing_left ? 0.0 : std::min(std::sqrt(square1), scale);
  const double sigma2 = nothing_left ? 0.0 : std::clamp(u2.dot(c2), -sigma1, sigma1);
  svd.sigma = Vec3(scale, sigma1, sigma2);
}

Mat3 cofactors(const Mat3& X) {
  return columns(X.col(1).cross(X.col(2)), X.col(2).cross(X.col(0)), X.col(0).cross(X.col(1)));
}

}  // namespace

// The eigenvectors of F^T F give V to within rounding of |F|^2. That is enough for the column of the largest singular
// value, but leaves the other two columns of F V, where they are small, at an angle: one rotation in the plane across
// the first column makes them perpendicular. U follows from the columns.
RotationSvd rotation_svd(const Mat3& F) {
  const double largest = F.cwiseAbs().maxCoeff();
  if (needs_scaling(largest)) {
    RotationSvd svd = rotation_svd(F / largest);
    svd.sigma *= largest;
    return svd;
  }
  RotationSvd svd{Mat3::Identity(), Mat3::Identity(), Vec3::Zero()};
  if (largest == 0) return svd;

  const Vec3 f0 = F.col(0), f1 = F.col(1), f2 = F.col(2);
  Jacobi j{f0.dot(f0), f1.dot(f1), f2.dot(f2), f0.dot(f1), f0.dot(f2), f1.dot(f2)};
  diagonalize(j);
  if (j.yy > j.xx) {
    std::swap(j.xx, j.yy);
    exchange(j.v0, j.v1);
  }
  if (j.zz > j.xx) exchange(j.v0, j.v2);

  const Vec3 b0 = F * j.v0;
  const double sigma0 = b0.norm();
  const Vec3 u0 = b0 / sigma0;
  const Vec3 b1 = F * j.v1, b2 = F * j.v2;
  finish_svd(u0, b1 - u0.dot(b1) * u0, b2 - u0.dot(b2) * u0, sigma0, svd, j.v1, j.v2);
  svd.V = columns(j.v0, j.v1, j.v2);
  return svd;
}

// Newton's iteration X <- (g X + X^-T / g) / 2 (Higham 1986) while F is well conditioned and not inverted; it
// converges quadratically, and the size of a step tells how exact its result is.
Mat3 polar_rotation(const Mat3& F) {
  const double square = F.squaredNorm();
  constexpr double least_share = 1e-4;  // of det F squared in what it is for equal singular values
  Mat3 X = F;
  Mat3 C = cofactors(X);
  double det = X.col(0).dot(C.col(0));
  const bool easy = det > 0 && 27 * det * det > least_share * square * square * square && square > smallest_entry &&
                    square < largest_entry;
  constexpr int iteration_limit = 12;
  for (int iteration = 0; easy && iteration < iteration_limit; ++iteration) {
    const Mat3 Y = C / det;
    const double ratio = Y.squaredNorm() / X.squaredNorm();
    Mat3 next;
    if (ratio > 1.5 || ratio < 0.67) {
      const double g = std::sqrt(std::sqrt(ratio));
      next = 0.5 * (g * X + Y / g);
    } else {
      next = 0.5 * (X + Y);
    }
    const double step = (next - X).squaredNorm();
    X = next;
    if (step < 0.5 * epsilon) return X;  // |error| is about step / 2
    C = cofactors(X);
    det = X.col(0).dot(C.col(0));
  }
  const RotationSvd svd = rotation_svd(F);
  return svd.U * svd.V.transpose();
}

SymmetricEigen symmetric_eigen(const Mat3& S) {
  const double largest = S.cwiseAbs().maxCoeff();
  if (needs_scaling(largest)) {
    SymmetricEigen eigen = symmetric_eigen(S / largest);
    eigen.values *= largest;
    return eigen;
  }
  Jacobi j{S(0, 0), S(1, 1), S(2, 2), S(1, 0), S(2, 0), S(2, 1)};
  diagonalize(j);
  const auto order = [](double& a, double& b, Vec3& va, Vec3& vb) {
    if (b < a) {
      std::swap(a, b);
      exchange(va, vb);
    }
  };
  order(j.xx, j.yy, j.v0, j.v1);
  order(j.yy, j.zz, j.v1, j.v2);
  order(j.xx, j.yy, j.v0, j.v1);
  return {Vec3(j.xx, j.yy, j.zz), columns(j.v0, j.v1, j.v2)};
}

}  // namespace sim
