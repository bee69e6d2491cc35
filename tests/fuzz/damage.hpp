// Damage to what an HDF5 file says, not to how HDF5 stores it: the library that reads that is not ours.
#pragma once

#include <cstdint>
#include <string>

namespace fuzz {

// Copies `whole` to `path` and does to it what the bytes say, one command after the other:
//
//     dataset or attribute (2 bytes)   what (1 byte): overwrite n bytes at an offset, change its length, remove it
void damage(const std::string& whole, const std::string& path, const std::uint8_t* data, std::size_t size);

// The file that the environment variable SIMRUN_FUZZ_FILE names (scripts/fuzz.sh makes it).
std::string whole_file();

}  // namespace fuzz
