#include "elasticity/assembly.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cassert>
#include <limits>

#include "elasticity/element_at.hpp"
#include "elasticity/gather.hpp"
#include "elasticity/straight_ways.hpp"
#include "elasticity/strain_rate_forces.hpp"
#include "elasticity/strain_rates.hpp"
#include "math/parallel.hpp"

namespace sim {

namespace {

constexpr Index rows_a_chunk = 256;

void compute_forces(const ElasticBodies& bodies, const VecX& x, std::vector<double>& forces) {
  for_each_element(bodies, [&](auto kind, Index i) {
    double* of_element = &forces[3 * static_cast<std::size_t>(bodies.numbering.corner_of(kind.value, i))];
    if constexpr (kind.value == ElementKind::tet) {
      element_forces(element_at(bodies, x, i), of_element + 3);
      balance_first_corner(of_element);
    } else {
      const auto& element = elements_of<kind.value>(bodies)[i];
      element_forces(element, corners_at(element, x), of_element);
    }
  });
}

Vec3 gathered_force(const ElementNumbering& numbering, const double* forces, Index vertex) {
  Vec3 sum = Vec3::Zero();
  for (const Index corner : numbering.corners_at(vertex)) {
    sum += Eigen::Map<const Vec3>(forces + 3 * static_cast<std::size_t>(corner));
  }
  return sum;
}

}  // namespace

void gather_forces(const ElementNumbering& numbering, const std::vector<double>& of_corners, Eigen::Index size,
                   VecX& force) {
  force.resize(size);
  parallel_for(static_cast<Index>(size / 3), rows_a_chunk, [&](Index begin, Index end) {
    for (Index vertex = begin; vertex < end; ++vertex)
      block(force, vertex) = gathered_force(numbering, of_corners.data(), vertex);
  });
}

namespace {

void list_neighbours(const ElementNumbering& numbering, AssemblyPlan& plan) {
  std::vector<std::array<Index, 2>> of_row;  // neighbour, entry
  plan.row_begin.assign(1, 0);
  for (std::size_t row = 0; row < plan.vertex_of_block.size(); ++row) {
    of_row.clear();
    for (const Index corner : numbering.corners_at(plan.vertex_of_block[row])) {
      const CornerPlace at = place_of(numbering, corner);
      for (Index other = 0; other < at.corners; ++other) {
        if (other == at.own) continue;
        const Index pair = index_of_pair(at.corners, std::min(at.own, other), std::max(at.own, other));
        const Index transposed = at.own > other ? 1 : 0;
        of_row.push_back({numbering.vertex[at.first_corner + other], 2 * (at.first_pair + pair) + transposed});
      }
    }
    std::sort(of_row.begin(), of_row.end());
    for (std::size_t k = 0; k < of_row.size(); ++k) {
      if (k == 0 || of_row[k][0] != of_row[k - 1][0]) {
        plan.neighbour.push_back(of_row[k][0]);
        plan.entry_begin.push_back(static_cast<Index>(plan.entry.size()));
      }
      plan.entry.push_back(of_row[k][1]);
    }
    plan.row_begin.push_back(static_cast<Index>(plan.neighbour.size()));
  }
  plan.entry_begin.push_back(static_cast<Index>(plan.entry.size()));
}

void find_slots(AssemblyPlan& plan, Index others) {
  const auto rows = static_cast<Index>(plan.vertex_of_block.size());
  std::vector<std::array<Index, 2>> pairs;
  for (Index row = 0; row < rows; ++row) {
    for (Index k = plan.row_begin[row]; k < plan.row_begin[row + 1]; ++k) {
      const Index col = plan.block_of_vertex[plan.neighbour[k]];
      if (col > row) pairs.push_back({row, col});
    }
  }
  plan.pattern = make_pattern(rows + others, pairs);
  plan.slot.reserve(plan.neighbour.size());
  for (Index row = 0; row < rows; ++row) {
    plan.diagonal.push_back(plan.pattern.find(row, row));
    for (Index k = plan.row_begin[row]; k < plan.row_begin[row + 1]; ++k) {
      const Index col = plan.block_of_vertex[plan.neighbour[k]];
      plan.slot.push_back(col < 0 ? -1 : plan.pattern.find(row, col));
    }
  }
}

Mat3 gathered_block(const AssemblyPlan& plan, const double* blocks, Index k) {
  Mat3 sum = Mat3::Zero();
  for (Index e = plan.entry_begin[k]; e < plan.entry_begin[k + 1]; ++e) {
    const Index entry = plan.entry[e];
    const Eigen::Map<const Mat3> K(blocks + 9 * static_cast<std::size_t>(entry / 2));
    if (entry % 2 == 0) {
      sum += K;
    } else {
      sum += K.transpose();
    }
  }
  return sum;
}

// What links lack, as they vibrate about the turn of their body, is no stress that stiffens them.
double positive_part(double strain) {
  return strain > 0 ? strain : 0;
}
Mat2 positive_part(const Mat2& strain) {
  if (strain.isZero(0)) return strain;
  const Eigen::SelfAdjointEigenSolver<Mat2> eigen(strain);
  return eigen.eigenvectors() * eigen.eigenvalues().cwiseMax(0.0).asDiagonal() * eigen.eigenvectors().transpose();
}

void compute_elements(const ElasticBodies& bodies, const StepInput& input, ElementBuffer& buffer) {
  for_each_element(bodies, [&](auto kind, Index i) {
    const Index first_corner = bodies.numbering.corner_of(kind.value, i);
    double* forces = &buffer.forces[3 * static_cast<std::size_t>(first_corner)];
    double* blocks = &buffer.blocks[9 * static_cast<std::size_t>(bodies.numbering.pair_of(kind.value, i))];
    const double beta = bodies.stiffness_damping[material_of<kind.value>(bodies, i)];
    const double kappa = input.damping_factor ? (*input.damping_factor)[bodies.numbering.vertex[first_corner]] : 1;
    StepDamping damping{kappa, {}};
    const bool is_damped = input.strains && beta > 0;
    if (is_damped) damping = damping_of_step<kind.value>(bodies, input, i);
    const ElementScale scale{input.dt * input.dt, damping.kappa * beta / input.dt};
    if constexpr (kind.value == ElementKind::tet) {
      element_forces_and_stiffness(element_at(bodies, input.x0, i), scale, forces + 3, blocks);
    } else {
      const auto& element = elements_of<kind.value>(bodies)[i];
      const auto x0 = corners_at(element, input.x0);
      if constexpr (has_straight_ways(kind.value)) {
        const Index springs = bodies.numbering.count_of(ElementKind::spring);
        const auto unseen = positive_part(unseen_of<kind.value>(input.unseen, springs, i));
        element_forces_and_stiffness(element, x0, scale, forces, blocks, unseen);
      } else if constexpr (kind.value == ElementKind::bend) {
        element_forces_and_stiffness(element, x0, scale, forces, blocks, damping.across);
      } else {
        element_forces_and_stiffness(element, x0, scale, forces, blocks);
      }
    }
    if (is_damped) {
      for (std::size_t k = 0; k < 3 * static_cast<std::size_t>(corners_of(kind.value)); ++k)
        forces[k] += damping.forces[k];
    }
    if constexpr (kind.value == ElementKind::tet) balance_first_corner(forces);
  });
}

// Fills one block row of A and of b from the element buffer.
struct RowGatherer {
  const ElasticBodies& bodies;
  const AssemblyPlan& plan;
  const StepInput& input;
  const ElementBuffer& buffer;
  BlockMatrix& A;
  VecX& b;

