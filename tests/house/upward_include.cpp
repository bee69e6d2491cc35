// linear must not know of meshes: this file is compiled with what linear may include, and has to fail.
#include "mesh/mesh.hpp"
