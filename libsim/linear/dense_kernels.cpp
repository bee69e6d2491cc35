#include "linear/dense_kernels.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace sim {

namespace {

#if defined(__AVX512F__)
constexpr Index lanes = 8, most_vectors = 3;
#else
constexpr Index lanes = 4, most_vectors = 2;
#endif
using Lanes = double __attribute__((vector_size(8 * lanes)));

constexpr Index strip = 6;            // columns at a time
constexpr Index rows_in_cache = 480;  // of X, at a depth of about a hundred

inline Lanes load(const double* from) {
  Lanes value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

inline void store(const Lanes& value, double* to) {
  std::memcpy(to, &value, sizeof value);
}

template <Index vectors, Index columns>
inline void tile(double* C, std::size_t c_stride, const double* X, std::size_t x_stride, const double* Z,
                 std::size_t z_stride, Index depth) {
  Lanes sum[columns][vectors] = {};
  for (Index k = 0; k < depth; ++k, X += x_stride, Z += z_stride) {
    Lanes x[vectors];
    for (Index v = 0; v < vectors; ++v) x[v] = load(X + v * lanes);
    for (Index c = 0; c < columns; ++c) {
      for (Index v = 0; v < vectors; ++v) sum[c][v] += x[v] * Z[c];
    }
  }
  for (Index c = 0; c < columns; ++c, C += c_stride) {
    for (Index v = 0; v < vectors; ++v) store(load(C + v * lanes) - sum[c][v], C + v * lanes);
  }
}

template <Index columns>
void column_strip(Panel C, ConstPanel X, const double* Z, std::size_t z_stride, Index rows, Index depth) {
  Index row = 0;
  for (; row + most_vectors * lanes <= rows; row += most_vectors * lanes)
    tile<most_vectors, columns>(C.data + row, C.stride, X.data + row, X.stride, Z, z_stride, depth);
  for (; row < rows; row += lanes)
    tile<1, columns>(C.data + row, C.stride, X.data + row, X.stride, Z, z_stride, depth);
}

constexpr Index lane_of(Index row) {
  return row / row_lanes * row_lanes;
}

}  // namespace

void subtract_product(Panel C, ConstPanel X, ConstPanel Z, Index rows, Index columns, Index depth) {
  rows = whole_lanes(rows);
  for (Index first = 0; first < rows; first += rows_in_cache) {
    const Index some = std::min(rows_in_cache, rows - first);
    const ConstPanel here{X.data + first, X.stride};
    double* out = C.data + first;
    Index column = 0;
    for (; column + strip <= columns; column += strip)
      column_strip<strip>({out + C.stride * column, C.stride}, here, Z.data + column, Z.stride, some, depth);
    for (; column < columns; column += 3)
      column_strip<3>({out + C.stride * column, C.stride}, here, Z.data + column, Z.stride, some, depth);
  }
}

bool factor_columns(Panel matrix, Index rows, Index columns, const Stop& stop) {
  for (Index begin = 0; begin < columns; begin += strip) {
    if (stop.asked()) return false;
    const Index end = std::min(columns, begin + strip), top = lane_of(begin);
    subtract_product({matrix.data + matrix.stride * begin + top, matrix.stride}, {matrix.data + top, matrix.stride},
                     {matrix.data + begin, matrix.stride}, rows - top, end - begin, begin);
    for (Index column = begin; column < end; ++column) {
      double* pivot = matrix.data + matrix.stride * column;
      if (!(pivot[column] > 0) || !std::isfinite(pivot[column])) return false;
      const double scale = 1 / std::sqrt(pivot[column]);
      for (Index row = column; row < rows; ++row) pivot[row] *= scale;
      for (Index next = column + 1; next < end; ++next) {
        double* other = matrix.data + matrix.stride * next;
        const double factor = pivot[next];
        for (Index row = next; row < rows; ++row) other[row] -= factor * pivot[row];
      }
    }
  }
  return true;
}

void solve_rows(Panel X, ConstPanel C, Index rows, Index columns) {
  for (Index begin = 0; begin < columns; begin += strip) {
    const Index end = std::min(columns, begin + strip);
    subtract_product({X.data + X.stride * begin, X.stride}, {X.data, X.stride}, {C.data + begin, C.stride}, rows,
                     end - begin, begin);
    for (Index column = begin; column < end; ++column) {
      double* x = X.data + X.stride * column;
      const double* factor = C.data + C.stride * column;
      const double scale = 1 / factor[column];
      for (Index row = 0; row < rows; ++row) x[row] *= scale;
      for (Index next = column + 1; next < end; ++next) {
        double* other = X.data + X.stride * next;
        for (Index row = 0; row < rows; ++row) other[row] -= factor[next] * x[row];
      }
    }
  }
}

}  // namespace sim
