// Contacts as people read them: in world coordinates, with vertices and objects of the model.
//
//     normal force on the first side  = lambda normal          friction on it = -(gamma_1 t1 + gamma_2 t2)
//
// (contact/problem.hpp); on the second side both are the opposite. The first side is the vertex, or the first edge.
// Contacts are those of Scratch::solved (step/step.hpp): directions, weights and forces of one solve.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "model/model.hpp"
#include "model/state.hpp"

namespace sim {

struct ContactRecord {
  ContactKind kind = ContactKind::vertex_face;
  FrictionState state = FrictionState::open;
  std::array<Index, 2> pair{};      // vertex and row of /model/triangles; or two edges, numbered among all
  std::array<Index, 2> objects{};   // of the first side and of the second
  std::array<Index, 4> vertices{};  // of both sides: 1 + 3, or 2 + 2
  Vec3 point{0, 0, 0};              // m, on the first side
  Vec3 normal{0, 0, 1};             // from the second side to the first
  double gap = 0;                   // m
  double lambda = 0;                // N
  Vec3 friction{0, 0, 0};           // N, on the first side
};

// A strain limit that pushes.
struct LimitRecord {
  Index spring = 0;   // row of /model/springs
  double lambda = 0;  // N, what it pulls its ends together with; negative: pushes them apart
};
std::vector<LimitRecord> limit_records(std::span<const LengthLimit> of_model, std::span<const Contact> limits);

Index object_of(std::span<const Object> objects,
                Index vertex);  // whose vertex it is; all objects of the model, in its order

Vec3 force_on_first_side(const Contact& contact);  // N: normal force and friction

// Objects must be those of the model, all of them, in its order; x: m, positions of all vertices.
std::vector<ContactRecord> contact_records(std::span<const Object> objects, std::span<const Contact> contacts,
                                           const VecX& x);

// N, of all `vertices`: the forces of all contacts, each divided among the vertices of its sides as its point is.
// Their sum over the vertices of an object is the force that the others exert on it.
VecX contact_forces(std::span<const Contact> contacts, std::size_t vertices);

}  // namespace sim
