#include "resume.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>

#include "math/error.hpp"
#include "output/checkpoint.hpp"

namespace simrun {

namespace {

// What may change when a run goes on in its own file: where it ends, and how often it is made safe.
constexpr std::array may_change_in_place{"/time/duration", "/output/checkpoint"};
// What must stay in a new file too: the state is made of it.
constexpr std::array must_stay{"/time/step", "/meshes", "/objects"};

bool is_within(const std::string& path, const std::string& part) {
  return path == part || path.rfind(part + "/", 0) == 0;
}

template <std::size_t n>
bool is_within(const std::string& path, const std::array<const char*, n>& parts) {
  return std::any_of(parts.begin(), parts.end(),
                     [&](const char* part) { return is_within(path, std::string(part)); });
}

// Of an object what no state is made of: "/objects/3/loads/0/pressure".
bool is_free_part_of_object(const std::string& path) {
  const std::string start = "/objects/";
  if (path.rfind(start, 0) != 0) return false;
  const std::size_t end = std::min(path.find('/', start.size()), path.size());
  return is_within(path.substr(end), "/loads") || is_within(path.substr(end), "/friction");
}

std::string described(const sim::SceneChange& change) {
  constexpr std::size_t most = 60;
  const auto shown = [](const std::string& value) {
    return value.empty() ? "missing" : value.size() > most ? value.substr(0, most) + "..." : value;
  };
  return "\n  " + change.path + ": " + shown(change.before) + " in the file, " + shown(change.after) + " now";
}

// The first differences that keep the run from going on; empty where there are none.
std::string obstacles(const Resumption& resumption) {
  constexpr int most_shown = 8;
  std::string text;
  int count = 0;
  for (const sim::SceneChange& change : sim::scene_changes(resumption.before, resumption.scene)) {
    const bool allowed = resumption.in_place
                             ? is_within(change.path, may_change_in_place)
                             : !is_within(change.path, must_stay) || is_free_part_of_object(change.path);
    if (allowed) continue;
    if (++count <= most_shown) text += described(change);
  }
  if (count > most_shown) text += "\n  ... and " + std::to_string(count - most_shown) + " more";
  return text;
}

void check_scene(const Resumption& resumption) {
  const std::string found = obstacles(resumption);
  if (found.empty()) return;
  const std::string remedy = resumption.in_place
                                 ? "\nA run goes on in its own file only as it was: time.duration "
                                   "and output.checkpoint may change. To go on "
                                   "in another way from the same state, write a new file with -o"
                                 : "\nThe state is that of these meshes, objects and steps: only "
                                   "solver, contact, materials, gravity, loads and friction of objects, output, "
                                   "time.duration and the name may change";
  throw sim::InputError(resumption.file + ": is a run of another scene:" + found + remedy);
}

// Contacts of an implicit step rest thousands of layers deep.
void check_method(const Resumption& resumption) {
  const auto is_asynchronous = [](const sim::Scene& scene) {
    return sim::stepper_of(scene.solver.method) == sim::StepperKind::asynchronous;
  };
  if (!is_asynchronous(resumption.scene) || is_asynchronous(resumption.before)) return;
  throw sim::InputError(resumption.file + ": is a run of \"" + resumption.before.solver.method +
                        "\", whose contacts are micrometres apart where those of \"" +
                        resumption.scene.solver.method +
                        "\" keep most of acm.thickness: start it from the scene file, not from a state");
}

std::int64_t choose_step(const CommandLine& command_line, bool in_place) {
  const std::vector<std::int64_t> steps = sim::checkpoint_steps(command_line.resume);
  if (!command_line.from) return steps.back();
  const std::int64_t wanted = *command_line.from;
  const auto next = std::lower_bound(steps.begin(), steps.end(), wanted);
  if (next == steps.end() || *next != wanted) {
    std::string nearest;
    if (next != steps.begin()) nearest = std::to_string(*(next - 1));
    if (next != steps.end()) nearest += (nearest.empty() ? "" : " and ") + std::to_string(*next);
    throw sim::InputError(command_line.resume + ": has no checkpoint of step " + std::to_string(wanted) +
                          ", the nearest: " + nearest + " (output.checkpoint of the scene says how often)");
  }
  if (in_place && wanted != steps.back()) {
    throw sim::InputError(command_line.resume + ": --from " + std::to_string(wanted) +
                          " would drop what comes after it, up to step " + std::to_string(steps.back()) +
                          "; write a new file with -o");
  }
  return wanted;
}

void check_output(const CommandLine& command_line) {
  std::error_code none;
  if (!std::filesystem::equivalent(command_line.output, command_line.resume, none)) return;
  throw sim::InputError(
      "-o " + command_line.output +
      ": is the file to resume from. Without -o the run goes on in it; another name starts a new one");
}

}  // namespace

Resumption plan_resumption(const CommandLine& command_line) {
  Resumption resumption;
  resumption.file = command_line.resume;
  resumption.in_place = command_line.output.empty();
  if (!resumption.in_place) check_output(command_line);
  const sim::ResultReader reader(command_line.resume);
  resumption.info = reader.info();
  resumption.step = choose_step(command_line, resumption.in_place);

  const std::string source = command_line.resume + ": scene", &folder = resumption.info.scene_folder;
  resumption.before = sim::parse_scene(resumption.info.scene, source, folder.empty() ? "." : folder);
  resumption.scene = command_line.scene.empty() ? sim::parse_scene(resumption.info.scene, source,
                                                                   resumption.before.folder, command_line.overrides)
                                                : sim::read_scene(command_line.scene, command_line.overrides);
  if (command_line.steps) sim::set_steps(*command_line.steps, resumption.scene);
  check_scene(resumption);
  check_method(resumption);

  resumption.trace = resumption.in_place ? reader.has_trace() : command_line.trace;
  if (command_line.trace && !resumption.trace) {
    throw sim::InputError(command_line.resume +
                          ": was begun without --trace and cannot be continued with it; write a new file with -o");
  }
  return resumption;
}

sim::State resumed_state(const Resumption& resumption, const sim::Model& model) {
  sim::State state = sim::read_checkpoint(resumption.file, resumption.step, model);
  if (!resumption.scene.contact.enabled) state.contacts = {};
  if (resumption.scene.time.scheme != sim::TimeScheme::generalized_alpha) state.history = {};
  const auto& object = model.surface.vertex_object;
  sim::remove_contacts(state.contacts, [&](const sim::Contact& c) {
    return model.surface.groups.never_touch(object[c.vertices[0]], object[c.vertices[3]]);
  });
  return state;
}

}  // namespace simrun
