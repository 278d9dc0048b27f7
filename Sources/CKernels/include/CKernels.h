#pragma once
// SIMD kernels on raw pointers. No stable interface: for the Tensor target only.
#include <stddef.h>
#include <stdint.h>

#include "ck_forward.h"
#include "ck_level.h"
#include "ck_matmul.h"

/// Cores that this process may run on; 0 when the system can't say.
int ck_affinity_core_count(void);
