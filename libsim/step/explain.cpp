#include "step/explain.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "math/format.hpp"

namespace sim {

namespace {

// "a vertex of "ring"", meets, "a face of "floor""
std::string describe(const Model& model, ContactKind kind, const std::array<Index, 4>& vertices, const char* meets) {
  const auto owner = [&](Index vertex) {
    return "\"" + model.objects[model.surface.vertex_object[vertex]].name + "\"";
  };
  const bool edges = kind == ContactKind::edge_edge;
  return std::string(edges ? "an edge" : "a vertex") + " of " + owner(vertices[0]) + meets +
         (edges ? "an edge" : "a face") + " of " + owner(vertices[edges ? 2 : 1]);
}

std::string first_hit(const Unsettled& step) {
  const Hit& hit = *std::min_element(step.hits.begin(), step.hits.end(),
                                     [](const Hit& a, const Hit& b) { return a.time < b.time; });
  return describe(step.model, hit.kind, stencil(step.model.surface, hit.kind, hit.pair), " meets ");
}

// Of the contacts with a gap that they may not have, the one that is farthest from its aim.
std::string worst_gap(const Unsettled& step) {
  const Contact* worst = nullptr;
  for (const Contact& contact : step.contacts.contacts) {
    if (contact.state == FrictionState::open || may_have_gap(contact, step.options.upkeep)) continue;
    if (!worst || std::abs(contact.gap - contact.aim) > std::abs(worst->gap - worst->aim)) worst = &contact;
  }
  if (!worst) return "";
  return format(", the worst is %.3g m where %.3g m is aimed at, ", worst->gap, worst->aim) +
         describe(step.model, worst->kind, worst->vertices, " on ");
}

std::string counted(std::size_t count, const char* what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

}  // namespace

std::string out_of_rounds(const Unsettled& step) {
  const UpkeepReport& kept = step.kept;
  std::string text = "collisions and re-linearised contacts did not settle in " +
                     std::to_string(step.options.most_rounds) + " rounds";
  auto add = [&, first = true](const std::string& item) mutable {
    text += (first ? ": " : "; ") + item;
    first = false;
  };
  if (!step.hits.empty()) add(counted(step.hits.size(), "collision") + " left, " + first_hit(step));
  if (kept.unsettled > 0) {
    add(counted(static_cast<std::size_t>(kept.unsettled), "contact") + " with a gap out of bounds" + worst_gap(step));
  }
  if (kept.lost > 0) {
    add(counted(static_cast<std::size_t>(kept.lost), "contact") + " that pushed slid off its surface");
  }
  const double turn = std::max(kept.pushing_turn, kept.pushing_turn_left);
  if (turn > step.options.upkeep.small_turn) add(format("normals still turn, by %.3g degrees", turn));
  return text;
}

}  // namespace sim
