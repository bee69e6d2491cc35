#include "asynchronous/layers.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace sim {

Layers make_layers(double stiffness, Index most) {
  Layers layers{stiffness, {std::numeric_limits<double>::infinity()}, {std::numeric_limits<double>::infinity()}};
  for (Index l = 1; l <= most + 1; ++l) {
    const double root = std::sqrt(static_cast<double>(l));
    layers.nearness.push_back(1 / std::sqrt(root));
    layers.shorter.push_back(1 / (l * root));
  }
  return layers;
}

Index layers_at(const Layers& layers, double distance, double thickness) {
  const auto first = layers.nearness.begin() + 1;
  const auto end = std::partition_point(first, layers.nearness.end(),
                                        [&](double nearness) { return distance < thickness * nearness; });
  return static_cast<Index>(end - first);
}

double layers_force(const Layers& layers, double distance, double thickness, Index deepest) {
  double sum = 0;
  for (Index l = 1; l <= std::min(deepest, layers_at(layers, distance, thickness)); ++l)
    sum += layers.stiffness_of(l) * (thickness * layers.nearness[l] - distance);
  return sum;
}

double layers_energy(const Layers& layers, double distance, double thickness, Index deepest) {
  double sum = 0;
  for (Index l = 1; l <= std::min(deepest, layers_at(layers, distance, thickness)); ++l) {
    const double depth = thickness * layers.nearness[l] - distance;
    sum += 0.5 * layers.stiffness_of(l) * depth * depth;
  }
  return sum;
}

double layers_of_impact(double stiffness, double thickness, double energy) {
  return std::pow(840 * energy / (stiffness * thickness * thickness), 2.0 / 7);
}

double layers_under(double stiffness, double thickness, double force) {
  return std::pow(60 * force / (stiffness * thickness), 4.0 / 15);
}

}  // namespace sim
