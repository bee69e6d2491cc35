#include "bodies/expression.hpp"

#include <muParser.h>

#include <numbers>

#include "math/error.hpp"

namespace sim {

// muParser keeps compiled code and a pointer to t, so this stays where it was made.
struct Expression::Impl {
  std::string text;
  double t = 0;
  mu::Parser parser;

  [[noreturn]] void fail(const mu::Parser::exception_type& error) const {
    throw InputError("expression \"" + text + "\": " + error.GetMsg() +
                     " (expected an expression of t such as \"0.1*sin(2*pi*t)\")");
  }
};

Expression::Expression(const std::string& text) : impl_(std::make_unique<Impl>()) {
  impl_->text = text;
  mu::Parser& parser = impl_->parser;
  try {
    parser.ClearConst();
    parser.DefineConst("pi", std::numbers::pi);
    parser.DefineConst("e", std::numbers::e);
    parser.DefineVar("t", &impl_->t);
    parser.SetExpr(text);
    parser.Eval();
  } catch (const mu::Parser::exception_type& error) {
    impl_->fail(error);
  }
}

Expression::Expression(Expression&&) noexcept = default;
Expression& Expression::operator=(Expression&&) noexcept = default;
Expression::~Expression() = default;

double Expression::at(double t) const {
  impl_->t = t;
  try {
    return impl_->parser.Eval();
  } catch (const mu::Parser::exception_type& error) {
    impl_->fail(error);
  }
}

double evaluate_expression(const std::string& text, double t) {
  return Expression(text).at(t);
}

}  // namespace sim
