// Files of this process, in memory.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace fuzz {

inline std::string path_of(const std::string& name) {
  static const std::filesystem::path folder = [] {
    const std::filesystem::path made = "/dev/shm/simrun-fuzz-" + std::to_string(getpid());
    std::filesystem::create_directories(made);
    std::atexit([] { std::filesystem::remove_all("/dev/shm/simrun-fuzz-" + std::to_string(getpid())); });
    return made;
  }();
  return folder / name;
}

inline void write(const std::string& path, const std::uint8_t* data, std::size_t size) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr || std::fwrite(data, 1, size, file) != size || std::fclose(file) != 0) std::abort();
}

}  // namespace fuzz
