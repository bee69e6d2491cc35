# Compiler settings shared by every target.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG")

add_library(sim_settings INTERFACE)
target_compile_options(sim_settings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wold-style-cast -Woverloaded-virtual
  -Wnull-dereference -Wdouble-promotion
  -Wno-missing-field-initializers  # option structs are written with designated initialisers; the rest has defaults
  -fno-math-errno -fno-trapping-math)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 raises false alarms of the first three inside Eigen 3.4 when it vectorises, and of the last about joined
  # strings (GCC bug 105651).
  target_compile_options(sim_settings INTERFACE -Wno-array-bounds -Wno-maybe-uninitialized -Wno-null-dereference -Wno-restrict
    -Wno-psabi)  # the block matrix keeps its vectors to one file: how they would be passed between files does not matter
endif()
if(SIMRUN_PRECOMPILE)
  # False alarms about std::string and g++ 12's own AVX-512 intrinsics, whose headers are no system headers any more
  # once they are precompiled.
  target_compile_options(sim_settings INTERFACE -Wno-stringop-overflow -Wno-stringop-overread -Wno-uninitialized)
endif()
if(SIMRUN_NATIVE)
  target_compile_options(sim_settings INTERFACE -march=native)
endif()
if(SIMRUN_WERROR)
  target_compile_options(sim_settings INTERFACE -Werror)
endif()
if(SIMRUN_SANITIZE)
  target_compile_options(sim_settings INTERFACE -fsanitize=${SIMRUN_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(sim_settings INTERFACE -fsanitize=${SIMRUN_SANITIZE})
endif()
if(SIMRUN_FUZZ)
  target_compile_options(sim_settings INTERFACE -fsanitize=fuzzer-no-link)
endif()
