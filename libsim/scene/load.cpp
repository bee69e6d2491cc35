#include "scene/load.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "collide/target_gap.hpp"
#include "math/error.hpp"
#include "math/format.hpp"
#include "math/number_text.hpp"
#include "mesh/node_volumes.hpp"
#include "mesh/surface.hpp"
#include "model/published.hpp"
#include "scene/asynchronous_checks.hpp"
#include "scene/fit.hpp"
#include "scene/half_spaces.hpp"
#include "scene/local_checks.hpp"
#include "scene/pairs.hpp"
#include "scene/placing.hpp"
#include "scene/pose_file.hpp"
#include "scene/prescribed.hpp"
#include "scene/put_loads.hpp"
#include "scene/select.hpp"
#include "scene/units.hpp"
#include "scene/warnings.hpp"

namespace sim {
namespace {

constexpr double edges_a_gap = 8000;  // eps2 where the scene does not say
constexpr double gaps_a_cable = 100;  // of its thickness: gaps that differ are bumps, which turn its tension

template <class Named>
Index find_name(const std::vector<Named>& things, const std::string& name) {
  const auto found =
      std::find_if(things.begin(), things.end(), [&](const Named& thing) { return thing.name == name; });
  return found == things.end() ? -1 : static_cast<Index>(found - things.begin());
}

void check_scheme(const Scene& scene, Defects& defects) {
  if (scene.solver.as_published && scene.time.scheme != TimeScheme::semi_implicit)
    add_defect(defects, "/time/scheme", "another one than the published",
               "expected \"semi-implicit\" with solver.as_published");
}

// Asynchronous contacts move every vertex of a surface by itself.
void check_no_embedding(const Scene& scene, Defects& defects) {
  for (const MeshSpec& mesh : scene.meshes) {
    if (mesh.embed)
      add_defect(defects, sub_path("/meshes", mesh.name) + "/embed", quoted(mesh.name),
                 "the method \"" + scene.solver.method +
                     "\" does not move embedded surfaces: leave it out, or take another method (solver.method "
                     "\"auto\")");
  }
}

void check_supported(const Scene& scene, Defects& defects) {
  if (stepper_of(scene.solver.method) == StepperKind::asynchronous) check_no_embedding(scene, defects);
  if (stepper_of(scene.solver.method) == StepperKind::local) return check_local(scene, defects);
  if (scene.solver.as_published && !published_form(scene.solver.method)) {
    add_defect(defects, "/solver/as_published", "true",
               "expected false with \"" + scene.solver.method + "\", which " +
                   (stepper_of(scene.solver.method) == StepperKind::asynchronous
                        ? "has what is published as options of its own (acm.clocks, acm.culler)"
                        : "is of no paper"));
  }
  check_scheme(scene, defects);
  if (stepper_of(scene.solver.method) == StepperKind::asynchronous) return check_asynchronous(scene, defects);
  if (has_friction(scene) && std::holds_alternative<QpActiveSetOptions>(method_by_name(scene.solver.method))) {
    add_defect(defects, "/solver/method", "\"" + scene.solver.method + "\"",
               "a method that knows no friction; choose another one, or set all friction to 0");
  }
}

// ---- what 32-bit numbers can count

struct Counts {
  std::int64_t vertices = 0, tets = 0, triangles = 0;
};

bool fits_in_model(const Source& source, std::int64_t copies, Counts& counts) {
  constexpr std::int64_t most = std::numeric_limits<Index>::max();
  const auto fits = [&](std::int64_t& before, std::size_t more, std::int64_t entries) {
    const bool good = more == 0 || copies <= (most / entries - before) / static_cast<std::int64_t>(more);
    if (good) before += copies * static_cast<std::int64_t>(more);
    return good;
  };
  return fits(counts.vertices, source.mesh.vertices.size(), 3) && fits(counts.tets, source.mesh.tets.size(), 4) &&
         fits(counts.triangles, source.mesh.triangles.size(), 3);
}

// ---- into the model

Vec3 center_of_mass(std::span<const Vec3> vertices, const Mesh& mesh) {
  Vec3 sum = Vec3::Zero();
  double volume = 0;
  const Vec3& origin = vertices.front();  // near, so that no digits are lost far from zero
  for (const Tet& tet : mesh.tets) {
    const double part = six_volume(vertices[tet[0]], vertices[tet[1]], vertices[tet[2]], vertices[tet[3]]);
    for (const Index corner : tet) sum += part / 4 * (vertices[corner] - origin);
    volume += part;
  }
  return origin + sum / volume;
}

// Of triangles by their areas, of the segments of a cable by their lengths.
Vec3 center_of_thin(std::span<const Vec3> vertices, std::span<const Triangle> triangles) {
  Vec3 sum = Vec3::Zero();
  double area = 0;
  const Vec3& origin = vertices.front();
  for (const Triangle& t : triangles) {
    if (!is_face(t)) {
      const double part = (vertices[t[1]] - vertices[t[0]]).norm();
      sum += part / 2 * (vertices[t[0]] + vertices[t[1]] - 2 * origin);
      area += part;
      continue;
    }
    const double part = (vertices[t[1]] - vertices[t[0]]).cross(vertices[t[2]] - vertices[t[0]]).norm();
    for (const Index corner : t) sum += part / 3 * (vertices[corner] - origin);
    area += part;
  }
  return origin + sum / area;
}

template <std::size_t corners>
Range append(const std::vector<std::array<Index, corners>>& from, Index first_vertex,
             std::vector<std::array<Index, corners>>& to) {
  const auto begin = static_cast<Index>(to.size());
  for (std::array<Index, corners> element : from) {
    for (Index& corner : element) corner += first_vertex;
    to.push_back(element);
  }
  return {begin, static_cast<Index>(to.size())};
}

void append_embedding(const Mesh& mesh, Object& object, Model& model) {
  Mesh& whole = model.mesh;
  object.embedded = static_cast<Index>(mesh.embedded.size());
  for (EmbeddedVertex point : mesh.embedded) {
    point.vertex += object.vertices.begin;
    for (Index& corner : point.corners) corner += object.vertices.begin;
    whole.embedded.push_back(point);
  }
  if (mesh.filled.empty() && whole.filled.empty()) return;
  whole.filled.resize(static_cast<std::size_t>(object.tets.begin), 1.0);
  whole.filled.insert(whole.filled.end(), mesh.filled.begin(), mesh.filled.end());
  whole.filled.resize(whole.tets.size(), 1.0);
}

Object append_object(const Source& source, const std::string& name, const PlacedCopy& copy, Model& model) {
  const std::vector<Vec3>& vertices = copy.vertices;
  Object object;
  object.name = name;
  object.type = source.spec.type;
  object.material = source.material;
  object.half_space = source.half_space;
  object.thickness = thickness_of(source.spec, source.material < 0 ? nullptr : &model.materials[source.material]);
  object.grid = source.grid;
  object.velocity = copy.velocity;
  object.angular_velocity = copy.angular_velocity;
  object.vertices.begin = static_cast<Index>(model.mesh.vertices.size());
  model.mesh.vertices.insert(model.mesh.vertices.end(), vertices.begin(), vertices.end());
  object.vertices.end = static_cast<Index>(model.mesh.vertices.size());
  object.tets = append(source.mesh.tets, object.vertices.begin, model.mesh.tets);
  object.triangles = append(source.mesh.triangles, object.vertices.begin, model.mesh.triangles);
  append_embedding(source.mesh, object, model);
  model.objects.push_back(object);
  return object;
}

std::vector<Vec3> initial_velocity(const Source& source, const PlacedCopy& copy) {
  const std::vector<Vec3>& vertices = copy.vertices;
  std::vector<Vec3> velocity(vertices.size(), Vec3::Zero());
  if (source.spec.type != ObjectType::deformable) return velocity;
  const Mesh& mesh = source.mesh;
  const Vec3 center = mesh.tets.empty()        ? center_of_thin(vertices, mesh.triangles)
                      : !mesh.embedded.empty() ? moments_of(vertices, mesh.triangles).center
                                               : center_of_mass(vertices, mesh);
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    velocity[i] = copy.velocity + copy.angular_velocity.cross(vertices[i] - center);
  }
  return velocity;
}

void add_object(const Source& source, std::span<const PlacedCopy> copies, Model& model, std::vector<Vec3>& velocity,
                Defects& defects) {
  const bool numbered = has_copies(source.spec);
  for (std::size_t i = 0; i < copies.size(); ++i) {
    const std::string name = numbered ? source.spec.name + "." + std::to_string(i + 1) : source.spec.name;
    const Object object = append_object(source, name, copies[i], model);
    const std::vector<Vec3> start = initial_velocity(source, copies[i]);
    velocity.insert(velocity.end(), start.begin(), start.end());
    if (object.type == ObjectType::deformable) {
      const auto own = std::span(copies[i].vertices).first(static_cast<std::size_t>(nodes(object).size()));
      tell_boundary(source.spec, source.path, object, own, model, defects);
    } else if (object.type != ObjectType::rigid) {
      tell_whole(source.spec, object, model);
    }
    put_loads(source.spec, source.path, model, defects);
  }
}

bool is_half_space(const MeshSpec& mesh) {
  return std::holds_alternative<HalfSpaceShape>(mesh.shape);
}

// Those that can be placed at all.
std::vector<Source> sources_of(const Scene& scene, const SceneMeshes& meshes, Defects& defects) {
  std::vector<Source> sources;
  Counts counts;
  for (std::size_t i = 0; i < scene.objects.size(); ++i) {
    const ObjectSpec& spec = scene.objects[i];
    const Index mesh = find_name(scene.meshes, spec.mesh), made = meshes.of_spec[mesh];
    if (made < 0) continue;
    const Source source{spec,
                        meshes.made[made],
                        find_name(scene.materials, spec.material),
                        sub_path("/objects", i),
                        is_half_space(scene.meshes[mesh]),
                        grid_of(scene.meshes[mesh])};
    const std::size_t lines_before = defects.lines.size();
    check_fit(source, scene, defects);
    if (!fits_in_model(source, copies_wanted(spec).value_or(1), counts)) {
      add_defect(defects, source.path, quoted(spec.name),
                 "expected a scene whose vertices, tetrahedra and triangles 32-bit numbers can count");
    }
    if (defects.lines.size() == lines_before) sources.push_back(source);
  }
  return sources;
}

void warn_of_unused_materials(const Scene& scene, LoadReport& report) {
  for (const Material& material : scene.materials) {
    const bool used = std::any_of(scene.objects.begin(), scene.objects.end(),
                                  [&](const ObjectSpec& object) { return object.material == material.name; });
    if (!used) report.warnings.push_back("material " + quoted(material.name) + " is used by no object");
  }
}

// A point has neither an edge nor a face that a segment could meet.
void warn_of_points(const Model& model, LoadReport& report) {
  const auto has_points = [&](const Object& object) {
    return object.triangles.size() > 0 && !is_thin(object) &&
           model.mesh.triangles[object.triangles.begin][0] == model.mesh.triangles[object.triangles.begin][1];
  };
  const auto cable = std::find_if(model.objects.begin(), model.objects.end(),
                                  [&](const Object& object) { return model.is_cable(object); });
  const auto points = std::find_if(model.objects.begin(), model.objects.end(), has_points);
  if (cable == model.objects.end() || points == model.objects.end()) return;
  report.warnings.push_back(quoted(cable->name) + " is a cable and does not meet the points of " +
                            quoted(points->name) + ": short segments instead of points do");
}

void warn_of_limits_that_nothing_keeps(const Model& model, LoadReport& report) {
  const auto& limits = model.surface.limits;
  const auto is_prescribed = [&](Index vertex) { return model.plan.block_of_vertex[vertex] < 0; };
  const auto kept = std::count_if(limits.begin(), limits.end(), [&](const auto& limit) {
    return is_prescribed(limit.vertices[0]) && is_prescribed(limit.vertices[1]);
  });
  if (kept > 0)
    report.warnings.push_back(
        std::to_string(kept) +
        " strain limits are between two prescribed vertices and are not kept: these go as their motion says");
}

// Explicit steps keep vibrations; other methods damp them by their long implicit ones.
void warn_of_vibrations(const Scene& scene, LoadReport& report) {
  const StepperKind stepper = stepper_of(scene.solver.method);
  const bool is_local = stepper == StepperKind::local && scene.local.integrator == LocalIntegrator::verlet;
  if (!(is_local || stepper == StepperKind::asynchronous) || !scene.contact.enabled || scene.gravity.isZero()) return;
  for (const Material& material : scene.materials) {
    if (material.mass_damping > 0 || material.stiffness_damping > 0) continue;
    const bool is_elastic = std::any_of(scene.objects.begin(), scene.objects.end(), [&](const ObjectSpec& object) {
      return object.type == ObjectType::deformable && object.material == material.name;
    });
    if (is_elastic)
      report.warnings.push_back(
          "material " + quoted(material.name) + " has no damping, and the method \"" + scene.solver.method +
          "\" takes nothing from vibrations: bodies do not come to rest, creep on slopes that friction would hold, "
          "and slide farther than it lets them; \"damping\" of the material" +
          (is_local ? ", or local.integrator \"implicit-euler\", takes" : " takes") +
          " them out, that of the stiffness those that sliding feeds, too");
  }
}

// A step knows where the points of an obstacle end, not how often they went round.
void warn_of_fast_turns(const Scene& scene, LoadReport& report) {
  for (const ObjectSpec& object : scene.objects) {
    if (!object.motion) continue;
    double fastest = std::abs(object.motion->degrees_per_second);
    const std::vector<Keyframe>& keyframes = object.motion->keyframes;
    for (std::size_t i = 1; i < keyframes.size(); ++i) {
      const double time = std::max(keyframes[i].time - keyframes[i - 1].time, scene.time.step);
      fastest = std::max(fastest, std::abs(keyframes[i].degrees - keyframes[i - 1].degrees) / time);
    }
    if (fastest * scene.time.step < 180) continue;
    report.warnings.push_back(quoted(object.name) +
                              format(" turns by %.4g degrees in a step", fastest * scene.time.step) +
                              ", and of half a turn and more a step sees only where it ends: friction and collisions "
                              "are those of the shorter way there; time.step below " +
                              format("%.3g s", 180 / fastest) + " lets it see the turn");
  }
}

// Fields of frames that no element has.
void warn_of_empty_fields(const Scene& scene, const Model& model, LoadReport& report) {
  const OutputSpec& output = scene.output;
  const auto warn = [&](bool asked, const char* key, const char* lacks) {
    if (asked)
      report.warnings.push_back(std::string("output.") + key + " does nothing: no deformable object has " + lacks);
  };
  if (model.elastic.tets.empty()) {
    warn(output.stress, "stress", "tetrahedra");
    warn(output.stress_tensor, "stress_tensor", "tetrahedra");
    warn(output.strain_tensor, "strain_tensor", "tetrahedra");
  }
  if (model.elastic.springs.empty()) warn(output.tension, "tension", "springs");
}

// eps2 of every object; obstacles leave it to what touches them.
void choose_gaps(const Scene& scene, Model& model, LoadReport& report) {
  constexpr double largest = 0.01, smallest = 1e-9;  // parts of the mean edge
  const std::optional<double> given =
      scene.solver.as_published ? scene.contact.tolerance.value_or(published_gap) : scene.contact.tolerance;
  std::vector<double>& gaps = model.surface.object_gap;
  gaps.assign(model.objects.size(), std::numeric_limits<double>::infinity());
  bool warned = false;
  for (std::size_t i = 0; i < model.objects.size(); ++i) {
    const Object& object = model.objects[i];
    const double edge = mean_edge(model.mesh, object.triangles);
    const bool is_free = object.type == ObjectType::deformable || object.type == ObjectType::rigid;
    if (edge > 0 && is_free) gaps[i] = gap_by_edge(edge);
    if (is_thin(object)) gaps[i] = gap_by_thickness(model.materials[object.material].model, object.thickness);
    if (!given) continue;
    const double own = std::exchange(gaps[i], *given), part = *given / edge;
    if (warned || !std::isfinite(own) || scene.solver.as_published || (part <= largest && part >= smallest)) continue;
    warned = true;
    report.warnings.push_back("contact.tolerance is " + number_text(*given, 3) + " m, " + number_text(part, 3) +
                              " of the mean surface edge of " + quoted(object.name) + " (" + number_text(edge, 3) +
                              " m): " + (part > largest ? "bodies will visibly float" : "rounding comes near it") +
                              "; without it " + number_text(own, 3) + " m is taken");
  }
}

// Quasi-static steps know no velocities.
void warn_of_what_statics_ignore(const Scene& scene, LoadReport& report) {
  if (scene.time.scheme != TimeScheme::quasi_static) return;
  const auto ignored = [&](const std::string& what) {
    report.warnings.push_back(what + " does nothing: time.scheme is \"quasi-static\", which knows no velocities");
  };
  for (const ObjectSpec& object : scene.objects) {
    if (!object.velocity.isZero() || !object.angular_velocity.isZero())
      ignored("the velocity at time 0 of " + quoted(object.name));
  }
  for (const Material& material : scene.materials) {
    if (material.mass_damping > 0 || material.stiffness_damping > 0)
      ignored("the damping of material " + quoted(material.name));
  }
}

void throw_if_any(const Defects& defects, Defects unreadable) {
  if (defects.lines.empty() && !unreadable.lines.empty()) throw FileError(joined_lines(unreadable));
  unreadable.lines.insert(unreadable.lines.end(), defects.lines.begin(), defects.lines.end());
  throw_if_any(unreadable);
}

}  // namespace

