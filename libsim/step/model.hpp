// All that a run does not change: made once from the scene, const from then on.
#pragma once

#include <string>
#include <vector>

#include "bodies/motion.hpp"
#include "collide/surface.hpp"
#include "elasticity/assembly.hpp"
#include "elasticity/material.hpp"
#include "mesh/mesh.hpp"

namespace sim {

enum class ObjectType { deformable, rigid, scripted, fixed };
const char* to_string(ObjectType type);

struct Object {
  std::string name;
  ObjectType type = ObjectType::deformable;
  Index material = -1;  // into Model::materials; -1 for fixed and scripted objects
  Range vertices, tets, triangles;
};

struct ToldVertices {  // pinned and scripted vertices, and whole scripted objects
  std::vector<Index> vertices;
  Motion motion;
};

struct Model {
  std::string name;
  Vec3 gravity{0, 0, -9.81};  // m/s^2
  Mesh mesh;                  // all objects one after the other, at rest, placed in the world
  std::vector<Object> objects;
  std::vector<Material> materials;
  std::vector<ToldVertices> told;
  VecX initial_velocity;  // of all vertices
  double friction = 0.5;

  // What follows from the above; finish_model() computes it.
  ElasticBodies elastic;
  AssemblyPlan plan;
  CollisionSurface surface;  // a vertex moves where it has unknowns
};

// Computes the derived part. Tets of objects that are not deformable carry no elasticity.
void finish_model(Model& model);

}  // namespace sim
