// What the user wrote, defaults filled in and checked: plain data, no JSON.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "bodies/motion.hpp"
#include "collide/pour.hpp"
#include "elasticity/material.hpp"
#include "mesh/generate.hpp"
#include "mesh/tetrahedralize.hpp"
#include "model/model.hpp"
#include "model/options.hpp"
#include "model/time_scheme.hpp"
#include "scene/origin.hpp"

namespace sim {

struct FileShape {
  std::string file;                                     // relative to the folder of the scene file
  Index refine = 0;                                     // times (mesh/refine.hpp)
  std::optional<TetrahedralizeOptions> tetrahedralize;  // surfaces of deformable objects need it
};

// A surface in tets that carry it (mesh/embedding.hpp); one of the two.
struct EmbedSpec {
  std::optional<double> cell;       // m: edge of the cubes of a cage that is made
  std::optional<std::string> cage;  // a mesh of the scene
};

struct MeshSpec {
  std::string name;
  std::variant<BoxShape, SlabShape, TorusShape, SphereShape, CylinderShape, SheetShape, PathShape, RibbonShape,
               WedgeShape, FileShape, HalfSpaceShape, SegmentsShape, PointsShape>
      shape;
  Vec3 scale{1, 1, 1};  // along x, y and z; negative factors mirror
  std::string flip;     // axes to mirror along, such as "x" or "xy"
  std::optional<EmbedSpec> embed = {};
};

std::array<Index, 2> grid_of(const MeshSpec& mesh);  // cells of a sheet of the pattern grid, else none

struct RotationSpec {
  Vec3 axis{0, 0, 1};
  double degrees = 0;
};

// Vertices chosen in the placed object at time 0 (world coordinates); list: indices within the object's mesh.
struct BoxSelection {
  std::array<Vec3, 2> corners;
};
struct SphereSelection {
  Vec3 center{0, 0, 0};
  double radius = 0;
};
struct PlaneSelection {
  Vec3 point{0, 0, 0};
  Vec3 normal{0, 0, 1};
};  // the side the normal points to, the plane included
struct CylinderSelection {
  Vec3 point{0, 0, 0};  // of the axis
  Vec3 axis{0, 0, 1};
  double radius = 0;
};
struct ListSelection {
  std::vector<Index> vertices;
};
using Selection = std::variant<BoxSelection, SphereSelection, PlaneSelection, CylinderSelection, ListSelection>;

struct BoundarySpec {
  Selection select;
  std::optional<MotionSpec> motion;  // none: pinned
  std::optional<std::string> axes;   // along which they are held, such as "xy"; none: all
  std::optional<Vec3> normal;        // of any length: along which they are held, instead of axes
  std::optional<double> release;     // s: from then on they are free; none: never
};

// A number, or an expression of t as text.
struct TimeValueSpec {
  double number = 0;
  std::string expression;  // empty: the number
};

// Forces on an object (model/loads.hpp).
struct LoadSpec {
  LoadKind kind = LoadKind::force;
  std::array<TimeValueSpec, 3> value;  // of a pressure the first one
  std::optional<Selection> select;     // none: all of the object
  std::optional<Vec3> point;           // m, in the world at time 0: of a force on a rigid object
  std::optional<bool> follows;         // none: pressures do
};

// ---- where copies go; at most one of these an object

struct MeshRegionSpec {  // what a closed mesh of the scene encloses
  std::string mesh;
  Vec3 position{0, 0, 0};
  RotationSpec rotation;
};
struct ScatterSpec {
  Index count = 1;
  std::uint64_t seed = 1;
  std::variant<BoxRegion, CylinderRegion, MeshRegionSpec> region = BoxRegion{Vec3(-1, -1, 0), Vec3(1, 1, 2)};
};
struct ArraySpec {  // a lattice, x fastest; the first copy is where the object is
  std::array<Index, 3> count{1, 1, 1};
  Vec3 spacing{0, 0, 0};  // m
};
struct PoseSpec {  // after the object's own rotation
  Vec3 position{0, 0, 0};
  std::optional<RotationSpec> rotation;
  std::optional<std::array<double, 4>> quaternion;  // w, x, y, z, of any length; instead of rotation
  std::optional<Vec3> velocity, angular_velocity;   // none: the object's
};

struct ObjectSpec {
  std::string name;
  ObjectType type = ObjectType::deformable;
  std::string mesh;
  std::string material;
  Vec3 position{0, 0, 0};          // m
  RotationSpec rotation;           // about the mesh's origin, before `position`
  Vec3 velocity{0, 0, 0};          // m/s
  Vec3 angular_velocity{0, 0, 0};  // rad/s, about the object's centre of mass
  std::optional<double> friction;  // of its surface; none: that of its material, or else contact.friction
  double thickness = 0;            // m, that contact keeps about obstacles that enclose nothing
  std::optional<ScatterSpec> scatter;
  std::optional<ArraySpec> array;
  std::vector<PoseSpec> poses;
  std::string poses_file;              // relative to the folder of the scene file
  std::optional<MotionSpec> motion;    // scripted objects
  std::vector<BoundarySpec> boundary;  // deformable objects
  std::vector<LoadSpec> loads;         // deformable and rigid objects
};

bool has_copies(const ObjectSpec& object);
// None: as many as its poses_file has lines.
std::optional<std::int64_t> copies_wanted(const ObjectSpec& object);
std::vector<std::string> meshes_of(const ObjectSpec& object);  // its own, and that of its region
// m, that contact keeps about it: its own, or that of its material of sheets. No material: null.
double thickness_of(const ObjectSpec& object, const Material* material);

struct TimeSpec {
  double step = 0.001;  // s
  double duration = 1;  // s
  TimeScheme scheme = TimeScheme::semi_implicit;
  double spectral_radius = 0.5;
  bool steps_asked = false;  // the duration is that of a number of steps (set_steps)
};
struct PairSpec {
  std::array<std::string, 2> between;  // names of objects (scene/pairs.hpp)
  std::optional<double> friction;
  bool exclude = false;  // they never touch
};
struct ContactSpec {
  bool enabled = true;
  double friction = 0.5;
  std::optional<double> tolerance;  // m, eps2
  bool hold_position = true;
  std::vector<PairSpec> pairs;
};
enum class OnFailure { stop, go_on };
struct SolverSpec {
  std::string method = "auto";
  bool as_published = false;
  bool together = false;             // all contacts as one system; else each group of bodies that touch by itself
  std::optional<double> tolerance;   // kg m/s, eps1: bound of what a contact island may miss
  double relative_tolerance = 0.01;  // what a body may miss, as a part of the momentum in play
  double linear_tolerance = 1e-12;   // relative residual of contact-free solves
  std::optional<Index> max_iterations;
  OnFailure on_failure = OnFailure::stop;
};
struct OutputSpec {
  Index every = 10;             // steps between frames
  bool velocities = true;       // write /frames/velocities
  bool contacts = false;        // write /contacts
  bool stress = false;          // write /frames/von_mises
  bool stress_tensor = false;   // write /frames/stress
  bool strain_tensor = false;   // write /frames/strain
  bool contact_forces = false;  // write /frames/contact_forces
  bool tension = false;         // write /frames/tension
  bool objects = false;         // write /objects
  int compression = 1;          // of frames: 0 none, 1 fast ... 9 small
  Index checkpoint = 100;       // steps between checkpoints
};

struct Scene {
  std::string name;
  TimeSpec time;
  Vec3 gravity{0, 0, -9.81};
  std::vector<Material> materials;
  std::vector<MeshSpec> meshes;
  std::vector<ObjectSpec> objects;
  ContactSpec contact;
  SolverSpec solver;
  LocalOptions local;  // of the method `local`; others do not read it
  AsyncOptions acm;
  OutputSpec output;

  std::string source;           // what messages call the scene: its file
  std::vector<Origin> origins;  // what the command line has set in it
  std::string folder;           // of the scene file: relative mesh files start here
  std::string json;             // the effective scene (overrides applied, defaults filled in) as JSON text
};

// Reads `path`, applies `overrides` ("path.to.key=value") and checks everything. Throws InputError whose message
// lists every defect, one a line: file, JSON path, value, expectation, and for a misspelt key the nearest known one.
Scene read_scene(const std::string& path, const std::vector<std::string>& overrides = {});
// The same for JSON text; `source` is what messages call it, `folder` where relative mesh files are.
Scene parse_scene(const std::string& text, const std::string& source, const std::string& folder,
                  const std::vector<std::string>& overrides = {});

// Gives the scene the duration of this many steps.
void set_steps(std::int64_t steps, Scene& scene);

struct SceneChange {
  std::string path;           // JSON pointer
  std::string before, after;  // as JSON; empty where there is nothing
};
// Where two scenes differ, by what they say with defaults filled in.
std::vector<SceneChange> scene_changes(const Scene& before, const Scene& after);

std::string scene_schema();     // JSON Schema, from the same table as the checks
std::string scene_reference();  // the body of docs/scene-format.md, from the same table

}  // namespace sim
