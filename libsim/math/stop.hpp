// Whether to end early, as a signal handler or another thread asks: a token that reaches every loop that can last.
// Such a loop looks at it once a pass and ends with what it has; whoever called it looks, too, and takes nothing of
// that for a result. What has been asked for stays so.
#pragma once

#include <atomic>

namespace sim {

struct Stop {
  bool (*is_asked)(const void* by) = nullptr;  // nobody ever asks
  const void* by = nullptr;

  bool asked() const { return is_asked != nullptr && is_asked(by); }
};

// Asked for where the flag is set; it must outlive the token.
inline Stop stop_by(const std::atomic<bool>& flag) {
  return {[](const void* by) { return static_cast<const std::atomic<bool>*>(by)->load(std::memory_order_relaxed); },
          &flag};
}

}  // namespace sim
