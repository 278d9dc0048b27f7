#if defined(__x86_64__)
#pragma clang attribute push(__attribute__((target("avx2,fma,f16c"))), apply_to = function)
#define LANES 8
#define TILE_VECTORS 2
#define ROW_GROUP 4
#define ROW_SUMS 8
#define SUFFIX avx2
#define SET_NAME "avx2"
#include "forward_template.h"
#pragma clang attribute pop
#endif
