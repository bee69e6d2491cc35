// What a step may miss, on two masses over a floor, worked by hand: a light one that lies on the floor and a heavy
// one that lies on the light one, or beside it.
#include "step/tolerance.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "step/contact_problem.hpp"

namespace sim {
namespace tolerance_test {

constexpr double g = 9.81, eps2 = 5e-6;
constexpr Index light = 0, heavy = 1, ground = 2;  // vertices; the first two are rows of A as well

// Units of length, mass and time in metres, kilograms and seconds.
struct Scale {
  double length = 1, mass = 1, time = 1;
};

struct Masses {
  Model model;
  ContactOptions options;
  std::vector<Contact> contacts;
  VecX x = VecX::Zero(9), v = VecX::Zero(9);
  ContactProblem problem;
  Groups groups;
  std::vector<double> mass, due{0, 0};
  double dt = 0;
  double separation_part = 0.02;

  Units units() const {
    Units result;
    find(result);
    return result;
  }
  void find(Units& result) const {
    VecX inverse;
    Compliance k;
    inverse_diagonal(problem, inverse);
    compliance(problem, inverse, k);
    find_units(
        {model, options, contacts, x, v, problem, k, inverse, mass, due, {model.gravity.norm()}, separation_part, dt},
        groups, result);
  }
};

Contact contact_of(Index above, Index below, double length) {
  Contact contact;
  contact.vertices = {above, below, below, below};
  contact.weights = {1, -1, 0, 0};
  contact.eps2 = eps2 * length;
  contact.target_gap = 0.5 * contact.eps2;
  return contact;
}

void add_rows(Masses& m, std::span<const Index> columns) {
  BlockMatrix& L = m.problem.L;
  if (!L.values.empty()) L.values.pop_back();
  Mat3 rows;  // normal z, tangents x and y
  rows << 0, 0, m.dt, m.dt, 0, 0, 0, m.dt, 0;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const Mat3 signed_rows = i == 0 ? rows : Mat3(-rows);
    L.column.push_back(columns[i]);
    L.values.insert(L.values.end(), signed_rows.data(), signed_rows.data() + 9);
  }
  L.values.push_back(0);
  L.row_begin.push_back(static_cast<Index>(L.column.size()));
}

// 1 g on the floor, and 125 kg on the one gramme (stacked) or on the floor.
Masses masses(bool stacked, const Scale& scale = {}) {
  Masses m;
  m.dt = 0.001 * scale.time;
  m.model.gravity = Vec3(0, 0, -g * scale.length / (scale.time * scale.time));
  m.model.plan.vertex_of_block = {light, heavy};
  m.model.elastic.mass = Vec3(0.001 * scale.mass, 125 * scale.mass, 0);
  m.problem.A = make_pattern(2, {});
  m.problem.b.resize(6);
  for (const Index row : {light, heavy}) {
    m.problem.A.at(row) = m.model.elastic.mass[row] * Mat3::Identity();
    block(m.problem.b, row) = m.model.elastic.mass[row] * m.dt * m.model.gravity;
  }
  m.contacts = {contact_of(light, ground, scale.length), contact_of(heavy, stacked ? light : ground, scale.length)};
  add_rows(m, std::array{light});
  if (stacked) {
    add_rows(m, std::array{heavy, light});
  } else {
    add_rows(m, std::array{heavy});
  }
  find_bodies(m.problem.A, m.groups);
  find_groups(m.problem.L, false, m.groups);
  m.problem.body = m.groups.bodies.of_row;
  m.problem.mobility = m.groups.mobility;
  body_masses(m.model, m.groups.bodies, m.mass);
  return m;
}

// Both bodies alike; relative, so that 1 g is looked at as closely as 125 kg.
void expect_equal(const Units& a, const Units& b, const Scale& scale = {}) {
  const double momentum = scale.mass * scale.length / scale.time;
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_NEAR(b.momentum[i] / (momentum * a.momentum[i]), 1, 1e-12) << i;
    EXPECT_NEAR(b.gap[i] / (scale.length * a.gap[i]), 1, 1e-12) << i;
  }
}

TEST(Tolerance, OfAMassAtRestOnAFloorIsAHundredthOfItsWeightInAStep) {
  const Units units = masses(false).units();
  EXPECT_NEAR(units.momentum[light], 0.01 * 0.001 * g * 0.001, 1e-20);
  EXPECT_NEAR(units.momentum[heavy], 0.01 * 125 * g * 0.001, 1e-15);
  // And its gap what that moves it by: a hundredth of dt^2 g, whatever its mass.
  for (const double gap : units.gap) EXPECT_NEAR(gap, 0.01 * 1e-6 * g, 1e-20);
}

