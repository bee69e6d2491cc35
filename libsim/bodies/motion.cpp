#include "bodies/motion.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <numbers>

#include "bodies/expression.hpp"

namespace sim {

namespace {

std::unique_ptr<Expression> compile(const std::string& text) {
  return text.empty() ? nullptr : std::make_unique<Expression>(text);
}

struct Prescribed {
  Vec3 translation{0, 0, 0};
  double degrees = 0;
  Mat3 turn = Mat3::Identity();  // S of the header
};

Eigen::Quaterniond unit(const Keyframe& keyframe) {
  if (!keyframe.quaternion) return Eigen::Quaterniond::Identity();
  Eigen::Vector4d q(keyframe.quaternion->data());
  q /= q.lpNorm<Eigen::Infinity>();  // of any length: its square may be no number
  q.normalize();
  return {q[0], q[1], q[2], q[3]};
}

Prescribed at(const Keyframe& keyframe) {
  return {keyframe.translation, keyframe.degrees, unit(keyframe).toRotationMatrix()};
}

Prescribed between_keyframes(const std::vector<Keyframe>& keyframes, double time) {
  const auto after = std::upper_bound(keyframes.begin(), keyframes.end(), time,
                                      [](double t, const Keyframe& keyframe) { return t < keyframe.time; });
  if (after == keyframes.begin()) return at(*after);
  const auto before = std::prev(after);
  if (after == keyframes.end()) return at(*before);
  const double share = (time - before->time) / (after->time - before->time);
  return {before->translation + share * (after->translation - before->translation),
          before->degrees + share * (after->degrees - before->degrees),
          unit(*before).slerp(share, unit(*after)).normalized().toRotationMatrix()};
}

}  // namespace

struct Motion::Impl {
  MotionSpec spec;
  std::array<std::unique_ptr<Expression>, 3> translation;
  std::unique_ptr<Expression> degrees;
};

Motion::Motion() = default;
Motion::Motion(Motion&&) noexcept = default;
Motion& Motion::operator=(Motion&&) noexcept = default;
Motion::~Motion() = default;

Motion::Motion(const MotionSpec& spec) : impl_(std::make_unique<Impl>()) {
  impl_->spec = spec;
  for (std::size_t i = 0; i < 3; ++i) impl_->translation[i] = compile(spec.translation_expression[i]);
  impl_->degrees = compile(spec.degrees_expression);
}

Pose Motion::pose(double time) const {
  if (!impl_) return {};
  const MotionSpec& spec = impl_->spec;
  Prescribed prescribed{spec.velocity * time, spec.degrees_per_second * time, Mat3::Identity()};
  if (!spec.keyframes.empty()) {
    const Prescribed keyed = between_keyframes(spec.keyframes, time);
    prescribed.translation += keyed.translation;
    prescribed.degrees += keyed.degrees;
    prescribed.turn = keyed.turn;
  }
  for (int i = 0; i < 3; ++i) {
    if (Expression* expression = impl_->translation[static_cast<std::size_t>(i)].get()) {
      prescribed.translation[i] += expression->at(time);
    }
  }
  if (impl_->degrees) prescribed.degrees += impl_->degrees->at(time);

  Pose pose{prescribed.turn};
  if (prescribed.degrees != 0) {
    const Eigen::AngleAxisd about(prescribed.degrees * std::numbers::pi / 180, spec.axis.normalized());
    pose.turn = about.toRotationMatrix() * prescribed.turn;
  }
  pose.shift = spec.center - pose.turn * spec.center + prescribed.translation;
  return pose;
}

bool Motion::stands_still() const {
  if (!impl_) return true;
  const MotionSpec& spec = impl_->spec;
  const bool has_expression = impl_->degrees || std::any_of(impl_->translation.begin(), impl_->translation.end(),
                                                            [](const auto& e) { return e != nullptr; });
  return !has_expression && spec.keyframes.empty() && spec.velocity.isZero(0) && spec.degrees_per_second == 0;
}

}  // namespace sim
