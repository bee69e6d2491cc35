#include <algorithm>
#include <cmath>

#include "exit_status.hpp"
#include "math/format.hpp"
#include "report.hpp"

namespace simcheck {

namespace {

using sim::format;

constexpr std::size_t most_rows = 40;  // besides frames with intersections
constexpr std::size_t most_object_pairs = 20;

std::string number(double value, const char* pattern = "%.4g") {
  return std::isnan(value) ? "-" : format(pattern, value);
}

std::string pair_name(const Subject& subject, sim::Index a, sim::Index b) {
  const std::string& name = subject.objects[static_cast<std::size_t>(a)].name;
  return a == b ? name + " with itself" : name + " with " + subject.objects[static_cast<std::size_t>(b)].name;
}

std::string objects_of(const Subject& subject, const FrameFinding& frame) {
  if (!frame.finite) return "not finite: not judged";
  if (!frame.finite_sums && frame.overlaps.objects.empty()) return "energy or momentum not finite";
  if (frame.overlaps.objects.empty())
    return frame.volumes.inverted > 0 ? std::to_string(frame.volumes.inverted) + " tets inverted" : "";
  const auto most = std::max_element(frame.overlaps.objects.begin(), frame.overlaps.objects.end(),
                                     [](const auto& a, const auto& b) { return a.count < b.count; });
  const std::string rest =
      frame.overlaps.objects.size() > 1 ? " and " + std::to_string(frame.overlaps.objects.size() - 1) + " more" : "";
  return pair_name(subject, most->object_a, most->object_b) + rest;
}

std::string row(const Subject& subject, const FrameFinding& f) {
  const std::string pairs = f.finite ? std::to_string(f.overlaps.intersections) : "-";
  return format("%7lld %8lld %10.5g %6s %10s %8s %10s %10s %10s %10s %10s  ", static_cast<long long>(f.frame),
                static_cast<long long>(f.step), f.time, pairs.c_str(), number(f.overlaps.distance).c_str(),
                number(f.volumes.smallest, "%.3g").c_str(), number(f.mechanics.kinetic).c_str(),
                number(f.mechanics.elastic).c_str(), number(f.mechanics.potential).c_str(),
                number(f.energy_change, "%+.3g").c_str(), number(f.unexplained_momentum.norm(), "%.3g").c_str()) +
         objects_of(subject, f) + "\n";
}

// Evenly spaced, first and last included, and all frames with something to tell.
std::vector<bool> rows_to_show(const std::vector<FrameFinding>& frames) {
  std::vector<bool> shown(frames.size(), frames.size() <= most_rows);
  for (std::size_t k = 0; k < most_rows && frames.size() > most_rows; ++k)
    shown[k * (frames.size() - 1) / (most_rows - 1)] = true;
  for (std::size_t i = 0; i < frames.size(); ++i)
    if (!frames[i].overlaps.objects.empty() || !frames[i].finite || !frames[i].finite_sums) shown[i] = true;
  return shown;
}

std::string frames_table(const Subject& subject, const Judgement& j) {
  std::string text = format("%7s %8s %10s %6s %10s %8s %10s %10s %10s %10s %10s  %s\n", "frame", "step", "time s",
                            "pairs", "distance m", "min vol.", "kinetic J", "elastic J", "potent. J", "change J",
                            "unexpl. p", "intersecting");
  const std::vector<bool> shown = rows_to_show(j.frames);
  std::size_t rows = 0;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    if (!shown[i]) continue;
    text += row(subject, j.frames[i]);
    ++rows;
  }
  if (rows < shown.size()) {
    text += format("%zu of the %zu frames judged are shown: %zu evenly spaced, and every one that intersects\n", rows,
                   shown.size(), most_rows);
  }
  return text;
}

std::string intersections_text(const Subject& subject, const Judgement& j) {
  std::string text;
  for (std::size_t i = 0; i < j.object_pairs.size(); ++i) {
    if (i == most_object_pairs) {
      text += format("  ... and %zu more pairs of objects\n", j.object_pairs.size() - i);
      break;
    }
    const ObjectPairTotal& p = j.object_pairs[i];
    text += "  " + pair_name(subject, p.object_a, p.object_b) +
            format(": %lld frames from %lld to %lld, up to %lld pairs of triangles, at least %.3g m deep",
                   static_cast<long long>(p.frames), static_cast<long long>(p.first_frame),
                   static_cast<long long>(p.last_frame), static_cast<long long>(p.most), p.depth);
    if (!std::isnan(p.way_out)) text += format(", at most %.3g m", p.way_out);
    if (p.inner >= 0) text += "; " + subject.objects[static_cast<std::size_t>(p.inner)].name + " inside the other";
    text += "\n";
  }
  return text.empty() ? "" : "intersections:\n" + text;
}

std::string distance_text(const Subject& subject, const Judgement& j) {
  if (j.smallest_distance_frame < 0) return "distance: there is no pair of objects to measure between\n";
  const auto frame = std::find_if(j.frames.begin(), j.frames.end(),
                                  [&](const FrameFinding& f) { return f.frame == j.smallest_distance_frame; });
  return format("distance: the smallest is %.6g m, in frame %lld, ", j.smallest_distance,
                static_cast<long long>(j.smallest_distance_frame)) +
         pair_name(subject, frame->overlaps.nearest_a, frame->overlaps.nearest_b) + "\n";
}

std::string volumes_text(const Subject& subject, const Judgement& j) {
  if (j.smallest_volume_frame < 0) return "";
  std::string text = format("volumes: the smallest is %.4g of that at rest, in frame %lld, tetrahedron %d of %s\n",
                            j.volumes.smallest, static_cast<long long>(j.smallest_volume_frame), j.volumes.tet,
                            subject.objects[static_cast<std::size_t>(j.volumes.object)].name.c_str());
  if (j.inverted_frames > 0) {
    text += format("  TURNED INSIDE OUT: up to %lld tetrahedra in %lld frames, the first is %lld\n",
                   static_cast<long long>(j.volumes.inverted), static_cast<long long>(j.inverted_frames),
                   static_cast<long long>(j.first_inverted_frame));
  }
  return text;
}

std::string misplaced_text(const Subject& subject, const Judgement& j) {
  if (j.misplaced_frame < 0) return "";
  const sim::Index vertex = j.misplaced.vertex;
  const auto object = std::find_if(subject.objects.begin(), subject.objects.end(), [&](const sim::ResultObject& o) {
    return vertex >= o.vertices.begin && vertex < o.vertices.end;
  });
  std::string text = format("embedded vertices: off their weights by %.3g at most, relative (vertex %d of ",
                            j.misplaced.relative, vertex - object->vertices.begin) +
                     object->name + format(", frame %lld)", static_cast<long long>(j.misplaced_frame));
  return text + (j.misplaces() ? ": THEY ARE NOT WHERE THEIR WEIGHTS PUT THEM\n" : "\n");
}

struct Drift {
  double lowest_energy = 0, highest_energy = 0, last_energy = unknown;  // J
  double momentum = 0, angular_momentum = 0;                            // the largest
  double unexplained_angular_momentum = unknown;
};

Drift drift_of(const Judgement& j) {
  Drift drift;
  for (const FrameFinding& f : j.frames) {
    if (std::isnan(f.energy_change)) continue;
    drift.lowest_energy = std::min(drift.lowest_energy, f.energy_change);
    drift.highest_energy = std::max(drift.highest_energy, f.energy_change);
    drift.last_energy = f.energy_change;
    drift.momentum = std::max(drift.momentum, f.unexplained_momentum.norm());
    drift.angular_momentum = std::max(drift.angular_momentum, f.angular_momentum_change.norm());
    const double turned = f.unexplained_angular_momentum.norm();
    if (!(turned <= drift.unexplained_angular_momentum) && !std::isnan(turned))
      drift.unexplained_angular_momentum = turned;
  }
  return drift;
}

std::string drift_text(const Subject& subject, const Judgement& j) {
  const Drift drift = drift_of(j);
  if (std::isnan(drift.last_energy)) return "";
  std::string text = format("energy: %+.4g J at the end, from %+.4g to %+.4g J since frame 0, of %.4g J in play\n",
                            drift.last_energy, drift.lowest_energy, drift.highest_energy, j.energy_scale);
  const bool explained = !std::isnan(drift.unexplained_angular_momentum);
  text += format("momentum: up to %.4g kg m/s that %s, of %.4g kg m/s in play\n", drift.momentum,
                 explained ? "nothing gave" : "gravity does not explain", j.momentum_scale);
  if (explained) {
    return text +
           format(
               "angular momentum: up to %.4g kg m^2/s that nothing gave but the scheme, of %.4g kg m^2/s in play\n",
               drift.unexplained_angular_momentum, j.angular_scale);
  }
  if (subject.substance->gravity.isZero()) {
    text += format("angular momentum: changes by up to %.4g kg m^2/s about the origin, of %.4g kg m^2/s in play\n",
                   drift.angular_momentum, j.angular_scale);
  }
  if (subject.has_supports())
    text += "  obstacles and pinned or scripted vertices take part in momentum, and do work where they move\n";
  if (subject.substance->mass_damping) text += "  mass damping takes energy and momentum\n";
  return text;
}

std::string growth_text(const sim::MadeEnergy& growth, const char* what, const LedgerFinding& f) {
  if (!(growth.energy > f.rounding)) return "";
  return format("  %s: %.4g J from step %lld to %lld (%.4g J are allowed)\n", what, growth.energy,
                static_cast<long long>(growth.from), static_cast<long long>(growth.to), f.allowed + growth.gaps);
}

std::string ledger_text(const Judgement& j) {
  const LedgerFinding& f = j.ledger;
  if (f.steps == 0) return "";
  std::string text = format(
      "ledger: %.4g J from prescribed motion, %.4g J from loads, %.4g J from corrections; lost %.4g J to friction, "
      "%.4g J to damping, "
      "%.4g J to the scheme",
      f.work_prescribed, f.work_loads, f.work_correction, f.friction, f.damping, f.scheme);
  if (f.steps < f.all_steps)
    text += format("; of %lld of %lld steps", static_cast<long long>(f.steps), static_cast<long long>(f.all_steps));
  if (!j.balances()) {
    text += ": IT DOES NOT BALANCE";
    if (f.imbalance > largest_imbalance)
      text += format(", off by %.2g of the energy in play in step %lld", f.imbalance,
                     static_cast<long long>(f.imbalance_step));
    if (j.frame_imbalance_frame >= 0)
      text += format(", by %.4g J in frame %lld", j.frame_imbalance, static_cast<long long>(j.frame_imbalance_frame));
  }
  return text + "\n" + growth_text(f.made, "energy that nothing gave", f) +
         growth_text(f.by_scheme, "given by the scheme and corrections", f) +
         growth_text(f.by_friction, "given back by friction", f) +
         growth_text(f.by_damping, "given back by damping", f);
}

std::string records_text(const Judgement& j) {
  if (j.compared_frames == 0) return "records: no frame has a row in /steps to compare with\n";
  const auto largest = std::max_element(j.disagreements.begin(), j.disagreements.end(),
                                        [](const auto& a, const auto& b) { return a.relative < b.relative; });
  const char* name = recorded_quantities[static_cast<std::size_t>(largest - j.disagreements.begin())];
  std::string text = format("records: /steps and %lld frames differ by %.3g at most, relative",
                            static_cast<long long>(j.compared_frames), largest->relative);
  if (largest->relative > 0) text += format(" (%s, frame %lld)", name, static_cast<long long>(largest->frame));
  if (largest->relative > largest_agreement) text += ": THEY CONTRADICT EACH OTHER";
  return text + "\n";
}

std::string statuses_text(const Subject& subject) {
  std::string text = format("steps: %lld", static_cast<long long>(subject.reader.step_count()));
  const char* separator = ": ";
  for (const auto& [status, count] : subject.steps.statuses) {
    text += format("%s%lld %s", separator, static_cast<long long>(count), status.c_str());
    separator = ", ";
  }
  return text + "; run: " + subject.reader.info().status + "\n";
}

std::string verdict_text(const Subject& subject, const Judgement& j) {
  const std::string judged =
      format("%zu of %lld frames judged", j.frames.size(), static_cast<long long>(subject.reader.frame_count()));
  if (j.verdict == Verdict::intersects) {
    return format("verdict: INTERSECTS in %lld frames (the first is %lld, the worst %lld), ",
                  static_cast<long long>(j.intersecting_frames), static_cast<long long>(j.first_intersecting_frame),
                  static_cast<long long>(j.worst_frame)) +
           judged + "\n";
  }
  if (j.verdict == Verdict::clean) return "verdict: clean, nothing overlaps; " + judged + "\n";
  if (j.verdict == Verdict::inverted) {
    return format("verdict: INVERTED, nothing overlaps, but tetrahedra are turned inside out in %lld frames, ",
                  static_cast<long long>(j.inverted_frames)) +
           judged + "\n";
  }
  std::string text = "verdict: UNSOUND, nothing overlaps, but ";
  if (j.frames_not_finite > 0) {
    text += format("%lld frames hold numbers that are not finite, or have energies that are not",
                   static_cast<long long>(j.frames_not_finite));
  } else if (j.contradicts()) {
    text += "frames and records contradict each other";
  } else if (j.misplaces()) {
    text += "embedded vertices are not where their weights put them";
  } else if (j.ledger.unborne.steps > 0) {
    text += format("nothing bears %.4g N in %lld quasi-static steps (the first is %lld): they are not in balance",
                   j.ledger.unborne.force, static_cast<long long>(j.ledger.unborne.steps),
                   static_cast<long long>(j.ledger.unborne.first));
  } else if (!j.balances()) {
    text += "the ledger of energy is not that of the steps and frames";
  } else {
    text += j.ledger.text();
  }
  return text + "; " + judged + "\n";
}

}  // namespace

std::string table_text(const Subject& subject, const Judgement& j) {
  std::string text = format("%s: %zu objects (%d deformable, %d rigid, %d obstacles), %zu vertices, %zu faces",
                            subject.path.c_str(), subject.objects.size(), subject.deformable, subject.rigid,
                            subject.obstacles, subject.rest.vertices.size(), subject.rest.triangles.size());
  if (subject.substance) text += format(", %.6g kg", subject.substance->total_mass);
  text += "\n" + frames_table(subject, j) + intersections_text(subject, j) + distance_text(subject, j) +
          volumes_text(subject, j) + misplaced_text(subject, j) + drift_text(subject, j) + ledger_text(j) +
          records_text(j) + statuses_text(subject);
  for (const std::string& note : subject.notes) text += "note: " + note + "\n";
  return text + verdict_text(subject, j);
}

int exit_status(const Judgement& judgement) {
  switch (judgement.verdict) {
    case Verdict::clean:
      return exit_clean;
    case Verdict::intersects:
      return exit_intersects;
    case Verdict::unsound:
      return exit_unsound;
    case Verdict::inverted:
      return exit_inverted;
  }
  return exit_unsound;
}

}  // namespace simcheck
