#include <exception>
#include <iostream>

#include "command_line.hpp"
#include "exit_status.hpp"
#include "math/error.hpp"
#include "run.hpp"

namespace {

int fail(const std::exception& error, int exit_status) {
  std::cerr << "simrun: " << error.what() << '\n';
  return exit_status;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const simrun::Parsed parsed = simrun::parse_command_line(argc, argv);
    return parsed.exit_status ? *parsed.exit_status : simrun::run(parsed.command_line);
  } catch (const sim::InputError& error) {
    return fail(error, simrun::exit_usage);
  } catch (const sim::FileError& error) {
    return fail(error, simrun::exit_file);
  } catch (const std::bad_alloc&) {
    std::cerr << "simrun: out of memory\n";
    return simrun::exit_stopped;
  }
}
