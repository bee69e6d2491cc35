#include "math/parallel.hpp"

#include <cmath>

#ifdef SIMRUN_OPENMP
#include <omp.h>
#else
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>
#endif

namespace sim {

namespace {

int g_thread_count = 1;                // set once at start-up; see the header
constexpr Index vector_chunk = 16384;  // doubles a chunk in vector operations

}  // namespace

int thread_count() {
  return g_thread_count;
}

#ifdef SIMRUN_OPENMP

void set_thread_count(int count) {
  g_thread_count = std::max(1, count);
}

void detail::run_chunks(Index chunk_count, ChunkFunction function, const void* body) {
#pragma omp parallel for schedule(dynamic, 1) num_threads(g_thread_count)
  for (Index chunk = 0; chunk < chunk_count; ++chunk) function(body, chunk);
}

#else

namespace {

// A plain pool of std::threads: slower to wake than OpenMP's, but ThreadSanitizer sees every hand-over in it.
class Pool {
 public:
  ~Pool() { resize(0); }

  void resize(int helpers) {
    {
      const std::lock_guard lock(mutex_);
      quit_ = true;
    }
    wake_.notify_all();
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
    quit_ = false;
    for (int i = 0; i < helpers; ++i) threads_.emplace_back([this, start = round_] { work(start); });
  }

  void run(Index chunk_count, detail::ChunkFunction function, const void* body) {
    {
      const std::lock_guard lock(mutex_);
      function_ = function;
      body_ = body;
      chunk_count_ = chunk_count;
      next_ = 0;
      busy_ = threads_.size();
      ++round_;
    }
    wake_.notify_all();
    take_chunks();
    std::unique_lock lock(mutex_);
    done_.wait(lock, [this] { return busy_ == 0; });
  }

 private:
  void take_chunks() {
    for (Index chunk = next_++; chunk < chunk_count_; chunk = next_++) function_(body_, chunk);
  }

  void work(long seen) {
    while (true) {
      {
        std::unique_lock lock(mutex_);
        wake_.wait(lock, [&] { return quit_ || round_ != seen; });
        if (quit_) return;
        seen = round_;
      }
      take_chunks();
      const std::lock_guard lock(mutex_);
      if (--busy_ == 0) done_.notify_one();
    }
  }

  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable wake_, done_;
  std::atomic<Index> next_{0};
  Index chunk_count_ = 0;
  detail::ChunkFunction function_ = nullptr;
  const void* body_ = nullptr;
  std::size_t busy_ = 0;
  long round_ = 0;
  bool quit_ = false;
};

Pool& pool() {
  static Pool the_pool;
  return the_pool;
}

}  // namespace

void set_thread_count(int count) {
  g_thread_count = std::max(1, count);
  pool().resize(g_thread_count - 1);
}

void detail::run_chunks(Index chunk_count, ChunkFunction function, const void* body) {
  pool().run(chunk_count, function, body);
}

#endif

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
