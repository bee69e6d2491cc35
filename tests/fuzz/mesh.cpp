// A mesh file has vertices that its elements name and that are finite, or is an InputError or a FileError.
#include <cstdint>
#include <cstdlib>
#include <filesystem>

#include "fuzz/files.hpp"
#include "math/error.hpp"
#include "mesh/read.hpp"

namespace {

void expect(bool holds) {
  if (!holds) std::abort();
}

void check(const sim::Mesh& mesh) {
  const auto count = static_cast<sim::Index>(mesh.vertices.size());
  for (const sim::Tet& tet : mesh.tets) {
    for (const sim::Index v : tet) expect(v >= 0 && v < count);
  }
  for (const sim::Triangle& triangle : mesh.triangles) {
    for (const sim::Index v : triangle) expect(v >= 0 && v < count);
  }
  for (const sim::Vec3& x : mesh.vertices) expect(x.allFinite());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string format = FORMAT, path = fuzz::path_of("mesh." + format);
  if (format == "node") {  // two files in one: what comes after the first zero is the elements
    const std::uint8_t* cut = std::find(data, data + size, std::uint8_t{0});
    fuzz::write(path, data, static_cast<std::size_t>(cut - data));
    const std::uint8_t* rest = cut == data + size ? cut : cut + 1;
    fuzz::write(fuzz::path_of("mesh.ele"), rest, static_cast<std::size_t>(data + size - rest));
  } else {
    fuzz::write(path, data, size);
  }
  try {
    check(sim::read_mesh(path));
  } catch (const sim::InputError&) {
  } catch (const sim::FileError&) {
  }
  return 0;
}
