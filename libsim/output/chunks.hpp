// How many rows of a growing dataset make a chunk. Few chunks keep the blocks of its index within a page of the file
// cache, where a kill cannot divide them (commit_driver.hpp): so the more rows a run is going to write, the longer
// its chunks are. What is not written of a chunk is a hole of the file. For sources of this room only.
#pragma once

#include <algorithm>

#include "output/hdf5.hpp"

namespace sim {

constexpr hsize_t most_chunks = 8000;  // of a dataset; from 8180 on a block of its index outgrows a page

// The least that is enough for `planned` rows, but `usual` at least and `most` at most. A short run has no use for
// the usual ones: as many as are planned will do, or a few where it should go on.
inline hsize_t rows_of_chunk(hsize_t usual, hsize_t planned, hsize_t most) {
  constexpr hsize_t few = 16;
  usual = std::min(usual, std::max(planned, few));
  return std::clamp((planned + most_chunks - 1) / most_chunks, usual, std::max(usual, most));
}

// Of datasets of single numbers.
inline hsize_t numbers_of_chunk(hsize_t planned) {
  constexpr hsize_t usual = 512, most = 1 << 16;
  return rows_of_chunk(usual, planned, most);
}

// Frames, or the positions and so on of checkpoints; `row` is the shape of one. Uncompressed, as many rows as make
// `usual_bytes` are a chunk; a row beyond four megabytes is divided into chunks of about the same size. Compressed
// chunks cannot be added to, so they hold one row; small rows, and more of them than chunks should be, are not
// compressed.
struct RowLayout {
  hdf5::Shape chunk;
  int compression = 0;
};
inline RowLayout row_layout(const hdf5::Shape& row, hsize_t planned, int compression, hsize_t usual_bytes) {
  constexpr hsize_t smallest_compressed = 32 << 10, most_bytes_of_piece = 4 << 20, most_bytes = 16 << 20;
  const hsize_t items = std::max<hsize_t>(1, row[0]), width = row.size() > 1 ? row[1] : 1;
  const hsize_t bytes = items * width * sizeof(double);
  const hsize_t pieces = (bytes + most_bytes_of_piece - 1) / most_bytes_of_piece;
  if (bytes < smallest_compressed || planned * pieces > most_chunks) compression = 0;
  const hsize_t usual = std::max<hsize_t>(1, usual_bytes / bytes), most = most_bytes / (bytes / pieces + 1);
  const hsize_t rows = compression > 0 ? 1 : rows_of_chunk(usual, planned * pieces, most);
  RowLayout layout{{rows, (items + pieces - 1) / pieces}, compression};
  if (row.size() > 1) layout.chunk.push_back(width);
  return layout;
}

}  // namespace sim
