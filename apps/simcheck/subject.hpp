// What is judged: all of a result file that does not change from frame to frame.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "collide/surface.hpp"
#include "output/result_reader.hpp"
#include "recorded_steps.hpp"
#include "substance.hpp"

namespace simcheck {

inline bool is_deformable(const sim::ResultObject& object) {
  return object.type == "deformable";
}
inline bool is_rigid(const sim::ResultObject& object) {
  return object.type == "rigid";
}
inline bool is_obstacle(const sim::ResultObject& object) {
  return object.type == "fixed" || object.type == "scripted";
}

struct Subject {
  std::string path;
  sim::ResultReader reader;
  sim::Mesh rest;
  std::vector<sim::ResultObject> objects;
  sim::CollisionSurface surface;
  std::optional<Substance> substance;
  std::vector<double> thickness;  // m, of objects, that contact keeps; empty where the scene does not tell
  RecordedSteps steps;
  int deformable = 0, rigid = 0, obstacles = 0;  // objects
  std::vector<std::string> notes;                // what limits the judgement, for people

  // Do others than gravity push the free objects as a whole?
  bool has_supports() const { return obstacles > 0 || (substance && substance->prescribed_vertices > 0); }
};

// Its vertices that are not embedded.
sim::Range nodes_of(const Subject& subject, const sim::ResultObject& object);

// Throws FileError where the file cannot be read or contradicts itself so that nothing can be judged.
Subject open_subject(const std::string& path);

}  // namespace simcheck
