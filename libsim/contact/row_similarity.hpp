// How often a contact is there, nearly, told from the rows of L alone: the diagonal of Z (Verschoor & Jalba 2019,
// section 3.4.1) for problems that come without geometry. Where there are contact stencils, collide/similarity.hpp.
//
//     Z_a = sum over contacts b, a among them, that share a column of blocks with a, of
//           product over the shared columns i of (1 - |w_a,i - w_b,i|)
//
// w_a,i = |L_a,i| / max |L|, Frobenius norms of 3x3 blocks: the rows of a contact are an orthonormal frame times the
// length of the step times a weight, and the heaviest weight is taken for that of a vertex, 1. Two identical contacts
// have Z = 2, a contact that shares no column has Z = 1. Blocks that are zero count as absent.
#pragma once

#include <vector>

#include "math/block_matrix.hpp"

namespace sim {

std::vector<double> row_similarity(const BlockMatrix& L);  // one number a row of blocks

}  // namespace sim
