// A result file is read whole, or what is wrong with it is a FileError.
#include <algorithm>

#include "fuzz/damage.hpp"
#include "fuzz/files.hpp"
#include "math/error.hpp"
#include "output/result_reader.hpp"

namespace {

void read_all(const std::string& path) {
  const sim::ResultReader result(path);
  static_cast<void>(result.rest_mesh());
  static_cast<void>(result.objects());
  for (std::int64_t frame = 0; frame < std::min<std::int64_t>(result.frame_count(), 3); ++frame) {
    static_cast<void>(result.frame_time(frame) + static_cast<double>(result.frame_step(frame)));
    static_cast<void>(result.positions(frame));
    if (result.has_velocities()) static_cast<void>(result.velocities(frame));
  }
  for (const char* name : {"iterations", "status", "momentum", "min_gap"}) {
    if (result.has_step_column(name)) static_cast<void>(result.step_column(name));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::string whole = fuzz::whole_file();
  const std::string path = fuzz::path_of("result.h5");
  fuzz::damage(whole, path, data, size);
  try {
    if (sim::is_result_file(path)) read_all(path);
  } catch (const sim::FileError&) {
  }
  return 0;
}
