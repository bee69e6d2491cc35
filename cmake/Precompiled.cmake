# Headers of other libraries, parsed once: reading Eigen is most of a build. SIMRUN_PRECOMPILE=OFF (presets debug and
# fuzz) shows whether every file includes what it needs.
#
# simrun_precompiled(<target> <sim_precompiled or sim_precompiled_tests>)
function(simrun_precompiled target source)
  if(SIMRUN_PRECOMPILE)
    target_precompile_headers(${target} REUSE_FROM ${source})
  endif()
endfunction()

# simrun_precompile(<name> <more headers...>)
function(simrun_precompile name)
  if(SIMRUN_PRECOMPILE)
    file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/${name}.cpp CONTENT "// Of cmake/Precompiled.cmake.\n")
    add_library(${name} OBJECT ${CMAKE_BINARY_DIR}/${name}.cpp)
    target_link_libraries(${name} PRIVATE Eigen3::Eigen nlohmann_json::nlohmann_json sim_settings)
    target_precompile_headers(${name} PRIVATE
      <Eigen/Cholesky> <Eigen/Eigenvalues> <Eigen/Geometry> <Eigen/LU> <Eigen/SVD> <nlohmann/json.hpp>
      <algorithm> <array> <cmath> <filesystem> <fstream> <functional> <limits> <map> <memory> <numbers> <numeric> <optional>
      <span> <sstream> <string> <utility> <variant> <vector> ${ARGN})
  endif()
endfunction()

simrun_precompile(sim_precompiled)

# simrun_together(<target>): several sources of programs and tests in one unit. What one instantiates of Eigen, the next has.
# What a test defines for itself is in a namespace of the name of its file. SIMRUN_TOGETHER=OFF (preset debug) compiles
# one by one: a changed source builds faster, and includes what it needs. Of the library for rooms that only read and
# write: elsewhere what is inlined would depend on it, and bits of the motion with it.
function(simrun_together target)
  if(SIMRUN_TOGETHER)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
  endif()
endfunction()
