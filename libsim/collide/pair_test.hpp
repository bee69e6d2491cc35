// The pairs that two triangles stand for (surface.hpp), as far as `Apart` does not leave them out:
//
//     bool Apart::vertex_face(Index vertex, Index triangle, const Triangle&) const
//     bool Apart::edge_edge(Index a, const Edge&, Index b, const Edge&) const
#pragma once

#include <bit>
#include <span>

#include "collide/candidates.hpp"
#include "math/parallel.hpp"

namespace sim {

template <class Apart>
struct PairTest {
  const CollisionSurface& surface;
  Apart apart;
  bool prescribed = false;  // pairs of which no vertex moves, in place of all others

  bool moves(Index v) const { return surface.vertex_moves[v] != 0; }
  bool moves(const Triangle& t) const { return moves(t[0]) || moves(t[1]) || moves(t[2]); }
  bool moves(const Edge& e) const { return moves(e[0]) || moves(e[1]); }

  // A cable along a segment of an obstacle, which may be as long as many of its own. By edges each of its segments
  // has one contact with it, which holds one end: so its vertices meet it, too.
  bool lies_along(const Triangle& cable, const Triangle& segment) const {
    return !is_face(cable) && moves(cable) && segment[0] != segment[1] && !moves(segment);
  }

  void vertices_of(Index s, Index t, std::vector<Pair>& found) const {
    const Triangle& face = surface.triangles[t];
    if (!is_face(face) && !lies_along(surface.triangles[s], face)) return;
    for (unsigned rest = surface.owned[s] & 7U; rest != 0; rest &= rest - 1) {
      const Index v = surface.triangles[s][std::countr_zero(rest)];
      if (shares_vertex(face, v) || apart.vertex_face(v, t, face)) continue;
      if ((moves(v) || moves(face)) != prescribed) found.push_back({v, t});
    }
  }

  void edges_of(Index s, Index t, std::vector<Pair>& found) const {
    for (unsigned rest_a = surface.owned[s] >> 3U; rest_a != 0; rest_a &= rest_a - 1) {
      const Index a = surface.triangle_edges[s][std::countr_zero(rest_a)];
      const Edge& a_ends = surface.edges[a];
      for (unsigned rest_b = surface.owned[t] >> 3U; rest_b != 0; rest_b &= rest_b - 1) {
        const Index b = surface.triangle_edges[t][std::countr_zero(rest_b)];
        const Edge& b_ends = surface.edges[b];
        if (shares_vertex(a_ends, b_ends) || apart.edge_edge(a, a_ends, b, b_ends)) continue;
        if ((moves(a_ends) || moves(b_ends)) != prescribed) found.push_back({std::min(a, b), std::max(a, b)});
      }
    }
  }

  void operator()(Index s, Index t, Detection::Work& work) const {
    if (surface.never_touch(s, t)) return;
    vertices_of(s, t, work.vertex_face);
    vertices_of(t, s, work.vertex_face);
    edges_of(s, t, work.edge_edge);
  }
};

// Of these triangles and all that their boxes overlap. What is found, some of it twice, is in the first of
// `detection.work`.
template <class Apart>
void test_neighbours(const PairTest<Apart>& test, std::span<const Index> triangles, Detection& detection) {
  constexpr Index triangles_a_chunk = 16;
  const auto count = static_cast<Index>(triangles.size());
  const auto chunks = std::max<std::size_t>((count + triangles_a_chunk - 1) / triangles_a_chunk, 1);
  std::vector<Detection::Work>& work = detection.work;
  if (work.size() < chunks) work.resize(chunks);
  work[0].vertex_face.clear();
  work[0].edge_edge.clear();
  parallel_for(count, triangles_a_chunk, [&](Index begin, Index end) {
    Detection::Work& found = work[begin / triangles_a_chunk];
    found.vertex_face.clear();
    found.edge_edge.clear();
    for (const Index s : triangles.subspan(begin, end - begin))
      visit_neighbours(detection.bvh, s, [&](Index t) { test(s, t, found); });
  });
  for (std::size_t i = 1; i < chunks; ++i) {
    work[0].vertex_face.insert(work[0].vertex_face.end(), work[i].vertex_face.begin(), work[i].vertex_face.end());
    work[0].edge_edge.insert(work[0].edge_edge.end(), work[i].edge_edge.begin(), work[i].edge_edge.end());
  }
}

}  // namespace sim
