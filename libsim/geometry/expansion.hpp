// Numbers that are exact sums of doubles (Shewchuk 1997, "Adaptive precision floating-point arithmetic").
//
// The terms do not overlap and grow in size, so the sign of the last one is the sign of the number. Zero terms are
// dropped: the size adapts to what the number needs, up to the capacity N that the type states.
#pragma once

#include <array>
#include <cmath>

namespace sim {

template <int N>
class Expansion {
 public:
  int sign() const { return size_ == 0 ? 0 : (terms_[size_ - 1] > 0 ? 1 : -1); }
  int size() const { return size_; }
  double term(int i) const { return terms_[i]; }

  // Adds a double without error. The new term is passed through all terms; what rounds off stays behind.
  void add(double value) {
    int kept = 0;
    for (int i = 0; i < size_; ++i) {
      const double sum = value + terms_[i];
      const double from_term = sum - value;
      const double error = (value - (sum - from_term)) + (terms_[i] - from_term);
      if (error != 0) terms_[kept++] = error;
      value = sum;
    }
    if (value != 0) terms_[kept++] = value;
    size_ = kept;
  }

 private:
  std::array<double, N> terms_;  // the first size_ are set
  int size_ = 0;
};

inline Expansion<2> exact_difference(double a, double b) {
  Expansion<2> result;
  result.add(a);
  result.add(-b);
  return result;
}

template <int N, int M>
Expansion<N + M> operator+(const Expansion<N>& a, const Expansion<M>& b) {
  Expansion<N + M> result;
  for (int i = 0; i < a.size(); ++i) result.add(a.term(i));
  for (int i = 0; i < b.size(); ++i) result.add(b.term(i));
  return result;
}

template <int N>
Expansion<N> operator-(const Expansion<N>& a) {
  Expansion<N> result;
  for (int i = 0; i < a.size(); ++i) result.add(-a.term(i));
  return result;
}

template <int N, int M>
Expansion<2 * N * M> operator*(const Expansion<N>& a, const Expansion<M>& b) {
  Expansion<2 * N * M> result;
  for (int i = 0; i < a.size(); ++i) {
    for (int j = 0; j < b.size(); ++j) {
      const double product = a.term(i) * b.term(j);
      result.add(std::fma(a.term(i), b.term(j), -product));
      result.add(product);
    }
  }
  return result;
}

template <int N, int M>
Expansion<N + M> operator-(const Expansion<N>& a, const Expansion<M>& b) {
  return a + (-b);
}

}  // namespace sim
