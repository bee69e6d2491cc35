// Whole runs that something drives.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "output/result_reader.hpp"

namespace sim::test {

// simcheck, which told this of the result, finds nothing; the ledger balances to rounding, and `work` is done.
inline void expect_balance(const std::string& told, const std::string& result_file, const char* work) {
  const auto j = nlohmann::json::parse(told);
  EXPECT_EQ(j["verdict"], "clean");
  const double energy = j["ledger"]["energy_in_play"], momentum = j["totals"]["momentum_in_play"];
  EXPECT_GT(std::abs(double{j["ledger"][work]}), 0.01 * energy);
  EXPECT_LT(double{j["ledger"]["imbalance"]}, 1e-12);
  EXPECT_LT(double{j["ledger"]["frame_imbalance"]}, 1e-12 * energy);
  for (const auto& missing : j["frames"]["unexplained_momentum"])
    for (int k = 0; k < 3; ++k) EXPECT_LT(std::abs(double{missing[k]}), 1e-12 * momentum);
  const ResultReader result(result_file);
  for (const char* column : {"dissipation_friction", "dissipation_damping", "dissipation_scheme"}) {
    for (const double loss : result.step_column(column)) EXPECT_GE(loss, -1e-9 * energy) << column;
  }
}

}  // namespace sim::test
