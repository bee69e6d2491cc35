#include "local/response.hpp"

#include <algorithm>
#include <cmath>

#include "collide/limits.hpp"

namespace sim {

namespace {

constexpr double least_free = 0.1;  // of n: along which a guided vertex must be able to move

// The two sides of a contact in a pass.
struct Sides {
  std::array<double, 2> share{0, 0};  // of D_a
  double mu = 0;                      // kg; 0: nothing can move
};

double c_of(const LocalScratch& s, Index vertex) {
  return 1 / std::max(1.0, s.weight[vertex]);
}

Sides sides_of(const LocalPart& part, const Contact& contact) {
  std::array<double, 2> S{0, 0};
  std::array<bool, 2> held{false, false};
  for_each_node(part.model, contact, [&](const ContactNode& node) {
    if (can_move(part.model, part.s.guides, node.vertex, contact.n)) {
      S[node.side] += c_of(part.s, node.vertex) * node.weight * part.model.elastic.mass[node.vertex];
    } else if (node.weight > 0) {
      held[node.side] = true;
    }
  });
  const bool both = held[0] && held[1];  // then what is free of them has to do
  const std::array<bool, 2> stands{S[0] == 0 || (held[0] && !both), S[1] == 0 || (held[1] && !both)};
  if (stands[0] && stands[1]) return {};
  if (stands[0]) return {{0, 1}, S[1]};
  if (stands[1]) return {{1, 0}, S[0]};
  return {{S[1] / (S[0] + S[1]), S[0] / (S[0] + S[1])}, S[0] * S[1] / (S[0] + S[1])};
}

bool is_active(const Contact& contact, const Pushed& pushed) {
  return contact.gap < contact.target_gap || pushed.normal > 0;
}

void add_weights(LocalPart& part) {
  LocalScratch& s = part.s;
  const std::vector<Contact>& contacts = part.state.contacts.contacts;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (!is_active(contacts[i], s.pushed[i])) continue;
    for_each_node(part.model, contacts[i], [&](const ContactNode& node) {
      if (!is_free(part.model, node.vertex)) return;
      if (s.weight[node.vertex] == 0) s.touched.push_back(node.vertex);
      s.weight[node.vertex] += node.weight;
    });
  }
}

// D_a: along n, and along the tangents what friction takes back.
Vec3 answer(const LocalPart& part, const Contact& contact, double mu, Pushed& pushed) {
  const double d = std::max(0.0, contact.target_gap - contact.gap);
  pushed.normal += mu * d;
  if (is_limit(contact)) return d * contact.n;
  const double friction = part.model.friction_of(part.model.surface.vertex_object[contact.vertices[0]],
                                                 part.model.surface.vertex_object[contact.vertices[3]]);
  const Vec3 way = separation_vector(contact, part.s.x1) - separation_vector(contact, part.state.x);
  const double drift = std::hypot(contact.drift[0], contact.drift[1]), most_back = closing_speed * part.dt;
  const double back = drift > most_back ? most_back / drift : 1;
  std::array<double, 2> wanted{pushed.tangential[0] - mu * (contact.t1.dot(way) + back * contact.drift[0]),
                               pushed.tangential[1] - mu * (contact.t2.dot(way) + back * contact.drift[1])};
  const double length = std::hypot(wanted[0], wanted[1]), most = friction * pushed.normal;
  if (length > most) {
    wanted[0] *= most / length;
    wanted[1] *= most / length;
  }
  const Vec3 D = d * contact.n + (wanted[0] - pushed.tangential[0]) / mu * contact.t1 +
                 (wanted[1] - pushed.tangential[1]) / mu * contact.t2;
  pushed.tangential = wanted;
  return D;
}

void answer(LocalPart& part, const Contact& contact, Pushed& pushed) {
  const Sides sides = sides_of(part, contact);
  if (!(sides.mu > 0)) return;
  const Vec3 D = answer(part, contact, sides.mu, pushed);
  pushed.total += sides.mu * D;
  for_each_node(part.model, contact, [&](const ContactNode& node) {
    if (!can_move(part.model, part.s.guides, node.vertex, contact.n)) return;
    const double sign = node.side == 0 ? 1 : -1;
    const Vec3 shift = sign * c_of(part.s, node.vertex) * node.weight * sides.share[node.side] * D;
    block(part.s.shift, node.vertex) += shift;
    pushed.moved[node.number] += part.model.elastic.mass[node.vertex] * shift;
  });
}

// Embedded vertices go with the nodes of their tets.
void follow_nodes(LocalPart& part) {
  LocalScratch& s = part.s;
  const Embedding& embedding = part.model.embedding;
  follow(embedding, s.x1);
  follow(embedding, s.moved);
  for (const EmbeddedVertex& point : embedding.vertices) {
    if (std::any_of(point.corners.begin(), point.corners.end(), [&](Index node) { return s.known_free[node] == 0; }))
      s.known_free[point.vertex] = 0;
  }
}

void apply(LocalPart& part) {
  LocalScratch& s = part.s;
  for (const Index vertex : s.touched) {
    Vec3 shift = block(s.shift, vertex);
    if (part.model.guide_of_vertex[vertex] >= 0) shift -= held_part(part.model, s.guides, vertex) * shift;
    block(s.x1, vertex) += shift;
    block(s.moved, vertex) += shift;
    if (!shift.isZero(0)) s.known_free[vertex] = 0;
    block(s.shift, vertex).setZero();
    s.weight[vertex] = 0;
  }
  s.touched.clear();
  follow_nodes(part);
}

void find_gaps(LocalPart& part) {
  for (Contact& contact : part.state.contacts.contacts) {
    if (is_limit(contact)) {
      relinearise_limit(contact, part.s.x1);
    } else {
      contact.gap = gap(contact, part.s.x1);
    }
  }
}

bool is_violated(const Contact& contact) {
  constexpr double part_of_target_gap = 0.5;  // gaps that may be left at nearly nothing get there, step by step
  constexpr double rounding = 1e-3;           // of eps2
  return contact.gap <= std::max(0.0, part_of_target_gap * contact.target_gap) &&
         contact.gap < contact.target_gap - rounding * contact.eps2;
}

}  // namespace

bool can_move(const Model& model, const Guides& guides, Index vertex, const Vec3& n) {
  if (!is_free(model, vertex)) return false;
  if (model.guide_of_vertex[vertex] < 0) return true;
  return (n - held_part(model, guides, vertex) * n).norm() > least_free;
}

bool is_any_violated(LocalPart& part) {
  find_gaps(part);
  const auto& contacts = part.state.contacts.contacts;
  return std::any_of(contacts.begin(), contacts.end(), is_violated);
}

bool is_any_due(LocalPart& part) {
  find_gaps(part);
  const auto& contacts = part.state.contacts.contacts;
  return std::any_of(contacts.begin(), contacts.end(), [](const Contact& c) { return c.gap < c.target_gap; });
}

void push(LocalPart& part) {
  LocalScratch& s = part.s;
  find_gaps(part);
  add_weights(part);
  const std::vector<Contact>& contacts = part.state.contacts.contacts;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (is_active(contacts[i], s.pushed[i])) answer(part, contacts[i], s.pushed[i]);
  }
  apply(part);
}

}  // namespace sim
