# What the processor must have for code that was compiled with -march=native, as definitions NEEDS_AVX2 ... for apps/common/processor.cpp.
set(SIMRUN_PROCESSOR_NEEDS "")
if(SIMRUN_NATIVE)
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -march=native -dM -E -x c++ /dev/null
                  OUTPUT_VARIABLE macros ERROR_QUIET)
  foreach(feature SSE3 SSSE3 SSE4_1 SSE4_2 POPCNT AVX AVX2 FMA BMI BMI2 AVX512F AVX512CD AVX512VL AVX512BW AVX512DQ)
    if(macros MATCHES "#define __${feature}__ 1")
      list(APPEND SIMRUN_PROCESSOR_NEEDS NEEDS_${feature})
    endif()
  endforeach()
endif()
