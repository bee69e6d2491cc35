// Test programs that are built with ThreadSanitizer share their loops between three threads, unless a test says
// otherwise: results are the same bits for any number of threads, and with one there is nothing to be found.
#include "math/parallel.hpp"

namespace {

[[maybe_unused]] const bool begun = (sim::set_thread_count(3), true);

}  // namespace
