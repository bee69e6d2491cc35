// Is this an expression of t that a motion can follow?
#pragma once

#include <string>

namespace sim {

// What is wrong with it, as the end of a message; empty when nothing is.
std::string expression_defect(const std::string& text);

}  // namespace sim
