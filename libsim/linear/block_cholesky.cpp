#include "linear/block_cholesky.hpp"

#include <algorithm>
#include <cstring>

#include "linear/dense_kernels.hpp"

namespace sim {

namespace {

using Front = CholeskyPattern::Front;

constexpr Index lane_of(Index row) {
  return row / row_lanes * row_lanes;
}

Index scalar_rows(const Front& front) {
  return 3 * (front.columns + front.below());
}

// What the elimination of a front's columns leaves to the rows below: the lower triangle of a square.
struct Update {
  double* data;
  Index rows;  // scalar
  std::size_t stride() const { return static_cast<std::size_t>(whole_lanes(rows)); }
  std::size_t size() const { return stride() * static_cast<std::size_t>(rows); }
};

struct Run {  // of blocks that follow each other in the child and in the parent
  Index begin, end, in_parent;
};

void find_runs(const CholeskyPattern& p, const Front& child, std::vector<Run>& runs) {
  runs.clear();
  for (Index i = 0; i < child.below(); ++i) {
    const Index place = p.in_parent[child.rows_begin + i];
    if (runs.empty() || place != runs.back().in_parent + i - runs.back().begin) runs.push_back({i, i, place});
    runs.back().end = i + 1;
  }
}

// The rows from `column` on of three columns, to where the parent has them.
void add_columns(const double* from, std::size_t stride, Index column, std::span<const Run> runs, Index skipped,
                 double* to, std::size_t to_stride) {
  for (int a = 0; a < 3; ++a, from += stride, to += to_stride) {
    for (const Run& run : runs) {
      const Index begin = std::max(run.begin, column);
      const double* source = from + 3 * begin;
      double* target = to + 3 * (run.in_parent + begin - run.begin - skipped);
      for (Index i = 0; i < 3 * (run.end - begin); ++i) target[i] += source[i];
    }
  }
}

void add_update(const CholeskyPattern& p, const Front& child, const Update& from, const Front& front, Panel panel,
                const Update& to, std::vector<Run>& runs) {
  find_runs(p, child, runs);
  std::span<const Run> left = runs;
  for (Index column = 0; column < child.below(); ++column) {
    if (column == left.front().end) left = left.subspan(1);
    const Index place = left.front().in_parent + column - left.front().begin;
    const double* source = from.data + from.stride() * static_cast<std::size_t>(3 * column);
    if (place < front.columns) {
      add_columns(source, from.stride(), column, left, 0,
                  panel.data + panel.stride * static_cast<std::size_t>(3 * place), panel.stride);
    } else {
      add_columns(source, from.stride(), column, left, front.columns,
                  to.data + to.stride() * static_cast<std::size_t>(3 * (place - front.columns)), to.stride());
    }
  }
}

// C -= X X^T, the lower triangle. False where it was stopped.
bool subtract_square(const Update& C, ConstPanel X, Index depth, const Stop& stop) {
  constexpr Index strip = 6;
  for (Index column = 0; column < C.rows; column += strip) {
    const Index top = lane_of(column);
    subtract_product({C.data + C.stride() * static_cast<std::size_t>(column) + top, C.stride()},
                     {X.data + top, X.stride}, {X.data + column, X.stride}, C.rows - top,
                     std::min(strip, C.rows - column), depth);
    if (stop.asked()) return false;
  }
  return true;
}

// The panels get the lower triangle of P A P^T. A is symmetric: what stands in its rows are its columns.
void fill(const BlockMatrix& A, std::span<const Index> rows, CholeskyFactor& C) {
  const CholeskyPattern& p = *C.pattern;
  C.values.assign(p.values, 0.0);
  std::size_t place = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto stride = static_cast<std::size_t>(p.fronts[p.front_of[p.turn[i]]].stride);
    for (Index slot = A.row_begin[rows[i]]; slot < A.row_begin[rows[i] + 1]; ++slot, ++place) {
      if (p.target[place] == CholeskyPattern::upper) continue;
      const double* block = &A.values[9 * static_cast<std::size_t>(slot)];
      double* to = &C.values[p.target[place]];
      for (int a = 0; a < 3; ++a, to += stride) {
        for (int b = 0; b < 3; ++b) to[b] = block[a + 3 * b];
      }
    }
  }
}

}  // namespace

