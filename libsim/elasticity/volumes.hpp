// How far elements are squeezed: the ratio J = det F of an element's volume to its rest volume. J <= 0 is an element
// without volume or turned inside out.
#pragma once

#include <limits>
#include <vector>

#include "elasticity/assembly.hpp"

namespace sim {

double volume_ratio(const ElasticBodies& bodies, const VecX& x, Index tet);  // J

struct SmallestVolume {
  double ratio = std::numeric_limits<double>::quiet_NaN();  // J
  Index tet = -1;                                           // the first that has it; -1: there is none
};
struct VolumeSummary {
  SmallestVolume of_all;
  Index inverted = 0;           // J <= 0
  Index continued = 0;          // J below ElasticLaw::continued_below
  SmallestVolume of_continued;  // of these
};
VolumeSummary summarise_volumes(const ElasticBodies& bodies, const VecX& x);

// Elements that have volume at x0 and none at x1, of laws that resist it (not as published), in ascending order.
std::vector<Index> turned_inside_out(const ElasticBodies& bodies, const VecX& x0, const VecX& x1);

}  // namespace sim
