// Where the mesh files of the tests are, and files made up by a test.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "math/error.hpp"
#include "mesh/read.hpp"

namespace sim {

inline std::filesystem::path fixture(const std::string& name) {
  const char* root = std::getenv("SIMRUN_SOURCE_DIR");
  return std::filesystem::path(root ? root : ".") / "tests/data/meshes" / name;
}

inline std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

inline void write_file(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary).write(text.data(), static_cast<std::streamsize>(text.size()));
}

// A folder of its own for every test, gone when the test ends.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "simrun_read_XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = name;
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

// The mesh of a file with this name and text.
inline Mesh read_text(const std::string& name, const std::string& text) {
  const TemporaryFolder folder;
  write_file(folder / name, text);
  return read_mesh(folder / name);
}

// What reading says about the file, behind the folder; empty when nothing is wrong.
inline std::string complaint(const std::string& name, const std::string& text) {
  const TemporaryFolder folder;
  write_file(folder / name, text);
  try {
    read_mesh(folder / name);
  } catch (const InputError& error) {
    const std::string what = error.what();
    EXPECT_TRUE(what.starts_with(folder / "")) << what;
    return what.substr((folder / "").size());
  }
  return "";
}

// The text with the first `from` replaced; the test fails where there is none.
inline std::string with(std::string text, const std::string& from, const std::string& to) {
  const std::size_t place = text.find(from);
  EXPECT_NE(place, std::string::npos) << from;
  return place == std::string::npos ? text : text.replace(place, from.size(), to);
}

// Names a case of a parametrised test after its file.
inline std::string name_of_case(const testing::TestParamInfo<const char*>& info) {
  std::string name = info.param;
  for (char& c : name) {
    if (c == '.') c = '_';
  }
  return name;
}

}  // namespace sim
