#include "step/growth.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <vector>

#include "elasticity/element_at.hpp"
#include "elasticity/element_impulse.hpp"
#include "elasticity/thin.hpp"
#include "step/whole_body.hpp"

namespace sim {

namespace {

constexpr double largest_growth = 0.01;  // of the energy in play, as simcheck has it

struct Account {  // J, of an object
  double made = 0, in_play = 0, slight = 0;
};

bool has_tets(const Part& part, Index object) {
  return part.model.objects[object].tets.size() > 0;
}

bool is_counted(const Part& part, Index object) {
  if (part.shortest && has_tets(part, object)) return false;
  return part.model.objects[object].type == ObjectType::deformable && part.s.division.share[object] == Share::solved;
}

// Of the tetrahedra of one object, which follow each other; those whose corners all go as prescribed are left out.
template <class Term>
double sum_over_tets(const Part& part, Range tets, const Term& term) {
  const std::vector<Index>& body_of_vertex = part.s.settling.body_of_vertex;
  return parallel_sum(tets.size(), elements_a_chunk, [&](Index begin, Index end) {
    double sum = 0;
    for (Index i = tets.begin + begin; i < tets.begin + end; ++i) {
      const Tet& tet = part.model.elastic.tets[i];
      if (std::any_of(tet.begin(), tet.end(), [&](Index vertex) { return body_of_vertex[vertex] >= 0; }))
        sum += term(i);
    }
    return sum;
  });
}

// psi(x1) - psi(x0) + v1 . (dt f - dt^2 K (v1 - u)) of what has tetrahedra.
void add_tets(Part& part, std::vector<Account>& accounts) {
  const ElasticBodies& bodies = part.model.elastic;
  Scratch& s = part.s;
  if (bodies.tets.empty()) return;
  find_energy(bodies, part.state.x, s.energy.start);
  find_energy(bodies, s.x1, s.energy.end);
  const ElementMotion motion{part.state.x, s.motion, part.dt, s.turning.of_elements(s.settling.body_of_vertex)};
  Index next = 0;
  for (std::size_t object = 0; object < accounts.size(); ++object) {
    if (part.model.objects[object].type != ObjectType::deformable) continue;
    const Range tets{next, next + part.model.objects[object].tets.size()};
    next = tets.end;
    if (!is_counted(part, static_cast<Index>(object))) continue;
    const double stored = sum_over_tets(part, tets, [&](Index tet) { return s.energy.end.of_tets[tet]; });
    const double taken = sum_over_tets(part, tets, [&](Index tet) {
      return impulse_work(bodies, s.elements, motion, tet) - s.energy.start.of_tets[tet];
    });
    accounts[object].made += stored + taken;
    accounts[object].in_play += stored;
  }
}

// psi(x1) - psi(x0) of its thin elements.
void add_stored(const Part& part, std::vector<Account>& accounts) {
  const ElasticBodies& bodies = part.model.elastic;
  const UnseenStrains before = part.shortest ? unseen_of(part.state) : UnseenStrains{},
                      after = part.shortest ? as_unseen(part.s.unseen) : UnseenStrains{};
  for_each_kind([&](auto kind) {
    if constexpr (kind.value != ElementKind::tet) {
      const auto& elements = elements_of<kind.value>(bodies);
      for (Index i = 0; i < static_cast<Index>(elements.size()); ++i) {
        Account& account = accounts[part.model.surface.vertex_object[elements[i].vertices[0]]];
        const double stored = thin_energy<kind.value>(bodies, i, part.s.x1, after);
        account.made += stored - thin_energy<kind.value>(bodies, i, part.state.x, before);
        account.in_play += stored;
      }
    }
  });
}

// What the step took thin elements to do, and what moves.
void add_motion(const Part& part, const std::vector<std::uint8_t>& chosen, std::vector<Account>& accounts) {
  const Model& model = part.model;
  const Scratch& s = part.s;
  VecX impulse = VecX::Zero(s.motion.size());
  add_impulses_on(chosen, model.elastic, s.elements,
                  {part.state.x, s.motion, part.dt, s.turning.of_elements(s.settling.body_of_vertex)}, impulse);
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

void keep(Index object, const Account& one, double most, Growth& growth) {
  if (one.made <= most * one.in_play + one.slight) return;
  if (growth.objects.empty()) growth.made = one.made;
  growth.objects.push_back(object);
}

// Of the linearisation of a semi-implicit step.
Growth linear_growth(Part& part) {
  Growth growth;
  const Model& model = part.model;
  std::vector<std::uint8_t> thin(model.mesh.vertices.size(), 0);
  bool any = false;
  for (Index object = 0; object < static_cast<Index>(model.objects.size()); ++object) {
    if (!is_counted(part, object)) continue;
    any = true;
    const Range vertices = model.objects[object].vertices;
    if (!has_tets(part, object))
      std::fill(thin.begin() + vertices.begin, thin.begin() + vertices.end, std::uint8_t{1});
  }
  if (!any) return growth;
  std::vector<Account> accounts(model.objects.size());
  add_stored(part, accounts);
  add_tets(part, accounts);
  add_motion(part, thin, accounts);
  for (Index object = 0; object < static_cast<Index>(accounts.size()); ++object) {
    // Of cables and sheets half: the next step may make as much of what was unseen in this one.
    const double most = has_tets(part, object) ? largest_growth : largest_growth / 2;
    if (is_counted(part, object)) keep(object, accounts[object], most, growth);
  }
  return growth;
}

double stored_in(Part& part, Index object) {
  const ElasticBodies& bodies = part.model.elastic;
  find_energy(bodies, part.s.x1, part.s.energy.end);
  double sum = 0;
  for_each_kind([&](auto kind) {
    const auto& elements = elements_of<kind.value>(bodies);
    for (Index i = 0; i < static_cast<Index>(elements.size()); ++i) {
      if constexpr (kind.value == ElementKind::tet) {
        if (part.model.surface.vertex_object[bodies.tets[i][0]] == object) sum += part.s.energy.end.of_tets[i];
      } else if (part.model.surface.vertex_object[elements[i].vertices[0]] == object) {
        sum += element_energy(elements[i], corners_at(elements[i], part.s.x1));
      }
    }
  });
  return sum;
}

// Of the spin of a body that nothing touches, holds or loads, under generalized alpha.
Account spin_growth(Part& part, Index body, const VecX& v1) {
  const Scratch& s = part.s;
  const std::span<const Index> rows = s.groups.bodies.rows_of(body);
  const Index object = s.settling.object_of_body[body];
  const Whole before = whole_body(part.model, rows, part.state.x, part.state.v);
  const Whole after = whole_body(part.model, rows, s.x1, v1);
  const Mat3 inertia = after.second.trace() * Mat3::Identity() - after.second;
  Account account;
  account.made = 0.5 * (after.spin - before.spin).dot(inertia.ldlt().solve(after.spin + before.spin));
  const double gap = gap_tolerance(part.model.surface, object, object), slow = gap / part.dt;
  account.slight = after.mass * (part.model.gravity.norm() * gap + slow * slow);
  for (const Index row : rows) {
    const Index vertex = part.model.plan.vertex_of_block[row];
    account.in_play += 0.5 * part.model.elastic.mass[vertex] * block(v1, vertex).squaredNorm();
  }
  if (account.made > largest_growth * account.in_play) account.in_play += stored_in(part, object);
  return account;
}

bool is_loaded(const Part& part, Index body) {
  const Scratch& s = part.s;
  if (!s.loads.any()) return false;
  const std::span<const Index> rows = s.groups.bodies.rows_of(body);
  return std::any_of(rows.begin(), rows.end(), [&](Index row) {
    return !block(s.loads.force, part.model.plan.vertex_of_block[row]).isZero(0);
  });
}

Growth growth_of_spins(Part& part) {
  const Scratch& s = part.s;
  Growth growth;
  VecX v1;
  for (const Index body : s.groups.apart) {
    const Index object = s.settling.object_of_body[body];
    if (s.turning.hold[body] != Hold::free || !is_counted(part, object) || is_loaded(part, body)) continue;
    if (v1.size() == 0) {
      v1 = s.motion;
      for (Index i = 0; i < static_cast<Index>(s.inertia.damping.size()); ++i)
        block(v1, i) = s.inertia.damping[i] * block(s.motion, i) + block(s.inertia.rest, i);
    }
    keep(object, spin_growth(part, body, v1), largest_growth, growth);
  }
  return growth;
}

}  // namespace

Growth find_growth(Part& part) {
  if (part.options.contact.as_published) return {};
  switch (part.options.time.scheme) {
    case TimeScheme::semi_implicit:
      return linear_growth(part);
    case TimeScheme::generalized_alpha:
      return growth_of_spins(part);
    default:
      return {};
  }
}

}  // namespace sim
