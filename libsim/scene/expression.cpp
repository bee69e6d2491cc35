#include "scene/expression.hpp"

#include <cmath>

#include "bodies/expression.hpp"
#include "math/error.hpp"

namespace sim {

std::string expression_defect(const std::string& text) {
  if (text.find_first_not_of(" \t") == std::string::npos) return "expected an expression of t, found nothing";
  try {
    const double start = evaluate_expression(text, 0);
    if (std::isfinite(start)) return "";
    return "expected an expression of t that is a finite number at t = 0";
  } catch (const InputError& error) {
    return error.what();
  }
}

}  // namespace sim