TEST(Tolerance, OfALightBodyUnderAHeavyOneIsThatOfTheLightOneAlone) {
  const Masses stack = masses(true);
  ASSERT_EQ(stack.groups.groups.size(), 1U);
  const Units units = stack.units();
  EXPECT_NEAR(units.momentum[heavy] / units.momentum[light], 125'000, 1e-6);
  EXPECT_NEAR(units.momentum[light], 0.01 * 0.001 * g * 0.001, 1e-20);
}

TEST(Tolerance, IsTheSameInAMovingFrame) {
  for (const bool stacked : {false, true}) {
    Masses still = masses(stacked), moving = masses(stacked);
    for (Masses* m : {&still, &moving}) block(m->v, heavy) = Vec3(0.3, 0, -20);  // an impact: more than weight does
    for (const Index vertex : {light, heavy, ground}) block(moving.v, vertex) += Vec3(10, 10, 10);
    for (const Index row : {light, heavy})
      block(moving.problem.b, row) += moving.model.elastic.mass[row] * Vec3(10, 10, 10);
    expect_equal(still.units(), moving.units());
    EXPECT_GT(still.units().momentum[heavy], 10 * masses(stacked).units().momentum[heavy]);
  }
}

TEST(Tolerance, ScalesWithTheUnitsOfLengthMassAndTime) {
  for (const Scale& scale : {Scale{.length = 1e-3}, Scale{.mass = 1e3}, Scale{.time = 1e-3}, Scale{1e3, 1e-6, 10}}) {
    Masses one = masses(true), other = masses(true, scale);
    expect_equal(one.units(), other.units(), scale);
    // Also where an approach counts, and where nothing but the least does.
    block(one.v, heavy) = Vec3(0, 0, -20);
    block(other.v, heavy) = Vec3(0, 0, -20 * scale.length / scale.time);
    expect_equal(one.units(), other.units(), scale);
    for (Masses* m : {&one, &other}) {
      m->v.setZero();
      m->problem.b.setZero();
      m->model.gravity.setZero();
    }
    expect_equal(one.units(), other.units(), scale);
  }
}

TEST(Tolerance, IsNeverZero) {
  Masses m = masses(true);
  m.model.gravity.setZero();
  m.problem.b.setZero();
  const Units units = m.units();
  const double u = 1e-6 * eps2 / m.dt;  // a millionth of eps2 in a step
  EXPECT_NEAR(units.momentum[light] / (0.01 * 0.001 * u), 1, 1e-12);
  EXPECT_NEAR(units.momentum[heavy] / (0.01 * 125 * u), 1, 1e-12);
  for (const double gap : units.gap) EXPECT_NEAR(gap / (0.01 * m.dt * u), 1, 1e-12);
}

TEST(Tolerance, AsksForNothingBeyondRounding) {
  Masses m = masses(false);
  m.model.gravity.setZero();
  block(m.problem.b, heavy) = Vec3(0, 3e9, 4e9);
  EXPECT_NEAR(m.units().momentum[heavy], 1e-13 * 5e9, 1e-12);
}

TEST(Tolerance, OfAnIslandComesFromItsFastestApproach) {
  Masses m = masses(true);
  block(m.v, heavy) = Vec3(5, 0, -20);  // what is along the contact does not count
  Units units = m.units();
  EXPECT_NEAR(units.momentum[light] / (0.01 * 0.001 * 0.01 * 20), 1, 1e-12);
  EXPECT_NEAR(units.momentum[heavy] / (0.01 * 125 * 0.01 * 20), 1, 1e-12);
  block(m.v, heavy) = Vec3(0, 0, 20);  // parts
  expect_equal(masses(true).units(), m.units());
  // Beside each other they are two islands: what one does is nothing to the other.
  Masses beside = masses(false);
  block(beside.v, heavy) = Vec3(0, 0, -20);
  EXPECT_EQ(beside.units().momentum[light], masses(false).units().momentum[light]);
}

TEST(Tolerance, OfAnIslandComesFromTheChangeOfVelocityThatIsDue) {
  Masses m = masses(true);
  m.due = {0, 2};
  const Units units = m.units();
  EXPECT_NEAR(units.momentum[light] / (0.01 * 0.001 * 0.2), 1, 1e-12);
  EXPECT_NEAR(units.momentum[heavy] / (0.01 * 125 * 0.2), 1, 1e-12);
}

// Between what weighs a ton and the floor a chip of a milligram has accelerations that the ton does not know of.
TEST(Tolerance, WhatIsDueToALightBodyIsNothingThatAHeavyOneMayMiss) {
  Masses m = masses(true);
  m.due = {2, 0};
  EXPECT_NEAR(m.units().momentum[light] / (0.01 * 0.001 * 0.2), 1, 1e-12);
  EXPECT_EQ(m.units().momentum[heavy], masses(true).units().momentum[heavy]);
  m.due = {1e6, 0};
  EXPECT_NEAR(m.units().momentum[heavy] / (0.01 * 0.001 * 1e5), 1, 1e-12);
}

// A spring to what is held takes the most of an impulse: what stays as motion counts.
TEST(Tolerance, OfAHeldBodyThatNothingDrivesIsWhatMovesIt) {
  Masses m = masses(false);
  const double free = m.units().momentum[heavy];
  m.problem.A.at(heavy) *= 500;
  find_bodies(m.problem.A, m.groups);
  find_groups(m.problem.L, false, m.groups);
  m.problem.mobility = m.groups.mobility;
  EXPECT_EQ(m.units().momentum[heavy], free);  // of its weight
  m.model.gravity.setZero();
  m.problem.b.setZero();
  const double u = 1e-6 * eps2 / m.dt;
  EXPECT_NEAR(m.units().momentum[heavy] / (0.01 * 500 * 125 * u), 1, 1e-12);
  EXPECT_NEAR(m.units().momentum[light] / (0.01 * 0.001 * u), 1, 1e-12);
}

TEST(Tolerance, OfWhatSlidesAndNothingDrivesComesFromItsSpeed) {
  Masses m = masses(false);
  block(m.v, heavy) = Vec3(3, 4, 0);
  m.contacts[1].lambda = 1e-9;
  EXPECT_NEAR(m.units().momentum[heavy], 0.01 * 125 * g * m.dt, 1e-15);  // weight counts, and no speed along a floor
  m.model.gravity.setZero();
  m.problem.b.setZero();
  EXPECT_NEAR(m.units().momentum[heavy] / (0.01 * 125 * 0.01 * 5), 1, 1e-12);
  m.contacts[1].lambda = 0;  // does not touch
  EXPECT_NEAR(m.units().momentum[heavy] / (0.01 * 125 * 1e-6 * eps2 / m.dt), 1, 1e-12);
}

TEST(Tolerance, IsBoundByTheOneThatIsGiven) {
  Masses m = masses(true);
  m.options.tolerance.momentum = 1e-8;
  const Units units = m.units();
  const double all = std::hypot(units.momentum[light], units.momentum[heavy]);
  EXPECT_NEAR(all, 1e-8, 1e-20);
}

TEST(Tolerance, OfAGapIsTheSmallestOfFour) {
  Masses m = masses(false);
  m.dt = 0.1;  // u = 0.981 m/s: weight alone would allow 0.98 mm
  EXPECT_NEAR(m.units().gap[0], 0.25 * eps2, 1e-18);
  // A small gap stays one: three quarters of what is between the aim and where nothing comes.
  m.contacts[0].target_gap = 0.1 * eps2;
  EXPECT_NEAR(m.units().gap[0], 0.75 * (0.1 - 0.02) * eps2, 1e-18);
  m.contacts[0].target_gap = 0.03 * eps2;  // and of half the aim
  EXPECT_NEAR(m.units().gap[0], 0.75 * 0.015 * eps2, 1e-18);
  EXPECT_NEAR(m.units().gap[1], 0.25 * eps2, 1e-18);
}

TEST(Tolerance, OfAGapOnASoftBodyIsAVelocityForAStep) {
  Masses m = masses(false);
  VecX inverse;
  Compliance k;
  inverse_diagonal(m.problem, inverse);
  compliance(m.problem, inverse, k);
  const auto gap = [&](double softer) {
    k.k[0] = softer * k.whole[0];
    Units units;
    find_units({m.model,
                m.options,
                m.contacts,
                m.x,
                m.v,
                m.problem,
                k,
                inverse,
                m.mass,
                m.due,
                {m.model.gravity.norm()},
                m.separation_part,
                m.dt},
               m.groups, units);
    return units.gap[0];
  };
  const double rigid = 0.01 * m.dt * g * m.dt;
  EXPECT_NEAR(gap(1) / rigid, 1, 1e-12);
  EXPECT_NEAR(gap(4) / rigid, 4, 1e-12);      // a hundredth of the weight moves it by four times as much
  EXPECT_NEAR(gap(1000) / rigid, 10, 1e-12);  // ten times a hundredth of dt g, in velocity
}

TEST(Tolerance, OfABodyStaysWhatItWasFirstInTheStep) {
  Masses m = masses(true);
  Units units;
  m.find(units);
  const std::vector<double> first = units.momentum;
  block(m.v, heavy) = Vec3(0, 0, -20);
  m.find(units);
  EXPECT_EQ(units.momentum, first);
}

TEST(Tolerance, SpeedOfAContactIsTheLargestOfThree) {
  const Masses m = masses(true);
  VecX v = VecX::Zero(9);
  EXPECT_DOUBLE_EQ(contact_speed(m.contacts[1], v, m.model.gravity.norm(), m.options, 0.001), g * 0.001);
  EXPECT_DOUBLE_EQ(contact_speed(m.contacts[1], v, 0, m.options, 0.001), 1e-6 * eps2 / 0.001);
  block(v, heavy) = Vec3(1, 2, -3);
  block(v, light) = Vec3(0, 0, 4);
  EXPECT_DOUBLE_EQ(approach(m.contacts[1], v), 7);
  EXPECT_DOUBLE_EQ(approach(m.contacts[0], v), -4);
  EXPECT_DOUBLE_EQ(contact_speed(m.contacts[1], v, m.model.gravity.norm(), m.options, 0.001), 0.07);
}

TEST(BodyMasses, AreTheNormsOfTheMassesOfTheirUnknowns) {
  Model model;
  model.plan.vertex_of_block = {0, 1, 2};
  model.elastic.mass = Vec3(3, 4, 7);
  model.rigid.resize(1);
  model.rigid[0].mass = 2;
  std::vector<double> mass;
  body_masses(model, find_bodies(make_pattern(5, std::vector<std::array<Index, 2>>{{0, 1}, {3, 4}})), mass);
  ASSERT_EQ(mass.size(), 3U);
  EXPECT_DOUBLE_EQ(mass[0], 5);
  EXPECT_DOUBLE_EQ(mass[1], 7);
  EXPECT_DOUBLE_EQ(mass[2], std::sqrt(8.0));
}

std::vector<double> due_of(const Masses& m, const VecX& v, const VecX& r) {
  std::vector<double> due;
  VecX inverse;
  inverse_diagonal(m.problem, inverse);
  due_changes({m.model, m.problem, inverse, m.groups.bodies, v, r, m.mass}, due);
  return due;
}

TEST(DueChanges, AreNoneAtRestAndThoseOfWeightWhereNothingPushes) {
  const Masses m = masses(true);
  const VecX v = VecX::Zero(6);
  VecX r = VecX::Zero(6);
  for (const double due : due_of(m, v, r)) EXPECT_NEAR(due, g * m.dt, 1e-15);
  r[0] = 125.001 * g;
  r[3] = 125 * g;
  // The light one has the difference of two forces of 1,226 N over 1 g.
  EXPECT_NEAR(due_of(m, v, r)[light], 0, 1e-9);
  EXPECT_NEAR(due_of(m, v, r)[heavy], 0, 1e-15);
  r[0] += 0.5;  // 0.5 N too many on 1 g: 0.5 m/s in 1 ms
  EXPECT_NEAR(due_of(m, v, r)[light], 0.5, 1e-9);
}

// Two masses of 1 kg on a bar of 1e10 N/m, which pull it apart with 5e5 N, as what turns fast does that is stiff:
// nothing moves.
TEST(DueChanges, CountNoForcesInsideAStiffBody) {
  constexpr double k = 1e10, pull = 5e5, weight = 9.81;
  Masses m = masses(false);
  m.model.elastic.mass = Vec3(1, 1, 0);
  m.problem.A = make_pattern(2, std::vector<std::array<Index, 2>>{{0, 1}});
  const double stiff = m.dt * m.dt * k;
  for (const Index row : {light, heavy}) {
    m.problem.A.at(m.problem.A.find(row, row)) = (1 + stiff) * Mat3::Identity();
    m.problem.A.at(m.problem.A.find(row, 1 - row)) = -stiff * Mat3::Identity();
  }
  find_bodies(m.problem.A, m.groups);
  body_masses(m.model, m.groups.bodies, m.mass);
  block(m.problem.b, light) = m.dt * Vec3(pull, 0, -weight);
  block(m.problem.b, heavy) = m.dt * Vec3(-pull, 0, -weight);
  const VecX none = VecX::Zero(6);
  ASSERT_EQ(due_of(m, none, none).size(), 1U);
  EXPECT_NEAR(due_of(m, none, none)[0], std::hypot(weight * m.dt, pull * m.dt / (1 + stiff)), 1e-12);  // not 500 m/s
}

// Two masses of 1 kg; the first is on a spring of k (N/m) to what is prescribed.
Masses held_and_free_mass(double k) {
  Masses m = masses(false);
  m.model.elastic.mass = Vec3(1, 1, 0);
  for (const Index row : {light, heavy}) m.problem.A.at(m.problem.A.find(row, row)) = Mat3::Identity();
  m.problem.A.at(m.problem.A.find(light, light)) *= 1 + m.dt * m.dt * k;
  find_bodies(m.problem.A, m.groups);
  m.problem.mobility = m.groups.mobility;
  body_masses(m.model, m.groups.bodies, m.mass);
  return m;
}

// 1 kg on a spring of 1e10 N/m to what is prescribed, which pulls it with 5e5 N: nothing moves here either.
TEST(DueChanges, CountNothingThatIsHeld) {
  constexpr double k = 1e10, pull = 5e5;
  Masses m = held_and_free_mass(k);
  const double stiff = m.dt * m.dt * k;
  block(m.problem.b, light) = m.dt * Vec3(pull, 0, 0);
  block(m.problem.b, heavy) = m.dt * Vec3(pull, 0, 0);
  const VecX none = VecX::Zero(6);
  EXPECT_NEAR(due_of(m, none, none)[light], pull * m.dt / (1 + stiff), 1e-12);  // not 500 m/s
  EXPECT_NEAR(due_of(m, none, none)[heavy], pull * m.dt, 1e-9);
}

TEST(DueChanges, AreTheSameInAMovingFrame) {
  Masses m = masses(true);
  VecX v = VecX::Zero(6), r = VecX::Zero(6);
  r[3] = 100;
  const std::vector<double> still = due_of(m, v, r);
  for (const Index row : {light, heavy}) {
    block(v, row) = Vec3(10, 10, 10);
    block(m.problem.b, row) += m.model.elastic.mass[row] * Vec3(10, 10, 10);
  }
  const std::vector<double> moving = due_of(m, v, r);
  for (const Index body : {light, heavy}) EXPECT_NEAR(moving[body], still[body], 1e-12);
  EXPECT_GT(still[light], 99);  // 100 N on 1 g for 1 ms
}

// The same kilogram, carried along with what holds it: A_fp v_p in b is no change.
TEST(DueChanges, AreTheSameWhereWhatHoldsABodyCarriesItAlong) {
  constexpr double k = 1e10, pull = 5e5;
  Masses m = held_and_free_mass(k);
  const double stiff = m.dt * m.dt * k;
  VecX inverse;
  inverse_diagonal(m.problem, inverse);
  const VecX r = VecX::Zero(6);
  const auto due_at = [&](const Vec3& speed, const Vec3& before) {
    VecX v = VecX::Zero(6), carried = VecX::Zero(6);
    block(m.problem.b, light) = Vec3(m.dt * pull, 0, 0) + before + stiff * speed;
    block(v, light) = before;
    block(carried, light) = before;
    std::vector<double> due;
    due_changes({m.model, m.problem, inverse, m.groups.bodies, v, r, m.mass, {}, carried}, due);
    return due[light];
  };
  const Vec3 none = Vec3::Zero(), fast(100, -1000, 10);
  const double still = due_at(none, none);
  EXPECT_NEAR(still, pull * m.dt / (1 + stiff), 1e-12);
  EXPECT_NEAR(due_at(fast, fast), still, 1e-9);  // m/s
  // What holds it goes on faster than it went: that is a change, in all frames.
  const Vec3 faster(0, 0, 0.1);
  EXPECT_NEAR(due_at(faster, none), std::hypot(still, 0.1), 1e-4);
  EXPECT_NEAR(due_at(fast + faster, fast), due_at(faster, none), 1e-9);
}

}  // namespace tolerance_test
}  // namespace sim
