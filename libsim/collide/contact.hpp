// A contact: a vertex and a face, or two edges, that must not pass through each other (Verschoor & Jalba 2019,
// sections 2.3 and 3.3, Figure 3). A strain limit of a spring is one, too (collide/limits.hpp).
//
//     r(x)   = sum over k of weights[k] x[vertices[k]]   from the other's point to mine, m; where they touch r = 0
//     gap(x) = n . r(x) - thickness                      must stay positive; thickness is 0 but of thin things
//     j_n v  = dt n . r(v),  j_t v = dt t . r(v)         the rows of the contact; gap(x0 + dt v) = gap(x0) + j_n v
//
// Weights: 1 for the vertex and minus the barycentric weights of the face's point; for edges 1 - s and s for the one,
// t - 1 and -t for the other. Their sum is zero. (n, t1, t2) is orthonormal and right-handed.
//
// n points to where the gap is positive in the collision-free state at the start of the step, whatever a face's own
// orientation says: that is right for self-collision, for two edges, and for thin sheets hit from either side. Of
// pairs that have thickness it is the direction between the nearest points: what is thick is round at its edges.
#pragma once

#include "collide/check.hpp"
#include "math/friction_state.hpp"

namespace sim {

using ContactId = std::uint64_t;
inline constexpr ContactId no_contact = ~ContactId{0};

// The same for the same pair in every step and every run. Ascending ids: vertex-face before edge-edge, then as pairs.
ContactId contact_id(ContactKind kind, Pair pair);
struct KindAndPair {
  ContactKind kind;
  Pair pair;
};
KindAndPair pair_of_contact(ContactId id);  // the other way round

struct Contact {
  ContactId id = no_contact;
  ContactKind kind = ContactKind::vertex_face;
  Pair pair;
  std::array<Index, 4> vertices{};
  std::array<double, 4> weights{};
  Vec3 n{0, 0, 1}, t1{1, 0, 0}, t2{0, 1, 0};
  double thickness = 0;              // m: what the two sides keep between them
  double gap = 0;                    // m: of the positions it was last computed from
  double target_gap = 0;             // m: the gap to end the step with, at least
  double eps2 = published_gap;       // m: where it pushes its gap stays inside (0, eps2)
  std::array<double, 2> c_t{};       // m, along t1 and t2: travelled before the impact; 0 for one from before
  double time = 0;                   // of the impact, as a fraction of the step; 0 for one from before
  Index age = 0;                     // steps since it was found
  ContactId slid_from = no_contact;  // the contact it was before its point slid over a border in this step
  Index turns = 0;                   // of its normal in this step, larger than TrackingOptions::small_turn
  Vec3 turn{0, 0, 0};                // rad: of its normal in the last round of this step, if it was not small
  double share_of_turn = 1;          // of what there was to turn by
  Index raised = 0;                  // times that it collided on its way in this step, although it held at the end
  bool frozen = false;               // not made anew from the geometry for the rest of the step

  // The solver's, from step to step; all along t1 and t2.
  FrictionState state = FrictionState::open;
  double lambda = 0;
  std::array<double, 2> gamma{}, delta{};
  std::array<double, 2> friction{};  // N: gamma, exactly as strong as Coulomb has it (step/contact_problem.hpp)
  std::array<double, 2> slip{};      // m: j_t v - c_t of the last solve
  std::array<double, 2> drift{};     // m: slip since it began to stick
  bool slides = false;               // its slip of the last solve is more than it may miss
  bool has_no_room = false;          // it was to end with more gap than what holds its bodies leaves
  std::uint8_t for_exact = 0;        // what `auto` remembers (contact/automatic.hpp)
  double transverse = 0;             // N/m, of strain limits as they are linearised (step/geometric_stiffness.hpp)
};

// The contact of a pair that collides on the way from x0 to x1: point and normal as at the impact, gap at x0.
// The normal is that of the face, or across both edges. Where they meet on a border and are apart in quite another
// direction (more than 60 degrees off: beside a thin sheet, end to end), where two edges are nearly parallel or meet
// near an end, or where there is no such normal, it is the direction between the nearest points shortly before. Its
// side is the one the pair came from: where it was at x0, or if it began in the plane, against its motion. A pair
// with thickness has the direction between its nearest points at the impact or, where that would have it too near at
// x0, at x0.
Contact make_contact(const CollisionSurface& surface, const Hit& hit, const VecX& x0, const VecX& x1);

double gap_tolerance(const CollisionSurface& surface, const std::array<Index, 4>& vertices);  // m, of a pair

// m: the sum of both radii; 0 of pairs of one object that are nearer than 1.5 times that at rest.
double pair_thickness(const CollisionSurface& surface, ContactKind kind, const std::array<Index, 4>& vertices);

Vec3 separation_vector(const Contact& contact, const VecX& x);  // r(x)
double gap(const Contact& contact, const VecX& x);
double distance(const Contact& contact, const VecX& x);  // m, of the pair itself less its thickness, whatever
                                                         // the contact's normal

// Two unit vectors that complete n to a right-handed frame; they depend on n only.
std::array<Vec3, 2> tangents(const Vec3& n);

// Turns the frame so that its normal is `n`, by the shortest rotation: the tangents are carried along without spin,
// so that what is written in their coordinates stays what it was.
void turn_frame(Contact& contact, const Vec3& n);

}  // namespace sim
