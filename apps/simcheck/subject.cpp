#include "subject.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "elasticity/cable.hpp"
#include "elasticity/sheet.hpp"
#include "math/error.hpp"
#include "mesh/surface.hpp"
#include "model/report.hpp"
#include "scene/load.hpp"
#include "scene/pairs.hpp"
#include "scene/select.hpp"

namespace simcheck {

namespace {

bool is_deformable(const sim::ResultObject& object) {
  return object.type == "deformable";
}
bool is_rigid(const sim::ResultObject& object) {
  return object.type == "rigid";
}
bool is_obstacle(const sim::ResultObject& object) {
  return object.type == "fixed" || object.type == "scripted";
}

constexpr double least_thickness = 1e-300;  // m, of sheets of which the scene says none: they have no inside

bool within(const sim::Range& range, std::size_t count) {
  return range.begin >= 0 && range.begin <= range.end && static_cast<std::size_t>(range.end) <= count;
}

template <std::size_t n>
bool all_within(const std::vector<std::array<sim::Index, n>>& elements, sim::Range rows, sim::Range vertices) {
  return std::all_of(elements.begin() + rows.begin, elements.begin() + rows.end, [&](const auto& element) {
    return std::all_of(element.begin(), element.end(),
                       [&](sim::Index v) { return v >= vertices.begin && v < vertices.end; });
  });
}

// The first row of which a vertex comes twice; -1: none.
template <std::size_t n>
sim::Index repeated_vertex(const std::vector<std::array<sim::Index, n>>& elements, sim::Range rows) {
  for (sim::Index row = rows.begin; row < rows.end; ++row) {
    auto vertices = elements[static_cast<std::size_t>(row)];
    std::sort(vertices.begin(), vertices.end());
    if (std::adjacent_find(vertices.begin(), vertices.end()) != vertices.end()) return row;
  }
  return -1;
}

// Everything below relies on it; a damaged file must not be read beyond its ends.
void check_ranges(const Subject& subject) {
  const sim::Mesh& mesh = subject.rest;
  std::size_t triangles = 0;
  const auto fail = [&](const std::string& what) { throw sim::FileError(subject.path + ": /model: " + what); };
  if (mesh.vertices.size() != static_cast<std::size_t>(subject.reader.vertex_count()))
    fail("rest_positions and the frames differ in the number of vertices");
  for (const sim::ResultObject& object : subject.objects) {
    const std::string name = "object \"" + object.name + "\"";
    if (!within(object.vertices, mesh.vertices.size()) || !within(object.tets, mesh.tets.size()) ||
        !within(object.triangles, mesh.triangles.size()))
      fail(name + " names rows that are not there");
    if (!all_within(mesh.tets, object.tets, object.vertices) ||
        !all_within(mesh.triangles, object.triangles, object.vertices))
      fail(name + " has tets or triangles on vertices that are not its own");
    // Those of obstacles may be segments and points, those of cables are segments.
    const bool may_be_thin = is_obstacle(object) || object.cable;
    const sim::Index thin = may_be_thin ? -1 : repeated_vertex(mesh.triangles, object.triangles);
    if (thin >= 0) fail(name + ": triangle " + std::to_string(thin) + " has a corner twice");
    if (const sim::Index row = repeated_vertex(mesh.tets, object.tets); row >= 0)
      fail(name + ": tet " + std::to_string(row) + " has a corner twice");
    triangles += static_cast<std::size_t>(object.triangles.size());
  }
  if (triangles != mesh.triangles.size()) fail("not every triangle belongs to one object");
}

// The objects as the scene names them, copies one by one; empty where the file has others.
std::vector<const sim::ObjectSpec*> match_objects(const sim::Scene& scene, const Subject& subject) {
  std::vector<const sim::ObjectSpec*> specs;
  std::vector<std::string> names;
  for (const sim::ObjectSpec& spec : scene.objects) {
    const std::optional<std::int64_t> copies =
        copies_wanted(spec);  // of a file that lists them: as many as there are
    for (std::int64_t i = 1; i <= copies.value_or(i) && names.size() <= subject.objects.size(); ++i) {
      const std::string name = has_copies(spec) ? spec.name + "." + std::to_string(i) : spec.name;
      const bool next = names.size() < subject.objects.size() && subject.objects[names.size()].name == name;
      if (!copies && !next) break;
      specs.push_back(&spec);
      names.push_back(name);
    }
  }
  const bool same = std::equal(names.begin(), names.end(), subject.objects.begin(), subject.objects.end(),
                               [](const std::string& name, const sim::ResultObject& o) { return name == o.name; });
  return same ? specs : std::vector<const sim::ObjectSpec*>{};
}

// m, that contact keeps; empty where the objects are not those of the scene.
std::vector<double> thickness_of_objects(const sim::Scene& scene, const Subject& subject) {
  std::vector<double> thickness;
  for (const sim::ObjectSpec* spec : match_objects(scene, subject)) {
    const auto material = std::find_if(scene.materials.begin(), scene.materials.end(),
                                       [&](const sim::Material& m) { return m.name == spec->material; });
    thickness.push_back(thickness_of(*spec, material == scene.materials.end() ? nullptr : &*material));
  }
  return thickness;
}

// Its vertices that are not embedded.
sim::Range nodes_of(const Subject& subject, const sim::ResultObject& object) {
  const auto embedded = std::count_if(
      subject.rest.embedded.begin(), subject.rest.embedded.end(), [&](const sim::EmbeddedVertex& point) {
        return point.vertex >= object.vertices.begin && point.vertex < object.vertices.end;
      });
  return {object.vertices.begin, object.vertices.end - static_cast<sim::Index>(embedded)};
}

// By vertex, chosen as a run chooses them, from the placed objects at rest.
struct Told {
  std::vector<bool> any;    // is prescribed, if only along a direction or for a time
  std::vector<bool> whole;  // has no unknowns
  explicit Told(std::size_t vertices) : any(vertices, false), whole(vertices, false) {}
};

Told prescribed_vertices(const sim::Scene& scene, Subject& subject) {
  Told prescribed(subject.rest.vertices.size());
  const auto specs = match_objects(scene, subject);
  if (specs.empty() && !subject.objects.empty()) {
    subject.notes.emplace_back("the objects of the file are not those of its scene: pinned vertices are not known");
    return prescribed;
  }
  for (std::size_t k = 0; k < specs.size(); ++k) {
    const sim::Range range = nodes_of(subject, subject.objects[k]);
    const std::span<const sim::Vec3> vertices(subject.rest.vertices.data() + range.begin,
                                              static_cast<std::size_t>(range.size()));
    for (const sim::BoundarySpec& boundary : specs[k]->boundary) {
      const bool whole = boundary.axes.value_or("xyz").size() == 3 && !boundary.normal && !boundary.release;
      for (const sim::Index v : select_vertices(boundary.select, vertices)) {
        if (v < 0 || v >= range.size()) continue;
        prescribed.any[range.begin + v] = true;
        if (whole) prescribed.whole[range.begin + v] = true;
      }
    }
  }
  return prescribed;
}

const sim::Material& material_of(const sim::Scene& scene, const sim::ResultObject& object) {
  const auto material = std::find_if(scene.materials.begin(), scene.materials.end(),
                                     [&](const sim::Material& m) { return m.name == object.material; });
  if (material == scene.materials.end())
    throw sim::InputError("its scene has no material \"" + object.material + "\" for \"" + object.name + "\"");
  return *material;
}

double gap_of(const Subject& subject, const sim::ResultObject& object, const sim::Material& material) {
  if (is_thin(material.model)) return sim::gap_by_thickness(material.thickness);
  const std::span<const sim::Triangle> triangles(subject.rest.triangles);
  return sim::gap_by_edge(
      sim::mean_edge(subject.rest.vertices, triangles.subspan(static_cast<std::size_t>(object.triangles.begin),
                                                              static_cast<std::size_t>(object.triangles.size()))));
}

// Its own tets, elements of sheets and masses, of one deformable object.
struct Elements {
  std::vector<sim::Tet> tets;
  std::vector<sim::Index> material_of_tet;
  std::vector<double> filled;  // a tet; empty: all of each
  sim::ThinParts thin;
};

void add_tets(const Subject& subject, const sim::ResultObject& object, const sim::Material& material,
              sim::Index number, Substance& s, Elements& elements) {
  const auto& x = subject.rest.vertices;
  for (sim::Index t = object.tets.begin; t < object.tets.end; ++t) {
    const auto& [a, b, c, d] = subject.rest.tets[t];
    double volume = (x[b] - x[a]).cross(x[c] - x[a]).dot(x[d] - x[a]) / 6;
    if (!subject.rest.filled.empty()) {
      volume *= subject.rest.filled[t];
      elements.filled.push_back(subject.rest.filled[t]);
    }
    for (const sim::Index corner : subject.rest.tets[t]) s.mass[corner] += material.density * volume / 4;
    s.smallest_elastic_scale += 1e-12 * material.young * volume;
    elements.tets.push_back(subject.rest.tets[t]);
    elements.material_of_tet.push_back(number);
  }
}

void add_triangles(const Subject& subject, const sim::ResultObject& object, const sim::Material& material,
                   const sim::Sheet& sheet, Substance& s, Elements& elements) {
  const auto& x = subject.rest.vertices;
  const bool springs = material.model != sim::MaterialModel::shell;
  const double modulus = springs ? material.stretch : material.young * material.thickness;  // N/m
  for (sim::Index t = object.triangles.begin; t < object.triangles.end; ++t) {
    const auto& [a, b, c] = subject.rest.triangles[t];
    const double area = (x[b] - x[a]).cross(x[c] - x[a]).norm() / 2;
    for (const sim::Index corner : subject.rest.triangles[t])
      s.mass[corner] += material.density * material.thickness * area / 3;
    s.smallest_elastic_scale += 1e-12 * modulus * area;
  }
  add_sheet(x, sheet, material, elements.thin);
}

void add_segments(const Subject& subject, const sim::ResultObject& object, const sim::Material& material,
                  const sim::Cable& cable, Substance& s, Elements& elements) {
  const auto& x = subject.rest.vertices;
  for (sim::Index t = object.triangles.begin; t < object.triangles.end; ++t) {
    const auto& [a, b, c] = subject.rest.triangles[t];
    if (b != c || a == b)
      throw sim::InputError("the cable \"" + object.name + "\" has a triangle that is no segment");
    const double length = (x[b] - x[a]).norm();
    for (const sim::Index end : {a, b}) s.mass[end] += mass_per_length(material) * length / 2;
    s.smallest_elastic_scale += 1e-12 * material.stretch * length * length;
  }
  add_cable(x, cable, material, elements.thin);
}

// The cells of a sheet of a grid, as the scene has them: only springs of a grid need them.
std::array<sim::Index, 2> grid_of_object(const sim::Scene& scene, const std::string& mesh) {
  for (const sim::MeshSpec& spec : scene.meshes) {
    if (spec.name == mesh) return grid_of(spec);
  }
  return {0, 0};
}

// A file may hold anything: the springs of a grid must find their vertices.
void check_grid(const sim::ResultObject& object, const sim::Material& material, std::array<sim::Index, 2> grid) {
  if (material.model != sim::MaterialModel::grid_springs) return;
  const std::int64_t vertices = (std::int64_t{grid[0]} + 1) * (std::int64_t{grid[1]} + 1);
  if (grid[0] < 1 || vertices != object.vertices.size())
    throw sim::InputError("the vertices of \"" + object.name + "\" are not those of the grid that its scene says");
}

// Masses anew from tets, triangles and densities, of rigid objects from what their surface encloses; elastic energy
// with the code of the materials.
Substance make_substance(const sim::Scene& scene, const Subject& subject, const Told& prescribed) {
  Substance s;
  s.gravity = scene.gravity;
  s.gap_tolerance = scene.contact.tolerance.value_or(0);
  s.mass = sim::VecX::Zero(static_cast<Eigen::Index>(subject.rest.vertices.size()));
  Elements elements;
  const auto specs = match_objects(scene, subject);
  for (std::size_t k = 0; k < subject.objects.size(); ++k) {
    const sim::ResultObject& object = subject.objects[k];
    if (!is_deformable(object) && !is_rigid(object)) continue;
    const sim::Material* material = &material_of(scene, object);
    if (!scene.contact.tolerance) s.gap_tolerance = std::max(s.gap_tolerance, gap_of(subject, object, *material));
    s.mass_damping = s.mass_damping || material->mass_damping > 0;
    if (is_rigid(object)) {
      s.rigid.push_back({object.vertices, object.triangles, material->density});
      const double mass = properties_of(s.rigid.back(), subject.rest.triangles, subject.rest.vertices).mass;
      if (!(mass > 0)) throw sim::InputError("the surface of \"" + object.name + "\" encloses no volume");
      s.total_mass += mass;
      continue;
    }
    const auto number = static_cast<sim::Index>(material - scene.materials.data());
    if (object.tets.size() > 0) {
      add_tets(subject, object, *material, number, s, elements);
    } else {
      const auto triangles = std::span(subject.rest.triangles)
                                 .subspan(static_cast<std::size_t>(object.triangles.begin),
                                          static_cast<std::size_t>(object.triangles.size()));
      const auto grid = specs.empty() ? std::array<sim::Index, 2>{0, 0} : grid_of_object(scene, specs[k]->mesh);
      check_grid(object, *material, grid);
      const bool cable = material->model == sim::MaterialModel::cable;
      if (cable != object.cable)
        throw sim::InputError("the material of \"" + object.name + "\" does not go with its triangles");
      if (cable) {
        add_segments(subject, object, *material, {triangles, number}, s, elements);
      } else {
        add_triangles(subject, object, *material, {triangles, object.vertices.begin, grid, number}, s, elements);
      }
    }
    for (sim::Index v = object.vertices.begin; v < object.vertices.end; ++v)
      s.prescribed_vertices += prescribed.any[v] ? 1 : 0;
  }
  s.total_mass += s.mass.sum();
  s.elastic = make_elastic_bodies(subject.rest.vertices, elements.tets, elements.material_of_tet, scene.materials,
                                  std::move(elements.thin));
  if (!elements.filled.empty()) fill_in_part(elements.filled, scene.materials, s.elastic);
  return s;
}

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

void make_surface_of(const Told& prescribed, Subject& subject) {
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

// Pairs that never touch, as a run has them.
sim::ObjectGroups groups_of(const sim::Scene& scene, const Subject& subject) {
  std::vector<sim::NamedObject> named;
  const auto specs = match_objects(scene, subject);
  for (std::size_t k = 0; k < specs.size(); ++k) named.push_back({subject.objects[k].name, specs[k]});
  return sim::pair_table(scene, named).groups;
}

RecordedSteps read_steps(const sim::ResultReader& reader) {
  RecordedSteps steps;
  for (const char* name : {"step", "time", "status", "kinetic_energy", "elastic_energy", "potential_energy",
                           "momentum", "angular_momentum"})
    steps.columns[name] = reader.step_column(name);
  constexpr std::array ledger{"accepted",
                              "work_prescribed",
                              "work_correction",
                              "dissipation_friction",
                              "dissipation_damping",
                              "dissipation_scheme",
                              "impulse_external",
                              "impulse_prescribed",
                              "impulse_left_over",
                              "angular_impulse_external",
                              "angular_impulse_prescribed"};
  steps.has_ledger =
      std::all_of(ledger.begin(), ledger.end(), [&](const char* name) { return reader.has_step_column(name); });
  if (steps.has_ledger) {
    for (const char* name : ledger) steps.columns[name] = reader.step_column(name);
    const std::vector<double>& others = steps.columns["work_prescribed"];
    std::vector<double>& loads = steps.columns["work_loads"];
    loads.assign(others.size(), 0.0);
    if (reader.has_step_column("work_loads")) loads = reader.step_column("work_loads");
    // Rows of runs before there were loads.
    for (std::size_t row = 0; row < loads.size(); ++row)
      if (std::isnan(loads[row]) && !std::isnan(others[row])) loads[row] = 0;
    std::vector<double>& stored = steps.columns["contact_energy"];
    stored.assign(others.size(), 0.0);
    if (reader.has_step_column("contact_energy")) stored = reader.step_column("contact_energy");
    for (double& energy : stored) energy = std::isnan(energy) ? 0 : energy;
    std::vector<double>& scheme = steps.columns["impulse_scheme"];
    scheme.assign(3 * others.size(), 0.0);
    if (reader.has_step_column("impulse_scheme")) scheme = reader.step_column("impulse_scheme");
    for (std::size_t k = 0; k < scheme.size(); ++k)
      if (std::isnan(scheme[k]) && !std::isnan(others[k / 3])) scheme[k] = 0;
  }
  const auto &numbers = steps.columns["step"], &statuses = steps.columns["status"];
  for (std::size_t row = 0; row < numbers.size(); ++row) {
    const auto status = static_cast<sim::StepStatus>(static_cast<std::int32_t>(statuses[row]));
    ++steps.statuses[to_string(status)];
    // That of a step that was not taken is the last one, and no frame has its number.
    steps.row_of_step[static_cast<std::int64_t>(numbers[row])] = row;
  }
  return steps;
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

sim::MassProperties properties_of(const RigidObject& object, const std::vector<sim::Triangle>& triangles,
                                  const std::vector<sim::Vec3>& vertices) {
  const auto own = std::span(triangles).subspan(static_cast<std::size_t>(object.triangles.begin),
                                                static_cast<std::size_t>(object.triangles.size()));
  return sim::mass_properties(vertices, own, object.density);
}

Subject open_subject(const std::string& path) {
  Subject subject{.path = path, .reader = sim::ResultReader(path)};
  subject.rest = subject.reader.rest_mesh();
  subject.objects = subject.reader.objects();
  check_ranges(subject);
  for (const sim::ResultObject& object : subject.objects) {
    subject.deformable += is_deformable(object) ? 1 : 0;
    subject.rigid += is_rigid(object) ? 1 : 0;
    subject.obstacles += is_obstacle(object) ? 1 : 0;
  }
  subject.steps = read_steps(subject.reader);
  note_status(subject);

  Told prescribed(subject.rest.vertices.size());
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
