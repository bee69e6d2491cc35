#include "progress.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include "math/format.hpp"

namespace simrun {

namespace {

constexpr auto between_bars = std::chrono::milliseconds(100);
constexpr auto between_lines = std::chrono::seconds(10);

std::string clock_text(double seconds) {
  const auto whole = static_cast<long>(std::min(seconds, 3.6e6) + 0.5);
  char text[32];
  if (whole < 3600) {
    std::snprintf(text, sizeof text, "%ld:%02ld", whole / 60, whole % 60);
  } else {
    std::snprintf(text, sizeof text, "%ld:%02ld:%02ld", whole / 3600, whole / 60 % 60, whole % 60);
  }
  return text;
}

int terminal_width() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

}  // namespace

bool has_clocks(const sim::StepReport& report) {
  return report.events.smallest_h > 0;
}

double kicks_a_second(const sim::StepReport& report) {
  const sim::StepEvents& e = report.events;
  const std::int64_t kicks =
      e.kicks_tet + e.kicks_spring + e.kicks_membrane + e.kicks_hinge + e.kicks_bend + e.kicks_steady + e.kicks_pair;
  return static_cast<double>(kicks) / report.t_total;
}

std::string gap_text(const sim::StepReport& report, const char* pattern) {
  return std::isnan(report.min_gap) ? "" : sim::format(pattern, report.min_gap);
}

Progress::Progress(std::int64_t total_steps, bool shown)
    : total_steps_(total_steps), shown_(shown), on_terminal_(isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() {
  clear();
}

void Progress::update(const sim::StepReport& report) {
  if (!shown_) return;
  if (first_step_ < 0) first_step_ = report.step - 1;
  const auto now = Clock::now();
  const bool last = report.step == total_steps_;
  if (now - last_ < (on_terminal_ ? Clock::duration(between_bars) : Clock::duration(between_lines)) && !last) return;
  last_ = now;
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  const auto done = static_cast<double>(report.step - first_step_);
  const double left = elapsed / done * static_cast<double>(total_steps_ - report.step);
  if (on_terminal_) {
    draw_bar(report, left);
  } else {
    print_line(report, left);
  }
}

void Progress::clear() {
  if (!bar_visible_) return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
  bar_visible_ = false;
}

void Progress::draw_bar(const sim::StepReport& report, double seconds_left) {
  const std::string work = has_clocks(report)
                               ? sim::format("kicks %.2g/s  layer %d  h %.1g s", kicks_a_second(report),
                                             report.events.deepest, report.events.smallest_h)
                               : sim::format("it %d  relin %d", report.iterations, report.relinearizations);
  const std::string facts =
      sim::format(" %lld/%lld  t %.4g s  left %s  contacts %d%s  ", static_cast<long long>(report.step),
                  static_cast<long long>(total_steps_), report.time, clock_text(seconds_left).c_str(),
                  report.contacts, gap_text(report, "  gap %.1g").c_str()) +
      work;
  const int width = terminal_width();
  const std::string text = facts.substr(0, static_cast<std::size_t>(std::max(width - 1, 0)));
  const int room = std::clamp(width - static_cast<int>(text.size()) - 3, 0, 40);
  const auto full = static_cast<std::size_t>(room * report.step / std::max<std::int64_t>(total_steps_, 1));
  std::string bar;
  if (room >= 8) bar = "[" + std::string(full, '=') + std::string(static_cast<std::size_t>(room) - full, ' ') + "]";
  std::fprintf(stderr, "\r%s%s\033[K", bar.c_str(), text.c_str());
  std::fflush(stderr);
  bar_visible_ = true;
}

void Progress::print_line(const sim::StepReport& report, double seconds_left) {
  const std::string work =
      has_clocks(report)
          ? sim::format("%.2g kicks a second, deepest layer %d, shortest step %.2g s", kicks_a_second(report),
                        report.events.deepest, report.events.smallest_h)
          : sim::format("%d iterations, %d re-linearisations", report.iterations, report.relinearizations);
  std::fprintf(stderr, "step %lld of %lld, t %.4g s, %s left, %d contacts%s, %s\n",
               static_cast<long long>(report.step), static_cast<long long>(total_steps_), report.time,
               clock_text(seconds_left).c_str(), report.contacts, gap_text(report, ", smallest gap %.3g m").c_str(),
               work.c_str());
}

}  // namespace simrun
