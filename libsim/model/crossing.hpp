// What a run says that stops where prescribed motion leads two things through each other (collide/prescribed.hpp).
#pragma once

#include <string>

#include "collide/check.hpp"
#include "model/model.hpp"

namespace sim {

std::string leads_through_text(const Model& model, const Hit& hit, const VecX& x0);

}  // namespace sim
