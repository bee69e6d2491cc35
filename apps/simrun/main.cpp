#include "command_line.hpp"
#include "common/program.hpp"
#include "exit_status.hpp"
#include "run.hpp"

int main(int argc, char** argv) {
  return apps::exit_status_of("simrun", simrun::exit_stopped, [&] {
    const simrun::Parsed parsed = simrun::parse_command_line(argc, argv);
    return parsed.exit_status ? *parsed.exit_status : simrun::run(parsed.command_line);
  });
}
