// Which program this is.
#pragma once

namespace sim {

// "0.1.0 (50ee92a)": the project's version and, where it was built from a git checkout, what `git describe` says.
const char* program_version();

}  // namespace sim
