#include "elasticity/frequency.hpp"

#include <algorithm>
#include <cmath>

#include "elasticity/element_at.hpp"
#include "elasticity/element_impulse.hpp"

namespace sim {

namespace {

constexpr int iterations_at_rest = 40, iterations = 8;
constexpr double small_strain = 0.1;  // |F^T F - 1|: elements below count as at rest
constexpr Index vertices_a_chunk = 1024;

// What has no symmetry: it has a part along every eigenvector of the elements of regular meshes.
template <std::size_t count>
Corners<count> start_vector() {
  Corners<count> v;
  for (std::size_t i = 0; i < count; ++i) {
    const auto k = static_cast<double>(i);
    v[i] = Vec3(std::sin(1.0 + 2.3 * k), std::sin(2.1 + 1.7 * k), std::sin(0.4 + 3.1 * k));
  }
  return v;
}

// lambda_max of the matrix whose blocks of pairs of corners these are (elasticity/element.hpp).
template <std::size_t count>
double largest_eigenvalue(const double* blocks, int rounds) {
  Corners<count> v = start_vector<count>();
  double value = 0;
  for (int round = 0; round < rounds; ++round) {
    const Corners<count> y = stiffness_times(blocks, v);
    double length = 0, before = 0;
    for (std::size_t i = 0; i < count; ++i) {
      length += y[i].squaredNorm();
      before += v[i].squaredNorm();
    }
    if (!(length > 0)) return 0;
    value = std::sqrt(length / before);
    for (std::size_t i = 0; i < count; ++i) v[i] = y[i] / std::sqrt(length);
  }
  return value;
}

double eigenvalue_of(const Element& element, int rounds) {
  double forces[9], blocks[54];
  element_forces_and_stiffness(element, {1, 0}, forces, blocks);
  return largest_eigenvalue<4>(blocks, rounds);
}

double eigenvalue_of(const Spring& spring, const Corners<2>&, int) {
  return 2 * spring.stiffness;
}

template <class Thin, std::size_t count>
double eigenvalue_of(const Thin& element, const Corners<count>& x, int rounds) {
  double forces[3 * count], blocks[9 * count * (count - 1) / 2];
  element_forces_and_stiffness(element, x, {1, 0}, forces, blocks);
  return largest_eigenvalue<count>(blocks, rounds);
}

bool counts_as_at_rest(const Element& element) {
  if (element.law.stiffness == Stiffness::rotated_linear && element.F.determinant() >= element.law.continued_below)
    return true;
  const Mat3 strain = element.F.transpose() * element.F - Mat3::Identity();
  return strain.squaredNorm() < small_strain * small_strain;
}

template <class Kind>
double eigenvalue_at(const ElasticBodies& bodies, Kind kind, Index i, const VecX& x, int rounds, double at_rest) {
  if constexpr (kind.value == ElementKind::tet) {
    const Element element = element_at(bodies, x, i);
    return at_rest > 0 && counts_as_at_rest(element) ? at_rest : eigenvalue_of(element, rounds);
  } else {
    const auto& element = elements_of<kind.value>(bodies)[i];
    return eigenvalue_of(element, corners_at(element, x), rounds);
  }
}

void find_at_rest(const ElasticBodies& bodies, std::span<const Vec3> rest, FrequencyBuffer& buffer) {
  VecX x(3 * static_cast<Eigen::Index>(rest.size()));
  for (std::size_t i = 0; i < rest.size(); ++i) block(x, static_cast<Index>(i)) = rest[i];
  buffer.at_rest.resize(bodies.numbering.vertex.size());
  for_each_element(bodies, [&](auto kind, Index i) {
    buffer.at_rest[bodies.numbering.corner_of(kind.value, i)] =
        eigenvalue_at(bodies, kind, i, x, iterations_at_rest, 0);
  });
}

double frequency_at(const ElasticBodies& bodies, const FrequencyBuffer& buffer, Index vertex) {
  double sum = 0;
  for (const Index corner : bodies.numbering.corners_at(vertex)) sum += buffer.of_corner[corner];
  return sum / bodies.mass[vertex];
}

}  // namespace

double largest_frequency(const ElasticBodies& bodies, const AssemblyPlan& plan, std::span<const Vec3> rest,
                         const VecX& x, FrequencyBuffer& buffer) {
  if (buffer.at_rest.size() != bodies.numbering.vertex.size()) find_at_rest(bodies, rest, buffer);
  buffer.of_corner.resize(buffer.at_rest.size());
  for_each_element(bodies, [&](auto kind, Index i) {
    const Index first = bodies.numbering.corner_of(kind.value, i);
    const double value = eigenvalue_at(bodies, kind, i, x, iterations, buffer.at_rest[first]);
    std::fill_n(&buffer.of_corner[first], corners_of(kind.value), std::max(value, buffer.at_rest[first]));
  });
  const auto rows = static_cast<Index>(plan.vertex_of_block.size());
  buffer.of_chunk.assign(static_cast<std::size_t>((rows + vertices_a_chunk - 1) / vertices_a_chunk), 0.0);
  parallel_for(rows, vertices_a_chunk, [&](Index begin, Index end) {
    double& largest = buffer.of_chunk[begin / vertices_a_chunk];
    for (Index row = begin; row < end; ++row)
      largest = std::max(largest, frequency_at(bodies, buffer, plan.vertex_of_block[row]));
  });
  double largest = 0;
  for (const double value : buffer.of_chunk) largest = std::max(largest, value);
  return std::sqrt(largest);
}

double longest_explicit_step(double frequency, double stiffness_damping) {
  if (!(frequency > 0)) return std::numeric_limits<double>::infinity();
  const double xi = 0.5 * stiffness_damping * frequency;
  return 2 / frequency * (std::sqrt(1 + xi * xi) - xi);
}

}  // namespace sim
