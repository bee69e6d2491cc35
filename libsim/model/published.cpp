#include "model/published.hpp"

namespace sim {

void run_as_published(const std::string& method, Options& options) {
  ContactOptions& contact = options.contact;
  contact.as_published = true;
  contact.together = true;
  contact.hold_position = false;
  if (stepper_of(method) != StepperKind::implicit) return;
  contact.tracking.highest_gap = 2;   // eps2: a safety distance of eps2, which may be missed by eps2
  contact.tracking.small_turn = 180;  // degrees: it is gaps that tell whether contacts are right
  contact.max_iterations = most_iterations_as_published;
  contact.rounds = Rounds::verschoor_jalba;
  contact.method = published_form(method).value_or(method_by_name(method));
  if (std::holds_alternative<PublishedQpCollide>(contact.method)) {
    contact.method = PublishedQpCollide{.detects = true};
    contact.rounds = Rounds::program;
  }
  const bool anticipates = std::holds_alternative<PublishedIca>(contact.method) ||
                           std::holds_alternative<PublishedAnticipation>(contact.method);
  if (!anticipates) return;
  // Otaduy et al. 2009, section 4; both methods of its Figure 6.
  contact.rounds = Rounds::otaduy;
  contact.proximity_set = true;
  contact.most_rounds = 5;
  contact.most_halvings = 2;
}

}  // namespace sim
