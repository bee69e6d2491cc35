// The response to the letter of Spillmann, Becker & Teschner 2007, section 3, once a part of a step
// (solver.as_published). A collision (i, T_i) is a vertex i inside another object, with the way out d_i, which leads
// through T_i at the barycentric coordinates h_ij (local/depth.hpp):
//
//     c_i = 1/(1 + sum_j h_ji)   (6)     S_i = sum_j c_j h_ij m_j     alpha_i = S_i/(c_i m_i + S_i)   (5)
//     f_i = c_i m_i/h^2 alpha_i d_i   (15)          on corner j of T_i:  -c_j h_ij m_j/h^2 (1 - alpha_i) d_i   (16)
//
// added up point by point. The paper's friction has no formula; here d_i has a tangential part, what the part of the
// step brought across d_i, no longer than the coefficient of friction times d_i. Its 1 in (6) is the point's own
// collision; a point in two objects has two. Masses that are prescribed are infinite.
//
// Objects may overlap after that.
#pragma once

#include "local/part.hpp"

namespace sim {

// x1 of the part, and contacts of the state with what they got (LocalScratch::pushed) for its records.
void respond_as_published(LocalPart& part);

// m: how deep the deepest vertex is in another object.
double deepest_overlap(const Model& model, const VecX& x, DepthScratch& scratch);

}  // namespace sim
