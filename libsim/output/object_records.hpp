// Every object after a step: where it is, how fast, and what the contacts did to it.
//
//     center    c = sum m_i x_i / sum m_i     velocity = sum m_i v_i / sum m_i     of bodies; else means of vertices
//     force     f = sum f_i                   torque = sum (x_i - c) x f_i         of contacts, as contact_forces()
//     work      as its ledger has it (step/ledger.hpp); dt sum f_i . v_i of methods that do not tell it there
//
// Those of all objects together are zero but for the work, which friction and closing gaps take.
#pragma once

#include <span>
#include <vector>

#include "model/model.hpp"
#include "model/report.hpp"
#include "model/state.hpp"

namespace sim {

struct ObjectRow {
  Vec3 center{0, 0, 0};          // m, of mass
  Vec3 velocity{0, 0, 0};        // m/s, of the centre
  Vec3 contact_force{0, 0, 0};   // N, mean over the step; NaN where it was not accepted
  Vec3 contact_torque{0, 0, 0};  // N m, about the centre
  double contact_work = 0;       // J, in the step; NaN where only its last part is known
};

// `contacts`: as they were solved (Scratch::solved); `state`: at the end of the step.
std::vector<ObjectRow> object_rows(const Model& model, const State& state, std::span<const Contact> contacts,
                                   const StepReport& report);

}  // namespace sim
