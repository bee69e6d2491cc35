// What a body weighs, and what that does to an elastic one. A column of the height h that stands under gravity g has
// the strain rho g h / E at its foot, and is shortened by half of that part of its height.
#pragma once

#include "model/model.hpp"

namespace sim {

double mass_of(const Model& model, const Object& object);  // kg; 0 of obstacles

// rho g h / E, h the extent of the body at rest along gravity; 0 of what is not elastic, of sheets and cables, and
// without gravity.
double strain_of_own_weight(const Model& model, const Object& object);

// From here on a body is squeezed to three quarters of its height, and its elements at the foot by half.
inline constexpr double crushing_strain = 0.5;

}  // namespace sim