  void operator()(Index row) const {
    const Index vertex = plan.vertex_of_block[row];
    const double mass = bodies.mass[vertex];
    Vec3 rhs = mass * block(input.v0, vertex) +
               input.dt * (gathered_force(bodies.numbering, buffer.forces.data(), vertex) + mass * input.gravity);
    Mat3 sum = Mat3::Zero();
    for (Index k = plan.row_begin[row]; k < plan.row_begin[row + 1]; ++k) {
      const Mat3 K = gathered_block(plan, buffer.blocks.data(), k);
      sum += K;
      if (plan.slot[k] >= 0) {
        A.at(plan.slot[k]) = K;
      } else {
        rhs -= K * block(input.prescribed, plan.neighbour[k]);
      }
    }
    // A translation strains nothing, so the row's blocks of K add up to zero. The sum is symmetric but for rounding.
    Mat3 diagonal = -0.5 * (sum + sum.transpose());
    diagonal.diagonal().array() += mass + input.dt * bodies.damping_mass[vertex];
    A.at(plan.diagonal[row]) = diagonal;
    block(b, row) = rhs;
  }
};

}  // namespace

AssemblyPlan plan_assembly(const ElasticBodies& bodies, std::vector<Index> block_of_vertex, Index others) {
  AssemblyPlan plan;
  plan.vertex_count = static_cast<Index>(block_of_vertex.size());
  plan.block_of_vertex = std::move(block_of_vertex);
  for (Index vertex = 0; vertex < plan.vertex_count; ++vertex) {
    const Index row = plan.block_of_vertex[vertex];
    if (row < 0) continue;
    if (row >= static_cast<Index>(plan.vertex_of_block.size())) plan.vertex_of_block.resize(row + 1, -1);
    assert(plan.vertex_of_block[row] == -1);
    plan.vertex_of_block[row] = vertex;
  }
  assert(std::find(plan.vertex_of_block.begin(), plan.vertex_of_block.end(), -1) == plan.vertex_of_block.end());
  list_neighbours(bodies.numbering, plan);
  find_slots(plan, others);
  return plan;
}

void assemble(const ElasticBodies& bodies, const AssemblyPlan& plan, const StepInput& input, ElementBuffer& buffer,
              BlockMatrix& A, VecX& b) {
  const auto rows = static_cast<Index>(plan.vertex_of_block.size());
  buffer.forces.resize(3 * bodies.numbering.vertex.size());
  buffer.blocks.resize(9 * static_cast<std::size_t>(bodies.numbering.pairs));
  if (A.row_begin != plan.pattern.row_begin || A.column != plan.pattern.column) A = plan.pattern;
  b.resize(3 * Eigen::Index{plan.pattern.rows()});
  compute_elements(bodies, input, buffer);
  const RowGatherer gather{bodies, plan, input, buffer, A, b};
  parallel_for(rows, rows_a_chunk, [&](Index begin, Index end) {
    for (Index row = begin; row < end; ++row) gather(row);
  });
}

Mat3 block_of_neighbour(const AssemblyPlan& plan, const ElementBuffer& buffer, Index k) {
  return gathered_block(plan, buffer.blocks.data(), k);
}

VecX elastic_force(const ElasticBodies& bodies, const VecX& x) {
  std::vector<double> of_corners;
  VecX force;
  elastic_force(bodies, x, of_corners, force);
  return force;
}

void elastic_force(const ElasticBodies& bodies, const VecX& x, std::vector<double>& of_corners, VecX& force) {
  of_corners.resize(3 * bodies.numbering.vertex.size());
  compute_forces(bodies, x, of_corners);
  gather_forces(bodies.numbering, of_corners, x.size(), force);
}

bool has_stiffness_damping(const ElasticBodies& bodies) {
  return std::any_of(bodies.stiffness_damping.begin(), bodies.stiffness_damping.end(),
                     [](double beta) { return beta > 0; });
}

void stiffness_damping_force(const ElasticBodies& bodies, const VecX& x, const VecX& v,
                             std::vector<double>& of_corners, VecX& force) {
  of_corners.assign(3 * bodies.numbering.vertex.size(), 0.0);
  for_each_element(bodies, [&](auto kind, Index i) {
    const double beta = bodies.stiffness_damping[material_of<kind.value>(bodies, i)];
    if (!(beta > 0)) return;
    double* of_element = &of_corners[3 * static_cast<std::size_t>(bodies.numbering.corner_of(kind.value, i))];
    if constexpr (kind.value == ElementKind::tet) {
      add_strain_rate_forces(element_at(bodies, x, i), gradient_at(bodies, v, i), beta, of_element + 3);
      balance_first_corner(of_element);
    } else {
      const auto& element = elements_of<kind.value>(bodies)[i];
      add_strain_rate_forces(element, corners_at(element, x), corners_at(element, v), beta, of_element);
    }
  });
  gather_forces(bodies.numbering, of_corners, x.size(), force);
}

void tet_energies(const ElasticBodies& bodies, const VecX& x, std::vector<double>& of_tets) {
  of_tets.resize(bodies.tets.size());
  parallel_for(static_cast<Index>(bodies.tets.size()), elements_a_chunk, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      const Element element = element_at(bodies, x, i);
      of_tets[i] = element.rest_volume * energy_density(element.law, element.F);
    }
  });
}

