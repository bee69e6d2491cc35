// Where a part of a scene comes from, if not from its file.
#pragma once

#include <string>

namespace sim {

struct Origin {
  std::string path;    // all that it has made, as in messages: /objects/0/velocity
  std::string source;  // --set objects.left.velocity=[0,0,1]
  std::string place;   // what it has set, within that
};

}  // namespace sim
