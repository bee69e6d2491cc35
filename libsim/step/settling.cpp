#include "step/settling.hpp"

#include <algorithm>
#include <numeric>

namespace sim {

namespace {

void wake(const std::array<Index, 4>& vertices, Settling& s) {
  for (const Index vertex : vertices) {
    const Index body = s.body_of_vertex[vertex];
    if (body >= 0) s.restless[body] = s.restless[s.turn_of_body[body]] = 1;
  }
}

bool any_marked(const Settling& s, const std::vector<std::uint8_t>& bodies, const std::array<Index, 4>& vertices) {
  return std::any_of(vertices.begin(), vertices.end(), [&](Index vertex) {
    return s.body_of_vertex[vertex] >= 0 && bodies[s.body_of_vertex[vertex]] != 0;
  });
}

// With one body of a group all of it.
void wake_groups(Groups& groups, Settling& s) {
  for (ContactGroup& group : groups.groups) {
    group.settled =
        std::none_of(group.bodies.begin(), group.bodies.end(), [&](Index b) { return s.restless[b] != 0; });
    if (group.settled) continue;
    for (const Index body : group.bodies) s.restless[body] = 1;
  }
}

}  // namespace

void prepare(const Model& model, const Bodies& bodies, Settling& s) {
  const auto elastic = static_cast<Index>(model.plan.vertex_of_block.size());
  s.body_of_vertex.assign(model.plan.block_of_vertex.size(), -1);
  for (Index row = 0; row < elastic; ++row) s.body_of_vertex[model.plan.vertex_of_block[row]] = bodies.of_row[row];
  s.turn_of_body.resize(static_cast<std::size_t>(bodies.count()));
  std::iota(s.turn_of_body.begin(), s.turn_of_body.end(), Index{0});
  for (std::size_t i = 0; i < model.rigid.size(); ++i) {
    const Range vertices = model.rigid[i].vertices;
    const Index row = elastic + 2 * static_cast<Index>(i), body = bodies.of_row[row];
    s.turn_of_body[body] = bodies.of_row[row + 1];
    std::fill(s.body_of_vertex.begin() + vertices.begin, s.body_of_vertex.begin() + vertices.end, body);
  }
  for (const EmbeddedVertex& point : model.embedding.vertices) {
    for_each_node(model.embedding, point.vertex, 1, [&](Index node, double) {
      if (s.body_of_vertex[node] >= 0) s.body_of_vertex[point.vertex] = s.body_of_vertex[node];
    });
  }
  s.known_free.resize(s.body_of_vertex.size());
  s.restless.resize(static_cast<std::size_t>(bodies.count()));
  s.object_of_body.resize(s.restless.size());
  const std::vector<Index>& object = model.surface.vertex_object;
  for (Index row = 0; row < elastic; ++row)
    s.object_of_body[bodies.of_row[row]] = object[model.plan.vertex_of_block[row]];
  for (Index row = elastic; row < static_cast<Index>(bodies.of_row.size()); ++row)
    s.object_of_body[bodies.of_row[row]] = object[model.rigid[(row - elastic) / 2].vertices.begin];
}

void begin(const Division& division, Settling& s) {
  for (std::size_t body = 0; body < s.restless.size(); ++body)
    s.restless[body] = division.share[s.object_of_body[body]] == Share::solved ? 1 : 0;
  s.checked.resize(0);
}

const std::vector<std::uint8_t>& find_known_free(const VecX& x1, Settling& s) {
  const bool first = s.checked.size() != x1.size();
  for (Index vertex = 0; vertex < static_cast<Index>(s.known_free.size()); ++vertex) {
    const Index body = s.body_of_vertex[vertex];
    const bool settled = body < 0 || s.restless[body] == 0;
    s.known_free[vertex] = settled && (first || block(x1, vertex) == block(s.checked, vertex)) ? 1 : 0;
  }
  s.checked = x1;
  return s.known_free;
}

std::vector<Index> restless_objects(const Settling& s) {
  std::vector<Index> objects;
  for (std::size_t body = 0; body < s.restless.size(); ++body) {
    if (s.restless[body] != 0) objects.push_back(s.object_of_body[body]);
  }
  return objects;
}

bool is_restless(const Settling& s, const std::array<Index, 4>& vertices) {
  return any_marked(s, s.restless, vertices);
}

bool settle(const CollisionSurface& surface, std::span<const Hit> hits,
            std::span<const std::array<Index, 4>> restless_contacts, std::span<const Index> unbalanced,
            Groups& groups, Settling& s, std::vector<Contact>& updated, std::vector<Contact>& contacts) {
  const std::vector<std::uint8_t> before = s.restless;
  std::fill(s.restless.begin(), s.restless.end(), std::uint8_t{0});
  for (const Hit& hit : hits) wake(stencil(surface, hit.kind, hit.pair), s);
  for (const std::array<Index, 4>& vertices : restless_contacts) wake(vertices, s);
  for (const Index body : unbalanced) s.restless[body] = 1;
  wake_groups(groups, s);
  // Those of an island that was settled and is woken stay as they are: nothing has moved there in this round.
  std::erase_if(contacts,
                [&](const Contact& c) { return any_marked(s, before, c.vertices) && is_restless(s, c.vertices); });
  std::erase_if(updated, [&](const Contact& c) { return !is_restless(s, c.vertices); });
  merge(updated, contacts);
  return std::any_of(s.restless.begin(), s.restless.end(), [](std::uint8_t one) { return one != 0; });
}

}  // namespace sim
