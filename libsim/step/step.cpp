#include "step/step.hpp"
