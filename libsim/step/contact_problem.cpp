#include "step/contact_problem.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "collide/contact_geometry.hpp"
#include "collide/limits.hpp"
#include "collide/target_gap.hpp"
#include "contact/residual.hpp"
#include "contact/row_similarity.hpp"
#include "contact/self_stress.hpp"
#include "model/lever.hpp"
#include "step/contact_area.hpp"
#include "step/held_positions.hpp"
#include "step/tolerance.hpp"

namespace sim {

namespace {

Mat3 frame(const Contact& contact) {  // its rows are n, t1, t2
  Mat3 rows;
  rows << contact.n.transpose(), contact.t1.transpose(), contact.t2.transpose();
  return rows;
}

// Of the nodes of an embedded vertex; returns what moves them besides (m).
Vec3 add_embedded(const Model& model, Index vertex, double weight, const VertexMotion& motion, PointBlocks& blocks) {
  Vec3 moved = Vec3::Zero();
  for_each_node(model.embedding, vertex, weight, [&](Index node, double part) {
    const Index column = model.plan.block_of_vertex[node];
    if (column >= 0) blocks.add_shared(column, part);
    if (column < 0 || model.guide_of_vertex[node] >= 0)
      moved += motion.rigid.dt * part * block(motion.prescribed, node);
  });
  return moved;
}

// The blocks that a contact depends on, and what moves it besides (m).
Vec3 add_blocks(const Model& model, const Contact& contact, const VertexMotion& motion, PointBlocks& blocks) {
  Vec3 moved = Vec3::Zero();
  const int corners = is_limit(contact) ? 2 : 4;
  for (int k = 0; k < corners; ++k) {
    const Index vertex = contact.vertices[k];
    const Index column = model.plan.block_of_vertex[vertex], body = model.surface.vertex_body[vertex];
    if (model.embedding.holds(vertex)) {
      moved += add_embedded(model, vertex, contact.weights[k], motion, blocks);
    } else if (column >= 0) {
      blocks.add(column, contact.weights[k]);
      if (model.guide_of_vertex[vertex] >= 0)
        moved += motion.rigid.dt * contact.weights[k] * block(motion.prescribed, vertex);
    } else if (body >= 0) {
      const RigidStep& step = motion.rigid_steps[body];
      const Vec3 arm = block(motion.x0, vertex) - step.start;
      moved += blocks.add(motion.rigid, body, step, contact.weights[k], arm);
    } else {
      moved += motion.rigid.dt * contact.weights[k] * block(motion.prescribed, vertex);
    }
  }
  if (const Lever lever = lever_of(model, contact); lever.vertex >= 0) {
    if (const Index body = model.surface.vertex_body[lever.vertex]; body >= 0) {
      blocks.reach(body, lever.reach);
    } else {
      moved += motion.guides.way_of_turn[model.surface.vertex_object[lever.vertex]] * lever.reach;
    }
  }
  blocks.sort();
  return moved;
}

// m: that a gap may be corrected by in a step.
double correction(const TargetGapRule& rule, const Contact& contact) {
  return gap_part * rule.options.relative_momentum * rule.dt *
         contact_speed(contact, rule.v, rule.push.on(contact), rule.options, rule.dt);
}

double target_gap_from(const TargetGapRule& rule, const Contact& contact, double highest) {
  if (rule.options.as_published) return contact.eps2;  // the safety distance
  const bool may_have_it = contact.gap >= lowest_target_gap * contact.eps2;
  return target_gap_of(contact, highest, may_have_it ? 0 : correction(rule, contact));
}

// Contacts between two objects of one normal, as nearly as `directions` tell them apart.
class Faces {
 public:
  Faces(const CollisionSurface& of_scene, const ContactSet& set) : surface(of_scene) {
    for (const Contact& c : set.contacts) {
      if (is_limit(c)) continue;
      const auto [first, second] = objects_of(surface, c.vertices);
      if (moves(c, first)) sides[first].insert(rounded(inward(c), 1));
      if (moves(c, second)) sides[second].insert(rounded(-inward(c), 1));
      Face& face = of(c);
      if (c.target_gap == 0) {
        face.least_new = std::min(face.least_new, c.gap);
      } else if (c.lambda > 0) {
        face.least = std::min(face.least, c.target_gap);
        face.sum += c.target_gap;
        ++face.count;
      }
    }
  }
  bool pushes(const Contact& c) { return of(c).count > 0; }
  // m: where what pushes is to end; the bodies may be rigid, and bear on all of a face only where it has one gap
  double pushes_at(const Contact& c) {
    const Face& face = of(c);
    return is_of_rigid(surface, c.vertices) ? face.sum / face.count : face.least;
  }
  // One of its objects, that moves, has contacts from the other side, too.
  bool has_play(const Contact& c) const {
    if (is_limit(c)) return false;
    const auto [first, second] = objects_of(surface, c.vertices);
    const auto meets = [&](Index object, const Vec3& n) {
      const auto opposite = [&](const std::array<Index, 3>& side) {
        return Vec3(side[0], side[1], side[2]).normalized().dot(n) < -0.5;
      };
      return moves(c, object) && std::ranges::any_of(sides.at(object), opposite);
    };
    return meets(first, inward(c)) || meets(second, -inward(c));
  }
  double least_new(const Contact& c) { return is_of_rigid(surface, c.vertices) ? of(c).least_new : c.gap; }

