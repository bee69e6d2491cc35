// What is prescribed and turns: which torque it needs, and which work it does. And what friction loses where it
// turns.
#include <cmath>
#include <numbers>
#include <string>

#include "model/measure.hpp"
#include "output/object_records.hpp"
#include "support/played.hpp"

namespace sim {
namespace turning_work_test {

using test::Played;
using test::with;

constexpr double pi = std::numbers::pi, g = 9.81;

struct Sum {
  double prescribed = 0, loads = 0, friction = 0, correction = 0, scheme = 0;
};
Sum play(Played& run, int steps) {
  Sum sum;
  for (int n = 0; n < steps; ++n) {
    const StepReport report = run.advance(1);
    sum.prescribed += report.work_prescribed;
    sum.loads += report.work_loads;
    sum.friction += report.dissipation_friction;
    sum.correction += report.work_correction;
    sum.scheme += report.dissipation_scheme;
  }
  return sum;
}

// Of the contacts about the origin, on what does not move as prescribed; and how hard they press together.
struct Pressed {
  double torque = 0, force = 0;
};
Pressed pressed(const Played& run) {
  Pressed result;
  for (const Contact& contact : run.state.contacts.contacts) {
    const Vec3 f = contact.lambda * contact.n - contact.friction[0] * contact.t1 - contact.friction[1] * contact.t2;
    result.force += contact.lambda;
    for (std::size_t k = 0; k < 4; ++k) {
      const Index vertex = contact.vertices[k];
      if (run.model.surface.vertex_moves[vertex] != 0)
        result.torque += contact.weights[k] * run.at(vertex).cross(f).z();
    }
  }
  return result;
}

// An elastic block of 0.1 m between two jaws that close by 20 um each and then turn about its middle by TURN degrees
// a second.
std::string jaws(const std::string& scheme, const std::string& step, const std::string& turn, const std::string& mu) {
  return with(R"json({"time": {"step": STEP, "duration": 1, "scheme": "SCHEME"}, "gravity": [0, 0, 0],
    "materials": {"m": {"young": 2e11, "poisson": 0.3, "density": 7800, "damping": {"stiffness": 1e-4}}},
    "meshes": {"b": {"generate": "box", "size": [0.1, 0.1, 0.1], "cells": [3, 3, 3]},
               "j": {"generate": "box", "size": [0.02, 0.14, 0.14], "cells": [1, 2, 2]}},
    "objects": [{"name": "block", "mesh": "b", "material": "m"},
      {"name": "left", "type": "scripted", "mesh": "j", "position": [-0.06001, 0, 0],
       "motion": {"axis": [0, 0, 1], "center": [0, 0, 0], "degrees": "TURN*max(0,t-0.02)",
         "translation": ["2e-5*min(t/0.02,1)*cos(TURN*max(0,t-0.02)*pi/180)", "2e-5*min(t/0.02,1)*sin(TURN*max(0,t-0.02)*pi/180)", 0]}},
      {"name": "right", "type": "scripted", "mesh": "j", "position": [0.06001, 0, 0],
       "motion": {"axis": [0, 0, 1], "center": [0, 0, 0], "degrees": "TURN*max(0,t-0.02)",
         "translation": ["-2e-5*min(t/0.02,1)*cos(TURN*max(0,t-0.02)*pi/180)", "-2e-5*min(t/0.02,1)*sin(TURN*max(0,t-0.02)*pi/180)", 0]}}],
    "contact": {"friction": MU}})json",
              {{"SCHEME", scheme}, {"STEP", step}, {"TURN", turn}, {"MU", mu}});
}

struct Jaws {
  const char* name;
  const char* scheme;
  const char* friction;
};
struct InJawsThatTurn : testing::TestWithParam<Jaws> {};

