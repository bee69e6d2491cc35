// The exit statuses of simsolve: part of the contract with scripts.
#pragma once

namespace simsolve {

constexpr int exit_converged = 0;
constexpr int exit_usage = 1;          // or the file does not hold a problem that can be solved
constexpr int exit_not_converged = 2;  // the best that was found is printed and written all the same
constexpr int exit_file = 3;           // a file cannot be read or written

}  // namespace simsolve
