#include "local/passes.hpp"

#include <algorithm>
#include <cmath>

#include "collide/limits.hpp"
#include "collide/prescribed.hpp"
#include "collide/target_gap.hpp"
#include "local/response.hpp"
#include "math/number_text.hpp"
#include "model/crossing.hpp"
#include "model/names.hpp"

namespace sim {

namespace {

constexpr int passes_a_check = 8;  // of gaps that do not open: their planes may be wrong, the continuous test is not
constexpr double still_sticks = 1 - 1e-9;  // of Coulomb's bound

bool collides(const LocalPart& part) {
  return part.options.detect_collisions || !part.model.surface.limits.empty();
}

// `pushed` beside the contacts again.
void align(LocalPart& part) {
  LocalScratch& s = part.s;
  s.realigned.clear();
  auto known = s.pushed.begin();
  for (const Contact& contact : part.state.contacts.contacts) {
    while (known != s.pushed.end() && known->id < contact.id) ++known;
    if (known != s.pushed.end() && known->id == contact.id) {
      s.realigned.push_back(*known);
    } else {
      s.realigned.push_back({.id = contact.id});
    }
  }
  std::swap(s.pushed, s.realigned);
}

void begin(LocalPart& part) {
  LocalScratch& s = part.s;
  ContactSet& set = part.state.contacts;
  begin_step(part.model.surface, set, part.state.x);
  for (Contact& contact : set.contacts)
    contact.target_gap = target_gap_of(contact, highest_target_gap, closing_speed * part.dt);
  s.pushed.clear();
  align(part);
  const std::size_t vertices = part.model.mesh.vertices.size();
  s.known_free.assign(vertices, 0);
  s.weight.assign(vertices, 0.0);
  s.shift.setZero(part.state.x.size());
  s.moved_before.setZero(part.state.x.size());
  s.in_play.clear();
  s.is_in_play.assign(vertices, 0);
  restart(part);
}

// What has left its reach is looked up first.
void widen(LocalPart& part) {
  LocalScratch& s = part.s;
  const CollisionSurface& surface = part.model.surface;
  find_escaped(surface, s.x1, s.detection, s.escaped);
  if (s.escaped.empty()) return;
  for (const Index vertex : s.escaped) s.known_free[vertex] = 0;
  look_up_again(surface, s.escaped, part.state.x, s.x1, part.options.detection, s.detection, s.candidates, s.added);
  if (s.added.size() > 0) std::fill(s.known_free.begin(), s.known_free.end(), std::uint8_t{0});
  ++part.report.detection_rounds;
  find_escaped(surface, s.x1, s.detection, s.escaped);
  if (s.escaped.empty()) return;
  fail(part, StepStatus::breakdown,
       "the motion takes vertices of " + object_text(part.model, surface.vertex_object[s.escaped.front()]) +
           " to places that are not finite numbers");
}

void look_for_collisions(LocalPart& part) {
  LocalScratch& s = part.s;
  s.hits.clear();
  if (part.options.detect_collisions) {
    widen(part);
    if (part.failed()) return;
    check_candidates(part.model.surface, s.candidates, part.state.x, s.x1, part.options.detection, s.check, s.hits,
                     s.known_free);
    part.report.candidates = s.candidates.size();
  }
  // Those that pushed in the part before, too: no solution sees to them here.
  find_passed_limits(part.model.surface, ContactSet{}, s.x1, s.hits);
  std::fill(s.known_free.begin(), s.known_free.end(), std::uint8_t{1});
  for (const Hit& hit : s.hits) {
    for (const Index vertex : stencil(part.model.surface, hit.kind, hit.pair)) s.known_free[vertex] = 0;
  }
  part.report.t_detect += part.watch.lap();
}

// No pass can answer where what is held is in the way of what is driven.
void fail_where_prescribed_motion_crosses(LocalPart& part) {
  if (!part.options.detect_collisions) return;
  const std::optional<Hit> hit =
      find_prescribed_crossing(part.model.surface, part.state.x, part.s.x1, part.options.detection, part.s.detection);
  if (hit) fail(part, StepStatus::breakdown, leads_through_text(part.model, *hit, part.state.x));
}

void take_up_hits(LocalPart& part) {
  LocalScratch& s = part.s;
  ContactSet& set = part.state.contacts;
  const CollisionSurface& surface = part.model.surface;
  const auto more = [&](const Contact& c) { return farther_off(c, part.state.x, s.x1, closing_speed * part.dt); };
  keep_off(surface, s.hits, more, part.state.x, s.x1, set, Violated::too);
  if (add_contacts(surface, s.hits, part.state.x, s.x1, set) > 0) align(part);
  for (Contact& contact : set.contacts) {
    if (contact.target_gap == 0) contact.target_gap = target_gap_of(contact, new_target_gap, closing_speed * part.dt);
  }
  part.report.t_solve += part.watch.lap();
}

}  // namespace

void detect(const Model& model, const Options& options, const State& state, LocalScratch& s, StepReport& report) {
  if (!options.detect_collisions) return;
  Stopwatch watch;
  find_holds(model, state.time, s.guides);
  s.prescribed.resize(state.v.size());
  prescribed_velocities(model, state, options.dt, s.guides, s.prescribed);
  s.flight = state.v;
  go_as_prescribed(model, s.guides, s.prescribed, s.flight);
  follow(model.embedding, s.flight);
  find_candidates(model.surface, {state.x, s.flight, options.dt}, options.detection, s.detection, s.candidates);
  ++report.detection_rounds;
  report.t_detect += watch.lap();
}

bool respond(LocalPart& part) {
  if (!collides(part)) return true;
  begin(part);
  push_as_before(part);
  Index passes = 0;
  for (bool is_violated = is_any_due(part);; is_violated = true) {
    for (int k = 0; k < passes_a_check && (is_violated || is_any_pushed_off(part)); ++k) {
      if (passes == part.options.local.passes) {
        if (is_violated) return false;
        break;
      }
      push(part);
      ++passes;
      ++part.report.iterations;
      ++part.report.passes;
      is_violated = is_any_violated(part);
    }
    part.report.t_solve += part.watch.lap();
    look_for_collisions(part);
    if (part.failed()) return false;
    if (part.s.hits.empty()) {
      fail_where_prescribed_motion_crosses(part);
      return !part.failed();
    }
    take_up_hits(part);
    restart(part);
  }
}

std::string out_of_passes(const LocalPart& part) {
  const Model& model = part.model;
  std::string what = "contacts still collide", why = "something is squeezed that cannot give way, or";
  if (!part.s.hits.empty()) {
    const Hit& hit = part.s.hits.front();
    const std::array<Index, 4> vertices = stencil(model.surface, hit.kind, hit.pair);
    const auto name = [&](Index vertex) { return object_text(model, model.surface.vertex_object[vertex]); };
    const std::string place = " at " + place_text(block(part.s.x1, vertices[0]));
    what = name(vertices[0]) + " and " + name(vertices[3]) + place + " still collide";
    if (hit.kind == ContactKind::limit) {
      what = "a strain limit of " + name(vertices[0]) + place + " is still passed";
      why = "along chains and sheets with limits more passes may be enough, or";
    }
  }
  return what + " after " + std::to_string(part.options.local.passes) +
         " passes (local.passes) in the shortest part of the step, " + number_text(part.dt, 3) + " s: " + why +
         " forces are too large for a method of local answers; the other methods solve for all contacts and limits "
         "at once (--solver auto)";
}

void note_forces(LocalPart& part) {
  if (!collides(part)) return;
  if (!part.options.contact.as_published) note_moved(part);
  const double per_square = 1 / (part.dt * part.dt);
  std::vector<Contact>& contacts = part.state.contacts.contacts;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    Contact& contact = contacts[i];
    const Answer& pushed = part.s.pushed[i].now;
    const Vec3 way = separation_vector(contact, part.s.x1) - separation_vector(contact, part.s.start.x);
    const double mu = is_limit(contact)
                          ? 0
                          : part.model.friction_of(part.model.surface.vertex_object[contact.vertices[0]],
                                                   part.model.surface.vertex_object[contact.vertices[3]]);
    const double friction = std::hypot(pushed.tangential[0], pushed.tangential[1]);
    contact.lambda = per_square * pushed.normal;
    contact.friction = {-per_square * pushed.tangential[0], -per_square * pushed.tangential[1]};
    contact.gamma = contact.friction;
    contact.delta = {};
    contact.slip = {contact.t1.dot(way) + contact.drift[0], contact.t2.dot(way) + contact.drift[1]};
    const bool sticks = friction < still_sticks * mu * pushed.normal;
    contact.state = pushed.normal == 0 ? FrictionState::open
                    : sticks           ? FrictionState::sticking
                                       : FrictionState::sliding;
    contact.slides = contact.state == FrictionState::sliding;
  }
}

void keep_contacts(LocalPart& part) {
  if (!collides(part)) return;
  ContactSet& set = part.state.contacts;
  if (part.options.contact.as_published) {  // each part finds its own
    set.contacts.clear();
    return;
  }
  update_contacts(part.model.surface, part.s.start.x, part.s.x1, part.options.contact.tracking, set);
  const bool hold = part.options.contact.hold_position;
  for (Contact& contact : set.contacts) {
    const bool sticks = contact.state == FrictionState::sticking;
    contact.drift = hold && sticks ? contact.slip : std::array<double, 2>{};
  }
  remove_contacts(set, [&](const Contact& c) {
    const bool is_open = c.state == FrictionState::open && c.gap > c.eps2;
    return is_open || (!is_limit(c) && has_left(c, part.s.x1, part.options.contact.tracking));
  });
  part.report.t_relinearize += part.watch.lap();
}

}  // namespace sim
