#include <nlohmann/json.hpp>

#include "output/version.hpp"
#include "report.hpp"

namespace simcheck {

namespace {

using Json = nlohmann::ordered_json;  // writes numbers that are not finite as null

Json json_of(const sim::Vec3& v) {
  return {v[0], v[1], v[2]};
}

std::string name_of(const Subject& subject, sim::Index object) {
  return subject.objects[static_cast<std::size_t>(object)].name;
}

template <class Value>
Json column(const Judgement& j, const Value& value) {
  Json values = Json::array();
  for (const FrameFinding& f : j.frames) values.push_back(value(f));
  return values;
}

Json frames_json(const Subject& subject, const Judgement& j) {
  Json frames;
  frames["frame"] = column(j, [](const auto& f) { return f.frame; });
  frames["step"] = column(j, [](const auto& f) { return f.step; });
  frames["time"] = column(j, [](const auto& f) { return f.time; });
  frames["finite"] = column(j, [](const auto& f) { return f.finite && f.finite_sums; });
  frames["intersections"] =
      column(j, [](const auto& f) { return f.finite ? Json(f.overlaps.intersections) : Json(); });
  frames["distance"] = column(j, [](const auto& f) { return f.overlaps.distance; });
  frames["nearest_objects"] = column(j, [&](const auto& f) -> Json {
    if (f.overlaps.nearest_a < 0) return nullptr;
    return {name_of(subject, f.overlaps.nearest_a), name_of(subject, f.overlaps.nearest_b)};
  });
  frames["min_volume_ratio"] = column(j, [](const auto& f) { return f.volumes.smallest; });
  frames["inverted"] = column(j, [](const auto& f) { return f.finite ? Json(f.volumes.inverted) : Json(); });
  frames["kinetic_energy"] = column(j, [](const auto& f) { return f.mechanics.kinetic; });
  frames["elastic_energy"] = column(j, [](const auto& f) { return f.mechanics.elastic; });
  frames["potential_energy"] = column(j, [](const auto& f) { return f.mechanics.potential; });
  frames["energy_change"] = column(j, [](const auto& f) { return f.energy_change; });
  frames["momentum"] = column(j, [](const auto& f) { return json_of(f.mechanics.momentum); });
  frames["angular_momentum"] = column(j, [](const auto& f) { return json_of(f.mechanics.angular_momentum); });
  frames["angular_momentum_change"] = column(j, [](const auto& f) { return json_of(f.angular_momentum_change); });
  frames["unexplained_momentum"] = column(j, [](const auto& f) { return json_of(f.unexplained_momentum); });
  frames["unexplained_energy"] = column(j, [](const auto& f) { return f.unexplained_energy; });
  frames["unexplained_angular_momentum"] =
      column(j, [](const auto& f) { return json_of(f.unexplained_angular_momentum); });
  frames["disagreement"] = column(j, [](const auto& f) { return f.disagreement; });
  return frames;
}

Json intersections_json(const Subject& subject, const Judgement& j) {
  Json list = Json::array();
  for (const FrameFinding& f : j.frames) {
    for (const ObjectPairFinding& p : f.overlaps.objects) {
      list.push_back({{"frame", f.frame},
                      {"objects", {name_of(subject, p.object_a), name_of(subject, p.object_b)}},
                      {"count", p.count},
                      {"inner", p.inner < 0 ? Json() : Json(name_of(subject, p.inner))},
                      {"depth", p.depth},
                      {"way_out", p.way_out},
                      {"triangles", p.triangles}});
    }
  }
  return list;
}

Json totals_json(const Subject& subject, const Judgement& j) {
  const auto frame_or_null = [](std::int64_t frame) { return frame < 0 ? Json() : Json(frame); };
  Json totals{{"frames_judged", j.frames.size()},
              {"frames_in_file", subject.reader.frame_count()},
              {"frames_not_finite", j.frames_not_finite},
              {"intersecting_frames", j.intersecting_frames},
              {"intersections", j.intersections},
              {"first_intersecting_frame", frame_or_null(j.first_intersecting_frame)},
              {"worst_frame", frame_or_null(j.worst_frame)},
              {"smallest_distance", j.smallest_distance},
              {"smallest_distance_frame", frame_or_null(j.smallest_distance_frame)},
              {"energy_change", j.frames.back().energy_change},
              {"energy_in_play", j.energy_scale},
              {"unexplained_momentum", json_of(j.frames.back().unexplained_momentum)},
              {"momentum_in_play", j.momentum_scale},
              {"angular_momentum_change", json_of(j.frames.back().angular_momentum_change)},
              {"angular_momentum_in_play", j.angular_scale},
              {"supports", subject.has_supports()},
              {"compared_frames", j.compared_frames}};
  totals["min_volume_ratio"] = j.volumes.smallest;
  totals["min_volume_frame"] = frame_or_null(j.smallest_volume_frame);
  totals["min_volume_object"] = j.volumes.object < 0 ? Json() : Json(name_of(subject, j.volumes.object));
  totals["min_volume_tet"] = j.volumes.tet < 0 ? Json() : Json(j.volumes.tet);
  totals["inverted_frames"] = j.inverted_frames;
  totals["first_inverted_frame"] = frame_or_null(j.first_inverted_frame);
  totals["most_inverted"] = j.volumes.inverted;
  totals["misplaced"] = j.misplaced.relative;
  totals["misplaced_frame"] = frame_or_null(j.misplaced_frame);
  totals["misplaced_vertex"] = j.misplaced.vertex < 0 ? Json() : Json(j.misplaced.vertex);
  Json& off = totals["disagreement"];
  for (std::size_t i = 0; i < j.disagreements.size(); ++i) {
    const Disagreement& d = j.disagreements[i];
    off[recorded_quantities[i]] = d.frame < 0 ? Json() : Json{{"relative", d.relative}, {"frame", d.frame}};
  }
  return totals;
}

Json ledger_json(const Judgement& j) {
  const LedgerFinding& f = j.ledger;
  if (f.steps == 0) return nullptr;
  const auto growth = [](const sim::MadeEnergy& g) -> Json {
    return {{"energy", g.energy},
            {"from_step", g.from < 0 ? Json() : Json(g.from)},
            {"to_step", g.to < 0 ? Json() : Json(g.to)},
            {"work_of_gaps", g.gaps}};
  };
  return {{"steps", f.steps},
          {"all_steps", f.all_steps},
          {"energy_in_play", f.energy_scale},
          {"work_prescribed", f.work_prescribed},
          {"work_loads", f.work_loads},
          {"work_correction", f.work_correction},
          {"dissipation_friction", f.friction},
          {"dissipation_damping", f.damping},
          {"dissipation_scheme", f.scheme},
          {"imbalance", f.imbalance},
          {"imbalance_step", f.imbalance_step < 0 ? Json() : Json(f.imbalance_step)},
          {"frame_imbalance", j.frame_imbalance},
          {"frame_imbalance_frame", j.frame_imbalance_frame < 0 ? Json() : Json(j.frame_imbalance_frame)},
          {"made", growth(f.made)},
          {"given_by_scheme", growth(f.by_scheme)},
          {"returned_by_friction", growth(f.by_friction)},
          {"returned_by_damping", growth(f.by_damping)},
          {"allowed", f.allowed},
          {"unborne_steps", f.unborne.steps},
          {"first_unborne_step", f.unborne.first < 0 ? Json() : Json(f.unborne.first)},
          {"unborne_force", f.unborne.force}};
}

Json run_json(const Subject& subject) {
  const sim::ResultInfo& info = subject.reader.info();
  return {{"status", info.status},
          {"reason", info.reason},
          {"solver", info.solver},
          {"program_version", info.program_version},
          {"threads", info.threads},
          {"steps", subject.reader.step_count()},
          {"step_statuses", Json(subject.steps.statuses)}};
}

Json model_json(const Subject& subject) {
  Json model{{"objects", subject.objects.size()},
             {"deformable", subject.deformable},
             {"rigid", subject.rigid},
             {"obstacles", subject.obstacles},
             {"vertices", subject.rest.vertices.size()},
             {"tets", subject.rest.tets.size()},
             {"faces", subject.rest.triangles.size()},
             {"mass", nullptr},
             {"told_vertices", nullptr}};
  if (subject.substance) {
    model["mass"] = subject.substance->total_mass;
    model["told_vertices"] = subject.substance->prescribed_vertices;
  }
  return model;
}

}  // namespace

std::string json_text(const Subject& subject, const Judgement& j) {
  Json json;
  json["program"] = std::string("simcheck ") + sim::program_version();
  json["file"] = subject.path;
  json["verdict"] = to_string(j.verdict);
  json["exit_status"] = exit_status(j);
  json["totals"] = totals_json(subject, j);
  json["ledger"] = ledger_json(j);
  json["run"] = run_json(subject);
  json["model"] = model_json(subject);
  json["frames"] = frames_json(subject, j);
  json["intersections"] = intersections_json(subject, j);
  json["notes"] = subject.notes;
  // Names come from files: what is not UTF-8 in them is replaced.
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace simcheck
