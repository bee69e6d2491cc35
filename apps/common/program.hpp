// What the programs have in common: how they end when something is thrown, the threads, the list of methods.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace CLI {
class App;
}

namespace apps {

constexpr int exit_usage = 1;  // usage, or what a file says is not right
constexpr int exit_file = 3;   // a file could not be read or written

// What `work` returns. What it throws is reported on the standard error output and becomes an exit status; memory
// that ran out becomes the one given.
int exit_status_of(const std::string& program, int out_of_memory, const std::function<int()>& work);

// Errors in options begin with the program's name, as all others do.
void name_program_in_errors(CLI::App& app);

// --threads; `what` does not depend on it, as the help says. 0: all cores.
void add_threads_option(CLI::App& app, const std::string& what, int& threads);
// Check of an option: CLI11's own print the bounds of double to the last of 309 digits.
std::function<std::string(const std::string&)> whole_number_from(std::int64_t least);
void use_threads(int threads);

void list_solvers(
    bool of_problems_only);  // --list-solvers; only: methods that step in a way of their own are left out

// What --version prints: the program, its version, and the terms it comes under. meshes: whether it has what TetGen
// is linked for.
std::string version_text(const std::string& program, const std::string& version, bool meshes);

// Where the standard output is what was asked for: FileError if not all of it could be written.
void finish_output(const std::string& what);

}  // namespace apps
