// A pogo stick in one dimension, written without the code that it is compared with: two masses of 1 kg, a spring of
// 1 N/m and 1 m between them, a floor without losses, by the three laws that section 3 of Harmon et al. 2009
// compares.
//
//     fly straight to the next tick of gravity, of the spring or of a layer that pushes there;  kick by those that
//     tick
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace sim::test {

enum class PogoLaw {
  regular,    // layers tick at multiples of their steps, whatever they meet
  restarted,  // a layer's clock begins anew where the stick enters it
  reflected,  // no layers: the velocity of what meets the floor is turned round
};

class Pogo {
 public:
  PogoLaw law = PogoLaw::regular;
  double lower = 1, upper = 2;  // m
  double lower_velocity = 0, upper_velocity = 0;

  Pogo(double gravity, double thickness, double stiffness, double fraction) : gravity_(gravity) {
    const double longest = 2 * fraction / std::sqrt(stiffness);
    for (int l = 1; l <= 1000; ++l)
      layers_.push_back(
          {thickness * std::pow(l, -0.25), stiffness * std::pow(l, 3.0), period_of(longest * std::pow(l, -1.5)), 0});
    // Gravity and the spring: a quarter of 2 / omega, and short enough for what rests in layer 8.
    slow_ = period_of(std::min(0.25 * 2 / std::sqrt(2.0), M_PI * longest / (2 * fraction * 8 * 8)));
  }

  // By a second, at whose beginning and end all that ticks there is halved.
  void advance() {
    kick(0, 0.5);
    for (std::int64_t now = 0; now < second;) {
      const std::int64_t next = next_tick(now);
      fly(now, next);
      kick(next, next == second ? 0.5 : 1.0);
      now = next;
    }
    for (Layer& layer : layers_) layer.begin -= second;
  }

  double energy() const {
    const double stretch = upper - lower - 1;
    double sum = 0.5 * (lower_velocity * lower_velocity + upper_velocity * upper_velocity + stretch * stretch) +
                 gravity_ * (lower + upper);
    for (int l = 0; l < pushing(lower); ++l)
      sum += 0.5 * layers_[l].stiffness * std::pow(layers_[l].thickness - lower, 2);
    return sum;
  }

 private:
  static constexpr std::int64_t second = std::int64_t{1} << 30;
  static constexpr double tick = 1.0 / second;

  struct Layer {
    double thickness, stiffness;
    std::int64_t period, begin;
  };
  double gravity_;
  std::vector<Layer> layers_;
  std::int64_t slow_;

  static std::int64_t period_of(double longest) {  // the longest power of two
    std::int64_t period = second;
    while (static_cast<double>(period) * tick > longest) period /= 2;
    return period;
  }
  static std::int64_t after(std::int64_t now, std::int64_t begin, std::int64_t period) {
    return begin + ((now - begin) / period + 1) * period;
  }

  int pushing(double height) const {
    int l = 0;
    if (law != PogoLaw::reflected)
      while (l < static_cast<int>(layers_.size()) && height < layers_[l].thickness) ++l;
    return l;
  }
  std::int64_t entered(const Layer& layer, std::int64_t now) const {
    return now + static_cast<std::int64_t>((layer.thickness - lower) / lower_velocity / tick);
  }
  std::int64_t next_of(const Layer& layer, std::int64_t now) const {
    const bool begins = law == PogoLaw::restarted && lower >= layer.thickness && lower_velocity < 0;
    return begins ? entered(layer, now) + layer.period : after(now, layer.begin, layer.period);
  }
  std::int64_t next_tick(std::int64_t now) const {
    for (std::int64_t next = after(now, 0, slow_);;) {
      std::int64_t sooner = next;
      const double there = lower + lower_velocity * static_cast<double>(next - now) * tick;
      for (int l = 0; l < std::max(pushing(lower), pushing(there)); ++l)
        sooner = std::min(sooner, next_of(layers_[l], now));
      if (std::exchange(next, sooner) == sooner) return next;
    }
  }
  void fly(std::int64_t now, std::int64_t next) {
    const double h = static_cast<double>(next - now) * tick, there = lower + lower_velocity * h;
    if (law == PogoLaw::restarted)
      for (int l = pushing(lower); l < pushing(there); ++l) layers_[l].begin = entered(layers_[l], now);
    const bool bounces = law == PogoLaw::reflected && there < 0 && lower_velocity < 0;
    lower = bounces ? -there : there;
    if (bounces) lower_velocity = -lower_velocity;
    upper += upper_velocity * h;
  }
  void kick(std::int64_t now, double part) {
    double on_lower = 0, on_upper = 0;
    if (now % slow_ == 0) {
      const double h = static_cast<double>(slow_) * tick, stretch = upper - lower - 1;
      on_lower += h * (stretch - gravity_);
      on_upper += h * (-stretch - gravity_);
    }
    for (int l = 0; l < pushing(lower); ++l)
      if ((now - layers_[l].begin) % layers_[l].period == 0)
        on_lower +=
            static_cast<double>(layers_[l].period) * tick * layers_[l].stiffness * (layers_[l].thickness - lower);
    lower_velocity += part * on_lower;
    upper_velocity += part * on_upper;
  }
};

}  // namespace sim::test
