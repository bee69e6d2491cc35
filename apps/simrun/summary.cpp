#include "summary.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "math/format.hpp"
#include "model/own_weight.hpp"
#include "progress.hpp"

namespace simrun {

namespace {

using sim::format;

constexpr double bin_ratio = 1.02;
constexpr double smallest_binned = 1e-9;
constexpr std::size_t bin_count = 2000;  // reaches 1e-9 * 1.02^2000 = 1.6e8

struct Cells {  // of a surface whose segments and points are triangles of corners that are the same
  std::size_t faces = 0, segments = 0;
};
Cells count_cells(std::span<const sim::Triangle> triangles) {
  Cells cells;
  for (const sim::Triangle& t : triangles) {
    if (sim::is_face(t))
      ++cells.faces;
    else if (t[0] != t[1])
      ++cells.segments;
  }
  return cells;
}

// " 120": of a column that is there only where the scene has segments
std::string segments_column(const Cells& all, const std::string& text) {
  return all.segments > 0 ? format(" %9s", text.c_str()) : "";
}

// How near contact lets things come, in the terms of the method.
std::string contact_line(const sim::Model& model, const sim::Options& options) {
  if (!options.detect_collisions) return "";
  if (options.stepper == sim::StepperKind::asynchronous)
    return format("  contact begins %.3g m apart (acm.thickness), the outermost layer has %.3g N/m (acm.stiffness)\n",
                  options.asynchronous.thickness, options.asynchronous.stiffness);
  const sim::FinestSurface finest = sim::finest_surface(model);
  if (finest.object < 0) return "";
  return format("  gaps in contact up to %.3g m (contact.tolerance), the finest of \"%s\"; detection margin %.3g m\n",
                finest.eps2, model.objects[finest.object].name.c_str(), options.detection.margin);
}

}  // namespace

std::string describe_model(const sim::Scene& scene, const sim::Model& model, const sim::Options& options,
                           std::int64_t steps) {
  constexpr std::size_t most_objects_listed = 24;
  const sim::CollisionSurface& surface = model.surface;
  const std::span<const sim::Triangle> triangles = model.mesh.triangles;
  const Cells all = count_cells(triangles);
  std::string text = format("scene %s\n", scene.name.empty() ? "(no name)" : scene.name.c_str());
  text += format("  %-24s %-11s %-12s %9s %9s %9s%s %12s\n", "object", "type", "material", "vertices", "tets",
                 "faces", segments_column(all, "segments").c_str(), "mass kg");
  for (std::size_t i = 0; i < model.objects.size(); ++i) {
    if (i == most_objects_listed && model.objects.size() > most_objects_listed + 1) {
      text += format("  ... and %zu more\n", model.objects.size() - i);
      break;
    }
    const sim::Object& object = model.objects[i];
    const char* material = object.material < 0 ? "-" : model.materials[object.material].name.c_str();
    const std::string mass = is_obstacle(object.type) ? "           -" : format("%12.5g", mass_of(model, object));
    const Cells own = count_cells(triangles.subspan(object.triangles.begin, object.triangles.size()));
    text += format("  %-24.24s %-11s %-12.12s %9d %9d %9zu%s %s\n", object.name.c_str(), to_string(object.type),
                   material, object.vertices.size(), object.tets.size(), own.faces,
                   segments_column(all, std::to_string(own.segments)).c_str(), mass.c_str());
  }
  double mass = model.elastic.mass.sum();
  for (const sim::RigidBody& body : model.rigid) mass += body.mass;
  text += format("  in all: %zu objects, %zu vertices, %zu tets, %zu faces, %s%d unknowns, %.6g kg\n",
                 model.objects.size(), model.mesh.vertices.size(), model.mesh.tets.size(), all.faces,
                 all.segments > 0 ? format("%zu segments, ", all.segments).c_str() : "",
                 3 * model.plan.pattern.rows(), mass);
  const auto edges = std::count_if(surface.edges.begin(), surface.edges.end(), sim::is_segment);
  text += format("  surface: %zu vertices, %lld edges, %zu faces; %s\n", surface.vertices.size(),
                 static_cast<long long>(edges), count_cells(surface.triangles).faces,
                 scene.contact.enabled ? "no initial overlaps" : "overlaps were not looked for, as contact is off");
  text += contact_line(model, options);
  text += format("  %s of %g s, a frame every %d steps, solver %s\n", counted(steps, "step").c_str(), scene.time.step,
                 scene.output.every, scene.solver.method.c_str());
  return text;
}

std::string counted(std::int64_t count, const char* thing) {
  return format("%lld %s%s", static_cast<long long>(count), thing, count == 1 ? "" : "s");
}

void Summary::Series::add(double value) {
  sum += value;
  largest = std::max(largest, value);
  ++count;
  if (bins.empty()) bins.assign(bin_count, 0);
  const double place = value > smallest_binned ? std::log(value / smallest_binned) / std::log(bin_ratio) : 0;
  ++bins[std::min(static_cast<std::size_t>(place), bin_count - 1)];
}

double Summary::Series::median() const {
  std::int64_t seen = 0;
  for (std::size_t i = 0; i < bins.size(); ++i) {
    seen += bins[i];
    if (2 * seen >= count) return i == 0 ? 0 : smallest_binned * std::pow(bin_ratio, static_cast<double>(i) + 0.5);
  }
  return 0;
}

void Summary::add(const sim::StepReport& report) {
  ++steps_;
  integrate_.add(report.t_integrate);
  detect_.add(report.t_detect);
  solve_.add(report.t_solve);
  relinearize_.add(report.t_relinearize);
  output_.add(report.t_output);
  rest_.add(report.t_total - report.t_integrate - report.t_detect - report.t_solve - report.t_relinearize -
            report.t_output);
  total_.add(report.t_total);
  iterations_.add(report.iterations);
  contacts_.add(report.contacts);
  relinearizations_.add(report.relinearizations);
  if (has_clocks(report)) {
    kicks_.add(kicks_a_second(report));
    deepest_layer_ = std::max(deepest_layer_, report.events.deepest);
    most_too_deep_ = std::max(most_too_deep_, report.events.rest_too_deep);
    shortest_step_ = std::min(shortest_step_.value_or(report.events.smallest_h), report.events.smallest_h);
  }
  most_parts_ = std::max(most_parts_, report.substeps);
  divided_ += report.substeps > 1 ? 1 : 0;
  if (!report.accepted) {
    ++failed_;
    return;
  }
  unconverged_ += report.status != sim::StepStatus::converged ? 1 : 0;
  by_rule_ += report.by_its_rule > 0 ? 1 : 0;
  add_volumes(report);
  if (report.overlap > 0) {
    ++overlapping_;
    deepest_ = std::max(deepest_, report.overlap);
  }
  if (!std::isnan(report.min_gap)) worst_gap_ = std::min(worst_gap_.value_or(report.min_gap), report.min_gap);
}

void Summary::add_volumes(const sim::StepReport& report) {
  if (std::isnan(report.min_volume_ratio)) return;
  smallest_volume_ = std::min(smallest_volume_.value_or(report.min_volume_ratio), report.min_volume_ratio);
  inverted_ += report.inverted > 0 ? 1 : 0;
  extrapolated_ += report.extrapolated > 0 ? 1 : 0;
  most_inverted_ = std::max(most_inverted_, report.inverted);
  most_extrapolated_ = std::max(most_extrapolated_, report.extrapolated);
}

std::string Summary::volumes() const {
  if (!smallest_volume_) return "";
  const auto row = [](const char* name, std::int64_t steps, sim::Index most) {
    return format("  %-12s %12lld steps   (at most %d tetrahedra)\n", name, static_cast<long long>(steps), most);
  };
  return format("  %-12s %12.3g of its rest volume, the most squeezed tetrahedron\n", "min volume",
                *smallest_volume_) +
         row("inverted", inverted_, most_inverted_) + row("extrapolated", extrapolated_, most_extrapolated_);
}

std::string Summary::clocks() const {
  if (!shortest_step_) return "";
  return format("  %-12s %12.3g %12.3g   (a second of wall time)\n", "kicks", kicks_.mean(), kicks_.median()) +
         format("  %-12s %12d   (deeper than acm.rest_depth at the end of a step: %s at most)\n", "deepest layer",
                deepest_layer_, counted(most_too_deep_, "pair").c_str()) +
         format("  %-12s %12.3g s\n", "shortest step", *shortest_step_);
}

std::string Summary::troubles() const {
  const auto number = [](std::int64_t n) { return static_cast<long long>(n); };
  std::string text =
      worst_gap_ ? format("  %-12s %12.3g m%s\n", "worst gap", *worst_gap_, *worst_gap_ < 0 ? "   (penetration)" : "")
                 : format("  %-12s %12s\n", "worst gap", "no contacts");
  if (overlapping_ > 0)
    text += format("  %-12s %12.3g m   (objects in each other after %lld steps, as published)\n", "overlap", deepest_,
                   number(overlapping_));
  text += format("  %-12s %12lld steps   (at most %d parts)\n", "divided", number(divided_), most_parts_);
  text += format("  %-12s %12lld steps   (accepted all the same)\n", "unconverged", number(unconverged_));
  if (by_rule_ > 0)
    text += format("  %-12s %12lld steps   (ended by the rule of the paper, not within the tolerances)\n",
                   "by its rule", number(by_rule_));
  text += format("  %-12s %12lld steps\n", "failed", number(failed_));
  return text;
}

std::string Summary::table() const {
  if (steps_ == 0) return "";
  struct Row {
    const char* name;
    std::reference_wrapper<const Series> series;
  };
  std::vector<Row> stages{{"integrate", integrate_}, {"detect", detect_}}, counts{{"contacts", contacts_}};
  if (!shortest_step_) {
    stages.insert(stages.end(), {{"solve", solve_}, {"relinearize", relinearize_}});
    counts = {{"iterations", iterations_}, {"contacts", contacts_}, {"relinearized", relinearizations_}};
  }
  stages.insert(stages.end(), {{"output", output_}, {"rest", rest_}, {"total", total_}});
  std::string text = format("  %-12s %12s %12s %8s\n", "stage", "mean ms", "median ms", "share");
  for (const Row& row : stages) {
    text += format("  %-12s %12.3f %12.3f %7.1f%%\n", row.name, 1e3 * row.series.get().mean(),
                   1e3 * row.series.get().median(), total_.sum > 0 ? 100 * row.series.get().sum / total_.sum : 0.0);
  }
  for (const Row& row : counts) {
    text += format("  %-12s %12.1f %12.0f   (largest %.0f)\n", row.name, row.series.get().mean(),
                   row.series.get().median(), row.series.get().largest);
  }
  return text + clocks() + volumes() + troubles();
}

}  // namespace simrun
