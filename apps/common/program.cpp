#include "common/program.hpp"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <iostream>
#include <new>
#include <thread>

#include "math/error.hpp"
#include "math/parallel.hpp"
#include "model/method.hpp"

namespace apps {

namespace {

constexpr int most_threads = 1024;

int fail(const std::string& program, const char* reason, int exit_status) {
  std::cerr << program << ": " << reason << '\n';
  return exit_status;
}

}  // namespace

int exit_status_of(const std::string& program, int out_of_memory, const std::function<int()>& work) {
  try {
    return work();
  } catch (const sim::InputError& error) {
    return fail(program, error.what(), exit_usage);
  } catch (const sim::FileError& error) {
    return fail(program, error.what(), exit_file);
  } catch (const std::bad_alloc&) {
    return fail(program, "out of memory", out_of_memory);
  }
}

void add_threads_option(CLI::App& app, const std::string& what, int& threads) {
  app.add_option("--threads", threads, "Threads; default: all cores. " + what + " does not depend on it")
      ->check(CLI::Range(1, most_threads));
}

std::function<std::string(const std::string&)> whole_number_from(std::int64_t least) {
  return [least](const std::string& text) -> std::string {
    std::int64_t value = 0;
    if (CLI::detail::lexical_cast(text, value) && value >= least) return {};
    return "\"" + text + "\": expected a whole number >= " + std::to_string(least);
  };
}

void use_threads(int threads) {
  sim::set_thread_count(threads > 0 ? threads : static_cast<int>(std::thread::hardware_concurrency()));
}

void name_program_in_errors(CLI::App& app) {
  app.failure_message([](const CLI::App* program, const CLI::Error& error) {
    return program->get_name() + ": " + CLI::FailureMessage::simple(program, error);
  });
}

void list_solvers(bool of_problems_only) {
  for (const sim::MethodName& method : sim::known_methods()) {
    if (!of_problems_only || method.stepper == sim::StepperKind::implicit)
      std::printf("%-24s %s\n", method.name.c_str(), method.meaning.c_str());
  }
  finish_output("the list of methods");
}

std::string version_text(const std::string& program, const std::string& version, [[maybe_unused]] bool meshes) {
  const std::string first = program + ' ' + version + '\n';
#ifdef SIMRUN_TETGEN
  if (meshes) {
    return first +
           "Sources: MIT licence. This binary links TetGen, and so may be passed on under the GNU AGPL 3 only "
           "(-DSIMRUN_TETGEN=OFF builds one without).";
  }
#endif
  return first + "MIT licence.";
}

void finish_output(const std::string& what) {
  if (!std::cout.flush() || std::fflush(stdout) != 0 || std::ferror(stdout))
    throw sim::FileError(what + " cannot be written to the standard output");
}

}  // namespace apps
