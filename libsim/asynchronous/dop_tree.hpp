// A tree over the triangles of a surface; every node has a k-DOP, slabs of k/2 axes, that grows in time so that it
// holds all its vertices as long as they keep to their tubes (Harmon et al. 2009, section 5.5).
//
//     a vertex keeps to its tube         |v - tube.v| <= tube.strays
//     high_i + rise_i (t - since)        above a_i . x of every vertex,  rise_i >= a_i . tube.v + tube.strays
//     low_i + fall_i (t - since)         below
#pragma once

#include "asynchronous/flight.hpp"
#include "collide/surface.hpp"

namespace sim {

struct Tube {  // section 5.2: velocities that change nothing
  Vec3 v{0, 0, 0};
  double strays = 0;  // m/s
};

inline constexpr int most_axes = 9;  // those of the coordinates first

struct DopNode {
  Index left = -1, right = -1;  // nodes; -1: a leaf
  Index triangle = -1;          // of a leaf
  Index size = 1;               // leaves below
  bool moves = false;
  Range vertices;   // of DopTree::vertices
  Tick tight = -1;  // when it was made anew; -1: it is not known
  Tick since = 0;
  std::array<double, most_axes> high{}, low{}, rise{}, fall{};  // m, m/s
};

struct DopTree {
  std::vector<DopNode> nodes;  // children after their parents; the first is the root
  std::vector<Index> vertices;
  Incidence above;  // nodes that hold a vertex
};

DopTree make_dop_tree(const CollisionSurface& surface, const VecX& x);

// What DOPs and tubes are read with.
struct DopView {
  const Flights& flights;
  std::span<const Tube> tubes;
  int axes = most_axes;
};

// The DOP anew, as tight as the vertices are now.
void enclose(const DopView& view, Tick now, DopTree& tree, Index node);

// For a vertex with a new tube; false where the DOP holds that already.
bool steepen(const DopView& view, Tick now, Index vertex, DopNode& node);

// The latest time to which an axis keeps the two apart by `separation`; `now` or earlier where none does.
Tick apart_until(const DopView& view, Tick now, double separation, const DopNode& a, const DopNode& b);

// The last tick before `seconds` have gone by.
Tick ticks_until(Tick now, double seconds, const Flights& flights);

}  // namespace sim
