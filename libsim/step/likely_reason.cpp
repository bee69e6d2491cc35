#include "step/likely_reason.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "elasticity/volumes.hpp"
#include "math/format.hpp"
#include "math/number_text.hpp"
#include "model/guides.hpp"
#include "model/measure.hpp"

namespace sim {

namespace {

constexpr double opposite = -0.7;            // cosine between the normals of two contacts: less than 45 degrees off
constexpr std::size_t most_compared = 1000;  // contacts, each with each other

// A contact of a body with something prescribed.
struct Hold {
  Index obstacle, body;  // vertices, one of each side
  Vec3 towards;          // unit, from the obstacle to the body
  Vec3 point, velocity;  // of the obstacle
};

struct Side {
  int begin, end;
};

bool is_prescribed(const Model& model, const Contact& contact, Side side) {
  return std::none_of(contact.vertices.begin() + side.begin, contact.vertices.begin() + side.end,
                      [&](Index vertex) { return model.surface.vertex_moves[vertex] != 0; });
}

std::optional<Hold> hold_of(const Situation& s, const Contact& contact) {
  if (contact.kind == ContactKind::limit) return {};
  const int first = contact.kind == ContactKind::edge_edge ? 2 : 1;
  const Side mine{0, first}, other{first, 4};
  const bool mine_prescribed = is_prescribed(s.model, contact, mine);
  if (mine_prescribed == is_prescribed(s.model, contact, other)) return {};
  const Side prescribed = mine_prescribed ? mine : other;
  Hold hold{contact.vertices[prescribed.begin], contact.vertices[mine_prescribed ? first : 0],
            mine_prescribed ? Vec3(-contact.n) : contact.n, Vec3::Zero(), Vec3::Zero()};
  for (int k = prescribed.begin; k < prescribed.end; ++k) {
    const double weight = std::abs(contact.weights[k]);
    hold.point += weight * block(s.x, contact.vertices[k]);
    hold.velocity += weight * block(s.v, contact.vertices[k]);
  }
  return hold;
}

std::vector<Hold> holds_of(const Situation& s, std::span<const Index> objects) {
  std::vector<Hold> holds;
  for (const Contact& contact : s.contacts) {
    const std::optional<Hold> hold = hold_of(s, contact);
    if (!hold) continue;
    const Index object = s.model.surface.vertex_object[hold->body];
    if (std::find(objects.begin(), objects.end(), object) != objects.end()) holds.push_back(*hold);
  }
  if (holds.size() <= most_compared) return holds;
  std::vector<Hold> some;
  for (std::size_t i = 0; i < most_compared; ++i) some.push_back(holds[i * holds.size() / most_compared]);
  return some;
}

// Of two holds; nothing where they are no vice.
std::optional<Vice> vice_of(const Situation& s, const Hold& a, const Hold& b) {
  if (a.towards.dot(b.towards) > opposite) return {};
  const Vec3 axis = (a.towards - b.towards).normalized(), apart = b.point - a.point;
  const Vec3 apart_then = apart + s.dt * (b.velocity - a.velocity);
  if (!(apart.dot(axis) > 0)) return {};
  const auto object = [&](Index vertex) { return s.model.surface.vertex_object[vertex]; };
  Vice vice{{a.obstacle, b.obstacle}, {object(a.body), object(b.body)}, 0.5 * (a.point + b.point)};
  vice.width = std::max(0.0, apart_then.dot(axis));
  // One that turns as a whole keeps its distances; one that passes through itself is as far apart again.
  constexpr double rounding = 1e-9;
  const bool nearer = apart_then.norm() < (1 - rounding) * apart.norm();
  vice.closes = vice.width < (1 - rounding) * apart.dot(axis) && (nearer || vice.width == 0);
  return vice;
}

std::string held_text(const Model& model, const Vice& vice) {
  std::string held = object_text(model, vice.held[0]);
  if (vice.held[1] != vice.held[0]) return held + " and " + object_text(model, vice.held[1]) + " are held between ";
  return held + " is held between ";
}

std::string jaws_text(const Model& model, const Vice& vice) {
  const std::string a = vertex_text(model, vice.jaws[0]), b = vertex_text(model, vice.jaws[1]);
  return a == b ? "parts of " + a : a + " and " + b;
}

// The smallest element of these objects that has left the range of its law; -1: none.
SmallestVolume most_squeezed(const Situation& s, std::span<const Index> objects) {
  SmallestVolume smallest;
  const ElasticBodies& bodies = s.model.elastic;
  for (std::size_t i = 0; i < bodies.tets.size(); ++i) {
    const Index object = s.model.surface.vertex_object[bodies.tets[i][0]];
    if (std::find(objects.begin(), objects.end(), object) == objects.end()) continue;
    const double J = volume_ratio(bodies, s.x, static_cast<Index>(i));
    if (J > std::max(0.0, bodies.laws[bodies.material[i]].continued_below)) continue;
    if (smallest.tet < 0 || J < smallest.ratio) smallest = {J, static_cast<Index>(i)};
  }
  return smallest;
}

// Those of these objects of which nothing is prescribed.
std::vector<Index> held_by_contacts(const Model& model, std::span<const Index> objects) {
  std::vector<Index> free(objects.begin(), objects.end());
  std::erase_if(free, [&](Index object) { return is_held(model, model.objects[object]); });
  return free;
}

}  // namespace

Vice find_vice(const Situation& situation, std::span<const Index> objects) {
  const std::vector<Hold> holds = holds_of(situation, objects);
  Vice best;
  for (std::size_t i = 0; i < holds.size(); ++i) {
    for (std::size_t j = i + 1; j < holds.size(); ++j) {
      const std::optional<Vice> vice = vice_of(situation, holds[i], holds[j]);
      if (!vice) continue;
      const bool narrower = vice->closes == best.closes ? vice->width < best.width : vice->closes;
      if (best.held[0] < 0 || narrower) best = *vice;
    }
  }
  return best;
}

std::string likely_reason(const Situation& s, std::span<const Index> objects, bool contradict) {
  const Model& model = s.model;
  std::string text;
  const auto add = [&](const std::string& reason) { text += (text.empty() ? "" : "; ") + reason; };
  const Vice vice = find_vice(s, objects);
  if (vice.held[0] >= 0 && vice.closes) {
    add(held_text(model, vice) + jaws_text(model, vice) +
        format(", which come to within %.3g m of each other at ", vice.width) + place_text(vice.middle));
  }
  if (const SmallestVolume smallest = most_squeezed(s, objects); smallest.tet >= 0) {
    add(tet_text(model, mesh_tet(model, smallest.tet)) + " at " +
        place_text(middle_of(s.x, model.elastic.tets[smallest.tet])) +
        format(" has %.3g of its rest volume", smallest.ratio));
  }
  if (text.empty() && contradict && vice.held[0] >= 0) {
    add("contacts contradict each other: " + held_text(model, vice) + jaws_text(model, vice) +
        format(", %.3g m apart at ", vice.width) + place_text(vice.middle));
  }
  if (const std::vector<Index> free = held_by_contacts(model, objects);
      text.empty() && s.is_static && !free.empty()) {
    add("nothing but contacts holds " + objects_text(model, free) +
        ", and quasi-static steps find no balance that is far away: what has to fall, roll or slide until it rests "
        "must do so in time first (time.scheme implicit-euler, with damping)");
  }
  return text;
}

Vec3 middle_of(const VecX& x, const std::array<Index, 4>& vertices) {
  Vec3 sum = Vec3::Zero();
  for (const Index vertex : vertices) sum += block(x, vertex) / 4;
  return sum;
}

std::string vertex_text(const Model& model, Index vertex) {
  const Index object = model.surface.vertex_object[vertex];
  const bool part = model.objects[object].type == ObjectType::deformable && model.surface.vertex_moves[vertex] == 0;
  return (part ? "prescribed vertices of " : "") + object_text(model, object);
}

std::string tet_text(const Model& model, Index tet) {
  const Index object = model.surface.vertex_object[model.mesh.tets[tet][0]];
  return format("tetrahedron %d of ", tet - model.objects[object].tets.begin) + object_text(model, object);
}

std::string objects_text(const Model& model, std::span<const Index> objects) {
  constexpr std::size_t most_named = 4;
  std::string text;
  const std::size_t named = objects.size() > most_named ? most_named - 1 : objects.size();
  for (std::size_t i = 0; i < named; ++i) {
    const bool last = i + 1 == objects.size();
    text += (i == 0 ? "" : last ? " and " : ", ") + object_text(model, objects[i]);
  }
  if (named < objects.size()) text += format(" and %d more", static_cast<int>(objects.size() - named));
  return text;
}

}  // namespace sim
