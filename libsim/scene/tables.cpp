#include "scene/tables.hpp"

#include <algorithm>

#include "math/number_text.hpp"
#include "scene/mesh_tables.hpp"
#include "scene/object_tables.hpp"

namespace sim {
namespace {

bool is_of_second_order(const TimeSpec& time) {
  return time.scheme == TimeScheme::generalized_alpha;
}

const Table& time_table() {
  static const Table made = [] {
    Table t = table<TimeSpec>(
        "time", "How long the simulation runs, in steps of equal length.",
        {key("step", &TimeSpec::step, number(above(0)), "s", "Length of a time step."),
         key("duration", &TimeSpec::duration, number(at_least(0)), "s", "Simulated time, rounded up to whole steps."),
         key("scheme", &TimeSpec::scheme,
             one_of<TimeScheme>({{"semi-implicit", TimeScheme::semi_implicit},
                                 {"implicit-euler", TimeScheme::implicit_euler},
                                 {"generalized-alpha", TimeScheme::generalized_alpha},
                                 {"quasi-static", TimeScheme::quasi_static}}),
             "",
             "Time integration. `semi-implicit`: Euler with the elastic force linearised once "
             "a step, as in the paper. `implicit-euler`: with the forces at the end of the "
             "step, by Newton's method with a line search. `generalized-alpha`: the same of "
             "second order in the step, with little damping; what hits something steps by "
             "implicit Euler. `quasi-static`: equilibrium under loads and prescribed motion "
             "at the end of every step, without inertia and damping."),
         key("spectral_radius", &TimeSpec::spectral_radius, number(from_to(0, 1)), "",
             "Of `generalized-alpha`: what a step leaves of the stiffest vibrations. 1 damps "
             "nothing, 0 ends them at once.")
             .only("the scheme \"generalized-alpha\"", is_of_second_order)});
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
  static const Table made = table<Material>(
      "damping", "Rayleigh damping: C = mass * M + stiffness * K.",
      {key("mass", &Material::mass_damping, number(at_least(0)), "1/s",
           "Share of the mass matrix: slows all motion."),
       key("stiffness", &Material::stiffness_damping, number(at_least(0)), "s",
           "Share of the stiffness matrix: slows deformation, a vibration of angular frequency w by the damping "
           "ratio `stiffness` w / 2. Turns are left alone.")});
  return made;
}

bool is_neo_hookean(const Material& material) {
  return material.model == MaterialModel::neo_hookean;
}

bool is_mooney_rivlin(const Material& material) {
  return material.model == MaterialModel::mooney_rivlin;
}

bool may_be_as_published(const Material& material) {
  return has_published_form(material.model);
}

bool is_of_springs(const Material& material) {
  return material.model == MaterialModel::edge_springs || material.model == MaterialModel::grid_springs ||
         material.model == MaterialModel::cable;
}

bool is_grid_springs(const Material& material) {
  return material.model == MaterialModel::grid_springs;
}

bool is_continuous(const Material& material) {
  return !is_of_springs(material);
}

bool is_solid(const Material& material) {
  return !is_thin(material.model);
}

bool is_sheet_or_cable(const Material& material) {
  return is_thin(material.model);
}

// One part for both sides, or one each.
Value<std::array<double, 2>> strain_limit() {
  Value<std::array<double, 2>> value;
  value.shape.kind = Shape::Kind::number_or_two;
  value.shape.bounds = from_to(0, 1);
  value.shape.bounds.low_open = true;
  value.read = [shape = value.shape](const Json& json, const std::string& path, std::array<double, 2>& out,
                                     Defects& defects) {
    if (!check_kind(shape, json, path, defects)) return false;
    for (std::size_t k = 0; k < 2; ++k) out[k] = json.is_array() ? json[k].get<double>() : json.get<double>();
    return true;
  };
  value.write = [](const std::array<double, 2>& in) { return in[0] == in[1] ? Json(in[0]) : Json({in[0], in[1]}); };
  return value;
}

void settle_stiffness(const Json& json, const std::string& path, Material& material, Defects& defects) {
  if (material.model == MaterialModel::corotational || is_sheet_or_cable(material)) return;
  if (!json.contains("stiffness")) material.stiffness = Stiffness::exact;
  if (material.stiffness == Stiffness::exact) return;
  add_defect(defects, sub_path(path, "stiffness"), shown(json["stiffness"]),
             "expected \"exact\" here, \"rotated-linear\" is for corotational materials");
}

// extrapolate_below asks for the published form of the energy.
void settle_form(const Json& json, const std::string& path, Material& material, Defects& defects) {
  if (material.extrapolate_below && json.contains("as_published") && !material.as_published) {
    add_defect(defects, sub_path(path, "as_published"), "false",
               "expected true or nothing where there is \"extrapolate_below\", which is for materials as published");
  }
  if (material.extrapolate_below) material.as_published = true;
}

void check_poisson(const std::string& path, const Material& material, Defects& defects) {
  if (material.poisson >= least_poisson(material)) return;
  add_defect(defects, sub_path(path, "poisson"), number_text(material.poisson, 6),
             "expected at least c2_share / (1 + 2 c2_share) of a mooney-rivlin material, which is " +
                 number_text(least_poisson(material), 6));
}

void settle_material(const Json& json, const std::string& path, Material& material, Defects& defects) {
  check_poisson(path, material, defects);
  settle_stiffness(json, path, material, defects);
  settle_form(json, path, material, defects);
}

// A run as published has the materials of its paper too, but for those that say otherwise.
void settle_scene(const Json& json, const std::string&, Scene& scene, Defects&) {
  for (Material& material : scene.materials) {
    // Newton's method converges by it.
    if (scene.time.scheme != TimeScheme::semi_implicit && !json["materials"][material.name].contains("stiffness"))
      material.stiffness = Stiffness::exact;
    const bool is_given = json["materials"][material.name].contains("as_published");
    if (!is_given && scene.solver.as_published) material.as_published = has_published_form(material.model);
    const bool needs_threshold = material.as_published && is_neo_hookean(material) && !material.extrapolate_below;
    if (needs_threshold) material.extrapolate_below = published_extrapolate_below;
  }
}

const Table& material_table() {
  static const Table made = [] {
    Table t = table<Material>(
        "material",
        "An elastic material: of solids, which are meshes of tetrahedra, of sheets (`edge-springs`, "
        "`grid-springs`, `shell`), which are meshes of triangles, or of cables (`cable`), which are meshes of "
        "segments. All but springs are isotropic.",
        {key("model", &Material::model,
             one_of<MaterialModel>({{"corotational", MaterialModel::corotational},
                                    {"neo-hookean", MaterialModel::neo_hookean},
                                    {"stable-neo-hookean", MaterialModel::stable_neo_hookean},
                                    {"mooney-rivlin", MaterialModel::mooney_rivlin},
                                    {"st-venant-kirchhoff", MaterialModel::st_venant_kirchhoff},
                                    {"edge-springs", MaterialModel::edge_springs},
                                    {"grid-springs", MaterialModel::grid_springs},
                                    {"shell", MaterialModel::shell},
                                    {"cable", MaterialModel::cable}}),
             "",
             "Energy as a function of the deformation. Those of solids are linear elasticity with `young` and "
             "`poisson` where strains are small; `stable-neo-hookean` resists inversion by itself, `mooney-rivlin` "
             "has a second constant for rubber that is stretched far (`c2_share`), `st-venant-kirchhoff` is linear "
             "in "
             "Green's strain and softens where it is squeezed. Those of sheets: a spring along every edge; the "
             "springs "
             "of a grid; or a membrane of `young` and `poisson` in every triangle. Sheets bend about their edges. A "
             "`cable` "
             "has a spring along every segment, and bends between them."),
         key("stiffness", &Material::stiffness,
             one_of<Stiffness>({{"rotated-linear", Stiffness::rotated_linear}, {"exact", Stiffness::exact}}), "",
             "What the implicit step takes for the derivative of the forces: the rotated stiffness of linear "
             "elasticity, or the exact derivative without its negative eigenvalues.")
             .otherwise(
                 "`\"rotated-linear\"` for corotational under `semi-implicit` steps, else `\"exact\"` (which other "
                 "materials need)")
             .only("solids", is_solid),
         key("young", &Material::young, number(above(0)), "Pa", "Young's modulus.")
             .only("materials that are not springs", is_continuous),
         key("poisson", &Material::poisson, number(between(-1, 0.5)), "", "Poisson's ratio.")
             .only("materials that are not springs", is_continuous),
         key("stretch", &Material::stretch, number(above(0)), "N/m",
             "Stiffness of a spring: along every edge; of a grid along its lines, half of it on the border; along "
             "every "
             "segment of a cable (EA over the length of a segment).")
             .only("springs", is_of_springs),
         key("shear", &Material::shear, maybe(number(at_least(0))), "N/m",
             "Stiffness of the springs along both diagonals of the cells of a grid.")
             .otherwise(
                 "half of `stretch`, which makes the grid isotropic: 4/3 `stretch` and a Poisson's ratio of 1/3")
             .only("grid-springs", is_grid_springs),
         key("flexion", &Material::flexion, number(at_least(0)), "N/m",
             "Stiffness of springs along the lines of a grid that pass over a vertex. They do not resist small "
             "bends; "
             "`bend` does.")
             .only("grid-springs", is_grid_springs),
         key("bend", &Material::bend, number(at_least(0)), "J; N m^2 of cables",
             "Stiffness k_B of hinges about the edges between two triangles, whose energy is k_B 3 e^2 / A times the "
             "square of the angle they are turned by (edge e, area A of both). Of equilateral triangles it makes a "
             "plate of the bending stiffness 6 k_B. Of `shell` it follows from `young` and `thickness`. "
             "Of a cable its bending stiffness B; it is straight at rest.")
             .only("springs", is_of_springs),
         key("thickness", &Material::thickness, number(above(0)), "m",
             "Thickness: gives a sheet its mass, with `density`, and is what contact keeps between the middles of "
             "two "
             "sheets (half of it between a sheet and another surface). Cables are round.")
             .only("sheets and cables", is_sheet_or_cable),
         key("strain_limit", &Material::strain_limit, strain_limit(), "",
             "How much shorter and longer than at rest springs become at most, as a part of that: [0.2, 0.1], or one "
             "number for both. 1: any. Under `acm` they pull from half of that on. Springs of `flexion` have none.")
             .only("springs", is_of_springs),
         key("c2_share", &Material::c2_share, number(from_to(0, 1)), "",
             "c2 / (c1 + c2) of the energy c1 (I1 - 3) + c2 (I2 - 3) + ..., whose sum c1 + c2 is young / "
             "(4 (1 + poisson)). 0 is `neo-hookean`. `poisson` must be at least c2_share / (1 + 2 c2_share).")
             .only("mooney-rivlin materials", is_mooney_rivlin),
         key("density", &Material::density, number(above(0)), "kg/m^3", "Mass per volume at rest."),
         group<Material>("damping", damping_table(), "Rayleigh damping; none when left out."),
         key("friction", &Material::friction, maybe(number(at_least(0))), "",
             "Coulomb's friction coefficient of surfaces of this material, see [contact](#contact).")
             .otherwise("`contact.friction`"),
         key("as_published", &Material::as_published, boolean(), "",
             "Whether the energy is to the letter of its paper: corotational bare, neo-hookean on a straight line "
             "below `extrapolate_below`. Otherwise tetrahedra that are squeezed to nearly nothing resist being "
             "turned "
             "inside out.")
             .otherwise("`false`, but `true` with `extrapolate_below` or `solver.as_published`")
             .only("corotational and neo-hookean materials", may_be_as_published),
         key("extrapolate_below", &Material::extrapolate_below, maybe(number(between(0, 1))), "",
             "Share of the rest volume below which the energy as published goes on as a straight line.")
             .otherwise("`0.7` where as published")
             .only("neo-hookean materials", is_neo_hookean)});
    set_rule<Material>(t, settle_material);
    return t;
  }();
  return made;
}

const Table& pair_table() {
  static const Table made = [] {
    Table t = table<PairSpec>(
        "pair", "How the surfaces of two objects meet: with their own friction, or not at all.",
        {key("between", &PairSpec::between, array_of<std::string, 2>(text()), "",
             "Names of two objects: of one (`\"floor\"`), of all copies of one (`\"heap\"`), of one copy "
             "(`\"heap.3\"`), or with `*` for any text. The same name twice: copies among themselves, and each with "
             "itself.")
             .must_be_given(),
         key("friction", &PairSpec::friction, maybe(number(at_least(0))), "",
             "Coulomb's friction coefficient of contacts between the two."),
         key("exclude", &PairSpec::exclude, boolean(), "",
             "Whether the two never touch: they pass through each other, may overlap from the start, and simcheck "
             "does not look at them.")});
    set_rule<PairSpec>(t, [](const Json& json, const std::string& path, const PairSpec& pair, Defects& defects) {
      if (pair.exclude != pair.friction.has_value()) return;
      add_defect(defects, path, shown(json), "expected either \"friction\" or \"exclude\": true");
    });
    return t;
  }();
  return made;
}

const Table& contact_table() {
  static const Table made = table<ContactSpec>(
      "contact", "Contact between all surfaces, those of one object among themselves included.",
      {key("enabled", &ContactSpec::enabled, boolean(), "",
           "Whether surfaces collide. Without it objects pass through each other and through themselves."),
       key("friction", &ContactSpec::friction, number(at_least(0)), "",
           "Coulomb's friction coefficient of contacts for which nothing else says one. It goes by `pairs` first; "
           "else by the `friction` of the two objects (or else of their materials): the smaller one where both have "
           "one, that of the one where only one has."),
       key("pairs", &ContactSpec::pairs, list_of(object<PairSpec>(pair_table())), "",
           "What two objects have between them. Of all entries that fit two objects the last one counts."),
       key("tolerance", &ContactSpec::tolerance, maybe(number(above(0))), "m",
           "Tolerance of gaps and slips (the paper's eps2): between surfaces in contact gaps stay inside (0, "
           "`tolerance`), and target gaps lie there. Not given: 1/8000 of the mean surface edge of the object, of "
           "two "
           "that move the smaller one; `simrun --validate` prints the smallest; of sheets 1/20 of their thickness. "
           "With `solver.as_published` 5e-6, and gaps stay inside (0, 2 `tolerance`)."),
       key("hold_position", &ContactSpec::hold_position, boolean(), "",
           "Whether sticking contacts correct in the next step what they slipped within the tolerance. Without it "
           "bodies at rest creep, as in the paper.")});
  return made;
}

Value<std::string> solver_name() {
  std::vector<std::string> names;
  for (const MethodName& method : known_methods()) names.push_back(method.name);
  return one_of(names);
}

const Table& solver_table() {
  static const Table made = table<SolverSpec>(
      "solver", "The method for the contact problem of a time step.",
      {key("method", &SolverSpec::method, solver_name(), "", "Name of the method."),
       key("as_published", &SolverSpec::as_published, boolean(), "",
           "Whether the method runs to the letter of its paper, without what was added to make it converge "
           "(docs/papers), and the step with it: one system, absolute tolerances, surfaces kept eps2 apart, "
           "nothing kept from step to step but the warm start. Of `auto` the form of `cr-full`; of `local` one pass "
           "of "
           "the response, after which bodies may overlap. Materials that do not say otherwise are `as_published`, "
           "too."),
       key("together", &SolverSpec::together, boolean(), "",
           "Whether all bodies in contact are solved as one system, as in the papers. Otherwise each contact island "
           "(bodies that touch each other, directly or through others) is solved by itself."),
       key("tolerance", &SolverSpec::tolerance, maybe(number(above(0))), "kg m/s",
           "Largest residual of a contact island that is accepted (absolute, the paper's eps1), besides "
           "`relative_tolerance`. Not given: no bound; with `as_published` 5e-5."),
       key("relative_tolerance", &SolverSpec::relative_tolerance, number(between(0, 1)), "",
           "Relative tolerance of the momentum balance of every body in contact: its residual over the momentum that "
           "its weight gives it in a step or, where that is more, over that of an impact."),
       key("linear_tolerance", &SolverSpec::linear_tolerance, number(between(0, 1)), "",
           "Largest relative residual of solves without contact."),
       key("max_iterations", &SolverSpec::max_iterations, maybe(whole(at_least(1))), "",
           "Limit of the iterations of a solver. Not given: 10000; 100000 with `as_published` (the papers have "
           "none), "
           "but 10000 of what nothing touches."),
       key("on_failure", &SolverSpec::on_failure,
           one_of<OnFailure>({{"stop", OnFailure::stop}, {"continue", OnFailure::go_on}}), "",
           "Where the solver does not converge: stop (after smaller steps have not helped), or continue at once with "
           "what it found, if that is nearer to a solution than what it began with, also where a step would be "
           "divided for energy from nothing or for normals of contacts "
           "that turn too far: such steps are told as unconverged. No surface is crossed either way; `/steps` of the "
           "result tells.")});
  return made;
}

const Table& local_table() {
  static const Table made = table<LocalOptions>(
      "local", "How the method `local` steps (docs/decisions/local-forces.md); others do not read it.",
      {key("integrator", &LocalOptions::integrator,
           one_of<LocalIntegrator>(
               {{"verlet", LocalIntegrator::verlet}, {"implicit-euler", LocalIntegrator::implicit_euler}}),
           "",
           "How bodies move between contacts: `verlet`, explicit, in as many parts of a step as the stiffness of "
           "the elements needs, as in the paper; or `implicit-euler`, semi-implicit in one part, which takes "
           "energy out of vibrations."),
       key("passes", &LocalOptions::passes, whole(at_least(1)), "",
           "Most passes of the response in a part of a step; where that is not enough for a motion without "
           "collisions, the part is taken in halves.")});
  return made;
}

const Table& acm_table() {
  static const Table made = table<AsyncOptions>(
      "acm", "Of the method `acm`, which steps in a way of its own (docs/papers/harmon-2009.md). Others ignore it.",
      {key("thickness", &AsyncOptions::thickness, number(above(0)), "m",
           "Where contact begins: the outermost layer pushes what comes nearer than that. Objects that begin nearer "
           "to "
           "each other push from where they begin on. Within one object, where pairs are nearer at rest than twice "
           "that, half their distance at rest."),
       key("stiffness", &AsyncOptions::stiffness, number(above(0)), "N/m",
           "Of the outermost layer; layer l is l^3 times as stiff, and begins at l^(-1/4) times `thickness`. A pair "
           "that "
           "rests in layer n carries `stiffness` times `thickness` times n^(15/4) / 60: enough is what keeps n at "
           "`rest_depth` or less under the largest force of a pair, and more makes steps shorter."),
       key("restitution", &AsyncOptions::restitution, number(from_to(0, 1)), "",
           "The part of the energy of an impact that comes back: of the speed its square root. What is slower than "
           "one kick of its layers is held by springs, critically damped but for this part. At 0 about one kick of "
           "each layer comes back: 0.1 of the speed where an impact gets 30 layers deep, 0.3 at 70, less with a "
           "smaller `contact_fraction`."),
       key("contact_fraction", &AsyncOptions::contact_fraction, number(between(0, 1)), "",
           "Steps of layers, as a part of the longest stable ones of a pair alone. The error of the energy of an "
           "impact falls with its square, and grows with the layer that it reaches."),
       key("elastic_fraction", &AsyncOptions::elastic_fraction, number(between(0, 1)), "",
           "Steps of elements, as a part of the longest stable ones."),
       key("rest_depth", &AsyncOptions::rest_depth, whole(at_least(1)), "",
           "The deepest layer in which contacts are expected to rest: other forces tick often enough for that. At "
           "most "
           "`max_layers`."),
       key("max_layers", &AsyncOptions::max_layers, whole(at_least(1)), "", "The run stops where a pair needs more."),
       key("max_events", &AsyncOptions::max_events, number(at_least(1)), "",
           "The run stops where a step takes more kicks."),
       key("clocks", &AsyncOptions::clocks, one_of<Clocks>({{"binary", Clocks::binary}, {"free", Clocks::free}}), "",
           "`binary`: steps are `time.step` over a power of two and frames between halves of kicks, of second order. "
           "`free`: of any length, as published, frames between kicks, of first order: they want smaller fractions, "
           "of elements 0.1, of contacts 0.02."),
       key("culler", &AsyncOptions::culler, one_of<Culler>({{"windows", Culler::windows}, {"kds", Culler::kds}}), "",
           "How pairs that come near are found, with no bit of the result: `windows` looks back and flies stretches "
           "again, `kds` keeps certificates with times at which they fail, as published, and takes longer, mostly."),
       key("vagueness", &AsyncOptions::vagueness, number(at_least(0)), "",
           "Of `kds`: velocities may change by that many of the mean kicks of their vertex before certificates are "
           "looked at."),
       key("axes", &AsyncOptions::axes, whole(from_to(6, 18)), "",
           "Of `kds`: directions of the k-DOPs, two of each axis: an even number."),
       key("friction_cap", &AsyncOptions::friction_cap, boolean(), "",
           "Does nothing any more: friction never gives more than would stop what slides.")});
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
       key("stress_tensor", &OutputSpec::stress_tensor, boolean(), "",
           "Whether frames hold the Cauchy stress tensor of every tetrahedron of deformable objects."),
       key("strain_tensor", &OutputSpec::strain_tensor, boolean(), "",
           "Whether frames hold the Green-Lagrange strain tensor of every tetrahedron of deformable objects."),
       key("tension", &OutputSpec::tension, boolean(), "",
           "Whether frames hold the tension of every spring, of scenes that have springs."),
       key("contact_forces", &OutputSpec::contact_forces, boolean(), "",
           "Whether frames hold the contact force on every vertex."),
       key("objects", &OutputSpec::objects, boolean(), "",
           "Whether `/objects` holds every object after every step: centre of mass, velocity, and force, torque and "
           "work of its contacts."),
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
         key("local", &Scene::local, object<LocalOptions>(local_table()), "", "How the method `local` steps."),
         key("acm", &Scene::acm, object<AsyncOptions>(acm_table()), "", "Asynchronous contact mechanics."),
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
