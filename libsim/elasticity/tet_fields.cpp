#include "elasticity/tet_fields.hpp"

#include <cmath>
#include <limits>

#include "elasticity/element_at.hpp"
#include "elasticity/principal.hpp"
#include "math/decompose.hpp"
#include "math/parallel.hpp"

namespace sim {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

// NaN of what has no volume.
struct PrincipalStress {
  Vec3 sigma;  // Pa
  Mat3 axes;   // columns
};

PrincipalStress principal_cauchy(const ElasticLaw& law, const Mat3& F) {
  const RotationSvd svd = rotation_svd(F);
  const Vec3& s = svd.sigma;
  const double J = s.prod();
  if (!(J > 0)) return {Vec3::Constant(none), svd.U};
  return {s.cwiseProduct(principal_stress(law, s)) / J, svd.U};
}

double von_mises_of(const Vec3& sigma) {
  const Vec3 difference(sigma[0] - sigma[1], sigma[1] - sigma[2], sigma[2] - sigma[0]);
  return std::sqrt(0.5 * difference.squaredNorm());
}

SymmetricTensor upper_triangle(const Mat3& S) {
  return {S(0, 0), S(0, 1), S(0, 2), S(1, 1), S(1, 2), S(2, 2)};
}

SymmetricTensor tensor_of(const PrincipalStress& stress) {
  return upper_triangle(stress.axes * stress.sigma.asDiagonal() * stress.axes.transpose());
}

}  // namespace

double von_mises_stress(const ElasticLaw& law, const Mat3& F) {
  return von_mises_of(principal_cauchy(law, F).sigma);
}

SymmetricTensor cauchy_stress(const ElasticLaw& law, const Mat3& F) {
  return tensor_of(principal_cauchy(law, F));
}

// With H = F - 1, so that little strains keep their digits: (H + H^T + H^T H) / 2.
SymmetricTensor green_strain(const Mat3& F) {
  if (!(rotation_svd(F).sigma.prod() > 0)) return upper_triangle(Mat3::Constant(none));
  const Mat3 H = F - Mat3::Identity();
  return upper_triangle(0.5 * (H + H.transpose() + H.transpose() * H));
}

TetFields tet_fields(const ElasticBodies& bodies, const VecX& x, const AskedFields& asked) {
  constexpr Index tets_a_chunk = 256;
  const auto tets = static_cast<Index>(bodies.tets.size());
  TetFields fields;
  if (asked.von_mises) fields.von_mises.resize(bodies.tets.size());
  if (asked.stress) fields.stress.resize(bodies.tets.size());
  if (asked.strain) fields.strain.resize(bodies.tets.size());
  parallel_for(tets, tets_a_chunk, [&](Index begin, Index end) {
    for (Index t = begin; t < end; ++t) {
      const Mat3 F = gradient_at(bodies, x, t);
      if (asked.von_mises || asked.stress) {
        const PrincipalStress stress = principal_cauchy(bodies.laws[bodies.material[t]], F);
        if (asked.von_mises) fields.von_mises[t] = von_mises_of(stress.sigma);
        if (asked.stress) fields.stress[t] = tensor_of(stress);
      }
      if (asked.strain) fields.strain[t] = green_strain(F);
    }
  });
  return fields;
}

}  // namespace sim
