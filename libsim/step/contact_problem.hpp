// Contacts as the rows of a ContactProblem, and the solver's answer back into the contacts.
//
//     gap at the end = n . r(x0) + dt n . r(v) >= target_gap     r(x) = sum of weights x over the four vertices
//     j_n v >= c_n = target_gap - n . r(x0) - (what prescribed vertices contribute to dt n . r(v))
//     j_t v  = c_t = travelled before it had its target gap, or minus the drift, less the part of prescribed vertices
//
// Vertices of rigid bodies move along arcs. The rows have their tangents, and what the arcs of the last solution bend
// off them is a part that is prescribed: with it the rows say exactly where that solution leads.
//
// Guided vertices move as far as they are held as prescribed (model/guides.hpp). A contact that cannot move along
// its normal, because all of it is held there, asks for nothing: it is as open as eps2.
//
// The target gap of a contact from before is its gap, brought into the middle of (0, eps2): a contact at rest then
// asks for no motion at all, whatever its gap in there. A position is never asked for as a velocity that would stay:
// of a gap that is too small no more is made up in a step than 10 part dt u, what a step may miss anyway
// (step/tolerance.hpp).
#pragma once

#include "bodies/points.hpp"
#include "collide/similarity.hpp"
#include "contact/problem.hpp"
#include "model/guides.hpp"
#include "model/options.hpp"
#include "model/state.hpp"
#include "step/push.hpp"

namespace sim {

inline constexpr double solver_part = 0.25;  // of eps2: how near the solver must come to target gaps

struct TargetGapRule {
  const CollisionSurface& surface;
  const ContactOptions& options;
  Push push;
  const VecX& v;  // of all vertices at the start of the step, prescribed ones as they will move
  double dt;
  bool is_static = false;
};
void set_target_gaps(const TargetGapRule& rule, ContactSet& contacts);                 // at the start of a step
void set_target_gap_of_new_contacts(const TargetGapRule& rule, ContactSet& contacts);  // those that have none yet
// Contacts of this step end no farther apart than they begin, by their frames as they are made anew: the way of an
// outer iteration may meet edges far from where they end, and along the normal of there they begin farther apart.
void bound_target_gaps(const TargetGapRule& rule, const VecX& x0, ContactSet& contacts);
// What was near, and did not collide, ends as far apart as it begins.
void keep_gaps_of_new_contacts(std::span<Contact> contacts);
// Of the first step of a run: what has play and is nearer than the least gap that contacts keep has no room for more.
// Raised from both sides it would be clamped.
void leave_play(const TargetGapRule& rule, const VecX& x0, ContactSet& contacts);
// Contacts that exist and collide all the same get a larger target gap, by keep_off_part eps2 at most
// (collide/contact_set.hpp).
void keep_off(const CollisionSurface& surface, std::span<const Hit> hits, const TargetGapRule& rule, const VecX& x0,
              const VecX& x1, ContactSet& contacts);

struct VertexMotion {
  const VecX& x0;
  const VecX& prescribed;  // velocities of prescribed vertices in this step
  const Guides& guides;
  RigidBlocks rigid;
  std::span<const RigidStep> rigid_steps;  // as the last solution has them
};
// Fills L, c, mu, Z and the areas of contacts of rigid bodies.
void make_rows(const Model& model, const ContactSet& contacts, const VertexMotion& motion, SimilarityBuffers& buffers,
               ContactProblem& problem);

void load(const ContactSet& contacts, ContactSolution& solution);  // all but v
// Of both: `slips` are L v - c of the solution (contact/problem.hpp).
//
// The forces (lambda, -gamma) of a solution made exactly admissible: none where the contact is left open by more than
// `tolerance` (m; where the step is short, a force that moves nothing by as much may be left over), lambda >= 0,
// sticking friction inside the cone, sliding friction gamma + slip / k brought back to mu lambda (k: compliance).
// Where that lies inside the cone, nothing slides but within the tolerance, and the state becomes sticking: such a
// contact's friction has no direction to be trusted, and would push its neighbours about in every step. That of a
// method with another law than Coulomb's (cone false) stays as it is.
void exact_forces(const ContactProblem& problem, const VecX& slips, const std::vector<double>& k, bool cone,
                  const std::vector<double>& tolerance, ContactSolution& solution, VecX& r);

// The solution and its exact forces into the contacts. One left open by more than `tolerance` ends as an open one.
void store(const ContactSolution& solution, const VecX& slips, const VecX& r, const std::vector<double>& tolerance,
           ContactSet& contacts);

// None of these contacts is to end the step farther apart than it began at x0, or to take back what it has slid while
// it stuck; a new one is held from the start on, not from its impact. True where that asks for less.
bool ask_for_no_corrections(std::span<const Index> which, const VecX& x0, ContactSet& set);

// What is kept for the next step: what sticks remembers its slip where it is to hold its position, to take it back
// (step/held_positions.hpp); of those that do not push only the ones with gaps up to eps2 stay, and none that its
// pair has left or whose sides have gone round each other.
void keep_for_next_step(const Model& model, const VecX& x, const ContactOptions& options, ContactSet& contacts);

// Contacts as they were solved: gaps along their normals at the positions x where the solution has led, forces those
// of exact_forces(), without the open ones that have none and are farther apart than eps2.
void keep_for_records(const VecX& x, std::vector<Contact>& contacts);

}  // namespace sim
