// Frictional contact problems and their solutions in the global format of FCLIB, the library of frictional contact
// problems (Acary, Bremond, Koziara & Perignon 2014), which Siconos and others read. Reference: docs/simsolve.md.
//
//     M v = H r + f        u = H^T v + w        per contact: normal, first tangent, second tangent
//     0 <= u_n,  0 <= r_n,  u_n r_n = 0;   |r_t| <= mu r_n;   r_t = -mu r_n u_t / |u_t| where u_t is not 0
//
// In the names of contact/problem.hpp: A = M, b = f, L = H^T, c = -w, r = (lambda, -gamma_1, -gamma_2). Units are the
// file's own; ours are kg, s, m and N where H carries the length of the step.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "contact/problem.hpp"

namespace sim {

struct FclibSolution {
  VecX v, u, r;
  // Attributes of the group /solution: what made it. Written, not read.
  std::vector<std::pair<std::string, std::string>> provenance;
};

struct FclibProblem {
  ContactProblem problem;  // Z comes from the rows (contact/row_similarity.hpp)
  std::optional<FclibSolution> solution;
  std::vector<std::string> notes;  // what was understood rather than read, for people
};

// Throws FileError where the file cannot be read, InputError where it does not hold what it should; the message names
// the file, the dataset, the value and what was expected.
FclibProblem read_fclib(const std::string& path);

bool is_fclib_file(const std::string& path);  // by the group that holds the problem

// The group /solution of a file, or the first of /guesses where it has none, for a problem of these sizes.
FclibSolution read_fclib_solution(const std::string& path, Index unknowns, Index contacts);

// Replaces the file as a whole; the same problem gives the same bytes. Throws FileError.
void write_fclib(const std::string& path, const ContactProblem& problem, const FclibSolution* solution = nullptr);

FclibSolution to_fclib(const ContactProblem& problem, const ContactSolution& solution);
// Velocities, forces, and the states that they speak for (contact/friction_states.hpp).
ContactSolution from_fclib(const ContactProblem& problem, const FclibSolution& solution);

}  // namespace sim
