// The contact methods, by name and behind one call. A method is a header, a source, a test, and an entry in
// known_solvers(); one with options or working memory of its own has a struct in `Method`, too. docs/extending.md
// goes through it.
#pragma once

#include <optional>
#include <span>
#include <variant>

#include "contact/automatic.hpp"
#include "contact/conjugate_residual.hpp"
#include "contact/constraint_anticipation.hpp"
#include "contact/exact.hpp"
#include "contact/ica.hpp"
#include "contact/published/constraint_anticipation.hpp"
#include "contact/published/otaduy.hpp"
#include "contact/published/raghupathi_faure.hpp"
#include "contact/published/staggered_projections.hpp"
#include "contact/qp_active_set.hpp"
#include "contact/staggered_projections.hpp"

namespace sim {

// A method that needs no more than the problem and the limits.
struct PlainMethod {
  SolveReport (*solve)(const ContactProblem&, const ContactTolerance&, const SolveLimits&, ContactSolution&,
                       Trace*) = nullptr;
  bool exact_cone = true;  // whether it solves Coulomb's law with its cone; else its own: a pyramid, or none
};

// Those of contact/published that keep something from solve to solve.
struct PublishedIca {};           // v* (published/otaduy.hpp)
struct PublishedAnticipation {};  // factors of A (published/constraint_anticipation.hpp)
struct PublishedSp {              // v* (published/staggered_projections.hpp)
  bool changes_on_the_way = false;
};
struct PublishedQpCollide {
  bool detects = false;  // after each QP (published/raghupathi_faure.hpp): in a step
};

using Method = std::variant<CrOptions, AutoOptions, ExactOptions, IcaOptions, SpOptions, QpActiveSetOptions,
                            ConstraintAnticipationOptions, PlainMethod, PublishedIca, PublishedAnticipation,
                            PublishedSp, PublishedQpCollide>;

struct SolveOptions {
  ContactTolerance tolerance;
  Index max_iterations = 10000;
  Method method;
  Stop stop;
  // What bodies at rest would have, to lose what motion the tolerance leaves them: `auto` and `exact` come nearer by
  // themselves, of the others nobody asks it here. Not given: the tolerance, whatever is set for that later on.
  std::optional<ContactTolerance> target = {};
  double finer = finest_part;  // what part of the tolerance of gaps and slips those that come nearer end at
};

struct SolverName {
  const char* name;
  const char* meaning;
  Method method;  // with its defaults
};
std::span<const SolverName> known_solvers();  // in the order in which to list them

// The options of the method with this name, with their defaults. Throws InputError for another name.
Method method_by_name(const std::string& name);

// The same as its paper has it (contact/published); of `auto` that of cr-full, of `exact` none.
std::optional<Method> published_form(const std::string& name);

// Whether it comes nearer than the tolerance by itself, where that costs little.
bool comes_nearer(const Method& method);

// Whether it is asked for more than the tolerance where elastic bodies rest: the friction of staggered projections
// settles slowly, and tries that fail would be much of their iterations (docs/decisions/staggered-projections.md).
bool asks_for_more_of_elastic(const Method& method);

// Whether it solves Coulomb's law with its exact cone; else its own: a pyramid, or none.
bool has_exact_cone(const Method& method);

// Whether the free flight of bodies that nothing touches counts among its iterations: not in published forms where
// these are passes over the contacts, or those of the QPs alone.
bool counts_free_flight(const Method& method);

// Working memory of all methods; may be thrown away at any time.
struct SolveScratch {
  CrScratch cr;
  ExactScratch exact;
  IcaScratch ica;
  SpScratch sp;
  QpActiveSetScratch qp_active_set;
  published::Unconstrained unconstrained;
  published::KeptFactors factors;
  published::QpCollideProgress qp_collide;
};

// Improves `solution` until it is within the tolerance, or `interrupted`. `trace`, where given, is appended to.
SolveReport solve(const ContactProblem& problem, const SolveOptions& options, SolveScratch& scratch,
                  ContactSolution& solution, Trace* trace = nullptr);

}  // namespace sim
