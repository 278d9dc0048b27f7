// Which Arm instruction sets may be used. Asked at run time, since a package can't set compiler flags for its users.
#include "arm_internal.h"

#if defined(__aarch64__)

#if defined(__APPLE__)
#include <sys/sysctl.h>

static int has(const char *feature) {
  int value = 0;
  size_t size = sizeof value;
  return sysctlbyname(feature, &value, &size, 0, 0) == 0 && value;
}

ck_level ck_arm_best_level(void) {
  if (!has("hw.optional.arm.FEAT_DotProd")) return CK_SCALAR;
  return has("hw.optional.arm.FEAT_I8MM") ? CK_NEON_I8MM : CK_NEON_DOTPROD;
}

#elif defined(__linux__)
#include <sys/auxv.h>

// Bits of the kernel's `asm/hwcap.h`, which older systems' headers don't all have.
ck_level ck_arm_best_level(void) {
  const unsigned long asimddp = 1ul << 20, i8mm = 1ul << 13;
  if (!(getauxval(AT_HWCAP) & asimddp)) return CK_SCALAR;
  return getauxval(AT_HWCAP2) & i8mm ? CK_NEON_I8MM : CK_NEON_DOTPROD;
}

#else
ck_level ck_arm_best_level(void) { return CK_SCALAR; }
#endif
#endif
