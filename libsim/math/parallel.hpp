// Parallel loops that give the same bits for any number of threads.
//
// Work is cut into chunks whose borders depend on the problem only; threads take whole chunks. A sum is made of one
// partial sum a chunk, added in the order of the chunks. Bodies must write to places of their own, and not throw.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <type_traits>

#include "math/types.hpp"

namespace sim {

// Threads that loops may use, for the whole process; at least 1. Set once by the program, before the first loop.
void set_thread_count(int count);
int thread_count();

namespace detail {
using ChunkFunction = void (*)(const void* body, Index chunk);
void run_chunks(Index chunk_count, ChunkFunction function, const void* body);
}  // namespace detail

// body(begin, end) for [0, count) in chunks of `chunk_size` (the last one may be shorter).
template <class Body>
void parallel_for(Index count, Index chunk_size, const Body& body) {
  const Index chunks = (count + chunk_size - 1) / chunk_size;
  const auto run = [&](Index chunk) {
    const Index begin = chunk * chunk_size;
    body(begin, std::min(count, begin + chunk_size));
  };
  if (chunks <= 1 || thread_count() == 1) {
    for (Index chunk = 0; chunk < chunks; ++chunk) run(chunk);
    return;
  }
  detail::run_chunks(
      chunks, [](const void* f, Index chunk) { (*static_cast<decltype(&run)>(f))(chunk); }, &run);
}

// The sum of body(begin, end) over the chunks of [0, count), added in order.
template <class Body>
double parallel_sum(Index count, Index chunk_size, const Body& body) {
  constexpr Index most_on_stack = 256;
  const Index chunks = (count + chunk_size - 1) / chunk_size;
  double on_stack[most_on_stack];
  const std::unique_ptr<double[]> on_heap(chunks > most_on_stack ? new double[static_cast<std::size_t>(chunks)]
                                                                 : nullptr);
  double* partial = on_heap ? on_heap.get() : on_stack;
  parallel_for(count, chunk_size, [&](Index begin, Index end) { partial[begin / chunk_size] = body(begin, end); });
  double sum = 0;
  for (Index chunk = 0; chunk < chunks; ++chunk) sum += partial[chunk];
  return sum;
}

// Vector operations of the solvers, on both cores where it pays.
double dot(const VecX& a, const VecX& b);
double norm(const VecX& a);
void add_scaled(VecX& y, double alpha, const VecX& x);    // y += alpha x
void scale_and_add(VecX& y, double beta, const VecX& x);  // y = x + beta y

}  // namespace sim
