// Looking back on the ways of vertices (Ways of asynchronous/flight.hpp): of all of them a box and a chord, of those
// that need it the whole broken line.
#pragma once

#include "asynchronous/kick_plan.hpp"
#include "asynchronous/paths.hpp"
#include "collide/surface.hpp"

namespace sim {

struct Window {
  const Flights& flights;  // at the end
  const KickPlan& plan;
  Tick begin = 0, end = 0;
};

// A vertex: the box of its way, and its chord, whose x0 is where it began.
void find_chords(const Window& window, std::vector<Box>& boxes, std::vector<Chord>& chords);

// The lines of the vertices that are wanted; the others are left as they are.
void find_paths(const Window& window, std::span<const char> wanted, std::span<const Chord> chords,
                std::vector<std::vector<Knot>>& paths);

}  // namespace sim
