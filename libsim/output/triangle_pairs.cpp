#include "output/triangle_pairs.hpp"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>

#include "math/error.hpp"

namespace sim {
namespace {

[[noreturn]] void fail(const std::string& path) {
  throw FileError(path + ": cannot be written: " + std::strerror(errno));
}

std::string group_name(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return std::isspace(c) != 0; }, '_');
  return text;
}

}  // namespace

void write_triangle_pairs(const std::string& path, std::span<const TrianglePairs> lists,
                          std::span<const Triangle> triangles, const VecX& x) {
  std::map<Index, int> number;  // in the file, of each vertex that is used
  for (const TrianglePairs& list : lists)
    for (const auto& pair : list.pairs)
      for (const Index t : pair)
        for (const Index v : triangles[t]) number[v] = 0;

  const std::unique_ptr<FILE, int (*)(FILE*)> closed(std::fopen(path.c_str(), "w"),
                                                     [](FILE* f) { return f != nullptr ? std::fclose(f) : 0; });
  FILE* file = closed.get();
  if (file == nullptr) fail(path);
  std::fputs("# pairs of triangles that intersect; numbers as in /model/triangles of the result file\n", file);
  int next = 0;
  for (auto& [vertex, place] : number) {
    place = ++next;
    const Vec3 p = block(x, vertex);
    std::fprintf(file, "v %.17g %.17g %.17g\n", p[0], p[1], p[2]);
  }
  for (const TrianglePairs& list : lists) {
    std::fprintf(file, "g %s\n", group_name(list.group).c_str());
    for (const auto& pair : list.pairs) {
      std::fprintf(file, "# %d %d\n", pair[0], pair[1]);
      for (const Index t : pair)
        std::fprintf(file, "f %d %d %d\n", number[triangles[t][0]], number[triangles[t][1]], number[triangles[t][2]]);
    }
  }
  if (std::fflush(file) != 0 || std::ferror(file) != 0) fail(path);
}

}  // namespace sim
