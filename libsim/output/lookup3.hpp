// Bob Jenkins' hash lookup3 ("hashlittle"), the checksum of HDF5's metadata blocks (HDF5 File Format
// Specification 3.0).
#pragma once

#include <cstddef>
#include <cstdint>

namespace sim::hdf5 {

// `size` must be a multiple of four and at least four.
std::uint32_t lookup3(const unsigned char* data, std::size_t size, std::uint32_t seed = 0);

}  // namespace sim::hdf5
