#include "judge.hpp"

#include <algorithm>
#include <cmath>

namespace simcheck {

namespace {

// Differences between the frame and its row of /steps, in the order of recorded_quantities; NaN: not known here.
std::array<double, recorded_quantities.size()> compare(const Subject& subject, const FrameFinding& finding,
                                                       std::size_t row) {
  const auto number = [&](const char* name) { return subject.steps.number(name, row); };
  const auto vector = [&](const char* name) { return subject.steps.vector(name, row); };
  std::array<double, recorded_quantities.size()> off;
  off.fill(unknown);
  off[0] = relative(finding.time - number("time"), std::max(std::abs(finding.time), std::abs(number("time"))));
  if (!subject.substance || !finding.finite) return off;
  const Mechanics& m = finding.mechanics;
  const double elastic = number("elastic_energy");
  off[2] = relative(m.elastic - elastic,
                    std::max({m.elastic, std::abs(elastic), subject.substance->smallest_elastic_scale}));
  off[3] = relative(m.potential - number("potential_energy"), m.potential_scale);
  off[6] = relative(m.mass_change, m.rigid_mass);
  if (std::isnan(m.kinetic)) return off;
  off[1] = relative(m.kinetic - number("kinetic_energy"), std::max(m.kinetic, std::abs(number("kinetic_energy"))));
  off[4] = relative((m.momentum - vector("momentum")).norm(), m.momentum_scale);
  off[5] = relative((m.angular_momentum - vector("angular_momentum")).norm(), m.angular_scale);
  return off;
}

void compare_with_records(const Subject& subject, FrameFinding& finding, Judgement& judgement) {
  const auto row = subject.steps.row_of_step.find(finding.step);
  if (row == subject.steps.row_of_step.end()) return;
  ++judgement.compared_frames;
  const auto off = compare(subject, finding, row->second);
  finding.disagreement = 0;
  for (std::size_t i = 0; i < off.size(); ++i) {
    if (std::isnan(off[i])) continue;
    finding.disagreement = std::max(finding.disagreement, off[i]);
    Disagreement& largest = judgement.disagreements[i];
    if (off[i] > largest.relative || largest.frame < 0) largest = {off[i], finding.frame};
  }
}

struct Start {  // frame 0
  double time = 0;
  bool finite = true;
  Mechanics mechanics;
};

class Judge {
 public:
  explicit Judge(const Subject& subject) : subject_(subject), ledger_(subject) {
    const Frame frame = read(0);
    start_.time = subject.reader.frame_time(0);
    start_.finite = is_finite(frame);
    if (!subject.substance || !start_.finite) return;
    start_.mechanics = mechanics_of(subject, frame);
    if (frame.v.size() > 0) ledger_.begin_with(start_.mechanics.total());
  }

  FrameFinding look_at(std::int64_t number, Judgement& judgement) const {
    FrameFinding finding;
    finding.frame = number;
    finding.step = subject_.reader.frame_step(number);
    finding.time = subject_.reader.frame_time(number);
    const Frame frame = read(number);
    finding.finite = is_finite(frame);
    if (finding.finite) {
      finding.overlaps = overlaps_of(subject_, frame.x);
      finding.volumes = volumes_of(subject_, frame.x);
      finding.misplaced = misplaced_of(subject_, frame);
      if (subject_.substance) judge_mechanics(frame, finding);
    }
    compare_with_records(subject_, finding, judgement);
    return finding;
  }

  const LedgerFinding& ledger() const { return ledger_.finding(); }

  double energy_in_play(const Mechanics& m) const {
    return m.kinetic + m.elastic + std::abs(m.potential - start_.mechanics.potential);
  }

 private:
  Frame read(std::int64_t number) const {
    Frame frame{subject_.reader.positions(number), {}};
    if (subject_.reader.has_velocities()) frame.v = subject_.reader.velocities(number);
    frame.unseen_energy = subject_.reader.unseen_energy(number);
    return frame;
  }
  static bool is_finite(const Frame& frame) { return frame.x.allFinite() && frame.v.allFinite(); }

  void judge_mechanics(const Frame& frame, FrameFinding& finding) const {
    finding.mechanics = mechanics_of(subject_, frame);
    finding.finite_sums = has_finite_sums(finding.mechanics, frame.v.size() > 0);
    const Mechanics &now = finding.mechanics, &before = start_.mechanics;
    finding.energy_change = now.total() - before.total();
    finding.angular_momentum_change = now.angular_momentum - before.angular_momentum;
    const std::optional<Given> given = ledger_.until(finding.step);
    if (!given) {
      const double elapsed = finding.time - start_.time;
      finding.unexplained_momentum =
          now.momentum - before.momentum - subject_.substance->total_mass * elapsed * subject_.substance->gravity;
      return;
    }
    finding.unexplained_energy = finding.energy_change - given->energy;
    finding.energy_rounding = now.energy_rounding + before.energy_rounding + given->rounding;
    finding.unexplained_momentum = now.momentum - before.momentum - given->momentum;
    finding.unexplained_angular_momentum = finding.angular_momentum_change - given->angular_momentum;
  }

