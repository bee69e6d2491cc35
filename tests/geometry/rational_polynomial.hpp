// Polynomials in one variable with rational coefficients, their real roots, and signs at these, all exact.
#pragma once

#include <gmpxx.h>

#include <vector>

namespace sim::reference {

using Rational = mpq_class;

class Polynomial {
 public:
  Polynomial() = default;
  explicit Polynomial(std::vector<Rational> c) : coefficients_(std::move(c)) { drop_zeros(); }

  int degree() const { return static_cast<int>(coefficients_.size()) - 1; }  // -1 for zero
  bool is_zero() const { return coefficients_.empty(); }
  const Rational& operator[](int i) const { return coefficients_[i]; }
  Rational at(const Rational& t) const;
  int sign_at(const Rational& t) const { return sgn(at(t)); }
  Polynomial derivative() const;
  Polynomial primitive() const;  // scaled by a positive number to small whole coefficients

  friend Polynomial operator+(const Polynomial& a, const Polynomial& b);
  friend Polynomial operator-(const Polynomial& a, const Polynomial& b);
  friend Polynomial operator*(const Polynomial& a, const Polynomial& b);

 private:
  void drop_zeros();
  std::vector<Rational> coefficients_;  // lowest power first, the last one not zero
};

Polynomial remainder(const Polynomial& a, const Polynomial& b);
Polynomial quotient(const Polynomial& a, const Polynomial& b);
Polynomial greatest_common_divisor(Polynomial a, Polynomial b);

// Sturm's chain: counts the distinct roots in half-open intervals.
class RootCounter {
 public:
  explicit RootCounter(const Polynomial& p);
  int count(const Rational& low, const Rational& high) const {
    return changes(low) - changes(high);
  }  // in (low, high]

  const Polynomial& square_free() const { return chain_[0]; }  // the polynomial without its multiple roots

 private:
  int changes(const Rational& t) const;
  std::vector<Polynomial> chain_;
};

// One root of a polynomial: the only one in (low, high].
class Root {
 public:
  Root(Polynomial square_free, Rational low, Rational high);
  int sign_of(const Polynomial& g);  // the sign of g at the root
  void narrow(const Rational& width);
  const Rational& low() const { return low_; }
  const Rational& high() const { return high_; }

 private:
  void halve();
  Polynomial square_free_;
  Rational low_, high_;
  int sign_at_low_ = 0;
};

// The distinct roots in (0, 1] of a polynomial that is not zero, in ascending order.
std::vector<Root> roots_in_unit_interval(const Polynomial& p);

}  // namespace sim::reference
