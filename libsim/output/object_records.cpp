#include "output/object_records.hpp"

#include <cmath>
#include <limits>

#include "model/contact_shares.hpp"
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
  std::vector<ContactShare> shares = report.contact_shares;
  if (shares.empty()) {
    shares.resize(rows.size());
    for (std::size_t k = 0; k < rows.size(); ++k) shares[k].about = rows[k].center;
    const std::vector<Mat3> way_of_turn = ways_of_turn(model, state.time - report.dt, report.dt);
    for (const Contact& contact : contacts)
      add_contact(model, state, report.dt, way_of_turn, contact, force_on_first_side(contact), shares);
  }
  const bool of_last_part = report.contact_shares.empty() && report.substeps > 1;  // of `local`
  for (std::size_t k = 0; k < shares.size(); ++k) {
    const ContactShare& share = shares[k];
    rows[k].contact_force = share.impulse / report.dt;
    rows[k].contact_torque =
        (share.angular_impulse + (share.about - rows[k].center).cross(share.impulse)) / report.dt;
    rows[k].contact_work = of_last_part ? unknown : share.work;
  }
  return rows;
}

}  // namespace sim
