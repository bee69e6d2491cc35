#include "geometry/rational_polynomial.hpp"

#include <algorithm>
#include <utility>

namespace sim::reference {

void Polynomial::drop_zeros() {
  while (!coefficients_.empty() && coefficients_.back() == 0) coefficients_.pop_back();
}

Rational Polynomial::at(const Rational& t) const {
  Rational value = 0;
  for (int i = degree(); i >= 0; --i) value = value * t + coefficients_[i];
  return value;
}

Polynomial Polynomial::derivative() const {
  std::vector<Rational> c;
  for (int i = 1; i <= degree(); ++i) c.push_back(i * coefficients_[i]);
  return Polynomial(std::move(c));
}

Polynomial Polynomial::primitive() const {
  if (is_zero()) return {};
  mpz_class denominator = 1, divisor = 0;
  for (const Rational& c : coefficients_) denominator = lcm(denominator, c.get_den());
  for (const Rational& c : coefficients_)
    divisor = gcd(divisor, mpz_class(c.get_num() * (denominator / c.get_den())));
  std::vector<Rational> c;
  for (const Rational& x : coefficients_) {
    c.emplace_back(mpz_class(x.get_num() * (denominator / x.get_den()) / divisor));
  }
  return Polynomial(std::move(c));
}

Polynomial operator+(const Polynomial& a, const Polynomial& b) {
  std::vector<Rational> c(std::max(a.coefficients_.size(), b.coefficients_.size()), 0);
  for (std::size_t i = 0; i < a.coefficients_.size(); ++i) c[i] += a.coefficients_[i];
  for (std::size_t i = 0; i < b.coefficients_.size(); ++i) c[i] += b.coefficients_[i];
  return Polynomial(std::move(c));
}

Polynomial operator-(const Polynomial& a, const Polynomial& b) {
  return a + Polynomial({-1}) * b;
}

Polynomial operator*(const Polynomial& a, const Polynomial& b) {
  if (a.is_zero() || b.is_zero()) return {};
  std::vector<Rational> c(a.coefficients_.size() + b.coefficients_.size() - 1, 0);
  for (int i = 0; i <= a.degree(); ++i) {
    for (int j = 0; j <= b.degree(); ++j) c[i + j] += a.coefficients_[i] * b.coefficients_[j];
  }
  return Polynomial(std::move(c));
}

namespace {

std::pair<Polynomial, Polynomial> divide(Polynomial a, const Polynomial& b) {
  Polynomial result;
  while (a.degree() >= b.degree()) {
    std::vector<Rational> c(a.degree() - b.degree() + 1, 0);
    c.back() = a[a.degree()] / b[b.degree()];
    const Polynomial term(std::move(c));
    result = result + term;
    a = a - term * b;
  }
  return {result, a};
}

}  // namespace

Polynomial remainder(const Polynomial& a, const Polynomial& b) {
  return divide(a, b).second;
}

Polynomial quotient(const Polynomial& a, const Polynomial& b) {
  return divide(a, b).first;
}

Polynomial greatest_common_divisor(Polynomial a, Polynomial b) {
  while (!b.is_zero()) {
    Polynomial r = remainder(a, b).primitive();
    a = std::exchange(b, std::move(r));
  }
  return a;
}

RootCounter::RootCounter(const Polynomial& p) {
  // Without multiple roots, so that an end of the interval may be a root.
  chain_ = {quotient(p, greatest_common_divisor(p, p.derivative())).primitive()};
  chain_.push_back(chain_[0].derivative());
  while (!chain_.back().is_zero()) {
    const Polynomial& before_last = chain_[chain_.size() - 2];
    chain_.push_back((Polynomial({-1}) * remainder(before_last, chain_.back())).primitive());
  }
  chain_.pop_back();
}

int RootCounter::changes(const Rational& t) const {
  int result = 0, last = 0;
  for (const Polynomial& p : chain_) {
    const int sign = p.sign_at(t);
    if (sign == 0) continue;
    if (last != 0 && sign != last) ++result;
    last = sign;
  }
  return result;
}

Root::Root(Polynomial square_free, Rational low, Rational high)
    : square_free_(std::move(square_free)), low_(std::move(low)), high_(std::move(high)) {
  // Where the lower end is a root of its own (which does not belong to the interval), the sign beyond it is wanted.
  sign_at_low_ = square_free_.sign_at(low_);
  if (sign_at_low_ == 0) sign_at_low_ = square_free_.derivative().sign_at(low_);
}

// A simple root changes the sign, and one sign is cheaper than a count.
void Root::halve() {
  const Rational middle = (low_ + high_) / 2;
  const int sign = square_free_.sign_at(middle);
  (sign == 0 || sign != sign_at_low_ ? high_ : low_) = middle;
}

void Root::narrow(const Rational& width) {
  while (high_ - low_ > width) halve();
}

int Root::sign_of(const Polynomial& g) {
  if (g.is_zero()) return 0;
  // Over the interval, inside [0, 1], g changes by no more than its width times the sum of |g'|'s coefficients.
  Rational slope = 0;
  for (int i = 1; i <= g.degree(); ++i) slope += i * abs(g[i]);
  const Rational value = g.at(high_);
  if (abs(value) > (high_ - low_) * slope) return sgn(value);

  const Polynomial common = greatest_common_divisor(square_free_, g.primitive());
  if (common.degree() > 0 && RootCounter(common).count(low_, high_) > 0) return 0;
  const RootCounter counter(g);
  while (counter.count(low_, high_) > 0) halve();
  return g.sign_at(high_);
}

std::vector<Root> roots_in_unit_interval(const Polynomial& p) {
  if (p.degree() <= 0) return {};
  const RootCounter counter(p);
  std::vector<Root> result;
  std::vector<std::pair<Rational, Rational>> open{{0, 1}};
  while (!open.empty()) {
    const auto [low, high] = open.back();
    open.pop_back();
    const int count = counter.count(low, high);
    if (count == 1) result.emplace_back(counter.square_free(), low, high);
    if (count <= 1) continue;
    const Rational middle = (low + high) / 2;
    open.emplace_back(middle, high);
    open.emplace_back(low, middle);
  }
  return result;
}

}  // namespace sim::reference
