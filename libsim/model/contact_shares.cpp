#include "model/contact_shares.hpp"

#include "model/lever.hpp"

namespace sim {

namespace {

void add_lever(const Model& model, const State& end, double dt, std::span<const Mat3> way_of_turn,
               const Contact& contact, const Vec3& force, std::vector<ContactShare>& shares) {
  const Lever lever = lever_of(model, contact);
  if (lever.vertex < 0) return;
  const Index object = model.surface.vertex_object[lever.vertex], body = model.surface.vertex_body[lever.vertex];
  const Vec3 way = body >= 0 ? Vec3(dt * angular_velocity(model.rigid[body], end.rigid[body]).cross(lever.reach))
                             : Vec3(way_of_turn[object] * lever.reach);
  shares[static_cast<std::size_t>(object)].angular_impulse += dt * lever.reach.cross(force);
  shares[static_cast<std::size_t>(object)].work += force.dot(way);
}

}  // namespace

Centers centers_of(const Model& model, const State& state) {
  Centers centers;
  std::size_t rigid = 0;  // State::rigid has them in the order of the objects
  for (const Object& object : model.objects) {
    if (object.type == ObjectType::rigid) {
      centers.place.push_back(state.rigid[rigid].center);
      centers.velocity.push_back(state.rigid[rigid].velocity);
      ++rigid;
      continue;
    }
    double sum = 0;
    Vec3 place = Vec3::Zero(), velocity = Vec3::Zero();
    for (Index i = object.vertices.begin; i < object.vertices.end; ++i) {
      const double weight = object.type == ObjectType::deformable ? model.elastic.mass[i] : 1.0;
      sum += weight;
      place += weight * block(state.x, i);
      velocity += weight * block(state.v, i);
    }
    centers.place.push_back(place / sum);
    centers.velocity.push_back(velocity / sum);
  }
  return centers;
}

void add_contact(const Model& model, const State& end, double dt, std::span<const Vec3> centers,
                 std::span<const Mat3> way_of_turn, const Contact& contact, const Vec3& force,
                 std::vector<ContactShare>& shares) {
  for (std::size_t k = 0; k < 4; ++k) {
    const Index vertex = contact.vertices[k];
    const auto object = static_cast<std::size_t>(model.surface.vertex_object[vertex]);
    ContactShare& share = shares[object];
    const Vec3 impulse = dt * contact.weights[k] * force;
    share.impulse += impulse;
    share.angular_impulse += (Vec3(block(end.x, vertex)) - centers[object]).cross(impulse);
    share.work += impulse.dot(block(end.v, vertex));
  }
  add_lever(model, end, dt, way_of_turn, contact, force, shares);
}

}  // namespace sim
