// How far the run is: one bar that redraws itself on a terminal, a plain line now and then elsewhere.
#pragma once

#include <chrono>
#include <cstdint>

#include "model/report.hpp"

namespace simrun {

// Of the method acm, whose forces have clocks of their own.
bool has_clocks(const sim::StepReport& report);
double kicks_a_second(const sim::StepReport& report);  // of wall time

// The smallest gap, by `pattern`; empty where there is none.
std::string gap_text(const sim::StepReport& report, const char* pattern);

class Progress {
 public:
  Progress(std::int64_t total_steps, bool shown);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void update(const sim::StepReport& report);
  void clear();  // wipes the bar, so that a message can take its line

 private:
  using Clock = std::chrono::steady_clock;
  void draw_bar(const sim::StepReport& report, double seconds_left);
  void print_line(const sim::StepReport& report, double seconds_left);

  std::int64_t total_steps_;
  std::int64_t first_step_ = -1;
  bool shown_;
  bool on_terminal_;
  bool bar_visible_ = false;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_ = start_;
};

}  // namespace simrun
