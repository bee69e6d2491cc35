#include "collide/contact_set.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "collide/limits.hpp"
#include "collide/normal_cone.hpp"
#include "collide/similarity.hpp"
#include "collide/target_gap.hpp"
#include "math/parallel.hpp"

namespace sim {

namespace {

constexpr Index contacts_a_chunk = 32;
constexpr double main_weight = 0.25;
constexpr double near_end = 0.95;  // weight

bool by_id(const Contact& a, const Contact& b) {
  return a.id < b.id;
}

// Faces, the insides of edges, their ends.
int rank(const Contact& c) {
  if (c.kind == ContactKind::vertex_face) return 0;
  return std::any_of(c.weights.begin(), c.weights.end(), [](double w) { return std::abs(w) > near_end; }) ? 2 : 1;
}

// What a vertex meets after its first collision it meets from the wrong side, or would not meet at all: a contact
// stays where it is the first for one of the vertices that it mainly consists of.
// A rigid body has even pressure only of contacts that are there: of its faces none is late that follows by less than
// the least distance of two surfaces.
void remove_late(const CollisionSurface& surface, const VecX& x0, const VecX& x1, std::vector<Contact>& found) {
  std::vector<std::pair<Index, double>> first;  // vertex, time
  const auto for_main = [](const Contact& c, const auto& body) {
    for (int k = 0; k < 4; ++k) {
      if (std::abs(c.weights[k]) >= main_weight) body(c.vertices[k]);
    }
  };
  for (const Contact& c : found) for_main(c, [&](Index v) { first.emplace_back(v, c.time); });
  std::sort(first.begin(), first.end());
  first.erase(
      std::unique(first.begin(), first.end(), [](const auto& a, const auto& b) { return a.first == b.first; }),
      first.end());
  std::erase_if(found, [&](const Contact& c) {
    bool is_first = false;
    const bool is_face = c.kind == ContactKind::vertex_face && is_of_rigid(surface, c.vertices);
    const double way = is_face ? std::max(0.0, gap(c, x0) - gap(c, x1)) : 0;
    for_main(c, [&](Index v) {
      const double before = c.time - std::lower_bound(first.begin(), first.end(), std::pair(v, 0.0))->second;
      is_first |= is_face ? !(before * way > least_distance * c.eps2) : before == 0;
    });
    return !is_first;
  });
}

// A contact at the place of its collision; none where its two sides come out through each other there, which is seen
// from inside, or where there is no inside from the other side: it would pull them together, against those that keep
// them apart.
std::optional<Contact> at_collision(const CollisionSurface& surface, const Contact& contact, const Hit& hit,
                                    const VecX& x0, const VecX& x1) {
  const Contact there = make_contact(surface, hit, x0, x1);
  if (there.n.dot(contact.n) < 0) return {};
  if (is_met_from_inside(surface, there.kind, there.vertices, there.weights,
                         places_at(surface, there.vertices, x0, x1, hit.time), there.n))
    return {};
  return there;
}

using Objects = std::array<Index, 2>;

bool is_self(const CollisionSurface& surface, const Contact& c) {
  return surface.vertex_object[c.vertices[0]] == surface.vertex_object[c.vertices[3]];
}

// Those that are met from behind are not looked at as long as others between the same two objects are not: these keep
// the bodies from going into each other, which is how the first came about. Of what is inside of a container all are.
// `known`: those that have contacts already.
void remove_met_behind_others(const CollisionSurface& surface, const VecX& x0, const VecX& x1,
                              std::span<const Hit> known, std::vector<Contact>& found) {
  const auto behind = [&](const Contact& c) {
    const Places impact = places_at(surface, c.vertices, x0, x1, c.time);
    if (is_met_from_inside(surface, c.kind, c.vertices, c.weights, impact, c.n)) return true;
    return c.thickness == 0 && !is_self(surface, c) &&
           is_met_from_behind(surface, c.kind, c.vertices, c.weights, impact, c.n);
  };
  const auto end = std::stable_partition(found.begin(), found.end(), [&](const Contact& c) { return !behind(c); });
  if (end == found.end()) return;
  std::vector<Objects> others;
  for (auto c = found.begin(); c != end; ++c) others.push_back(objects_of(surface, c->vertices));
  for (const Hit& hit : known) {
    const Contact c = make_contact(surface, hit, x0, x1);
    if (!behind(c)) others.push_back(objects_of(surface, c.vertices));
  }
  std::sort(others.begin(), others.end());
  found.erase(std::remove_if(end, found.end(),
                             [&](const Contact& c) {
                               return std::binary_search(others.begin(), others.end(),
                                                         objects_of(surface, c.vertices));
                             }),
              found.end());
}

// A vertex that lies on a body, over its rim, goes into it on a trial way and out of its side. The contact on which
// it lies keeps it out: that of the side would hold it from inside. In a container all are held so, and none from
// outside.
void remove_behind_faces(const CollisionSurface& surface, const VecX& x0, const VecX& x1,
                         std::span<const Contact> contacts, std::vector<Contact>& found) {
  const auto is_behind = [&](const Contact& c) {
    return c.kind == ContactKind::vertex_face && !is_self(surface, c) &&
           is_behind_face(surface, c.vertices, places_at(surface, c.vertices, x0, x1, c.time), c.n);
  };
  if (std::none_of(found.begin(), found.end(), is_behind)) return;
  std::vector<std::pair<Index, Index>> outside;  // vertices, and the objects on which they lie
  const auto of = [&](const Contact& c) { return std::pair(c.vertices[0], surface.vertex_object[c.vertices[3]]); };
  for (const std::span<const Contact> all : {contacts, std::span<const Contact>(found)}) {
    for (const Contact& c : all) {
      if (c.kind == ContactKind::vertex_face && !is_behind(c)) outside.push_back(of(c));
    }
  }
  std::sort(outside.begin(), outside.end());
  std::erase_if(found, [&](const Contact& c) {
    return is_behind(c) && std::binary_search(outside.begin(), outside.end(), of(c));
  });
}

bool stays_of_two(const Contact& a, const Contact& b) {
  if (a.lambda != b.lambda) return a.lambda > b.lambda;
  if (a.age != b.age) return a.age > b.age;
  return a.slid_from < b.slid_from;
}

// The contacts that were taken. One is known where it is there, or another one that says the same: they have a vertex
// that moves in common, so those of its vertices are asked only. They stay few, however many contacts there are: no
// two of them say the same.
struct Taken {
  const CollisionSurface& surface;
  std::span<const Contact> contacts;
  std::unordered_map<Index, std::vector<std::size_t>> of_vertex;
  std::unordered_set<ContactId> ids;

