// Runs code that may crash in a process of its own.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace sim {

// What `work` returned in a copy of this process made for it, or nothing and the reason in `failure`: "was stopped
// by signal 6 (Aborted)". The copy prints nothing and leaves no trace but its answer.
std::vector<double> run_apart(const std::function<std::vector<double>()>& work, std::string& failure);

}  // namespace sim
