#include "include/ck_forward.h"

#if defined(__x86_64__)
extern const ck_forward_kernels ck_forward_avx2, ck_forward_avx512;
#elif defined(__aarch64__)
extern const ck_forward_kernels ck_forward_neon;
#endif

const ck_forward_kernels *ck_forward_variant(size_t index) {
#if defined(__x86_64__)
  __builtin_cpu_init();
  int wide = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
             __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq");
  int avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c");
  if (wide && avx2 && index-- == 0) return &ck_forward_avx512;
  if (avx2 && index-- == 0) return &ck_forward_avx2;
#elif defined(__aarch64__)
  if (index == 0) return &ck_forward_neon;
#endif
  (void)index;
  return 0;
}

const ck_forward_kernels *ck_forward_best(void) { return ck_forward_variant(0); }
