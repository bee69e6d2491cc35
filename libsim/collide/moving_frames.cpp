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

// Of `way_of(vertex)` where that is finite; 0 of objects of which none is.
template <class WayOf>
WaysOfObjects mean_ways(const CollisionSurface& surface, const WayOf& way_of) {
  const std::size_t objects = surface.object_open.size();
  WaysOfObjects ways{std::vector<Vec3>(objects, Vec3::Zero()), std::vector<double>(objects, 0)};
  for (const Index v : surface.vertices) {
    const Vec3 way = way_of(v);
    if (!way.allFinite()) continue;
    ways.mean[surface.vertex_object[v]] += way;
    ++ways.vertices[surface.vertex_object[v]];
  }
  for (std::size_t i = 0; i < objects; ++i) {
    if (ways.vertices[i] > 0) ways.mean[i] /= ways.vertices[i];
  }
  return ways;
}

// Along each axis the least that half of the vertices do not exceed.
Vec3 median(const std::vector<Vec3>& ways, const std::vector<double>& vertices) {
  const double half = 0.5 * std::accumulate(vertices.begin(), vertices.end(), 0.0);
  std::vector<std::size_t> order(ways.size());
  Vec3 result = Vec3::Zero();
  for (int axis = 0; axis < 3; ++axis) {
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return ways[a][axis] < ways[b][axis]; });
    double before = 0;
    for (const std::size_t i : order) {
      before += vertices[i];
      if (before < half || vertices[i] == 0) continue;
      result[axis] = ways[i][axis];
      break;
    }
  }
  return result;
}

double largest(const Vec3& x) {
  return x.cwiseAbs().maxCoeff();
}

// The median of what is held or prescribed, and where nothing is, of all.
Vec3 way_of_most(const CollisionSurface& surface, const WaysOfObjects& ways) {
  std::vector<double> held(ways.mean.size(), 0);
  for (const Index v : surface.vertices) held[surface.vertex_object[v]] += surface.vertex_moves[v] == 0 ? 1 : 0;
  const bool any = std::any_of(held.begin(), held.end(), [](double count) { return count > 0; });
  return median(ways.mean, any ? held : ways.vertices);
}

// The medians of the objects of groups, and what has left its group goes its own way. The ways by groups.
std::vector<WaysOfObjects> set_ways_of_frames(const WaysOfObjects& ways, OwnFrames& own) {
  std::vector<WaysOfObjects> of_group(own.way.size());
  for (std::size_t i = 0; i < ways.mean.size(); ++i) {
    const Index g = own.group[i];
    if (g < 0) continue;
    of_group[g].mean.push_back(ways.mean[i]);
    of_group[g].vertices.push_back(ways.vertices[i]);
    if (own.frame[i] != g) own.way[own.frame[i]] = ways.mean[i];
  }
  for (std::size_t g = 0; g < own.way.size(); ++g) {
    if (!of_group[g].mean.empty()) own.way[g] = median(of_group[g].mean, of_group[g].vertices);
  }
  return of_group;
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
  WaysOfObjects& ways = common.ways;
  ways = mean_ways(surface, [&](Index i) { return Vec3(motion.dt * block(motion.v, i)); });
  mean_edges(surface, motion.x0, common.edge);
  bool goes_far = false;
  for (std::size_t i = 0; i < ways.mean.size(); ++i)
    goes_far |= options.growth * largest(ways.mean[i]) > common.edge[i];
  common.origin += common.way;
  common.way = goes_far ? way_of_most(surface, ways) : Vec3(Vec3::Zero());
  if (!common.way.allFinite()) common.way.setZero();
  common.any = !common.way.isZero(0) || !common.origin.isZero(0);
  if (!common.any) return motion;
  for (Vec3& way : ways.mean) way -= common.way;
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
    const auto way = [&](Index v) { return Vec3(block(x1, v) - common.origin - block(common.x0, v)); };
    all += way_of_most(surface, mean_ways(surface, way));
  }
  common.x1 = x1;
  for (const Index v : surface.vertices) block(common.x1, v) -= all;
  return common.x1;
}

void find_own_frames(const CollisionSurface& surface, const StepMotion& motion, const DetectionOptions& options,
                     Detection& detection) {
  OwnFrames& own = detection.own;
  const WaysOfObjects& ways = detection.common.ways;
  group_by_ways(ways.mean, detection.common.edge, options.growth, own);
  drop_groups_without_pairs(surface, own);
  own.frame = own.group;
  own.any = !own.way.empty();
  if (!own.any) return;
  set_ways_of_frames(ways, own);
  own.x0 = motion.x0;
  own.v = motion.v;
  for (const Index v : surface.vertices) block(own.v, v) -= way_of(own, surface.vertex_object[v]) / motion.dt;
  compute_reach(surface, {motion.x0, own.v, motion.dt}, options, own.reach);
  own.reach.rounding = std::max(own.reach.rounding, detection.reach.rounding);
}

std::vector<std::uint8_t> find_mean_ways(const CollisionSurface& surface, const VecX& x1, Detection& detection) {
  OwnFrames& own = detection.own;
  const WaysOfObjects ways = mean_ways(surface, [&](Index v) { return Vec3(block(x1, v) - block(own.x0, v)); });
  const std::vector<WaysOfObjects> of_group = set_ways_of_frames(ways, own);
  std::vector<std::uint8_t> leaves(ways.mean.size(), 0);
  for (const Index v : surface.vertices) {
    const Index object = surface.vertex_object[v], frame = own.frame[object];
    if (frame < 0 || frame != own.group[object] || of_group[frame].mean.size() < 2) continue;
    leaves[object] |= contains(own.reach.vertex[v], block(x1, v) - own.way[frame], surface.radius_of(v)) ? 0 : 1;
  }
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    if (leaves[i] == 0) continue;
    own.frame[i] = static_cast<Index>(own.way.size());
    own.way.push_back(ways.mean[i]);
  }
  return leaves;
}

}  // namespace sim
