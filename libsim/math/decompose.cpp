#include "math/decompose.hpp"
