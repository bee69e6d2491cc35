#include "command_line.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>

#include "common/program.hpp"
#include "exit_status.hpp"
#include "math/error.hpp"
#include "output/version.hpp"

namespace simcheck {

namespace {

const char* const footer = R"(Examples:
  simcheck out.h5                      a table and a verdict
  simcheck out.h5 --frames 100:        from frame 100 on;  0:500:10 every tenth of the first 500;  7 only this one
  simcheck out.h5 --json > out.json    everything, for scripts

Exit status: 0 clean; 1 usage; 2 a frame intersects; 3 the file cannot be read; 4 unsound: no frame
intersects, but energy came from nothing, or nothing bears the loads of a quasi-static step, or the file contradicts
itself or holds numbers that are not finite; 5 none of these, but a frame has tetrahedra turned inside out.
docs/simcheck.md says what is judged, and what is not.)";

std::int64_t parse_number(const std::string& text, std::int64_t least, const std::string& all) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < least) {
    throw sim::InputError("--frames " + all +
                          ": expected one frame (7) or begin:end or begin:end:step, counted from 0, " +
                          "the end not included, a step of 1 or more");
  }
  return value;
}

FrameChoice parse_frames(const std::string& text) {
  FrameChoice choice;
  choice.text = text;
  std::vector<std::string> parts{""};
  for (const char c : text) {
    if (c == ':') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  if (parts.size() > 3) parse_number("", 0, text);
  if (parts.size() == 1 || !parts[0].empty()) choice.begin = parse_number(parts[0], 0, text);
  if (parts.size() == 1) choice.end = choice.begin + 1;
  if (parts.size() > 1 && !parts[1].empty()) choice.end = parse_number(parts[1], 0, text);
  if (parts.size() > 2 && !parts[2].empty()) choice.step = parse_number(parts[2], 1, text);
  return choice;
}

}  // namespace

std::vector<std::int64_t> FrameChoice::of(std::int64_t frame_count) const {
  std::vector<std::int64_t> frames;
  const std::int64_t last = std::min(end.value_or(frame_count), frame_count) - 1;
  for (std::int64_t frame = begin; frame <= last; frame += std::min(step, frame_count)) frames.push_back(frame);
  if (frames.empty()) {
    throw sim::InputError("--frames " + text + " chooses nothing: the file has the frames 0 to " +
                          std::to_string(frame_count - 1));
  }
  return frames;
}

Parsed parse_command_line(int argc, char** argv) {
  Parsed parsed;
  CommandLine& line = parsed.command_line;
  CLI::App app{
      "simcheck: judges a result file of simrun: intersections by exact arithmetic, volumes, momentum, energy, "
      "statuses",
      "simcheck"};
  app.footer(footer);
  apps::name_program_in_errors(app);
  app.set_version_flag("--version", apps::version_text("simcheck", sim::program_version(), true));
  std::string frames;
  app.add_option("file", line.file, "Result file (HDF5)")->required();
  app.add_option("--frames", frames, "Frames to judge, begin:end[:step]; default: all");
  app.add_flag("--json", line.json, "Print one JSON object instead of the table");
  apps::add_threads_option(app, "The judgement", line.threads);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    parsed.exit_status = app.exit(error) == 0 ? exit_clean : exit_usage;
    return parsed;
  }
  if (!frames.empty()) line.frames = parse_frames(frames);
  return parsed;
}

}  // namespace simcheck
