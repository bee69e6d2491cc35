// The culler of the paper (Harmon et al. 2009, section 5): certificates with the times at which they fail, in a
// queue. Every pair of features is at all times under one of two:
//
//     separation list   two nodes of a tree of k-DOPs that an axis keeps apart by more than any thickness
//     (dop_tree.hpp) slab              of the pair itself, outside of the next layer (slab.hpp)
//
// A certificate that fails is looked at anew, before the kicks of its tick: nodes with tight DOPs, then their
// children, at last a slab for each pair of features of two triangles; a slab is placed again, or the pair gets the
// next layer. A kick that leaves a tube (section 5.2) brings the certificates forward that the vertex supports. All
// are made anew where a step begins. No pair enters a layer that is not active, so the bits are those of all layers
// of all pairs.
#pragma once

#include <queue>
#include <unordered_map>

#include "asynchronous/batch.hpp"
#include "asynchronous/sampled_time.hpp"
#include "asynchronous/slab.hpp"
#include "model/report.hpp"

namespace sim {

struct Separation {  // of two nodes
  Index a = 0, b = 0;
  Tick until = 0;
  bool holds = true;
};

struct KineticScratch {
  struct Failure {
    Tick time = 0;
    bool is_slab = false;
    Index which = 0;  // of `slabs` or `list`
    auto operator<=>(const Failure&) const = default;
  };
  DopTree tree;
  std::vector<Tube> tubes;              // a vertex
  std::vector<Vec3> last;               // m/s, a vertex: before its last kick
  std::vector<double> kicks, strength;  // a vertex: how many, and the sum of their sizes, m/s
  std::vector<Separation> list;
  std::vector<std::vector<Index>> of_node;  // `list`
  std::vector<Slab> slabs;
  std::vector<std::vector<Index>> of_vertex;  // `slabs`
  std::unordered_map<ContactId, Index> slab_of;
  std::priority_queue<Failure, std::vector<Failure>, std::greater<>> queue;
  double seconds = 0;    // of wall time, in the step: of all but kicks
  SampledTime queueing;  // of that: of the queue
};

// The whole step.
CourseEnd fly_with_certificates(const Course& course, const PairRules& rules, const Options& options,
                                KineticScratch& scratch);

}  // namespace sim
