// Elastic bodies that turn. The linearised force of A and b knows the velocity w x r as no strain, but the straight
// way dt w x r as a stretch by (w dt)^2 / 2. The stiffer the body, the more energy that makes: E (w dt)^4 / 8 a
// volume. So the stiffness of a body acts on what the step does besides turning it:
//
//     force     f(x1) = f(x0) - K (x1 - x0 - dt u),     u = (Q - 1) r / dt, the chord of the turn, of all vertices
//     damping   C (v1 - u) of the stiffness
//
// Of a free body Q is the step of a free rigid body by the same scheme (Moser and Veselov's), sum m r x u = sum m r x
// v0: what holds the body together as it turns is along f(x0). Of one with prescribed vertices, as a pendulum or a
// wheel on a driven hub, no law of conservation gives it: Q is the turn of the step before, v0 its chord, and u only
// what its chord is besides a velocity w x r, the symmetric part of Q - 1: what is under stress is stiff against w x
// r, too, and that has to stay implicit. Where parts of a body turn differently, as in a beam that bends, Q is their
// mean: the strains that are left, (a^2 - mean^2) / 2 of a turn by a, are less than a^2 / 2 all in all.
//
// Springs and membranes, of cables, cloth and shells, take part in that as far as they turn themselves: what runs
// round a drum turns link by link, and its straight tail does not. Where the straight way of the step before has
// lengthened one by less than a quarter of what the turn of its body would have, its strain by u is less, by four
// times that.
//
// What they have been strained by besides, more or less than what they take part in, the step was not solved with
// (elasticity/straight_ways.hpp). The state keeps it. It is in f(x0) of the next step, which lets go of it; but
// energies and tensions are those of the strains without it, and so is the part of K that comes of stress, by which
// forces turn with what they pull at, where there is more: those links of a cable of EA = 1e4 N that run round a rod
// have a thousand times its weight of them.
//
// Contacts act at the end of the step, too. An impulse p on a vertex changes the spin by r x p with the arm r of the
// start, where the elastic forces act: what rolls would be braked by its weight, as by a rolling friction with an arm
// of w dt r. So a free body gets what is missing, by the way of the vertex from the centre c, as the momenta m d x r
// of a turn of the whole:
//
//     sum m r x (d x r) = s sum dt (v - v_c) x p
//
// (That way, not (Q - 1) r: what is squeezed in a nip does not turn there with the rest of its strip, and a couple
// that turned with it would throw the strip about.) s is the part of its motion about the centre that is a turn: what
// turns in parts, as a cable that lies on a floor with its one end, is not turned by the weight there.
//
// One of tetrahedra with prescribed vertices, of which H is held, moves as a whole as these allow: by those N of the
// velocities (t, d), t + d x r, that leave all H (t + d x r_h) = 0. What holds it goes on, too: of an impulse P
// of all contacts it bears H (sum H)^-1 P each, so that a wheel on a hinge has the arms from there, and one in a
// plane those from its centre. With the inertia M of (t, d),
//
//     missing = sum dt (v - v_c) x p - sum dt (v_h - v_c) x H (sum H)^-1 P
//     (t, d) = s N (N^T M N)^-1 N^T (0, missing)
#pragma once

#include "elasticity/element_impulse.hpp"
#include "linear/bodies.hpp"
#include "model/guides.hpp"

namespace sim {

enum class Hold : std::uint8_t { rigid, free, prescribed };  // a body: not elastic; without, with prescribed vertices

struct Turning {
  std::vector<Hold> hold;  // a body
  std::vector<Mat3> turn;  // a body: Q
  std::vector<Mat3> way;   // 1/s, a body: u = way r, 0 where it does not turn
  struct Push {
    Vec3 velocity{0, 0, 0}, rate{0, 0, 0};  // t, m/s; d, rad/s
    Vec3 center{0, 0, 0};                   // m, at the start
    Vec3 missing{0, 0, 0};                  // kg m^2/s: for which
    Vec3 on(double mass, const Vec3& x0) const { return mass * (velocity + rate.cross(x0 - center)); }  // kg m/s
  };
  std::vector<Push> push;                   // a body: of contacts at their ends
  std::vector<std::vector<Index>> holders;  // a body: its prescribed vertices
  std::vector<Mat3> before;  // a body: its turn in the step before, of those with springs or membranes or prescribed
  struct Thin {              // elements of a kind
    std::vector<double> takes_part;  // 0 to 1
    std::vector<std::vector<Index>> of_body;
  };
  Thin springs, membranes;
  TurnOfElements of_elements(std::span<const Index> body_of_vertex) const {
    return {body_of_vertex, way, springs.takes_part, membranes.takes_part};
  }
};

void prepare(const Model& model, const Bodies& bodies, Turning& turning);
// Which bodies are free while these entries of Model::prescribed hold.
void find_free(const Model& model, const Bodies& bodies, std::span<const Index> object_of_body, const Guides& guides,
               Turning& turning);

struct TurnInput {
  const Model& model;
  const Bodies& bodies;
  const ElementBuffer& elements;  // as assembled at x0
  const BlockMatrix& A;           // the same, but for rows and columns of guided vertices
  const VecX& x0;
  const VecX& v;        // m/s, of all vertices: whose turn is asked for
  const VecX& impulse;  // kg m/s, of all rows: of contacts
  double dt;
  const Guides& guides;
};
// Before A and b are assembled: what the step before did, of which v0 is the way. Before the first there was none.
struct LookBack {
  const Model& model;
  const Bodies& bodies;
  const VecX& x0;
  const VecX& v0;
  double dt;
  bool has_stepped;
};
void look_back(const LookBack& input, Turning& turning);
// Where the solved motion leads to, x1: what springs and membranes are strained by there and it was not solved with
// (UnseenStrains).
void find_unseen(const TurnInput& input, const VecX& x1, const Turning& turning, VecX& unseen);
// b as it was assembled at x0 and v0, made that above; `v`, free flight, turns with its body.
void turn(const TurnInput& input, Turning& turning, VecX& b, VecX& v);
void turn_nothing(Turning& turning);

// Where the step has changed the turn of a body, u is that of v1 as it was solved. What the change is besides a
// velocity w x r, d, strains the body. Where the change is more momentum than the body may miss, and d takes more
// energy, d . (dt^2 K + dt beta D) d / 2, than it may: b has the new u, `v` of a free body goes by d, and the body
// has to be solved again (true). Of b, prescribed parts are to be taken out (model/guides.hpp).
struct MayMiss {
  double momentum;          // kg m/s
  double specific_energy;   // J/kg
  double spin_of_contacts;  // kg m^2/s: of their impulses, with arms that are off by as much as their gaps may be
};
bool turn_as_solved(const TurnInput& input, Index body, const MayMiss& miss, Turning& turning, VecX& b, VecX& v);

}  // namespace sim
