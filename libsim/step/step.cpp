#include "step/step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "collide/limits.hpp"
#include "math/stopwatch.hpp"
#include "model/contact_counts.hpp"
#include "model/contact_shares.hpp"
#include "model/lever.hpp"
#include "step/advance.hpp"
#include "step/islands.hpp"
#include "step/work_forces.hpp"

namespace sim {

namespace {

// A step on its way.
struct WholeStep {
  const Model& model;
  const Options& options;
  Scratch& s;
  StepReport& report;
  double min_gap = std::numeric_limits<double>::infinity();
  struct Account {  // of the parts that stay
    Ledger ledger;
    std::vector<ContactShare> shares;  // an object; none where the step is one part
    Verdict verdict;
    Index level = 0;  // of the shortest
  } account{};
};

// 2^-level of a step.
struct Piece {
  std::vector<Share> share;
  const VecX* motion = nullptr;  // m/s, all vertices: of known objects
  Index level = 0;
  bool ends_step = true;
};

void start(WholeStep& step, const Piece& piece) {
  Scratch& s = step.s;
  s.division.share = piece.share;
  s.division.motion = piece.motion;
  s.division.met.clear();
  s.solving.clear();
}

void add_shares(const PartOfStep& part, double weight, std::vector<ContactShare>& shares) {
  shares.resize(part.model.objects.size());
  const std::vector<ContactShare> before = shares;
  const std::vector<Vec3> centers = centers_of(part.model, part.end).place;
  const std::vector<Mat3> way_of_turn = ways_of_turn(part.model, part.start.time, part.dt);
  for (std::size_t i = 0; i < part.contacts.size(); ++i) {
    const Contact& contact = part.contacts[i];
    if (is_limit(contact) || has(part.division, part.model.surface, contact.vertices, Share::divided)) continue;
    add_contact(part.model, part.end, part.dt, centers, way_of_turn, contact,
                in_space(contact, block(part.forces, static_cast<Index>(i))), shares);
  }
  for (std::size_t k = 0; k < shares.size(); ++k) {
    weigh(before[k].impulse, weight, shares[k].impulse);
    weigh(before[k].angular_impulse, weight, shares[k].angular_impulse);
  }
}

// Of a quasi-static step, which gives no momentum, an impulse stands for dt times a force, and the force that holds
// is the one in balance at its end: parts on the way have none, the last one has all of dt.
double weight_of_impulses(const WholeStep& step, const Piece& piece) {
  if (!step.s.inertia.is_static()) return 1;
  return piece.ends_step ? static_cast<double>(Index{1} << piece.level) : 0;
}

void account_for(WholeStep& step, const Piece& piece, const Part& part, const State& before) {
  Scratch& s = step.s;
  const PartOfStep taken{step.model, before,   s.next,    part.dt,      s.elements, s.loads,
                         s.solving,  s.forces, s.rigid,   s.linearised, s.turning,  s.settling.body_of_vertex,
                         s.inertia,  s.motion, s.missing, s.guides,     s.division};
  const double weight = weight_of_impulses(step, piece);
  const Ledger ledger = step.account.ledger;
  add(taken, step.account.ledger);
  weigh_impulses(ledger, weight, step.account.ledger);
  if (piece.level > 0 || has_any(s.division, Share::divided)) add_shares(taken, weight, step.account.shares);
  step.account.ledger.work_of_gaps += part.dt / step.options.dt * work_of_gaps(taken);
  step.account.level = std::max(step.account.level, piece.level);
  step.min_gap = part.min_gap;
  tell(step.account.verdict, part.accepted.status, part.accepted.reason);
}

// Known objects were met. True where this piece knows them only because it solved for them: it divides them, too.
bool divide_what_was_met(WholeStep& step, const Division& division, const State& before,
                         std::span<const Contact> contacts, Piece& piece) {
  const std::vector<Index>& met = step.s.division.met;
  if (std::any_of(met.begin(), met.end(), [&](Index object) { return piece.share[object] == Share::known; }))
    return false;
  Division wider = division;
  const bool together = step.options.contact.together;
  divide(met, step.model.surface, contacts, together, wider);
  divide({}, step.model.surface, before.contacts.contacts, together, wider);
  piece.share = std::move(wider.share);
  return true;
}

// Takes a piece of the step; what fails in it, in two halves. False where that cannot be: the account tells why, or
// Division::met what was in the way of it.
bool take(WholeStep& step, Piece piece) {
  Scratch& s = step.s;
  const State before = s.next;
  const WholeStep::Account account = step.account;
  for (;;) {
    start(step, piece);
    Part part{step.model, step.options, step.options.dt / static_cast<double>(Index{1} << piece.level), s.next,
              s,          step.report};
    part.shortest = piece.level == step.options.contact.most_halvings;
    advance(part);
    if (!s.division.met.empty()) return false;
    const bool whole = !has_any(s.division, Share::divided);
    if (part.beyond_division || (!whole && part.shortest)) {
      step.account.verdict = part.failed;
      return false;
    }
    account_for(step, piece, part, before);
    if (whole) return true;

    const Division division = s.division;
    const State end = std::exchange(s.next, before);
    std::vector<Contact> solved = s.solving;
    keep_solved(division, step.model.surface, solved);
    const VecX motion = s.motion;
    Piece first{division.share, &motion, piece.level + 1, false};
    for (Share& share : first.share) share = share == Share::divided ? Share::solved : Share::known;
    Piece second = first;
    second.ends_step = piece.ends_step;
    if (take(step, std::move(first)) && take(step, std::move(second))) {
      join(step.model, division, end, s.next);
      merge(solved, s.solving);
      step.min_gap = std::min(step.min_gap, part.min_gap);
      return true;
    }
    if (s.division.met.empty() || !divide_what_was_met(step, division, before, solved, piece)) return false;
    s.next = before;
    step.account = account;
  }
}

}  // namespace

StepReport step(const Model& model, const Options& options, State& state, Scratch& scratch) {
  StepReport report = begin_report(state.step + 1, options.dt);
  Stopwatch total;
  scratch.trace.clear();
  forget(scratch.hardest);
  scratch.next = state;
  begin(model, scratch.division);
  WholeStep whole{model, options, scratch, report};
  report.accepted = take(whole, {scratch.division.share});
  set_verdict(whole.account.verdict, report);
  report.substeps = Index{1} << whole.account.level;
  if (report.substeps > 1) report.contact_shares = std::move(whole.account.shares);
  if (report.accepted) {
    record(model, state, scratch.next, whole.account.ledger, scratch.energy, report);
    std::swap(state, scratch.next);
    std::swap(scratch.solved, scratch.solving);
    keep_for_records(state.x, scratch.solved);
    split_limits(scratch.solved, scratch.limits);
    ++state.step;
    state.time = static_cast<double>(state.step) * options.dt;
    count(scratch.solved, report);
    report.limited = count_pushing(scratch.limits);
    report.max_strain = largest_strain(model.elastic.springs, state.x);
    if (report.contacts > 0 && std::isfinite(whole.min_gap)) report.min_gap = whole.min_gap;
  }
  report.t_total = total.lap();
  return report;
}

}  // namespace sim
