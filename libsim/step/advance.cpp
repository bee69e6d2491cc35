#include "step/advance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "collide/limits.hpp"
#include "collide/prescribed.hpp"
#include "collide/proximity.hpp"
#include "elasticity/volumes.hpp"
#include "math/number_text.hpp"
#include "math/parallel.hpp"
#include "math/stopwatch.hpp"
#include "model/contact_counts.hpp"
#include "model/crossing.hpp"
#include "step/curved_ways.hpp"
#include "step/growth.hpp"
#include "step/islands.hpp"
#include "step/lead_back.hpp"
#include "step/likely_reason.hpp"

namespace sim {

namespace {

TargetGapRule target_gap_rule(const Part& part) {
  return {part.model.surface,        part.options.contact, push(part), part.s.start_motion, part.dt,
          part.s.inertia.is_static()};
}

// A and b of the step, and the free flight of the unknowns as a first guess of their velocities. False where vertices
// are prescribed to go to where there is nothing.
bool integrate(Part& part) {
  const Model& model = part.model;
  Scratch& s = part.s;
  if (s.problem.A.rows() != model.plan.pattern.rows() || s.prescribed.size() != part.state.v.size()) {
    s.problem.A = model.plan.pattern;
    find_bodies(s.problem.A, s.groups);
    body_masses(model, s.groups.bodies, s.body_mass);
    s.problem.body = s.groups.bodies.of_row;
    prepare(model, s.groups.bodies, s.settling);
    prepare(model, s.groups.bodies, s.turning);
    s.guides = {};
    s.problem.b.resize(3 * Eigen::Index{s.problem.A.rows()});
    s.solution.v.resize(s.problem.b.size());
    s.prescribed.setZero(part.state.v.size());
  }
  if (find_holds(model, part.state.time, s.guides))
    find_free(model, s.groups.bodies, s.settling.object_of_body, s.guides, s.turning);
  prescribed_velocities(model, part.state, part.dt, s.guides, s.prescribed);
  if (const Index object = first_non_finite(model, s.prescribed); object >= 0) {
    give_up(part, StepStatus::breakdown, goes_to_non_finite(model, object));
    return false;
  }
  begin(model, part.state, part.options.time, part.dt, s.inertia);
  begin(part, s.newton);
  weigh_loads(part);
  if (!make_system(part, s.solution.v)) return false;
  s.flight = s.solution.v;
  forget(s.problem.A, s.groups);
  begin(s.division, s.settling);
  s.geometric.terms.clear();
  std::fill(s.units.momentum.begin(), s.units.momentum.end(), 0.0);
  s.problem.version = s.groups.version;
  s.problem.mobility = s.groups.mobility;
  inverse_diagonal(s.problem, s.inverse_diagonal);
  part.report.t_integrate += part.watch.lap();
  return true;
}

// Velocities of all vertices: those prescribed or known, and the unknowns as they stand; of rigid ones along the
// chords of their arcs.
void spread(Part& part) {
  Scratch& s = part.s;
  s.motion = s.start_motion;
  for (Index row = 0; row < elastic_rows(part); ++row) {
    if (!is_solved(part, s.groups.bodies.of_row[row])) continue;
    const Index vertex = part.model.plan.vertex_of_block[row];
    block(s.motion, vertex) = block(s.solution.v, row);
    if (part.model.guide_of_vertex[vertex] >= 0) block(s.motion, vertex) += block(s.prescribed, vertex);
  }
  stop_divided(part.model.surface, s.division, s.motion);
  follow(part.model.embedding, s.motion);
  s.x1 = part.state.x + part.dt * s.motion;
  follow(part.model.embedding, s.x1);
  move(rigid_blocks(part), part.state.rigid, s.solution.v, s.rigid);
  for (std::size_t i = 0; i < s.rigid.size(); ++i) {
    const RigidBody& body = part.model.rigid[i];
    if (!is_solved(part, body)) continue;
    place(body, s.rigid[i].end, part.model.mesh.vertices, s.x1);
    for (Index vertex = body.vertices.begin; vertex < body.vertices.end; ++vertex)
      block(s.motion, vertex) = (block(s.x1, vertex) - block(part.state.x, vertex)) / part.dt;
  }
}

// Hits of divided objects are left to shorter parts, and with known ones they end this part.
void sort_hits(Part& part) {
  Division& division = part.s.division;
  const CollisionSurface& surface = part.model.surface;
  std::erase_if(part.s.hits, [&](const Hit& hit) {
    const std::array<Index, 4> vertices = stencil(surface, hit.kind, hit.pair);
    return has(division, surface, vertices, Share::divided) ||
           (part.unsettled && has(division, surface, vertices, Share::known));
  });
  for (const Hit& hit : part.s.hits) {
    const std::array<Index, 4> vertices = stencil(surface, hit.kind, hit.pair);
    if (!has(division, surface, vertices, Share::known)) continue;
    for (const Index vertex : vertices) {
      if (division.of(surface, vertex) == Share::known) division.met.push_back(surface.vertex_object[vertex]);
    }
  }
  std::erase_if(division.met, [&](Index object) { return division.moves[object] == 0; });
}

// No force can answer where what is held is in the way of what is driven.
void fail_where_prescribed_motion_crosses(Part& part) {
  const std::optional<Hit> hit =
      find_prescribed_crossing(part.model.surface, part.state.x, part.s.x1, part.options.detection, part.s.detection);
  if (hit) give_up(part, StepStatus::breakdown, leads_through_text(part.model, *hit, part.state.x));
}

// Hits at the start of the step, of what is near, become contacts.
void add_near(Part& part) {
  sort_hits(part);
  add_contacts(part.model.surface, part.s.hits, part.state.x, part.state.x, part.state.contacts);
}

// How much of a motion along its normal the vertices of one side of a contact are free for, by their weights.
double free_share(const Part& part, const Contact& contact, std::size_t begin, std::size_t end) {
  double free = 0, whole = 0;
  for (std::size_t k = begin; k < end; ++k) {
    const Index vertex = contact.vertices[k];
    const double square = contact.weights[k] * contact.weights[k];
    whole += square;
    if (part.model.surface.vertex_moves[vertex] == 0) continue;
    const bool is_guided = part.model.guide_of_vertex[vertex] >= 0;
    const Vec3 held = is_guided ? Vec3(held_part(part.model, part.s.guides, vertex) * contact.n) : Vec3(Vec3::Zero());
    free += square * (contact.n - held).squaredNorm();
  }
  return whole > 0 ? free / whole : 0;
}

// Held where it touches, on both sides: what holds it keeps it apart.
bool is_kept_apart(const Part& part, const Contact& contact) {
  const std::size_t second = first_of_second(contact.kind);
  return std::max(free_share(part, contact, 0, second), free_share(part, contact, second, 4)) < 0.5;
}

// What is nearer than what pushes is a contact, and keeps the gap that it is found with.
void add_nearer_than_pushing(Part& part) {
  if (part.options.contact.as_published || !part.options.detect_collisions) return;
  std::vector<Contact>& contacts = part.state.contacts.contacts;
  find_nearer_than_pushing(part.model.surface, contacts, part.s.candidates, part.state.x, part.s.hits);
  if (part.s.hits.empty()) return;
  add_near(part);
  std::erase_if(contacts, [&](const Contact& c) { return c.age == 0 && is_kept_apart(part, c); });
  keep_gaps_of_new_contacts(contacts);
}

// The pairs that may meet during the step, if it goes about as foreseen, and the contacts of before.
void detect(Part& part) {
  Scratch& s = part.s;
  begin_motion(part.state, s.division, part.model.surface, s.start_motion);
  go_as_prescribed(part.model, s.guides, s.prescribed, s.start_motion);
  follow(part.model.embedding, s.start_motion);
  if (!part.options.detect_collisions && part.model.surface.limits.empty()) return;
  if (part.options.detect_collisions) {
    spread(part);
    find_candidates(part.model.surface, {part.state.x, s.motion, part.dt}, part.options.detection, s.detection,
                    s.candidates);
    fail_where_prescribed_motion_crosses(part);
  }
  keep_solved(s.division, part.model.surface, part.state.contacts.contacts);
  begin_step(part.model.surface, part.state.contacts, part.state.x);
  find_transverse_stiffness(part, part.state.contacts.contacts);
  if (part.options.contact.proximity_set) {
    find_near(part.model.surface, s.candidates, part.state.x, s.hits);
    add_near(part);
  }
  set_target_gaps(target_gap_rule(part), part.state.contacts);
  add_nearer_than_pushing(part);
  // Contacts hold the bodies: last step's velocity is the better guess. Bodies apart begin with their free flight.
  for (Index row = 0; row < elastic_rows(part); ++row) {
    block(s.solution.v, row) = block(part.state.v, part.model.plan.vertex_of_block[row]);
  }
  keep_free(part.model, s.guides, s.solution.v);
  set_last_velocities(rigid_blocks(part), part.state.rigid, s.rigid, s.solution.v);
  ++part.report.detection_rounds;
  part.report.t_detect += part.watch.lap();
}

// Of what is solved for: known objects keep theirs at both ends of their motion.
void find_passed_limits(Part& part) {
  const CollisionSurface& surface = part.model.surface;
  find_passed_limits(surface, part.state.contacts, part.s.x1, part.s.hits);
  std::erase_if(part.s.hits, [&](const Hit& hit) {
    return hit.kind == ContactKind::limit &&
           part.s.division.of(surface, surface.limits[hit.pair.first].vertices[0]) != Share::solved;
  });
}

// Where the solved motion leads, and through which pairs. Those that were not foreseen are looked up first.
void look_for_collisions(Part& part) {
  Scratch& s = part.s;
  spread(part);
  s.hits.clear();
  if (!part.options.detect_collisions) return find_passed_limits(part);
  find_escaped(part.model.surface, s.x1, s.detection, s.escaped);
  if (!s.escaped.empty()) {
    look_up_again(part.model.surface, s.escaped, part.state.x, s.x1, part.options.detection, s.detection,
                  s.candidates, s.added);
    ++part.report.detection_rounds;
    find_escaped(part.model.surface, s.x1, s.detection, s.escaped);
  }
  if (!s.escaped.empty()) {
    std::vector<Index> objects;
    for (const Index vertex : s.escaped) objects.push_back(part.model.surface.vertex_object[vertex]);
    fail(part, objects, StepStatus::breakdown,
         "the motion takes vertices of \"" + part.model.objects[objects.front()].name +
             "\" to places that are not finite numbers");
    return look_for_collisions(part);  // of the others
  }
  part.report.candidates = s.candidates.size();
  check_candidates(part.model.surface, s.candidates, part.state.x, s.x1, part.options.detection, s.check, s.hits,
                   find_known_free(s.x1, s.settling));
  find_passed_limits(part);
  sort_hits(part);
  part.report.t_detect += part.watch.lap();
}

// No element has a way through zero volume: a step that leads one through is too long for its linearisation. As part
// of the shortest kind it is taken all the same, and told.
void fail_where_elements_turn_inside_out(Part& part) {
  if (part.shortest) return;
  std::vector<Index> turned = turned_inside_out(part.model.elastic, part.state.x, part.s.x1), objects;
  std::erase_if(turned, [&](Index tet) {
    return part.s.division.of(part.model.surface, part.model.elastic.tets[tet][0]) != Share::solved;
  });
  for (const Index tet : turned) objects.push_back(part.model.surface.vertex_object[part.model.elastic.tets[tet][0]]);
  if (!objects.empty()) fail(part, objects, StepStatus::breakdown, turned_elements(situation(part), turned));
}

// Of springs and membranes: what the solved motion strains them by and was not solved with.
void find_unseen(Part& part) {
  Scratch& s = part.s;
  s.unseen.resize(0);
  if (part.options.contact.as_published || s.inertia.newton()) return;
  const TurnInput step{part.model, s.groups.bodies,  s.elements, s.problem.A, part.state.x,
                       s.motion,   s.newton.impulse, part.dt,    s.guides};
  find_unseen(step, s.x1, s.turning, s.unseen);
}

// What has settled, but in a part that is too long for it; or told and kept, where what fails is accepted.
void leave_to_shorter(Part& part, std::span<const Index> objects, const std::string& reason) {
  if (part.options.contact.accept_unconverged) return tell(part.accepted, StepStatus::breakdown, reason);
  fail(part, objects, StepStatus::breakdown, reason);
  keep_solved(part.s.division, part.model.surface, part.state.contacts.contacts);
}

// A part that gives a sheet or a cable energy is too long for its linearisation, too.
void fail_where_energy_is_made(Part& part) {
  const Growth growth = find_growth(part);
  if (growth.objects.empty()) return;
  const std::string reason = "\"" + part.model.objects[growth.objects.front()].name + "\" would gain " +
                             number_text(growth.made, 3) +
                             " J from nothing: its elements become much stiffer on their way";
  leave_to_shorter(part, growth.objects, reason);
}

constexpr double largest_stale_part = 0.02;  // of all that pushes an object
constexpr double shortest_for_stale = 0.25;  // of a step

bool pushes(const Contact& contact) {
  return !is_limit(contact) && contact.lambda > 0;
}

std::vector<std::uint8_t> pushed_objects(const Part& part) {
  std::vector<std::uint8_t> pushed(part.model.objects.size(), 0);
  for (const Contact& contact : part.state.contacts.contacts) {
    if (!pushes(contact)) continue;
    for (const Index object : objects_of(part.model.surface, contact.vertices)) pushed[object] = 1;
  }
  return pushed;
}

// Objects that are solved for and pushed wrongly, by `wrong_part(contact)` of what these contacts push.
template <class Counts, class WrongPart>
std::vector<Index> pushed_wrongly(const Part& part, const Counts& counts, const WrongPart& wrong_part) {
  std::vector<double> all(part.model.objects.size(), 0.0), wrong = all;
  for (const Contact& contact : part.state.contacts.contacts) {
    if (!counts(contact)) continue;
    const double share = wrong_part(contact);
    for (const Index object : objects_of(part.model.surface, contact.vertices)) {
      all[object] += contact.lambda;
      wrong[object] += contact.lambda * share;
    }
  }
  const Division& division = part.s.division;
  std::vector<Index> objects;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool is_judged = division.moves[i] != 0 && division.share[i] == Share::solved;
    if (is_judged && wrong[i] > largest_stale_part * all[i]) objects.push_back(static_cast<Index>(i));
  }
  return objects;
}

std::string contacts_of(const Part& part, const std::vector<Index>& objects) {
  return "contacts of \"" + part.model.objects[objects.front()].name + "\" push ";
}

// What is thick goes round what it touches, and its normals with it. Where contacts that were held at normals of
// before push an object in a wrong direction, by a fiftieth of all that pushes it, the way is too long for them. In a
// quarter of a step it is not, but for impacts. What falls onto something within a quasi-static increment was not
// held by it: where it comes to lie the next one finds anew.
void fail_where_normals_are_stale(Part& part) {
  if (part.dt <= shortest_for_stale * part.options.dt) return;
  const CollisionSurface& surface = part.model.surface;
  const auto counts = [](const Contact& contact) { return pushes(contact) && contact.thickness > 0; };
  std::vector<Index> objects = pushed_wrongly(part, counts, [&](const Contact& contact) {
    Contact anew = contact;
    relinearise(surface, anew, part.s.x1, part.options.contact.tracking);
    return (anew.n - contact.n).norm();
  });
  if (part.s.inertia.is_static())
    std::erase_if(objects, [&](Index object) { return part.pushed_before[object] == 0; });
  if (objects.empty()) return;
  leave_to_shorter(
      part, objects,
      contacts_of(part, objects) + "along normals that have turned: what goes round something goes too far round it");
}

bool ends_the_step(const Part& part) {
  return part.state.time + 1.5 * part.dt > static_cast<double>(part.state.step + 1) * part.options.dt;
}

// The straight way of an increment goes through what the body goes round, and a contact at that place keeps it out.
// It is none of the balance at the end where its points have left it by then. On the way to that end short parts may
// have some, but none that reach farther than what they push is large.
void fail_where_contacts_have_left(Part& part) {
  if (!part.s.inertia.is_static()) return;
  const bool is_short = part.dt <= shortest_for_stale * part.options.dt;
  const bool goes_on = is_short && !ends_the_step(part);
  const auto size = [&](const Contact& contact) {
    double smaller = std::numeric_limits<double>::infinity();
    for (const Index object : objects_of(part.model.surface, contact.vertices)) {
      if (part.s.division.moves[object] != 0) smaller = std::min(smaller, 2 * part.s.inertia.size[object]);
    }
    return smaller;
  };
  std::vector<Index> objects = pushed_wrongly(part, pushes, [&](const Contact& contact) {
    if (!has_left(contact, part.s.x1, part.options.contact.tracking)) return 0.0;
    const double left = distance_from_objects(part.model.surface, contact, part.s.x1) - std::max(contact.gap, 0.0);
    if (left <= part.options.contact.tracking.farthest * contact.eps2) return 0.0;
    if (goes_on && left <= size(contact)) return 0.0;
    const double way = (separation_vector(contact, part.s.x1) - separation_vector(contact, part.state.x)).norm();
    return left < way ? left / way : 1.0;
  });
  if (is_short) std::erase_if(objects, [&](Index object) { return part.pushed_before[object] == 0; });
  if (objects.empty()) return;
  leave_to_shorter(
      part, objects,
      contacts_of(part, objects) + "over a gap: they are where it was held on its way, and it has left them");
}

constexpr double farthest_turn = 0.5;  // rad, of what contacts push

// A part knows where the points of a body end. Where it turns by more than that, they are not where contacts rubbed
// on it all the way: friction of a wheel was 0.67 of mu N at 2 rad, 0.22 at 3, and along its slip at 4.
void fail_where_rigid_bodies_turn_far(Part& part) {
  if (part.shortest || part.s.inertia.is_static()) return;
  const std::vector<std::uint8_t> pushed = pushed_objects(part);
  std::vector<Index> objects;
  for (std::size_t i = 0; i < part.model.rigid.size(); ++i) {
    const Index object = part.model.surface.vertex_object[part.model.rigid[i].vertices.begin];
    if (pushed[object] != 0 && part.s.division.share[object] == Share::solved &&
        part.s.rigid[i].turn.norm() > farthest_turn)
      objects.push_back(object);
  }
  if (objects.empty()) return;
  leave_to_shorter(part, objects,
                   contacts_of(part, objects) + "what turns by more than " + number_text(farthest_turn, 3) + " rad");
}

// What stands between the arc of what turns and its chord is hit, and chords go past it.
void fail_where_arcs_meet(Part& part) {
  if (part.shortest || !part.options.detect_collisions) return;
  std::vector<Index> objects;
  for (const Hit& hit : find_met_on_curves(part)) {
    for (const Index object : objects_of(part.model.surface, stencil(part.model.surface, hit.kind, hit.pair))) {
      if (part.s.division.moves[object] != 0 && part.s.division.share[object] == Share::solved)
        objects.push_back(object);
    }
  }
  if (objects.empty()) return;
  const Hit& first = part.s.curves.met.front();
  const auto [a, b] = objects_of(part.model.surface, stencil(part.model.surface, first.kind, first.pair));
  leave_to_shorter(part, objects,
                   "\"" + part.model.objects[a].name + "\" and \"" + part.model.objects[b].name +
                       "\" meet on an arc, beside the straight way to its end");
}

// The triangle of a half-space is its plane within its inradius only, which is 10,000 times the scene. Motion is
// straight: what begins and ends there has been there all the time.
void fail_where_half_spaces_end(Part& part) {
  const CollisionSurface& surface = part.model.surface;
  for (const Index plane : surface.half_spaces) {
    const Index first = part.model.objects[plane].vertices.begin;
    const Vec3 a = block(part.s.x1, first), b = block(part.s.x1, first + 1), c = block(part.s.x1, first + 2);
    const Vec3 middle = (a + b + c) / 3;
    const double farthest = 0.5 * (0.5 * (a + b) - middle).norm();
    std::vector<Index> objects;
    for (const Index v : surface.vertices) {
      if (surface.vertex_moves[v] != 0 && !((block(part.s.x1, v) - middle).norm() <= farthest))
        objects.push_back(surface.vertex_object[v]);
    }
    if (objects.empty()) continue;
    const std::string name = object_text(part.model, objects.front());
    fail(part, objects, StepStatus::breakdown,
         name + " is farther than " + number_text(farthest, 3) + " m from the middle of the half-space \"" +
             part.model.objects[plane].name + "\", farther than its plane is computed");
  }
}

// What collides is initialised and activated (Verschoor & Jalba 2019, section 5.2), its friction kinetic.
void activate(std::span<const Hit> hits, ContactSet& contacts) {
  for (const Hit& hit : hits) {
    Contact* contact = find(contacts, contact_id(hit.kind, hit.pair));
    if (contact == nullptr || contact->state != FrictionState::open) continue;
    contact->state = FrictionState::sliding;
    contact->delta = {};
  }
}

// Something collides that is no contact yet.
bool meets_anew(std::span<const Hit> hits, const ContactSet& contacts) {
  return std::ranges::any_of(
      hits, [&](const Hit& hit) { return find(contacts, contact_id(hit.kind, hit.pair)) == nullptr; });
}

// Whether contacts are linearised anew before the next solve.
bool are_linearised_anew(const Part& part) {
  const Rounds rounds = part.options.contact.rounds;
  if (rounds == Rounds::verschoor_jalba) return !meets_anew(part.s.hits, part.state.contacts);
  return rounds == Rounds::program;
}

// New contacts where the motion collides, and those of islands that are not settled as they are at its end, but of
// what is led back as they were. True where that changes a problem: it must be solved again.
bool relinearise(Part& part) {
  Scratch& s = part.s;
  const ContactOptions& options = part.options.contact;
  ContactSet& contacts = part.state.contacts;
  s.solving = contacts.contacts;
  if (options.rounds == Rounds::verschoor_jalba) {
    std::erase_if(contacts.contacts, [](const Contact& c) { return c.state == FrictionState::open; });
  }
  const TargetGapRule rule = target_gap_rule(part);
  keep_solved(s.division, part.model.surface, contacts.contacts);
  s.updated.left = std::move(contacts.left);
  s.updated.contacts.clear();
  std::vector<Contact> waiting;  // of what is led back: as they are
  for (const Contact& contact : contacts.contacts) {
    if (!is_restless(s.settling, contact.vertices)) continue;
    (is_led_back(part, contact.vertices) ? waiting : s.updated.contacts).push_back(contact);
  }
  part.kept = {};
  if (part.unsettled) {
    for (const Contact& contact : s.updated.contacts) part.kept.restless.push_back(contact.vertices);
  } else if (are_linearised_anew(part)) {
    part.kept = update_contacts(part.model.surface, part.state.x, s.x1, options.tracking, s.updated);
    bound_target_gaps(rule, part.state.x, s.updated);
    find_stale_limits(part, part.kept.restless);
    find_transverse_stiffness(part, s.updated.contacts);
  } else {
    for (Contact& contact : s.updated.contacts) contact.gap = gap(contact, s.x1);
  }
  contacts.left = std::move(s.updated.left);
  merge(waiting, s.updated.contacts);
  const bool again = settle(part.model.surface, s.hits, part.kept.restless, s.newton.unbalanced, s.groups, s.settling,
                            s.updated.contacts, contacts.contacts);
  if (!part.unsettled) keep_off(part.model.surface, hits_of_ways(part), rule, part.state.x, s.x1, contacts);
  add_contacts(part.model.surface, s.hits, part.state.x, s.x1, contacts);
  if (options.as_published) activate(s.hits, contacts);
  set_target_gap_of_new_contacts(rule, contacts);
  if (part.state.time == 0) leave_play(rule, part.state.x, contacts);
  part.report.t_relinearize += part.watch.lap();
  return again;
}

// Of one linearisation only where there are contacts: the other solve is exact but for its tolerance.
void keep_what_is_left_over(Part& part) {
  part.state.left_over.setZero();
  VecX& missing = part.s.missing;
  missing.setZero(part.s.problem.b.size());
  const Inertia& inertia = part.s.inertia;
  if (!has_contacts(part) && !inertia.newton()) return;
  const bool with_rows = part.s.problem.L.rows() > 0;  // also of contacts that have been left to shorter parts
  momentum_residual(part.s.problem, part.s.solution.v, with_rows ? part.s.forces : VecX(), missing);
  const auto forget_rows = [&](Index body) {
    for (const Index row : part.s.groups.bodies.rows_of(body)) block(missing, row).setZero();
  };
  if (!inertia.newton()) {  // what is exact but for its tolerance
    for (const Index body : part.s.groups.apart) forget_rows(body);
  }
  for (Index body = 0; body < part.s.groups.bodies.count(); ++body) {
    if (!is_solved(part, body)) forget_rows(body);
  }
  part.report.residual = std::max(part.report.residual, norm(missing));
  // Equilibrium owes nothing to the step before, and the papers know of nothing that is left over.
  if (inertia.is_static() || part.options.contact.as_published) return;
  for (Index row = 0; row < elastic_rows(part); ++row) {
    block(part.state.left_over, part.model.plan.vertex_of_block[row]) = block(missing, row);
  }
  set_left_over(rigid_blocks(part), missing, part.s.rigid);
}

// Objects of the part that step by implicit Euler although the scheme is of second order.
Index count_first_order(const Part& part) {
  if (part.options.time.scheme != TimeScheme::generalized_alpha) return 0;
  Index count = 0;
  for (std::size_t i = 0; i < part.model.objects.size(); ++i)
    count += part.s.division.moves[i] != 0 && part.s.inertia.second[i] == 0 ? 1 : 0;
  return count;
}

void commit(Part& part) {
  keep_what_is_left_over(part);
  update_contacts(part.model.surface, part.state.x, part.s.x1, part.options.contact.tracking, part.state.contacts);
  part.min_gap = smallest_distance(part.state.contacts, part.s.x1);
  part.report.constraint_error = std::max(part.report.constraint_error, part.constraint_error);
  part.report.by_its_rule += part.by_its_rule;
  const State start = part.s.inertia.newton() ? part.state : State{};
  part.state.x = part.s.x1;  // the very positions that were checked
  part.state.v = part.s.motion;
  part.state.unseen = part.s.unseen;
  for (std::size_t i = 0; i < part.s.rigid.size(); ++i) {
    if (is_solved(part, part.model.rigid[i])) part.state.rigid[i] = part.s.rigid[i].end;
  }
  part.report.first_order = count_first_order(part);
  finish(part.model, part.s.inertia, {start, part.s.guides, part.s.motion, part.dt, part.s.division}, part.state);
  for (std::size_t i = 0; i < part.s.rigid.size(); ++i) {
    if (is_solved(part, part.model.rigid[i]))
      set_velocities(part.model.rigid[i], part.state.rigid[i], part.state.x, part.state.v);
  }
  follow(part.model.embedding, part.state.v);
  part.state.time += part.dt;
  keep_for_next_step(part.model, part.state.x, part.options.contact, part.state.contacts);
}

std::string out_of_balance(const Part& part) {
  const Scratch& s = part.s;
  const Object& object = part.model.objects[s.settling.object_of_body[s.newton.unbalanced.front()]];
  const bool is_rigid = part.model.surface.vertex_body[object.vertices.begin] >= 0;
  return (is_rigid ? "the forces on \"" : "the elastic forces of \"") + object.name +
         "\" were not in balance after " + std::to_string(part.options.contact.most_rounds) + " Newton steps" +
         (s.inertia.is_static() ? ": is it held, by contacts or by `boundary`, against what pulls it?" : "");
}

// What is restless after the last round.
void fail_where_nothing_settles(Part& part) {
  if (part.s.newton.unbalanced.empty() || !part.s.hits.empty()) {
    fail(part, restless_objects(part.s.settling), StepStatus::collision,
         out_of_rounds({situation(part), part.options.contact, part.s.hits, part.kept}));
  } else {
    fail(part, restless_objects(part.s.settling), StepStatus::iteration_limit, out_of_balance(part));
  }
  keep_solved(part.s.division, part.model.surface, part.state.contacts.contacts);
}

}  // namespace

