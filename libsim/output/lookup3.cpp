#include "output/lookup3.hpp"

#include <bit>

namespace sim::hdf5 {
namespace {

std::uint32_t word(const unsigned char* p) {
  return p[0] | std::uint32_t{p[1]} << 8 | std::uint32_t{p[2]} << 16 | std::uint32_t{p[3]} << 24;
}

// x takes y away, is mixed with the rotated y, and y gains z.
void mix(std::uint32_t& x, std::uint32_t& y, std::uint32_t z, int turn) {
  x -= y;
  x ^= std::rotl(y, turn);
  y += z;
}

void finish(std::uint32_t& x, std::uint32_t y, int turn) {
  x ^= y;
  x -= std::rotl(y, turn);
}

}  // namespace

std::uint32_t lookup3(const unsigned char* data, std::size_t size, std::uint32_t seed) {
  std::uint32_t a = 0xdeadbeef + static_cast<std::uint32_t>(size) + seed, b = a, c = a;
  for (; size > 12; size -= 12, data += 12) {
    a += word(data);
    b += word(data + 4);
    c += word(data + 8);
    mix(a, c, b, 4);
    mix(b, a, c, 6);
    mix(c, b, a, 8);
    mix(a, c, b, 16);
    mix(b, a, c, 19);
    mix(c, b, a, 4);
  }
  a += word(data);
  if (size >= 8) b += word(data + 4);
  if (size >= 12) c += word(data + 8);
  finish(c, b, 14);
  finish(a, c, 11);
  finish(b, a, 25);
  finish(c, b, 16);
  finish(a, c, 4);
  finish(b, a, 14);
  finish(c, b, 24);
  return c;
}

}  // namespace sim::hdf5
