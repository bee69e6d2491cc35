// The control of upward_include.cpp: with the same folders, what linear may include is found.
#include "linear/conjugate_gradient.hpp"
#include "math/block_matrix.hpp"
