// When contacts change state while conjugate residuals run: Algorithms 2 and 3 of Verschoor & Jalba 2019.
//
//     open -> pushing        n < 0                                 n = j_n v - c_n
//     pushing -> open        n >= 0 and lambda <= 0
//     sticking -> sliding    |gamma| > mu lambda and s . gamma > 0     s = j_t v - c_t
//     sliding -> sticking    s . delta <= 0
//     sliding                gamma' = mu lambda' delta, where lambda' follows lambda: it is the mean of the last two
//                            in the paper, and goes a part of the way that each contact learns here
//
// A contact begins to push as a sticking one (sliding in the paper, with no friction at first); but one that was let
// go before as a sliding one, since holding it may be what pulled it off.
//
// A change with an effect below 0.6 of the tolerance of the gaps (with k, the compliance of the contact, where it is
// one of forces) is left out. Sliding friction that is not along the slip is realigned. The paper turns delta by a
// hundredth of the way at a time. Here it is that of gamma + s / k, and between two evaluations it follows the slip
// by itself: gamma = mu lambda' s / |s| changes across delta by (mu lambda' / |s|) times the slip across, and with
// D = |s| / (mu lambda') this is a row of the system that keeps B symmetric.
#pragma once

#include "contact/cr_system.hpp"
#include "contact/report.hpp"

namespace sim {

struct CrConstraints {
  std::vector<double> k;               // m/N: compliance of every contact (contact/residual.hpp)
  std::vector<double> part;            // of the way from lambda' to lambda that sliding friction goes at a time
  std::vector<double> error_before;    // N: lambda - lambda' when it did so last
  std::vector<std::uint8_t> released;  // a contact: has been let go in this solve
  std::vector<Index> leader;           // a contact: the first one with the same rows; only leaders push
  VecX slip;                           // m: L v - c

  std::vector<Index> order;  // buffer of find_duplicates
};

struct CrRules {
  double tolerance = 0;  // m: eps2
};

// Once a problem: compliance and duplicates. `system` is prepared.
void prepare(const ContactProblem& problem, const CrSystem& system, CrConstraints& constraints);

// Takes a start as it is, puts all force of duplicates on their leader, and sets the rows.
void begin(const ContactProblem& problem, CrConstraints& constraints, ContactSolution& solution, CrSystem& system);

// One evaluation of all constraints at `solution`; true where something changed.
bool evaluate(const ContactProblem& problem, const CrRules& rules, CrConstraints& constraints,
              ContactSolution& solution, CrSystem& system);

// Contacts with the same rows share evenly what their leader holds.
void share_among_duplicates(const CrConstraints& constraints, ContactSolution& solution);
void gather_from_duplicates(const CrConstraints& constraints, ContactSolution& solution);

}  // namespace sim
