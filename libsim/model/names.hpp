// What messages call things.
#pragma once

#include <string>

#include "model/model.hpp"

namespace sim {

inline std::string object_text(const Model& model, Index object) {  // ""ball""
  return "\"" + model.objects[object].name + "\"";
}

}  // namespace sim
