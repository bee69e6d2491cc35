#include "output/object_records.hpp"

#include <cmath>
#include <limits>

#include "model/contact_shares.hpp"
#include "model/lever.hpp"
#include "output/contact_records.hpp"

namespace sim {

std::vector<ObjectRow> object_rows(const Model& model, const State& state, std::span<const Contact> contacts,
                                   const StepReport& report) {
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  const Centers centers = centers_of(model, state);
  std::vector<ObjectRow> rows(model.objects.size());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    rows[k].center = centers.place[k];
    rows[k].velocity = centers.velocity[k];
  }
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
    const std::vector<Mat3> way_of_turn = ways_of_turn(model, state.time - report.dt, report.dt);
    for (const Contact& contact : contacts)
      add_contact(model, state, report.dt, centers.place, way_of_turn, contact, force_on_first_side(contact), shares);
  }
  const bool of_last_part = report.contact_shares.empty() && report.substeps > 1;  // of `local`
  for (std::size_t k = 0; k < shares.size(); ++k) {
    const ContactShare& share = shares[k];
    rows[k].contact_force = share.impulse / report.dt;
    rows[k].contact_torque = share.angular_impulse / report.dt;
    rows[k].contact_work = !report.contact_work.empty() ? report.contact_work[k]
                           : of_last_part               ? unknown
                                                        : share.work;
  }
  return rows;
}

}  // namespace sim