// Once they turn evenly nothing changes but the direction: they need no torque, and do no work. Contacts that pushed
// by arms of the start and the end under Newton's schemes, too, took 1,076 of 46,000 N m of them at 20 rad/s; counted
// along chords, the work was -N r a^2 a step.
TEST_P(InJawsThatTurn, ABlockTakesNoTorqueAndNoWork) {
  Played run(jaws(GetParam().scheme, "0.001", "1000", GetParam().friction));
  run.advance(30);
  const double a = 1000 * pi / 180 * 0.001;
  const double begin = measure(run.model, run.state).kinetic_energy;
  Sum sum;
  double torque = 0, arms = 0;
  constexpr int steps = 40;
  for (int n = 0; n < steps; ++n) {
    const Sum one = play(run, 1);
    sum.prescribed += one.prescribed;
    const Pressed now = pressed(run);
    torque += now.torque / steps;
    arms += now.force * 0.05 / steps;  // N r
  }
  ASSERT_GT(arms, 1e4);
  EXPECT_LT(std::abs(torque), 0.002 * arms);
  const double chords = arms * a * a / 2 * steps;
  const double taken = measure(run.model, run.state).kinetic_energy - begin;
  EXPECT_LT(std::abs(sum.prescribed - taken), 0.1 * chords);
}

INSTANTIATE_TEST_SUITE_P(Of, InJawsThatTurn,
                         testing::Values(Jaws{"ImplicitEuler", "implicit-euler", "0.5"},
                                         Jaws{"SemiImplicit", "semi-implicit", "0.5"},
                                         Jaws{"GeneralizedAlpha", "generalized-alpha", "0.5"},
                                         Jaws{"QuasiStatic", "quasi-static", "0.5"}),
                         [](const auto& tested) { return tested.param.name; });

// A strip that two driven rollers squeeze is held by them where they touch it, and its free end hangs on: what
// turns there is not what they press. From rest it never has more energy than the rollers have given, and contacts
// give it none (2.8 J, and it had 0.39 of 0.28 J, while the arms of contacts turned as the whole strip did).
TEST(Nip, DrawsAStripThroughWithoutEnergyFromNothing) {
  const char* roller = R"json({"name": "NAME", "type": "scripted", "mesh": "rod",
      "rotation": {"axis": [1, 0, 0], "degrees": 90}, "position": [0, 0, HEIGHT],
      "motion": {"axis": [0, 1, 0], "center": [0, 0, HEIGHT], "degrees_per_second": TURN,
                 "translation": [0, 0, "CLOSE*min(t/0.2,1)"]}})json";
  Played run(
      with(R"json({"time": {"step": 0.005, "duration": 1}, "gravity": [0, 0, 0],
    "materials": {"m": {"young": 5e7, "poisson": 0.3, "density": 1000}},
    "meshes": {"strip": {"generate": "box", "size": [0.2, 0.0133, 0.01], "cells": [26, 1, 2]},
               "rod": {"generate": "cylinder", "radius": 0.03, "length": 0.02, "segments": 48}},
    "objects": [{"name": "strip", "mesh": "strip", "material": "m", "position": [0.07, 0, 0]}, UP, DOWN],
    "contact": {"friction": 0.4}})json",
           {{"UP", with(roller, {{"NAME", "up"}, {"HEIGHT", "0.0352"}, {"TURN", "-90"}, {"CLOSE", "-6e-4"}})},
            {"DOWN", with(roller, {{"NAME", "down"}, {"HEIGHT", "-0.0352"}, {"TURN", "90"}, {"CLOSE", "6e-4"}})}}));
  const Index first = run.model.objects[0].vertices.begin;
  double given = 0, corrections = 0, begin = 0;
  for (int n = 0; n < 52; ++n) {
    const Sum one = play(run, 1);
    if (n == 25) begin = run.at(first).x();
    given += one.prescribed;
    corrections += one.correction;
    const Measures now = measure(run.model, run.state);
    ASSERT_LT(now.kinetic_energy + now.elastic_energy, given + 1e-3) << "step " << n + 1;
  }
  EXPECT_GT(given, 0.2);
  EXPECT_LT(std::abs(corrections), 0.05 * given);
  // What they squeeze by 8 % is longer there by Poisson's ratio of that, and so much slower when it has left.
  const double way_of_rollers = 0.03 * pi / 2 * 26 * 0.005;
  EXPECT_NEAR(run.at(first).x() - begin, way_of_rollers / 1.024, 0.03 * way_of_rollers);
}

