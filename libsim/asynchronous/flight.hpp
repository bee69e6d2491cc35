// Vertices in flight: each is where it was when its velocity last changed, and goes straight on from there. Whoever
// only looks at it writes nothing, so looking changes no bit of where it goes.
#pragma once

#include <vector>

#include "asynchronous/clock.hpp"
#include "math/types.hpp"

namespace sim {

struct Knot {  // where a flight began
  Tick time = 0;
  Vec3 x{0, 0, 0};
};

// The ways of vertices since begin(), for who looks back on them (asynchronous/ways.hpp): rows of what the first ones
// of KickPlan::vertices do at one tick, and knots of single vertices. A row is written and read from end to end.
struct Ways {
  struct Row {
    Tick time = 0;
    Index count = 0;
    std::vector<double> x;  // m, 3 a vertex; `count` of them count
  };
  std::vector<Row> rows;
  std::size_t used = 0;                  // of the rows
  std::vector<std::vector<Knot>> knots;  // a vertex
  std::vector<Index> with_knots;
  bool kept = false;         // does anybody want them?
  bool row_is_open = false;  // what flies on now is in a row

  void begin(std::size_t vertices) {
    kept = true;
    used = 0;
    knots.resize(vertices);
    for (const Index i : with_knots) knots[i].clear();
    with_knots.clear();
  }
  double* open_row(Tick time, Index count) {
    if (!kept) return nullptr;
    row_is_open = true;
    if (used == rows.size()) rows.emplace_back();
    Row& row = rows[used++];
    row.time = time;
    row.count = count;
    if (row.x.size() < 3 * static_cast<std::size_t>(count)) row.x.resize(3 * static_cast<std::size_t>(count));
    return row.x.data();
  }
  void add(Index i, const Knot& knot) {
    if (knots[i].empty()) with_knots.push_back(i);
    knots[i].push_back(knot);
  }
};

struct Flights {
  VecX x, v;               // m at `time` of the vertex; m/s
  std::vector<Tick> time;  // a vertex
  double dt = 0;           // s, of the step
  double tick = 0;         // s
  Tick origin = 0;         // of the step, since the run began
  Ways ways;

  Vec3 at(Index i, Tick now) const { return block(x, i) + (static_cast<double>(now - time[i]) * tick) * block(v, i); }

  void fly_to(Index i, Tick now) {
    if (time[i] == now) return;
    block(x, i) = at(i, now);
    time[i] = now;
    if (ways.kept && !ways.row_is_open) ways.add(i, {now, block(x, i)});
  }
};

inline void begin_flights(const VecX& x, const VecX& v, double dt, Flights& flights) {
  flights.x = x;
  flights.v = v;
  flights.dt = dt;
  flights.tick = length_of(finest_level, dt);
  flights.time.assign(static_cast<std::size_t>(x.size() / 3), 0);
}

}  // namespace sim
