#include "step/lead_back.hpp"

#include <algorithm>

#include "step/arc_search.hpp"
#include "step/part.hpp"

namespace sim {

std::vector<std::uint8_t> pushed_bodies(const Part& part) {
  const Scratch& s = part.s;
  std::vector<std::uint8_t> result(static_cast<std::size_t>(s.groups.bodies.count()), 0);
  const BlockMatrix& L = s.problem.L;
  for (Index i = 0; i < s.problem.contacts(); ++i) {
    if (!(s.solution.lambda[i] > 0)) continue;
    for (Index slot = L.row_begin[i]; slot < L.row_begin[i + 1]; ++slot)
      result[s.groups.bodies.of_row[L.column[slot]]] = 1;
  }
  return result;
}

void lead_back(Part& part, const std::vector<std::uint8_t>& falling) {
  Scratch& s = part.s;
  NewtonScratch& n = s.newton;
  n.led_back.assign(static_cast<std::size_t>(s.groups.bodies.count()), 0);
  if (!s.inertia.is_static()) return;
  bool any = false;
  const auto counts = [&](Index vertex) {
    if (part.model.surface.vertex_body[vertex] >= 0) return true;
    const Index body = s.settling.body_of_vertex[vertex];
    return body >= 0 && falling[body] != 0;
  };
  for (const Hit& hit : s.hits) {
    const ContactId id = contact_id(hit.kind, hit.pair);
    if (hit.kind == ContactKind::limit || find(part.state.contacts, id) != nullptr) continue;
    const auto place = std::lower_bound(n.met.begin(), n.met.end(), id);
    if (place != n.met.end() && *place == id) continue;
    const std::array<Index, 4> vertices = stencil(part.model.surface, hit.kind, hit.pair);
    if (std::none_of(vertices.begin(), vertices.end(), counts)) continue;
    n.met.insert(place, id);
    for (const Index vertex : vertices) {
      const Index body = s.settling.body_of_vertex[vertex];
      if (body < 0 || s.settling.restless[body] == 0) continue;
      n.led_back[body] = n.led_back[s.settling.turn_of_body[body]] = 1;
      any = true;
    }
  }
  if (!any) return;
  for (const ContactGroup& group : s.groups.groups) {
    if (std::none_of(group.bodies.begin(), group.bodies.end(), [&](Index body) { return n.led_back[body] != 0; }))
      continue;
    for (const Index body : group.bodies) n.led_back[body] = std::max(n.led_back[body], s.settling.restless[body]);
  }
}

void turn_back(Part& part) {
  Scratch& s = part.s;
  VecX rows;
  for (const Index body : s.newton.bodies) {
    if (s.newton.led_back[body] == 0) continue;
    if (rows.size() == 0) point_rows(part, s.inertia.point, s.inertia.rigid_point, rows);
    for (const Index row : s.groups.bodies.rows_of(body)) block(s.solution.v, row) = block(rows, row);
  }
}

bool is_led_back(const Part& part, const std::array<Index, 4>& vertices) {
  const Scratch& s = part.s;
  return std::any_of(vertices.begin(), vertices.end(), [&](Index vertex) {
    const Index body = s.settling.body_of_vertex[vertex];
    return body >= 0 && body < static_cast<Index>(s.newton.led_back.size()) && s.newton.led_back[body] != 0;
  });
}

std::vector<Hit> hits_of_ways(const Part& part) {
  std::vector<Hit> hits = part.s.hits;
  const auto is_unbalanced = [&](Index vertex) {
    const Index body = part.s.settling.body_of_vertex[vertex];
    return std::ranges::find(part.s.newton.unbalanced, body) != part.s.newton.unbalanced.end();
  };
  std::erase_if(hits, [&](const Hit& hit) {
    const std::array<Index, 4> vertices = stencil(part.model.surface, hit.kind, hit.pair);
    return is_led_back(part, vertices) || std::ranges::any_of(vertices, is_unbalanced);
  });
  return hits;
}

}  // namespace sim
