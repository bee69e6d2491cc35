#include "bodies/points.hpp"

#include <algorithm>

namespace sim {

Vec3 PointBlocks::add(const RigidBlocks& rigid, Index body, const RigidStep& step, double weight, const Vec3& arm) {
  const Vec3 turned = step.turned * arm;
  const auto end = blocks.begin() + count;
  const auto known = std::find_if(blocks.begin(), end, [body](const PointBlock& b) { return b.turning == body; });
  if (known == end) {
    add(rigid.linear(body), weight);
    blocks[count++] = {rigid.angular(body), weight, body, weight * turned};
  } else {
    (known - 1)->weight += weight;
    known->weight += weight;
    known->arm += weight * turned;
  }
  return weight * (turned - arm - step.turn.cross(turned));
}

void PointBlocks::reach(Index body, const Vec3& farther) {
  for (int k = 0; k < count; ++k) {
    if (blocks[k].turning == body) blocks[k].arm += farther;
  }
}

void PointBlocks::add_shared(Index column, double weight) {
  const auto end = blocks.begin() + count;
  const auto known = std::find_if(blocks.begin(), end, [column](const PointBlock& b) { return b.column == column; });
  if (known == end) {
    add(column, weight);
  } else {
    known->weight += weight;
  }
}

void PointBlocks::sort() {
  std::sort(blocks.begin(), blocks.begin() + count,
            [](const PointBlock& a, const PointBlock& b) { return a.column < b.column; });
}

Mat3 block_of_rows(const PointBlock& point, const RigidBlocks& rigid, std::span<const RigidStep> steps,
                   const Mat3& rows) {
  if (point.turning < 0) return rigid.dt * point.weight * rows;
  // row . (w x a) = (a x row) . w
  Mat3 turned;
  for (int i = 0; i < 3; ++i) turned.row(i) = point.arm.cross(rows.row(i).transpose());
  return rigid.dt / rigid.bodies[point.turning].radius * (turned * steps[point.turning].axes);
}

}  // namespace sim
