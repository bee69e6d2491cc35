// From positions to the system of one time step (semi-implicit Euler, one linearisation of the elastic force a step):
//
//     A = M + dt C + dt^2 K        b = M v0 + dt (f_elastic(x0) + M g)        A v1 = b        x1 = x0 + dt v1
//
// with lumped M, K = -df/dx made semi-definite element by element, and C = alpha M + beta D a material at a time, D
// being K for rates of strain, blind to turns (elasticity/element.hpp).
// (The paper's b = (M + dt C) v0 + dt f is the same: its f holds the damping force -C v0.)
// Rows belong to the free vertices ("blocks"). Prescribed vertices have no row; A's coupling of a free
// row with their velocities goes to b.
#pragma once

#include <span>
#include <vector>

#include "elasticity/material.hpp"
#include "elasticity/numbering.hpp"
#include "elasticity/thin.hpp"
#include "math/block_matrix.hpp"
#include "mesh/length_limit.hpp"
#include "mesh/mesh.hpp"

namespace sim {

// The undeformed elements and all that follows from them; const after load.
struct ElasticBodies {
  std::vector<Tet> tets;
  std::vector<Index> material;      // a tet: index into laws
  std::vector<Mat3> inverse_shape;  // a tet: Dm^-1, Dm = [X1-X0, X2-X0, X3-X0]
  std::vector<double> rest_volume;  // a tet: m^3
  std::vector<double> filled = {};  // a tet: the part of it that is in rest_volume; empty: all of each
  std::vector<Spring> springs;
  std::vector<Membrane> membranes;
  std::vector<Hinge> hinges;
  std::vector<Bend> bends;
  ElementNumbering numbering;  // of the elements of all kinds
  std::vector<ElasticLaw> laws;
  std::vector<double> stiffness_damping;  // a material: beta
  VecX mass;                              // a vertex: lumped, kg (zero where no element is)
  VecX damping_mass;                      // a vertex: sum of alpha * its share of mass, kg/s
};

// What thin objects bring along: elements, and the mass of their vertices.
struct ThinParts {
  std::vector<Spring> springs;
  std::vector<Membrane> membranes;
  std::vector<Hinge> hinges;
  std::vector<Bend> bends;
  std::vector<LengthLimit> limits;  // of springs (mesh/length_limit.hpp)
  struct Mass {
    Index vertex = 0, material = 0;
    double mass = 0;  // kg
  };
  std::vector<Mass> masses;
};
// Throws InputError for a tet without positive volume and for a material outside of its range.
ElasticBodies make_elastic_bodies(std::span<const Vec3> rest, std::span<const Tet> tets,
                                  std::span<const Index> material_of_tet, std::span<const Material> materials,
                                  ThinParts thin = {});
// Of tets that are filled in part (mesh/embedding.hpp): their volumes at rest, and all masses of their corners.
void fill_in_part(std::span<const double> filled, std::span<const Material> materials, ElasticBodies& bodies);

// Where the element matrices go: computed once, const for the whole run.
struct AssemblyPlan {
  Index vertex_count = 0;
  std::vector<Index> block_of_vertex;  // -1: no unknown (prescribed, or not part of a deformable body)
  std::vector<Index> vertex_of_block;
  BlockMatrix pattern;  // of A, all zero; below the rows of vertices come those of `others`

  // Gather lists. Row r has the neighbours [row_begin[r], row_begin[r+1]), free or prescribed, in the order of
  // vertices; neighbour k receives the element blocks [entry_begin[k], entry_begin[k+1]) in the order of elements. An
  // entry is 2 * pair (elasticity/numbering.hpp) + (1 where the block is to be transposed).
  std::vector<Index> row_begin;
  std::vector<Index> neighbour;  // its vertex
  std::vector<Index> slot;       // its slot in A; -1: prescribed
  std::vector<Index> entry_begin, entry;
  std::vector<Index> diagonal;  // a row: the slot of its diagonal block
};
// `others`: further rows of unknowns that elasticity knows nothing of, each with a diagonal block.
AssemblyPlan plan_assembly(const ElasticBodies& bodies, std::vector<Index> block_of_vertex, Index others = 0);

// Buffers that assemble() fills; keep one and reuse it.
struct ElementBuffer {
  std::vector<double> forces;  // a corner: 3
  std::vector<double> blocks;  // a pair of corners: 9, dt^2 K_e + dt beta D_e
};

struct StrainsOfStep;

// What the straight ways of the step before have strained thin elements by and it was not solved with
// (elasticity/straight_ways.hpp): of springs a number each (m), then of membranes three (of Green: xx, yy, xy).
// Empty: nothing.
using UnseenStrains = std::span<const double>;
inline UnseenStrains as_unseen(const VecX& numbers) {
  return {numbers.data(), static_cast<std::size_t>(numbers.size())};
}
Index unseen_numbers(const ElasticBodies& bodies);

struct StepInput {
  const VecX& x0;          // positions of all vertices
  const VecX& v0;          // velocities of all vertices
  const VecX& prescribed;  // velocities of vertices without unknown over this step (other entries are not read)
  Vec3 gravity;            // m/s^2
  double dt = 0;           // s
  // Of schemes that are not semi-implicit Euler (step/inertia.hpp); none: the equations above.
  const std::vector<double>* damping_factor = nullptr;  // a vertex: kappa, of dt beta D in A
  const StrainsOfStep* strains = nullptr;  // stiffness damping of a whole step (elasticity/strain_rates.hpp)
  UnseenStrains unseen = {};
};
// Fills the rows of vertices of A and b; the first call gives them the plan's pattern and size, later ones allocate
// nothing. A is symmetric bit for bit, and its rows add up to M + dt alpha M but for rounding.
void assemble(const ElasticBodies& bodies, const AssemblyPlan& plan, const StepInput& input, ElementBuffer& buffer,
              BlockMatrix& A, VecX& b);

// Of a row of vertices and its neighbour k (AssemblyPlan): what the elements that both have make of dt^2 K + dt beta
// D.
Mat3 block_of_neighbour(const AssemblyPlan& plan, const ElementBuffer& buffer, Index k);

// The parts, for tests and diagnostics.
VecX elastic_force(const ElasticBodies& bodies, const VecX& x);  // of all vertices, in newtons
// The same into buffers that are kept: of corners, and of vertices.
void elastic_force(const ElasticBodies& bodies, const VecX& x, std::vector<double>& of_corners, VecX& force);
bool has_stiffness_damping(const ElasticBodies& bodies);
// -beta D(x) v, in newtons.
void stiffness_damping_force(const ElasticBodies& bodies, const VecX& x, const VecX& v,
                             std::vector<double>& of_corners, VecX& force);
// J, without what is unseen.
double elastic_energy(const ElasticBodies& bodies, const VecX& x, UnseenStrains unseen = {});
// Of every tetrahedron, J; and all of it where that is known already.
void tet_energies(const ElasticBodies& bodies, const VecX& x, std::vector<double>& of_tets);
double elastic_energy(const ElasticBodies& bodies, const VecX& x, UnseenStrains unseen,
                      std::span<const double> of_tets);
// What is unseen would add.
double unseen_energy(std::span<const Spring> springs, std::span<const Membrane> membranes, const VecX& x,
                     UnseenStrains unseen);

// Of springs: what pulls their ends together, in newtons, and the largest strain, NaN where there are none.
std::vector<double> tensions(std::span<const Spring> springs, const VecX& x, UnseenStrains unseen = {});
double largest_strain(std::span<const Spring> springs, const VecX& x);

}  // namespace sim