// A weight that a plate carries round is lifted by it: its direction stays, and the work is m g h. Along tangents it
// would be 1.7 % off, at 2 degrees an increment.
TEST(TurningWork, OfAWeightThatIsCarriedRoundIsWhatItRisesBy) {
  Played run(R"json({"time": {"step": 0.1, "duration": 1, "scheme": "quasi-static"},
    "materials": {"m": {"young": 1e7, "poisson": 0.3, "density": 1000}},
    "meshes": {"b": {"generate": "box", "size": [0.1, 0.1, 0.05], "cells": [2, 2, 1]},
               "p": {"generate": "box", "size": [0.3, 0.3, 0.1], "cells": [1, 1, 1]}},
    "objects": [{"name": "block", "mesh": "b", "material": "m", "position": [1, 0, 1.075001]},
      {"name": "plate", "type": "scripted", "mesh": "p", "position": [1, 0, 1],
       "motion": {"axis": [0, 1, 0], "center": [0, 0, 0], "degrees": "-20*max(0,t-0.1)"}}],
    "contact": {"friction": 0.8}, "solver": {"relative_tolerance": 1e-4}})json");
  run.advance(1);
  const double before = measure(run.model, run.state).potential_energy;
  const Sum sum = play(run, 6);
  const double risen = measure(run.model, run.state).potential_energy - before;
  ASSERT_GT(risen, 0.5);
  EXPECT_NEAR(sum.prescribed, risen, 0.003 * risen);
}

// A bar that is turned evenly by its end is pulled at by m w^2 r, which does no work.
TEST(TurningWork, OfADrivenHubIsNothingWhereItTurnsEvenly) {
  for (const std::string scheme : {"semi-implicit", "generalized-alpha"}) {
    Played run(with(R"json({"time": {"step": 0.001, "duration": 1, "scheme": "SCHEME"}, "gravity": [0, 0, 0],
      "materials": {"m": {"young": 1e8, "poisson": 0, "density": 1000}},
      "meshes": {"b": {"generate": "box", "size": [0.2, 0.02, 0.02], "cells": [10, 1, 1]}},
      "objects": [{"name": "bar", "mesh": "b", "material": "m", "position": [0.15, 0, 0], "angular_velocity": [0, 0, 20],
        "velocity": [0, 3, 0], "boundary": [{"box": [[-9, -9, -9], [0.051, 9, 9]],
          "motion": {"axis": [0, 0, 1], "center": [0, 0, 0], "degrees": "20*t*180/pi"}}]}]})json",
                    {{"SCHEME", scheme}}));
    run.advance(20);
    const Sum sum = play(run, 300);
    const double pull = 0.08 * 20 * 20 * 0.15;  // N
    EXPECT_LT(std::abs(sum.prescribed), 0.1 * pull * 0.05 * 0.02 * 0.02 / 2 * 300) << scheme;
  }
}

// A wheel that spins on the floor as it begins to roll: each of its facets is a new contact, and what friction loses
// is what the wheel does. Only what a contact slid after its impact was counted: 0.3 of 27 J.
TEST(FrictionLoss, OfAWheelThatSpinsIsWhatTheWheelLoses) {
  Played run(R"json({"time": {"step": 0.001, "duration": 1},
    "materials": {"m": {"young": 1e9, "poisson": 0.3, "density": 1000}},
    "meshes": {"c": {"generate": "cylinder", "radius": 0.1, "length": 0.05, "segments": 48}, "g": {"generate": "half-space"}},
    "objects": [{"name": "floor", "type": "fixed", "mesh": "g"},
      {"name": "wheel", "type": "rigid", "mesh": "c", "material": "m", "rotation": {"axis": [1, 0, 0], "degrees": 90},
       "position": [0, 0, 0.10001], "angular_velocity": [0, 300, 0]}],
    "contact": {"friction": 0.3}})json");
  const double before = measure(run.model, run.state).kinetic_energy;
  const Sum sum = play(run, 200);
  const double lost = before - measure(run.model, run.state).kinetic_energy;
  ASSERT_GT(lost, 20);
  EXPECT_NEAR(sum.friction, lost, 0.04 * lost);
  EXPECT_LT(std::abs(sum.correction), 0.05 * lost);
}

// Of all steps, J: what contacts do to an object.
struct Worked {
  Sum sum;
  std::vector<double> of_contacts;
};
Worked play_with_objects(Played& run, int steps) {
  Worked result{{}, std::vector<double>(run.model.objects.size())};
  for (int n = 0; n < steps; ++n) {
    const StepReport report = run.advance(1);
    result.sum.prescribed += report.work_prescribed;
    result.sum.friction += report.dissipation_friction;
    result.sum.correction += report.work_correction;
    result.sum.scheme += report.dissipation_scheme;
    const std::vector<ObjectRow> rows = object_rows(run.model, run.state, run.scratch.solved, report);
    for (std::size_t k = 0; k < rows.size(); ++k) result.of_contacts[k] += rows[k].contact_work;
  }
  return result;
}

