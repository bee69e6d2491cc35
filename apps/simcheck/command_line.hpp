// What the user typed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace simcheck {

struct FrameChoice {  // begin, begin + step, ... below end
  std::int64_t begin = 0;
  std::optional<std::int64_t> end;  // none: to the last frame
  std::int64_t step = 1;
  std::string text;  // as given

  // Throws InputError where the file has none of these frames.
  std::vector<std::int64_t> of(std::int64_t frame_count) const;
};

struct CommandLine {
  std::string file;
  FrameChoice frames;
  bool json = false;
  int threads = 0;  // 0: all cores
};

// Either a file to judge, or an exit status because all has been printed (--help, --version, a usage error).
struct Parsed {
  CommandLine command_line;
  std::optional<int> exit_status;
};
Parsed parse_command_line(int argc, char** argv);

}  // namespace simcheck
