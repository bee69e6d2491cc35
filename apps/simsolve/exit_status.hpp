// The exit statuses of simsolve: part of the contract with scripts.
#pragma once

#include "common/interrupt.hpp"
#include "common/program.hpp"

namespace simsolve {

constexpr int exit_converged = 0;
using apps::exit_usage;                // or the file does not hold a problem that can be solved
constexpr int exit_not_converged = 2;  // the best that was found is printed and written all the same
using apps::exit_file;                 // a file cannot be read or written
using apps::exit_interrupted;          // as not converged

}  // namespace simsolve