 private:
  struct Face {
    double least_new = std::numeric_limits<double>::infinity(), least = least_new, sum = 0;
    int count = 0;
  };
  Face& of(const Contact& c) {
    constexpr double directions = 16;  // a length of 1, along each axis
    const bool rigid = is_of_rigid(surface, c.vertices);
    return faces[{objects_of(surface, c.vertices), rounded(inward(c), rigid ? directions : 0)}];
  }
  bool moves(const Contact& c, Index object) const {
    return std::ranges::any_of(c.vertices, [&](Index vertex) {
      return surface.vertex_object[vertex] == object && surface.vertex_moves[vertex] != 0;
    });
  }
  Vec3 inward(const Contact& c) const {  // of the first of its objects
    return surface.vertex_object[c.vertices[0]] == objects_of(surface, c.vertices)[0] ? c.n : Vec3(-c.n);
  }
  static std::array<Index, 3> rounded(const Vec3& n, double directions) {
    const auto along = [&](int axis) { return static_cast<Index>(std::lround(directions * n[axis])); };
    return {along(0), along(1), along(2)};
  }
  const CollisionSurface& surface;
  std::map<std::pair<std::array<Index, 2>, std::array<Index, 3>>, Face> faces;
  std::map<Index, std::set<std::array<Index, 3>>> sides;  // of objects: coarse normals of their contacts
};

// A part of what it begins with; of all that begins farther off one gap, so that supports that are met one after the
// other bear alike. One gap for all of a rigid face, too: it takes that of what pushes there.
double target_gap_of_new(const TargetGapRule& rule, Faces& faces, const Contact& contact) {
  Contact ends = contact;
  if (!rule.options.as_published && faces.has_play(contact)) {
    double least = new_target_gap * std::min(faces.least_new(contact), contact.eps2);
    if (is_of_rigid(rule.surface, contact.vertices) && faces.pushes(contact))
      least = std::min(faces.pushes_at(contact), contact.gap);
    ends.gap = std::max(least, std::min(contact.gap, lowest_target_gap * contact.eps2));
  }
  return target_gap_from(rule, ends, new_target_gap);
}

// What it travels before the impact it travels with a gap that falls to nothing; it is held from the target gap on,
// in both directions alike. Else friction would let through what the normal force does not.
void end_travel_at_target_gap(Contact& contact) {
  const double part = contact.gap > contact.target_gap ? 1 - contact.target_gap / contact.gap : 0;
  for (double& travelled : contact.c_t) travelled *= part;
}

bool is_guided(const Model& model, const Contact& contact) {
  bool guided = false;
  for (const Index vertex : contact.vertices)
    for_each_node(model.embedding, vertex, 1,
                  [&](Index node, double) { guided = guided || model.guide_of_vertex[node] >= 0; });
  return guided;
}

// Takes what is held out of the last `count` blocks. The square of their normal row before; 0, and nothing taken,
// where that leaves nothing along the normal.
double take_held(const Model& model, const Guides& guides, std::size_t count, BlockMatrix& L) {
  constexpr double rounding = 1e-9;
  const std::size_t slots = L.column.size(), elastic = model.plan.vertex_of_block.size();
  std::array<Mat3, 16> left;
  double before = 0, after = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const Index column = L.column[slots - count + k];
    const Mat3 values = Eigen::Map<const Mat3>(&L.values[L.values.size() - 9 * (count - k)]);
    left[k] = values;
    if (column < static_cast<Index>(elastic))
      left[k] -= values * held_part(model, guides, model.plan.vertex_of_block[column]);
    before += values.row(0).squaredNorm();
    after += left[k].row(0).squaredNorm();
  }
  if (!(after > rounding * rounding * before)) return 0;
  for (std::size_t k = 0; k < count; ++k) Eigen::Map<Mat3>(&L.values[L.values.size() - 9 * (count - k)]) = left[k];
  return before;
}

// Of a pair with thickness: its sides are apart against the normal. Such a plane keeps nothing apart, and nothing
// turns it to the other side.
bool has_gone_round(const Contact& contact, const VecX& x) {
  if (!(contact.thickness > 0)) return false;
  const NearestPoints near = nearest_points(contact.kind, gather(contact.vertices, x));
  return resolved(near, contact.thickness) && near.r.dot(contact.n) <= 0;
}

bool is_of_elastic(const CollisionSurface& surface, const Contact& c) {
  return std::ranges::any_of(c.vertices, [&](Index v) { return is_elastic(surface, v); });
}

// The target gaps of what pushes elastic bodies and has room, for all objects that are in touch by that: their mean
// by forces. All of it at that gap is as much work as each at its own. Obstacles connect nothing.
class MeanGaps {
 public:
  MeanGaps(const CollisionSurface& of_scene, const ContactSet& set) : surface(of_scene) {
    for (const Contact& c : set.contacts) {
      if (counts(c)) join(c);
    }
    for (const Contact& c : set.contacts) {
      if (!counts(c)) continue;
      Sum& sum = sums[first_of(moving_object(c))];
      sum.force += c.lambda;
      sum.gap += c.lambda * c.target_gap;
    }
  }
  bool counts(const Contact& c) const {
    return !is_limit(c) && c.lambda > 0 && !c.has_no_room && is_of_elastic(surface, c);
  }
  double of(const Contact& c) {  // m; infinite where nothing pushes
    const Sum& sum = sums[first_of(moving_object(c))];
    return sum.force > 0 ? sum.gap / sum.force : std::numeric_limits<double>::infinity();
  }

