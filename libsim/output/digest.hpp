// 64 bits by which damage of what a file holds is noticed. A change of any one word changes them for sure, because
// every step can be undone; other changes go unnoticed once in 2^64 times. No protection against intent.
#pragma once

#include <bit>
#include <cstdint>
#include <cstdio>
#include <string>

namespace sim {

struct Digest {
  std::uint64_t value = 0x9e3779b97f4a7c15;

  void add(std::uint64_t word) {
    value = (value ^ word) * 0xbf58476d1ce4e5b9;
    value ^= value >> 32;
  }
  void add(const double* numbers, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) add(std::bit_cast<std::uint64_t>(numbers[i]));
  }
};

inline std::string digest_of(const std::string& text) {
  Digest digest;
  for (const char c : text) digest.add(static_cast<unsigned char>(c));
  char hexadecimal[17];
  std::snprintf(hexadecimal, sizeof hexadecimal, "%016llx", static_cast<unsigned long long>(digest.value));
  return hexadecimal;
}

}  // namespace sim
