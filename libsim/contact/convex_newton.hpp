// Contacts with Coulomb's exact cone by Newton's method on a convex function of the velocities:
//
//     r = P(x),   x = (r_0 - K^-1 (L v - c + mu s e_n)) / (1 + soft)
//     A v - b - L^T r = 0                                 its gradient
//     (A + L^T D L) dv = -gradient,   D = K^-1 dP/dx / (1 + soft): symmetric, positive semi-definite
//
// P projects on the cone |r_t| <= mu r_n. Where r_0 = r and s = |u_t| the solution has Signorini's and Coulomb's laws
// (augmented Lagrangian: Simo & Laursen 1992; the shift by mu s: De Saxce & Feng 1998). So whenever the gradient is
// small beside what the contacts miss, r_0 <- r, and s <- |u_t|, accelerated (linear/anderson.hpp). A search along
// the step makes each one a descent: there is nothing to be tuned for hard contacts.
//
// K is a part of the compliance of each contact, a tenth of that again where an update of r_0 does not bring the
// contacts four times nearer: small, few updates are needed, but the steps between them are hard. The compliance of a
// light body between heavy ones is 1/m, but the force that goes through it moves the heavy ones alone, and an update
// brings that nearer by K / (K + 1/M) only. So K goes on falling, of each contact by itself whose r_0 is wrong still,
// down to what its row yields (soft, below), or to where rounding of u would be as much momentum as may be missed.
//
// Rows may depend on each other, and contradict each other by what earlier steps have missed: rigid bodies would
// brace themselves between their contacts for it. So rows yield to their forces, by a part of the tolerance where the
// force is the largest (soft). The answer is then the only one.
//
// Where friction turns much, r_0 and s go round and round. Then mu r_n, the bound of friction, turns with v instead
// of being held by s: Newton's method on Coulomb's law itself (Alart & Curnier 1991),
//
//     r_n = max(x_n, 0),  r_t = x_t within mu r_n,   x = (r_0 - K^-1 (L v - c)) / (1 + soft)
//     (A + L^T D L) dv = -gradient,   D = K^-1 dr/dx / (1 + soft): not symmetric, and nothing is convex
//
// whose steps are halved until the gradient is less, and which takes few updates of r_0 where the other takes
// hundreds.
//
// How A is kept, and the step found, is the form's: contact/velocity_form.hpp, contact/compliance_form.hpp.
#pragma once

#include <limits>

#include "contact/problem.hpp"
#include "contact/report.hpp"
#include "linear/anderson.hpp"

namespace sim {

struct ConvexNewtonOptions {
  double penalty = 0.01, common_penalty = 1e-3;  // K over the compliance of a contact, at first, and last of all
  double soft = 0.025;                           // tolerances that the largest force may make its row yield
  Index history = 5;                             // of the acceleration
  Index most_steps = 300;                        // while the bound of friction is held
  Index most_before_turning = 100;               // of them, where it is going to turn
  Index most_turning_steps = 1000;
  Index most_between_updates = 60;  // of these; some go round where no step is a descent
  int most_halvings = 12;           // of a turning step, until the gradient is less
  double most_flops =
      std::numeric_limits<double>::infinity();  // of the steps; of compliances, of W and splitting too
};

// Velocities v, and what a step changes. Contact by contact in units where the compliance is 1.
struct ConvexForm {
  VecX u, du;  // L v - c, L dv
  VecX push;   // a contact: momentum of a unit force, |L|
  double flops = 0;
  Index factorisations = 0, products = 0;  // products: with A

  virtual ~ConvexForm() = default;
  virtual double unbalanced(const VecX& r) = 0;  // |A v - b - L^T r|, kg m/s
  // dv where the forces are r and turn with D = root root; false where a matrix is not definite.
  virtual bool find_step(const VecX& r, const std::vector<Mat3>& root, const Stop& stop) = 0;
  virtual double slope() const = 0;      // dv . (A v - b)
  virtual double curvature() const = 0;  // dv . A dv
  virtual void advance(double a) = 0;    // v += a dv
  // dv where forces turn with D, which is not symmetric; false where the matrix is singular or the form has none.
  virtual bool find_turning_step(const std::vector<Mat3>&) { return false; }
  virtual void remember() = 0;  // v is the best one so far
};

struct ConvexNewtonScratch {
  std::vector<Mat3> root;  // of D; D itself where friction's bound turns
  VecX scale, soft, K, missed, s, missing_s, r0, r, physical_r, physical_u;  // missed: K |r - r_0| of the last update
  Anderson anderson;
};

enum class FrictionBound : std::uint8_t { held, turning };  // by s; with v

struct ConvexNewtonReport {
  Index iterations = 0;                                    // steps, and updates of r_0 and s
  double error = std::numeric_limits<double>::infinity();  // of the answer, in tolerances
  bool definite = true;
};

// What contacts are scaled with, from their compliance k: u / scale, r scale.
void find_scale(const std::vector<double>& k, VecX& scale);

// A contact: |L|.
void norms_of_rows(const BlockMatrix& L, VecX& norms);

// From the form's v and the forces r (N) to the best answer on the way, which the form has remembered. Of contacts
// that are scaled with scratch.scale.
ConvexNewtonReport convex_newton(const std::vector<double>& mu, FrictionBound bound, const Precision& precision,
                                 const ConvexNewtonOptions& options, const SolveLimits& limits,
                                 const Judge& error_in_tolerances, ConvexNewtonScratch& scratch, ConvexForm& form,
                                 VecX& r);

}  // namespace sim
