#include <cstdio>
#include <exception>
#include <iostream>
#include <thread>

#include "command_line.hpp"
#include "exit_status.hpp"
#include "judge.hpp"
#include "math/error.hpp"
#include "math/parallel.hpp"
#include "report.hpp"

namespace {

int fail(const std::exception& error, int exit_status) {
  std::cerr << "simcheck: " << error.what() << '\n';
  return exit_status;
}

int run(const simcheck::CommandLine& command_line) {
  sim::set_thread_count(command_line.threads > 0 ? command_line.threads
                                                 : static_cast<int>(std::thread::hardware_concurrency()));
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
  try {
    const simcheck::Parsed parsed = simcheck::parse_command_line(argc, argv);
    return parsed.exit_status ? *parsed.exit_status : run(parsed.command_line);
  } catch (const sim::InputError& error) {
    return fail(error, simcheck::exit_usage);
  } catch (const sim::FileError& error) {
    return fail(error, simcheck::exit_file);
  } catch (const std::bad_alloc&) {
    std::cerr << "simcheck: out of memory\n";
    return simcheck::exit_file;
  }
}
