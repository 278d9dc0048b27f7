#if defined(__x86_64__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512vl,avx512bw,avx512dq,avx2,fma,f16c"))), apply_to = function)
#define LANES 16
#define TILE_VECTORS 4
#define ROW_GROUP 6
#define ROW_SUMS 24
#define SUFFIX avx512
#define SET_NAME "avx512"
#include "forward_template.h"
#pragma clang attribute pop
#endif
