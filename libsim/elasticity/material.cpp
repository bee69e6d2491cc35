#include "elasticity/material.hpp"
