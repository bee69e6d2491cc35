#include "elasticity/von_mises.hpp"

#include <cmath>
#include <limits>

#include "elasticity/element_at.hpp"
#include "elasticity/principal.hpp"
#include "math/decompose.hpp"
#include "math/parallel.hpp"

namespace sim {

double von_mises_stress(const ElasticLaw& law, const Mat3& F) {
  const Vec3 s = rotation_svd(F).sigma;
  const double J = s.prod();
  if (!(J > 0)) return std::numeric_limits<double>::quiet_NaN();
  const Vec3 sigma = s.cwiseProduct(principal_stress(law, s)) / J;
  const Vec3 difference(sigma[0] - sigma[1], sigma[1] - sigma[2], sigma[2] - sigma[0]);
  return std::sqrt(0.5 * difference.squaredNorm());
}

std::vector<double> von_mises_stress(const ElasticBodies& bodies, const VecX& x) {
  constexpr Index tets_a_chunk = 256;
  std::vector<double> stresses(bodies.tets.size());
  parallel_for(static_cast<Index>(bodies.tets.size()), tets_a_chunk, [&](Index begin, Index end) {
    for (Index t = begin; t < end; ++t) {
      stresses[t] = von_mises_stress(bodies.laws[bodies.material[t]], gradient_at(bodies, x, t));
    }
  });
  return stresses;
}

}  // namespace sim
