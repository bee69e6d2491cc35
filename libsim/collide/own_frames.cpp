#include "collide/own_frames.hpp"

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

// Means of `of(vertex)` where that is finite, of vertices of objects; 0 of none.
template <class Of>
void mean_of_objects(const CollisionSurface& surface, const Of& of, std::vector<Vec3>& mean) {
  std::vector<double> count(surface.object_open.size(), 0);
  mean.assign(count.size(), Vec3::Zero());
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

}  // namespace

void find_own_frames(const CollisionSurface& surface, const StepMotion& motion, const DetectionOptions& options,
                     Detection& detection) {
  OwnFrames& own = detection.own;
  mean_of_objects(
      surface,
      [&](Index v) {
        return surface.vertex_body[v] < 0 && surface.vertex_moves[v] != 0 ? Vec3(motion.dt * block(motion.v, v))
                                                                          : Vec3(Vec3::Zero());
      },
      own.way);
  mean_edges(surface, motion.x0, own.edge);
  own.any = false;
  for (std::size_t i = 0; i < own.way.size(); ++i) {
    if (options.growth * own.way[i].cwiseAbs().maxCoeff() > own.edge[i]) {
      own.any = true;
    } else {
      own.way[i].setZero();
    }
  }
  own.moves.assign(own.way.size(), 0);
  if (!own.any) return;
  for (std::size_t i = 0; i < own.way.size(); ++i) own.moves[i] = own.way[i].isZero(0) ? 0 : 1;
  own.x0 = motion.x0;
  own.v = motion.v;
  for (const Index v : surface.vertices) block(own.v, v) -= own.way[surface.vertex_object[v]] / motion.dt;
  compute_reach(surface, {motion.x0, own.v, motion.dt}, options, own.reach);
  own.reach.rounding = std::max(own.reach.rounding, detection.reach.rounding);
}

void find_mean_ways(const CollisionSurface& surface, const VecX& x1, Detection& detection) {
  OwnFrames& own = detection.own;
  mean_of_objects(
      surface, [&](Index v) { return Vec3(block(x1, v) - block(own.x0, v)); }, own.way);
  for (std::size_t i = 0; i < own.way.size(); ++i) {
    if (own.moves[i] == 0) own.way[i].setZero();
  }
}

}  // namespace sim
