// Writes frames until it is killed: what the kill test kills. Usage: frame_writer <file.h5> <vertices>
// [<milliseconds>]
//
// After every append_frame() the number of frames goes, as one line, to standard output. Frame k has position(k, i)
// (fixture.hpp), and ten rows of /steps come before each frame but the first. The third argument is the pause between
// frames.
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <thread>

#include "output/fixture.hpp"

int main(int count, char** arguments) try {
  if (count < 3) return 1;
  const auto vertices = static_cast<sim::Index>(std::atoi(arguments[2]));
  const auto pause = std::chrono::milliseconds(count > 3 ? std::atoi(arguments[3]) : 0);
  sim::ResultFile file(arguments[1], sim::testing::points(vertices), sim::testing::small_header());
  for (std::int64_t k = 0;; ++k) {
    for (std::int64_t step = 10 * k - 9; k > 0 && step <= 10 * k; ++step)
      file.append_step(sim::testing::numbered_report(step));
    file.append_frame(sim::testing::numbered_state(vertices, k));
    const std::string line = std::to_string(k + 1) + "\n";
    if (write(STDOUT_FILENO, line.data(), line.size()) < 0) return 1;
    std::this_thread::sleep_for(pause);
  }
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