void advance(Part& part) {
  if (!integrate(part)) return;
  if (part.s.inertia.is_static()) part.pushed_before = pushed_objects(part);
  detect(part);
  if (part.beyond_division) return;
  bool settled = false;
  for (Index round = 0; round < part.options.contact.most_rounds && !settled; round += part.unsettled ? 0 : 1) {
    solve(part, round == 0);
    if (part.options.contact.stop.asked()) return give_up(part, StepStatus::interrupted, "interrupted");
    look_for_collisions(part);
    rebalance(part);
    if (part.s.newton.unbalanced.empty() && !part.unsettled) fail_where_elements_turn_inside_out(part);
    fail_where_half_spaces_end(part);
    if (part.beyond_division || !part.s.division.met.empty()) return;
    settled = !relinearise(part) && !part.unsettled;
    if (settled || part.unsettled) continue;
    ++part.report.relinearizations;
    if (!part.s.trace.empty()) part.s.trace.back().mark = TraceMark::relinearised;
  }
  if (!settled) fail_where_nothing_settles(part);
  if (!part.options.contact.as_published) {
    fail_where_normals_are_stale(part);
    fail_where_contacts_have_left(part);
    fail_where_rigid_bodies_turn_far(part);
    fail_where_arcs_meet(part);
  }
  find_unseen(part);
  fail_where_energy_is_made(part);  // also what has settled while others have not
  commit(part);
}

}  // namespace sim
