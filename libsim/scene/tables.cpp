#include "scene/tables.hpp"

#include <algorithm>

#include "scene/object_tables.hpp"

namespace sim {
namespace {

const Table& time_table() {
  static const Table made = [] {
    Table t = table<TimeSpec>("time", "How long the simulation runs, in steps of equal length.",
                              {key("step", &TimeSpec::step, number(above(0)), "s", "Length of a time step."),
                               key("duration", &TimeSpec::duration, number(at_least(0)), "s",
                                   "Simulated time, rounded up to whole steps.")});
    set_rule<TimeSpec>(t, [](const Json& json, const std::string& path, const TimeSpec& time, Defects& defects) {
      constexpr double most_steps = 1e15;
      if (time.duration / time.step <= most_steps) return;
      add_defect(defects, path, shown(json), "expected at most 1e15 steps (duration over step)");
    });
    return t;
  }();
  return made;
}

const Table& damping_table() {
  static const Table made = table<Material>("damping", "Rayleigh damping: C = mass * M + stiffness * K.",
                                            {key("mass", &Material::mass_damping, number(at_least(0)), "1/s",
                                                 "Share of the mass matrix: slows all motion."),
                                             key("stiffness", &Material::stiffness_damping, number(at_least(0)), "s",
                                                 "Share of the stiffness matrix: slows deformation.")});
  return made;
}

bool is_neo_hookean(const Material& material) {
  return material.model == MaterialModel::neo_hookean;
}

void settle_stiffness(const Json& json, const std::string& path, Material& material, Defects& defects) {
  if (!is_neo_hookean(material)) return;
  if (!json.contains("stiffness")) material.stiffness = Stiffness::exact;
  if (material.stiffness == Stiffness::exact) return;
  add_defect(defects, sub_path(path, "stiffness"), shown(json["stiffness"]),
             "expected \"exact\" for a neo-hookean material, \"rotated-linear\" is for corotational ones");
}

// extrapolate_below asks for the published form of the energy.
void settle_form(const Json& json, const std::string& path, Material& material, Defects& defects) {
  if (material.extrapolate_below && json.contains("as_published") && !material.as_published) {
    add_defect(defects, sub_path(path, "as_published"), "false",
               "expected true or nothing where there is \"extrapolate_below\", which is for materials as published");
  }
  if (material.extrapolate_below) material.as_published = true;
}

void settle_material(const Json& json, const std::string& path, Material& material, Defects& defects) {
  settle_stiffness(json, path, material, defects);
  settle_form(json, path, material, defects);
}

// A run as published has the materials of its paper too, but for those that say otherwise.
void settle_scene(const Json& json, const std::string&, Scene& scene, Defects&) {
  for (Material& material : scene.materials) {
    const bool told = json["materials"][material.name].contains("as_published");
    if (!told && scene.solver.as_published) material.as_published = true;
    const bool needs_threshold = material.as_published && is_neo_hookean(material) && !material.extrapolate_below;
    if (needs_threshold) material.extrapolate_below = published_extrapolate_below;
  }
}

const Table& material_table() {
  static const Table made = [] {
    Table t = table<Material>(
        "material", "An isotropic elastic material.",
        {key("model", &Material::model,
             one_of<MaterialModel>(
                 {{"corotational", MaterialModel::corotational}, {"neo-hookean", MaterialModel::neo_hookean}}),
             "", "Energy density as a function of the deformation."),
         key("stiffness", &Material::stiffness,
             one_of<Stiffness>({{"rotated-linear", Stiffness::rotated_linear}, {"exact", Stiffness::exact}}), "",
             "What the implicit step takes for the derivative of the forces: the rotated stiffness of linear "
             "elasticity, or the exact derivative without its negative eigenvalues.")
             .otherwise("`\"rotated-linear\"` for corotational, `\"exact\"` for neo-hookean (which needs it)"),
         key("young", &Material::young, number(above(0)), "Pa", "Young's modulus."),
         key("poisson", &Material::poisson, number(between(-1, 0.5)), "", "Poisson's ratio."),
         key("density", &Material::density, number(above(0)), "kg/m^3", "Mass per volume at rest."),
         group<Material>("damping", damping_table(), "Rayleigh damping; none when left out."),
         key("as_published", &Material::as_published, boolean(), "",
             "Whether the energy is to the letter of its paper: corotational bare, neo-hookean on a straight line "
             "below `extrapolate_below`. Otherwise tetrahedra that are squeezed to nearly nothing resist being "
             "turned "
             "inside out.")
             .otherwise("`false`, but `true` with `extrapolate_below` or `solver.as_published`"),
         key("extrapolate_below", &Material::extrapolate_below, maybe(number(between(0, 1))), "",
             "Share of the rest volume below which the energy as published goes on as a straight line.")
             .otherwise("`0.7` where as published")
             .only("neo-hookean materials", is_neo_hookean)});
    set_rule<Material>(t, settle_material);
    return t;
  }();
  return made;
}

const Table& tetrahedralize_table() {
  static const Table made = table<TetrahedralizeOptions>(
      "tetrahedralize", "How TetGen fills a closed surface with tetrahedra. The surface itself is kept as it is.",
      {key("quality", &TetrahedralizeOptions::quality, number(above(1)), "",
           "Bound on the ratio of circumradius to shortest edge; smaller is better and makes more tetrahedra."),
       key("min_dihedral", &TetrahedralizeOptions::min_dihedral, number(from_to(0, 30)), "degrees",
           "Smallest dihedral angle that is tried for."),
       key("max_volume", &TetrahedralizeOptions::max_volume, number(at_least(0)), "m^3",
           "Volume that tetrahedra should not exceed, after scaling; a goal, which the kept surface may stand "
           "against. "
           "0: none.")});
  return made;
}

constexpr const char* scale_meaning =
    "Factor on all coordinates, or one along each axis, before anything else is done with the mesh. Negative ones "
    "mirror; the surface faces outward all the same.";

Value<std::string> axes_to_flip() {
  Value<std::string> value = one_of({"x", "y", "z", "xy", "xz", "yz", "xyz"});
  value.write = [](const std::string& in) { return in.empty() ? Json() : Json(in); };
  return value;
}

template <class Part>
Table mesh_table(const char* tag, const char* title, const char* meaning, const std::vector<KeyOf<Part>>& keys) {
  const auto part = [](auto& mesh) -> auto& {
    return std::get<Part>(mesh.shape);
  };
  Table made;
  made.title = title;
  made.meaning = meaning;
  made.tag = tag;
  made.start = [](void* mesh) { static_cast<MeshSpec*>(mesh)->shape = Part{}; };
  made.holds = [](const void* mesh) {
    return std::holds_alternative<Part>(static_cast<const MeshSpec*>(mesh)->shape);
  };
  made.keys = lift<MeshSpec>(keys, part);
  made.keys.push_back(key("scale", &MeshSpec::scale, factors(), "", scale_meaning));
  made.keys.push_back(key("flip", &MeshSpec::flip, axes_to_flip(), "",
                          "Axes along which the mesh is mirrored, as by factors of -1."));
  return made;
}

template <class Part>
Table generated(const char* name, const char* title, const char* meaning, const std::vector<KeyOf<Part>>& keys) {
  Table made = mesh_table<Part>("generate", title, meaning, keys);
  made.tag_value = name;
  Value<MeshSpec> value;
  value.shape.kind = Shape::Kind::text;
  value.shape.choices = {name};
  value.read = [](const Json&, const std::string&, MeshSpec&, Defects&) { return true; };
  value.write = [name](const MeshSpec&) { return Json(name); };
  KeyOf<MeshSpec> which = key_at<MeshSpec>(
      "generate", [](auto& mesh) -> auto& { return mesh; }, value, "", "Which shape to make.");
  made.keys.insert(made.keys.begin(), which.must_be_given());
  return made;
}

template <class Owner, std::size_t count>
KeyOf<Owner> cells(const char* meaning) {
  return key("cells", &Owner::cells, array_of<Index, count>(whole(at_least(1))), "", meaning);
}

const Table& box_table() {
  static const Table made =
      generated<BoxShape>("box", "mesh: box", "A box of hexahedral cells, six tetrahedra each.",
                          {key("size", &BoxShape::size, vector(above(0)), "m", "Edge lengths along x, y and z."),
                           cells<BoxShape, 3>("Cells along x, y and z.")});
  return made;
}

const Table& slab_table() {
  static const Table made = generated<SlabShape>(
      "slab", "mesh: slab", "A flat plate, one cell thick: floors and walls.",
      {key("size", &SlabShape::size, array_of<double, 2>(number(above(0))), "m", "Edge lengths along x and y."),
       key("thickness", &SlabShape::thickness, number(above(0)), "m", "Thickness along z, half of it above z = 0."),
       cells<SlabShape, 2>("Cells along x and y.")});
  return made;
}

const Table& torus_table() {
  static const Table made = [] {
    Table t = generated<TorusShape>(
        "torus", "mesh: torus", "A ring of square cross-section about the z axis, one hexahedron a segment.",
        {key("segments", &TorusShape::segments, whole(at_least(3)), "", "Hexahedra around the ring."),
         key("major_radius", &TorusShape::major_radius, number(above(0)), "m",
             "From the centre to the middle of the cross-section."),
         key("side", &TorusShape::side, number(above(0)), "m",
             "Edge of the cross-section; less than twice the major radius.")});
    set_rule<MeshSpec>(t, [](const Json&, const std::string& path, const MeshSpec& mesh, Defects& defects) {
      const auto& torus = std::get<TorusShape>(mesh.shape);
      if (torus.side < 2 * torus.major_radius) return;
      add_defect(defects, sub_path(path, "side"), shown(torus.side),
                 "expected a number < " + shown(2 * torus.major_radius) +
                     ", twice the major_radius: the ring would close its hole");
    });
    return t;
  }();
  return made;
}

const Table& sphere_table() {
  static const Table made = generated<SphereShape>(
      "sphere", "mesh: sphere", "A ball.",
      {key("radius", &SphereShape::radius, number(above(0)), "m", "Radius."),
       key("resolution", &SphereShape::resolution, whole(at_least(1)), "", "Cells from the centre to the surface.")});
  return made;
}

const Table& cylinder_table() {
  static const Table made = generated<CylinderShape>(
      "cylinder", "mesh: cylinder", "A round rod along the z axis.",
      {key("radius", &CylinderShape::radius, number(above(0)), "m", "Radius."),
       key("length", &CylinderShape::length, number(above(0)), "m", "Length along z."),
       key("segments", &CylinderShape::segments, whole(at_least(3)), "", "Cells around the axis.")});
  return made;
}

const Table& file_table() {
  static const Table made = mesh_table<FileShape>(
      "file", "mesh: file",
      "A mesh from a file. Tetrahedra: `.msh` (Gmsh 2.2 and 4.1), `.node` or `.ele` (TetGen), `.vtk` (legacy). "
      "Surfaces: `.obj`, `.off`, `.ply`, `.stl`.",
      {key("file", &FileShape::file, text(), "", "The file, relative to the folder of the scene file.")
           .must_be_given(),
       key("tetrahedralize", &FileShape::tetrahedralize, maybe(object<TetrahedralizeOptions>(tetrahedralize_table())),
           "", "Fill the surface with tetrahedra; deformable objects need it when the file holds a surface only.")});
  return made;
}

const std::vector<const Table*>& mesh_tables() {
  static const std::vector<const Table*> all = {&box_table(),    &slab_table(),     &torus_table(),
                                                &sphere_table(), &cylinder_table(), &file_table()};
  return all;
}

const Table& contact_table() {
  static const Table made = table<ContactSpec>(
      "contact", "Contact between all surfaces, those of one object among themselves included.",
      {key("enabled", &ContactSpec::enabled, boolean(), "",
           "Whether surfaces collide. Without it objects pass through each other and through themselves."),
       key("friction", &ContactSpec::friction, number(at_least(0)), "", "Coulomb's friction coefficient."),
       key("tolerance", &ContactSpec::tolerance, maybe(number(above(0))), "m",
           "Between surfaces in contact gaps stay inside (0, `tolerance`) (the paper's eps2). Not given: 1/8000 of "
           "the "
           "mean surface edge of the object, of two that move the smaller one; `simrun --validate` prints the "
           "smallest. "
           "With `solver.as_published` 5e-6."),
       key("hold_position", &ContactSpec::hold_position, boolean(), "",
           "Whether sticking contacts take back in the next step what they slipped within the tolerance. Without it "
           "bodies at rest creep, as in the paper.")});
  return made;
}

Value<std::string> solver_name() {
  std::vector<std::string> names;
  for (const SolverName& solver : known_solvers()) names.emplace_back(solver.name);
  return one_of(names);
}

const Table& solver_table() {
  static const Table made = table<SolverSpec>(
      "solver", "The method for the contact problem of a time step.",
      {key("method", &SolverSpec::method, solver_name(), "", "Name of the method."),
       key("as_published", &SolverSpec::as_published, boolean(), "",
           "Whether the method runs to the letter of its paper, without what was added to make it converge. "
           "Materials "
           "that do not say otherwise are `as_published`, too."),
       key("together", &SolverSpec::together, boolean(), "",
           "Whether all bodies that anything touches are one system, as in the papers. Otherwise each group of "
           "bodies "
           "that touch each other, directly or through others, is solved by itself."),
       key("tolerance", &SolverSpec::tolerance, maybe(number(above(0))), "kg m/s",
           "Largest residual of a contact island that is accepted (absolute, the paper's eps1), besides "
           "`relative_tolerance`. Not given: no bound; with `as_published` 5e-5."),
       key("relative_tolerance", &SolverSpec::relative_tolerance, number(above(0)), "",
           "What every body in contact may miss, as a part of the momentum that weight gives it in a step or, where "
           "that is more, of this part of the momentum of an impact."),
       key("linear_tolerance", &SolverSpec::linear_tolerance, number(between(0, 1)), "",
           "Largest relative residual of solves without contact."),
       key("max_iterations", &SolverSpec::max_iterations, whole(at_least(1)), "",
           "Iterations after which a solver gives up."),
       key("on_failure", &SolverSpec::on_failure,
           one_of<OnFailure>({{"stop", OnFailure::stop}, {"continue", OnFailure::go_on}}), "",
           "Where the solver does not converge: stop (after smaller steps have not helped), or continue at once with "
           "what it found. No surface is crossed either way; `/steps` of the result tells.")});
  return made;
}

const Table& output_table() {
  static const Table made = table<OutputSpec>(
      "output", "What goes into the result file, and how often.",
      {key("every", &OutputSpec::every, whole(at_least(1)), "steps", "Time steps between frames."),
       key("velocities", &OutputSpec::velocities, boolean(), "", "Whether frames hold velocities."),
       key("contacts", &OutputSpec::contacts, boolean(), "", "Whether frames hold contacts and their forces."),
       key("stress", &OutputSpec::stress, boolean(), "",
           "Whether frames hold the von Mises stress of every tetrahedron of deformable objects."),
       key("contact_forces", &OutputSpec::contact_forces, boolean(), "",
           "Whether frames hold the contact force on every vertex."),
       key("compression", &OutputSpec::compression, whole(from_to(0, 9)), "",
           "Of frames: 0 none, 1 fast, up to 9 small. The numbers stay the same to the bit."),
       key("checkpoint", &OutputSpec::checkpoint, whole(at_least(1)), "steps",
           "Time steps between checkpoints, from which `simrun --resume` goes on.")});
  return made;
}

// Editors look for it to find the schema; it says nothing about the scene.
KeyOf<Scene> schema_link() {
  const Value<std::string> any = text();
  Value<Scene> value;
  value.shape = any.shape;
  value.read = [any](const Json& json, const std::string& path, Scene&, Defects& defects) {
    std::string unused;
    return any.read(json, path, unused, defects);
  };
  value.write = [](const Scene&) { return Json(); };
  return key_at<Scene>(
      "$schema", [](auto& scene) -> auto& { return scene; }, value, "",
      "Where editors find the JSON Schema of this format (`simrun --print-schema`); not read otherwise.");
}

}  // namespace

const Table& scene_table() {
  static const Table made = [] {
    Table t = table<Scene>(
        "scene", "The whole file.",
        {schema_link(), key("name", &Scene::name, text(), "", "What the run is called in its result file."),
         key("time", &Scene::time, object<TimeSpec>(time_table()), "", "Step and duration."),
         key("gravity", &Scene::gravity, vector(), "m/s^2", "Acceleration of gravity."),
         key("materials", &Scene::materials, named(object<Material>(material_table()), &Material::name), "",
             "Materials by name."),
         key("meshes", &Scene::meshes, named(alternatives<MeshSpec>(mesh_tables()), &MeshSpec::name), "",
             "Meshes by name; any number of objects may share one."),
         key("objects", &Scene::objects, list_of(object<ObjectSpec>(object_table()), 1), "",
             "Everything that is simulated or stands in the way.")
             .must_be_given(),
         key("contact", &Scene::contact, object<ContactSpec>(contact_table()), "", "Contact and friction."),
         key("solver", &Scene::solver, object<SolverSpec>(solver_table()), "", "Solver and tolerances."),
         key("output", &Scene::output, object<OutputSpec>(output_table()), "", "Frames and checkpoints.")});
    set_rule<Scene>(t, settle_scene);
    return t;
  }();
  return made;
}

Json write_mesh(const MeshSpec& mesh) {
  return alternatives<MeshSpec>(mesh_tables()).write(mesh);
}

std::vector<std::string> generator_names() {
  std::vector<std::string> names;
  for (const Table* mesh : mesh_tables()) {
    if (!mesh->tag_value.empty()) names.push_back(mesh->tag_value);
  }
  return names;
}

std::optional<MeshSpec> default_mesh(const std::string& generator) {
  for (const Table* table : mesh_tables()) {
    if (table->tag_value.empty() || table->tag_value != generator) continue;
    MeshSpec mesh;
    mesh.name = generator;
    table->start(&mesh);
    return mesh;
  }
  return std::nullopt;
}

}  // namespace sim
