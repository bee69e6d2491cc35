#include "step/division.hpp"

#include <algorithm>

#include "elasticity/element_at.hpp"

namespace sim {

namespace {

// One object of a contact that is divided divides the others; false where nothing changes.
bool spread_over(const CollisionSurface& surface, const Contact& contact, Division& division) {
  if (!has(division, surface, contact.vertices, Share::divided)) return false;
  bool changed = false;
  for (const Index vertex : contact.vertices) {
    const Index object = surface.vertex_object[vertex];
    if (division.moves[object] == 0 || division.share[object] != Share::solved) continue;
    division.share[object] = Share::divided;
    changed = true;
  }
  return changed;
}

}  // namespace

void begin(const Model& model, Division& division) {
  division.share.assign(model.objects.size(), Share::solved);
  division.moves.assign(model.objects.size(), 0);
  division.met.clear();
  for (const Index vertex : model.plan.vertex_of_block) division.moves[model.surface.vertex_object[vertex]] = 1;
  for (std::size_t i = 0; i < model.objects.size(); ++i) {
    if (model.objects[i].type == ObjectType::rigid) division.moves[i] = 1;
  }
}

bool has(const Division& division, const CollisionSurface& surface, const std::array<Index, 4>& vertices,
         Share share) {
  return std::any_of(vertices.begin(), vertices.end(), [&](Index vertex) {
    const Index object = surface.vertex_object[vertex];
    return division.moves[object] != 0 && division.share[object] == share;
  });
}

bool has_any(const Division& division, Share share) {
  for (std::size_t i = 0; i < division.share.size(); ++i) {
    if (division.moves[i] != 0 && division.share[i] == share) return true;
  }
  return false;
}

void keep_solved(const Division& division, const CollisionSurface& surface, std::vector<Contact>& contacts) {
  std::erase_if(contacts, [&](const Contact& contact) {
    return has(division, surface, contact.vertices, Share::divided) ||
           has(division, surface, contact.vertices, Share::known);
  });
}

void begin_motion(const State& state, const Division& division, const CollisionSurface& surface, VecX& v) {
  v = state.v;
  if (!division.motion) return;
  for (Index i = 0; i < static_cast<Index>(surface.vertex_object.size()); ++i) {
    if (division.of(surface, i) == Share::known) block(v, i) = block(*division.motion, i);
  }
}

void stop_divided(const CollisionSurface& surface, const Division& division, VecX& motion) {
  if (!has_any(division, Share::divided)) return;
  for (Index i = 0; i < static_cast<Index>(surface.vertex_object.size()); ++i) {
    if (division.of(surface, i) == Share::divided) block(motion, i).setZero();
  }
}

void divide(std::span<const Index> objects, const CollisionSurface& surface, std::span<const Contact> contacts,
            bool together, Division& division) {
  for (const Index object : objects) division.share[object] = Share::divided;
  if (together) {
    for (std::size_t i = 0; i < division.share.size(); ++i) {
      if (division.moves[i] != 0 && division.share[i] == Share::solved) division.share[i] = Share::divided;
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (const Contact& contact : contacts) changed = spread_over(surface, contact, division) || changed;
  }
}

void join(const Model& model, const Division& division, const State& whole, State& shorter) {
  for (std::size_t i = 0; i < division.share.size(); ++i) {
    if (division.share[i] == Share::divided) continue;
    const Range vertices = model.objects[i].vertices;
    for (Index vertex = vertices.begin; vertex < vertices.end; ++vertex) {
      block(shorter.x, vertex) = block(whole.x, vertex);
      block(shorter.v, vertex) = block(whole.v, vertex);
      block(shorter.left_over, vertex) = block(whole.left_over, vertex);
    }
    if (whole.history.holds.empty()) continue;
    shorter.history.holds[i] = whole.history.holds[i];
    for (Index vertex = vertices.begin; vertex < vertices.end; ++vertex) {
      block(shorter.history.acceleration, vertex) = block(whole.history.acceleration, vertex);
      block(shorter.history.force, vertex) = block(whole.history.force, vertex);
    }
  }
  if (whole.unseen.size() > 0) {
    each_unseen(model.elastic, [&](Index vertex, Index first, Index count) {
      if (division.share[model.surface.vertex_object[vertex]] != Share::divided)
        shorter.unseen.segment(first, count) = whole.unseen.segment(first, count);
    });
  }
  if (whole.history.strain_rate.size() > 0) {
    each_damped(model.elastic, model.strains, [&](Index vertex, Index first, Index count) {
      if (division.share[model.surface.vertex_object[vertex]] == Share::divided) return;
      for (const auto of : {&History::strain_rate, &History::strain_acceleration})
        (shorter.history.*of).segment(first, count) = (whole.history.*of).segment(first, count);
    });
  }
  for (std::size_t i = 0; i < model.rigid.size(); ++i) {
    if (division.of(model.surface, model.rigid[i].vertices.begin) != Share::divided)
      shorter.rigid[i] = whole.rigid[i];
  }
  merge(whole.contacts.contacts, shorter.contacts.contacts);
}

}  // namespace sim
