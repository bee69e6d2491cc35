// Numbers that look as if they were in other units than those of the format, told by load_model. Private to the room.
#pragma once

#include "scene/load.hpp"

namespace sim {

// Elastic solids softer than any gel, and those that their own weight crushes: kPa, MPa or GPa for Pa, mm for m.
void warn_of_soft_materials(const Model& model, LoadReport& report);
// Densities that no matter has: g/cm^3 or t/mm^3 for kg/m^3. Not of sheets and cables, whose thickness is also what
// contact keeps, and whose mass is chosen by both.
void warn_of_densities(const Model& model, LoadReport& report);
// Of meshes, one of which is in mm.
void warn_of_sizes(const Model& model, LoadReport& report);
void warn_of_gravity(const Scene& scene, LoadReport& report);
// Steps that are hardly shorter than the run, and those in which bodies fall farther than they are large: ms for s.
void warn_of_long_steps(const Scene& scene, const Model& model, LoadReport& report);

}  // namespace sim
