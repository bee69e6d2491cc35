// A convex QP whose forces are bounded row by row, by conjugate residuals:
//
//     min over v of max over g of  1/2 v'Av - v'b + g.(L v - c),    low <= g <= high,    g = (-lambda, gamma)
//
//     A v = b - L^T g;   of each row with s = L v - c:  s = 0 where low < g < high,  s <= 0 at low,  s >= 0 at high
//
// Normals have low = -inf and high = 0, tangents of a pyramid of friction -low = high = mu lambda; low = high fixes a
// force. A row is free (s = 0, its force unknown: it takes part in B) or held at a bound (its force is known). Held
// rows are freed and free rows held until the conditions hold.
//
// QpSwitching::at_convergence is an active-set method: conjugate residuals run to convergence, then all rows that
// break their condition change together while their number falls; where it has not fallen for ten times only the last
// of them does, until it has (block pivoting: Judice & Pires 1994. It cannot cycle where L A^-1 L^T is definite).
// Where it is singular it may: `cycling` after twice as many of these as there are rows.
//
// on_the_way changes rows while conjugate residuals run, at CrIntervals, `most_on_the_way` times; what
// is left to change then changes as above.
#pragma once

#include "contact/cr_iteration.hpp"

namespace sim {

enum class RowState : std::uint8_t { free, low, high };

struct BoxQp {
  VecX low, high;               // N, a row of L
  std::vector<RowState> state;  // a row; in and out
  VecX slip;                    // m: L v - c when last looked at
};

enum class QpSwitching { at_convergence, on_the_way };

struct BoxQpOptions {
  QpSwitching switching = QpSwitching::at_convergence;
  CrIntervals intervals;
  double again = 0.5;  // and when |r| has fallen to this part of what it was when nothing was found to change
  Index most_on_the_way = 60;
};

enum class QpEnd { solved, iteration_limit, breakdown, over_constrained, cycling };

struct BoxQpReport {
  QpEnd end = QpEnd::solved;
  Index resets = 0, evaluations = 0;
};

// The state of every row that the forces speak for: held where they are at a bound, but for rounding.
void states_from_forces(const ContactSolution& solution, BoxQp& qp);

// Improves it.y, with A v in it.s.Av, until it is within the tolerance or the limits are met: those of it.products.
BoxQpReport solve_box_qp(CrIteration& it, const std::vector<double>& k, const ContactTolerance& tolerance,
                         const BoxQpOptions& options, const SolveLimits& limits, BoxQp& qp, Trace* trace);

}  // namespace sim
