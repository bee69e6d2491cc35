#pragma once

#include "collide/check.hpp"
#include "contact/groups.hpp"
#include "model/guides.hpp"
#include "model/options.hpp"
#include "model/report.hpp"
#include "model/state.hpp"
#include "step/contact_problem.hpp"
#include "step/curved_ways.hpp"
#include "step/division.hpp"
#include "step/geometric_stiffness.hpp"
#include "step/inertia.hpp"
#include "step/ledger.hpp"
#include "step/newton.hpp"
#include "step/settling.hpp"
#include "step/tolerance.hpp"

namespace sim {

// The contact problem of a step that took its method the most iterations; one that was not solved before all others.
struct HardestSolve {
  bool wanted = false;  // to be kept; the rest is of the last step
  ContactProblem problem;
  ContactSolution solution;
  VecX forces;                                  // N, the exact ones
  Index solve = 0, solves = 0, iterations = 0;  // which of how many of the step, from 1; 0: none had contacts
  bool unsolved = false;
};

// Working memory of a run; may be thrown away between steps at no cost but time.
struct Scratch {
  ElementBuffer elements;
  LoadForces loads;                   // of the part of a step
  std::vector<double> drive;          // m/s^2, a body: what its loads give it (step/tolerance.hpp)
  std::vector<RigidStep> rigid;       // as the unknowns stand
  std::vector<RigidStep> linearised;  // as the rows of contacts have them
  ContactProblem problem;             // of the last solve
  ContactSolution solution;           // its answer
  VecX slips, forces;                 // L v - c (m) and the exact forces (N) of that
  VecX inverse_diagonal;              // of A, 1/kg
  Compliance compliance;              // of the contacts
  Units units;                        // what each body and contact may miss (step/tolerance.hpp)
  Pressing pressing;                  // of quasi-static steps (step/tolerance.hpp)
  std::vector<double> gap_tolerance;  // a contact, m
  std::vector<double> body_mass;      // kg
  std::vector<double> due;            // a body: m/s, due_changes() of step/tolerance.hpp
  Turning turning;                    // of elastic bodies
  Inertia inertia;                    // of the time scheme
  NewtonScratch newton;
  GeometricStiffness geometric;  // of strain limits
  Guides guides;                 // of the part of a step
  VecX missing;                  // kg m/s: what the solve left over
  std::vector<Contact> solved;  // of the last step that was accepted: contacts as its last solve had them, with their
                                // gaps at its end; those in State are re-linearised after that
  std::vector<Contact> limits;  // the same of strain limits
  std::vector<Contact> solving;  // both, of a step that is not over
  ContactSet updated;            // of islands that are not settled: contacts as they are at the end of a round
  Division division;
  Settling settling;
  SolveScratch solver;
  Groups groups;                   // of bodies that contacts connect
  std::uint64_t held_version = 0;  // Groups::version that ContactProblem::held are of
  VecX flight;                     // m/s, of the unknowns: as they would go without contacts and forces inside
  SimilarityBuffers similarity;
  Trace trace;  // of the last step, where Options::trace asks for it

  HardestSolve hardest;

  KnownEnergy energy;

  State next;         // the state on its way through the step
  VecX prescribed;    // of all vertices: velocities of those that are prescribed
  VecX start_motion;  // m/s, of all vertices at the start, prescribed ones as they will move
  VecX motion;        // m/s, of all vertices: as foreseen for detection, then as solved
  VecX x1;            // m, where the solved motion leads
  VecX unseen;        // UnseenStrains there
  Detection detection;
  Candidates candidates, added;
  std::vector<Index> escaped;
  CheckBuffers check;
  std::vector<Hit> hits;
  CurvedWays curves;
};

}  // namespace sim
