// Result files by hand, for tests of the programs that read them.
#pragma once

#include "mesh/generate.hpp"
#include "output/result_file.hpp"

namespace sim::test {

inline constexpr const char* boxes_scene = R"({ "gravity": [0, 0, 0], "materials": { "m": { "density": 1000 } },
  "meshes": { "box": { "generate": "box" } },
  "objects": [ { "name": "left", "mesh": "box", "material": "m" },
               { "name": "right", "mesh": "box", "material": "m" } ] })";
inline constexpr const char* one_scene =
    R"({ "gravity": [0, 0, -10], "materials": { "m": { "young": 1e5, "poisson": 0,
  "density": 1000 } }, "meshes": { "box": { "generate": "box" } },
  "objects": [ { "name": "cube", "mesh": "box", "material": "m" } ] })";

inline Mesh unit_box(Index cells = 1) {
  return generate(BoxShape{.cells = {cells, cells, cells}});
}

// The tip of a tet, pointing down at (0.2, 0.3, z).
inline Mesh tip_down(double z) {
  Mesh mesh;
  mesh.vertices = {{0.2, 0.3, z}, {0.1, 0.3, z + 1}, {0.3, 0.2, z + 1}, {0.3, 0.4, z + 1}};
  mesh.tets = {{0, 1, 2, 3}};
  mesh.triangles = {{0, 2, 1}, {0, 3, 2}, {0, 1, 3}, {1, 2, 3}};
  return mesh;
}
// A large tet whose upper face is the plane z = 0.
inline Mesh flat_top() {
  Mesh mesh;
  mesh.vertices = {{-3, -3, 0}, {5, -3, 0}, {-3, 5, 0}, {0, 0, -5}};
  mesh.tets = {{0, 2, 1, 3}};
  mesh.triangles = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
  return mesh;
}

// Objects first, then frames.
struct Maker {
  Model model;
  std::string scene = boxes_scene;
  bool velocities = true;
  std::vector<State> frames;
  std::vector<StepReport> rows;
  std::string status = "done", solver = "cr-full";

  Maker() { model.materials = {{.name = "m"}}; }

  void add(const std::string& name, const Mesh& mesh, ObjectType type = ObjectType::deformable) {
    Mesh& all = model.mesh;
    Object object{.name = name, .type = type, .material = type == ObjectType::deformable ? 0 : -1};
    object.vertices.begin = static_cast<Index>(all.vertices.size());
    object.tets.begin = static_cast<Index>(all.tets.size());
    object.triangles.begin = static_cast<Index>(all.triangles.size());
    all.vertices.insert(all.vertices.end(), mesh.vertices.begin(), mesh.vertices.end());
    const Index first = object.vertices.begin;
    for (const Tet& t : mesh.tets) all.tets.push_back({t[0] + first, t[1] + first, t[2] + first, t[3] + first});
    for (const Triangle& t : mesh.triangles) all.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
    object.vertices.end = static_cast<Index>(all.vertices.size());
    object.tets.end = static_cast<Index>(all.tets.size());
    object.triangles.end = static_cast<Index>(all.triangles.size());
    model.objects.push_back(object);
  }

  // Every frame 10 steps and 0.1 s after the one before: object k moved by shifts[k] from its place at rest.
  State& frame(const std::vector<Vec3>& shifts) {
    State state;
    state.step = 10 * static_cast<std::int64_t>(frames.size());
    state.time = 0.1 * static_cast<double>(frames.size());
    state.x.resize(3 * static_cast<Eigen::Index>(model.mesh.vertices.size()));
    state.v = VecX::Zero(state.x.size());
    for (std::size_t k = 0; k < model.objects.size(); ++k) {
      for (Index i = model.objects[k].vertices.begin; i < model.objects[k].vertices.end; ++i)
        block(state.x, i) = model.mesh.vertices[i] + shifts[k];
    }
    frames.push_back(state);
    return frames.back();
  }

  StepReport& row(std::int64_t step) {
    rows.push_back({.step = step, .time = 0.01 * static_cast<double>(step), .dt = 0.01});
    return rows.back();
  }

  void write(const std::string& path) const {
    ResultFile file(path, model,
                    {.scene_json = scene, .solver = solver, .program_version = "test", .velocities = velocities});
    for (const StepReport& row : rows) file.append_step(row);
    for (const State& state : frames) file.append_frame(state);
    if (status != "running") file.finish(status, "");
  }
};

// Frame 2 of 4 overlaps by 0.1 m along x; the gap is 0.5 m before and 0.2 m after.
inline Maker crossing_boxes() {
  Maker maker;
  maker.add("left", unit_box());
  maker.add("right", unit_box());
  for (const double x : {1.5, 1.5, 0.9, 1.2}) maker.frame({Vec3(0, 0, 0), Vec3(x, 0.21, 0.13)});
  return maker;
}

inline Maker falling_cube() {
  Maker maker;
  maker.scene = one_scene;
  maker.add("cube", unit_box());
  return maker;
}

// By hand: a unit cube of six equal tets round the diagonal x = y = z has 1/4 of its 1000 kg at both ends of it and
// 1/12 at each of the other six corners. All are at r^2 = 1/2 m^2 from the axis of the spin, so sum m r^2 = 500 kg
// m^2, and the heavy two at (1, 1, 1) / 2 and opposite make sum m x z = sum m y z = (250 - 1000 / 12) / 2.
inline constexpr double tilt = (250 - 1000 / 12.0) / 2;  // kg m^2
inline State& rigid_frame(Maker& maker, const Vec3& centre, const Vec3& velocity, double spin) {
  State& state = maker.frame({centre});
  for (Index i = 0; i < 8; ++i) {
    const Vec3 arm = maker.model.mesh.vertices[i];
    block(state.v, i) = velocity + Vec3(-spin * arm[1], spin * arm[0], 0);
  }
  return state;
}

}  // namespace sim::test
