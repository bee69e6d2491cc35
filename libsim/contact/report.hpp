// What a contact method is asked for, and what it says it did.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "contact/residual.hpp"
#include "math/stop.hpp"

namespace sim {

// The benchmark's values (Verschoor & Jalba 2019, section 6.2).
struct ContactTolerance {
  double momentum = 5e-5;    // eps1, kg m/s
  double constraint = 5e-6;  // eps2, m
};

// Where a method that comes nearer than the tolerance by itself ends, as a part of the tolerance of gaps and slips.
constexpr double finest_part = 0.01;

// What must be, and what a method that comes nearer by itself begins for, and where it ends: bodies at rest start
// within the tolerance, and would keep what motion it leaves them.
struct Precision {
  ContactTolerance tolerance, target;
  double finer = finest_part;
};

bool within(const ContactResidual& residual, const ContactTolerance& tolerance);
double in_tolerances(double momentum, double constraint, const ContactTolerance& tolerance);  // the larger of the two
std::string describe(const ContactResidual& residual, const ContactTolerance& tolerance);     // for people

// The error of slips u and reactions r in tolerances, for methods that keep both apart from their solution.
using Judge = std::function<double(const VecX& u, const VecX& r)>;

// How long a solve may take. Methods that are stopped leave with what they have; solve() of contact/solve.hpp calls
// that interrupted.
struct SolveLimits {
  Index iterations = 10000;
  Stop stop;

  bool met(Index done) const { return done >= iterations || stop.asked(); }
};

enum class SolveStatus {
  converged,         // the residual (contact/residual.hpp) is within both tolerances: computed from the solution,
                     // with the method's own law of friction
  iteration_limit,   // not within, after all iterations that were allowed
  breakdown,         // numbers that are not finite, or a matrix that is not definite
  stalled,           // not within, and the method saw that going on would not bring it nearer
  over_constrained,  // contacts contradict each other: no solution is nearer
  refused,           // the method does not take this problem; the solution is as it came
  interrupted,       // somebody asked for it (math/stop.hpp)
  unsettled,         // a published method goes on after detection (contact/published/raghupathi_faure.hpp)
  by_its_rule,       // not within: a published method ended by the rule of its paper (contact/published/ending.hpp)
};
const char* to_string(SolveStatus status);

struct SolveReport {
  SolveStatus status = SolveStatus::converged;
  std::string reason;        // one sentence for people where the status is not `converged`, or friction was ignored
  Index iterations = 0;      // as the method's authors count them
  Index resets = 0;          // times that changed constraints made the method begin anew
  Index evaluations = 0;     // times that the constraints were looked at
  Index rounds = 0;          // of a method that solves one half of the problem after the other
  double contraction = 0;    // change of friction in a round over that in the one before, mean of the last ones
  double flops = 0;          // counted, not measured; of methods that count them
  Index products = 0;        // with A: all of them, those that judge the solution on the way included
  Index passes = 0;          // over the contacts, of relaxation
  Index factorisations = 0;  // of parts of A, and of matrices as large as the contacts or the unknowns
  Index by_exact = 0;        // 1: `auto` took the solution of the exact method; of islands side by side their number
  double construction_seconds = 0;  // s: of what is built before the first iteration, where that is the point

  // Of the solution that is returned. The same but for methods with a pyramid of friction.
  ContactResidual residual;       // with the method's own law of friction: what the status is judged by
  ContactResidual cone_residual;  // with the cone
};

// Of a method that ignores friction: says so as the reason, where contacts have some.
void tell_ignored_friction(const ContactProblem& problem, SolveReport& report);

// Two solves of one problem, counted together; the status and the residual are those of the last one. (Of solves side
// by side: join() in contact/groups.hpp.)
SolveReport one_after_the_other(const SolveReport& first, SolveReport last);

enum class TraceMark : std::int32_t { none = 0, constraints_changed = 1, relinearised = 2, swept = 3 };

struct TraceRow {                      // an iteration; what a method does not have is 0
  double residual = 0;                 // |r|: momentum rows and active constraint rows together
  double preconditioned_residual = 0;  // sqrt |r^T C^-1 r|
  double constraint_residual = 0;      // m, largest active row
  TraceMark mark = TraceMark::none;
};
using Trace = std::vector<TraceRow>;

}  // namespace sim
