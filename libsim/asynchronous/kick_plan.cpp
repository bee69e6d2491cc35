#include "asynchronous/kick_plan.hpp"

#include <algorithm>
#include <limits>
#include <numbers>
#include <numeric>

#include "elasticity/element_at.hpp"

namespace sim {

namespace {

constexpr double endless = std::numeric_limits<double>::infinity();
constexpr double half_a_level = std::numbers::sqrt2;

std::vector<double> inverse_masses(const Model& model) {
  std::vector<double> inverse(model.mesh.vertices.size(), 0.0);
  for (std::size_t i = 0; i < inverse.size(); ++i)
    if (model.plan.block_of_vertex[i] >= 0) inverse[i] = 1 / model.elastic.mass[static_cast<Eigen::Index>(i)];
  return inverse;
}

double rested_on(const AsyncOptions& o, double inverse_mass) {
  return std::numbers::pi * outermost_step(o.contact_fraction, o.stiffness, inverse_mass) /
         (2 * o.contact_fraction * o.rest_depth * o.rest_depth);
}

// s, a vertex: the longest step of a force on it beside contacts and strain limits that rest.
std::vector<double> caps(const Model& model, const Options& options, std::span<const double> inverse_mass) {
  std::vector<double> cap(inverse_mass.size(), endless);
  const AsyncOptions& o = options.asynchronous;
  for (const LengthLimit& limit : model.surface.limits) {
    const auto [i, j] = limit.vertices;
    const double h = rested_on(o, inverse_mass[i] + inverse_mass[j]);
    cap[i] = std::min(cap[i], h);
    cap[j] = std::min(cap[j], h);
  }
  if (!options.detect_collisions) return cap;
  const std::vector<double> smallest = smallest_masses(model, inverse_mass);
  double least = endless;
  for (const Index i : model.surface.vertices) least = std::min(least, smallest[i]);
  for (const Index i : model.surface.vertices) {
    if (inverse_mass[i] == 0) continue;
    cap[i] = std::min(cap[i], rested_on(o, 1 / smallest[i] + 1 / least));
  }
  return cap;
}

// beta: of stiffness damping.
double longest_step(double fraction, double omega, double beta) {
  if (!(omega > 0)) return endless;
  return fraction * 2 / omega * std::min(1.0, 1 / (beta * omega));
}

template <class Kind>
double shortest_cap(const ElementNumbering& numbering, const KickPlan& plan, Kind kind, Index i) {
  const Index first = numbering.corner_of(kind.value, i);
  double shortest = endless;
  for (Index c = first; c < first + corners_of(kind.value); ++c)
    shortest = std::min(shortest, plan.cap[numbering.vertex[c]]);
  return shortest;
}

// What is told of materials, periods of free clocks, and what else stays as it is at rest.
template <class Kind>
void plan_elements(const Model& model, const Options& options, const VecX& rest, Kind kind, KickPlan& plan) {
  constexpr auto which = static_cast<std::size_t>(Kind::value);
  const ElasticBodies& bodies = model.elastic;
  const double fraction = options.asynchronous.elastic_fraction;
  for (Index i = 0; i < bodies.numbering.count_of(kind.value); ++i) {
    const Index material = material_of<kind.value>(bodies, i);
    const double beta = bodies.stiffness_damping[material], cap = shortest_cap(bodies.numbering, plan, kind, i);
    plan.any_damping = plan.any_damping || beta > 0;
    const double frequency = plan.omega[which][i], h = std::min(cap, longest_step(fraction, frequency, beta));
    KickPlan::Damped& damped = plan.damped[material];
    damped.shortest = std::min(damped.shortest, h);
    const double undamped = std::min(cap, longest_step(fraction, frequency, 0));
    damped.undamped = std::min(damped.undamped, undamped);
    if (frequency > 0) damped.free = std::min(damped.free, 2 * fraction / (frequency * frequency * undamped));
    if (options.asynchronous.clocks == Clocks::free) plan.element_period[which].push_back(period_of(h, options.dt));
    plan.rest_sizes[which].push_back(sizes_of(bodies, rest, kind, i));
  }
}

// Levels of the elements of one kind at x, where nothing touches. By less than half a level nothing changes.
template <class Kind>
std::vector<std::uint8_t> levels_at(const Model& model, const Options& options, const VecX& x, Kind kind,
                                    KickPlan& plan) {
  constexpr auto which = static_cast<std::size_t>(Kind::value);
  const ElasticBodies& bodies = model.elastic;
  std::vector<std::uint8_t> levels;
  for (Index i = 0; i < bodies.numbering.count_of(kind.value); ++i) {
    const double beta = bodies.stiffness_damping[material_of<kind.value>(bodies, i)];
    const double smaller = shrunk(sizes_of(bodies, x, kind, i), plan.rest_sizes[which][i]);
    const double frequency = plan.omega[which][i] / std::min(1.0, half_a_level * smaller);
    const double h = std::min(shortest_cap(bodies.numbering, plan, kind, i),
                              longest_step(options.asynchronous.elastic_fraction, frequency, beta));
    const int level = level_of(h, options.dt);
    plan.too_stiff = plan.too_stiff || level > finest_level;
    levels.push_back(static_cast<std::uint8_t>(std::min(level, finest_level)));
  }
  return levels;
}

ElementLevels levels_at(const Model& model, const Options& options, const VecX& x, KickPlan& plan) {
  ElementLevels levels;
  plan.too_stiff = false;
  for_each_kind(
      [&](auto kind) { levels[static_cast<std::size_t>(kind.value)] = levels_at(model, options, x, kind, plan); });
  return levels;
}

// The elements of one kind by the finest that they, alone, or a contact of theirs ask for.
template <class Kind>
ByLevel sort_elements(const ElementNumbering& numbering, Kind kind, KickPlan& plan) {
  std::vector<std::uint8_t> levels = plan.element_level[static_cast<std::size_t>(kind.value)];
  for (Index i = 0; i < static_cast<Index>(levels.size()); ++i) {
    const Index first = numbering.corner_of(kind.value, i);
    for (Index c = first; c < first + corners_of(kind.value); ++c)
      levels[i] = std::max(levels[i], plan.contact_level[numbering.vertex[c]]);
    std::fill_n(plan.corner_level.begin() + first, corners_of(kind.value), levels[i]);
  }
  return sort_by_level(levels);
}

// What is steady on a vertex ticks as often as its finest element: in longer steps gravity would shake the body. All
// of its elements tick where the coarsest does.
void find_vertex_levels(const ElementNumbering& numbering, KickPlan& plan) {
  plan.steady_level = plan.vertex_level;
  for (std::size_t i = 0; i < plan.steady_level.size(); ++i)
    plan.steady_level[i] = std::max(plan.steady_level[i], plan.contact_level[i]);
  for (std::size_t c = 0; c < numbering.vertex.size(); ++c) {
    std::uint8_t& level = plan.steady_level[numbering.vertex[c]];
    level = std::max(level, plan.corner_level[c]);
  }
  plan.whole_level = plan.steady_level;
  for (std::size_t c = 0; c < numbering.vertex.size(); ++c) {
    std::uint8_t& level = plan.whole_level[numbering.vertex[c]];
    level = std::min(level, plan.corner_level[c]);
  }
}

ClockSlots slots_of(const ElementNumbering& numbering, const KickPlan& plan) {
  ClockSlots slots;
  std::vector<std::uint64_t> levels(plan.steady_level.size(), 0);  // a bit each
  for (std::size_t c = 0; c < numbering.vertex.size(); ++c)
    levels[numbering.vertex[c]] |= std::uint64_t{1} << plan.corner_level[c];
  for (const std::uint64_t some : levels) {
    slots.begin.push_back(static_cast<Index>(slots.level.size()));
    for (int level = finest_level; level >= 0; --level)
      if ((some >> level & 1U) != 0) slots.level.push_back(static_cast<std::uint8_t>(level));
  }
  slots.begin.push_back(static_cast<Index>(slots.level.size()));
  for (std::size_t c = 0; c < numbering.vertex.size(); ++c) {
    Index slot = slots.begin[numbering.vertex[c]];
    while (slots.level[slot] != plan.corner_level[c]) ++slot;
    slots.of_corner.push_back(slot);
  }
  return slots;
}

// The same of free clocks.
void find_steady_periods(const ElementNumbering& numbering, const Options& options, KickPlan& plan) {
  if (options.asynchronous.clocks == Clocks::binary) return;
  for (const double h : plan.cap) plan.steady_period.push_back(period_of(h, options.dt));
  for_each_kind([&](auto kind) {
    const std::vector<Tick>& periods = plan.element_period[static_cast<std::size_t>(kind.value)];
    for (Index i = 0; i < static_cast<Index>(periods.size()); ++i) {
      const Index first = numbering.corner_of(kind.value, i);
      for (Index c = first; c < first + corners_of(kind.value); ++c) {
        Tick& period = plan.steady_period[numbering.vertex[c]];
        period = std::min(period, periods[i]);
      }
    }
  });
}

// Of a vertex without mass a level that never comes.
std::vector<std::uint8_t> levels_of_vertices(const Model& model, KickPlan& plan, std::vector<Index>& massive) {
  std::vector<std::uint8_t> levels;
  for (Index i = 0; i < static_cast<Index>(plan.steady_level.size()); ++i) {
    if (model.elastic.mass[i] == 0) continue;
    massive.push_back(i);
    levels.push_back(plan.steady_level[i]);
    plan.finest = std::max<int>(plan.finest, levels.back());
  }
  return levels;
}

Rows rows_of(const ElementNumbering& numbering, const KickPlan& plan) {
  Rows rows;
  rows.of_corner.resize(numbering.vertex.size());
  std::vector<Index> newest(plan.steady_level.size(), -1);  // row of a vertex
  for_each_kind([&](auto kind) {
    const std::vector<Index>& items = plan.elements[static_cast<std::size_t>(kind.value)].items;
    std::vector<Index>& first = rows.first[static_cast<std::size_t>(kind.value)];
    std::uint8_t level = 0;
    for (std::size_t item = 0; item < items.size(); ++item) {
      const Index corner = numbering.corner_of(kind.value, items[item]);
      if (item % elements_a_block == 0) {
        first.push_back(static_cast<Index>(rows.vertex.size()));
        level = plan.corner_level[corner];
      }
      for (Index c = corner; c < corner + corners_of(kind.value); ++c) {
        Index& row = newest[numbering.vertex[c]];
        if (row < first.back()) {
          row = static_cast<Index>(rows.vertex.size());
          rows.vertex.push_back(numbering.vertex[c]);
          rows.level.push_back(level);
        }
        rows.of_corner[c] = row;
      }
    }
    first.push_back(static_cast<Index>(rows.vertex.size()));
  });
  return rows;
}

Gather gather_of(const KickPlan& plan) {
  std::vector<std::vector<Index>> of_vertex(plan.steady_level.size());
  for (Index row = 0; row < static_cast<Index>(plan.rows.vertex.size()); ++row)
    of_vertex[plan.rows.vertex[row]].push_back(row);
  Gather gather;
  gather.begin.push_back(0);
  for (const Index vertex : plan.vertices.items) {
    std::vector<Index>& rows = of_vertex[vertex];
    std::stable_sort(rows.begin(), rows.end(),
                     [&](Index a, Index b) { return plan.rows.level[a] > plan.rows.level[b]; });
    gather.rows.insert(gather.rows.end(), rows.begin(), rows.end());
    gather.begin.push_back(static_cast<Index>(gather.rows.size()));
  }
  return gather;
}

// Who kicks when, and where it goes, of the levels that there are alone and by contacts.
void arrange(const Model& model, const Options& options, KickPlan& plan) {
  const ElementNumbering& numbering = model.elastic.numbering;
  for_each_kind(
      [&](auto kind) { plan.elements[static_cast<std::size_t>(kind.value)] = sort_elements(numbering, kind, plan); });
  find_vertex_levels(numbering, plan);
  std::vector<Index> massive;
  plan.finest = 0;
  plan.vertices = sort_by_level(levels_of_vertices(model, plan, massive));
  for (Index& item : plan.vertices.items) item = massive[item];
  plan.rows = rows_of(numbering, plan);
  plan.gather = gather_of(plan);
  const auto items_of = [&](ElementKind kind) { return plan.elements[static_cast<std::size_t>(kind)].items; };
  plan.slots = slots_of(numbering, plan);
  const PackPlaces places{plan.corner_level, plan.rows.of_corner, plan.slots.of_corner};
  plan.springs = pack_springs(model.elastic, items_of(ElementKind::spring), places);
  plan.hinges = pack_hinges(model.elastic, items_of(ElementKind::hinge), places);
  plan.kept.clear();
  for (Index i = 0; i < static_cast<Index>(plan.steady_level.size()); ++i) {
    const double mass = model.elastic.mass[i], alpha = mass > 0 ? model.elastic.damping_mass[i] / mass : 0;
    plan.kept.push_back(std::exp(-0.5 * alpha * steady_step(plan, i, options.dt)));
    plan.any_drag = plan.any_drag || alpha > 0;
  }
}

}  // namespace

double steady_step(const KickPlan& plan, Index vertex, double dt) {
  if (plan.steady_period.empty()) return length_of(plan.steady_level[vertex], dt);
  return static_cast<double>(plan.steady_period[vertex]) * length_of(finest_level, dt);
}

ByLevel sort_by_level(std::span<const std::uint8_t> levels) {
  ByLevel sorted;
  sorted.items.resize(levels.size());
  std::iota(sorted.items.begin(), sorted.items.end(), 0);
  std::stable_sort(sorted.items.begin(), sorted.items.end(), [&](Index a, Index b) { return levels[a] > levels[b]; });
  for (const std::uint8_t level : levels) ++sorted.count[level];
  for (int j = finest_level; j >= 0; --j) sorted.count[j] += sorted.count[j + 1];
  return sorted;
}

std::vector<double> smallest_masses(const Model& model, std::span<const double> inverse_mass) {
  std::vector<double> smallest(inverse_mass.size(), endless);
  for (const Triangle& t : model.surface.triangles) {
    double least = endless;
    for (const Index v : t) least = std::min(least, 1 / inverse_mass[v]);
    for (const Index v : t) smallest[v] = std::min(smallest[v], least);
  }
  return smallest;
}

double outermost_step(double contact_fraction, double stiffness, double inverse_mass) {
  return contact_fraction * 2 / std::sqrt(stiffness * inverse_mass);
}

KickPlan make_kick_plan(const Model& model, const Options& options) {
  KickPlan plan;
  plan.inverse_mass = inverse_masses(model);
  plan.cap = caps(model, options, plan.inverse_mass);
  plan.corner_level.resize(model.elastic.numbering.vertex.size());
  plan.damped.resize(model.elastic.stiffness_damping.size());
  const VecX rest = positions(model.mesh);
  plan.omega = element_frequencies(model.elastic, rest, model.surface.vertex_moves);
  for_each_kind([&](auto kind) { plan_elements(model, options, rest, kind, plan); });
  plan.element_level = levels_at(model, options, rest, plan);
  for (const double h : plan.cap)
    plan.vertex_level.push_back(static_cast<std::uint8_t>(std::min(level_of(h, options.dt), finest_level)));
  find_steady_periods(model.elastic.numbering, options, plan);
  plan.contact_level.assign(plan.cap.size(), 0);
  arrange(model, options, plan);
  return plan;
}

bool follow(const Model& model, const Options& options, const VecX& x, std::vector<std::uint8_t>&& contact_level,
            KickPlan& plan) {
  ElementLevels element_level = levels_at(model, options, x, plan);
  if (contact_level == plan.contact_level && element_level == plan.element_level) return false;
  plan.contact_level = std::move(contact_level);
  plan.element_level = std::move(element_level);
  arrange(model, options, plan);
  return true;
}

}  // namespace sim
