#pragma once
// SIMD kernels on raw pointers. No stable interface: for the Tensor target only.
#include <stddef.h>
#include <stdint.h>

/// The instruction set that the dispatch table was filled for, e.g. "avx2".
const char *ck_instruction_set(void);
