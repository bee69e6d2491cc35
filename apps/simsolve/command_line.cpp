#include "command_line.hpp"

#include <CLI/CLI.hpp>
#include <cmath>

#include "common/program.hpp"
#include "exit_status.hpp"
#include "math/error.hpp"
#include "model/method.hpp"
#include "model/published.hpp"
#include "output/version.hpp"

namespace simsolve {

namespace {

const char* const footer = R"(Examples:
  simsolve problem.hdf5                              with the default method and tolerances
  simsolve problem.hdf5 --solver cr-diag -o s.hdf5   another method; the problem with its solution into a file
  simsolve problem.hdf5 --guess s.hdf5 --json        from the solution in a file; everything, for scripts

Exit status: 0 converged; 1 usage, or the file holds no problem that can be solved; 2 not converged; 3 a file cannot be
read or written; 130 interrupted: what was found is printed and written. docs/simsolve.md has the format of the files and
the keys of --json.)";

std::string check_tolerance(const std::string& text) {
  double value = 0;
  if (!CLI::detail::lexical_cast(text, value) || !(value > 0) || !std::isfinite(value))
    return text + " is not a positive number";
  return {};
}

void add_options(CLI::App& app, CommandLine& line) {
  app.add_option("problem", line.problem, "Frictional contact problem (FCLIB global format, HDF5)");
  app.add_option("--solver", line.solver, "Contact method; default: cr-full");
  app.add_flag("--as-published", line.as_published, "The method as its paper has it (docs/papers)");
  app.add_option("--tolerance", line.options.tolerance.momentum,
                 "Largest residual of the momentum balance, kg m/s; default: 5e-5")
      ->check(check_tolerance);
  app.add_option("--constraint-tolerance", line.options.tolerance.constraint,
                 "Largest residual of a contact, m; default: 5e-6")
      ->check(check_tolerance);
  app.add_option("--max-iterations", line.options.max_iterations,
                 "Iterations allowed; default: 10000, with --as-published 100000")
      ->check(apps::whole_number_from(1));
  app.add_option("--guess", line.guess, "Start from the /solution in this file; default: from nothing");
  app.add_option("-o,--output", line.output, "Write the problem with the solution to this file");
  app.add_option("--repeat", line.repeat, "Solve this often and tell the shortest time; default: 1")
      ->check(apps::whole_number_from(1));
  apps::add_threads_option(app, "The solution", line.threads);
  app.add_flag("--json", line.json, "Print one JSON object instead of the table");
}

void check_is_for_problems(const std::string& solver) {
  for (const sim::MethodName& known : sim::known_methods()) {
    if (known.name == solver && known.stepper != sim::StepperKind::implicit)
      throw sim::InputError("--solver: \"" + solver +
                            "\" steps scenes in a way of its own, for which there are no contact problems to solve; "
                            "see --list-solvers");
  }
}

}  // namespace

Parsed parse_command_line(int argc, char** argv) {
  Parsed parsed;
  CommandLine& line = parsed.command_line;
  CLI::App app{"simsolve: one contact method on one frictional contact problem", "simsolve"};
  app.footer(footer);
  apps::name_program_in_errors(app);
  app.set_version_flag("--version", apps::version_text("simsolve", sim::program_version(), false));
  bool solvers = false;
  add_options(app, line);
  app.add_flag("--list-solvers", solvers, "List the contact methods and stop");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    parsed.exit_status = app.exit(error) == 0 ? exit_converged : exit_usage;
    return parsed;
  }
  if (solvers) {
    apps::list_solvers(true);
    parsed.exit_status = exit_converged;
    return parsed;
  }
  if (line.problem.empty()) {
    std::cerr << "simsolve: no problem given. Usage: simsolve problem.hdf5 [options]; see simsolve --help\n";
    parsed.exit_status = exit_usage;
    return parsed;
  }
  check_is_for_problems(line.solver);
  line.options.method = sim::method_by_name(line.solver);
  if (line.as_published) {
    const std::optional<sim::Method> published = sim::published_form(line.solver);
    if (!published)
      throw sim::InputError("--as-published: \"" + line.solver + "\" is of no paper; expected another method");
    line.options.method = *published;
    if (app.count("--max-iterations") == 0) line.options.max_iterations = sim::most_iterations_as_published;
  }
  return parsed;
}

}  // namespace simsolve
