#if defined(__aarch64__)
#define LANES 4
#define TILE_VECTORS 4
#define ROW_GROUP 4
#define ROW_SUMS 24
#define SUFFIX neon
#define SET_NAME "neon"
#include "forward_template.h"
#endif
