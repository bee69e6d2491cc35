// shared_loop right|wrong: a parallel loop; a wrong one writes one number beyond its chunk, into that of the next.
// Whether ThreadSanitizer tells them apart says what its silence about all the other loops is worth.
#include <string_view>
#include <vector>

#include "math/parallel.hpp"

int main(int count, char** arguments) {
  constexpr sim::Index chunk = 1000, size = 4 * chunk;
  const sim::Index beyond = count > 1 && std::string_view(arguments[1]) == "wrong" ? 1 : 0;
  std::vector<double> numbers(size + 1, 0.0);
  sim::set_thread_count(3);
  sim::parallel_for(size, chunk, [&](sim::Index begin, sim::Index end) {
    for (sim::Index i = begin; i < end + beyond; ++i) numbers[i] += 1;
  });
  return numbers[0] == 1 ? 0 : 1;
}
