#include "asynchronous/advice.hpp"

#include <algorithm>
#include <cmath>

#include "asynchronous/kick_plan.hpp"
#include "math/format.hpp"
#include "math/number_text.hpp"
#include "model/names.hpp"

namespace sim {

namespace {

constexpr double for_free_clocks =
    0.1;  // of elements: at 0.25 a chain of 40 masses drifts by up to 7 %, at 0.1 by 0.6 %

void warn_of_mesh(const Model& model, double thickness, std::vector<std::string>& warnings) {
  const CollisionSurface& surface = model.surface;
  std::vector<double> smallest(model.objects.size(), 2 * thickness);
  Detection detection;
  for_each_near(surface, positions(model.mesh), 2 * thickness, detection, [&](const NearPair& near) {
    const Index object = surface.vertex_object[near.vertices[0]];
    if (object == surface.vertex_object[near.vertices[3]])
      smallest[object] = std::min(smallest[object], near.distance);
  });
  const auto finest = std::min_element(smallest.begin(), smallest.end());
  if (finest == smallest.end() || !(*finest < 2 * thickness)) return;
  warnings.push_back("acm.thickness " + number_text(thickness, 3) + " m is more than half of what parts of \"" +
                     model.objects[finest - smallest.begin()].name + "\" are apart at rest (" +
                     number_text(*finest, 3) + " m): among themselves they push from half of that on only");
}

double weight_of(const Model& model, Index object) {  // N
  const Range vertices = model.objects[object].vertices;
  return model.elastic.mass.segment(vertices.begin, vertices.size()).sum() * model.gravity.norm();
}

// Of two objects that touch the one is carried, or the other: what has no mass carries.
double weight_between(const Model& model, const CloseObjects& some) {
  const double a = weight_of(model, some.objects[0]), b = weight_of(model, some.objects[1]);
  return a > 0 && b > 0 ? std::min(a, b) : std::max(a, b);
}

// What of r1 carries a force in this layer; asynchronous/layers.hpp.
double stiffness_to_carry(double force, double thickness, Index layer) {
  return 60 * force / (thickness * std::pow(layer, 15.0 / 4));
}

void warn_of_start(const Model& model, const Thickness& thickness, const AsyncOptions& o,
                   std::vector<std::string>& warnings) {
  if (thickness.close.empty()) return;
  const auto nearer = [](const CloseObjects& a, const CloseObjects& b) { return a.distance < b.distance; };
  const CloseObjects& nearest = *std::min_element(thickness.close.begin(), thickness.close.end(), nearer);
  const auto name = [&](Index object) { return object_text(model, object); };
  const std::string others = thickness.close.size() == 1
                                 ? std::string()
                                 : format(" (as do %zu other pairs of objects)", thickness.close.size() - 1);
  warnings.push_back(name(nearest.objects[0]) + " and " + name(nearest.objects[1]) + " begin " +
                     number_text(nearest.distance, 3) + " m apart" + others + ", nearer than acm.thickness, " +
                     number_text(o.thickness, 3) +
                     " m: such objects push each other only where they come nearer than they begin. acm.thickness " +
                     number_text(nearest.distance, 3) + " is the same for all");
  double stiffness = 0;
  for (const CloseObjects& some : thickness.close)
    stiffness = std::max(stiffness, stiffness_to_carry(weight_between(model, some), some.distance, o.rest_depth));
  if (stiffness > o.stiffness)
    warnings.push_back("objects that begin so near may rest in layers beyond acm.rest_depth: acm.stiffness " +
                       number_text(stiffness, 2) + " carries the weight of each in one pair");
}

// Under other methods contact keeps sheets and cables as far apart as they are thick.
void warn_of_thin(const Model& model, double thickness, std::vector<std::string>& warnings) {
  const Object* thickest = nullptr;
  for (const Object& object : model.objects)
    if (object.type == ObjectType::deformable && (thickest == nullptr || object.thickness > thickest->thickness))
      thickest = &object;
  if (thickest == nullptr || !(thickest->thickness > thickness)) return;
  warnings.push_back("acm.thickness " + number_text(thickness, 3) + " m is less than \"" + thickest->name +
                     "\" is thick (" + number_text(thickest->thickness, 3) +
                     " m): such things come nearer to each other than that, and under other methods they do not");
}

// Explicit steps of stiffness damping go with the square of a frequency: a little of it may rule all clocks.
void warn_of_damping(const Model& model, const KickPlan& plan, std::vector<std::string>& warnings) {
  constexpr double worth_telling = 4;
  for (std::size_t m = 0; m < plan.damped.size(); ++m) {
    const KickPlan::Damped& damped = plan.damped[m];
    if (!(damped.shortest * worth_telling < damped.undamped)) continue;
    const Material& material = model.materials[m];
    warnings.push_back("stiffness damping " + number_text(material.stiffness_damping, 3) + " s of material \"" +
                       material.name + "\" makes its kicks " + number_text(damped.shortest, 3) + " s short, " +
                       number_text(damped.undamped, 3) + " s without it: the run takes " +
                       number_text(damped.undamped / damped.shortest, 2) + " times as long. Up to " +
                       number_text(damped.free, 2) + " s shortens no clock, nor does mass damping");
  }
}

void warn_of_unused(const AsyncOptions& o, std::vector<std::string>& warnings) {
  const AsyncOptions usual;
  if (o.friction_cap)
    warnings.push_back(
        "acm.friction_cap does nothing any more: friction never gives more than would stop what slides");
  if (o.culler == Culler::kds || (o.vagueness == usual.vagueness && o.axes == usual.axes)) return;
  warnings.push_back(std::string(o.vagueness != usual.vagueness ? "acm.vagueness" : "acm.axes") +
                     " does nothing here: it is of acm.culler \"kds\", and this one is \"windows\"");
}

double heaviest(const Model& model) {  // N
  double most = 0;
  for (Index object = 0; object < static_cast<Index>(model.objects.size()); ++object)
    most = std::max(most, weight_of(model, object));
  return most;
}

// Nothing is pressed but by weight.
bool only_weighs(const Model& model) {
  return model.loads.empty() && std::all_of(model.prescribed.begin(), model.prescribed.end(),
                                            [](const auto& some) { return some.motion.stands_still(); });
}

// Clocks follow from the stiffness of layers: often much less of it carries all there is, in layers that may be
// rested in.
void warn_of_stiffness(const Model& model, const AsyncOptions& o, std::vector<std::string>& warnings) {
  constexpr double worth_telling = 16;  // steps of a quarter
  const double weight = heaviest(model), enough = stiffness_to_carry(weight, o.thickness, o.rest_depth);
  if (enough > worth_telling * o.stiffness)
    warnings.push_back("acm.stiffness " + format("%g", o.stiffness) +
                       " N/m is little for the heaviest object: with " + number_text(enough, 2) +
                       " one pair carries it in layer acm.rest_depth; deeper ones tick faster");
  if (!(weight > 0) || !(worth_telling * enough < o.stiffness) || !only_weighs(model)) return;
  warnings.push_back("acm.stiffness " + format("%g", o.stiffness) + " N/m is more than there is to carry: with " +
                     number_text(enough, 2) + " one pair carries the heaviest object, and steps may be up to " +
                     number_text(std::sqrt(o.stiffness / enough), 2) + " times as long");
}

// Mass damping takes alpha / 2 from the growth of what friction sets swinging, of any frequency.
std::string damping_for_friction(const Model& model, const KickPlan& plan) {
  std::string text;
  if (!(model.friction > 0)) return text;
  for (std::size_t m = 0; m < plan.damped.size(); ++m) {
    const double free = plan.damped[m].free;
    if (model.materials[m].stiffness_damping >= free || !std::isfinite(free)) continue;
    text += format("  acm: friction may set \"%s\" swinging; damping.stiffness up to %.2g s shortens no clock\n",
                   model.materials[m].name.c_str(), free);
  }
  return text;
}

}  // namespace

AsyncAdvice advise(const Model& model, const Options& options) {
  constexpr std::array<const char*, element_kinds> names{"tets", "springs", "membranes", "hinges", "bends"};
  const KickPlan plan = make_kick_plan(model, options);
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
  warn_of_damping(model, plan, advice.warnings);
  if (options.asynchronous.clocks == Clocks::free && options.asynchronous.elastic_fraction > for_free_clocks)
    advice.warnings.push_back("acm.clocks \"free\" with acm.elastic_fraction " +
                              number_text(options.asynchronous.elastic_fraction, 3) +
                              ": energy drifts; 0.1 keeps it within a per cent");
  if (!options.detect_collisions) return advice;
  advice.description += damping_for_friction(model, plan);
  advice.thickness = find_thickness(model, options.asynchronous.thickness);
  warn_of_mesh(model, options.asynchronous.thickness, advice.warnings);
  warn_of_thin(model, options.asynchronous.thickness, advice.warnings);
  warn_of_unused(options.asynchronous, advice.warnings);
  warn_of_stiffness(model, options.asynchronous, advice.warnings);
  warn_of_start(model, advice.thickness, options.asynchronous, advice.warnings);
  return advice;
}

}  // namespace sim
