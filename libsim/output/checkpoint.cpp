#include "output/checkpoint.hpp"

#include <algorithm>

#include "math/error.hpp"
#include "output/checkpoint_tables.hpp"
#include "output/result_reader.hpp"

namespace sim {

namespace {

const std::string regular = std::string("/") + checkpoint_group;
const std::string last = regular + "/" + last_checkpoint;

template <class Work>
auto guarded(const std::string& path, const Work& work) {
  try {
    return work();
  } catch (const hdf5::Failure& error) {
    throw FileError(path + ": " + error.what());
  }
}

bool same(Range a, Range b) {
  return a.begin == b.begin && a.end == b.end;
}

void check_model(const ResultReader& reader, const std::string& path, const Model& model) {
  const auto refuse = [&](const std::string& what) {
    throw FileError(path + ": " + what +
                    " than what its scene makes now: its mesh files, or how this version makes meshes, have changed "
                    "since, and its states do not fit any more");
  };
  const std::vector<ResultObject> objects = reader.objects();
  const bool same_objects =
      objects.size() == model.objects.size() &&
      std::equal(objects.begin(), objects.end(), model.objects.begin(), [](const ResultObject& a, const Object& b) {
        return a.name == b.name && a.type == to_string(b.type) && same(a.vertices, b.vertices) &&
               same(a.tets, b.tets) && same(a.triangles, b.triangles);
      });
  if (!same_objects) refuse("/model/objects has other objects");
  const Mesh mesh = reader.rest_mesh();
  if (mesh.vertices != model.mesh.vertices) refuse("/model/rest_positions has other vertices");
  if (mesh.tets != model.mesh.tets) refuse("/model/tets has other tetrahedra");
  if (mesh.triangles != model.mesh.triangles) refuse("/model/triangles has other triangles");
}

}  // namespace

std::vector<std::int64_t> checkpoint_steps(const std::string& path) {
  const ResultReader is_result(path);
  return guarded(path, [&] {
    const hdf5::Handle file = hdf5::open_file(path);
    if (!hdf5::exists(file, regular))
      throw FileError(path + ": holds no checkpoint to go on from: " + is_result.info().program_version +
                      " did not write any. Run its scene anew");
    std::vector<std::int64_t> steps = hdf5::read_integers(file, regular + "/step");
    if (hdf5::exists(file, last)) {
      for (const std::int64_t step : hdf5::read_integers(file, last + "/step")) {
        if (steps.empty() || step > steps.back()) steps.push_back(step);
      }
    }
    if (steps.empty())
      throw FileError(path +
                      ": holds no checkpoint to go on from: the run was killed before its first. Run its "
                      "scene anew");
    return steps;
  });
}

State read_checkpoint(const std::string& path, std::int64_t step, const Model& model) {
  check_model(ResultReader(path), path, model);
  return guarded(path, [&] {
    const hdf5::Handle file = hdf5::open_file(path);
    const std::vector<std::int64_t> steps = hdf5::read_integers(file, regular + "/step");
    const auto found = std::find(steps.begin(), steps.end(), step);
    if (found != steps.end())
      return read_checkpoint_row(file, regular, static_cast<hsize_t>(found - steps.begin()), model);
    if (hdf5::exists(file, last) && hdf5::read_integers(file, last + "/step") == std::vector<std::int64_t>{step})
      return read_checkpoint_row(file, last, 0, model);
    throw hdf5::Failure("there is no checkpoint of step " + std::to_string(step));
  });
}

}  // namespace sim
