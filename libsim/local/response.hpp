// Local contact forces (after Spillmann, Becker & Teschner 2007, section 3), for any contact a: of a vertex and a
// face, of two edges, or of the two ends of a strain limit. |w_ak| sum up to 1 on each of its two sides. In one pass
// all contacts are answered at once, each from its own gap and the masses of its own vertices:
//
//     1/mu_a = sum over both sides of |w_ak| W_k / m_k        W_k = sum of |w_bk| over the contacts b of the pass
//     d_a = max(-what it has got / mu_a, target_gap - gap(x~))   D_a = d_a n + tangential part
//     Delta_k += w_ak / m_k  mu_a D_a                          lambda_a = mu_a / h^2 (sum of d_a over the passes) N
//
// A contact by itself is closed by one pass, and its forces act where it touches. Contacts that share a vertex share
// its mass, in the ratio of their weights (mass splitting): so a pass never does too much, it is projected Jacobi of
// the contact problem with lumped masses. From pass to pass it is accelerated (Nesterov, with restarts). Prescribed
// vertices have an infinite mass. Friction takes back u, what r(x~) - r(x0) has across n, and (1 mm/s at most) the
// drift of a contact that sticks; its sum over the passes, times mu_a, is no longer than the friction coefficient
// times that of d_a: Coulomb's law. docs/papers/spillmann-2007.md has what the paper says instead.
#pragma once

#include <cmath>

#include "local/part.hpp"

namespace sim {

// One pass over the contacts of the state, at x1. Moves LocalScratch::x1 and moved, and notes in `pushed` what each
// contact has got.
void push(LocalPart& part);
void restart(LocalPart& part);  // the acceleration: contacts have changed

// Warm start: the forces that contacts had in the part before, but for limits. (These hold within a gap that is wide
// for what hangs on them; what pulls farther than it has to then makes energy.)
void push_as_before(LocalPart& part);

void note_moved(LocalPart& part);  // in Pushed::moved, after the passes

// A contact is left with less than half the gap that it aims at, at x1; limits are linearised there.
bool is_any_violated(LocalPart& part);
bool is_any_due(LocalPart& part);  // is nearer than its target gap
// After one of these: a contact has been pushed farther off than its target gap by others, and pushes all the same.
bool is_any_pushed_off(const LocalPart& part);

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
