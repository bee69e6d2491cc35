// The exit statuses of simcheck: part of the contract with scripts.
#pragma once

#include "common/program.hpp"

namespace simcheck {

constexpr int exit_clean = 0;
using apps::exit_usage;
constexpr int exit_intersects = 2;  // at least one frame has triangles that intersect
using apps::exit_file;              // the file cannot be read, or holds nothing to judge
constexpr int exit_unsound =
    4;  // nothing intersects, but the file contradicts itself, holds no numbers or makes energy
constexpr int exit_inverted = 5;  // none of these, but a frame has tetrahedra turned inside out

}  // namespace simcheck
