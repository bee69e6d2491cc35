// A bar on a floor, pulled at its end by 0.6 of what friction holds and let go. Friction q along it turns round from
// the end on: u = F^2 / (2 EA q), and half of that is left (Masing). All slips are below the tolerance of gaps, 2.2
// um.
#pragma once

#include <algorithm>
#include <string>

#include "support/played.hpp"

namespace sim::test {

class PulledBar {
 public:
  PulledBar(const std::string& time, const std::string& force)
      : run(with(R"json({"time": TIME,
    "materials": {"m": {"young": 5.886e8, "poisson": 0, "density": 1000}},
    "meshes": {"b": {"generate": "box", "size": [1, 0.02, 0.02], "cells": [50, 1, 1]}, "g": {"generate": "half-space"}},
    "objects": [{"name": "bar", "mesh": "b", "material": "m", "position": [0, 0, 0.010001],
                 "loads": [{"force": ["0.94176 * (FORCE)", 0, 0],
                            "plane": {"point": [0.499999, 0, 0], "normal": [1, 0, 0]}}]},
                {"name": "floor", "type": "fixed", "mesh": "g"}],
    "contact": {"friction": 0.4, "tolerance": 2.2e-6}})json",
                 {{"TIME", time}, {"FORCE", force}})),
        start_(end()) {}

  void begin_here() { start_ = end(); }
  // Of its end since then, over u.
  double way() const {
    const double q = 0.4 * 1000 * 9.81 * 4e-4, F = 0.6 * q;
    return (end() - start_) / (F * F / (2 * 5.886e8 * 4e-4 * q));
  }

  Played run;

 private:
  double end() const {
    double x = 0;
    for (Index i = 0; i < run.model.objects[0].vertices.end; ++i) x = std::max(x, run.at(i)[0]);
    return x;
  }
  double start_;
};

}  // namespace sim::test
