#include <iostream>

#include "command_line.hpp"
#include "common/program.hpp"
#include "exit_status.hpp"
#include "judge.hpp"
#include "math/error.hpp"
#include "report.hpp"

namespace {

int run(const simcheck::CommandLine& command_line) {
  apps::use_threads(command_line.threads);
  const simcheck::Subject subject = simcheck::open_subject(command_line.file);
  if (subject.reader.frame_count() == 0)
    throw sim::FileError(command_line.file + ": holds no frame (the run has only begun, or was killed at once)");
  const simcheck::Judgement judgement =
      simcheck::judge(subject, command_line.frames.of(subject.reader.frame_count()));
  std::cout << (command_line.json ? json_text(subject, judgement) : table_text(subject, judgement)) << std::flush;
  if (!std::cout) throw sim::FileError("the judgement cannot be written to the standard output");
  return simcheck::exit_status(judgement);
}

}  // namespace

int main(int argc, char** argv) {
  return apps::exit_status_of("simcheck", simcheck::exit_file, [&] {
    const simcheck::Parsed parsed = simcheck::parse_command_line(argc, argv);
    return parsed.exit_status ? *parsed.exit_status : run(parsed.command_line);
  });
}
