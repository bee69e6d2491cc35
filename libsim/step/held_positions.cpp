#include "step/held_positions.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <algorithm>
#include <span>

#include "collide/limits.hpp"

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

// Rows of contacts that elastic vertices can give way in: of their tangents, with the vertices as far as they move.
class ElasticRows {
 public:
  ElasticRows(const Model& model, ContactSet& set) {
    number_of.assign(model.surface.vertex_object.size(), -1);
    for (Contact& contact : set.contacts) {
      if (!has_stuck(contact) || is_limit(contact)) continue;
      Row row{&contact, {-1, -1, -1, -1}};
      bool any = false;
      for (int k = 0; k < 4; ++k) {
        const Index vertex = contact.vertices[k];
        const bool elastic = model.objects[model.surface.vertex_object[vertex]].type == ObjectType::deformable;
        if (!elastic || !model.surface.vertex_moves[vertex] || contact.weights[k] == 0) continue;
        if (number_of[vertex] < 0) number_of[vertex] = count++;
        row.vertices[k] = number_of[vertex];
        any = true;
      }
      if (any) rows.push_back(row);
    }
  }
  bool empty() const { return rows.empty(); }
  Eigen::Index vertices() const { return 3 * Eigen::Index{count}; }

  VecX drifts() const {
    VecX d(2 * static_cast<Eigen::Index>(rows.size()));
    for (std::size_t i = 0; i < rows.size(); ++i)
      d.segment<2>(2 * static_cast<Eigen::Index>(i)) << rows[i].contact->drift[0], rows[i].contact->drift[1];
    return d;
  }
  void set_drifts(const VecX& d) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto at = 2 * static_cast<Eigen::Index>(i);
      rows[i].contact->drift = {d[at], d[at + 1]};
    }
  }
  void times(const VecX& u, VecX& d) const {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const Contact& contact = *rows[i].contact;
      Vec3 way = Vec3::Zero();
      for (int k = 0; k < 4; ++k) {
        if (rows[i].vertices[k] >= 0) way += contact.weights[k] * u.segment<3>(3 * rows[i].vertices[k]);
      }
      d.segment<2>(2 * static_cast<Eigen::Index>(i)) << contact.t1.dot(way), contact.t2.dot(way);
    }
  }
  void transpose_times(const VecX& d, VecX& u) const {
    u.setZero();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const Contact& contact = *rows[i].contact;
      const auto at = 2 * static_cast<Eigen::Index>(i);
      const Vec3 way = d[at] * contact.t1 + d[at + 1] * contact.t2;
      for (int k = 0; k < 4; ++k) {
        if (rows[i].vertices[k] >= 0) u.segment<3>(3 * rows[i].vertices[k]) += contact.weights[k] * way;
      }
    }
  }

 private:
  struct Row {
    Contact* contact;
    std::array<Index, 4> vertices;  // -1: does not give way
  };
  std::vector<Row> rows;
  std::vector<Index> number_of;
  Index count = 0;
};

// By conjugate gradients on the normal equations: what they have found is of some u, however early they end.
void make_one_displacement(ElasticRows& rows) {
  const VecX d = rows.drifts();
  VecX left = d, direction(rows.vertices()), gradient(rows.vertices()), moved(d.size());
  rows.transpose_times(left, gradient);
  direction = gradient;
  double square = gradient.squaredNorm();
  const double enough = near_enough * near_enough * square;
  for (int i = 0; i < most_updates && square > enough; ++i) {
    rows.times(direction, moved);
    left -= square / moved.squaredNorm() * moved;
    rows.transpose_times(left, gradient);
    const double next = gradient.squaredNorm();
    direction = gradient + next / square * direction;
    square = next;
  }
  rows.set_drifts(d - left);
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
  ElasticRows rows(model, set);
  if (!rows.empty()) make_one_displacement(rows);
}

}  // namespace sim