  const Subject& subject_;
  RunLedger ledger_;
  Start start_;
};

void add_up(const Volumes& found, std::int64_t frame, Judgement& j) {
  if (found.inverted > 0) {
    ++j.inverted_frames;
    if (j.first_inverted_frame < 0) j.first_inverted_frame = frame;
  }
  const std::int64_t most = std::max(j.volumes.inverted, found.inverted);
  if (j.smallest_volume_frame < 0 ? found.tet >= 0 : found.smallest < j.volumes.smallest) {
    j.volumes = found;
    j.smallest_volume_frame = frame;
  }
  j.volumes.inverted = most;
}

void add_up(const FrameFinding& finding, const Judge& judge, Judgement& j) {
  // Of NaN and a number the number.
  const auto larger = [](double a, double b) { return std::isnan(a) || b > a ? b : a; };
  if (!finding.finite || !finding.finite_sums) ++j.frames_not_finite;
  if (!finding.finite) return;
  if (!finding.overlaps.objects.empty()) {
    ++j.intersecting_frames;
    if (j.first_intersecting_frame < 0) j.first_intersecting_frame = finding.frame;
    if (j.worst_frame < 0 || finding.overlaps.intersections > j.most_intersections) {
      j.most_intersections = finding.overlaps.intersections;
      j.worst_frame = finding.frame;
    }
    j.intersections += finding.overlaps.intersections;
  }
  if (std::isnan(j.smallest_distance) || finding.overlaps.distance < j.smallest_distance) {
    j.smallest_distance = finding.overlaps.distance;
    j.smallest_distance_frame = std::isnan(finding.overlaps.distance) ? -1 : finding.frame;
  }
  add_up(finding.volumes, finding.frame, j);
  if (finding.misplaced.vertex >= 0 && (j.misplaced_frame < 0 || finding.misplaced.relative > j.misplaced.relative)) {
    j.misplaced = finding.misplaced;
    j.misplaced_frame = finding.frame;
  }
  if (std::isnan(finding.mechanics.kinetic)) return;
  j.energy_scale = larger(j.energy_scale, judge.energy_in_play(finding.mechanics));
  j.momentum_scale = larger(j.momentum_scale, finding.mechanics.momentum_scale);
  j.angular_scale = larger(j.angular_scale, finding.mechanics.angular_scale);
  const double imbalance = std::max(0.0, std::abs(finding.unexplained_energy) - finding.energy_rounding);
  if (!std::isnan(finding.unexplained_energy) && !(imbalance <= j.frame_imbalance)) {
    j.frame_imbalance = imbalance;
    j.frame_imbalance_frame = finding.frame;
  }
}

std::vector<ObjectPairTotal> total_by_objects(const std::vector<FrameFinding>& frames) {
  std::map<std::pair<sim::Index, sim::Index>, ObjectPairTotal> totals;
  for (const FrameFinding& frame : frames) {
    for (const ObjectPairFinding& pair : frame.overlaps.objects) {
      ObjectPairTotal& total = totals[{pair.object_a, pair.object_b}];
      if (total.frames == 0) {
        total.object_a = pair.object_a;
        total.object_b = pair.object_b;
        total.first_frame = frame.frame;
      }
      ++total.frames;
      total.last_frame = frame.frame;
      total.most = std::max(total.most, pair.count);
      total.depth = std::max(total.depth, pair.depth);
      if (std::isnan(total.way_out) || pair.way_out > total.way_out) total.way_out = pair.way_out;
      if (pair.inner >= 0) total.inner = pair.inner;
    }
  }
  std::vector<ObjectPairTotal> list;
  list.reserve(totals.size());
  for (const auto& [objects, total] : totals) list.push_back(total);
  return list;
}

}  // namespace

const char* to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::clean:
      return "clean";
    case Verdict::intersects:
      return "intersects";
    case Verdict::unsound:
      return "unsound";
    case Verdict::inverted:
      return "inverted";
  }
  return "unknown";
}

bool Judgement::contradicts() const {
  return std::any_of(disagreements.begin(), disagreements.end(),
                     [](const Disagreement& d) { return d.relative > largest_agreement; });
}

bool Judgement::misplaces() const {
  return misplaced.relative > largest_agreement;
}

bool Judgement::balances() const {
  const double in_play = std::max(ledger.energy_scale, std::isnan(energy_scale) ? 0.0 : energy_scale);
  return ledger.imbalance <= largest_imbalance && !(frame_imbalance > largest_imbalance * in_play);
}

Judgement judge(const Subject& subject, const std::vector<std::int64_t>& frames) {
  const Judge judge(subject);
  Judgement j;
  j.ledger = judge.ledger();
  for (const std::int64_t number : frames) {
    const FrameFinding finding = judge.look_at(number, j);
    add_up(finding, judge, j);
    j.frames.push_back(finding);
  }
  j.object_pairs = total_by_objects(j.frames);
  if (j.intersecting_frames > 0) {
    j.verdict = Verdict::intersects;
  } else if (j.contradicts() || j.misplaces() || j.frames_not_finite > 0 || !j.balances() || !j.ledger.is_sound() ||
             j.ledger.unborne.steps > 0) {
    j.verdict = Verdict::unsound;
  } else if (j.inverted_frames > 0) {
    j.verdict = Verdict::inverted;
  }
  return j;
}

}  // namespace simcheck