const char* drum = R"json({"name": "NAME", "type": "scripted", "mesh": "drum",
    "rotation": {"axis": [1, 0, 0], "degrees": 90}, "position": [PLACE, 0, -0.1],
    "motion": {"axis": [0, 1, 0], "center": [PLACE, 0, -0.1], "degrees_per_second": TURN}})json";

// A plank of 0.64 kg on two drums that turn by 0.0314 rad a step.
std::string plank(const char* type, const char* left, const char* right, const char* mu) {
  return with(R"json({"time": {"step": 0.002, "duration": 1},
    "materials": {"m": {"young": 1e8, "density": 1000, "damping": {"stiffness": 1e-4}}},
    "meshes": {"drum": {"generate": "cylinder", "radius": 0.1, "length": 0.02, "segments": 360},
               "plank": {"generate": "box", "size": [1, 0.016, 0.04], "cells": [20, 1, 1]}},
    "objects": [LEFT, RIGHT,
      {"name": "plank", "type": "TYPE", "mesh": "plank", "material": "m", "position": [0.05, 0, 0.020002]}],
    "contact": {"friction": MU}})json",
              {{"LEFT", with(drum, {{"NAME", "left"}, {"PLACE", "-0.3"}, {"TURN", left}})},
               {"RIGHT", with(drum, {{"NAME", "right"}, {"PLACE", "0.3"}, {"TURN", right}})},
               {"TYPE", type},
               {"MU", mu}});
}

// The force turns from vertex to vertex and not with the drum: along chords a plank would have got N r w^2 dt / 2,
// 0.012 J in these 40 steps.
TEST(ContactWork, OfDrumsUnderAPlankWithoutFrictionIsNothing) {
  for (const char* type : {"rigid", "deformable"}) {
    Played run(plank(type, "900", "-900", "0"));
    const Worked worked = play_with_objects(run, 40);
    const double chords = 0.64 * g * 0.1 * std::pow(900 * pi / 180, 2) * 0.002 / 2 * 0.08;
    ASSERT_GT(chords, 0.012);
    EXPECT_LT(std::abs(worked.of_contacts[0]) + std::abs(worked.of_contacts[1]), 0.02 * chords) << type;
    EXPECT_NEAR(worked.of_contacts[0] + worked.of_contacts[1], -worked.sum.prescribed, 1e-12) << type;
  }
}

// What drums give by friction is what friction takes, and what sets the plank in motion; whichever way they turn, and
// wherever the plank's centre is. Rigid planks lost 5 % too little outward and too much inward.
TEST(ContactWork, OfDrumsUnderAPlankIsWhatFrictionAndThePlankTake) {
  struct Sense {
    const char *left, *right;
  };
  for (const Sense sense : {Sense{"-900", "900"}, Sense{"900", "-900"}}) {
    for (const char* type : {"rigid", "deformable"}) {
      Played run(plank(type, sense.left, sense.right, "0.3"));
      const Worked worked = play_with_objects(run, 50);
      const double given = 0.3 * 0.64 * g * 0.1 * 900 * pi / 180 * 0.1;  // mu N v t
      const double taken = measure(run.model, run.state).kinetic_energy;
      EXPECT_NEAR(worked.sum.prescribed, given, 0.003 * given) << type << ' ' << sense.left;
      EXPECT_NEAR(-worked.of_contacts[0] - worked.of_contacts[1], worked.sum.prescribed, 1e-9) << type;
      EXPECT_NEAR(worked.of_contacts[2], taken, 0.002 * given) << type << ' ' << sense.left;
      EXPECT_NEAR(worked.sum.friction, worked.sum.prescribed - taken, 0.003 * given) << type << ' ' << sense.left;
      EXPECT_LT(std::abs(worked.sum.scheme - worked.sum.correction), 0.003 * given) << type << ' ' << sense.left;
    }
  }
}