Index unseen_numbers(const ElasticBodies& bodies) {
  return first_unseen<ElementKind::membrane>(bodies.numbering.count_of(ElementKind::spring),
                                             bodies.numbering.count_of(ElementKind::membrane));
}

double elastic_energy(const ElasticBodies& bodies, const VecX& x, UnseenStrains unseen) {
  std::vector<double> of_tets;
  tet_energies(bodies, x, of_tets);
  return elastic_energy(bodies, x, unseen, of_tets);
}

double elastic_energy(const ElasticBodies& bodies, const VecX& x, UnseenStrains unseen,
                      std::span<const double> of_tets) {
  return sum_over_elements(bodies, [&](auto kind, Index i) {
    if constexpr (kind.value == ElementKind::tet) {
      return of_tets[i];
    } else {
      return thin_energy<kind.value>(bodies, i, x, unseen);
    }
  });
}

double unseen_energy(std::span<const Spring> springs, std::span<const Membrane> membranes, const VecX& x,
                     UnseenStrains unseen) {
  double sum = 0;
  const auto count = static_cast<Index>(springs.size());
  const auto add = [&](const auto& element, const auto& strain) {
    const auto corners = corners_at(element, x);
    sum += element_energy(element, corners) - element_energy(element, corners, strain);
  };
  for (Index i = 0; i < count; ++i) add(springs[i], unseen_of<ElementKind::spring>(unseen, count, i));
  for (Index i = 0; i < static_cast<Index>(membranes.size()); ++i)
    add(membranes[i], unseen_of<ElementKind::membrane>(unseen, count, i));
  return sum;
}

std::vector<double> tensions(std::span<const Spring> springs, const VecX& x, UnseenStrains unseen) {
  const auto count = static_cast<Index>(springs.size());
  std::vector<double> tension;
  tension.reserve(springs.size());
  for (Index i = 0; i < count; ++i) {
    const auto [a, b] = corners_at(springs[i], x);
    const double longer = (b - a).norm() - springs[i].rest_length;
    tension.push_back(springs[i].stiffness * (longer - unseen_of<ElementKind::spring>(unseen, count, i)));
  }
  return tension;
}

double largest_strain(std::span<const Spring> springs, const VecX& x) {
  double largest = springs.empty() ? std::numeric_limits<double>::quiet_NaN() : -1;
  for (const Spring& spring : springs) {
    const auto [a, b] = corners_at(spring, x);
    largest = std::max(largest, (b - a).norm() / spring.rest_length - 1);
  }
  return largest;
}

}  // namespace sim
