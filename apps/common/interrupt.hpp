// Ctrl-C and SIGTERM as a token: the first one asks, a second one ends the program at once.
#pragma once

#include "math/stop.hpp"

namespace apps {

constexpr int exit_interrupted = 130;

sim::Stop stop_on_interrupt();  // from now on

}  // namespace apps
