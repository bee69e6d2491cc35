#include "output/result_file.hpp"
