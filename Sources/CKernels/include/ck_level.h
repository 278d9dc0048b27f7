#pragma once
#include <stdint.h>

/// Instruction sets that kernels are written for, worst to best within a processor family.
typedef enum ck_level {
  CK_SCALAR = 0,
  CK_AVX2 = 1,         // AVX2, FMA, F16C
  CK_AVX512_VNNI = 2,  // AVX-512 F, BW, VL, DQ, VNNI besides
  CK_NEON_DOTPROD = 3,
  CK_NEON_I8MM = 4,
} ck_level;

/// The best level that this processor and operating system can run. A pure function of the machine.
ck_level ck_best_level(void);

/// Whether this machine can run kernels of `level`.
int ck_can_run(ck_level level);

/// A short name such as "avx2", for reports.
const char *ck_level_name(ck_level level);

/// Tells the core that the thread is waiting in a loop.
static inline void ck_spin_hint(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ __volatile__("yield");
#endif
}