Model load_model(const Scene& as_written, LoadReport& report) {
  Defects defects{as_written.source, as_written.origins, {}};
  Defects unreadable{as_written.source, as_written.origins, {}};
  const Scene scene = with_motion_files(as_written, defects, unreadable);
  check_supported(scene, defects);
  const SceneMeshes meshes = make_meshes(scene, report, defects, unreadable);

  Model model;
  model.name = scene.name;
  model.gravity = scene.gravity;
  model.materials = scene.materials;
  model.friction = scene.contact.friction;
  std::vector<Vec3> velocity;
  const std::vector<Source> sources = sources_of(scene, meshes, defects);
  const auto placed = place_objects(scene, sources, meshes, defects, unreadable);
  for (std::size_t i = 0; i < sources.size(); ++i) add_object(sources[i], placed[i], model, velocity, defects);
  const std::vector<NamedObject> names = named_objects(scene, model);
  check_pairs(scene, names, defects);
  throw_if_any(defects, std::move(unreadable));

  model.initial_velocity.resize(3 * static_cast<Eigen::Index>(velocity.size()));
  for (std::size_t i = 0; i < velocity.size(); ++i)
    block(model.initial_velocity, static_cast<Index>(i)) = velocity[i];
  enlarge_half_spaces(model);
  finish_model(model);
  set_pairs(scene, names, model);
  check_parts(model, defects);
  if (scene.contact.enabled) check_thickness(model, defects);
  if (scene.solver.as_published && stepper_of(scene.solver.method) == StepperKind::local)
    check_insides(model, defects);
  throw_if_any(defects);
  warn_of_unused_materials(scene, report);
  warn_of_soft_materials(model, report);
  warn_of_densities(model, report);
  warn_of_sizes(model, report);
  warn_of_gravity(scene, report);
  warn_of_long_steps(scene, model, report);
  warn_of_what_statics_ignore(scene, report);
  warn_of_points(model, report);
  warn_of_limits_that_nothing_keeps(model, report);
  warn_of_empty_fields(scene, model, report);
  warn_of_vibrations(scene, report);
  warn_of_fast_turns(scene, report);
  choose_gaps(scene, model, report);
  warn_of_unused_tolerance(scene, report);
  warn_of_far_bodies(model, least_distance, report);
  warn_of_rigid_surfaces_that_cut_themselves(model, report);
  warn_of_shells_that_bend_unlike_plates(model, report);
  return model;
}

