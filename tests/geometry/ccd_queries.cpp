#include "geometry/ccd_queries.hpp"

#include <gmpxx.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace sim::reference {

namespace fs = std::filesystem;

namespace {

std::vector<fs::path> entries(const fs::path& folder) {
  std::vector<fs::path> result;
  if (!fs::is_directory(folder)) return result;
  for (const auto& entry : fs::directory_iterator(folder)) result.push_back(entry.path());
  std::sort(result.begin(), result.end());
  return result;
}

// One row: numerator, denominator for x, y, z, then the answer.
void read_row(const std::string& line, Vec3& point, CcdQuery& query) {
  std::istringstream fields(line);
  std::string field[7];
  for (std::string& f : field) {
    if (!std::getline(fields, f, ',')) throw std::runtime_error("a row of seven numbers was expected: " + line);
  }
  for (int c = 0; c < 3; ++c) {
    mpq_class value(field[2 * c] + "/" + field[2 * c + 1]);
    value.canonicalize();
    point[c] = value.get_d();
    query.exact = query.exact && mpq_class(point[c]) == value;
  }
  query.hit = std::stoi(field[6]) != 0;
}

void read_file(const fs::path& path, std::vector<CcdQuery>& queries) {
  std::ifstream file(path);
  CcdQuery query;
  std::string line;
  for (int row = 0; std::getline(file, line); row = (row + 1) % 8) {
    if (row == 0) query = {};
    read_row(line, row < 4 ? query.points.x0[row] : query.points.x1[row - 4], query);
    if (row == 7) queries.push_back(query);
  }
}

}  // namespace

std::string ccd_queries_folder() {
  if (const char* folder = std::getenv("CCD_QUERIES_DIR")) return folder;
  const char* sources = std::getenv("SIMRUN_SOURCE_DIR");
  return (fs::path(sources != nullptr ? sources : ".") / "tests/data/ccd-queries").string();
}

std::vector<CcdQuerySet> read_ccd_queries(const std::string& folder) {
  std::vector<CcdQuerySet> result;
  for (const fs::path& path : entries(folder)) {
    if (!fs::is_directory(path)) continue;
    CcdQuerySet set;
    set.name = path.filename().string();
    for (const fs::path& file : entries(path / "vertex-face")) read_file(file, set.vertex_face);
    for (const fs::path& file : entries(path / "edge-edge")) read_file(file, set.edge_edge);
    result.push_back(std::move(set));
  }
  return result;
}

}  // namespace sim::reference
