#include "bodies/motion.hpp"