// A wheel that has come to roll on a drum goes on, and gets nothing but what its facets take as they come round.
// Beside the drum's chords the wheel's tangents were work of corrections and of the scheme, 1.5 N r a^2 / 2 a step
// made by it.
TEST(ContactWork, OfARigidWheelThatRollsOnADrumIsNothing) {
  Played run(with(R"json({"time": {"step": 0.002, "duration": 1},
    "materials": {"m": {"young": 1e8, "density": 1000}},
    "meshes": {"drum": {"generate": "cylinder", "radius": 0.1, "length": 0.02, "segments": 360},
               "wheel": {"generate": "cylinder", "radius": 0.05, "length": 0.012, "segments": 180},
               "wall": {"generate": "half-space"}},
    "objects": [DRUM, {"name": "wheel", "type": "rigid", "mesh": "wheel", "material": "m",
        "rotation": {"axis": [1, 0, 0], "degrees": 90}, "position": [0, 0, 0.050003], "angular_velocity": [0, -20, 0]},
      {"name": "to", "type": "fixed", "mesh": "wall", "rotation": {"axis": [0, 1, 0], "degrees": -90},
       "position": [0.050004, 0, 0]},
      {"name": "fro", "type": "fixed", "mesh": "wall", "rotation": {"axis": [0, 1, 0], "degrees": 90},
       "position": [-0.050004, 0, 0]}],
    "contact": {"friction": 0.3, "pairs": [{"between": ["to", "wheel"], "friction": 0},
                                           {"between": ["fro", "wheel"], "friction": 0}]}})json",
                  {{"DRUM", with(drum, {{"NAME", "drum"}, {"PLACE", "0"}, {"TURN", "572.9577951308232"}})}}));
  run.advance(20);
  const Worked worked = play_with_objects(run, 50);
  const double chords = run.model.rigid[0].mass * g * 0.1 * 0.02 * 0.02 / 2 * 50;
  EXPECT_LT(std::abs(worked.of_contacts[0]), 0.3 * chords);
  EXPECT_LT(std::abs(worked.sum.correction), 0.6 * chords);
  EXPECT_GT(worked.sum.scheme, -0.1 * chords);
}

// A wheel that turns by 3 rad a step while it slides: friction was 0.2 of mu N, and at 4 rad along the slip. Steps
// are divided there, and what contacts do to the wheel is that of all their parts.
TEST(FarTurns, OfARigidWheelLeaveFrictionAgainstItsSlip) {
  for (const std::string rate : {"3000", "4000"}) {
    Played run(with(R"json({"time": {"step": 0.001, "duration": 1},
      "materials": {"m": {"young": 1e9, "poisson": 0.3, "density": 1000}},
      "meshes": {"c": {"generate": "cylinder", "radius": 0.1, "length": 0.05, "segments": 48},
                 "g": {"generate": "half-space"}},
      "objects": [{"name": "floor", "type": "fixed", "mesh": "g"},
        {"name": "wheel", "type": "rigid", "mesh": "c", "material": "m", "rotation": {"axis": [1, 0, 0], "degrees": 90},
         "position": [0, 0, 0.10001], "angular_velocity": [0, RATE, 0]}],
      "contact": {"friction": 0.3}})json",
                    {{"RATE", rate}}));
    const double mass = run.model.rigid[0].mass;
    Vec3 pushed = Vec3::Zero();
    RigidState before = run.state.rigid[0];
    Index divided = 0;
    for (int n = 0; n < 200; ++n) {
      const StepReport report = run.advance(1);
      const ObjectRow row = object_rows(run.model, run.state, run.scratch.solved, report)[1];
      const RigidState& now = run.state.rigid[0];
      const Vec3 given = mass * (now.velocity - before.velocity - Vec3(0, 0, -g * 0.001));
      const Vec3 turned = now.spin - before.spin;
      EXPECT_LT((0.001 * row.contact_force + before.left_over - now.left_over - given).norm(), 1e-9) << n;
      const Vec3 missed = 0.001 * row.contact_torque + before.left_over_spin - now.left_over_spin - turned;
      EXPECT_LT(missed.norm(), 0.01 * turned.norm() + 1e-9) << n;  // arms of the last round, and of the end
      before = now;
      pushed += row.contact_force;
      divided += report.substeps > 1 ? 1 : 0;
    }
    ASSERT_GT(divided, 2) << rate;
    EXPECT_NEAR(pushed.x(), 0.3 * pushed.z(), 0.01 * pushed.z()) << rate;
  }
}

}  // namespace turning_work_test
}  // namespace sim
