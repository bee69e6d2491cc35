#include "asynchronous/advice.hpp"

#include <algorithm>
#include <cmath>

#include "asynchronous/pair_table.hpp"
#include "math/format.hpp"
#include "math/number_text.hpp"

namespace sim {

namespace {

// Pairs that are nearer than this at x.
template <class Visit>
void for_each_near(const CollisionSurface& surface, const VecX& x, double distance, const Visit& visit) {
  std::vector<Box> boxes(surface.vertex_object.size());
  for (const Index i : surface.vertices) {
    const Eigen::Array4d p(x[3 * i], x[3 * i + 1], x[3 * i + 2], 0.0);
    boxes[i] = {p, p};
  }
  Detection detection;
  Candidates candidates;
  find_candidates(surface, boxes, {.separation = distance}, detection, candidates);
  const auto look = [&](ContactKind kind, const std::vector<Pair>& pairs) {
    for (const Pair& pair : pairs) {
      const std::array<Index, 4> vertices = stencil(surface, kind, pair);
      std::array<Vec3, 4> corners;
      for (std::size_t k = 0; k < 4; ++k) corners[k] = block(x, vertices[k]);
      const double d = nearest_of(kind, corners).distance;
      if (d < distance) visit(kind, vertices, d);
    }
  };
  look(ContactKind::vertex_face, candidates.vertex_face);
  look(ContactKind::edge_edge, candidates.edge_edge);
}

VecX rest_of(const Model& model) {
  VecX rest(3 * static_cast<Eigen::Index>(model.mesh.vertices.size()));
  for (Index i = 0; i < static_cast<Index>(model.mesh.vertices.size()); ++i) block(rest, i) = model.mesh.vertices[i];
  return rest;
}

void warn_of_mesh(const Model& model, double thickness, std::vector<std::string>& warnings) {
  const CollisionSurface& surface = model.surface;
  std::vector<double> smallest(model.objects.size(), 2 * thickness);
  for_each_near(surface, rest_of(model), 2 * thickness,
                [&](ContactKind, const std::array<Index, 4>& vertices, double d) {
                  const Index object = surface.vertex_object[vertices[0]];
                  if (object == surface.vertex_object[vertices[3]]) smallest[object] = std::min(smallest[object], d);
                });
  const auto finest = std::min_element(smallest.begin(), smallest.end());
  if (finest == smallest.end() || !(*finest < 2 * thickness)) return;
  warnings.push_back("acm.thickness " + number_text(thickness, 3) + " m is more than half of what parts of \"" +
                     model.objects[finest - smallest.begin()].name + "\" are apart at rest (" +
                     number_text(*finest, 3) + " m): among themselves they push from half of that on only");
}

void warn_of_start(const PairRules& rules, const State& start, std::vector<std::string>& warnings) {
  double energy = 0;
  Index count = 0;
  for_each_near(rules.model.surface, start.x, rules.thickness,
                [&](ContactKind kind, const std::array<Index, 4>& vertices, double d) {
                  const double thickness = pair_thickness(rules, kind, vertices);
                  if (!(d < thickness)) return;
                  ++count;
                  energy += layers_energy(rules.law.layers, d, thickness, rules.law.layers.most());
                });
  if (count == 0) return;
  warnings.push_back(std::to_string(count) + " pairs begin nearer than acm.thickness, and their layers hold " +
                     number_text(energy, 3) + " J that they will give: begin farther apart, or with less thickness");
}

double heaviest(const Model& model) {  // N
  double most = 0;
  for (const Object& object : model.objects) {
    double mass = 0;
    for (Index i = object.vertices.begin; i < object.vertices.end; ++i) mass += model.elastic.mass[i];
    most = std::max(most, mass * model.gravity.norm());
  }
  return most;
}

// Clocks follow from the stiffness of layers: often less of it carries all there is, in layers that may be rested in.
std::string softer_layers(const Model& model, const AsyncOptions& o) {
  constexpr double worth_it = 4;
  const double weight = heaviest(model), force_of_stiffness = o.thickness * std::pow(o.rest_depth, 15.0 / 4) / 60;
  const double enough = weight / force_of_stiffness;
  if (!(weight > 0) || !(worth_it * enough < o.stiffness)) return {};
  return format(
      "  acm: with acm.stiffness %.2g, too, one pair carries the heaviest object, and steps may be up to %.2g "
      "times as long\n",
      enough, std::sqrt(o.stiffness / enough));
}

}  // namespace

AsyncAdvice advise(const Model& model, const Options& options, const State& start) {
  constexpr std::array<const char*, element_kinds> names{"tets", "springs", "membranes", "hinges", "bends"};
  const KickPlan plan = make_kick_plan(model, options);
  const ContactLaw law = make_law(model, options);
  const PairRules rules{model, plan, law, options.asynchronous.thickness, options.asynchronous.contact_fraction};
  AsyncAdvice advice;
  double kicks = 0;
  for (std::size_t kind = 0; kind < element_kinds; ++kind) {
    const ByLevel& elements = plan.elements[kind];
    if (elements.items.empty()) continue;
    int finest = finest_level;
    while (finest > 0 && elements.count[finest] == 0) --finest;
    for (int j = 0; j <= finest; ++j)  // those of level j or finer tick 2^j times a step, 2^(j - 1) of them anew
      kicks += elements.count[j] * (j == 0 ? 1.0 : std::ldexp(1.0, j - 1)) / options.dt;
    advice.description += format("  acm: %zu %s, the shortest step %.3g s\n", elements.items.size(), names[kind],
                                 length_of(finest, options.dt));
  }
  advice.description += format("  acm: %.3g kicks of elements a second\n", kicks);
  if (!options.detect_collisions) return advice;
  advice.description += softer_layers(model, options.asynchronous);
  warn_of_mesh(model, options.asynchronous.thickness, advice.warnings);
  warn_of_start(rules, start, advice.warnings);
  return advice;
}

}  // namespace sim
