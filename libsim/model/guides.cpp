#include "model/guides.hpp"

#include "model/lever.hpp"

namespace sim {

namespace {

constexpr double least_apart = 1e-6;  // sine of the angle between directions that count as two
constexpr double rounding = 1e-12;    // of times that are sums of steps

// What H and P leave of a block that is not on the diagonal.
void project_row(const Model& model, const Guides& guides, Index row, const Mat3& P, BlockMatrix& A) {
  for (Index slot = A.row_begin[row]; slot < A.row_begin[row + 1]; ++slot) {
    const Index column = A.column[slot];
    if (column == row) continue;
    const Mat3 both = P * A.at(slot);
    A.at(slot) = both;
    A.at(A.find(column, row)) = both.transpose();
  }
  const Mat3 H = held_part(model, guides, model.plan.vertex_of_block[row]);
  const Index diagonal = model.plan.diagonal[row];
  const double s = A.at(diagonal).trace() / 3;
  const Mat3 inside = P * A.at(diagonal) * P;
  A.at(diagonal) = 0.5 * (inside + inside.transpose()) + s * H;
}

// b - A w of the row and its neighbours; A is symmetric bit for bit.
void subtract_prescribed(const BlockMatrix& A, Index row, const Vec3& w, VecX& b) {
  if (w.isZero(0)) return;
  for (Index slot = A.row_begin[row]; slot < A.row_begin[row + 1]; ++slot)
    block(b, A.column[slot]) -= A.at(slot).transpose() * w;
}

template <class Visit>
void for_each_held(const Model& model, const Guides& guides, const Visit& visit) {
  for (std::size_t k = 0; k < model.guided.size(); ++k) {
    if (guides.held[k].isZero(0)) continue;
    const Index vertex = model.guided[k];
    visit(vertex, model.plan.block_of_vertex[vertex], guides.held[k]);
  }
}

}  // namespace

bool holds(const PrescribedVertices& prescribed, double time) {
  return time < (1 - rounding) * prescribed.release;
}

bool is_held(const Model& model, const Object& object) {
  for (Index v = object.vertices.begin; v < object.vertices.end; ++v)
    if (model.surface.vertex_moves[v] == 0 || model.guide_of_vertex[v] >= 0) return true;
  return false;
}

bool find_holds(const Model& model, double time, Guides& guides) {
  bool changed = !guides.known;
  guides.known = true;
  guides.holds.resize(model.prescribed.size());
  for (std::size_t i = 0; i < model.prescribed.size(); ++i) {
    const std::uint8_t now = holds(model.prescribed[i], time) ? 1 : 0;
    changed = changed || now != guides.holds[i];
    guides.holds[i] = now;
  }
  return changed;
}

bool hold(const Vec3& n, const Vec3& value, Mat3& held, Eigen::Ref<Vec3> sum) {
  const Vec3 rest = n - held * n;
  const double part = rest.norm();
  if (!(part > least_apart)) return false;
  const Vec3 q = rest / part;
  sum += (n.dot(value) - n.dot(sum)) / part * q;
  held += q * q.transpose();
  return true;
}

std::vector<Vec3> directions_of(const PrescribedVertices& prescribed) {
  if (!prescribed.directions.empty()) return prescribed.directions;
  return {Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()};
}

void prescribed_velocities(const Model& model, const State& state, double dt, Guides& guides, VecX& velocity) {
  guides.held.assign(model.guided.size(), Mat3::Zero());
  guides.way_of_turn = ways_of_turn(model, state.time, dt);
  for (const Index vertex : model.guided) block(velocity, vertex).setZero();
  for (const PrescribedVertices& prescribed : model.prescribed) {
    if (!holds(prescribed, state.time)) continue;
    const bool still = prescribed.motion.stands_still();
    const Pose pose = still ? Pose{} : prescribed.motion.pose(state.time + dt);
    const std::vector<Vec3> directions = directions_of(prescribed);
    for (const Index i : prescribed.vertices) {
      const Vec3 v = still ? Vec3(Vec3::Zero()) : Vec3((pose.apply(model.mesh.vertices[i]) - block(state.x, i)) / dt);
      const Index guided = model.guide_of_vertex[i];
      if (guided < 0) {
        block(velocity, i) = v;
      } else {
        for (const Vec3& n : directions) hold(n, v, guides.held[guided], block(velocity, i));
      }
    }
  }
}

Mat3 held_part(const Model& model, const Guides& guides, Index vertex) {
  const Index guided = model.guide_of_vertex[vertex];
  if (guided >= 0) return guides.held[guided];
  const bool has_unknowns = model.plan.block_of_vertex[vertex] >= 0 || model.surface.vertex_body[vertex] >= 0;
  return has_unknowns ? Mat3(Mat3::Zero()) : Mat3(Mat3::Identity());
}

void guide(const Model& model, const Guides& guides, const VecX& prescribed, BlockMatrix& A, VecX& b, VecX& v) {
  for_each_held(model, guides, [&](Index vertex, Index row, const Mat3&) {
    subtract_prescribed(A, row, block(prescribed, vertex), b);
  });
  for_each_held(model, guides,
                [&](Index, Index row, const Mat3& H) { project_row(model, guides, row, Mat3::Identity() - H, A); });
  keep_free(model, guides, b);
  keep_free(model, guides, v);
}

void keep_free(const Model& model, const Guides& guides, VecX& rows) {
  for_each_held(model, guides, [&](Index, Index row, const Mat3& H) {
    const Vec3 held = H * block(rows, row);
    block(rows, row) -= held;
  });
}

void go_as_prescribed(const Model& model, const Guides& guides, const VecX& prescribed, VecX& v) {
  for (const PrescribedVertices& some : model.prescribed) {
    for (const Index vertex : some.vertices) {
      if (model.guide_of_vertex[vertex] < 0) block(v, vertex) = block(prescribed, vertex);
    }
  }
  for_each_held(model, guides, [&](Index vertex, Index, const Mat3& H) {
    const Vec3 held = H * block(v, vertex);
    block(v, vertex) += block(prescribed, vertex) - held;
  });
}

}  // namespace sim
