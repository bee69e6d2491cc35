// A scene as text, ready to step.
#pragma once

#include <string>

#include "scene/load.hpp"
#include "scene/scene.hpp"

namespace sim::test {

template <class ScratchOfMethod>
struct Loaded {
  Model model;
  Options options;
  State state;
  ScratchOfMethod scratch;

  explicit Loaded(const std::string& text) {
    const Scene scene = parse_scene(text, "test", "");
    LoadReport report;
    model = load_model(scene, report);
    options = make_options(scene, model);
    state = initial_state(model);
  }
};

}  // namespace sim::test
