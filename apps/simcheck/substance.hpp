// Masses and elastic bodies anew from what a result file and its scene say.
#pragma once

#include <vector>

#include "bodies/rigid.hpp"
#include "elasticity/assembly.hpp"
#include "scene/scene.hpp"

namespace simcheck {

struct Subject;
struct Prescribed;

struct RigidObject {
  sim::Range vertices, triangles;
  double density = 0;  // kg/m^3
  double mass = 0;     // kg, at rest
};

// What the scene text in the file adds: without it only geometry can be judged.
struct Substance {
  sim::Vec3 gravity{0, 0, 0};  // m/s^2
  sim::VecX mass;              // kg, by vertex: a share of each element's, of deformable objects; zero for others
  double total_mass = 0;       // kg
  std::vector<RigidObject> rigid;
  double smallest_elastic_scale{};  // J, of a strain of 1e-6: what is below is rounding
  sim::ElasticBodies elastic;
  sim::Index prescribed_vertices = 0;  // of deformable objects: pinned or scripted
  bool mass_damping = false;
  bool is_quasi_static = false;
  double gap_tolerance = 0;  // m, contact.tolerance, the largest where it is by object
};

// Masses anew from tets, triangles and densities, of rigid objects from what their surface encloses; elastic energy
// with the code of the materials.
Substance make_substance(const sim::Scene& scene, const Subject& subject, const Prescribed& prescribed);

// Of what its surface encloses where `vertices` (all of the file) are.
sim::MassProperties properties_of(const RigidObject& object, const std::vector<sim::Triangle>& triangles,
                                  const std::vector<sim::Vec3>& vertices);

}  // namespace simcheck