 private:
  struct Sum {
    double force = 0, gap = 0;
  };
  Index moving_object(const Contact& c) const {
    const auto v = std::ranges::find_if(c.vertices, [&](Index vertex) { return surface.vertex_moves[vertex] != 0; });
    return surface.vertex_object[*v];
  }
  void join(const Contact& c) {
    const Index root = first_of(moving_object(c));
    for (const Index v : c.vertices) {
      if (surface.vertex_moves[v] != 0) first[first_of(surface.vertex_object[v])] = root;
    }
  }
  Index first_of(Index object) {
    Index& before = first.try_emplace(object, object).first->second;
    return before == object ? object : before = first_of(before);
  }
  const CollisionSurface& surface;
  std::map<Index, Index> first;
  std::map<Index, Sum> sums;
};

bool is_out_of_reach(const Contact& contact) {
  return contact.state == FrictionState::open && contact.gap > contact.eps2;
}

}  // namespace

// What had no room is asked for more again at ages 1, 2, 4, 8... What does not push may come as near as what does on
// its face: held where it is, a vertex of a wheel would bear before it is lowest. Where nothing does, it keeps its
// target gap, whatever its gap is by now: thrown back in the step, it would push from there, and in a narrow slot all
// that touches both walls at once. What pushes on a rigid face comes down to the mean there; what sticks keeps what
// it is off by where that is less than the least distance: what rests would sink by the noise of every solve.
// Quasi-static increments end with one gap at all contacts of elastic bodies in touch: what is stiff is dented by
// less than gaps differ, and what bears would be a matter of where it happened to touch. In time each keeps its own.
void set_target_gaps(const TargetGapRule& rule, ContactSet& set) {
  std::vector<double> before(set.contacts.size());
  for (std::size_t i = 0; i < before.size(); ++i) before[i] = set.contacts[i].target_gap;
  std::optional<Faces> with_play;  // before any target gap changes; few contacts have no room
  if (std::ranges::any_of(set.contacts, &Contact::has_no_room)) with_play.emplace(rule.surface, set);
  for (Contact& c : set.contacts) {
    if (c.has_no_room && std::has_single_bit(static_cast<std::uint32_t>(c.age)))
      c.has_no_room = c.target_gap < lowest_target_gap * c.eps2 && with_play->has_play(c);  // what is snug stays so
    c.target_gap =
        c.has_no_room ? target_gap_of(c, highest_target_gap, 0) : target_gap_from(rule, c, highest_target_gap);
  }
  if (rule.options.as_published) return;
  Faces faces(rule.surface, set);
  std::optional<MeanGaps> means;
  if (rule.is_static) means.emplace(rule.surface, set);
  for (Contact& c : set.contacts) {
    if (means && !is_limit(c) && is_of_elastic(rule.surface, c)) {
      const double lowest = lowest_target_gap * c.eps2, mean = std::max(means->of(c), lowest);
      c.target_gap = means->counts(c) ? std::min(mean, highest_target_gap * c.eps2) : std::min(c.target_gap, mean);
      continue;
    }
    const double own = before[&c - set.contacts.data()];
    if (is_limit(c) || (c.lambda > 0 && !is_of_rigid(rule.surface, c.vertices))) continue;
    const double nearest = faces.pushes(c) ? faces.pushes_at(c) : own;
    const bool rests = !rule.is_static && c.state == FrictionState::sticking;
    if (rests && c.target_gap < nearest + least_distance * c.eps2) continue;
    c.target_gap = std::min(c.target_gap, std::max(nearest, lowest_target_gap * c.eps2));
  }
}

