#include "mesh/read.hpp"

#include <algorithm>
#include <filesystem>

#include "math/error.hpp"
#include "mesh/read_formats.hpp"

namespace sim {
namespace {

struct Format {
  const char* ending;
  bool surface;
  Mesh (*read)(const std::string& path);
};

constexpr Format formats[] = {
    {".msh", false, read_gmsh}, {".node", false, read_tetgen}, {".ele", false, read_tetgen},
    {".vtk", false, read_vtk},  {".obj", true, read_obj},      {".off", true, read_off},
    {".ply", true, read_ply},   {".stl", true, read_stl},
};

std::string ending_of(const std::string& path) {
  std::string ending = std::filesystem::path(path).extension().string();
  for (char& c : ending) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return ending;
}

const Format* format_of(const std::string& path) {
  const auto* found = std::find_if(std::begin(formats), std::end(formats),
                                   [ending = ending_of(path)](const Format& f) { return ending == f.ending; });
  return found == std::end(formats) ? nullptr : found;
}

}  // namespace

bool is_surface_file(const std::string& path) {
  const Format* format = format_of(path);
  return format != nullptr && format->surface;
}

Mesh read_mesh(const std::string& path) {
  const Format* format = format_of(path);
  if (format == nullptr) {
    std::string known;
    for (const Format& f : formats) known += std::string(known.empty() ? "" : " ") + f.ending;
    throw InputError(path + ": expected a mesh file with one of the endings " + known + ", found \"" +
                     ending_of(path) + "\"");
  }
  Mesh mesh = format->read(path);
  if (format->surface && mesh.triangles.empty()) throw InputError(path + ": expected faces, found none in the file");
  if (!format->surface && mesh.tets.empty()) throw InputError(path + ": expected tets, found none in the file");
  return mesh;
}

}  // namespace sim
