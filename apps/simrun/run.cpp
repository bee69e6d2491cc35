#include "run.hpp"

#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <cmath>
#include <csignal>
#include <cstdio>
#include <filesystem>

#include "common/program.hpp"
#include "dump_problem.hpp"
#include "exit_status.hpp"
#include "math/error.hpp"
#include "math/parallel.hpp"
#include "math/stopwatch.hpp"
#include "output/result_file.hpp"
#include "output/version.hpp"
#include "outputs.hpp"
#include "overlaps.hpp"
#include "progress.hpp"
#include "scene/load.hpp"
#include "step/step.hpp"
#include "summary.hpp"

namespace simrun {

namespace {

volatile std::sig_atomic_t g_interrupted = 0;

extern "C" void on_interrupt(int signal) {
  g_interrupted = 1;
  std::signal(signal, SIG_DFL);  // a second one ends the program at once
}

spdlog::logger make_log(const CommandLine& command_line) {
  std::vector<spdlog::sink_ptr> sinks{std::make_shared<spdlog::sinks::stderr_color_sink_st>()};
  sinks.back()->set_pattern("%^simrun: %v%$");
  if (command_line.verbosity == Verbosity::quiet) sinks.back()->set_level(spdlog::level::err);
  if (!command_line.log_file.empty()) {
    try {
      sinks.push_back(std::make_shared<spdlog::sinks::basic_file_sink_st>(command_line.log_file, true));
    } catch (const spdlog::spdlog_ex& error) {
      throw sim::FileError("log file \"" + command_line.log_file + "\" cannot be written: " + error.what());
    }
    sinks.back()->set_pattern("%Y-%m-%d %H:%M:%S.%e %l: %v");
  }
  spdlog::logger log("simrun", sinks.begin(), sinks.end());
  log.set_level(spdlog::level::debug);
  if (command_line.verbosity != Verbosity::verbose)
    sinks.front()->set_level(std::max(sinks.front()->level(), spdlog::level::info));
  log.flush_on(spdlog::level::info);
  return log;
}

std::int64_t steps_to_take(const CommandLine& command_line, const sim::Scene& scene) {
  if (command_line.steps) return *command_line.steps;
  return std::llround(scene.time.duration / scene.time.step);
}

std::string result_path(const CommandLine& command_line, const sim::Scene& scene) {
  if (!command_line.output.empty()) return command_line.output;
  const std::string stem = std::filesystem::path(command_line.scene).stem().string();
  return (scene.name.empty() ? stem : scene.name) + ".h5";
}

// Everything of the loop over steps: it ends with the last step, with a step that failed, or with Ctrl-C.
struct Ending {
  std::string status = "done";
  std::string reason;
  int exit_status = exit_done;
};

struct Loop {
  const sim::Model& model;
  const sim::Options& options;
  const sim::Scene& scene;
  std::int64_t steps;
  sim::ResultFile& file;
  spdlog::logger& log;
  Summary& summary;
  ProblemDumps& dumps;
  bool show_progress;

  Ending run() {
    sim::State state = initial_state(model);
    sim::Scratch scratch;
    file.append_frame(state);
    std::int64_t last_frame = 0;
    Progress progress(steps, show_progress);
    Ending ending;
    double output_seconds = 0;
    while (state.step < steps && ending.exit_status == exit_done) {
      sim::StepReport report = step(model, options, state, scratch);
      sim::Stopwatch watch;
      report.t_output = output_seconds;
      report.t_total += output_seconds;
      file.append_step(report, scratch.trace);
      dumps.write(report, scratch, log);
      if (!report.accepted) {
        ending = stopped(report);
      } else if (report.status != sim::StepStatus::converged) {
        progress.clear();
        log.warn("step {}: {}: {}", report.step, to_string(report.status), report.reason);
      }
      if (report.accepted && g_interrupted != 0) {
        ending = {"interrupted", "interrupted by the user", exit_interrupted};
      }
      const bool last = ending.exit_status != exit_done || state.step == steps;
      if (state.step != last_frame && (last || state.step % scene.output.every == 0)) {
        file.append_frame(state);
        last_frame = state.step;
      }
      output_seconds = watch.lap();
      summary.add(report);
      log.debug(
          "step {} t {:.6g} s: {} contacts, gap {:.3g} m, {} iterations, {} re-linearisations, {} parts, residual "
          "{:.3g}, {:.3f} ms",
          report.step, report.time, report.contacts, report.min_gap, report.iterations, report.relinearizations,
          report.substeps, report.residual, 1e3 * report.t_total);
      progress.update(report);
    }
    return ending;
  }

