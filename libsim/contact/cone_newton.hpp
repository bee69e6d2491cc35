// Semi-smooth Newton steps on the equation whose zero is the solution of contacts coupled by W (Alart & Curnier
// 1991), in units where K is 1 (contact/douglas_rachford.hpp):
//
//     G(s) = s - P(s) + W P(s) + q = 0,     r = P(s),  u = W r + q = P(s) - s
//     (1 - D + W D) ds = -G(s),   D = dP/ds
//
// D is 0 of open contacts, 1 of sticking ones. Without a line search: |G| grows for a step or two, and falls fast
// where the states of contacts are right.
#pragma once

#include <Eigen/Dense>

#include "math/block_matrix.hpp"

namespace sim {

// P: the normal force to 0 or more, then friction into the disk of mu times that.
Vec3 project_on_cone(const Vec3& s, double mu);
Mat3 project_on_cone_derivative(const Vec3& s, double mu);

struct ConeNewtonScratch {
  std::vector<Index> active, place;
  std::vector<Mat3> D;
  VecX z, G, next, next_G;
  Eigen::MatrixXd M;
  Eigen::VectorXd step;
};

double newton_step_flops(const BlockMatrix& W, const VecX& s);

// One step; `softness`, a contact, is added to the diagonal of W. False where it leads to no number: s stays.
bool newton_step(const BlockMatrix& W, const VecX& q, const std::vector<double>& mu, const VecX& softness,
                 ConeNewtonScratch& scratch, VecX& s);

}  // namespace sim
