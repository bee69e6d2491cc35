// Whether two features stay apart while their vertices go along broken lines.
//
// A stretch of a broken line is its chord and how far the line strays from it at most. If the chords keep the
// separation and what both sides stray (geometry/continuous.hpp), so do the lines; where they do not, the stretch is
// halved, down to where all four lines are straight. The ends of a strain limit are such features, too: between its
// chords it is longest at one of their ends, and shortest where the line between them passes the origin.
#pragma once

#include <array>
#include <optional>
#include <span>

#include "asynchronous/pair_force.hpp"

namespace sim {

using Path = std::span<const Knot>;  // ascending in time, two knots or more

Vec3 place_on(Path path, Tick now);

struct Chord {  // of a stretch of a broken line
  Vec3 x0{0, 0, 0}, x1{0, 0, 0};
  double stray = 0;  // m, how far the line is from it at most
};
Chord chord_of(Path path, Tick begin, Tick end);

struct PathTest {
  const ActivePair& pair;
  std::array<Path, 4> paths;
  std::array<Chord, 4> chords;  // from `begin` to `end` of the test: those of a vertex are the same in all its pairs
  double separation = 0;        // m
};

// False where their chords prove that the features keep more than the separation.
bool may_come_near(const PathTest& test);

struct Approach {
  Tick time = 0;        // on a stretch that begins no later
  double distance = 0;  // m, the smallest seen on it
};
// Nothing where the features keep more than the separation all the time from `begin` to `end`.
std::optional<Approach> comes_near(const PathTest& test, Tick begin, Tick end);

}  // namespace sim