void set_target_gap_of_new_contacts(const TargetGapRule& rule, ContactSet& set) {
  if (std::ranges::none_of(set.contacts, [](const Contact& c) { return c.target_gap == 0; })) return;
  Faces faces(rule.surface, set);
  for (Contact& c : set.contacts) {
    if (c.target_gap != 0) continue;
    c.target_gap = target_gap_of_new(rule, faces, c);
    if (rule.is_static) {  // friction goes by all of the increment's way
      c.c_t = {};
    } else if (!rule.options.as_published) {
      end_travel_at_target_gap(c);
    }
  }
}

void bound_target_gaps(const TargetGapRule& rule, const VecX& x0, ContactSet& set) {
  if (rule.options.as_published) return;
  for (Contact& c : set.contacts) {
    if (c.age > 0 || c.raised > 0 || is_limit(c)) continue;
    c.target_gap = std::min(c.target_gap, std::max(gap(c, x0), lowest_target_gap * c.eps2));
  }
}

void keep_gaps_of_new_contacts(std::span<Contact> contacts) {
  for (Contact& c : contacts)
    if (c.age == 0 && c.gap > 0) c.target_gap = std::min(c.gap, highest_target_gap * c.eps2);
}

void leave_play(const TargetGapRule& rule, const VecX& x0, ContactSet& set) {
  if (rule.options.as_published) return;
  const Faces faces(rule.surface, set);
  for (Contact& c : set.contacts) {
    if (c.age > 0 || c.raised > 0 || !faces.has_play(c)) continue;
    const double begins = std::max(gap(c, x0), distance(c, x0));
    if (!(begins > 0) || !(begins < std::min(c.target_gap, lowest_target_gap * c.eps2))) continue;
    c.target_gap = begins;
    c.has_no_room = true;
  }
}

