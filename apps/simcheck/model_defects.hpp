// Whether the model of a result file holds together.
#pragma once

#include "subject.hpp"

namespace simcheck {

// Throws FileError where it contradicts itself: everything else relies on it, and a damaged file must not be read
// beyond its ends.
void check_model(const Subject& subject);

}  // namespace simcheck
