#include "command_line.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <tuple>

#include "common/program.hpp"
#include "exit_status.hpp"
#include "model/method.hpp"
#include "output/version.hpp"
#include "scene/scene.hpp"

namespace simrun {

namespace {

const char* const footer = R"(Examples:
  simrun scenes/first.json                      run a scene, result in first.h5 and first.xdmf
  simrun scenes/first.json --validate           load and check it, print what would run
  simrun scenes/first.json --duration 0.1 --set materials.rubber.young=1e6 -o stiff.h5
  simrun --resume first.h5                      go on with a run that was interrupted or killed, in its own file
  simrun --resume first.h5 --from 100 --solver cr-diag -o b.h5    another method from the state after step 100

Exit status: 0 done; 1 usage or scene error; 2 the simulation stopped early; 3 a file (a mesh too) could not be read or
written; 130 interrupted (the file is whole, go on with --resume). The scene format is described in docs/scene-format.md.)";

std::string join(int argc, char** argv) {
  std::string text;
  for (int i = 0; i < argc; ++i) text += (i > 0 ? " " : "") + std::string(argv[i]);
  return text;
}

}  // namespace

Parsed parse_command_line(int argc, char** argv) {
  Parsed parsed;
  CommandLine& line = parsed.command_line;
  line.text = join(argc, argv);

  CLI::App app{"simrun: elastically deformable bodies in frictional contact, from a scene file to HDF5", "simrun"};
  app.footer(footer);
  apps::name_program_in_errors(app);
  app.set_version_flag("--version", apps::version_text("simrun", sim::program_version(), true));
  std::string solver, duration, dt;
  bool print_schema = false, solvers = false, quiet = false, verbose = false;

  app.add_option("scene", line.scene, "Scene file (JSON); with --resume it may be left out");
  CLI::Option* resume =
      app.add_option("--resume", line.resume,
                     "Go on from the last checkpoint of this result file, in the file itself or with -o in a new one")
          ->type_name("FILE");
  app.add_option("--from", line.from, "Go on from the checkpoint of this step instead of the last; needs -o")
      ->check(apps::whole_number_from(0))
      ->type_name("STEP")
      ->needs(resume);
  app.add_option("--solver", solver, "Contact method; short for --set solver.method=NAME");
  app.add_option("-o,--output", line.output,
                 "Result file; default: the name of the scene file with .h5, in this folder");
  CLI::Option* duration_option =
      app.add_option("--duration", duration, "Simulated seconds; short for --set time.duration=S");
  app.add_option("--steps", line.steps, "Number of time steps, in place of a duration")
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{1} << 53U))
      ->excludes(duration_option);
  app.add_option("--dt", dt, "Time step in seconds; short for --set time.step=S");
  apps::add_threads_option(app, "The result", line.threads);
  app.add_option("--set", line.overrides, "Override any value of the scene: path.to.key=value (repeatable)")
      ->type_size(1)
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app.add_flag("--validate", line.validate, "Load and check everything, print what would run, and stop");
  CLI::Option* quiet_option = app.add_flag("--quiet", quiet, "Print errors only");
  app.add_flag("--verbose", verbose, "Print one line a step")->excludes(quiet_option);
  app.add_flag(
      "--print-scene", line.print_scene,
      "Print the effective scene (--set applied, defaults filled in) as JSON and stop, without loading meshes");
  app.add_option("--log-file", line.log_file, "Write all messages to this file as well");
  app.add_flag("--trace", line.trace, "Write every iteration of the contact solver into /trace of the result file");
  CLI::Option* dump_option =
      app.add_option(
             "--dump-problem", line.dump_problem,
             "Write the last contact problem of this step and its solution beside the result, in FCLIB's format "
             "(repeatable)")
          ->check(apps::whole_number_from(1))
          ->type_name("STEP")
          ->expected(1)
          ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app.add_flag("--dump-hardest", line.dump_hardest,
               "Of each step of --dump-problem, in place of the last problem the one that was not solved or took the "
               "most iterations")
      ->needs(dump_option);
  app.add_flag("--list-solvers", solvers, "List the contact methods and stop");
  app.add_flag("--print-schema", print_schema, "Print the JSON Schema of scene files and stop");

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    parsed.exit_status = app.exit(error) == 0 ? exit_done : exit_usage;
    return parsed;
  }
  if (solvers) apps::list_solvers(false);
  if (print_schema) {
    std::cout << sim::scene_schema() << '\n';
    apps::finish_output("the schema");
  }
  if (solvers || print_schema) {
    parsed.exit_status = exit_done;
    return parsed;
  }
  if (line.scene.empty() && line.resume.empty()) {
    std::cerr << "simrun: no scene file given. Usage: simrun scene.json [options]; see simrun --help\n";
    parsed.exit_status = exit_usage;
    return parsed;
  }
  std::sort(line.dump_problem.begin(), line.dump_problem.end());
  line.dump_problem.erase(std::unique(line.dump_problem.begin(), line.dump_problem.end()), line.dump_problem.end());
  for (const auto& [option, key, value] : {std::tuple{"--solver", "solver.method=", solver},
                                           {"--duration", "time.duration=", duration},
                                           {"--dt", "time.step=", dt}}) {
    if (value.empty()) continue;
    for (const std::string& assignment : line.overrides) {
      if (!assignment.starts_with(key) || assignment == key + value) continue;
      std::cerr << "simrun: " << option << ' ' << value << " and --set " << assignment
                << " are of the same value: leave out one of them\n";
      parsed.exit_status = exit_usage;
      return parsed;
    }
    line.overrides.push_back(key + value);
  }
  line.verbosity = quiet ? Verbosity::quiet : verbose ? Verbosity::verbose : Verbosity::normal;
  return parsed;
}

}  // namespace simrun
