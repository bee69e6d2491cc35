// Expressions of the time t in seconds, as muParser reads them: + - * / ^, comparisons, && ||, (a ? b : c), min max
// abs sin cos tan exp ln sqrt ..., and the constants pi and e.
#pragma once

#include <memory>
#include <string>

namespace sim {

class Expression {
 public:
  explicit Expression(const std::string& text);  // throws InputError with the place in the text
  Expression(Expression&&) noexcept;
  Expression& operator=(Expression&&) noexcept;
  ~Expression();

  double at(double t) const;  // not to be called by two threads at once

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

double evaluate_expression(const std::string& text, double t);

}  // namespace sim