  static Ending stopped(const sim::StepReport& report) {
    const char* remedy = report.status == sim::StepStatus::collision
                             ? "A smaller time step (--dt) is the first thing to try"
                         : report.status == sim::StepStatus::breakdown
                             ? "Check the motions that the scene tells; then try a smaller time step (--dt)"
                             : "A smaller time step (--dt) is the first thing to try; "
                               "solver.on_failure=continue goes on where no surface is crossed";
    return {"stopped",
            "step " + std::to_string(report.step) + ": " + to_string(report.status) + ": " + report.reason +
                ". The last good state is the last frame. " + remedy,
            exit_stopped};
  }
};

void tell_of_disabled_contact(const sim::Scene& scene, spdlog::logger& log) {
  if (!scene.contact.enabled) {
    log.info("contact.enabled is false: objects pass through each other and through themselves");
  }
}

}  // namespace

int run(const CommandLine& command_line) {
  const sim::Scene scene = sim::read_scene(command_line.scene, command_line.overrides);
  const std::string path = result_path(command_line, scene);
  refuse_to_replace(command_line, scene, path);
  spdlog::logger log = make_log(command_line);
  apps::use_threads(command_line.threads);
  sim::LoadReport notes;
  const sim::Model model = sim::load_model(scene, notes);
  for (const std::string& note : notes.notes) log.info(note);
  for (const std::string& warning : notes.warnings) log.warn(warning);
  const std::int64_t steps = steps_to_take(command_line, scene);
  if (scene.contact.enabled) {
    refuse_initial_overlaps(model, model.surface, initial_state(model), scene.source, overlaps_path(path));
  }
  const std::string description = describe_model(scene, model, model.surface, steps);
  if (command_line.validate) {
    std::fputs(description.c_str(), stdout);
    tell_of_disabled_contact(scene, log);
    return exit_done;
  }
  log.debug("{}", description);

  sim::ResultFile file(path, model,
                       {.scene_json = scene.json,
                        .solver = scene.solver.method,
                        .threads = sim::thread_count(),
                        .command_line = command_line.text,
                        .program_version = sim::program_version(),
                        .velocities = scene.output.velocities,
                        .compression = scene.output.compression,
                        .contacts = scene.output.contacts,
                        .trace = command_line.trace});
  tell_of_disabled_contact(scene, log);
  log.info("{}: {} objects, {} unknowns, {} steps of {} s, result in {}", scene.name, model.objects.size(),
           3 * model.plan.pattern.rows(), steps, scene.time.step, path);
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);

  sim::Stopwatch watch;
  Summary summary;
  ProblemDumps dumps(path, scene.solver.method, command_line.dump_problem);
  sim::Options options = sim::make_options(scene);
  options.trace = command_line.trace;
  Loop loop{model, options, scene, steps, file, log, summary, dumps, command_line.verbosity == Verbosity::normal};
  Ending ending = loop.run();
  file.finish(ending.status, ending.reason);
  dumps.finish(summary.steps(), log);
  if (dumps.failed() && ending.exit_status == exit_done) ending.exit_status = exit_file;

  log.log(ending.exit_status == exit_stopped ? spdlog::level::err : spdlog::level::info, "{}{}", ending.status,
          ending.reason.empty() ? "" : ": " + ending.reason);
  log.info("{} steps in {:.2f} s on {} threads\n{}  result in {}", summary.steps(), watch.lap(), sim::thread_count(),
           summary.table(), path);
  return ending.exit_status;
}

}  // namespace simrun
