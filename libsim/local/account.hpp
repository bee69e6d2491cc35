// What a part of a step was given and what it lost (model/ledger.hpp). Its motion is w = (x1 - x0) / h. Forces have
// done work along h w: loads and elastic forces with the mean of theirs at both ends, contacts with what they gave to
// each vertex. The columns are those of the implicit step (step/ledger.hpp), with
//
//     dissipation_friction   what the forces across n of contacts that slide take from their vertices, summed
//     dissipation_damping    h alpha m (v0 + v1)/2 . w summed over vertices, where that is a loss (implicit: v for
//     the
//                            mean), and h w . beta D w. At a contact v0 and v1 have a half of the kick that the
//                            contact takes back, and w has not
//     dissipation_scheme     the rest: sum of m |Delta/h|^2 / 2, what an impact loses; and what the trapezoidal rule
//                            misses of the elastic energy, which comes and goes with the vibrations
#pragma once

#include "local/part.hpp"

namespace sim {

void account_for(const LocalPart& part, Ledger& ledger);

}  // namespace sim
