#include "step/explain.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "contact/residual.hpp"
#include "math/format.hpp"
#include "math/number_text.hpp"
#include "model/measure.hpp"

namespace sim {

namespace {

std::string owner(const Model& model, Index vertex) {
  return object_text(model, model.surface.vertex_object[vertex]);
}

// "a vertex of "ring"", meets, "a face of "floor""
std::string describe(const Model& model, ContactKind kind, const std::array<Index, 4>& vertices, const char* meets) {
  if (kind == ContactKind::limit) return "a strain limit of " + owner(model, vertices[0]);
  const bool edges = kind == ContactKind::edge_edge;
  return std::string(edges ? "an edge" : "a vertex") + " of " + owner(model, vertices[0]) + meets +
         (edges ? "an edge" : "a face") + " of " + owner(model, vertices[edges ? 2 : 1]);
}

const Hit& first_of(std::span<const Hit> hits) {
  return *std::min_element(hits.begin(), hits.end(), [](const Hit& a, const Hit& b) { return a.time < b.time; });
}

// Where the pair was at the start of the step.
Vec3 place_of(const VecX& x, const Contact& contact) {
  Vec3 sum = Vec3::Zero();
  for (int k = 0; k < 4; ++k) sum += 0.5 * std::abs(contact.weights[k]) * block(x, contact.vertices[k]);
  return sum;
}

// Of the contacts with a gap that they may not have, the one that is farthest from its target gap.
const Contact* worst_gap(const Unsettled& step) {
  const Contact* worst = nullptr;
  for (const Contact& contact : step.situation.contacts) {
    if (contact.state == FrictionState::open || may_have_gap(contact, step.options.tracking)) continue;
    if (!worst || std::abs(contact.gap - contact.target_gap) > std::abs(worst->gap - worst->target_gap))
      worst = &contact;
  }
  return worst;
}

void add_objects(const Model& model, const std::array<Index, 4>& vertices, std::vector<Index>& objects) {
  for (const Index vertex : vertices) {
    const Index object = model.surface.vertex_object[vertex];
    if (std::find(objects.begin(), objects.end(), object) == objects.end()) objects.push_back(object);
  }
}

std::string likely_text(const Situation& situation, std::span<const Index> objects, bool contradict) {
  const std::string reason = likely_reason(situation, objects, contradict);
  return reason.empty() ? "" : "; likely: " + reason;
}

std::string counted(std::size_t count, const char* what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

// A row of an island's problem: its object and where it is.
struct RowPlace {
  Index object;
  Vec3 x;
};
RowPlace place_of_row(const Situation& s, Index row) {
  const auto elastic = static_cast<Index>(s.model.plan.vertex_of_block.size());
  if (row < elastic) {
    const Index vertex = s.model.plan.vertex_of_block[row];
    return {s.model.surface.vertex_object[vertex], block(s.x, vertex)};
  }
  const Range vertices = s.model.rigid[(row - elastic) / 2].vertices;
  Vec3 sum = Vec3::Zero();
  for (Index vertex = vertices.begin; vertex < vertices.end; ++vertex) sum += block(s.x, vertex);
  return {s.model.surface.vertex_object[vertices.begin], sum / vertices.size()};
}

// The contact and the row that miss most, in units of what may be missed.
struct Misses {
  Index contact = -1, row = -1;  // of the island
  double at_contact = 0, at_body = 0;
};

// How far a contact by itself is from its conditions.
double missed_by(const ContactProblem& problem, const ContactSolution& y, double k, const Vec3& slips, Index i) {
  const ContactSolution one{
      .lambda = {y.lambda[i]}, .gamma = {y.gamma[i]}, .delta = {y.delta[i]}, .state = {y.state[i]}};
  return conditions_residual({problem.mu[i]}, {k}, slips, one).constraint();
}

Misses find_misses(const ContactGroup& group) {
  const ContactProblem& problem = group.problem;
  Misses misses;
  std::vector<double> k;
  VecX slips, forces, missing;
  compliance(problem, k);
  slip(problem, group.solution.v, slips);
  for (Index i = 0; i < problem.contacts(); ++i) {
    const double missed = missed_by(problem, group.solution, k[i], block(slips, i), i);
    if (misses.contact < 0 || !(missed <= misses.at_contact)) misses.contact = i, misses.at_contact = missed;
  }
  reaction(group.solution, forces);
  momentum_residual(problem, group.solution.v, forces, missing);
  std::vector<double> of_body(group.bodies.size(), 0.0), worst(group.bodies.size(), -1.0);
  std::vector<Index> row_of_body(group.bodies.size(), -1);
  for (Index row = 0; row < problem.A.rows(); ++row) {
    const Index body = problem.body[row];
    const double square = block(missing, row).squaredNorm();
    of_body[body] += square;
    if (!(square <= worst[body])) worst[body] = square, row_of_body[body] = row;
  }
  for (std::size_t body = 0; body < of_body.size(); ++body) {
    const double missed = std::sqrt(of_body[body]);
    if (misses.row < 0 || !(missed <= misses.at_body)) misses.row = row_of_body[body], misses.at_body = missed;
  }
  return misses;
}

// What may be missed follows from these, as the scene has them.
std::string tolerances_text(const ContactOptions& options, double eps2) {
  const auto by_default = [](bool is) { return is ? " (default)" : ""; };
  if (options.as_published) {
    return format("solver.tolerance %.3g kg m/s, contact.tolerance %.3g m, as published", options.tolerance.momentum,
                  options.tolerance.constraint);
  }
  std::string text = format("solver.relative_tolerance %.3g", options.relative_momentum);
  text += by_default(options.relative_momentum == ContactOptions{}.relative_momentum);
  if (std::isfinite(options.tolerance.momentum))
    text += format(", solver.tolerance %.3g kg m/s", options.tolerance.momentum);
  return text + format(", contact.tolerance %.3g m", eps2) + by_default(!options.gaps_given);
}

std::vector<Index> objects_of(const Situation& s, const ContactGroup& group) {
  std::vector<Index> objects;
  for (const Index i : group.contacts) add_objects(s.model, s.contacts[i].vertices, objects);
  std::sort(objects.begin(), objects.end());
  return objects;
}

}  // namespace

std::string out_of_rounds(const Unsettled& step) {
  const TrackingReport& kept = step.kept;
  const Rounds rounds = step.options.rounds;
  std::string text = rounds == Rounds::otaduy ? "collisions did not settle in "
                                              : "collisions and re-linearised contacts did not settle in ";
  text += std::to_string(step.options.most_rounds) + " rounds";
  auto add = [&, first = true](const std::string& item) mutable {
    text += (first ? ": " : "; ") + item;
    first = false;
  };
  const auto& [model, contacts, x, v, dt, is_static] = step.situation;
  std::vector<Index> objects;
  if (!step.hits.empty()) {
    const Hit& hit = first_of(step.hits);
    const std::array<Index, 4> vertices = stencil(model.surface, hit.kind, hit.pair);
    add(counted(step.hits.size(), "collision") + " left, " + describe(model, hit.kind, vertices, " meets ") + " at " +
        place_text(middle_of(x, vertices)));
    add_objects(model, vertices, objects);
  }
  if (kept.unsettled > 0) {
    std::string gaps = counted(static_cast<std::size_t>(kept.unsettled), "contact") + " with a gap out of bounds";
    if (const Contact* worst = worst_gap(step)) {
      gaps += format(", the worst is %.3g m where %.3g m is aimed at, ", worst->gap, worst->target_gap) +
              describe(model, worst->kind, worst->vertices, " on ") + " at " + place_text(place_of(x, *worst));
      add_objects(model, worst->vertices, objects);
    }
    add(gaps);
  }
  if (kept.lost > 0) {
    add(counted(static_cast<std::size_t>(kept.lost), "contact") + " that pushed slid off its surface");
  }
  const double turn = std::max(kept.pushing_turn, kept.pushing_turn_left);
  if (rounds == Rounds::program && turn > step.options.tracking.small_turn)
    add(format("normals still turn, by %.3g degrees", turn));
  return text + likely_text(step.situation, objects, kept.unsettled > 0);
}

std::string unsolved_island(const Situation& s, const ContactOptions& options, const ContactGroup& group,
                            SolveStatus status) {
  const std::vector<Index> objects = objects_of(s, group);
  std::string text = "; in the contact island of " + objects_text(s.model, objects);
  if (group.contacts.empty()) return text;
  const Misses misses = find_misses(group);
  const ContactTolerance tolerance = options.as_published ? options.tolerance : tolerance_in_units(group);
  const bool by_contact = !(misses.at_contact / tolerance.constraint < misses.at_body / tolerance.momentum);
  const Contact& contact = s.contacts[group.contacts[misses.contact]];
  if (by_contact) {
    const double unit = group.gap[misses.contact];
    text += " " + describe(s.model, contact.kind, contact.vertices, " on ") + " at " +
            place_text(place_of(s.x, contact)) +
            format(" misses its conditions by most, by %.3g m where %.3g m may be missed", misses.at_contact * unit,
                   tolerance.constraint * unit);
  } else {
    const RowPlace place = place_of_row(s, group.rows[misses.row]);
    const double unit = group.momentum[misses.row];
    text += " " + object_text(s.model, place.object) +
            format(
                " misses most of its balance of momentum, %.3g kg m/s where about %.3g kg m/s may be missed, most of "
                "it at ",
                misses.at_body * unit, (options.as_published ? tolerance.momentum : 1) * unit) +
            place_text(place.x);
  }
  text += " (" + tolerances_text(options, contact.eps2) + ")";
  return text + likely_text(s, objects, by_contact || status == SolveStatus::over_constrained);
}

std::string unsolved_apart(const Situation& s, const Groups& groups) {
  for (std::size_t i = 0; i < groups.to_solve.size(); ++i) {
    const Index body = groups.to_solve[i];
    if (groups.solved[body] != 0) continue;
    const RowPlace place = place_of_row(s, groups.bodies.rows_of(body).front());
    const std::array<Index, 1> objects{place.object};
    return "; of " + object_text(s.model, place.object) + " at " + place_text(place.x) +
           likely_text(s, objects, false);
  }
  return "";
}

std::string turned_elements(const Situation& s, std::span<const Index> tets) {
  const Tet& first = s.model.elastic.tets[tets.front()];
  const std::array<Index, 1> objects{s.model.surface.vertex_object[first[0]]};
  return counted(tets.size(), "element") + " would be turned inside out, " +
         tet_text(s.model, mesh_tet(s.model, tets.front())) + " at " + place_text(middle_of(s.x, first)) +
         (tets.size() > 1 ? " the first" : "") + likely_text(s, objects, false);
}

}  // namespace sim
