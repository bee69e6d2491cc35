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

void add_contact(const Model& model, const State& end, double dt, std::span<const Mat3> way_of_turn,
                 const Contact& contact, const Vec3& force, std::vector<ContactShare>& shares) {
  for (std::size_t k = 0; k < 4; ++k) {
    const Index vertex = contact.vertices[k];
    ContactShare& share = shares[static_cast<std::size_t>(model.surface.vertex_object[vertex])];
    const Vec3 impulse = dt * contact.weights[k] * force;
    share.impulse += impulse;
    share.angular_impulse += (Vec3(block(end.x, vertex)) - share.about).cross(impulse);
    share.work += impulse.dot(block(end.v, vertex));
  }
  add_lever(model, end, dt, way_of_turn, contact, force, shares);
}

}  // namespace sim
