#include "subject.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "math/error.hpp"
#include "model_defects.hpp"
#include "scene/load.hpp"
#include "scene_objects.hpp"

namespace simcheck {

namespace {

constexpr double least_thickness = 1e-300;  // m, of sheets of which the scene says none: they have no inside

std::vector<sim::SheetObject> sheets_of(const Subject& subject) {
  std::vector<sim::SheetObject> sheets;
  for (std::size_t k = 0; k < subject.objects.size(); ++k) {
    const sim::ResultObject& object = subject.objects[k];
    const double known = subject.thickness.empty() ? 0 : subject.thickness[k];
    const bool sheet = is_deformable(object) && object.tets.size() == 0;
    if (sheet || known > 0) sheets.push_back({static_cast<sim::Index>(k), std::max(known, least_thickness)});
  }
  return sheets;
}

void make_surface_of(const Prescribed& prescribed, Subject& subject) {
  std::vector<sim::Index> object_of_vertex(subject.rest.vertices.size(), -1);
  std::vector<sim::Index> body_of_vertex(subject.rest.vertices.size(), -1);
  std::vector<std::uint8_t> moves(subject.rest.vertices.size(), 0);
  std::vector<sim::Index> half_spaces;
  for (std::size_t k = 0; k < subject.objects.size(); ++k) {
    const sim::ResultObject& object = subject.objects[k];
    if (object.half_space && object.triangles.size() == 1) half_spaces.push_back(static_cast<sim::Index>(k));
    for (sim::Index v = object.vertices.begin; v < object.vertices.end; ++v) {
      object_of_vertex[v] = static_cast<sim::Index>(k);
      moves[v] = !is_obstacle(object) && !prescribed.whole[v] ? 1 : 0;
      if (is_rigid(object)) body_of_vertex[v] = static_cast<sim::Index>(k);
    }
  }
  for (const sim::EmbeddedVertex& point : subject.rest.embedded) {
    const auto is_prescribed = [&](sim::Index corner) { return prescribed.whole[corner]; };
    if (std::all_of(point.corners.begin(), point.corners.end(), is_prescribed)) moves[point.vertex] = 0;
  }
  subject.surface = sim::make_surface(subject.rest.triangles, object_of_vertex, moves, body_of_vertex, half_spaces);
  mark_sheets(sheets_of(subject), subject.rest.vertices, subject.surface);
}

void note_status(Subject& subject) {
  const std::string& status = subject.reader.info().status;
  if (status == "running") {
    subject.notes.emplace_back(
        "the file says \"running\": the run is still going on, or was killed; judged is what it has written so far");
  } else if (status != "done") {
    const std::string& reason = subject.reader.info().reason;
    subject.notes.push_back("the run ended early: " + status + (reason.empty() ? "" : ": " + reason));
  }
  if (!subject.reader.has_velocities())
    subject.notes.emplace_back(
        "the file has no velocities: kinetic energy, total energy and momentum are not judged");
  if (subject.deformable + subject.rigid == 0)
    subject.notes.emplace_back(
        "no object is deformable or rigid: nothing has energy or momentum, and obstacles may intersect each other");
}

// Solves that a published method ended by the rule of its paper.
void note_own_rules(Subject& subject) {
  if (!subject.reader.has_step_column("by_its_rule")) return;
  const std::vector<double> solves = subject.reader.step_column("by_its_rule");
  const auto steps = std::count_if(solves.begin(), solves.end(), [](double count) { return count > 0; });
  if (steps > 0)
    subject.notes.push_back(std::to_string(steps) +
                            " steps were ended by the rule of a published method, not within the tolerances "
                            "(by_its_rule in /steps)");
}

}  // namespace

sim::Range nodes_of(const Subject& subject, const sim::ResultObject& object) {
  const auto embedded = std::count_if(
      subject.rest.embedded.begin(), subject.rest.embedded.end(), [&](const sim::EmbeddedVertex& point) {
        return point.vertex >= object.vertices.begin && point.vertex < object.vertices.end;
      });
  return {object.vertices.begin, object.vertices.end - static_cast<sim::Index>(embedded)};
}

Subject open_subject(const std::string& path) {
  Subject subject{.path = path, .reader = sim::ResultReader(path)};
  subject.rest = subject.reader.rest_mesh();
  subject.objects = subject.reader.objects();
  check_model(subject);
  for (const sim::ResultObject& object : subject.objects) {
    subject.deformable += is_deformable(object) ? 1 : 0;
    subject.rigid += is_rigid(object) ? 1 : 0;
    subject.obstacles += is_obstacle(object) ? 1 : 0;
  }
  subject.steps = read_steps(subject.reader);
  note_status(subject);

  Prescribed prescribed(subject.rest.vertices.size());
  sim::ObjectGroups groups;
  try {
    const sim::Scene scene = sim::parse_scene(subject.reader.info().scene, "the scene in " + path, "");
    subject.thickness = thickness_of_objects(scene, subject);
    prescribed = prescribed_vertices(scene, subject);
    groups = groups_of(scene, subject);
    if (subject.deformable + subject.rigid > 0) subject.substance = make_substance(scene, subject, prescribed);
  } catch (const sim::InputError& error) {
    subject.notes.push_back(std::string("energy and momentum are not judged: ") + error.what());
  }
  note_own_rules(subject);
  make_surface_of(prescribed, subject);
  subject.surface.groups = std::move(groups);
  return subject;
}

}  // namespace simcheck
