// Decompositions of 3x3 matrices, written for element loops: no allocation, no failure, rotations always proper.
#pragma once

#include "math/types.hpp"

namespace sim {

// F = U diag(sigma) V^T with det U = det V = +1. sigma is sorted by magnitude, |sigma[0]| >= |sigma[1]| >=
// |sigma[2]|; only sigma[2] may be negative, and it is exactly when det F < 0 (Irving et al. 2004). Any finite F will
// do; errors are some 1e-15 of sigma[0], so values below that may come out as zero or with the other sign.
struct RotationSvd {
  Mat3 U, V;
  Vec3 sigma;
};
RotationSvd rotation_svd(const Mat3& F);

// The proper rotation R = U V^T nearest to F: F = R S with S symmetric. (Where sigma[1] + sigma[2] = 0 it is not
// unique: one of the nearest. Of F = 0 it is the identity.)
Mat3 polar_rotation(const Mat3& F);

// Ascending eigenvalues and eigenvectors (columns of a rotation) of a symmetric matrix; reads its lower triangle.
struct SymmetricEigen {
  Vec3 values;
  Mat3 vectors;
};
SymmetricEigen symmetric_eigen(const Mat3& S);

}  // namespace sim
