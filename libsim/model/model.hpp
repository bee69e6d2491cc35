// All that a run does not change: made once from the scene, const from then on.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "bodies/motion.hpp"
#include "bodies/rigid.hpp"
#include "collide/surface.hpp"
#include "elasticity/assembly.hpp"
#include "elasticity/material.hpp"
#include "elasticity/strain_rates.hpp"
#include "mesh/embedding.hpp"
#include "mesh/mesh.hpp"
#include "model/loads.hpp"

namespace sim {

enum class ObjectType { deformable, rigid, scripted, fixed };
const char* to_string(ObjectType type);
inline bool is_obstacle(ObjectType type) {  // moves as it is told, if at all; the others are bodies
  return type == ObjectType::scripted || type == ObjectType::fixed;
}

struct Object {
  std::string name;
  ObjectType type = ObjectType::deformable;
  Index material = -1;  // into Model::materials; -1 for fixed and scripted objects
  Range vertices, tets, triangles;
  std::array<Index, 2> grid{0, 0};  // cells of a sheet whose vertices are those of a grid (elasticity/sheet.hpp)
  bool half_space = false;          // its triangle stands for all of its plane, and has nothing behind it
  double thickness = 0;             // m, that contact keeps: of sheets, and of open surfaces, segments and points
  Vec3 velocity{0, 0, 0};           // m/s, at time 0; of rigid objects
  Vec3 angular_velocity{0, 0, 0};   // rad/s, at time 0, about the centre of mass; of rigid objects
  Index embedded = 0;               // its last so many vertices go with tets (mesh/embedding.hpp)
};

// Its vertices that have unknowns of their own, and those that are embedded.
inline Range nodes(const Object& object) {
  return {object.vertices.begin, object.vertices.end - object.embedded};
}
inline Range embedded_vertices(const Object& object) {
  return {object.vertices.end - object.embedded, object.vertices.end};
}

// Deformable objects without tets are sheets, and cables where their triangles are segments {a, b, b}.
inline bool is_thin(const Object& object) {
  return object.type == ObjectType::deformable && object.tets.size() == 0;
}

struct PrescribedVertices {  // pinned and scripted vertices, and whole scripted objects
  std::vector<Index> vertices;
  Motion motion;
  std::vector<Vec3> directions = {};  // unit vectors at right angles, along which they are prescribed; none: all
  double release = std::numeric_limits<double>::infinity();  // s: from then on the entry holds nothing
};

struct Model {
  std::string name;
  Vec3 gravity{0, 0, -9.81};  // m/s^2
  Mesh mesh;                  // all objects one after the other, at rest, placed in the world
  std::vector<Object> objects;
  std::vector<Material> materials;
  std::vector<PrescribedVertices> prescribed;
  std::vector<Load> loads;
  VecX initial_velocity;              // of all vertices; those of prescribed and rigid ones are not read
  double friction = 0.5;              // Coulomb's coefficient, where there is none by groups
  std::vector<double> pair_friction;  // of two objects, by their groups (collide/surface.hpp); empty: one for all

  // What follows from the above; finish_model() computes it.
  Embedding embedding;  // of Mesh::embedded
  ElasticBodies elastic;
  std::vector<RigidBody> rigid;  // by object; their blocks of unknowns come after those of vertices
  AssemblyPlan plan;
  StrainLayout strains;       // of elements with stiffness damping
  std::vector<Index> guided;  // prescribed vertices that have unknowns all the same (model/guides.hpp), ascending
  std::vector<Index> guide_of_vertex;  // index into these; -1: is none
  CollisionSurface surface;            // a vertex moves where it has unknowns

  bool is_cable(const Object& object) const {
    return is_thin(object) && materials[object.material].model == MaterialModel::cable;
  }
  double friction_of(Index object_a, Index object_b) const;  // of contacts between two objects
  RigidBlocks rigid_blocks(double dt) const { return {rigid, static_cast<Index>(plan.vertex_of_block.size()), dt}; }
};

// Computes the derived part. Elements of objects that are not deformable carry no elasticity. Throws InputError for a
// rigid object whose triangles do not enclose a volume.
void finish_model(Model& model);

}  // namespace sim
