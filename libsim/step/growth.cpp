#include "step/growth.hpp"

#include <algorithm>
#include <vector>

#include "elasticity/element_at.hpp"
#include "elasticity/element_impulse.hpp"
#include "elasticity/thin.hpp"

namespace sim {

namespace {

constexpr double largest_growth = 0.01;  // of the energy in play, as simcheck has it

struct Account {  // J, of an object
  double made = 0, in_play = 0, slight = 0;
};

bool is_counted(const Part& part, Index object) {
  return part.model.objects[object].type == ObjectType::deformable && part.model.objects[object].tets.size() == 0 &&
         part.s.division.share[object] == Share::solved;
}

// psi(x1) - psi(x0) of its elements.
void add_stored(const Part& part, std::vector<Account>& accounts) {
  const ElasticBodies& bodies = part.model.elastic;
  for_each_kind([&](auto kind) {
    if constexpr (kind.value != ElementKind::tet) {
      for (const auto& element : elements_of<kind.value>(bodies)) {
        Account& account = accounts[part.model.surface.vertex_object[element.vertices[0]]];
        const double stored = element_energy(element, corners_at(element, part.s.x1));
        account.made += stored - element_energy(element, corners_at(element, part.state.x));
        account.in_play += stored;
      }
    }
  });
}

// What the step took them to do, and what moves.
void add_motion(const Part& part, const std::vector<std::uint8_t>& chosen, std::vector<Account>& accounts) {
  const Model& model = part.model;
  const Scratch& s = part.s;
  VecX impulse = VecX::Zero(s.motion.size());
  add_impulses_on(chosen, model.elastic, s.elements,
                  {part.state.x, s.motion, part.dt, {s.settling.body_of_vertex, s.turning.way}}, impulse);
  for (std::size_t object = 0; object < accounts.size(); ++object) {
    if (!is_counted(part, static_cast<Index>(object))) continue;
    const double gap = gap_tolerance(model.surface, static_cast<Index>(object), static_cast<Index>(object));
    const double slow = gap / part.dt;
    const Range vertices = model.objects[object].vertices;
    for (Index i = vertices.begin; i < vertices.end; ++i) {
      const double mass = model.elastic.mass[i];
      const Vec3 v = block(s.motion, i);
      accounts[object].made += v.dot(block(impulse, i)) - mass * (v - block(part.state.v, i)).squaredNorm() / 2;
      accounts[object].in_play += mass * v.squaredNorm() / 2;
      accounts[object].slight += mass * (model.gravity.norm() * gap + slow * slow);
    }
  }
}

}  // namespace

Growth find_growth(const Part& part) {
  Growth growth;
  const Model& model = part.model;
  if (part.s.inertia.newton() || part.options.contact.as_published) return growth;
  std::vector<std::uint8_t> chosen(model.mesh.vertices.size(), 0);
  bool any = false;
  for (Index object = 0; object < static_cast<Index>(model.objects.size()); ++object) {
    if (!is_counted(part, object)) continue;
    const Range vertices = model.objects[object].vertices;
    std::fill(chosen.begin() + vertices.begin, chosen.begin() + vertices.end, std::uint8_t{1});
    any = true;
  }
  if (!any) return growth;
  std::vector<Account> accounts(model.objects.size());
  add_stored(part, accounts);
  add_motion(part, chosen, accounts);
  for (Index object = 0; object < static_cast<Index>(accounts.size()); ++object) {
    const Account& one = accounts[object];
    if (!is_counted(part, object) || one.made <= largest_growth * one.in_play + one.slight) continue;
    if (growth.objects.empty()) growth.made = one.made;
    growth.objects.push_back(object);
  }
  return growth;
}

}  // namespace sim
