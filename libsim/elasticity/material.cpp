#include "elasticity/material.hpp"

#include <Eigen/LU>
#include <cmath>
#include <limits>

#include "elasticity/st_venant_kirchhoff.hpp"
#include "elasticity/volume_energy.hpp"
#include "math/decompose.hpp"

namespace sim {

namespace {

// dP/dF from its parts in the frame of the SVD: vec(U X V^T) = (V kron U) vec(X).
Mat9 in_space(const RotationSvd& svd, const PrincipalDerivatives& d) {
  Mat9 frame = Mat9::Zero();
  for (Eigen::Index a = 0; a < 3; ++a) {
    for (Eigen::Index c = 0; c < 3; ++c) frame(4 * a, 4 * c) = d.hessian(a, c);
  }
  for (Eigen::Index k = 0; k < 3; ++k) {
    const Eigen::Index a = (k + 1) % 3, b = (k + 2) % 3;
    const Eigen::Index ab = a + 3 * b, ba = b + 3 * a;
    frame(ab, ab) = frame(ba, ba) = 0.5 * (d.flip[k] + d.twist[k]);
    frame(ab, ba) = frame(ba, ab) = 0.5 * (d.flip[k] - d.twist[k]);
  }
  Mat9 turn;
  for (Eigen::Index b = 0; b < 3; ++b) {
    for (Eigen::Index j = 0; j < 3; ++j) turn.block<3, 3>(3 * j, 3 * b) = svd.V(j, b) * svd.U;
  }
  const Mat9 D = turn * frame * turn.transpose();
  return 0.5 * (D + D.transpose());
}

}  // namespace

Lame lame(const Material& material) {
  const double E = material.young, nu = material.poisson;
  return {E / (2 * (1 + nu)), E * nu / ((1 + nu) * (1 - 2 * nu))};
}

bool is_of_sheets(MaterialModel model) {
  return model == MaterialModel::edge_springs || model == MaterialModel::grid_springs ||
         model == MaterialModel::shell;
}

bool is_thin(MaterialModel model) {
  return model == MaterialModel::edge_springs || model == MaterialModel::grid_springs ||
         model == MaterialModel::shell || model == MaterialModel::cable;
}

bool has_published_form(MaterialModel model) {
  return model == MaterialModel::corotational || model == MaterialModel::neo_hookean;
}

double least_poisson(const Material& material) {
  if (material.model != MaterialModel::mooney_rivlin) return -1;
  return material.c2_share / (1 + 2 * material.c2_share);
}

ElasticLaw elastic_law(const Material& material) {
  const bool linear = material.model == MaterialModel::corotational;
  ElasticLaw law{material.model, linear ? material.stiffness : Stiffness::exact, lame(material)};
  if (material.model == MaterialModel::mooney_rivlin) law.c2_share = material.c2_share;
  if (material.model == MaterialModel::st_venant_kirchhoff || is_thin(material.model)) {
    law.as_published = true;
    law.continued_below = -std::numeric_limits<double>::infinity();
    return law;
  }
  law.as_published =
      has_published_form(material.model) && (material.as_published || (!linear && material.extrapolate_below));
  if (!law.as_published) {
    law.continued_below = resisting_threshold(material.model, law.lame);
  } else {
    law.continued_below = linear ? -std::numeric_limits<double>::infinity()
                                 : material.extrapolate_below.value_or(published_extrapolate_below);
  }
  return law;
}

double energy_density(const ElasticLaw& law, const Mat3& F) {
  if (law.model == MaterialModel::corotational && !(F.determinant() < law.continued_below)) {
    const Mat3 R = polar_rotation(F);  // a third of the time of the singular values
    const double trace = R.cwiseProduct(F).sum() - 3;
    return law.lame.mu * (F - R).squaredNorm() + 0.5 * law.lame.lambda * trace * trace;
  }
  return principal_energy(law, rotation_svd(F).sigma);
}

Mat3 stress(const ElasticLaw& law, const Mat3& F) {
  if (law.model == MaterialModel::corotational) {
    Mat3 P = corotational_stress(law.lame, polar_rotation(F), F);
    if (F.determinant() < law.continued_below) P += volume_stress(law, F);
    return P;
  }
  if (law.model == MaterialModel::st_venant_kirchhoff) return st_venant_kirchhoff_stress(law.lame, F);
  const RotationSvd svd = rotation_svd(F);
  return svd.U * principal_stress(law, svd.sigma).asDiagonal() * svd.V.transpose();
}

Mat3 corotational_stress(const Lame& lame, const Mat3& R, const Mat3& F) {
  const double trace = R.cwiseProduct(F).sum() - 3;
  return 2 * lame.mu * (F - R) + lame.lambda * trace * R;
}

Mat9 stress_derivative(const ElasticLaw& law, const Mat3& F) {
  const RotationSvd svd = rotation_svd(F);
  return in_space(svd, principal_derivatives(law, svd.sigma));
}

Mat9 projected_stress_derivative(const ElasticLaw& law, const Mat3& F) {
  const RotationSvd svd = rotation_svd(F);
  PrincipalDerivatives derivatives = principal_derivatives(law, svd.sigma);
  remove_negative(derivatives);
  return in_space(svd, derivatives);
}

}  // namespace sim
