// A scene as text is a Scene or an InputError, whatever it says.
#include <cstdint>
#include <string>

#include "math/error.hpp"
#include "scene/scene.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    sim::parse_scene(std::string(data, data + size), "scene.json", "");
  } catch (const sim::InputError&) {
  }
  return 0;
}
