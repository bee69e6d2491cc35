#include "collide/moving_frames.hpp"

#include <algorithm>
#include <numeric>

namespace sim {

namespace {

// m, mean edges of objects.
void mean_edges(const CollisionSurface& surface, const VecX& x, std::vector<double>& mean) {
  std::vector<double> count(surface.object_open.size(), 0);
  mean.assign(count.size(), 0);
  for (const Edge& e : surface.edges) {
    const Index object = surface.vertex_object[e[0]];
    mean[object] += (block(x, e[1]) - block(x, e[0])).norm();
    ++count[object];
  }
  for (std::size_t i = 0; i < mean.size(); ++i) mean[i] = count[i] > 0 ? mean[i] / count[i] : 0;
}

// Means of `of(vertex)` where that is finite, over the vertices of objects, and how many these are; 0 of none.
template <class Of>
void mean_of_objects(const CollisionSurface& surface, const Of& of, std::vector<Vec3>& mean,
                     std::vector<double>& count) {
  mean.assign(surface.object_open.size(), Vec3::Zero());
  count.assign(mean.size(), 0);
  for (const Index v : surface.vertices) {
    const Vec3 value = of(v);
    if (!value.allFinite()) continue;
    mean[surface.vertex_object[v]] += value;
    ++count[surface.vertex_object[v]];
  }
  for (std::size_t i = 0; i < mean.size(); ++i) {
    if (count[i] > 0) mean[i] /= count[i];
  }
}

// Along each axis the least value that half of the vertices do not exceed.
Vec3 median(const std::vector<Vec3>& values, const std::vector<double>& vertices) {
  const double half = 0.5 * std::accumulate(vertices.begin(), vertices.end(), 0.0);
  std::vector<std::size_t> order(values.size());
  Vec3 result = Vec3::Zero();
  for (int axis = 0; axis < 3; ++axis) {
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return values[a][axis] < values[b][axis]; });
    double before = 0;
    for (const std::size_t i : order) {
      before += vertices[i];
      if (before < half || vertices[i] == 0) continue;
      result[axis] = values[i][axis];
      break;
    }
  }
  return result;
}

double largest(const Vec3& x) {
  return x.cwiseAbs().maxCoeff();
}

// The median of what is held or prescribed, and where nothing is, of all.
Vec3 way_of_most(const CollisionSurface& surface, const std::vector<Vec3>& ways, std::vector<double> vertices) {
  std::vector<double> held(ways.size(), 0);
  for (const Index v : surface.vertices) held[surface.vertex_object[v]] += surface.vertex_moves[v] == 0 ? 1 : 0;
  const bool any = std::any_of(held.begin(), held.end(), [](double count) { return count > 0; });
  return median(ways, any ? held : vertices);
}

void mean_ways(const CollisionSurface& surface, const StepMotion& motion, std::vector<Vec3>& ways,
               std::vector<double>& vertices) {
  mean_of_objects(
      surface, [&](Index v) { return Vec3(motion.dt * block(motion.v, v)); }, ways, vertices);
}

// The medians of the objects of groups, and what has left its group goes its own way. How many objects groups have.
std::vector<Index> set_ways_of_frames(const std::vector<Vec3>& ways, const std::vector<double>& vertices,
                                      OwnFrames& own) {
  std::vector<std::vector<Vec3>> of_group(own.way.size());
  std::vector<std::vector<double>> weights(own.way.size());
  std::vector<Index> members(own.way.size(), 0);
  for (std::size_t i = 0; i < ways.size(); ++i) {
    const Index g = own.group[i];
    if (g < 0) continue;
    of_group[g].push_back(ways[i]);
    weights[g].push_back(vertices[i]);
    ++members[g];
    if (own.frame[i] != g) own.way[own.frame[i]] = ways[i];
  }
  for (std::size_t g = 0; g < own.way.size(); ++g) {
    if (members[g] > 0) own.way[g] = median(of_group[g], weights[g]);
  }
  return members;
}

// Of what goes far, in the order of ways along x: each joins the first group that goes as it does.
void group_by_ways(const std::vector<Vec3>& ways, const std::vector<double>& edge, double growth, OwnFrames& own) {
  std::vector<Index> far;
  double longest = 0;
  for (std::size_t i = 0; i < ways.size(); ++i) {
    if (!(growth * largest(ways[i]) > edge[i])) continue;
    far.push_back(static_cast<Index>(i));
    longest = std::max(longest, edge[i]);
  }
  std::stable_sort(far.begin(), far.end(), [&](Index a, Index b) { return ways[a][0] < ways[b][0]; });
  own.group.assign(ways.size(), -1);
  own.way.clear();
  std::size_t first = 0;  // that goes about as far along x
  for (const Index i : far) {
    while (first < own.way.size() && growth * (ways[i][0] - own.way[first][0]) > longest) ++first;
    std::size_t g = first;
    while (g < own.way.size() && growth * largest(ways[i] - own.way[g]) > edge[i]) ++g;
    if (g == own.way.size()) own.way.push_back(ways[i]);
    own.group[i] = static_cast<Index>(g);
  }
}

