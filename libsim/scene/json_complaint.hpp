// What is wrong with a text that is not JSON, in words for whoever wrote it.
#pragma once

#include <cstddef>
#include <string>

namespace sim {

struct JsonComplaint {
  std::size_t begin = 0;  // of the place in the text
  std::string words;      // "expected a value, found ]; ..."
};

// `message` is that of nlohmann's parser (json.exception.parse_error.101), `position` the characters it has read.
JsonComplaint complaint_of(const std::string& text, std::size_t position, const std::string& message);

}  // namespace sim
