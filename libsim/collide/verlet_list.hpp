// Pairs that last from step to step (Verlet 1967), so that detection need not search its tree in every step.
//
//     skin of a vertex = its reach and where that will be in the next steps as it moves now, widened
//     near = all pairs whose skins overlap: while every reach is in its skin, all candidates are among them
//     a vertex whose reach has left its skin gets another one, and its pairs are searched for
//
// The candidates of a step depend on the reaches of that step only, whatever the skins are.
#pragma once

#include "collide/candidates.hpp"

namespace sim {

// Detection::near, of detection.reach as it is.
void update_near(const CollisionSurface& surface, const StepMotion& motion, const DetectionOptions& options,
                 Detection& detection);

// The triangles around these vertices, ascending.
void triangles_around(const CollisionSurface& surface, std::span<const Index> vertices,
                      std::vector<Index>& triangles);

// Sorts `found` and takes what is not in `known` from it, into both `known` and `added`.
void merge_new(std::vector<Pair>& found, std::vector<Pair>& known, std::vector<Pair>& added,
               std::vector<Pair>& merged);

}  // namespace sim
