#include "output/contact_records.hpp"

#include <algorithm>

#include "collide/limits.hpp"

namespace sim {

namespace {

double normal_force(const Contact& contact) {
  return std::max(0.0, contact.lambda);
}

Vec3 friction_force(const Contact& contact) {
  return -(contact.friction[0] * contact.t1 + contact.friction[1] * contact.t2);
}

}  // namespace

Index object_of(std::span<const Object> objects, Index vertex) {
  const auto after = std::upper_bound(objects.begin(), objects.end(), vertex,
                                      [](Index v, const Object& object) { return v < object.vertices.end; });
  return static_cast<Index>(after - objects.begin());
}

Vec3 force_on_first_side(const Contact& contact) {
  return normal_force(contact) * contact.n + friction_force(contact);
}

std::vector<ContactRecord> contact_records(std::span<const Object> objects, std::span<const Contact> contacts,
                                           const VecX& x) {
  std::vector<ContactRecord> records;
  records.reserve(contacts.size());
  for (const Contact& contact : contacts) {
    const bool edges = contact.kind == ContactKind::edge_edge;
    ContactRecord& record = records.emplace_back();
    record.kind = contact.kind;
    record.state = contact.state;
    record.pair = {contact.pair.first, contact.pair.second};
    record.objects = {object_of(objects, contact.vertices[0]), object_of(objects, contact.vertices[edges ? 2 : 1])};
    record.vertices = contact.vertices;
    record.point = block(x, contact.vertices[0]);
    if (edges) {  // relative to one end, so that far from the origin no digits are lost
      record.point += contact.weights[1] * (block(x, contact.vertices[1]) - record.point);
    }
    record.normal = contact.n;
    record.gap = contact.gap;
    record.lambda = normal_force(contact);
    record.friction = friction_force(contact);
  }
  return records;
}

std::vector<LimitRecord> limit_records(std::span<const LengthLimit> of_model, std::span<const Contact> limits) {
  std::vector<LimitRecord> records;
  for (const Contact& limit : limits) {
    if (limit.state == FrictionState::open) continue;
    const double pull = is_upper_limit(limit) ? normal_force(limit) : -normal_force(limit);
    records.push_back({of_model[static_cast<std::size_t>(limit.pair.first)].spring, pull});
  }
  return records;
}

VecX contact_forces(std::span<const Contact> contacts, std::size_t vertices) {
  VecX forces = VecX::Zero(3 * static_cast<Eigen::Index>(vertices));
  for (const Contact& contact : contacts) {
    const Vec3 force = force_on_first_side(contact);
    for (std::size_t k = 0; k < 4; ++k) block(forces, contact.vertices[k]) += contact.weights[k] * force;
  }
  return forces;
}

}  // namespace sim
