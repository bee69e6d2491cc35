#include "mesh/thickness.hpp"

#include <algorithm>

#include "mesh/surface.hpp"

namespace sim {

int cells_across(std::span<const Tet> tets) {
  Index count = 0;
  for (const Tet& tet : tets) count = std::max(count, *std::max_element(tet.begin(), tet.end()) + 1);
  std::vector<std::uint8_t> on_surface(static_cast<std::size_t>(count), 0);
  for (const Triangle& triangle : extract_surface(tets)) {
    for (const Index v : triangle) on_surface[v] = 1;
  }
  bool any_inside = false, any_tet_inside = false;
  for (const Tet& tet : tets) {
    const auto outer = std::count_if(tet.begin(), tet.end(), [&](Index v) { return on_surface[v] != 0; });
    any_inside |= outer < 4;
    any_tet_inside |= outer == 0;
  }
  return any_tet_inside ? 3 : any_inside ? 2 : 1;
}

double bending_excess(int cells, double poisson) {
  struct Row {
    double poisson, one, two;
  };
  constexpr Row measured[] = {{0.2, 4.13, 1.85}, {0.3, 4.56, 1.99}, {0.45, 9.17, 3.35}};
  if (cells > 2) return 1;
  const Row &low = poisson < 0.3 ? measured[0] : measured[1], &high = poisson < 0.3 ? measured[1] : measured[2];
  const double part = std::clamp((poisson - low.poisson) / (high.poisson - low.poisson), 0.0, 1.0);
  return cells == 1 ? low.one + part * (high.one - low.one) : low.two + part * (high.two - low.two);
}

}  // namespace sim
