#include "elasticity/assembly.hpp"

#include <algorithm>
#include <cassert>

#include "elasticity/element_at.hpp"
#include "math/parallel.hpp"

namespace sim {

namespace {

constexpr Index tets_a_chunk = 256;
constexpr Index rows_a_chunk = 256;
constexpr int force_numbers = 9;   // a tet
constexpr int block_numbers = 54;  // a tet

// The force on one corner, from what element_forces() stored for a tet.
Vec3 corner_force(const double* forces, int corner) {
  const Eigen::Map<const Mat3> F(forces);
  if (corner == 0) return -(F.col(0) + F.col(1) + F.col(2));
  return F.col(corner - 1);
}

Index index_of_pair(int a, int b) {
  const std::array<int, 2> wanted{std::min(a, b), std::max(a, b)};
  return static_cast<Index>(std::find(corner_pairs.begin(), corner_pairs.end(), wanted) - corner_pairs.begin());
}

void list_corners(const ElasticBodies& bodies, AssemblyPlan& plan) {
  const auto rows = plan.vertex_of_block.size();
  const auto for_each_corner = [&](const auto& visit) {
    for (std::size_t t = 0; t < bodies.tets.size(); ++t) {
      for (int c = 0; c < 4; ++c) {
        const Index row = plan.block_of_vertex[bodies.tets[t][c]];
        if (row >= 0) visit(row, static_cast<Index>(4 * t + c));
      }
    }
  };
  plan.corner_begin.assign(rows + 1, 0);
  for_each_corner([&](Index row, Index) { ++plan.corner_begin[row + 1]; });
  for (std::size_t r = 0; r < rows; ++r) plan.corner_begin[r + 1] += plan.corner_begin[r];
  plan.corner.resize(plan.corner_begin[rows]);
  std::vector<Index> next(plan.corner_begin.begin(), plan.corner_begin.end() - 1);
  for_each_corner([&](Index row, Index corner) { plan.corner[next[row]++] = corner; });
}

void list_neighbours(const ElasticBodies& bodies, AssemblyPlan& plan) {
  std::vector<std::array<Index, 2>> of_row;  // neighbour, entry
  plan.row_begin.assign(1, 0);
  for (std::size_t row = 0; row < plan.vertex_of_block.size(); ++row) {
    of_row.clear();
    for (Index k = plan.corner_begin[row]; k < plan.corner_begin[row + 1]; ++k) {
      const Index tet = plan.corner[k] / 4;
      const int own = plan.corner[k] % 4;
      for (int other = 0; other < 4; ++other) {
        if (other == own) continue;
        const Index transposed = own > other ? 1 : 0;
        of_row.push_back({bodies.tets[tet][other], 2 * (6 * tet + index_of_pair(own, other)) + transposed});
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

Vec3 gathered_force(const AssemblyPlan& plan, const double* forces, Index row) {
  Vec3 sum = Vec3::Zero();
  for (Index k = plan.corner_begin[row]; k < plan.corner_begin[row + 1]; ++k) {
    const Index corner = plan.corner[k];
    sum += corner_force(forces + force_numbers * static_cast<std::size_t>(corner / 4), corner % 4);
  }
  return sum;
}

void compute_elements(const ElasticBodies& bodies, const StepInput& input, ElementBuffer& buffer) {
  parallel_for(static_cast<Index>(bodies.tets.size()), tets_a_chunk, [&](Index begin, Index end) {
    for (Index tet = begin; tet < end; ++tet) {
      const double beta = bodies.stiffness_damping[bodies.material[tet]];
      const double kappa = input.damping_factor ? (*input.damping_factor)[bodies.tets[tet][0]] : 1;
      const ElementScale scale{input.dt * input.dt, kappa * beta / input.dt};
      const auto t = static_cast<std::size_t>(tet);
      const Element element = element_at(bodies, input.x0, tet);
      element_forces_and_stiffness(element, scale, &buffer.forces[force_numbers * t],
                                   &buffer.blocks[block_numbers * t]);
      if (input.damped && beta > 0)
        add_strain_rate_forces(element, gradient_at(bodies, *input.damped, tet), beta,
                               &buffer.forces[force_numbers * t]);
    }
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
               input.dt * (gathered_force(plan, buffer.forces.data(), row) + mass * input.gravity);
    Mat3 sum = Mat3::Zero();
    for (Index k = plan.row_begin[row]; k < plan.row_begin[row + 1]; ++k) {
      const Mat3 K = gathered_block(plan, buffer.blocks.data(), k);
      sum += K;
      if (plan.slot[k] >= 0) {
        A.at(plan.slot[k]) = K;
      } else {
        rhs -= K * block(input.told, plan.neighbour[k]);
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
  list_corners(bodies, plan);
  list_neighbours(bodies, plan);
  find_slots(plan, others);
  return plan;
}

void assemble(const ElasticBodies& bodies, const AssemblyPlan& plan, const StepInput& input, ElementBuffer& buffer,
              BlockMatrix& A, VecX& b) {
  const auto rows = static_cast<Index>(plan.vertex_of_block.size());
  buffer.forces.resize(force_numbers * bodies.tets.size());
  buffer.blocks.resize(block_numbers * bodies.tets.size());
  if (A.row_begin != plan.pattern.row_begin || A.column != plan.pattern.column) A = plan.pattern;
  b.resize(3 * Eigen::Index{plan.pattern.rows()});
  compute_elements(bodies, input, buffer);
  const RowGatherer gather{bodies, plan, input, buffer, A, b};
  parallel_for(rows, rows_a_chunk, [&](Index begin, Index end) {
    for (Index row = begin; row < end; ++row) gather(row);
  });
}

VecX elastic_force(const ElasticBodies& bodies, const VecX& x) {
  const auto tets = static_cast<Index>(bodies.tets.size());
  std::vector<double> forces(force_numbers * bodies.tets.size());
  parallel_for(tets, tets_a_chunk, [&](Index begin, Index end) {
    for (Index tet = begin; tet < end; ++tet) {
      element_forces(element_at(bodies, x, tet), &forces[force_numbers * static_cast<std::size_t>(tet)]);
    }
  });
  VecX total = VecX::Zero(x.size());
  for (Index tet = 0; tet < tets; ++tet) {
    const double* of_tet = &forces[force_numbers * static_cast<std::size_t>(tet)];
    for (int corner = 0; corner < 4; ++corner) block(total, bodies.tets[tet][corner]) += corner_force(of_tet, corner);
  }
  return total;
}

double elastic_energy(const ElasticBodies& bodies, const VecX& x) {
  return parallel_sum(static_cast<Index>(bodies.tets.size()), tets_a_chunk, [&](Index begin, Index end) {
    double sum = 0;
    for (Index tet = begin; tet < end; ++tet) {
      const Element element = element_at(bodies, x, tet);
      sum += element.rest_volume * energy_density(element.law, element.F);
    }
    return sum;
  });
}

}  // namespace sim
