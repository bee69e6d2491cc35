#include "step/held_positions.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <algorithm>
#include <span>

#include "collide/limits.hpp"

namespace sim {

namespace {

constexpr double rounding = 1e-5;  // of the longest arm: contacts that are nearer to a line ask for no turn about it

struct Held {
  std::array<Index, 2> objects{};  // the lower one first
  double side = 1;                 // 1 where the contact's first side is of the first object, else -1
  Contact* contact = nullptr;
  Vec3 point{0, 0, 0}, drift{0, 0, 0};  // of the first object past the second
};

bool has_stuck(const Contact& contact) {
  return contact.state == FrictionState::sticking || (contact.state == FrictionState::sliding && !contact.slides);
}

Vec3 point_of(const Contact& contact, const VecX& x) {
  Vec3 sum = Vec3::Zero();
  double weight = 0;
  for (int k = 0; k < 4; ++k) {
    const double w = std::max(0.0, contact.weights[k]);
    sum += w * block(x, contact.vertices[k]);
    weight += w;
  }
  return sum / weight;
}

Held held(const CollisionSurface& surface, const VecX& x, Contact& contact) {
  const std::array<Index, 2> objects = objects_of(surface, contact.vertices);
  const double side = surface.vertex_object[contact.vertices[0]] == objects[0] ? 1 : -1;
  const Vec3 drift = contact.drift[0] * contact.t1 + contact.drift[1] * contact.t2;
  return {objects, side, &contact, point_of(contact, x), side * drift};
}

// Of two bodies.
void make_one_motion(std::span<Held> all) {
  const double count = static_cast<double>(all.size());
  Vec3 middle = Vec3::Zero(), a = Vec3::Zero(), moment = Vec3::Zero();
  for (const Held& one : all) {
    middle += one.point / count;
    a += one.drift / count;
  }
  Mat3 arms = Mat3::Zero();
  for (const Held& one : all) {
    const Vec3 arm = one.point - middle;
    moment += arm.cross(one.drift);
    arms += arm.squaredNorm() * Mat3::Identity() - arm * arm.transpose();
  }
  const Eigen::SelfAdjointEigenSolver<Mat3> principal(arms);
  Vec3 b = principal.eigenvectors().transpose() * moment;
  for (int k = 0; k < 3; ++k) {
    const double resists = principal.eigenvalues()[k];
    b[k] = resists > rounding * rounding * principal.eigenvalues()[2] ? b[k] / resists : 0;
  }
  b = principal.eigenvectors() * b;
  for (const Held& one : all) {
    const Vec3 drift = one.side * (a + b.cross(one.point - middle));
    one.contact->drift = {drift.dot(one.contact->t1), drift.dot(one.contact->t2)};
  }
}

}  // namespace

void keep_drifts(const Model& model, const VecX& x, ContactSet& set) {
  const auto is_whole = [&](Index vertex) {
    return model.objects[model.surface.vertex_object[vertex]].type != ObjectType::deformable;
  };
  std::vector<Held> of_wholes;
  for (Contact& contact : set.contacts) {
    contact.drift = has_stuck(contact) ? contact.slip : std::array<double, 2>{};
    if (!has_stuck(contact) || is_limit(contact) || !is_whole(contact.vertices[0]) || !is_whole(contact.vertices[3]))
      continue;
    of_wholes.push_back(held(model.surface, x, contact));
  }
  std::ranges::stable_sort(of_wholes, {}, &Held::objects);
  for (auto begin = of_wholes.begin(); begin != of_wholes.end();) {
    const auto end = std::find_if(begin, of_wholes.end(), [&](const Held& h) { return h.objects != begin->objects; });
    if (end - begin > 1) make_one_motion({begin, end});
    begin = end;
  }
}

}  // namespace sim
