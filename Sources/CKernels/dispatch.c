// Which instruction sets may be used. Asked at run time, since a package can't set compiler flags for its users.
#include "CKernels.h"

#if defined(__x86_64__)
#include <cpuid.h>

// State that the operating system saves on a context switch (XCR0): 0x6 = SSE and AVX registers, 0xE0 = the mask
// registers and both halves of the AVX-512 registers.
static uint64_t saved_state(void) {
  uint32_t low, high;
  __asm__ __volatile__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return (uint64_t)high << 32 | low;
}

ck_level ck_best_level(void) {
  uint32_t a, b, c, d;
  if (!__get_cpuid(1, &a, &b, &c, &d)) return CK_SCALAR;
  const uint32_t fma = 1u << 12, osxsave = 1u << 27, avx = 1u << 28, f16c = 1u << 29;
  const uint32_t needed = fma | osxsave | avx | f16c;
  if ((c & needed) != needed) return CK_SCALAR;
  const uint64_t state = saved_state();
  if ((state & 0x6) != 0x6) return CK_SCALAR;
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) return CK_SCALAR;
  const uint32_t avx2 = 1u << 5;
  if (!(b & avx2)) return CK_SCALAR;
  const uint32_t f = 1u << 16, dq = 1u << 17, bw = 1u << 30, vl = 1u << 31;
  const uint32_t wide = f | dq | bw | vl, vnni = 1u << 11;
  if ((state & 0xE6) == 0xE6 && (b & wide) == wide && (c & vnni)) return CK_AVX512_VNNI;
  return CK_AVX2;
}

#elif defined(__aarch64__)
#include "arm_internal.h"

ck_level ck_best_level(void) { return ck_arm_best_level(); }
#else
ck_level ck_best_level(void) { return CK_SCALAR; }
#endif

int ck_can_run(ck_level level) {
  const ck_level best = ck_best_level();
  if (level == CK_SCALAR) return 1;
  if (level >= CK_NEON_DOTPROD) return best >= level;
  return best < CK_NEON_DOTPROD && best >= level;
}

const char *ck_level_name(ck_level level) {
  switch (level) {
  case CK_SCALAR: return "scalar";
  case CK_AVX2: return "avx2";
  case CK_AVX512_VNNI: return "avx512vnni";
  case CK_NEON_DOTPROD: return "neon-dotprod";
  case CK_NEON_I8MM: return "neon-i8mm";
  }
  return "unknown";
}
