#include "model/published.hpp"

namespace sim {

void run_as_published(const std::string& method, Options& options) {
  ContactOptions& contact = options.contact;
  contact.as_published = true;
  contact.together = true;
  contact.hold_position = false;
  if (stepper_of(method) != StepperKind::implicit) return;
  contact.method = published_form(method).value_or(method_by_name(method));
  if (std::holds_alternative<PublishedQpCollide>(contact.method))
    contact.method = PublishedQpCollide{.detects = true};
  if (!std::holds_alternative<PublishedIca>(contact.method)) return;
  // Otaduy et al. 2009, section 4.
  contact.proximity_set = true;
  contact.most_rounds = 5;
  contact.most_halvings = 2;
}

}  // namespace sim
