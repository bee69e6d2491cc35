// Four numbers side by side, for kernels that run a million times a second. Every lane has the bits that its own
// numbers give, whatever is in the others.
#pragma once

#include <experimental/simd>
#include <numbers>

namespace sim {

inline constexpr std::size_t lanes = 4;
using Pack = std::experimental::simd<double, std::experimental::simd_abi::deduce_t<double, lanes>>;

struct Pack3 {
  Pack x, y, z;
};

[[gnu::always_inline]] inline Pack3 operator+(const Pack3& a, const Pack3& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
[[gnu::always_inline]] inline Pack3 operator-(const Pack3& a, const Pack3& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
[[gnu::always_inline]] inline Pack3 operator*(const Pack& s, const Pack3& a) {
  return {s * a.x, s * a.y, s * a.z};
}
[[gnu::always_inline]] inline Pack dot(const Pack3& a, const Pack3& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
[[gnu::always_inline]] inline Pack3 cross(const Pack3& a, const Pack3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// Three numbers of one thing in a pack, and 0.
[[gnu::always_inline]] inline Pack row_of(double x, double y, double z) {
  return Pack([&](auto axis) {
    if constexpr (axis == 0) return x;
    if constexpr (axis == 1) return y;
    if constexpr (axis == 2) return z;
    if constexpr (axis == 3) return 0.0;
  });
}

// 1/a where `defined`, 0 elsewhere.
[[gnu::always_inline]] inline Pack inverse_where(const Pack::mask_type& defined, const Pack& a) {
  Pack safe = 1.0;
  where(defined, safe) = a;
  Pack inverse = 0.0;
  where(defined, inverse) = 1.0 / safe;
  return inverse;
}

// Within 4 units in the last place; 0 of (0, 0), in [-pi, pi].
//
//     |u| <= tan(pi/8):   atan u = u + u^3 q(u^2),   q interpolates at Chebyshev's points, to 8e-18
//     others:             atan u = pi/4 + atan((u - 1) / (u + 1)) up to 1, pi/2 - atan(1/u) above
[[gnu::always_inline]] inline Pack atan2(const Pack& y, const Pack& x) {
  constexpr double pi = std::numbers::pi;
  constexpr std::array<double, 11> q{-0x1.5555555555555p-2, 0x1.999999999934ap-3,  -0x1.24924924360cbp-3,
                                     0x1.c71c7185314cbp-4,  -0x1.745d0b26b83e7p-4, 0x1.3b1262d95579ep-4,
                                     -0x1.10fa75382537fp-4, 0x1.dfe61e80903d2p-5,  -0x1.a098bb6ba4941p-5,
                                     0x1.41603647c7a7cp-5,  -0x1.3a2b7a07caea9p-6};
  const Pack flat = abs(x), steep = abs(y), low = min(flat, steep), high = max(flat, steep);
  const auto is_large = low > (std::numbers::sqrt2 - 1) * high;
  Pack over = low, under = high, angle = 0.0;
  where(is_large, over) = low - high;
  where(is_large, under) = low + high;
  where(is_large, angle) = pi / 4;
  const Pack u = over * inverse_where(under > 0.0, under), z = u * u;
  Pack sum = q.back();
  for (std::size_t k = q.size() - 1; k-- > 0;) sum = sum * z + q[k];
  angle += u + u * (z * sum);
  where(steep > flat, angle) = pi / 2 - angle;
  where(x < 0.0, angle) = pi - angle;
  return copysign(angle, y);
}

}  // namespace sim
