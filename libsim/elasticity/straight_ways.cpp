#include "elasticity/straight_ways.hpp"

#include <Eigen/LU>

#include "elasticity/triangle.hpp"

namespace sim {

namespace {

constexpr double flat = 1e-12;  // square of the sine of its least angle: a triangle without an area

}  // namespace

double lengthening(const Spring&, const Corners<2>& x0, const Corners<2>& x1) {
  const Vec3 before = x0[1] - x0[0], e = x1[1] - x1[0];
  const double lengths = before.norm() * e.norm();
  return lengths > 0 ? 0.5 * (e / e.norm() - before / before.norm()).squaredNorm() * e.norm() : 0;  // no cancellation
}

Mat2 lengthening(const Membrane& m, const Corners<3>& x0, const Corners<3>& x1) {
  const Mat32 dF = (edges(x1) - edges(x0)) * m.inverse_shape;
  return 0.5 * dF.transpose() * dF;
}

double shortening(const Spring&, const Corners<2>& x0, const Mat3& C) {
  const Vec3 e = x0[1] - x0[0];
  const double length = e.norm();
  return length > 0 ? e.dot(C * e) / length : 0;
}

Mat2 shortening(const Membrane& m, const Corners<3>& x0, const Mat3& C) {
  const Mat32 F = edges(x0) * m.inverse_shape;
  return F.transpose() * C * F;
}

Corners<2> straining(const Spring&, const Corners<2>& x, const Mat3& way) {
  const Vec3 e = x[1] - x[0];
  const double square = e.squaredNorm();
  return {Vec3::Zero(), square > 0 ? Vec3(e.dot(way * e) / square * e) : Vec3(Vec3::Zero())};
}

Corners<3> straining(const Membrane&, const Corners<3>& x, const Mat3& way) {
  const Mat32 E = edges(x);
  const Mat2 square = E.transpose() * E, rate = E.transpose() * way * E;
  if (!(square.determinant() > flat * square.trace() * square.trace()))
    return {Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
  const Mat32 V = E * (square.inverse() * (0.5 * (rate + rate.transpose())));
  return {Vec3::Zero(), V.col(0), V.col(1)};
}

}  // namespace sim
