// Runs a program as a user would, and says what it printed and how it ended.
#pragma once

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <string>

namespace sim::test {

struct Outcome {
  int exit_status = -1;  // 128 and the signal's number where one ended it, as a shell has it
  std::string text;      // what it wrote to stdout and stderr
};

inline Outcome run(const std::string& command) {
  Outcome outcome;
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return outcome;
  std::array<char, 4096> buffer;
  while (const std::size_t count = fread(buffer.data(), 1, buffer.size(), pipe))
    outcome.text.append(buffer.data(), count);
  const int status = pclose(pipe);
  if (WIFEXITED(status)) outcome.exit_status = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) outcome.exit_status = 128 + WTERMSIG(status);
  return outcome;
}

}  // namespace sim::test
