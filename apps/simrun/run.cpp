#include "run.hpp"

#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>

#include "asynchronous/advice.hpp"
#include "collide/limits.hpp"
#include "common/program.hpp"
#include "dump_problem.hpp"
#include "ending.hpp"
#include "exit_status.hpp"
#include "math/error.hpp"
#include "math/parallel.hpp"
#include "math/stopwatch.hpp"
#include "model/measure.hpp"
#include "output/checkpoint.hpp"
#include "output/object_records.hpp"
#include "output/result_file.hpp"
#include "output/version.hpp"
#include "outputs.hpp"
#include "overlaps.hpp"
#include "progress.hpp"
#include "resume.hpp"
#include "scene/load.hpp"
#include "soundness.hpp"
#include "squeezed.hpp"
#include "stepper/stepper.hpp"
#include "summary.hpp"

namespace simrun {

namespace {

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

std::int64_t steps_of(const sim::Scene& scene) {
  const double steps = scene.time.duration / scene.time.step;
  return static_cast<std::int64_t>(std::ceil(steps * (1 - 1e-9)));  // whole ones, but for rounding
}

std::string result_path(const CommandLine& command_line) {
  if (!command_line.output.empty()) return command_line.output;
  if (!command_line.resume.empty()) return command_line.resume;
  return std::filesystem::path(command_line.scene).stem().string() + ".h5";
}

sim::AskedFields asked_fields(const sim::OutputSpec& output) {
  return {.von_mises = output.stress, .stress = output.stress_tensor, .strain = output.strain_tensor};
}

// Everything of the loop over steps: it ends with the last step, with a step that failed, or with Ctrl-C.
struct Loop {
  const sim::Model& model;
  const sim::Options& options;
  const sim::Scene& scene;
  std::int64_t steps;
  sim::ResultFile& file;
  spdlog::logger& log;
  Summary& summary;
  Soundness& soundness;
  ProblemDumps& dumps;
  const sim::Thickness& thickness;
  bool show_progress;

  Ending run(sim::State state) {
    sim::Stepper stepper = make_stepper(options, thickness);
    const sim::StepRecords last = records(stepper);
    if (file.last_frame() < 0) append_frame(state, last);
    file.append_checkpoint(state);
    last.solved = state.contacts.contacts;  // where the first step after a checkpoint fails, its state is a frame
    split_limits(last.solved, last.limits);
    Progress progress(steps, show_progress);
    SqueezedElements squeezed;
    Ending ending;
    double output_seconds = 0;
    while (state.step < steps && ending.exit_status == exit_done) {
      if (auto* scratch = std::get_if<sim::Scratch>(&stepper)) dumps.prepare(state.step + 1, *scratch);
      sim::StepReport report = advance(model, options, state, stepper);
      if (report.status == sim::StepStatus::interrupted) {
        ending = interrupted();
        keep(state, last, true);
        break;
      }
      sim::Stopwatch watch;
      report.t_output = output_seconds;
      report.t_total += output_seconds;
      file.append_step(
          report, last.trace,
          scene.output.objects ? sim::object_rows(model, state, last.solved, report) : std::vector<sim::ObjectRow>{});
      if (const auto* scratch = std::get_if<sim::Scratch>(&stepper)) dumps.write(report, *scratch, log);
      if (!report.accepted) {
        ending = stopped(model, options, state, report);
      } else if (report.status != sim::StepStatus::converged) {
        progress.clear();
        log.warn("step {}: {}: {}", report.step, to_string(report.status), report.reason);
      }
      if (report.accepted) soundness.add(report);
      if (report.accepted) squeezed.look_at(report, model, state, progress, log);
      if (report.accepted && options.contact.stop.asked() && state.step < steps) ending = interrupted();
      keep(state, last, ending.exit_status != exit_done || state.step == steps);
      output_seconds = watch.lap();
      summary.add(report);
      log.debug(
          "step {} t {:.6g} s: {} contacts{}, {} iterations, {} re-linearisations, {} parts, residual {:.3g}, {:.3f} "
          "ms",
          report.step, report.time, report.contacts, gap_text(report, ", gap %.3g m"), report.iterations,
          report.relinearizations, report.substeps, report.residual, 1e3 * report.t_total);
      progress.update(report);
    }
    ending.step = state.step;
    return ending;
  }

