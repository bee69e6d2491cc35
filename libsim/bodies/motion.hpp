// Motion that is prescribed, not computed: scripted objects, and scripted vertices of deformable ones.
//
// A motion says where at time t a point is whose place at rest is X:
//     x(X, t) = c + Q(t) (X - c) + d(t)
// with a turn Q about the axis through c and a shift d. Each is the sum of what is given of: a constant velocity,
// keyframes (linear in between, constant outside), and expressions of t. Where keyframes have quaternions q,
//     Q(t) = (turn about the axis) S(t),     S(t) = exp(s log(S1 S0^T)) S0,  s from 0 to 1 from one to the next
// so that the angular velocity of S is constant in between. S1 S0^T is taken as a turn of at most half a turn.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "math/types.hpp"

namespace sim {

struct Keyframe {
  double time = 0;                                       // s, ascending
  Vec3 translation{0, 0, 0};                             // m
  double degrees = 0;                                    // about the motion's axis
  std::optional<std::array<double, 4>> quaternion = {};  // w, x, y, z, of any length; of all keyframes or of none
};

struct MotionSpec {
  Vec3 velocity{0, 0, 0};  // m/s
  Vec3 axis{0, 0, 1};      // need not be a unit vector
  Vec3 center{0, 0, 0};    // m, a point of the axis
  double degrees_per_second = 0;
  std::vector<Keyframe> keyframes;                    // empty: none
  std::string file;                                   // where keyframes come from instead (scene/motion_file.hpp)
  std::array<std::string, 3> translation_expression;  // m, of t in seconds; empty: none
  std::string degrees_expression;                     // degrees, of t; empty: none
};

struct Pose {  // x = turn X + shift
  Mat3 turn = Mat3::Identity();
  Vec3 shift{0, 0, 0};
  Vec3 apply(const Vec3& X) const { return turn * X + shift; }
};

class Motion {
 public:
  Motion();                                 // stands still
  explicit Motion(const MotionSpec& spec);  // throws InputError for an expression that cannot be understood
  Motion(Motion&&) noexcept;
  Motion& operator=(Motion&&) noexcept;
  ~Motion();

  Pose pose(double time) const;  // not to be called by two threads at once
  bool stands_still() const;     // at its place at rest, for ever

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;  // none: stands still
};

}  // namespace sim
