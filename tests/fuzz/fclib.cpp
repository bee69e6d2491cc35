// A problem in the format of FCLIB has rows and columns that fit, or is refused.
#include "output/fclib.hpp"
#include "fuzz/damage.hpp"
#include "fuzz/files.hpp"
#include "math/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::string whole = fuzz::whole_file();
  const std::string path = fuzz::path_of("problem.hdf5");
  fuzz::damage(whole, path, data, size);
  try {
    if (!sim::is_fclib_file(path)) return 0;
    const sim::FclibProblem read = sim::read_fclib(path);
    if (read.solution) static_cast<void>(sim::from_fclib(read.problem, *read.solution));
  } catch (const sim::FileError&) {
  } catch (const sim::InputError&) {
  }
  return 0;
}
