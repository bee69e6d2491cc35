// What is judged: all of a result file that does not change from frame to frame.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bodies/rigid.hpp"
#include "collide/surface.hpp"
#include "elasticity/assembly.hpp"
#include "output/result_reader.hpp"
#include "scene/scene.hpp"

namespace simcheck {

struct RigidObject {
  sim::Range vertices, triangles;
  double density = 0;  // kg/m^3
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
  double gap_tolerance = 0;  // m, contact.tolerance, the largest where it is by object
};

struct RecordedSteps {
  std::map<std::int64_t, std::size_t> row_of_step;  // of steps that moved the bodies
  std::map<std::string, std::vector<double>> columns;
  std::map<std::string, std::int64_t> statuses;  // how many steps ended how
  bool has_ledger = false;                       // its columns are there
};

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

// Of what its surface encloses where `vertices` (all of the file) are.
sim::MassProperties properties_of(const RigidObject& object, const std::vector<sim::Triangle>& triangles,
                                  const std::vector<sim::Vec3>& vertices);

// Throws FileError where the file cannot be read or contradicts itself so that nothing can be judged.
Subject open_subject(const std::string& path);

}  // namespace simcheck
