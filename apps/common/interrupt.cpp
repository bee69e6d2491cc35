#include "interrupt.hpp"

#include <csignal>

namespace apps {

namespace {

std::atomic<bool> g_interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);  // else no signal handler may touch it

extern "C" void on_interrupt(int signal) {
  g_interrupted = true;
  std::signal(signal, SIG_DFL);
}

}  // namespace

sim::Stop stop_on_interrupt() {
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
  return sim::stop_by(g_interrupted);
}

}  // namespace apps