bool factor(const BlockMatrix& A, std::span<const Index> rows, CholeskyScratch& scratch, CholeskyFactor& C,
            const Stop& stop) {
  const CholeskyPattern& p = *C.pattern;
  fill(A, rows, C);
  if (scratch.stack.size() < p.stack) scratch.stack.resize(p.stack);
  std::vector<Index> waiting;  // fronts whose updates are on the stack
  std::vector<Run> runs;
  double* top = scratch.stack.data();
  for (Index f = 0; f < static_cast<Index>(p.fronts.size()); ++f) {
    const Front& front = p.fronts[f];
    const Panel panel{&C.values[front.begin], static_cast<std::size_t>(front.stride)};
    Update update{top, 3 * front.below()};
    std::fill(top, top + update.size(), 0.0);
    while (!waiting.empty() && p.fronts[waiting.back()].parent == f) {
      const Front& child = p.fronts[waiting.back()];
      Update from{nullptr, 3 * child.below()};
      top -= from.size();
      from.data = top;
      add_update(p, child, from, front, panel, update, runs);
      waiting.pop_back();
    }
    if (!factor_columns(panel, scalar_rows(front), 3 * front.columns, stop)) return false;
    if (front.below() == 0) continue;
    if (top != update.data) std::memmove(top, update.data, update.size() * sizeof(double));
    update.data = top;
    if (!subtract_square(update, {panel.data + 3 * front.columns, panel.stride}, 3 * front.columns, stop))
      return false;
    top += update.size();
    waiting.push_back(f);
  }
  return true;
}

void solve_forwards(const CholeskyFactor& C, CholeskyScratch& scratch, VecX& x) {
  const CholeskyPattern& p = *C.pattern;
  std::vector<double>& y = scratch.work;
  scratch.turned = x;
  for (Index i = 0; i < p.blocks(); ++i) block(x, i) = block(scratch.turned, p.order[i]);
  for (const Front& front : p.fronts) {
    const Index rows = scalar_rows(front), columns = 3 * front.columns;
    y.assign(static_cast<std::size_t>(rows), 0.0);
    double* own = x.data() + 3 * front.first;
    std::copy(own, own + columns, y.begin());
    const double* c0 = &C.values[front.begin];
    for (Index column = 0; column < columns; column += 3, c0 += 3 * front.stride) {
      const double *c1 = c0 + front.stride, *c2 = c1 + front.stride;
      const double y0 = y[column] / c0[column];
      const double y1 = (y[column + 1] - c0[column + 1] * y0) / c1[column + 1];
      const double y2 = (y[column + 2] - c0[column + 2] * y0 - c1[column + 2] * y1) / c2[column + 2];
      y[column] = y0, y[column + 1] = y1, y[column + 2] = y2;
      for (Index row = column + 3; row < rows; ++row) y[row] -= c0[row] * y0 + c1[row] * y1 + c2[row] * y2;
    }
    std::copy(y.begin(), y.begin() + columns, own);
    for (Index i = 0; i < front.below(); ++i)
      block(x, p.rows[front.rows_begin + i]) += Eigen::Map<const Vec3>(&y[columns + 3 * i]);
  }
}

void solve_back(const CholeskyFactor& C, CholeskyScratch& scratch, VecX& x) {
  const CholeskyPattern& p = *C.pattern;
  std::vector<double>& y = scratch.work;
  for (auto f = static_cast<Index>(p.fronts.size()) - 1; f >= 0; --f) {
    const Front& front = p.fronts[f];
    const Index rows = scalar_rows(front), columns = 3 * front.columns;
    y.resize(static_cast<std::size_t>(rows));
    double* own = x.data() + 3 * front.first;
    std::copy(own, own + columns, y.begin());
    for (Index i = 0; i < front.below(); ++i)
      std::copy_n(&x[3 * p.rows[front.rows_begin + i]], 3, &y[columns + 3 * i]);
    for (Index column = columns - 3; column >= 0; column -= 3) {
      const double* c0 =
          &C.values[front.begin + static_cast<std::size_t>(column) * static_cast<std::size_t>(front.stride)];
      const double *c1 = c0 + front.stride, *c2 = c1 + front.stride;
      const Index from = column + 3, count = rows - from;
      const Eigen::Map<const VecX> known(y.data() + from, count);
      const auto sum = [&](const double* c) { return Eigen::Map<const VecX>(c + from, count).dot(known); };
      const double s0 = sum(c0), s1 = sum(c1), s2 = sum(c2);
      const double y2 = (y[column + 2] - s2) / c2[column + 2];
      const double y1 = (y[column + 1] - s1 - c1[column + 2] * y2) / c1[column + 1];
      const double y0 = (y[column] - s0 - c0[column + 1] * y1 - c0[column + 2] * y2) / c0[column];
      y[column] = y0, y[column + 1] = y1, y[column + 2] = y2;
    }
    std::copy(y.begin(), y.begin() + columns, own);
  }
  scratch.turned = x;
  for (Index i = 0; i < p.blocks(); ++i) block(x, p.order[i]) = block(scratch.turned, i);
}