void keep_off(const CollisionSurface& surface, std::span<const Hit> hits, const TargetGapRule& rule, const VecX& x0,
              const VecX& x1, ContactSet& set) {
  const auto more = [&](const Contact& c) {
    return rule.options.as_published ? 0.0 : farther_off(c, x0, x1, correction(rule, c));
  };
  // As published what collides is the contact of that collision from the first time on.
  keep_off(surface, hits, more, x0, x1, set, Violated::no, rule.options.as_published ? 1 : collisions_before_moving);
}

void make_rows(const Model& model, const ContactSet& set, const VertexMotion& motion, SimilarityBuffers& buffers,
               ContactProblem& problem) {
  const auto count = static_cast<Index>(set.contacts.size());
  const auto elastic = static_cast<Index>(model.plan.vertex_of_block.size());
  BlockMatrix& L = problem.L;
  L.row_begin.assign(1, 0);
  L.column.clear();
  L.values.clear();
  problem.c.resize(3 * Eigen::Index{count});
  problem.mu.resize(set.contacts.size());
  problem.id.resize(set.contacts.size());
  problem.area.assign(set.contacts.size(), 0);
  problem.dt = motion.rigid.dt;
  for (Index i = 0; i < count; ++i) {
    const Contact& contact = set.contacts[i];
    const Mat3 rows = frame(contact);
    const auto object = [&](std::size_t k) { return model.surface.vertex_object[contact.vertices[k]]; };
    problem.id[i] = contact.id;
    problem.mu[i] = is_limit(contact) ? 0 : model.friction_of(object(0), object(3));
    PointBlocks blocks;
    const Vec3 moved = add_blocks(model, contact, motion, blocks);
    for (int k = 0; k < blocks.count; ++k) {
      const Mat3 values = block_of_rows(blocks.blocks[k], motion.rigid, motion.rigid_steps, rows);
      L.column.push_back(blocks.blocks[k].column);
      L.values.insert(L.values.end(), values.data(), values.data() + 9);
    }
    L.row_begin.push_back(static_cast<Index>(L.column.size()));
    if (blocks.count > 0 && blocks.blocks[0].column >= elastic)
      problem.area[i] = contact_area(model.surface, contact, motion.x0);

    const Vec3 wanted(contact.target_gap - gap(contact, motion.x0), contact.c_t[0] - contact.drift[0],
                      contact.c_t[1] - contact.drift[1]);
    block(problem.c, i) = wanted - rows * moved;
    const auto parts = static_cast<std::size_t>(blocks.count);
    if (!is_guided(model, contact)) continue;
    const double whole = take_held(model, motion.guides, parts, L);
    if (whole == 0) {
      block(problem.c, i) = Vec3(-contact.eps2, 0, 0);
    } else if (wanted[0] > 0) {  // what is free would have to go the farther, the less of it there is
      problem.c[3 * Eigen::Index{i}] -= (1 - free_part(L, i, problem.mu[i], whole)) * wanted[0];
    }
  }
  L.values.push_back(0);
  if (model.embedding.vertices.empty()) {
    similarity(model.surface, set.contacts, buffers, problem.Z);
  } else {  // contacts that have no vertex in common push the same nodes
    problem.Z = row_similarity(L);
  }
}

