// Anderson's acceleration (1965, type II) of a fixed-point iteration s <- s + f(s): from what steps changed f,
//
//     s <- s + f - (dS + dF) g,     g that makes |f - dF g| smallest,
//
// with dS, dF the changes of s and f over the last iterations (Walker & Ni 2011).
#pragma once

#include <vector>

#include "math/types.hpp"

namespace sim {

class Anderson {
 public:
  void begin(Index history, Eigen::Index size);  // forgets all
  void forget() { kept_ = 0, has_last_ = false; }
  void advance(const VecX& f, VecX& s);  // s becomes the next one
  Index kept() const { return kept_; }

 private:
  Index history_ = 0, kept_ = 0, next_ = 0;
  bool has_last_ = false;
  Eigen::MatrixXd dS_, dF_, gram_;
  VecX last_s_, last_f_;
};

}  // namespace sim
