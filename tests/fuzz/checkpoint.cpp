// A checkpoint is a State of the model, or what is wrong with it is a FileError.
#include <cstdlib>

#include "fuzz/damage.hpp"
#include "fuzz/files.hpp"
#include "math/error.hpp"
#include "output/checkpoint.hpp"
#include "output/result_reader.hpp"
#include "scene/load.hpp"

namespace {

sim::Model model_of(const std::string& path) {
  const sim::ResultReader result(path);
  sim::LoadReport report;
  return sim::load_model(sim::parse_scene(result.info().scene, path, result.info().scene_folder), report);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::string whole = fuzz::whole_file();
  static const sim::Model model = model_of(whole);
  const std::string path = fuzz::path_of("checkpoint.h5");
  fuzz::damage(whole, path, data, size);
  try {
    for (const std::int64_t step : sim::checkpoint_steps(path)) {
      const sim::State state = sim::read_checkpoint(path, step, model);
      if (state.x.size() != static_cast<Eigen::Index>(3 * model.mesh.vertices.size())) std::abort();
    }
  } catch (const sim::FileError&) {
  }
  return 0;
}
