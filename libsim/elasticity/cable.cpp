#include "elasticity/cable.hpp"

#include <algorithm>
#include <numbers>

namespace sim {

namespace {

using Link = std::array<Index, 2>;  // a vertex and its neighbour along a segment

// Both of every segment, those of a vertex one after the other, in the order of segments.
std::vector<Link> sorted_links(std::span<const Triangle> segments) {
  std::vector<Link> links;
  links.reserve(2 * segments.size());
  for (const Triangle& s : segments) {
    links.push_back({s[0], s[1]});
    links.push_back({s[1], s[0]});
  }
  std::stable_sort(links.begin(), links.end(), [](const Link& a, const Link& b) { return a[0] < b[0]; });
  return links;
}

void add_bends(std::span<const Vec3> rest, const Cable& cable, double bend, ThinParts& parts) {
  const std::vector<Link> links = sorted_links(cable.segments);
  for (std::size_t i = 0; i < links.size();) {
    std::size_t end = i + 1;
    while (end < links.size() && links[end][0] == links[i][0]) ++end;
    if (end == i + 2) {
      const std::array<Index, 3> v{links[i][1], links[i][0], links[i + 1][1]};
      parts.bends.push_back(make_bend(v, {rest[v[0]], rest[v[1]], rest[v[2]]}, bend, cable.material));
    }
    i = end;
  }
}

}  // namespace

double mass_per_length(const Material& material) {
  return material.density * std::numbers::pi / 4 * material.thickness * material.thickness;
}

void add_cable(std::span<const Vec3> rest, const Cable& cable, const Material& material, ThinParts& parts) {
  for (const Triangle& s : cable.segments) {
    const Spring spring = make_spring({s[0], s[1]}, {rest[s[0]], rest[s[1]]}, material.stretch, cable.material);
    parts.springs.push_back(spring);
    add_limit(limit_length(spring.vertices, static_cast<Index>(parts.springs.size()) - 1, spring.rest_length,
                           material.strain_limit),
              parts.limits);
    const double half = mass_per_length(material) * spring.rest_length / 2;
    for (const Index vertex : spring.vertices) parts.masses.push_back({vertex, cable.material, half});
  }
  if (material.bend > 0) add_bends(rest, cable, material.bend, parts);
}

}  // namespace sim
