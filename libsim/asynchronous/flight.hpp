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

struct Flights {
  VecX x, v;                             // m at `time` of the vertex; m/s
  std::vector<Tick> time;                // a vertex
  double dt = 0;                         // s, of the step
  double tick = 0;                       // s
  Tick origin = 0;                       // of the step, since the run began
  std::vector<std::vector<Knot>> paths;  // a vertex: its knots since keep_paths(); empty where nobody wants them

  Vec3 at(Index i, Tick now) const { return block(x, i) + (static_cast<double>(now - time[i]) * tick) * block(v, i); }

  void fly_to(Index i, Tick now) {
    if (time[i] == now) return;
    block(x, i) = at(i, now);
    time[i] = now;
    if (!paths.empty() && !paths[i].empty()) paths[i].push_back({now, block(x, i)});
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
