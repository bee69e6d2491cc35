// Loaded into a program before its own libraries (LD_PRELOAD): ends it, or fills its disk, at a chosen moment.
//
//   SIMRUN_TEST_CHANGES=FILE   at its end the program writes into FILE how many changes it made to files: calls of
//                              pwrite, ftruncate, rename, unlink and fsync. Nothing else reaches a result file, so
//                              the state between two of them is all that an end at any moment can leave behind, but
//                              for writes over several pages in place of what was there; their number comes second.
//   SIMRUN_TEST_KILL=N         SIGKILL in place of the N-th change. A write that reaches over several pages of 4096
//                              bytes is done up to the border of one, as it is when the signal comes in the middle.
//   SIMRUN_TEST_KILL_CPU=T     SIGKILL after T microseconds of processor time, however loaded the machine is.
//   SIMRUN_TEST_FULL=N         from the N-th change on there is no space left on the device.
#include <dlfcn.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>
#include <string>
#include <utility>

namespace {

long number(const char* name) {
  const char* text = getenv(name);
  return text != nullptr ? std::atol(text) : 0;
}

constexpr size_t page = 4096;  // of the system's file cache
std::atomic<long> changes{0}, divisible{0};
const long kill_at = number("SIMRUN_TEST_KILL"), full_from = number("SIMRUN_TEST_FULL");

[[noreturn]] void end_at_once() {
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

void end_after_processor_time(long microseconds) {
  sigevent event{};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = SIGKILL;
  timer_t timer{};
  const itimerspec span{{}, {microseconds / 1000000, microseconds % 1000000 * 1000}};
  if (timer_create(CLOCK_PROCESS_CPUTIME_ID, &event, &timer) != 0 || timer_settime(timer, 0, &span, nullptr) != 0) {
    std::perror("faults");
    std::abort();
  }
}

// Not the companion for ParaView, which is whole in any order of its pages (output/xdmf.cpp).
bool is_result(int descriptor) {
  char name[4096] = {};
  const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
  return readlink(link.c_str(), name, sizeof name - 1) > 0 && std::strstr(name, ".xdmf") == nullptr;
}

// Where writes over several pages have been.
std::set<std::pair<int, off_t>> places;

struct Watch {
  Watch() {
    if (const long after = number("SIMRUN_TEST_KILL_CPU"); after > 0) end_after_processor_time(after);
  }
  ~Watch() {
    const char* name = getenv("SIMRUN_TEST_CHANGES");
    FILE* file = name != nullptr ? std::fopen(name, "w") : nullptr;
    if (file == nullptr) return;
    std::fprintf(file, "%ld %ld\n", changes.load(), divisible.load());
    std::fclose(file);
  }
} const watch;

// Before a change that needs room where `grows`: false where there is none. A write is done in part first.
template <class Part>
bool next_change(bool grows, const Part& part) {
  const long n = ++changes;
  if (n == kill_at) {
    part();
    end_at_once();
  }
  if (full_from == 0 || n < full_from || !grows) return true;
  errno = ENOSPC;
  return false;
}
bool next_change(bool grows) {
  return next_change(grows, [] {});
}

template <class Function>
Function original(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {

ssize_t pwrite(int descriptor, const void* data, size_t size, off_t offset) {
  const size_t first = static_cast<size_t>(offset) / page, last = (static_cast<size_t>(offset) + size - 1) / page;
  if (size > 0 && first != last && !places.insert({descriptor, offset}).second && is_result(descriptor)) ++divisible;
  const auto write_part = [&] {
    const size_t pages = size / page;
    if (pages >= 2)
      syscall(SYS_pwrite64, descriptor, data, pages / 2 * page - static_cast<size_t>(offset) % page, offset);
  };
  if (!next_change(true, write_part)) return -1;
  return syscall(SYS_pwrite64, descriptor, data, size, offset);
}

int ftruncate(int descriptor, off_t size) noexcept {
  next_change(false);
  return static_cast<int>(syscall(SYS_ftruncate, descriptor, size));
}

int fsync(int descriptor) {
  return next_change(true) ? static_cast<int>(syscall(SYS_fsync, descriptor)) : -1;
}

int rename(const char* from, const char* to) noexcept {
  static const auto call = original<int (*)(const char*, const char*)>("rename");
  next_change(false);
  return call(from, to);
}

int unlink(const char* path) noexcept {
  static const auto call = original<int (*)(const char*)>("unlink");
  next_change(false);
  return call(path);
}

}  // extern "C"
