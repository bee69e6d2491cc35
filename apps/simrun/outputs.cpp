#include "outputs.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>

#include "math/error.hpp"
#include "output/result_reader.hpp"
#include "output/xdmf.hpp"
#include "scene/load.hpp"

namespace simrun {

namespace {

namespace fs = std::filesystem;

struct Output {
  std::string path;
  const char* what;
  const char* option;  // that names it
  std::function<bool(const std::string& path)> is_ours;
};

std::string beginning_of(const std::string& path) {
  std::string text(4096, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

// "2000-01-31 23:59:59.999 info: ..."
bool is_log(const std::string& path) {
  static constexpr std::string_view form = "0000-00-00 00:00:00.000 ";
  const std::string text = beginning_of(path);
  if (text.size() < form.size()) return false;
  return std::equal(form.begin(), form.end(), text.begin(), [](char expected, char found) {
    return expected == '0' ? found >= '0' && found <= '9' : found == expected;
  });
}

// Where writing to the path leads: links are followed, and "no/such/folder/.." is nothing.
fs::path place_of(const std::string& path) {
  std::error_code none;
  return fs::weakly_canonical(fs::absolute(path, none), none);
}

[[noreturn]] void refuse(const Output& output, const std::string& reason) {
  throw sim::FileError(output.path + ": " + reason + ", and the run would put its " + output.what +
                       " there; nothing was written. Choose another name with " + output.option);
}

void check_inputs(const Output& output, const sim::Scene& scene) {
  std::error_code none;
  const fs::path place = place_of(output.path);
  if (fs::equivalent(place, scene.source, none)) refuse(output, "is the scene file");
  for (const std::string& mesh : sim::mesh_files(scene)) {
    if (fs::equivalent(place, mesh, none)) refuse(output, "is a mesh file of the scene");
  }
  for (const std::string& poses : sim::pose_files(scene)) {
    if (fs::equivalent(place, poses, none)) refuse(output, "is a file of poses of the scene");
  }
}

void check_existing(const Output& output) {
  std::error_code none;
  const fs::path place = place_of(output.path);
  if (!fs::is_regular_file(place, none) || fs::file_size(place, none) == 0) return;
  if (!output.is_ours(place.string())) {
    refuse(output, std::string("exists and is no ") + output.what + " of simrun that may be replaced");
  }
}

}  // namespace

std::string overlaps_path(const std::string& result) {
  return fs::path(result).replace_extension(".overlaps.obj").string();
}

void refuse_to_replace(const CommandLine& command_line, const sim::Scene& scene, const std::string& result) {
  std::vector<Output> outputs{
      {result, "result file", "-o", sim::is_result_file},
      {sim::XdmfFile::path_of(result), "companion for ParaView", "-o",
       [](const std::string& path) { return beginning_of(path).find("<Xdmf") != std::string::npos; }},
      {overlaps_path(result), "list of overlaps", "-o",
       [](const std::string& path) { return beginning_of(path).rfind("# pairs of triangles", 0) == 0; }}};
  if (!command_line.log_file.empty()) {
    const Output log{command_line.log_file, "log file", "--log-file", is_log};
    for (const Output& other : outputs) {
      if (place_of(log.path) == place_of(other.path))
        refuse(log, std::string("is the ") + other.what + " of this run");
    }
    outputs.push_back(log);
  }
  for (const Output& output : outputs) {
    check_inputs(output, scene);
    check_existing(output);
  }
}

}  // namespace simrun
