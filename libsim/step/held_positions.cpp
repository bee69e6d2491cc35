#include "step/held_positions.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <algorithm>
#include <span>

#include "collide/limits.hpp"
#include "math/components.hpp"

namespace sim {

namespace {

constexpr double near_enough = 0.01;  // of the gradient that least squares begin with
constexpr int most_updates = 50;
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

// A contact with elastic vertices that move, as these are numbered; -1: others.
struct ElasticRows {
  Contact* contact = nullptr;
  std::array<Index, 4> vertices{-1, -1, -1, -1};
  Index part = -1;  // what hangs together by common vertices

  Index first() const {
    return *std::ranges::find_if(vertices, [](Index vertex) { return vertex >= 0; });
  }
};

std::vector<ElasticRows> find_elastic(const Model& model, ContactSet& set) {
  std::vector<ElasticRows> found;
  for (Contact& contact : set.contacts) {
    if (!has_stuck(contact) || is_limit(contact)) continue;
    ElasticRows rows{&contact};
    for (int k = 0; k < 4; ++k) {
      const Index vertex = contact.vertices[k];
      const bool elastic = model.objects[model.surface.vertex_object[vertex]].type == ObjectType::deformable;
      if (elastic && model.surface.vertex_moves[vertex] && contact.weights[k] != 0) rows.vertices[k] = vertex;
    }
    if (rows.vertices != std::array<Index, 4>{-1, -1, -1, -1}) found.push_back(rows);
  }
  return found;
}

// By their parts, the vertices of each numbered from 0. No part knows of others, so that its bits are its own.
void sort_by_parts(std::size_t vertex_count, std::vector<ElasticRows>& all) {
  Components parts(vertex_count);
  for (const ElasticRows& rows : all) {
    for (const Index vertex : rows.vertices) {
      if (vertex >= 0) parts.unite(vertex, rows.first());
    }
  }
  for (ElasticRows& rows : all) rows.part = parts.first_of(rows.first());
  std::ranges::stable_sort(all, {}, &ElasticRows::part);
  std::vector<Index> number(vertex_count, -1);
  Index count = 0, part = -1;
  for (ElasticRows& rows : all) {
    if (rows.part != part) count = 0;
    part = rows.part;
    for (Index& vertex : rows.vertices) {
      if (vertex < 0) continue;
      if (number[vertex] < 0) number[vertex] = count++;
      vertex = number[vertex];
    }
  }
}

void multiply(std::span<const ElasticRows> part, const VecX& u, VecX& d) {
  for (std::size_t i = 0; i < part.size(); ++i) {
    const Contact& contact = *part[i].contact;
    Vec3 way = Vec3::Zero();
    for (int k = 0; k < 4; ++k) {
      if (part[i].vertices[k] >= 0) way += contact.weights[k] * block(u, part[i].vertices[k]);
    }
    d.segment<2>(2 * static_cast<Eigen::Index>(i)) << contact.t1.dot(way), contact.t2.dot(way);
  }
}

// Adds to the vertices of the part.
void add_transpose(std::span<const ElasticRows> part, const VecX& d, VecX& u) {
  for (std::size_t i = 0; i < part.size(); ++i) {
    const Contact& contact = *part[i].contact;
    const auto at = 2 * static_cast<Eigen::Index>(i);
    const Vec3 way = d[at] * contact.t1 + d[at + 1] * contact.t2;
    for (int k = 0; k < 4; ++k) {
      if (part[i].vertices[k] >= 0) block(u, part[i].vertices[k]) += contact.weights[k] * way;
    }
  }
}

// By conjugate gradients on the normal equations: what they have found is of some u, however early they end.
void make_one_displacement(std::span<ElasticRows> part) {
  Index vertices = 0;
  for (const ElasticRows& rows : part) vertices = std::max(vertices, 1 + std::ranges::max(rows.vertices));
  VecX d(2 * static_cast<Eigen::Index>(part.size()));
  for (std::size_t i = 0; i < part.size(); ++i) {
    const auto& drift = part[i].contact->drift;
    d.segment<2>(2 * static_cast<Eigen::Index>(i)) << drift[0], drift[1];
  }
  VecX left = d, gradient = VecX::Zero(3 * Eigen::Index{vertices}), moved(d.size());
  add_transpose(part, left, gradient);
  VecX direction = gradient;
  double square = gradient.squaredNorm();
  const double enough = near_enough * near_enough * square;
  for (int i = 0; i < most_updates && square > enough; ++i) {
    multiply(part, direction, moved);
    left -= square / moved.squaredNorm() * moved;
    gradient.setZero();
    add_transpose(part, left, gradient);
    const double next = gradient.squaredNorm();
    direction = gradient + next / square * direction;
    square = next;
  }
  d -= left;
  for (std::size_t i = 0; i < part.size(); ++i) {
    const auto at = 2 * static_cast<Eigen::Index>(i);
    part[i].contact->drift = {d[at], d[at + 1]};
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
  std::vector<ElasticRows> elastic = find_elastic(model, set);
  if (elastic.empty()) return;
  sort_by_parts(model.surface.vertex_object.size(), elastic);
  for (auto begin = elastic.begin(); begin != elastic.end();) {
    const auto end =
        std::find_if(begin, elastic.end(), [&](const ElasticRows& rows) { return rows.part != begin->part; });
    make_one_displacement({begin, end});
    begin = end;
  }
}

}  // namespace sim
