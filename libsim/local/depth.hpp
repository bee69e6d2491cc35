// How deep vertices lie in other objects, and which way out, consistently from vertex to vertex (Heidelberger,
// Teschner, Keiser, Mueller & Gross 2004):
//
//     at the border, p with edges that lead out through the surface, at x_k with normals n_k:
//         depth(p) = sum W_k (x_k - p).n_k / sum W_k       r_p = sum W_k n_k, normalised      W_k = 1/|x_k - p|^2
//     then inwards, from neighbours q that have theirs:
//         depth(p) = sum M_q ((q - p).r_q + depth(q)) / sum M_q       r_p = sum M_q r_q, normalised
//                                                                     M_q = 1/|q - p|^2
//
// What lies inside another object with all that it is joined to has no border, and no depth.
#pragma once

#include "local/inside.hpp"

namespace sim {

struct Penetration {
  Index vertex = 0, object = 0;  // which vertex, and the object that it lies in
  double depth = 0;              // m
  Vec3 out{0, 0, 0};             // r_p, a unit vector; 0: the vertex has no depth
  Index triangle = -1;           // T_i, where the ray from p along r_p comes out; -1: nowhere
  std::array<double, 3> h{};     // barycentric coordinates of that point
};

struct DepthScratch {
  HashTable table;
  std::vector<Inside> inside;
  std::vector<Index> begin, neighbours;  // of every vertex, along the edges of tets; made once
};

// Of all vertices inside other objects, ascending by vertex and object.
void find_penetrations(const Model& model, const VecX& x, DepthScratch& scratch, std::vector<Penetration>& found);

}  // namespace sim