// Pairs are within deformable objects, and between two of which one moves.
void drop_groups_without_pairs(const CollisionSurface& surface, OwnFrames& own) {
  struct Members {
    Index objects = 0;
    bool moves = false, deforms = false;
  };
  std::vector<Members> members(own.way.size());
  for (const Index g : own.group) {
    if (g >= 0) ++members[g].objects;
  }
  for (const Index v : surface.vertices) {
    const Index g = own.group[surface.vertex_object[v]];
    if (g < 0 || surface.vertex_moves[v] == 0) continue;
    members[g].moves = true;
    members[g].deforms |= surface.vertex_body[v] < 0;
  }
  std::vector<Index> kept(own.way.size(), -1);
  Index count = 0;
  for (std::size_t g = 0; g < kept.size(); ++g) {
    if (members[g].deforms || (members[g].objects > 1 && members[g].moves)) kept[g] = count++;
  }
  for (Index& group : own.group) group = group < 0 ? group : kept[group];
  own.way.resize(static_cast<std::size_t>(count));  // set_ways_of_frames() finds them again
}

}  // namespace

StepMotion in_common_frame(const CollisionSurface& surface, const StepMotion& motion, const DetectionOptions& options,
                           Detection& detection) {
  CommonFrame& common = detection.common;
  std::vector<Vec3> ways;
  std::vector<double> edge, vertices;
  mean_ways(surface, motion, ways, vertices);
  mean_edges(surface, motion.x0, edge);
  bool goes_far = false;
  for (std::size_t i = 0; i < ways.size(); ++i) goes_far |= options.growth * largest(ways[i]) > edge[i];
  common.origin += common.way;
  common.way = goes_far ? way_of_most(surface, ways, vertices) : Vec3(Vec3::Zero());
  if (!common.way.allFinite()) common.way.setZero();
  common.any = !common.way.isZero(0) || !common.origin.isZero(0);
  if (!common.any) return motion;
  const Vec3 v = motion.dt > 0 ? Vec3(common.way / motion.dt) : Vec3(Vec3::Zero());
  common.x0 = motion.x0;
  common.v = motion.v;
  for (const Index i : surface.vertices) {
    block(common.x0, i) -= common.origin;
    block(common.v, i) -= v;
  }
  return {common.x0, common.v, motion.dt};
}

void leave_common_frame(Detection& detection) {
  if (detection.common.any) detection.skin.triangle.clear();
  detection.common = {};
}

const VecX& ends_in_common_frame(const CollisionSurface& surface, const VecX& x1, Detection& detection) {
  CommonFrame& common = detection.common;
  if (!common.any) return x1;
  Vec3 all = common.origin;
  if (!common.way.isZero(0)) {
    std::vector<Vec3> ways;
    std::vector<double> vertices;
    mean_of_objects(
        surface, [&](Index v) { return Vec3(block(x1, v) - common.origin - block(common.x0, v)); }, ways, vertices);
    all += way_of_most(surface, ways, vertices);
  }
  common.x1 = x1;
  for (const Index v : surface.vertices) block(common.x1, v) -= all;
  return common.x1;
}

void find_own_frames(const CollisionSurface& surface, const StepMotion& motion, const DetectionOptions& options,
                     Detection& detection) {
  OwnFrames& own = detection.own;
  std::vector<Vec3> ways;
  std::vector<double> edge, vertices;
  mean_ways(surface, motion, ways, vertices);
  mean_edges(surface, motion.x0, edge);
  group_by_ways(ways, edge, options.growth, own);
  drop_groups_without_pairs(surface, own);
  own.frame = own.group;
  own.any = !own.way.empty();
  if (!own.any) return;
  set_ways_of_frames(ways, vertices, own);
  own.x0 = motion.x0;
  own.v = motion.v;
  for (const Index v : surface.vertices) block(own.v, v) -= way_of(own, surface.vertex_object[v]) / motion.dt;
  compute_reach(surface, {motion.x0, own.v, motion.dt}, options, own.reach);
  own.reach.rounding = std::max(own.reach.rounding, detection.reach.rounding);
}

void find_mean_ways(const CollisionSurface& surface, const VecX& x1, Detection& detection,
                    std::vector<Index>& leave) {
  OwnFrames& own = detection.own;
  std::vector<Vec3> ways;
  std::vector<double> vertices;
  mean_of_objects(
      surface, [&](Index v) { return Vec3(block(x1, v) - block(own.x0, v)); }, ways, vertices);
  const std::vector<Index> members = set_ways_of_frames(ways, vertices, own);

  std::vector<std::uint8_t> leaves(ways.size(), 0);
  for (const Index v : surface.vertices) {
    const Index object = surface.vertex_object[v], frame = own.frame[object];
    if (frame < 0 || frame != own.group[object] || members[frame] < 2) continue;
    leaves[object] |= contains(own.reach.vertex[v], block(x1, v) - own.way[frame], surface.radius_of(v)) ? 0 : 1;
  }
  for (std::size_t i = 0; i < ways.size(); ++i) {
    if (leaves[i] == 0) continue;
    own.frame[i] = static_cast<Index>(own.way.size());
    own.way.push_back(ways[i]);
    leave.push_back(static_cast<Index>(i));
  }
}

}  // namespace sim