namespace {

// The fronts of these rows and all that follow from them; `where` says which, from 0 on, or -1.
void find_reach(const CholeskyPattern& p, std::span<const SparseRow> B, std::vector<Index>& fronts,
                std::vector<Index>& where) {
  fronts.clear();
  where.assign(p.fronts.size(), -1);
  for (const SparseRow& entry : B) {
    for (Index f = p.front_of[p.turn[entry.row]]; f >= 0 && where[f] < 0; f = p.fronts[f].parent) {
      where[f] = 0;
      fronts.push_back(f);
    }
  }
  std::sort(fronts.begin(), fronts.end());
  for (std::size_t i = 0; i < fronts.size(); ++i) where[fronts[i]] = static_cast<Index>(i);
}

}  // namespace

double solve_forwards(const CholeskyFactor& C, std::span<const SparseRow> B, Index columns, PanelScratch& scratch,
                      ForwardPanel& X, const Stop& stop) {
  const CholeskyPattern& p = *C.pattern;
  find_reach(p, B, X.fronts, scratch.where);
  X.columns = columns;
  X.width = whole_lanes(columns);
  const auto width = static_cast<std::size_t>(X.width);
  X.begin.assign(1, 0);
  for (const Index f : X.fronts)
    X.begin.push_back(X.begin.back() + width * static_cast<std::size_t>(3 * p.fronts[f].columns));
  X.values.assign(X.begin.back() + 2 * row_lanes, 0.0);
  const auto row_of = [&](Index turn) {
    const Index f = p.front_of[turn];
    return &X.values[X.begin[scratch.where[f]] + width * static_cast<std::size_t>(3 * (turn - p.fronts[f].first))];
  };
  for (const SparseRow& entry : B) {
    double* to = row_of(p.turn[entry.row]) + 3 * entry.column;
    for (int a = 0; a < 3; ++a, to += width) {
      for (int b = 0; b < 3; ++b) to[b] += entry.block(a, b);
    }
  }
  double flops = 0;
  std::vector<double>& passed = scratch.passed;
  for (std::size_t i = 0; i < X.fronts.size() && !stop.asked(); ++i) {
    const Front& front = p.fronts[X.fronts[i]];
    const Panel own{&X.values[X.begin[i]], width};
    const ConstPanel panel{&C.values[front.begin], static_cast<std::size_t>(front.stride)};
    const Index square = 3 * front.columns, below = 3 * front.below();
    solve_rows(own, panel, columns, square);
    flops += static_cast<double>(columns) * square * (square + 2.0 * below);
    passed.assign(width * static_cast<std::size_t>(below), 0.0);
    subtract_product({passed.data(), width}, {own.data, width}, {panel.data + square, panel.stride}, columns, below,
                     square);
    const double* from = passed.data();
    for (Index k = front.rows_begin; k < front.rows_end; ++k, from += 3 * width) {
      double* to = row_of(p.rows[k]);
      for (std::size_t j = 0; j < 3 * width; ++j) to[j] += from[j];
    }
  }
  return flops;
}

double multiply_transposed(const ForwardPanel& X, const ForwardPanel& Y, std::vector<double>& W) {
  const auto x_width = static_cast<std::size_t>(X.width), y_width = static_cast<std::size_t>(Y.width);
  W.assign(x_width * static_cast<std::size_t>(Y.columns), 0.0);
  double flops = 0;
  std::size_t i = 0, j = 0;
  while (i < X.fronts.size() && j < Y.fronts.size()) {
    if (X.fronts[i] != Y.fronts[j]) {
      ++(X.fronts[i] < Y.fronts[j] ? i : j);
      continue;
    }
    const std::size_t x = i, y = j;
    while (i < X.fronts.size() && j < Y.fronts.size() && X.fronts[i] == Y.fronts[j]) ++i, ++j;
    const auto depth = static_cast<Index>((X.begin[i] - X.begin[x]) / x_width);
    subtract_product({W.data(), x_width}, {&X.values[X.begin[x]], x_width}, {&Y.values[Y.begin[y]], y_width},
                     X.columns, Y.columns, depth);
    flops += 2.0 * X.columns * Y.columns * depth;
  }
  for (double& w : W) w = -w;
  return flops;
}

}  // namespace sim
