#include "local/response.hpp"

#include <algorithm>
#include <cmath>

#include "collide/limits.hpp"
#include "collide/target_gap.hpp"

namespace sim {

namespace {

constexpr double least_free = 0.1;  // of n: along which a guided vertex must be able to move

bool moves_with(const LocalPart& part, const Contact& contact, const ContactNode& node) {
  return can_move(part.model, part.s.guides, node.vertex, contact.n);
}

// mu_a, kg; 0: nothing can move.
double mass_between(const LocalPart& part, const Contact& contact) {
  bool is_held = false;
  for_each_node(part.model, contact, [&](const ContactNode& node) {
    is_held = is_held || (node.weight > 0 && !moves_with(part, contact, node));
  });
  const double least = is_held ? 1 : 0;  // else a corner with hardly any weight would go far for the others
  double compliance = 0;
  for_each_node(part.model, contact, [&](const ContactNode& node) {
    if (!moves_with(part, contact, node)) return;
    compliance += node.weight * std::max(least, part.s.weight[node.vertex]) / part.model.elastic.mass[node.vertex];
  });
  return compliance > 0 ? 1 / compliance : 0;
}

bool is_active(const Contact& contact, const Answer& push) {
  return contact.gap < contact.target_gap || push.normal != 0;
}

void add_weights(LocalPart& part) {
  LocalScratch& s = part.s;
  const std::vector<Contact>& contacts = part.state.contacts.contacts;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (!is_active(contacts[i], s.pushed[i].now)) continue;
    for_each_node(part.model, contacts[i], [&](const ContactNode& node) {
      if (!is_free(part.model, node.vertex)) return;
      if (s.weight[node.vertex] == 0) s.touched.push_back(node.vertex);
      if (s.is_in_play[node.vertex] == 0) s.in_play.push_back(node.vertex);
      s.is_in_play[node.vertex] = 1;
      s.weight[node.vertex] += node.weight;
    });
  }
}

// D_a: along n, what it has too much is taken back; and along the tangents what friction takes back.
Vec3 answer(const LocalPart& part, const Contact& contact, double mu, Answer& pushed) {
  const double d = std::max(-pushed.normal / mu, contact.target_gap - contact.gap);
  pushed.normal = std::max(0.0, pushed.normal + mu * d);
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

Vec3 of_node(const ContactNode& node, const Vec3& push) {
  return (node.side == 0 ? node.weight : -node.weight) * push;
}

void give(LocalPart& part, const Contact& contact, const Vec3& push, Answer& pushed) {
  pushed.total += push;
  for_each_node(part.model, contact, [&](const ContactNode& node) {
    if (!moves_with(part, contact, node)) return;
    block(part.s.shift, node.vertex) += of_node(node, push) / part.model.elastic.mass[node.vertex];
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

// On by part of what the last pass has done: Nesterov's acceleration.
void extrapolate(LocalPart& part) {
  LocalScratch& s = part.s;
  const double next = 0.5 * (1 + std::sqrt(1 + 4 * s.momentum * s.momentum));
  const double on = (s.momentum - 1) / next;
  s.momentum = next;
  for (Pushed& pushed : s.pushed) {
    const Answer now = pushed.now, &before = pushed.before;
    pushed.now.normal += on * (now.normal - before.normal);
    pushed.now.total += on * (now.total - before.total);
    for (const std::size_t k : {0, 1}) pushed.now.tangential[k] += on * (now.tangential[k] - before.tangential[k]);
    pushed.before = now;
  }
  for (const Index vertex : s.in_play) {
    const Vec3 moved = block(s.moved, vertex), more = on * (moved - block(s.moved_before, vertex));
    block(s.moved_before, vertex) = moved;
    if (more.isZero(0)) continue;
    block(s.x1, vertex) += more;
    block(s.moved, vertex) += more;
    s.known_free[vertex] = 0;
  }
  if (on > 0) follow_nodes(part);
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

bool is_any_pushed_off(const LocalPart& part) {
  const auto& contacts = part.state.contacts.contacts;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const double most = contacts[i].target_gap + least_distance * contacts[i].eps2;
    if (part.s.pushed[i].now.normal > 0 && contacts[i].gap > most) return true;
  }
  return false;
}

bool is_any_due(LocalPart& part) {
  find_gaps(part);
  const auto& contacts = part.state.contacts.contacts;
  return std::any_of(contacts.begin(), contacts.end(), [](const Contact& c) { return c.gap < c.target_gap; });
}

void push(LocalPart& part) {
  LocalScratch& s = part.s;
  extrapolate(part);
  find_gaps(part);
  add_weights(part);
  double against = 0;  // m^2 kg: what the pass takes back, along what it has come to since the last one
  const std::vector<Contact>& contacts = part.state.contacts.contacts;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    Answer &now = s.pushed[i].now, at = now;
    if (!is_active(contacts[i], at)) continue;
    const double mu = mass_between(part, contacts[i]);
    if (!(mu > 0)) continue;
    give(part, contacts[i], mu * answer(part, contacts[i], mu, now), now);
    against += (at.total - now.total).dot(now.total - s.pushed[i].before.total) / mu;
  }
  apply(part);
  if (against > 0) restart(part);
}

void restart(LocalPart& part) {
  part.s.momentum = 1;
}

void push_as_before(LocalPart& part) {
  LocalScratch& s = part.s;
  const double square = part.dt * part.dt;
  const std::vector<Contact>& contacts = part.state.contacts.contacts;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (!is_limit(contacts[i]) && contacts[i].state != FrictionState::open)
      s.pushed[i].now.normal = square * contacts[i].lambda;
  }
  find_gaps(part);
  add_weights(part);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const Contact& contact = contacts[i];
    Answer& now = s.pushed[i].now;
    if (!(mass_between(part, contact) > 0)) now.normal = 0;
    if (now.normal == 0) continue;
    now.tangential = {-square * contact.friction[0], -square * contact.friction[1]};
    give(part, contact, now.normal * contact.n + now.tangential[0] * contact.t1 + now.tangential[1] * contact.t2,
         now);
  }
  apply(part);
}

void note_moved(LocalPart& part) {
  const std::vector<Contact>& contacts = part.state.contacts.contacts;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    for_each_node(part.model, contacts[i], [&](const ContactNode& node) {
      if (moves_with(part, contacts[i], node))
        part.s.pushed[i].moved[node.number] = of_node(node, part.s.pushed[i].now.total);
    });
  }
}

}  // namespace sim