  bool knows(const Contact& contact) const {
    if (ids.count(contact.id) > 0) return true;
    return std::any_of(contact.vertices.begin(), contact.vertices.end(), [&](Index v) {
      const auto list = of_vertex.find(v);
      return list != of_vertex.end() && std::any_of(list->second.begin(), list->second.end(), [&](std::size_t other) {
               return say_the_same(surface, contacts[other], contact);
             });
    });
  }

  void add(std::size_t place) {
    ids.insert(contacts[place].id);
    for (const Index v : contacts[place].vertices) {
      if (surface.vertex_moves[v] != 0) of_vertex[v].push_back(place);
    }
  }
};

// Sorts, and of contacts with the same id keeps one; returns how many went.
Index restore_order(std::vector<Contact>& contacts) {
  std::sort(contacts.begin(), contacts.end(),
            [](const Contact& a, const Contact& b) { return a.id != b.id ? a.id < b.id : stays_of_two(a, b); });
  const auto end =
      std::unique(contacts.begin(), contacts.end(), [](const Contact& a, const Contact& b) { return a.id == b.id; });
  const auto gone = static_cast<Index>(contacts.end() - end);
  contacts.erase(end, contacts.end());
  return gone;
}

struct Followed {
  Contact next;  // where it goes
  Slide outcome = Slide::stays;
  Turn turn;
};

// Where its normal turns back, a contact has moved its points too far, or those of its neighbours; between two nearly
// parallel edges to and fro for ever. With the turn d of the last round, by a share w of what there was to turn by,
// and the turn r that there is now, the secant method turns on by 1 / (1 / w - r . d / d . d) of it.
Turn relinearise_by_share(const CollisionSurface& surface, Contact& contact, const VecX& x,
                          const TrackingOptions& options) {
  const Contact before = contact;
  Turn turn = relinearise(surface, contact, x, options);
  const Vec3 last = before.turn;
  const double slope = last.isZero(0) ? 0 : -before.n.cross(contact.n).dot(last) / last.squaredNorm();
  const double share = 1 / std::max(1.0, 1 / before.share_of_turn + slope);
  if (share < 1) {
    contact = before;
    turn = relinearise(surface, contact, x, options, share);
  }
  const bool is_small = turn.done <= options.small_turn;
  contact.turn = is_small ? Vec3(Vec3::Zero()) : Vec3(before.n.cross(contact.n));
  contact.share_of_turn = is_small ? 1 : share;
  return turn;
}

// A contact at x, by itself.
Followed follow(const CollisionSurface& surface, const Contact& contact, const VecX& x,
                const TrackingOptions& options) {
  Followed result{contact, Slide::stays, {}};
  auto& [next, outcome, turn] = result;
  const bool may_slide = !contact.frozen && contact.slid_from == no_contact && !is_limit(contact);
  if (may_slide) outcome = slide(surface, next, x, options);
  if (outcome == Slide::moved) {
    turn.done = angle_between(contact.n, next.n);  // it has turned as far as it may
  } else if (outcome == Slide::stays && !contact.frozen) {
    turn = is_limit(contact) ? relinearise_limit(next, x) : relinearise_by_share(surface, next, x, options);
    next.turns += turn.done + turn.left > options.small_turn ? 1 : 0;
    next.frozen = next.turns > options.most_turns && !is_limit(next);
  }
  if (next.frozen) turn = {};
  return result;
}

// Whether the plane of a contact at x was not violated at x0 by more than what slides along a surface that turns with
// its normal: where the point goes by d and the normal turns by a, a plane of the end is up to d sin a above its
// start, of what is round d a / 2. A pair that far apart has left its contact, beyond some gaps.
bool was_passed_on_its_way(const Contact& before, const Contact& next, const VecX& x0, const VecX& x,
                           const TrackingOptions& options) {
  const double start = gap(next, x0);
  if (start > 0 || start >= gap(before, x0)) return true;
  Vec3 way = Vec3::Zero();
  for (std::size_t k = 0; k < 4; ++k)
    way += next.weights[k] * (block(x, next.vertices[k]) - block(x0, next.vertices[k]));
  return start >= -std::min(next.n.cross(before.n).norm() * way.norm(), options.farthest * next.eps2);
}

}  // namespace

const Contact* find(const ContactSet& set, ContactId id) {
  const auto place = std::lower_bound(set.contacts.begin(), set.contacts.end(), id,
                                      [](const Contact& c, ContactId wanted) { return c.id < wanted; });
  return place != set.contacts.end() && place->id == id ? &*place : nullptr;
}

Contact* find(ContactSet& set, ContactId id) {
  return const_cast<Contact*>(find(static_cast<const ContactSet&>(set), id));
}

void merge(std::span<const Contact> some, std::vector<Contact>& contacts) {
  const auto middle = static_cast<std::ptrdiff_t>(contacts.size());
  contacts.insert(contacts.end(), some.begin(), some.end());
  std::inplace_merge(contacts.begin(), contacts.begin() + middle, contacts.end(), by_id);
}

void begin_step(const CollisionSurface& surface, ContactSet& set, const VecX& x0) {
  for (Contact& contact : set.contacts) {
    take_scales(surface, contact);
    contact.gap = gap(contact, x0);
    contact.c_t = {};
    contact.time = 0;
    contact.slid_from = no_contact;
    contact.turns = 0;
    contact.turn.setZero();
    contact.share_of_turn = 1;
    contact.raised = 0;
    contact.frozen = false;
    ++contact.age;
  }
  set.left.clear();
}

Index add_contacts(const CollisionSurface& surface, std::span<const Hit> hits, const VecX& x0, const VecX& x1,
                   ContactSet& set) {
  std::vector<Contact> found, limits;
  std::vector<Hit> known;
  for (const Hit& hit : hits) {
    const bool is_new = find(set, contact_id(hit.kind, hit.pair)) == nullptr;
    if (hit.kind == ContactKind::limit) {
      if (is_new) limits.push_back(make_limit(surface, hit.pair, x0, x1));
    } else if (is_new) {
      found.push_back(make_contact(surface, hit, x0, x1));
    } else {
      known.push_back(hit);
    }
  }
  remove_met_behind_others(surface, x0, x1, known, found);
  remove_behind_faces(surface, x0, x1, set.contacts, found);
  remove_late(surface, x0, x1, found);
  std::sort(found.begin(), found.end(), [](const Contact& a, const Contact& b) {
    return std::tuple(rank(a), a.time, a.id) < std::tuple(rank(b), b.time, b.id);
  });
  std::vector<ContactId> left = set.left;
  std::sort(left.begin(), left.end());
  Taken taken{surface, found, {}, {}};
  std::size_t kept = 0;
  for (const Contact& contact : found) {
    if (taken.knows(contact)) continue;
    found[kept] = contact;
    found[kept].frozen = std::binary_search(left.begin(), left.end(), contact.id);
    taken.add(kept++);
  }
  found.resize(kept);
  std::sort(found.begin(), found.end(), by_id);
  merge(found, set.contacts);
  std::sort(limits.begin(), limits.end(), by_id);
  merge(limits, set.contacts);
  return static_cast<Index>(kept + limits.size());
}

Index keep_off(const CollisionSurface& surface, std::span<const Hit> hits,
               const std::function<double(const Contact&)>& more, const VecX& x0, const VecX& x1, ContactSet& set,
               Violated violated, Index moves_at) {
  Index count = 0;
  for (const Hit& hit : hits) {
    Contact* contact = find(set, contact_id(hit.kind, hit.pair));
    if (contact == nullptr || hit.kind == ContactKind::limit) continue;
    const bool is_violated = contact->gap <= 0 && contact->target_gap > 0;
    if (is_violated && violated == Violated::no) continue;
    ++count;
    const bool raises_target_gap = ++contact->raised != moves_at;
    const auto there = contact->raised < moves_at ? std::nullopt : at_collision(surface, *contact, hit, x0, x1);
    if (there) {
      contact->weights = there->weights;
      turn_frame(*contact, there->n);
      contact->gap = gap(*contact, x1);
      contact->frozen = true;
    }
    if (raises_target_gap || !there)
      contact->target_gap = std::max(contact->target_gap, contact->gap) + more(*contact);
  }
  return count;
}

TrackingReport update_contacts(const CollisionSurface& surface, const VecX& x0, const VecX& x,
                               const TrackingOptions& options, ContactSet& set) {
  TrackingReport report;
  std::vector<Followed> followed(set.contacts.size());
  parallel_for(static_cast<Index>(followed.size()), contacts_a_chunk, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) followed[i] = follow(surface, set.contacts[i], x, options);
  });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < followed.size(); ++i) {
    Contact& contact = set.contacts[i];
    auto& [next, outcome, turn] = followed[i];
    const bool pushes = contact.state != FrictionState::open;
    if (outcome != Slide::stays) set.left.push_back(contact.id);
    if (outcome == Slide::gone) {
      report.lost += pushes ? 1 : 0;
      if (pushes) report.restless.push_back(contact.vertices);
      continue;
    }
    if (!contact.frozen && was_passed_on_its_way(contact, next, x0, x, options)) {
      report.moved += outcome == Slide::moved ? 1 : 0;
      contact = next;
    } else {
      contact.gap = gap(contact, x);
      turn = {};
    }
    if (pushes && !contact.frozen && !is_limit(contact) && has_left(contact, x, options)) {
      set.left.push_back(contact.id);
      report.restless.push_back(contact.vertices);
      ++report.lost;
      continue;
    }
    if (pushes) {
      const bool misses = !may_have_gap(contact, options);
      report.unsettled += misses ? 1 : 0;
      report.pushing_turn = std::max(report.pushing_turn, turn.done);
      report.pushing_turn_left = std::max(report.pushing_turn_left, turn.left);
      if (misses || turn.done + turn.left > options.small_turn) report.restless.push_back(contact.vertices);
    }
    set.contacts[kept++] = contact;
  }
  report.removed = static_cast<Index>(set.contacts.size() - kept);
  set.contacts.resize(kept);
  if (report.moved > 0) report.merged = restore_order(set.contacts);
  return report;
}

}  // namespace sim
