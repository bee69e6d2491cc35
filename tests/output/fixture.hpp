// A small model and states with recognisable numbers, and a folder that goes away.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <string>

#include "output/result_file.hpp"

namespace sim::testing {

class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "simrun-output-XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

// One tet (deformable, "rubber"), an object without anything, and two bare triangles (fixed): nine vertices.
inline Model small_model() {
  Model model;
  model.name = "small";
  model.materials.resize(1);
  model.materials[0].name = "rubber";
  model.mesh.vertices = {{0, 0, 0},   {1, 0, 0},  {0, 1, 0},   {0, 0, 1},      {-2, -2, -1},
                         {3, -2, -1}, {3, 3, -1}, {-2, 3, -1}, {0.1, 0.2, 0.3}};
  model.mesh.tets = {{0, 1, 2, 3}};
  model.mesh.triangles = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}, {4, 5, 6}, {4, 6, 7}};
  model.objects.resize(3);
  model.objects[0] = {"tet", ObjectType::deformable, 0, {0, 4}, {0, 1}, {0, 4}};
  model.objects[1] = {"nothing", ObjectType::scripted, -1, {4, 4}, {1, 1}, {4, 4}};
  model.objects[2] = {"floor", ObjectType::fixed, -1, {4, 9}, {1, 1}, {4, 6}};
  return model;
}

// `vertices` points and nothing else.
inline Model points(Index vertices) {
  Model model;
  model.name = "points";
  model.mesh.vertices.assign(vertices, Vec3(1, 2, 3));
  model.objects = {{"points", ObjectType::fixed, -1, {0, vertices}, {0, 0}, {0, 0}}};
  return model;
}

// Entry i of the positions of frame k; velocities are the same plus 1e6. Exact in double precision.
inline double position(std::int64_t k, Index i) {
  return static_cast<double>(k) + i / 1048576.0;
}

inline State numbered_state(Index vertices, std::int64_t k) {
  State state;
  state.step = 10 * k;
  state.time = 0.1 * static_cast<double>(k);
  state.x.resize(3 * Eigen::Index{vertices});
  for (Index i = 0; i < 3 * vertices; ++i) state.x[i] = position(k, i);
  state.v = state.x.array() + 1e6;
  state.left_over = state.x.array() + 2e6;
  return state;
}

// A vertex of the tet on the floor's triangle (4, 5, 6), and edge (1, 2) of the tet on edge (6, 7) of the floor.
inline State two_contacts() {
  State state = numbered_state(9, 0);
  for (Index i = 0; i < 9; ++i) block(state.x, i) = small_model().mesh.vertices[i];
  Contact face;
  face.kind = ContactKind::vertex_face;
  face.pair = {3, 4};
  face.vertices = {3, 4, 5, 6};
  face.weights = {1, -0.5, -0.25, -0.25};
  face.n = {0, 0, 1};
  face.t1 = {1, 0, 0};
  face.t2 = {0, 1, 0};
  face.gap = 2e-6;
  face.lambda = 10;
  face.friction = {3, 4};
  face.state = FrictionState::sliding;
  Contact edges;
  edges.kind = ContactKind::edge_edge;
  edges.pair = {7, 8};
  edges.vertices = {1, 2, 6, 7};
  edges.weights = {0.75, 0.25, -0.5, -0.5};
  edges.n = {1, 0, 0};
  edges.t1 = {0, 0, 1};
  edges.t2 = {0, -1, 0};
  edges.gap = -1e-6;
  edges.lambda = 2;
  edges.friction = {0.5, 0.25};
  edges.state = FrictionState::sticking;
  state.contacts.contacts = {face, edges};
  return state;
}

inline StepReport numbered_report(std::int64_t step) {
  StepReport report;
  report.step = step;
  report.time = 0.01 * static_cast<double>(step);
  report.iterations = static_cast<Index>(7 * step);
  report.residual = 1.0 / static_cast<double>(step);
  report.momentum = Vec3(1, 2, 3) * static_cast<double>(step);
  return report;
}

inline ResultHeader small_header() {
  return {.scene_json = "{\"name\": \"sm\u00e5ll\"}",
          .solver = "cr-full",
          .threads = 3,
          .command_line = "simrun small.json -o small.h5",
          .program_version = "0.1.0 (abc)"};
}

}  // namespace sim::testing
