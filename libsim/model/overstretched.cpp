#include "model/overstretched.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <queue>

#include "collide/limits.hpp"
#include "math/format.hpp"
#include "model/guides.hpp"

namespace sim {

namespace {

struct Neighbour {
  Index vertex;
  double longest;  // m, less the gap that the limit keeps
};

class LimitPaths {
 public:
  LimitPaths(const Model& model, const State& state, double dt)
      : model_(model), x_(state.x), around_(model.mesh.vertices.size()) {
    Guides guides;
    find_holds(model, state.time, guides);
    VecX velocity = VecX::Zero(state.x.size());
    prescribed_velocities(model, state, dt, guides, velocity);
    for (Index i = 0; i < static_cast<Index>(around_.size()); ++i) {
      if (is_prescribed(i)) block(x_, i) += dt * block(velocity, i);
    }
    for (const LengthLimit& limit : model.surface.limits) {
      const auto [a, b] = limit.vertices;
      if (is_prescribed(a) && is_prescribed(b)) continue;  // goes as its motion says
      const double longest = limit.longest - limit_gap(limit, LimitSide::longest);
      if (!std::isfinite(longest)) continue;
      around_[a].push_back({b, longest});
      around_[b].push_back({a, longest});
    }
  }

  bool is_prescribed(Index vertex) const { return model_.plan.block_of_vertex[vertex] < 0; }
  bool is_limited(Index vertex) const { return !around_[vertex].empty(); }

  // Paths from a vertex, of ascending length.
  void look_from(Index start, std::optional<Overstretched>& worst) const {
    std::vector<double> length(around_.size(), std::numeric_limits<double>::infinity());
    using Entry = std::pair<double, Index>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
    open.push({length[start] = 0, start});
    while (!open.empty()) {
      const auto [far, vertex] = open.top();
      open.pop();
      if (far > length[vertex]) continue;
      if (vertex != start && is_prescribed(vertex)) {
        keep_worse({{start, vertex}, (block(x_, start) - block(x_, vertex)).norm(), far}, worst);
        continue;
      }
      for (const Neighbour& next : around_[vertex]) {
        if (far + next.longest < length[next.vertex])
          open.push({length[next.vertex] = far + next.longest, next.vertex});
      }
    }
  }

 private:
  static void keep_worse(const Overstretched& found, std::optional<Overstretched>& worst) {
    const auto beyond = [](const Overstretched& one) { return one.distance / one.allowed; };
    if (beyond(found) > 1 && (!worst || beyond(found) > beyond(*worst))) worst = found;
  }

  const Model& model_;
  VecX x_;  // prescribed vertices where they will be
  std::vector<std::vector<Neighbour>> around_;
};

}  // namespace

std::optional<Overstretched> overstretched(const Model& model, const State& state, double dt) {
  std::optional<Overstretched> worst;
  if (model.surface.limits.empty()) return worst;
  const LimitPaths paths(model, state, dt);
  for (Index i = 0; i < static_cast<Index>(model.mesh.vertices.size()); ++i) {
    if (paths.is_prescribed(i) && paths.is_limited(i)) paths.look_from(i, worst);
  }
  return worst;
}

std::string overstretched_text(const Model& model, const Overstretched& found) {
  const std::string name = model.objects[model.surface.vertex_object[found.vertices[0]]].name;
  return "prescribed vertices of \"" + name +
         format("\" are to be %.4g m apart, and the strain limits between them allow %.4g m", found.distance,
                found.allowed);
}

}  // namespace sim
