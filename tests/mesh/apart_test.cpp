#include "mesh/apart.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace sim {
namespace apart_test {

TEST(Apart, BringsALongAnswerBack) {
  std::string failure = "?";
  std::vector<double> numbers(100000);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = std::sqrt(static_cast<double>(i));
  EXPECT_EQ(run_apart([&] { return numbers; }, failure), numbers);
  EXPECT_EQ(failure, "");
}

TEST(Apart, SurvivesACrashAndAnException) {
  std::string failure;
  EXPECT_TRUE(run_apart([]() -> std::vector<double> { std::abort(); }, failure).empty());
  EXPECT_EQ(failure, "was stopped by signal 6 (Aborted)");
  EXPECT_TRUE(run_apart([]() -> std::vector<double> { throw 3; }, failure).empty());
  EXPECT_EQ(failure, "gave up");
}

TEST(Apart, KeepsItsHandsOffThisProcess) {
  int value = 1;
  std::string failure;
  ::testing::internal::CaptureStdout();
  const std::vector<double> answer = run_apart(
      [&] {
        value = 2;
        std::puts("noise");
        std::fflush(stdout);
        return std::vector<double>{static_cast<double>(value)};
      },
      failure);
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(answer, std::vector<double>{2});
  EXPECT_EQ(value, 1);
}

}  // namespace apart_test
}  // namespace sim
