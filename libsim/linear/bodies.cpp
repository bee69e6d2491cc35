#include "linear/bodies.hpp"

#include <algorithm>
#include <cmath>

#include "math/parallel.hpp"

namespace sim {

namespace {

constexpr Index rows_a_chunk = 512;
constexpr Index large_rows = 8192;  // of a body that gets all threads to itself

double residual(const BlockMatrix& A, const VecX& b, std::span<const Index> rows, const VecX& x) {
  double sum = 0;
  for (const Index row : rows)
    sum += (block(b, row) - multiply_slots(A, A.row_begin[row], A.row_begin[row + 1], x)).squaredNorm();
  return std::sqrt(sum);
}

}  // namespace

Bodies find_bodies(const BlockMatrix& A) {
  const auto rows = static_cast<std::size_t>(A.rows());
  Bodies bodies;
  bodies.of_row.assign(rows, -1);
  bodies.place.resize(rows);
  std::vector<Index> reached;
  for (Index first = 0; first < A.rows(); ++first) {
    if (bodies.of_row[first] >= 0) continue;
    const Index body = bodies.count();
    bodies.of_row[first] = body;
    reached.assign(1, first);
    for (std::size_t next = 0; next < reached.size(); ++next) {
      for (Index slot = A.row_begin[reached[next]]; slot < A.row_begin[reached[next] + 1]; ++slot) {
        const Index neighbour = A.column[slot];
        if (bodies.of_row[neighbour] >= 0) continue;
        bodies.of_row[neighbour] = body;
        reached.push_back(neighbour);
      }
    }
    std::sort(reached.begin(), reached.end());
    for (std::size_t i = 0; i < reached.size(); ++i) bodies.place[reached[i]] = static_cast<Index>(i);
    bodies.rows.insert(bodies.rows.end(), reached.begin(), reached.end());
    bodies.begin.push_back(static_cast<Index>(bodies.rows.size()));
  }
  return bodies;
}

void mobility(const BlockMatrix& A, const Bodies& bodies, std::vector<double>& result) {
  result.resize(static_cast<std::size_t>(bodies.count()));
  parallel_for(bodies.count(), 1, [&](Index body, Index) {
    double sum = 0;
    for (const Index row : bodies.rows_of(body)) {
      double trace = 0;
      for (Index slot = A.row_begin[row]; slot < A.row_begin[row + 1]; ++slot) trace += A.at(slot).trace();
      sum += trace;
    }
    result[body] = sum > 0 ? 3 / sum : 0;
  });
}

void take_rows(const BlockMatrix& A, std::span<const Index> rows, std::span<const Index> place, BlockMatrix& part) {
  part.row_begin.assign(1, 0);
  for (const Index row : rows)
    part.row_begin.push_back(part.row_begin.back() + A.row_begin[row + 1] - A.row_begin[row]);
  const auto slots = static_cast<std::size_t>(part.row_begin.back());
  part.column.resize(slots);
  part.values.resize(9 * slots + 1);
  part.values.back() = 0;
  parallel_for(static_cast<Index>(rows.size()), rows_a_chunk, [&](Index first, Index last) {
    for (Index i = first; i < last; ++i) {
      const Index begin = A.row_begin[rows[i]], end = A.row_begin[rows[i] + 1], to = part.row_begin[i];
      for (Index slot = begin; slot < end; ++slot) part.column[to + slot - begin] = place[A.column[slot]];
      std::copy(A.values.begin() + 9 * std::ptrdiff_t{begin}, A.values.begin() + 9 * std::ptrdiff_t{end},
                part.values.begin() + 9 * std::ptrdiff_t{to});
    }
  });
}

void take_rows(const VecX& x, std::span<const Index> rows, VecX& part) {
  part.resize(3 * static_cast<Eigen::Index>(rows.size()));
  for (std::size_t i = 0; i < rows.size(); ++i) block(part, static_cast<Index>(i)) = block(x, rows[i]);
}

double dot_of_rows(const VecX& a, const VecX& b, std::span<const Index> rows) {
  double sum = 0;
  for (const Index row : rows) sum += block(a, row).dot(block(b, row));
  return sum;
}

double norm_of_rows(const VecX& x, std::span<const Index> rows) {
  return std::sqrt(dot_of_rows(x, x, rows));
}

void put_rows(const VecX& part, std::span<const Index> rows, VecX& x) {
  for (std::size_t i = 0; i < rows.size(); ++i) block(x, rows[i]) = block(part, static_cast<Index>(i));
}

CgReport solve_definite(const BlockMatrix& A, const VecX& b, const Bodies& bodies, std::span<const Index> chosen,
                        const CgOptions& options, bool factors, BodiesScratch& scratch, VecX& x) {
  if (chosen.empty()) return {};
  scratch.reports.assign(chosen.size(), {});
  scratch.pattern.assign(chosen.size(), nullptr);
  std::vector<std::size_t> to_solve;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const std::span<const Index> rows = bodies.rows_of(chosen[i]);
    CgReport& report = scratch.reports[i];
    report.target = std::max(options.absolute, options.tolerance * std::sqrt(dot_of_rows(b, b, rows)));
    report.residual = residual(A, b, rows, x);
    if (report.residual <= report.target) continue;
    to_solve.push_back(i);
    if (factors) scratch.pattern[i] = scratch.patterns.find(A, rows, bodies.place);
  }
  const auto solve = [&](std::size_t i, BodiesScratch::Lane& lane) {
    const std::span<const Index> rows = bodies.rows_of(chosen[i]);
    take_rows(A, rows, bodies.place, lane.A);
    take_rows(b, rows, lane.b);
    take_rows(x, rows, lane.x);
    scratch.reports[i] = solve_definite(lane.A, lane.b, scratch.pattern[i], options, lane.solving, lane.x);
    put_rows(lane.x, rows, x);
  };
  const auto is_large = [&](std::size_t i) { return bodies.rows_of(chosen[i]).size() >= large_rows; };
  for (const std::size_t i : to_solve) {
    if (is_large(i)) solve(i, scratch.lanes[0]);
  }
  const auto lanes = static_cast<Index>(scratch.lanes.size());
  parallel_for(lanes, 1, [&](Index lane, Index) {
    for (std::size_t k = static_cast<std::size_t>(lane); k < to_solve.size(); k += scratch.lanes.size()) {
      if (!is_large(to_solve[k])) solve(to_solve[k], scratch.lanes[lane]);
    }
  });

  CgReport whole;
  double sum = 0, target = 0;
  for (const CgReport& report : scratch.reports) {
    whole.iterations = std::max(whole.iterations, report.iterations);
    sum += report.residual * report.residual;
    target += report.target * report.target;
    if (whole.status == CgStatus::converged) whole.status = report.status;
  }
  whole.residual = std::sqrt(sum);
  whole.target = std::sqrt(target);
  return whole;
}

}  // namespace sim
