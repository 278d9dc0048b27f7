// The C library declares the affinity calls only for programs that ask for GNU extensions, so Swift doesn't see them.
#define _GNU_SOURCE
#include "CKernels.h"

#if defined(__linux__)
#include <sched.h>

int ck_affinity_core_count(void) {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 0;
  return CPU_COUNT(&set);
}
#else
int ck_affinity_core_count(void) { return 0; }
#endif