  void keep(const sim::State& state, const sim::StepRecords& records, bool last) {
    if (state.step != file.last_frame() && (last || state.step % scene.output.every == 0))
      append_frame(state, records);
    if (last || state.step % scene.output.checkpoint == 0) file.append_checkpoint(state);
  }

  void append_frame(const sim::State& state, const sim::StepRecords& records) {
    file.append_frame(state, records.solved, sim::tet_fields(model, state.x, asked_fields(scene.output)),
                      records.limits);
  }
};

void tell_of_disabled_contact(const sim::Scene& scene, spdlog::logger& log) {
  if (!scene.contact.enabled) {
    log.info("contact.enabled is false: objects pass through each other and through themselves");
  }
}

// What a run is made of, whether it begins or goes on.
struct Plan {
  sim::Scene scene;
  std::optional<Resumption> resumption;
  std::string path;  // of the result
  bool trace = false;

  bool in_place() const { return resumption && resumption->in_place; }
};

void refuse_dump_of_steps_that_solve_nothing(const CommandLine& command_line, const sim::Scene& scene) {
  const std::string& method = scene.solver.method;
  if (command_line.dump_problem.empty() || sim::stepper_of(method) == sim::StepperKind::implicit) return;
  throw sim::InputError("--dump-problem: the method \"" + method +
                        "\" makes no contact problem; a run with another one (--solver auto) does");
}

Plan make_plan(const CommandLine& command_line) {
  Plan plan;
  plan.trace = command_line.trace;
  if (command_line.resume.empty()) {
    plan.scene = sim::read_scene(command_line.scene, command_line.overrides);
    if (command_line.steps) sim::set_steps(*command_line.steps, plan.scene);
  } else {
    plan.resumption = plan_resumption(command_line);
    plan.scene = plan.resumption->scene;
    plan.trace = plan.resumption->trace;
  }
  plan.path = result_path(command_line);
  refuse_dump_of_steps_that_solve_nothing(command_line, plan.scene);
  refuse_to_replace(command_line, plan.scene, plan.path);
  return plan;
}

sim::Model load_model(const CommandLine& command_line, const sim::Scene& scene, spdlog::logger& log) {
  sim::LoadReport notes;
  try {
    sim::Model model = sim::load_model(scene, notes);
    for (const std::string& note : notes.notes) log.info(note);
    for (const std::string& warning : notes.warnings) log.warn(warning);
    return model;
  } catch (const sim::FileError& error) {
    if (command_line.resume.empty() || !command_line.scene.empty()) throw;
    throw sim::FileError(std::string(error.what()) +
                         "\nWhere scene and meshes have moved, name the scene too: simrun " + "scene.json --resume " +
                         command_line.resume);
  }
}

// What its frames are may overlap.
bool overlaps(const sim::Scene& scene) {
  return !scene.contact.enabled ||
         (scene.solver.as_published && sim::stepper_of(scene.solver.method) == sim::StepperKind::local);
}

sim::State first_state(const Plan& plan, const sim::Model& model) {
  const bool checked = plan.resumption && (!overlaps(plan.resumption->before) || overlaps(plan.scene));
  sim::State state = plan.resumption ? resumed_state(*plan.resumption, model) : initial_state(model);
  if (plan.scene.contact.enabled && !checked) {
    refuse_initial_overlaps(model, model.surface, state, plan.scene.source, overlaps_path(plan.path));
  }
  return state;
}

void refuse_at_end(const Plan& plan) {
  if (!plan.resumption) return;
  const std::int64_t step = plan.resumption->step, steps = steps_of(plan.scene);
  // A run that was killed between its last step and its end has that end left to write.
  const bool ended = !plan.in_place() || plan.resumption->info.status == "done";
  if (step < steps || (step == steps && !ended)) return;
  const std::string at = std::to_string(step), end = std::to_string(steps);
  throw sim::InputError(plan.resumption->file +
                        (step == steps ? ": is at its end after step " + at + " of " + end
                                       : ": is at step " + at + " already, and the run is to end with step " + end) +
                        ", nothing is left to do; a longer --duration goes on");
}

void tell_of_resumption(const Plan& plan, const sim::State& state, spdlog::logger& log) {
  if (!plan.resumption) return;
  log.info("{}: going on after step {}, at {:.6g} s", plan.resumption->file, state.step, state.time);
  if (plan.resumption->info.program_version == sim::program_version()) return;
  log.warn("{} was written by version {}, this is {}: what follows may not be what that version would have done",
           plan.resumption->file, plan.resumption->info.program_version, sim::program_version());
}

sim::ResultHeader make_header(const CommandLine& command_line, const Plan& plan) {
  std::error_code none;
  sim::ResultHeader header{.scene_json = plan.scene.json,
                           .scene_folder = std::filesystem::weakly_canonical(plan.scene.folder, none).string(),
                           .solver = plan.scene.solver.method,
                           .threads = sim::thread_count(),
                           .command_line = command_line.text,
                           .program_version = sim::program_version(),
                           .velocities = plan.scene.output.velocities,
                           .compression = plan.scene.output.compression,
                           .contacts = plan.scene.output.contacts,
                           .of_tets = asked_fields(plan.scene.output),
                           .contact_forces = plan.scene.output.contact_forces,
                           .tension = plan.scene.output.tension,
                           .trace = plan.trace,
                           .objects = plan.scene.output.objects,
                           .history = plan.scene.time.scheme == sim::TimeScheme::generalized_alpha,
                           .events = sim::stepper_of(plan.scene.solver.method) == sim::StepperKind::asynchronous,
                           .every = plan.scene.output.every,
                           .last_step = steps_of(plan.scene),
                           .checkpoint = plan.scene.output.checkpoint};
  if (plan.in_place()) {
    header.command_line = plan.resumption->info.command_line + "\n" + command_line.text;
    header.origin = plan.resumption->info.origin;
  } else if (plan.resumption) {
    header.origin = plan.resumption->file + ", step " + std::to_string(plan.resumption->step);
  }
  return header;
}

// What is kept of the file is copied to a new one first; where there is no room for that, nothing has happened.
sim::ResultFile go_on_in_place(const std::string& path, const sim::Model& model, const sim::ResultHeader& header,
                               const sim::State& state) {
  try {
    return {path, model, header, state};
  } catch (const sim::FileError& error) {
    const std::string reason = error.what();
    const auto is = [&](int number) { return reason.find(std::strerror(number)) != std::string::npos; };
    if (!is(ENOSPC) && !is(EDQUOT) && !is(EFBIG)) throw;
    throw sim::FileError(reason +
                         "\nThe old file is untouched. To go on in it takes room for a second copy of it: make "
                         "room, or go on in a file elsewhere with -o");
  }
}

// The result could not be written any further: what was is whole, and may be gone on with.
[[noreturn]] void tell_how_to_go_on(const std::string& path, const sim::FileError& error) {
  std::int64_t step = 0;
  try {
    step = sim::checkpoint_steps(path).back();
  } catch (const sim::FileError&) {
    throw error;
  }
  throw sim::FileError(std::string(error.what()) + "\nAll frames before are kept, and the state after step " +
                       std::to_string(step) + ". When there is room again, go on with: simrun --resume " + path);
}

}  // namespace

int run(const CommandLine& command_line) {
  const Plan plan = make_plan(command_line);
  const auto& [scene, resumption, path, trace] = plan;
  if (command_line.print_scene) {
    std::printf("%s\n", scene.json.c_str());
    apps::finish_output("the scene");
    return exit_done;
  }
  refuse_at_end(plan);
  spdlog::logger log = make_log(command_line);
  apps::use_threads(command_line.threads);
  const sim::Model model = load_model(command_line, scene, log);
  const std::int64_t steps = steps_of(scene);
  sim::State state = first_state(plan, model);
  sim::Options options = sim::make_options(scene, model);
  const std::string description = describe_model(scene, model, options, steps);
  const sim::AsyncAdvice advice =
      options.stepper == sim::StepperKind::asynchronous ? sim::advise(model, options) : sim::AsyncAdvice{};
  if (command_line.validate) {
    tell_of_resumption(plan, state, log);
    std::fputs((description + advice.description).c_str(), stdout);
    apps::finish_output("what would run");
    tell_of_disabled_contact(scene, log);
    for (const std::string& warning : sim::stiff_bodies(model, sim::Thin::all)) log.warn(warning);
    for (const std::string& warning : advice.warnings) log.warn(warning);
    return exit_done;
  }
  log.debug("{}", description);

  // Before there is a file, so that whoever sees it may interrupt the run.
  sim::stop_when(apps::stop_on_interrupt(), options);
  std::signal(SIGXFSZ, SIG_IGN);  // a limit on the size of files is an error of the write, like a full disk
  const sim::ResultHeader header = make_header(command_line, plan);
  std::error_code none;
  const bool replaces = !plan.in_place() && std::filesystem::exists(path, none);
  Soundness soundness(model, options);
  if (plan.in_place()) soundness.add_until(resumption->step, sim::ResultReader(path));
  sim::ResultFile file =
      plan.in_place() ? go_on_in_place(path, model, header, state) : sim::ResultFile(path, model, header);
  if (replaces) log.info("{}: the older result of that name has been replaced", path);
  tell_of_resumption(plan, state, log);
  tell_of_disabled_contact(scene, log);
  if (!plan.resumption) {
    for (const std::string& warning : sim::stiff_bodies(model, sim::Thin::twice_as_stiff)) log.warn(warning);
    for (const std::string& warning : advice.warnings) log.warn(warning);
  }
  log.info("{}: {}, {} unknowns, {} of {} s, result in {}",
           scene.name.empty() ? std::filesystem::path(path).stem().string() : scene.name,
           counted(static_cast<std::int64_t>(model.objects.size()), "object"), 3 * model.plan.pattern.rows(),
           counted(steps, "step"), scene.time.step, path);

  sim::Stopwatch watch;
  Summary summary;
  ProblemDumps dumps(path, scene.solver.method, command_line.dump_problem, command_line.dump_hardest);
  options.trace = trace;
  const bool shows = command_line.verbosity == Verbosity::normal;
  Loop loop{model, options, scene, steps, file, log, summary, soundness, dumps, advice.thickness, shows};
  Ending ending;
  try {
    ending = loop.run(std::move(state));
    file.finish(ending.status, ending.reason);
  } catch (const sim::FileError& error) {
    tell_how_to_go_on(path, error);
  }
  dumps.finish(ending.step, log);
  if (dumps.failed() && ending.exit_status == exit_done) ending.exit_status = exit_file;

  log.log(ending.exit_status == exit_stopped ? spdlog::level::err : spdlog::level::info, "{}{}", ending.status,
          ending.reason.empty() ? "" : ": " + ending.reason);
  if (summary.unconverged() > 0) {  // said with --quiet, too
    log.error("{} of {} steps did not converge and were accepted all the same (solver.on_failure=continue)",
              summary.unconverged(), summary.steps());
  }
  if (summary.inverted() > 0) {
    log.error(
        "{} of {} steps ended with tetrahedra turned inside out: their shapes, forces and energies are not to be "
        "trusted",
        summary.inverted(), summary.steps());
  }
  for (const std::string& words : soundness.words()) log.error("unsound: {} (simcheck {} tells more)", words, path);
  log.info("{} in {:.2f} s on {}\n{}  result in {}", counted(summary.steps(), "step"), watch.lap(),
           counted(sim::thread_count(), "thread"), summary.table(), path);
  if (ending.exit_status == exit_interrupted) log.info("go on with: simrun --resume {}", path);
  return ending.exit_status;
}

}  // namespace simrun
