// The pairs that may come near each other during a step (Verschoor & Jalba 2019, section 5.1).
//
// A vertex and a face that it is no corner of, or two edges without a common end, are candidates exactly if one of
// their four vertices moves and it is not proven that they cannot meet (reach.hpp, moving_frames.hpp). The
// lists are sorted and without duplicates; they depend on the reaches only, not on the tree, its history, or the
// number of threads.
#pragma once

#include "collide/bvh.hpp"

namespace sim {

enum class ContactKind : std::uint8_t { vertex_face, edge_edge, limit };  // limit: collide/limits.hpp

// Which of the vertices of a pair is the first of its second side.
constexpr std::size_t first_of_second(ContactKind kind) {
  return kind == ContactKind::vertex_face ? 1 : 2;
}

struct Pair {
  Index first = 0, second = 0;  // vertex and triangle; two edges, the lower first; or limit and side
  auto operator<=>(const Pair&) const = default;
};

struct Candidates {
  std::vector<Pair> vertex_face, edge_edge;  // ascending
  Index size() const { return static_cast<Index>(vertex_face.size() + edge_edge.size()); }
};

// The vertices of a pair: the vertex and the corners of the face; or the ends of the one edge, then of the other.
// Of a limit one end of the edge, then three times the other.
std::array<Index, 4> stencil(const CollisionSurface& surface, ContactKind kind, Pair pair);

struct WaysOfObjects {           // or of some of them
  std::vector<Vec3> mean;        // m, over their vertices
  std::vector<double> vertices;  // how many these are
};

struct CommonFrame {  // moving_frames.hpp
  bool any = false;
  Vec3 origin = Vec3::Zero(), way = Vec3::Zero();  // m: O, and d of the step
  VecX x0, v, x1;                                  // m, m/s, m: in the frame
  WaysOfObjects ways;                              // in the frame, as foreseen
  std::vector<double> edge;                        // m, of objects: mean
};

struct OwnFrames {  // moving_frames.hpp; nothing but `any` counts where that is false
  bool any = false;
  Reach reach, skin;
  VecX x0, v;                // m; m/s, less that of the frame
  std::vector<Index> group;  // of objects, whose ways its frame has; -1: none
  std::vector<Index> frame;  // of objects: that of its group, until it leaves that for one of its own; -1: none
  std::vector<Vec3> way;     // m, of frames in the step, as foreseen and then as solved
};

struct Detection {     // what lasts from step to step, and buffers; may be thrown away at any time
  Reach reach;         // of the step
  Reach skin;          // verlet_list.hpp
  CommonFrame common;  // what reaches and skins are in
  OwnFrames own;
  Bvh bvh;          // over the skins
  Candidates near;  // all pairs whose skins overlap, in the frames that objects had when all were searched for:
  std::vector<Index> near_frame;
  double edge = 0;  // m, by which skins are as large as they are
  Index rebuilds = 0;
  Index renewed = 0;                // triangles that got new skins since all did
  std::vector<Index> left, around;  // vertices whose reaches have left their skins, and their triangles
  struct Work {
    std::vector<Pair> vertex_face, edge_edge;
  };
  std::vector<NodePair> work_items;
  std::vector<Work> work;  // one for each item
  std::vector<Index> group_begin;
  std::vector<Pair> merged;
  Candidates added;
};

// All candidates of a step.
void find_candidates(const CollisionSurface& surface, const StepMotion& motion, const DetectionOptions& options,
                     Detection& detection, Candidates& candidates);

// The same of given boxes, one a vertex of the model; `options.separation` as there. `next`: where they are and how
// they go on, which skins are made by.
void find_candidates(const CollisionSurface& surface, std::span<const Box> vertex_boxes, const StepMotion& next,
                     const DetectionOptions& options, Detection& detection, Candidates& candidates);

// The vertices that do not end the step in their reaches, ascending. While there are any, candidates may be missing.
void find_escaped(const CollisionSurface& surface, const VecX& x1, Detection& detection, std::vector<Index>& escaped);

// Widens the reaches of these vertices for the motion x0 -> x1 and adds the candidates that this brings: of the
// vertices, their edges and their triangles. `added` is what is new; `candidates` has it at its places, and keeps
// what it had. After this, those and only those have still escaped whose end is not finite: they are left alone.
void look_up_again(const CollisionSurface& surface, std::span<const Index> escaped, const VecX& x0, const VecX& x1,
                   const DetectionOptions& options, Detection& detection, Candidates& candidates, Candidates& added);

}  // namespace sim
