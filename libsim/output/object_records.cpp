#include "output/object_records.hpp"

#include <cmath>
#include <limits>

#include "model/lever.hpp"
#include "output/contact_records.hpp"

namespace sim {

namespace {

// Of all vertices of an object by their masses, or alike where they have none.
void place_by_vertices(const Model& model, const State& state, const Object& object, ObjectRow& row) {
  const auto weight_of = [&](Index vertex) {
    return object.type == ObjectType::deformable ? model.elastic.mass[vertex] : 1.0;
  };
  double sum = 0;
  for (Index i = object.vertices.begin; i < object.vertices.end; ++i) {
    const double weight = weight_of(i);
    sum += weight;
    row.center += weight * block(state.x, i);
    row.velocity += weight * block(state.v, i);
  }
  row.center /= sum;
  row.velocity /= sum;
}

std::vector<ObjectRow> placed(const Model& model, const State& state) {
  std::vector<ObjectRow> rows(model.objects.size());
  std::size_t rigid = 0;  // State::rigid has them in the order of the objects
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (model.objects[k].type == ObjectType::rigid) {
      rows[k].center = state.rigid[rigid].center;
      rows[k].velocity = state.rigid[rigid].velocity;
      ++rigid;
    } else {
      place_by_vertices(model, state, model.objects[k], rows[k]);
    }
  }
  return rows;
}

// Of the side that reaches to the other's point.
void add_lever(const Model& model, const State& state, double dt, std::span<const Mat3> way_of_turn,
               const Contact& contact, const Vec3& force, std::vector<ObjectRow>& rows) {
  const Lever lever = lever_of(model, contact);
  if (lever.vertex < 0) return;
  const Index object = model.surface.vertex_object[lever.vertex], body = model.surface.vertex_body[lever.vertex];
  const Vec3 way = body >= 0 ? Vec3(dt * angular_velocity(model.rigid[body], state.rigid[body]).cross(lever.reach))
                             : Vec3(way_of_turn[object] * lever.reach);
  rows[static_cast<std::size_t>(object)].contact_torque += lever.reach.cross(force);
  rows[static_cast<std::size_t>(object)].contact_work += force.dot(way);
}

}  // namespace

std::vector<ObjectRow> object_rows(const Model& model, const State& state, std::span<const Contact> contacts,
                                   const StepReport& report) {
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  std::vector<ObjectRow> rows = placed(model, state);
  if (!report.accepted) {
    for (ObjectRow& row : rows) {
      row.contact_force = row.contact_torque = Vec3::Constant(unknown);
      row.contact_work = unknown;
    }
    return rows;
  }
  const std::vector<Mat3> way_of_turn = ways_of_turn(model, state.time - report.dt, report.dt);
  for (const Contact& contact : contacts) {
    const Vec3 force = force_on_first_side(contact);
    for (std::size_t k = 0; k < 4; ++k) {
      const Index vertex = contact.vertices[k];
      ObjectRow& row = rows[static_cast<std::size_t>(object_of(model.objects, vertex))];
      const Vec3 part = contact.weights[k] * force;
      row.contact_force += part;
      row.contact_torque += (Vec3(block(state.x, vertex)) - row.center).cross(part);
      row.contact_work += report.dt * part.dot(block(state.v, vertex));
    }
    add_lever(model, state, report.dt, way_of_turn, contact, force, rows);
  }
  for (ObjectRow& row : rows) {
    if (report.substeps > 1) row.contact_work = unknown;
  }
  return rows;
}

}  // namespace sim
