#include "math/parallel.hpp"

#include <atomic>
#include <cmath>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace sim {

namespace {

constexpr Index vector_chunk = 16384;     // doubles a chunk in vector operations
constexpr int spins_before_sleep = 4000;  // some 50 microseconds: loops of one solve follow each other faster

// A ThreadSanitizer compares what different threads do: what one thread does by itself is never a race to it. In its
// builds the caller does the first chunk of every loop and a helper the second, however late it comes.
#if defined(__SANITIZE_THREAD__)
constexpr bool share_every_loop = true;
#else
constexpr bool share_every_loop = false;
#endif

thread_local bool t_inside_loop = false;  // a loop within a chunk of another one is done by the thread that meets it

void pause_briefly() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

// What is left to do, in one word so that it can be taken from atomically: the round (which loop this is), and the
// chunks from `first` to before `end`. The caller takes the first of them, helpers the last: loops of one solve go
// over the same vectors, and what a thread did in one loop is in its own cache in the next.
struct Ticket {
  std::uint64_t word = 0;
  static constexpr int bits = 20;
  static constexpr std::uint64_t mask = (1U << bits) - 1;
  static Ticket of(std::uint64_t round, std::uint64_t count) { return {(round << (2 * bits)) | (count << bits)}; }
  std::uint64_t first() const { return word & mask; }
  std::uint64_t end() const { return (word >> bits) & mask; }
  bool exhausted() const { return first() >= end(); }
  Ticket without_first() const { return {word + 1}; }
  Ticket without_last() const { return {word - (std::uint64_t{1} << bits)}; }
};
enum class From { front, back };

// Helper threads take chunks beside the thread that calls run(). That one waits for chunks somebody has taken, never
// for a helper as such: on a busy machine, where helpers come late, it does the work by itself.
class Pool {
 public:
  ~Pool() { resize(0); }

  void resize(int helpers) {
    {
      const std::lock_guard lock(mutex_);
      quit_ = true;
      wake_.notify_all();
    }
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
    quit_ = false;
    for (int i = 0; i < helpers; ++i) threads_.emplace_back([this] { help(); });
  }

  void run(Index chunk_count, detail::ChunkFunction function, const void* body) {
    // All chunks of the last round are done, so nobody can take one while the job changes.
    function_.store(function, std::memory_order_relaxed);
    body_.store(body, std::memory_order_relaxed);
    done_.store(0, std::memory_order_relaxed);
    const auto count = static_cast<std::uint64_t>(chunk_count);
    ticket_.store(Ticket::of(++round_, count).word + (share_every_loop ? 1 : 0));
    if (sleepers_.load() > 0) {
      const std::lock_guard lock(mutex_);
      wake_.notify_all();
    }
    if (share_every_loop) do_first_of_shared(count, function, body);
    take_chunks(From::front);
    for (int spins = 0; done_.load(std::memory_order_acquire) < count; ++spins) {
      if (spins < spins_before_sleep) {
        pause_briefly();
      } else {
        std::this_thread::yield();  // a helper was interrupted in the middle of a chunk
      }
    }
    if (const std::exception_ptr thrown = std::exchange(thrown_, nullptr)) std::rethrow_exception(thrown);
  }

 private:
  // What it throws goes to the caller of the loop, when all chunks are done: of several the first.
  void do_chunk(detail::ChunkFunction function, const void* body, Index chunk) {
    try {
      function(body, chunk);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!thrown_) thrown_ = std::current_exception();
    }
  }

  void do_first_of_shared(std::uint64_t count, detail::ChunkFunction function, const void* body) {
    do_chunk(function, body, 0);
    done_.fetch_add(1, std::memory_order_release);
    while (Ticket{ticket_.load(std::memory_order_relaxed)}.end() == count) std::this_thread::yield();
  }

