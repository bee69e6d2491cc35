// Looking back (after Ainsley et al. 2012): a window of a step is flown with the layers that are active; then every
// pair whose way is not proven to have stayed outside of its next layer, plus rounding, gets more of them, and the
// window is flown again from its start. What is kept has no pair that entered a layer that was not active, so it is
// what all layers of all pairs would have made of it, bit for bit, and nothing has passed through anything.
#pragma once

#include "asynchronous/batch.hpp"
#include "asynchronous/ways.hpp"
#include "model/report.hpp"

namespace sim {

struct WindowScratch {
  struct Saved {  // where a window begins
    VecX x, v;
    std::vector<Tick> time;
    VertexLedger ledger;
    std::vector<ActivePair> pairs;
    CourseSums sums;
    StepEvents events;
  } saved;
  Detection detection;
  Candidates candidates;
  std::vector<Box> boxes;  // a vertex, of its path in the window
  std::vector<Chord> chords;
  std::vector<char> wanted;  // a vertex: its path is
  std::vector<std::vector<Knot>> paths;
  std::vector<ActivePair> limits;  // of the model, without layers
  struct Suspect {                 // whose chords prove nothing
    ContactKind kind;
    Pair pair;
    const ActivePair* limit;
  };
  std::vector<std::vector<Suspect>> suspects;  // a chunk of candidates; of limits
  struct Near {
    ContactKind kind;
    Pair pair;
    Approach approach;
  };
  std::vector<std::vector<Near>> near;  // a chunk of candidates
  Tick length = 0;     // of the last window: the next one is as long, shorter where that was too long
  double seconds = 0;  // of wall time, in the step: of all but kicks
};

// The whole step.
CourseEnd fly_in_windows(const Course& course, const PairRules& rules, const Options& options,
                         WindowScratch& scratch);

}  // namespace sim
