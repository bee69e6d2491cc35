#include "step/part.hpp"

namespace sim {

Push push(const Part& part) {
  return {part.model.gravity.norm(), part.s.drive, part.s.settling.body_of_vertex};
}

void tell(Verdict& verdict, StepStatus status, const std::string& reason) {
  if (verdict.status == StepStatus::converged) verdict = {status, reason};
}

bool has_contacts(const Part& part) {
  return !part.state.contacts.contacts.empty();
}

RigidBlocks rigid_blocks(const Part& part) {
  return part.model.rigid_blocks(part.dt);
}

Index elastic_rows(const Part& part) {
  return static_cast<Index>(part.model.plan.vertex_of_block.size());
}

Situation situation(const Part& part) {
  return {part.model, part.state.contacts.contacts, part.state.x, part.s.start_motion,
          part.dt,    part.s.inertia.is_static()};
}

void fail(Part& part, std::span<const Index> objects, StepStatus status, const std::string& reason) {
  tell(part.failed, status, reason);
  divide(objects, part.model.surface, part.state.contacts.contacts, part.options.contact.together, part.s.division);
}

void give_up(Part& part, StepStatus status, const std::string& reason) {
  part.failed = {status, reason};
  part.beyond_division = true;
}

bool is_solved(const Part& part, Index body) {
  return part.s.division.share[part.s.settling.object_of_body[body]] == Share::solved;
}

bool is_solved(const Part& part, const RigidBody& body) {
  return part.s.division.of(part.model.surface, body.vertices.begin) == Share::solved;
}

}  // namespace sim
