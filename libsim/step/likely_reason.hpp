// What most likely keeps a step from its end, as far as it can be seen from outside the solvers.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "collide/contact.hpp"
#include "model/names.hpp"

namespace sim {

// A step as it began.
struct Situation {
  const Model& model;
  std::span<const Contact> contacts;
  const VecX& x;  // m, of all vertices
  const VecX& v;  // m/s, of all vertices; prescribed ones as they will move
  double dt = 0;  // s
  bool is_static = false;
};

// Two contacts with prescribed vertices that hold bodies from opposite sides.
struct Vice {
  std::array<Index, 2> jaws{-1, -1};  // objects of the prescribed vertices
  std::array<Index, 2> held{-1, -1};  // objects of the others
  Vec3 middle{0, 0, 0};               // m, between both
  double width = 0;                   // m, between the jaws at the end of the step
  bool closes = false;                // the jaws approach each other
};
// Of all contacts with these objects: the narrowest that closes, or else the narrowest. `held` is -1 where there is
// none.
Vice find_vice(const Situation& situation, std::span<const Index> objects);

// Sentences of those that apply to these objects, in this order: bodies are held between prescribed things that
// approach each other; an element is squeezed to where its law no longer holds (ElasticLaw::continued_below);
// contacts hold a body from both sides, and may contradict each other, which is asked only with `contradict`; in
// quasi-static steps, where nothing of these was found, bodies that nothing but contacts holds. Empty:
// nothing is known.
std::string likely_reason(const Situation& situation, std::span<const Index> objects, bool contradict);

Vec3 middle_of(const VecX& x, const std::array<Index, 4>& vertices);
std::string vertex_text(const Model& model, Index vertex);  // ""ball"", or "prescribed vertices of "ball""
std::string tet_text(const Model& model, Index tet);        // of Model::mesh: "tetrahedron 12 of "ball""
std::string objects_text(const Model& model, std::span<const Index> objects);  // ""a", "b" and 3 more"

}  // namespace sim
