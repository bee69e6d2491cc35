// Contact forces without iteration (Spillmann, Becker & Teschner 2007, section 3), for any contact a: of a vertex and
// a face, of two edges, or of the two ends of a strain limit. |w_ak| sum up to 1 on each of its sides 1 and 2. In one
// pass all contacts are answered at once:
//
//     c_k = 1 / max(1, sum_a |w_ak|)     S_1 = sum over side 1 of c_k |w_ak| m_k, S_2 likewise
//     mu_a = S_1 S_2 / (S_1 + S_2)       D_a = d_a n + tangential part       d_a = max(0, target_gap - gap(x~))
//     Delta_k += c_k |w_ak| S_2/(S_1 + S_2) D_a on side 1,   -= c_k |w_ak| S_1/(S_1 + S_2) D_a on side 2
//     lambda_a = mu_a / h^2 (sum of d_a over the passes)     N
//
// Each pass closes 2/3 of an overlap in the middle of a face, all of it at a vertex, and never more than all.
// A side with prescribed vertices has S infinite. Friction takes back u, what r(x~) - r(x0) has across
// n, and (1 mm/s at most) the drift of a contact that sticks; its sum over the passes, times mu_a, is no longer than
// the friction coefficient times that of d_a: Coulomb's law. docs/papers/spillmann-2007.md has what the paper says
// instead.
#pragma once

#include <cmath>

#include "local/part.hpp"

namespace sim {

// One pass over the contacts of the state, at x1. Moves LocalScratch::x1 and moved, and notes in `pushed` what each
// contact has got.
void push(LocalPart& part);

// A contact is left with less than half the gap that it aims at, at x1; limits are linearised there.
bool is_any_violated(LocalPart& part);
bool is_any_due(LocalPart& part);  // is nearer than its target gap

// The first vertices that a contact's second side has.
inline int second_side(const Contact& contact) {
  return contact.kind == ContactKind::edge_edge ? 2 : 1;
}
inline int corners(const Contact& contact) {
  return contact.kind == ContactKind::limit ? 2 : 4;
}

// What a contact moves: its corners, or where they are embedded the nodes of their tets.
struct ContactNode {
  int number = 0;        // 4 k + j, the j-th node of corner k
  std::size_t side = 0;  // 0 or 1
  Index vertex = 0;
  double weight = 0;  // |w| of the contact
};
template <class Visit>
void for_each_node(const Model& model, const Contact& contact, const Visit& visit) {
  for (int k = 0; k < corners(contact); ++k) {
    ContactNode node{4 * k, k < second_side(contact) ? std::size_t{0} : std::size_t{1}};
    for_each_node(model.embedding, contact.vertices[k], contact.weights[k], [&](Index vertex, double weight) {
      node.vertex = vertex;
      node.weight = std::abs(weight);
      visit(node);
      ++node.number;
    });
  }
}

// Whether a contact can move this vertex: guided ones not where they are held along n.
bool can_move(const Model& model, const Guides& guides, Index vertex, const Vec3& n);

}  // namespace sim
