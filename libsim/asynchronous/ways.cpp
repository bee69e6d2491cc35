#include "asynchronous/ways.hpp"

#include <algorithm>

#include "math/parallel.hpp"

namespace sim {

namespace {

constexpr Index items_a_chunk = 64;  // their part of a window's rows stays near the processor

std::span<const Ways::Row> rows_of(const Window& window) {
  return {window.flights.ways.rows.data(), window.flights.ways.used};
}

void take_in(const Vec3& x, Box& box) {
  const Eigen::Array4d place(x[0], x[1], x[2], 0.0);
  box = {box.low.min(place), box.high.max(place)};
}

// m^2
double off_chord(const Window& window, const Chord& chord, Tick time, const Vec3& x) {
  const double t = static_cast<double>(time - window.begin) / static_cast<double>(window.end - window.begin);
  return (x - chord.x0 - t * (chord.x1 - chord.x0)).squaredNorm();
}

void find_chords_of(const Window& window, Index begin, Index end, std::vector<Box>& boxes,
                    std::vector<Chord>& chords) {
  std::array<double, items_a_chunk> farthest{};
  for (const Ways::Row& row : rows_of(window)) {
    for (Index item = begin; item < std::min(end, row.count); ++item) {
      const Index i = window.plan.vertices.items[item];
      const Vec3 x = Eigen::Map<const Vec3>(&row.x[3 * static_cast<std::size_t>(item)]);
      take_in(x, boxes[i]);
      farthest[item - begin] = std::max(farthest[item - begin], off_chord(window, chords[i], row.time, x));
    }
  }
  for (Index item = begin; item < end; ++item)
    chords[window.plan.vertices.items[item]].stray = std::sqrt(farthest[item - begin]);
}

void close_path(const Window& window, Index i, const Chord& chord, std::vector<Knot>& path) {
  const std::vector<Knot>& knots = window.flights.ways.knots[i];
  const auto rows_end = static_cast<std::ptrdiff_t>(path.size());
  path.insert(path.end(), knots.begin(), knots.end());
  std::inplace_merge(path.begin(), path.begin() + rows_end, path.end(),
                     [](const Knot& a, const Knot& b) { return a.time < b.time; });
  if (path.back().time < window.end) path.push_back({window.end, chord.x1});
}

}  // namespace

void find_chords(const Window& window, std::vector<Box>& boxes, std::vector<Chord>& chords) {
  boxes.resize(chords.size());
  for (Index i = 0; i < static_cast<Index>(chords.size()); ++i) {
    chords[i].x1 = window.flights.at(i, window.end);
    chords[i].stray = 0;
    const Eigen::Array4d start(chords[i].x0[0], chords[i].x0[1], chords[i].x0[2], 0.0);
    boxes[i] = {start, start};
    take_in(chords[i].x1, boxes[i]);
  }
  parallel_for(static_cast<Index>(window.plan.vertices.items.size()), items_a_chunk,
               [&](Index begin, Index end) { find_chords_of(window, begin, end, boxes, chords); });
  for (const Index i : window.flights.ways.with_knots) {
    double farthest = 0;
    for (const Knot& knot : window.flights.ways.knots[i]) {
      take_in(knot.x, boxes[i]);
      farthest = std::max(farthest, off_chord(window, chords[i], knot.time, knot.x));
    }
    chords[i].stray = std::max(chords[i].stray, std::sqrt(farthest));
  }
}

void find_paths(const Window& window, std::span<const char> wanted, std::span<const Chord> chords,
                std::vector<std::vector<Knot>>& paths) {
  paths.resize(chords.size());
  for (std::size_t i = 0; i < chords.size(); ++i)
    if (wanted[i]) paths[i].assign(1, {window.begin, chords[i].x0});
  const std::vector<Index>& items = window.plan.vertices.items;
  parallel_for(static_cast<Index>(items.size()), items_a_chunk, [&](Index begin, Index end) {
    if (std::none_of(&items[begin], &items[begin] + (end - begin), [&](Index i) { return wanted[i]; })) return;
    for (const Ways::Row& row : rows_of(window)) {
      if (row.time <= window.begin) continue;
      for (Index item = begin; item < std::min(end, row.count); ++item) {
        if (wanted[items[item]])
          paths[items[item]].push_back(
              {row.time, Eigen::Map<const Vec3>(&row.x[3 * static_cast<std::size_t>(item)])});
      }
    }
  });
  for (Index i = 0; i < static_cast<Index>(chords.size()); ++i)
    if (wanted[i]) close_path(window, i, chords[i], paths[i]);
}

}  // namespace sim
