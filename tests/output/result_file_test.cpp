#include "output/result_file.hpp"

#include <gtest/gtest.h>