double gap_by_edge(double mean_edge) {
  // In round numbers: a copy of a body elsewhere has other edges by rounding, which must not change the tolerance.
  return std::stod(number_text(mean_edge / edges_a_gap, 3));
}

double gap_by_thickness(MaterialModel model, double thickness) {
  return thickness / (model == MaterialModel::cable ? gaps_a_cable : gaps_a_thickness);
}

FinestSurface finest_surface(const Model& model) {
  FinestSurface finest;
  for (std::size_t i = 0; i < model.objects.size(); ++i) {
    const double gap = model.surface.object_gap.empty() ? published_gap : model.surface.object_gap[i];
    if (model.objects[i].triangles.size() == 0 || !std::isfinite(gap)) continue;
    if (finest.object < 0 || gap < finest.eps2) finest = {static_cast<Index>(i), gap};
  }
  return finest;
}

Options make_options(const Scene& scene, const Model& model) {
  constexpr Index most_static_rounds = 200;  // a cloth let go under its weight takes 60
  constexpr ContactTolerance published{};
  const bool as_published = scene.solver.as_published;
  const double eps1 = as_published ? published.momentum : std::numeric_limits<double>::infinity();
  const double eps2 = finest_surface(model).eps2;
  Options options;
  options.dt = scene.time.step;
  options.time = {scene.time.scheme, scene.time.spectral_radius};
  options.method = scene.solver.method;
  options.linear.tolerance = scene.solver.linear_tolerance;
  options.linear.max_iterations = scene.solver.max_iterations.value_or(options.linear.max_iterations);
  options.detect_collisions = scene.contact.enabled;
  options.contact.tolerance = {scene.solver.tolerance.value_or(eps1), eps2};
  options.contact.gaps_given = scene.contact.tolerance.has_value();
  options.contact.relative_momentum = scene.solver.relative_tolerance;
  options.contact.accept_unconverged = scene.solver.on_failure == OnFailure::go_on;
  options.contact.hold_position = scene.contact.hold_position;
  options.contact.together = scene.solver.together;
  options.asynchronous = scene.acm;
  if (scene.time.scheme == TimeScheme::quasi_static) options.contact.most_rounds = most_static_rounds;
  options.stepper = stepper_of(scene.solver.method);
  if (options.stepper == StepperKind::implicit) options.contact.method = method_by_name(scene.solver.method);
  options.local = scene.local;
  options.detection.margin = 20 * eps2;
  if (as_published) run_as_published(scene.solver.method, options);
  options.contact.max_iterations = scene.solver.max_iterations.value_or(options.contact.max_iterations);
  if (as_published) return options;
  options.detection.separation_part = least_distance;
  for (const double gap : model.surface.object_gap) {
    if (std::isfinite(gap))
      options.detection.separation = std::max(options.detection.separation, least_distance * gap);
  }
  return options;
}

}  // namespace sim
