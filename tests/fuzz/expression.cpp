// An expression of t is a number or not, at any time, or an InputError.
#include <cstdint>
#include <string>

#include "bodies/expression.hpp"
#include "math/error.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const sim::Expression expression(std::string(data, data + size));
    for (const double t : {0.0, 0.5, 1e300}) static_cast<void>(expression.at(t));
  } catch (const sim::InputError&) {
  }
  return 0;
}
