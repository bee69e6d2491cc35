#include "output/step_columns.hpp"

#include <array>

namespace sim {
namespace {

using R = StepReport;

constexpr std::array columns{
    StepColumn{"step", &R::step, "1", "number of the step, the first is 1"},
    StepColumn{"time", &R::time, "s", "simulated time at the end of the step"},
    StepColumn{"dt", &R::dt, "s", "length of the step"},
    StepColumn{"substeps", &R::substeps, "1",
               "the step over its shortest part; 1: not divided. Of `local` the number of its parts"},
    StepColumn{"status", &R::status, "1",
               "0 converged, 1 iteration limit, 2 breakdown, 3 collision, 5 layer limit, 6 event limit"},
    StepColumn{
        "accepted", &R::accepted, "1",
        "1: the bodies were moved, also without convergence where solver.on_failure says so; 0: they were not"},
    StepColumn{
        "iterations", &R::iterations, "1",
        "iterations of the solver, all solves of the step; of contact islands, which are solved independently, those "
        "of the island that needs most"},
    StepColumn{"relinearizations", &R::relinearizations, "1",
               "outer iterations after the first: times that the contacts were linearised anew"},
    StepColumn{"detection_rounds", &R::detection_rounds, "1", "times that contacts were searched for"},
    StepColumn{"resets", &R::resets, "1",
               "times that the solver restarted its search directions; of islands as iterations"},
    StepColumn{"evaluations", &R::evaluations, "1", "evaluations of the residual; of islands as iterations"},
    StepColumn{
        "products", &R::products, "1",
        "products with A; of islands as iterations, and of bodies that nothing touches those by conjugate gradients"},
    StepColumn{"passes", &R::passes, "1", "passes of relaxation over the contacts; of islands as iterations"},
    StepColumn{"factorisations", &R::factorisations, "1",
               "factorisations of A, body by body, and of matrices as large as the contacts or the unknowns, of "
               "contact methods"},
    StepColumn{"by_its_rule", &R::by_its_rule, "1",
               "islands that a published method left by the rule of its paper in the last solve of the step, where "
               "the residual is not within the tolerances; of a divided step, of all its parts"},
    StepColumn{"by_exact", &R::by_exact, "1",
               "solves of contact islands, over all outer iterations, that `auto` left to the exact method"},
    StepColumn{"first_order", &R::first_order, "1",
               "objects that stepped by implicit Euler under `generalized-alpha`: they have hit something, or touch "
               "what has; in the first step of a run all"},
    StepColumn{"candidates", &R::candidates, "1", "candidate pairs of the broad phase"},
    StepColumn{"contacts", &R::contacts, "1", "contacts of the last solve"},
    StepColumn{"active", &R::active, "1", "active contacts: with a normal force"},
    StepColumn{"sticking", &R::sticking, "1", "active contacts that stick"},
    StepColumn{
        "sliding", &R::sliding, "1",
        "active contacts that slide; under `acm` those whose friction is at Coulomb's bound, also where others hold "
        "their vertices, and those without friction"},
    StepColumn{"limited", &R::limited, "1", "strain limits that push"},
    StepColumn{"residual", &R::residual, "kg m/s", "norm of the residual of the momentum balance"},
    StepColumn{"constraint_error", &R::constraint_error, "m", "largest violation of a linearised constraint"},
    StepColumn{"min_gap", &R::min_gap, "m",
               "smallest distance of the pairs in contact at the end of the step; NaN where there are none"},
    StepColumn{"overlap", &R::overlap, "m",
               "of `local` as published: how deep the deepest vertex is in another object at the end of the step; 0 "
               "under all other methods"},
    StepColumn{
        "max_strain", &R::max_strain, "1",
        "largest strain of a spring at the end of the step, longer than at rest; NaN where there are none, and "
        "of a step that failed"},
    StepColumn{"kinetic_energy", &R::kinetic_energy, "J", "kinetic energy at the end of the step"},
    StepColumn{"elastic_energy", &R::elastic_energy, "J", "elastic energy at the end of the step"},
    StepColumn{"potential_energy", &R::potential_energy, "J", "potential energy of gravity, zero at the origin"},
    StepColumn{"contact_energy", &R::contact_energy, "J",
               "energy in the layers of contacts and strain limits of `acm` at the end of the step; 0 under other "
               "methods"},
    StepColumn{"momentum", &R::momentum, "kg m/s", "momentum at the end of the step"},
    StepColumn{"angular_momentum", &R::angular_momentum, "kg m^2/s", "angular momentum about the origin"},
    StepColumn{"work_prescribed", &R::work_prescribed, "J",
               "work of prescribed motion in the step: of obstacles, pinned and scripted vertices on the bodies"},
    StepColumn{"work_loads", &R::work_loads, "J", "work of the loads on the bodies in the step"},
    StepColumn{"work_correction", &R::work_correction, "J",
               "work in the step of contacts whose gaps change, that slip and take it back while they stick, and of "
               "the accepted residual"},
    StepColumn{
        "dissipation_friction", &R::dissipation_friction, "J",
        "energy lost to friction in the step, of contacts that slide; of an impact that of the slip which it leaves, "
        "the rest is in `dissipation_scheme`"},
    StepColumn{"dissipation_damping", &R::dissipation_damping, "J", "energy lost to damping in the step"},
    StepColumn{"dissipation_scheme", &R::dissipation_scheme, "J",
               "energy lost to the time integration in the step, and under `acm` to restitution; where negative, it "
               "has made energy"},
    StepColumn{"work_of_gaps", &R::work_of_gaps, "J",
               "what gaps within their tolerance may be worth in the step: sum over contacts of normal force times "
               "tolerance of the gap; 0 under `acm` and `local`"},
    StepColumn{"impulse_external", &R::impulse_external, "kg m/s",
               "impulse of gravity, loads and mass damping in the step"},
    StepColumn{"impulse_prescribed", &R::impulse_prescribed, "kg m/s",
               "impulse of obstacles, pinned and scripted vertices on the bodies in the step"},
    StepColumn{"impulse_left_over", &R::impulse_left_over, "kg m/s",
               "accepted residual of the step before, less that of the step"},
    StepColumn{"impulse_scheme", &R::impulse_scheme, "kg m/s",
               "of the step under `generalized-alpha`, what it moves from step to step; under `quasi-static`, the "
               "accepted residual"},
    StepColumn{"angular_impulse_external", &R::angular_impulse_external, "kg m^2/s",
               "angular impulse of gravity, loads and mass damping about the origin"},
    StepColumn{"angular_impulse_prescribed", &R::angular_impulse_prescribed, "kg m^2/s",
               "angular impulse of obstacles, pinned and scripted vertices about the origin"},
    StepColumn{
        "min_volume_ratio", &R::min_volume_ratio, "1",
        "smallest volume of a tetrahedron over its rest volume, of deformable objects at the end of the step; NaN "
        "where there are none"},
    StepColumn{"inverted", &R::inverted, "1", "tetrahedra without volume or turned inside out"},
    StepColumn{"extrapolated", &R::extrapolated, "1",
               "tetrahedra squeezed to where their material's energy is continued by another one"},
    StepColumn{"t_integrate", &R::t_integrate, "s", "wall time of integration and the contact-free solve"},
    StepColumn{"t_detect", &R::t_detect, "s", "wall time of contact detection"},
    StepColumn{"t_solve", &R::t_solve, "s", "wall time of the contact solver"},
    StepColumn{"t_relinearize", &R::t_relinearize, "s", "wall time of re-linearisation"},
    StepColumn{"t_output", &R::t_output, "s", "wall time of writing results"},
    StepColumn{"t_total", &R::t_total, "s",
               "wall time of the whole step: the five above, and what belongs to none of them (energies, "
               "momenta and work, checks of what has been solved, the state at the end)"},
};

struct TypeName {
  const char* operator()(std::int64_t R::*) const { return "i64"; }
  const char* operator()(Index R::*) const { return "i32"; }
  const char* operator()(StepStatus R::*) const { return "i32"; }
  const char* operator()(bool R::*) const { return "i32"; }
  const char* operator()(double R::*) const { return "f64"; }
  const char* operator()(Vec3 R::*) const { return "f64 [3]"; }
};

}  // namespace

std::span<const StepColumn> step_columns() {
  return columns;
}

const char* type_name(const StepColumn& column) {
  return std::visit(TypeName{}, column.member);
}

std::string step_columns_reference() {
  std::string text = "| column | type | unit | meaning |\n|---|---|---|---|\n";
  for (const StepColumn& column : columns)
    text += std::string("| `") + column.name + "` | " + type_name(column) + " | " + column.unit + " | " +
            column.meaning + " |\n";
  return text;
}

}  // namespace sim