  // Who takes a chunk learns what was before the loop, and nothing of other chunks: they stay unordered, and what two
  // of them do to the same place is a race whichever came first.
  // It tells at the end how many it has done: until then there is no other round.
  void take_chunks(From side) {
    std::uint64_t taken = 0;
    Ticket ticket{ticket_.load(std::memory_order_acquire)};
    while (!ticket.exhausted()) {
      const detail::ChunkFunction function = function_.load(std::memory_order_relaxed);
      const void* body = body_.load(std::memory_order_relaxed);
      // Succeeds only if the round has not changed, and then function and body are those of this round.
      const Ticket rest = side == From::front ? ticket.without_first() : ticket.without_last();
      if (!ticket_.compare_exchange_weak(ticket.word, rest.word, std::memory_order_acquire)) continue;
      do_chunk(function, body, static_cast<Index>(side == From::front ? ticket.first() : rest.end()));
      ++taken;
      ticket.word = ticket_.load(std::memory_order_acquire);
    }
    if (taken > 0) done_.fetch_add(taken, std::memory_order_release);
  }

  void help() {
    t_inside_loop = true;
    while (true) {
      take_chunks(From::back);
      int spins = 0;
      while (Ticket{ticket_.load(std::memory_order_acquire)}.exhausted() && spins < spins_before_sleep) {
        pause_briefly();
        ++spins;
      }
      if (spins < spins_before_sleep) continue;
      std::unique_lock lock(mutex_);
      ++sleepers_;  // before looking again: who brings work after this look sees that there is somebody to wake
      wake_.wait(lock, [this] { return quit_ || !Ticket{ticket_.load()}.exhausted(); });
      --sleepers_;
      if (quit_) return;
    }
  }

  std::vector<std::thread> threads_;
  // Each in a cache line of its own: helpers look at the ticket all the time.
  alignas(64) std::atomic<std::uint64_t> ticket_{0};
  alignas(64) std::atomic<std::uint64_t> done_{0};  // chunks of this round
  alignas(64) std::atomic<detail::ChunkFunction> function_{nullptr};
  std::atomic<const void*> body_{nullptr};
  std::atomic<int> sleepers_{0};
  std::uint64_t round_ = 0;
  std::mutex mutex_;
  std::exception_ptr thrown_;
  std::condition_variable wake_;
  bool quit_ = false;
};

int g_thread_count = 1;  // set once at start-up; see the header

Pool& pool() {
  static Pool the_pool;
  return the_pool;
}

}  // namespace

int thread_count() {
  return g_thread_count;
}

void set_thread_count(int count) {
  g_thread_count = std::max(1, count);
  pool().resize(g_thread_count - 1);
}

void detail::run_chunks(Index chunk_count, ChunkFunction function, const void* body) {
  if (t_inside_loop || chunk_count > static_cast<Index>(Ticket::mask)) {
    for (Index chunk = 0; chunk < chunk_count; ++chunk) function(body, chunk);
    return;
  }
  struct InsideLoop {
    InsideLoop() { t_inside_loop = true; }
    ~InsideLoop() { t_inside_loop = false; }
  } inside;
  pool().run(chunk_count, function, body);
}

double dot(const VecX& a, const VecX& b) {
  return parallel_sum(static_cast<Index>(a.size()), vector_chunk, [&](Index begin, Index end) {
    return a.segment(begin, end - begin).dot(b.segment(begin, end - begin));
  });
}

double norm(const VecX& a) {
  return std::sqrt(dot(a, a));
}

void add_scaled(VecX& y, double alpha, const VecX& x) {
  parallel_for(static_cast<Index>(y.size()), vector_chunk, [&](Index begin, Index end) {
    y.segment(begin, end - begin) += alpha * x.segment(begin, end - begin);
  });
}

void scale_and_add(VecX& y, double beta, const VecX& x) {
  parallel_for(static_cast<Index>(y.size()), vector_chunk, [&](Index begin, Index end) {
    y.segment(begin, end - begin) = x.segment(begin, end - begin) + beta * y.segment(begin, end - begin);
  });
}

}  // namespace sim
