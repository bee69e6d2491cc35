// Ends a program on a processor that lacks instructions it was compiled for (SIMRUN_NATIVE), with a line that says
// so: otherwise the first of them ends it by SIGILL. Runs before all other constructors; compiled for any processor
// itself (cmake/Processor.cmake).
#if defined(__x86_64__)
#include <unistd.h>

#include <cstring>

namespace {

void say(const char* text) {
  if (write(STDERR_FILENO, text, std::strlen(text)) < 0) return;  // there is nobody else to tell
}

void need(const char* name, int there) {
  if (there != 0) return;
  say("This program was compiled for the processor of another machine: it needs ");
  say(name);
  say(", which this processor does not have. Build it with -DSIMRUN_NATIVE=OFF, or on this machine.\n");
  _exit(1);
}

[[gnu::constructor(101)]] void check_processor() {
  __builtin_cpu_init();
#define SIMRUN_NEED(name) need(name, __builtin_cpu_supports(name))
#if defined(NEEDS_SSE3)
  SIMRUN_NEED("sse3");
#endif
#if defined(NEEDS_SSSE3)
  SIMRUN_NEED("ssse3");
#endif
#if defined(NEEDS_SSE4_1)
  SIMRUN_NEED("sse4.1");
#endif
#if defined(NEEDS_SSE4_2)
  SIMRUN_NEED("sse4.2");
#endif
#if defined(NEEDS_POPCNT)
  SIMRUN_NEED("popcnt");
#endif
#if defined(NEEDS_AVX)
  SIMRUN_NEED("avx");
#endif
#if defined(NEEDS_AVX2)
  SIMRUN_NEED("avx2");
#endif
#if defined(NEEDS_FMA)
  SIMRUN_NEED("fma");
#endif
#if defined(NEEDS_BMI)
  SIMRUN_NEED("bmi");
#endif
#if defined(NEEDS_BMI2)
  SIMRUN_NEED("bmi2");
#endif
#if defined(NEEDS_AVX512F)
  SIMRUN_NEED("avx512f");
#endif
#if defined(NEEDS_AVX512CD)
  SIMRUN_NEED("avx512cd");
#endif
#if defined(NEEDS_AVX512VL)
  SIMRUN_NEED("avx512vl");
#endif
#if defined(NEEDS_AVX512BW)
  SIMRUN_NEED("avx512bw");
#endif
#if defined(NEEDS_AVX512DQ)
  SIMRUN_NEED("avx512dq");
#endif
#if defined(NEEDS_FMA4)  // of a test: hardly any processor has it
  SIMRUN_NEED("fma4");
#endif
#undef SIMRUN_NEED
}

}  // namespace
#endif
