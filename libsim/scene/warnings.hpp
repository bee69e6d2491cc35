// What a scene may say and hardly means, told by load_model. Private to the room.
#pragma once

#include "scene/load.hpp"

namespace sim {

// Tolerances that steps as published do not ask for.
void warn_of_unused_tolerance(const Scene& scene, LoadReport& report);

// Free bodies where coordinates are farther apart than pairs in contact have to be told apart, or where their
// rounding is a force of solids that their weight is not far above.
void warn_of_far_bodies(const Model& model, double separation_part, LoadReport& report);

// Rigid ones have the mass of what their surface encloses: where it cuts itself, some of that twice or not at all.
// One of the copies of an object stands for all.
void warn_of_rigid_surfaces_that_cut_themselves(const Model& model, LoadReport& report);

// Shells whose hinges bend unlike plates, by the shape of their triangles (elasticity/sheet_bending.hpp). One of the
// copies of an object stands for all.
void warn_of_shells_that_bend_unlike_plates(const Model& model, LoadReport& report);

}  // namespace sim
