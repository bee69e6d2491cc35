// A run replaces results of earlier runs, and nothing else.
#pragma once

#include <string>

#include "command_line.hpp"
#include "scene/scene.hpp"

namespace simrun {

std::string overlaps_path(const std::string& result);  // out.overlaps.obj for out.h5

// Throws FileError where a file that the run would write is one that it reads, or exists and was not written by
// simrun. Nothing has been written then. To be asked before the log file is opened.
void refuse_to_replace(const CommandLine& command_line, const sim::Scene& scene, const std::string& result);

}  // namespace simrun
