#include "elasticity/strain_rates.hpp"

#include <Eigen/LU>

#include "elasticity/element_at.hpp"
#include "elasticity/gather.hpp"
#include "elasticity/volume_energy.hpp"

namespace sim {

namespace {

Mat3 symmetric(const double* n) {
  Mat3 S;
  S << n[0], n[3], n[4], n[3], n[1], n[5], n[4], n[5], n[2];
  return S;
}

void store(const Mat3& S, double* n) {
  n[0] = S(0, 0);
  n[1] = S(1, 1);
  n[2] = S(2, 2);
  n[3] = S(0, 1);
  n[4] = S(0, 2);
  n[5] = S(1, 2);
}

// body(kind, element, its first number) of all that is damped, in parallel.
template <class Body>
void for_each_damped(const ElasticBodies& bodies, const StrainLayout& layout, const Body& body) {
  for_each_element(bodies, [&](auto kind, Index i) {
    if (const Index first = layout.first_of(kind.value, i); first >= 0) body(kind, i, first);
  });
}

template <ElementKind kind>
auto numbers_at(const VecX& all, Index first) {
  Strains<static_cast<std::size_t>(strains_of(kind))> numbers;
  for (std::size_t k = 0; k < numbers.size(); ++k) numbers[k] = all[first + static_cast<Index>(k)];
  return numbers;
}

constexpr Index of_tet = strains_of(ElementKind::tet);

// r . C r of a tet, C of its end, or the mean of those of both ends.
double tet_power(const Element& start, const Element& end, double dt, bool mean) {
  const RotationSvd svd = rotation_svd(start.F);
  const double J0 = volume_ratio(svd.sigma);
  const DampedTet at_end = damped_tet(end, J0);
  StretchChange change = stretch_change(stretch_of(svd), at_end.svd);
  change.by.rate /= dt;
  const double power = power_of_rates(at_end, change.by);
  if (!mean || !change.carried) return power;
  return 0.5 * (power + power_of_rates(damped_tet(start, volume_ratio(at_end.svd.sigma)), change.by));
}

}  // namespace

StrainLayout plan_strains(const ElasticBodies& bodies) {
  StrainLayout layout;
  for_each_kind([&](auto kind) {
    const Index count = bodies.numbering.count_of(kind.value), before = layout.numbers;
    std::vector<Index> first(static_cast<std::size_t>(count), -1);
    for (Index i = 0; i < count; ++i) {
      if (!(bodies.stiffness_damping[material_of<kind.value>(bodies, i)] > 0)) continue;
      first[i] = layout.numbers;
      layout.numbers += strains_of(kind.value);
    }
    if (layout.numbers > before) layout.first[static_cast<std::size_t>(kind.value)] = std::move(first);
  });
  return layout;
}

void begin(const ElasticBodies& bodies, const StrainLayout& layout, const VecX& x0, StrainStart& start) {
  start.x = x0;
  start.rest.setZero(layout.numbers);
  const std::vector<Index>& first = layout.first[static_cast<std::size_t>(ElementKind::tet)];
  Index end = 0;
  for (const Index one : first) end = std::max(end, one + of_tet);
  start.tets.resize(static_cast<std::size_t>(end / of_tet));
  parallel_for(static_cast<Index>(first.size()), elements_a_chunk, [&](Index from, Index to) {
    for (Index i = from; i < to; ++i) {
      if (first[i] >= 0) start.tets[first[i] / of_tet] = stretch_of(rotation_svd(gradient_at(bodies, x0, i)));
    }
  });
}

VecX strain_rates(const ElasticBodies& bodies, const StrainLayout& layout, const VecX& x, const VecX& v) {
  VecX rates = VecX::Zero(layout.numbers);
  for_each_damped(bodies, layout, [&](auto kind, Index i, Index first) {
    if constexpr (kind.value == ElementKind::tet) {
      store(stretch_rate(rotation_svd(gradient_at(bodies, x, i)), gradient_at(bodies, v, i)), &rates[first]);
    } else {
      const auto& element = elements_of<kind.value>(bodies)[i];
      const auto of_element = strain_rates(element, corners_at(element, x), corners_at(element, v));
      std::copy(of_element.begin(), of_element.end(), &rates[first]);
    }
  });
  return rates;
}

StrainChanges strain_changes(const ElasticBodies& bodies, const StrainsOfStep& strains, const VecX& x1,
                             const StrainRates& at_start) {
  StrainChanges changes{VecX::Zero(strains.layout.numbers),
                        std::vector<std::uint8_t>(static_cast<std::size_t>(strains.layout.numbers), 1), at_start.rate,
                        at_start.acceleration};
  for_each_damped(bodies, strains.layout, [&](auto kind, Index i, Index first) {
    bool known = true;
    if constexpr (kind.value == ElementKind::tet) {
      const StretchChange change =
          stretch_change(strains.start.tets[first / of_tet], rotation_svd(gradient_at(bodies, x1, i)));
      store(change.by.rate, &changes.by[first]);
      known = change.carried;
    } else {
      const auto& element = elements_of<kind.value>(bodies)[i];
      const auto change = strain_change(element, corners_at(element, strains.start.x), corners_at(element, x1));
      std::copy(change.by.begin(), change.by.end(), &changes.by[first]);
      known = change.carried;
      for (VecX* const of : {&changes.rate, &changes.acceleration}) {
        const auto along = carried(change, numbers_at<kind.value>(*of, first));
        std::copy(along.begin(), along.end(), &(*of)[first]);
      }
    }
    std::fill_n(&changes.known[first], strains_of(kind.value), known ? std::uint8_t{1} : std::uint8_t{0});
  });
  return changes;
}

VecX strain_rate_forces(const ElasticBodies& bodies, const StrainLayout& layout, const VecX& x, const VecX& rates) {
  std::vector<double> of_corners(3 * bodies.numbering.vertex.size(), 0.0);
  for_each_damped(bodies, layout, [&](auto kind, Index i, Index first) {
    const double beta = bodies.stiffness_damping[material_of<kind.value>(bodies, i)];
    double* forces = &of_corners[3 * static_cast<std::size_t>(bodies.numbering.corner_of(kind.value, i))];
    if constexpr (kind.value == ElementKind::tet) {
      const Element element = element_at(bodies, x, i);
      const DampedTet tet = damped_tet(element);
      if (tet.svd.sigma[2] < 0) return;
      add_forces_of_rates(tet, {symmetric(&rates[first])}, beta, forces + 3);
      balance_first_corner(forces);
    } else {
      const auto& element = elements_of<kind.value>(bodies)[i];
      add_forces_of_rates(element, corners_at(element, x), numbers_at<kind.value>(rates, first), beta, forces);
    }
  });
  VecX force;
  gather_forces(bodies.numbering, of_corners, x.size(), force);
  return force;
}

double strain_damping_loss(const ElasticBodies& bodies, const StrainLayout& layout, const StrainMotion& motion) {
  if (layout.numbers == 0) return 0;
  return sum_over_elements(bodies, [&](auto kind, Index i) {
    const Index first = layout.first_of(kind.value, i);
    const Index vertex = bodies.numbering.vertex[bodies.numbering.corner_of(kind.value, i)];
    if (first < 0 || (!motion.counts.empty() && motion.counts[vertex] == 0)) return 0.0;
    const double scale = motion.dt * bodies.stiffness_damping[material_of<kind.value>(bodies, i)];
    if constexpr (kind.value == ElementKind::tet) {
      const bool mean = !motion.second.empty() && motion.second[vertex] != 0;
      return scale * tet_power(element_at(bodies, motion.x0, i), element_at(bodies, motion.x1, i), motion.dt, mean);
    } else {
      const auto& element = elements_of<kind.value>(bodies)[i];
      const auto x1 = corners_at(element, motion.x1);
      const auto change = strain_change(element, corners_at(element, motion.x0), x1);
      auto rates = change.by;
      for (double& rate : rates) rate /= motion.dt;
      if constexpr (kind.value == ElementKind::bend) {
        return scale * power_of_rates(element, x1, rates, change.across);
      } else {
        return scale * power_of_rates(element, x1, rates);
      }
    }
  });
}

template <ElementKind kind>
StepDamping damping_of_step(const ElasticBodies& bodies, const StepInput& input, Index i) {
  const auto [layout, start] = *input.strains;
  const Index first = layout.first_of(kind, i);
  const double beta = bodies.stiffness_damping[material_of<kind>(bodies, i)];
  StepDamping damping{(*input.damping_factor)[bodies.numbering.vertex[bodies.numbering.corner_of(kind, i)]], {}};
  const auto rates_of = [&](const auto& by, const auto& rest, bool known) {
    if (!known) damping.kappa = 1;
    auto rates = rest;
    for (std::size_t k = 0; k < rates.size(); ++k)
      rates[k] = damping.kappa / input.dt * by[k] + (known ? rest[k] : 0.0);
    return rates;
  };
  const auto rest = numbers_at<kind>(start.rest, first);
  if constexpr (kind == ElementKind::tet) {
    const Element element = element_at(bodies, input.x0, i);
    const Stretch& at_start = start.tets[first / of_tet];
    const DampedTet tet = damped_tet(element, at_start.S.determinant());
    const StretchChange change = stretch_change(at_start, tet.svd);
    Strains<6> by;
    store(change.by.rate, by.data());
    const Strains<6> rates = rates_of(by, rest, change.carried);
    add_forces_of_rates(tet, {symmetric(rates.data()), change.by.of_root}, beta, damping.forces.data() + 3);
  } else {
    const auto& element = elements_of<kind>(bodies)[i];
    const auto x1 = corners_at(element, input.x0);
    const auto change = strain_change(element, corners_at(element, start.x), x1);
    const auto rates = rates_of(change.by, carried(change, rest), change.carried);
    if constexpr (kind == ElementKind::bend) {
      damping.across = change.across;
      add_forces_of_rates(element, x1, rates, beta, damping.forces.data(), change.across);
    } else {
      add_forces_of_rates(element, x1, rates, beta, damping.forces.data());
    }
  }
  return damping;
}
template StepDamping damping_of_step<ElementKind::tet>(const ElasticBodies&, const StepInput&, Index);
template StepDamping damping_of_step<ElementKind::spring>(const ElasticBodies&, const StepInput&, Index);
template StepDamping damping_of_step<ElementKind::membrane>(const ElasticBodies&, const StepInput&, Index);
template StepDamping damping_of_step<ElementKind::hinge>(const ElasticBodies&, const StepInput&, Index);
template StepDamping damping_of_step<ElementKind::bend>(const ElasticBodies&, const StepInput&, Index);

}  // namespace sim