void load(const ContactSet& set, ContactSolution& solution) {
  const std::size_t count = set.contacts.size();
  solution.lambda.resize(count);
  solution.gamma.resize(count);
  solution.delta.resize(count);
  solution.state.resize(count);
  solution.for_exact.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const Contact& contact = set.contacts[i];
    solution.lambda[i] = contact.lambda;
    solution.gamma[i] = {contact.gamma[0], contact.gamma[1]};
    solution.delta[i] = {contact.delta[0], contact.delta[1]};
    solution.state[i] = contact.state;
    solution.for_exact[i] = contact.for_exact;
  }
}

void exact_forces(const ContactProblem& problem, const VecX& slips, const std::vector<double>& k, bool cone,
                  const std::vector<double>& tolerance, ContactSolution& solution, VecX& r) {
  r.setZero(problem.c.size());
  for (Index i = 0; i < problem.contacts(); ++i) {
    const Vec3 s = block(slips, i);
    if (s[0] > tolerance[i]) continue;
    const double lambda = std::max(0.0, solution.lambda[i]), most = problem.mu[i] * lambda;
    Vec2 gamma = solution.gamma[i];
    if (cone && solution.state[i] == FrictionState::sliding) {
      const Vec2 towards = gamma + s.tail<2>() / k[i];
      if (towards.norm() < most) {
        solution.state[i] = FrictionState::sticking;
      } else {
        gamma = towards;
      }
    }
    const double length = gamma.norm();
    if (cone && length > most) gamma *= most / length;
    block(r, i) << lambda, -gamma[0], -gamma[1];
  }
}

void store(const ContactSolution& solution, const VecX& slips, const VecX& r, const std::vector<double>& tolerance,
           ContactSet& set) {
  for (std::size_t i = 0; i < set.contacts.size(); ++i) {
    Contact& contact = set.contacts[i];
    contact.lambda = solution.lambda[i];
    contact.gamma = {solution.gamma[i][0], solution.gamma[i][1]};
    contact.delta = {solution.delta[i][0], solution.delta[i][1]};
    contact.state = solution.state[i];
    contact.for_exact = solution.for_exact.empty() ? 0 : solution.for_exact[i];
    const auto row = 3 * static_cast<Eigen::Index>(i);
    contact.friction = {0.0 - r[row + 1], 0.0 - r[row + 2]};
    contact.slip = {slips[row + 1], slips[row + 2]};
    contact.slides = std::hypot(contact.slip[0], contact.slip[1]) > tolerance[i];
    if (slips[row] > tolerance[i]) {
      contact.state = FrictionState::open;
      contact.lambda = 0;
      contact.gamma = {};
    }
  }
}

bool ask_for_no_corrections(std::span<const Index> which, const VecX& x0, ContactSet& set) {
  bool lowered = false;
  for (const Index i : which) {
    Contact& contact = set.contacts[i];
    if (is_limit(contact)) continue;
    lowered = lowered || contact.drift != std::array<double, 2>{} || contact.c_t != std::array<double, 2>{};
    contact.drift = contact.c_t = {};
    const double begins = gap(contact, x0);
    if (!(begins > 0) || !(contact.target_gap > begins)) continue;
    contact.target_gap = begins;
    contact.has_no_room = true;
    lowered = true;
  }
  return lowered;
}

void keep_for_next_step(const Model& model, const VecX& x, const ContactOptions& options, ContactSet& set) {
  if (options.hold_position) {
    keep_drifts(model, x, set);
  } else {
    for (Contact& contact : set.contacts) contact.drift = {};
  }
  remove_contacts(set, [&](const Contact& c) {
    return is_out_of_reach(c) || (!is_limit(c) && (has_left(c, x, options.tracking) || has_gone_round(c, x)));
  });
}

void keep_for_records(const VecX& x, std::vector<Contact>& contacts) {
  for (Contact& contact : contacts) {
    contact.gap = gap(contact, x);
    contact.lambda = std::max(0.0, contact.lambda);
  }
  const auto acted = [](const Contact& c) { return c.lambda > 0 || c.friction != std::array<double, 2>{}; };
  std::erase_if(contacts, [&](const Contact& c) { return is_out_of_reach(c) && !acted(c); });
}

}  // namespace sim
