// Friction by object and pair, and pairs that never touch.
//
//     the last entry of contact.pairs that fits two objects says all: their friction, or that they never touch
//     else where both have a friction of their own (object, or else material), the smaller one
//     else that of the one that has one, else contact.friction
//
// An entry fits where one of its names fits the one object and the other name the other. A name fits the object that
// is called so, and all copies of one; * in it stands for any text.
#pragma once

#include <span>

#include "scene/defects.hpp"
#include "scene/scene.hpp"

namespace sim {

struct NamedObject {
  std::string name;                  // "heap.3"
  const ObjectSpec* spec = nullptr;  // what it is a copy of: "heap"
};
std::vector<NamedObject> named_objects(const Scene& scene, const Model& model);

bool fits(const std::string& name, const NamedObject& object);
void check_pairs(const Scene& scene, std::span<const NamedObject> objects, Defects& defects);

struct PairTable {
  ObjectGroups groups;
  std::vector<double> friction;  // by groups, as ObjectGroups::excluded
};
PairTable pair_table(const Scene& scene, std::span<const NamedObject> objects);

void set_pairs(const Scene& scene, std::span<const NamedObject> objects, Model& model);
bool has_friction(const Scene& scene);  // anywhere

}  // namespace sim
