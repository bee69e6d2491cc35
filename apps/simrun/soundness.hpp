// What simcheck would call unsound of the steps of a run, as they come in (model/soundness.hpp).
#pragma once

#include <string>
#include <vector>

#include "model/options.hpp"
#include "model/soundness.hpp"
#include "output/result_reader.hpp"

namespace simrun {

class Soundness {
 public:
  Soundness(const sim::Model& model, const sim::Options& options);
  void add(const sim::StepReport& report);                           // of a step that was accepted
  void add_until(std::int64_t step, const sim::ResultReader& file);  // the rows of a run that goes on
  std::vector<std::string> words() const;                            // none: it is sound

 private:
  bool is_static_ = false;
  double gap_ = 0;  // m
  sim::EnergyAllowance allowance_;
  sim::EnergyAccount energy_;
  sim::UnborneLoads loads_;
};

}  // namespace simrun
