// Motion that is told, not computed: scripted objects, and scripted vertices of deformable ones.
//
// A motion says where at time t a point is that was at X at time 0:
//     x(X, t) = c + Q(t) (X - c) + d(t)
// with a turn Q about a centre c and a shift d, each from any of: constant velocity, keyframes (linear in between,
// constant outside), or expressions of t.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "math/types.hpp"

namespace sim {

struct Keyframe {
  double time = 0;            // s, ascending
  Vec3 translation{0, 0, 0};  // m
  double degrees = 0;         // about the motion's axis
};

struct MotionSpec {
  Vec3 velocity{0, 0, 0};  // m/s
  Vec3 axis{0, 0, 1};      // need not be a unit vector
  Vec3 center{0, 0, 0};    // m, a point of the axis
  double degrees_per_second = 0;
  std::vector<Keyframe> keyframes;                    // empty: none
  std::array<std::string, 3> translation_expression;  // m, of t in seconds; empty: none
  std::string degrees_expression;                     // degrees, of t
};

class Motion {
 public:
  Motion();                                 // stands still
  explicit Motion(const MotionSpec& spec);  // throws InputError for an expression that cannot be understood
  Motion(Motion&&) noexcept;
  Motion& operator=(Motion&&) noexcept;
  ~Motion();

  Vec3 position(const Vec3& start, double time) const;
  bool stands_still() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// An expression of t, as muParser reads it: + - * / ^, sin cos exp sqrt min max, comparisons, (a ? b : c), pi.
// Throws InputError with the position in the text.
double evaluate_expression(const std::string& text, double t);

}  // namespace sim
