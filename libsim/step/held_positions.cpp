#include "step/held_positions.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <algorithm>
#include <map>
#include <utility>

namespace sim {

namespace {

using Vec6 = Eigen::Matrix<double, 6, 1>;
using Mat6 = Eigen::Matrix<double, 6, 6>;

bool is_rigid(const Model& model, const Contact& contact) {
  return std::all_of(contact.vertices.begin(), contact.vertices.end(), [&](Index vertex) {
    const ObjectType type = model.objects[model.surface.vertex_object[vertex]].type;
    return type == ObjectType::rigid || type == ObjectType::fixed || type == ObjectType::scripted;
  });
}

Vec3 point_of(const Contact& contact, const VecX& x) {
  Vec3 point = Vec3::Zero();
  const std::size_t mine = contact.kind == ContactKind::vertex_face ? 1 : 2;
  for (std::size_t k = 0; k < mine; ++k) point += contact.weights[k] * block(x, contact.vertices[k]);
  return point;
}

// Contacts that stick between two objects, with the sign of their motion.
struct Held {
  std::vector<std::pair<Contact*, double>> contacts;
  Vec3 middle = Vec3::Zero();
  double extent = 0;  // m, of their points: turns are counted in it
};

struct Rows {
  Vec6 along[2];
};

Rows rows_of(const Held& held, const Contact& contact, const VecX& x) {
  const Vec3 arm = (point_of(contact, x) - held.middle) / held.extent;
  Rows rows;
  rows.along[0] << contact.t1, arm.cross(contact.t1);
  rows.along[1] << contact.t2, arm.cross(contact.t2);
  return rows;
}

void measure(const VecX& x, Held& held) {
  for (const auto& [contact, sign] : held.contacts) held.middle += point_of(*contact, x);
  held.middle /= static_cast<double>(held.contacts.size());
  for (const auto& [contact, sign] : held.contacts)
    held.extent = std::max(held.extent, (point_of(*contact, x) - held.middle).norm());
  if (!(held.extent > 0)) held.extent = 1;
}

// The shortest of the nearest motions.
Vec6 nearest_motion(const VecX& x, const Held& held) {
  constexpr double rounding = 1e-12;
  Mat6 normal = Mat6::Zero();
  Vec6 right = Vec6::Zero();
  for (const auto& [contact, sign] : held.contacts) {
    const Rows rows = rows_of(held, *contact, x);
    for (std::size_t k = 0; k < 2; ++k) {
      normal += rows.along[k] * rows.along[k].transpose();
      right += sign * contact->drift[k] * rows.along[k];
    }
  }
  const Eigen::SelfAdjointEigenSolver<Mat6> found(normal);
  Vec6 parts = found.eigenvectors().transpose() * right;
  for (Eigen::Index k = 0; k < 6; ++k) {
    const double value = found.eigenvalues()[k];
    parts[k] = value > rounding * found.eigenvalues()[5] ? parts[k] / value : 0;
  }
  return found.eigenvectors() * parts;
}

void hold(const VecX& x, double tolerance, Held& held) {
  measure(x, held);
  const Vec6 motion = nearest_motion(x, held);
  std::vector<std::array<double, 2>> drifts;
  double farthest = 0;
  for (const auto& [contact, sign] : held.contacts) {
    const Rows rows = rows_of(held, *contact, x);
    drifts.push_back({sign * rows.along[0].dot(motion), sign * rows.along[1].dot(motion)});
    farthest =
        std::max(farthest, std::hypot(drifts.back()[0] - contact->drift[0], drifts.back()[1] - contact->drift[1]));
  }
  if (!(farthest > tolerance)) return;
  for (std::size_t i = 0; i < drifts.size(); ++i) held.contacts[i].first->drift = drifts[i];
}

}  // namespace

void hold_as_rigid(const Model& model, const VecX& x, double tolerance, ContactSet& contacts) {
  std::map<std::pair<Index, Index>, Held> pairs;
  for (Contact& contact : contacts.contacts) {
    if (contact.drift == std::array<double, 2>{} || !is_rigid(model, contact)) continue;
    const Index mine = model.surface.vertex_object[contact.vertices[0]],
                other = model.surface.vertex_object[contact.vertices[3]];
    pairs[std::minmax(mine, other)].contacts.emplace_back(&contact, mine <= other ? 1.0 : -1.0);
  }
  for (auto& [pair, held] : pairs) hold(x, tolerance, held);
}

}  // namespace sim
