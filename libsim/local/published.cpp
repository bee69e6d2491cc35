#include "local/published.hpp"

#include <algorithm>

#include "local/response.hpp"

namespace sim {

namespace {

// What (5), (6), (15) and (16) are written in.
struct Collisions {
  LocalPart& part;
  std::vector<Penetration>& of;  // (i, T_i), ascending by i
  VecX shift = {};               // m, of all vertices: h^2/m times the sum of their local forces

  const Triangle& T(const Penetration& i) const { return part.model.mesh.triangles[i.triangle]; }
  double m(Index vertex) const { return part.model.elastic.mass[vertex]; }
  bool moves(Index vertex, const Vec3& along) const { return can_move(part.model, part.s.guides, vertex, along); }
  double c(Index vertex) const {  // (6); LocalScratch::weight is the sum of h_ji over j
    const auto before = [](const Penetration& p, Index v) { return p.vertex < v; };
    const auto after = [](Index v, const Penetration& p) { return v < p.vertex; };
    const auto own = std::upper_bound(of.begin(), of.end(), vertex, after) -
                     std::lower_bound(of.begin(), of.end(), vertex, before);
    return 1 / (std::max(1.0, static_cast<double>(own)) + part.s.weight[vertex]);
  }
};

void find_collisions(Collisions& C) {
  LocalScratch& s = C.part.s;
  find_penetrations(C.part.model, s.x1, s.depth, C.of);
  std::erase_if(C.of, [](const Penetration& p) { return p.triangle < 0 || !(p.depth > 0); });
  s.weight.assign(C.part.model.mesh.vertices.size(), 0.0);
  for (const Penetration& i : C.of) {
    for (int k = 0; k < 3; ++k) s.weight[C.T(i)[k]] += i.h[k];
  }
}

// alpha_i of (5), and the mass that the collision moves: alpha_i c_i m_i where both sides do.
struct Share {
  double alpha = 0, mass = 0;
};
Share share_of(const Collisions& C, const Penetration& i) {
  double S = 0;
  bool is_held = false;
  for (int k = 0; k < 3; ++k) {
    const Index j = C.T(i)[k];
    if (C.moves(j, i.out)) {
      S += C.c(j) * i.h[k] * C.m(j);
    } else if (i.h[k] > 0) {
      is_held = true;
    }
  }
  if (!C.moves(i.vertex, i.out)) return {0, S};
  const double mine = C.c(i.vertex) * C.m(i.vertex);
  if (is_held) return {1, mine};
  return {S / (mine + S), mine * S / (mine + S)};
}

// The way out and, ours, what friction takes back of the way across it.
Vec3 way_back(const Collisions& C, const Contact& contact) {
  const LocalPart& part = C.part;
  const Vec3 way = separation_vector(contact, part.s.x1) - separation_vector(contact, part.state.x);
  const Vec3 slip = way - contact.n * contact.n.dot(way);
  const double friction = part.model.friction_of(part.model.surface.vertex_object[contact.vertices[0]],
                                                 part.model.surface.vertex_object[contact.vertices[1]]);
  const double depth = -contact.gap, most = friction * depth, length = slip.norm();
  return depth * contact.n - (length > most ? most / length : 1) * slip;
}

void add_local_forces(Collisions& C, const Penetration& i, const Contact& contact, Pushed& pushed) {
  const Share share = share_of(C, i);
  if (!(share.mass > 0)) return;
  const Vec3 d = way_back(C, contact);
  pushed.now.normal = share.mass * i.depth;
  pushed.now.tangential = {share.mass * contact.t1.dot(d), share.mass * contact.t2.dot(d)};
  pushed.now.total = share.mass * d;
  const auto add = [&](int k, const Vec3& shift) {
    const Index vertex = contact.vertices[k];
    if (!C.moves(vertex, i.out)) return;
    block(C.shift, vertex) += shift;
    pushed.moved[k] = C.m(vertex) * shift;
  };
  add(0, C.c(i.vertex) * share.alpha * d);                                                   // (15)
  for (int k = 0; k < 3; ++k) add(1 + k, -C.c(C.T(i)[k]) * i.h[k] * (1 - share.alpha) * d);  // (16)
}

// Where the point comes out is not where it is deepest in: its gap is the depth that it is answered with.
Contact contact_of(const Collisions& C, const Penetration& i) {
  Contact contact;
  contact.kind = ContactKind::vertex_face;
  contact.pair = {i.vertex, i.triangle};
  contact.id = contact_id(contact.kind, contact.pair);
  contact.vertices = {i.vertex, C.T(i)[0], C.T(i)[1], C.T(i)[2]};
  contact.weights = {1, -i.h[0], -i.h[1], -i.h[2]};
  contact.n = i.out;
  std::tie(contact.t1, contact.t2) = std::tuple_cat(tangents(i.out));
  contact.gap = -i.depth;
  contact.eps2 = gap_tolerance(C.part.model.surface, contact.vertices);
  return contact;
}

void correct_motion(Collisions& C) {  // (13)
  LocalPart& part = C.part;
  for (Index i = 0; i < static_cast<Index>(part.model.mesh.vertices.size()); ++i) {
    Vec3 shift = block(C.shift, i);
    if (part.model.guide_of_vertex[i] >= 0) shift -= held_part(part.model, part.s.guides, i) * shift;
    block(part.s.x1, i) += shift;
    block(part.s.moved, i) += shift;
  }
}

}  // namespace

void respond_as_published(LocalPart& part) {
  LocalScratch& s = part.s;
  std::vector<Contact>& contacts = part.state.contacts.contacts;
  contacts.clear();
  s.pushed.clear();
  if (!part.options.detect_collisions) return;
  if (!s.x1.allFinite()) return fail(part, StepStatus::breakdown, "the motion is not of finite numbers any more");
  Collisions C{part, s.penetrations};
  find_collisions(C);
  ++part.report.detection_rounds;
  part.report.t_detect += part.watch.lap();
  C.shift.setZero(s.x1.size());
  for (const Penetration& i : C.of) contacts.push_back(contact_of(C, i));
  for (std::size_t k = 0; k < contacts.size(); ++k)
    add_local_forces(C, C.of[k], contacts[k], s.pushed.emplace_back(Pushed{.id = contacts[k].id}));
  correct_motion(C);
  ++part.report.iterations;
  ++part.report.passes;
  part.report.t_solve += part.watch.lap();
}

double deepest_overlap(const Model& model, const VecX& x, DepthScratch& scratch) {
  find_inside(model, x, scratch.table, scratch.inside);
  return deepest(model, x, scratch.inside);
}

}  // namespace sim
