// Rounding the tokens of a group, the loop that instruction sets share: all blocks first, then the rests of those that
// stand out in some token.
//
// The including file has block32 (of its members only the scale `d` is looked at), quantize32, quantize_rest,
// `no_block` (zeros) and `store_token`, and defines GROUP_TARGET, the functions' target attribute. `step` is for
// `store_token`: how many elements of a token lie side by side.
#include "ck_internal.h"

CK_INLINE GROUP_TARGET void quantize_group(const float *x, size_t columns, size_t tokens, void *group, size_t step) {
  const ck_group g = ck_group_at(group, columns);
  const size_t blocks = columns / 32;
  const block32 nothing = no_block();
  float threshold[CK_GROUP_TOKENS] = {0};
  for (size_t t = 0; t < CK_GROUP_TOKENS; t++) {
    float roots = 0;
    for (size_t b = 0; b < blocks; b++) {
      const block32 r = t < tokens ? quantize32(x + t * columns + 32 * b) : nothing;
      store_token(g.all, b, t, r, step);
      roots += __builtin_sqrtf(r.d);
    }
    const float mean = roots / (float)blocks;
    threshold[t] = CK_REST_FACTOR * mean * mean;
  }
  uint32_t count = 0;
  for (size_t b = 0; b < blocks; b++) {
    int stands_out = 0;
    for (size_t t = 0; t < tokens; t++) stands_out |= g.all.d[8 * b + t] > threshold[t];
    if (!stands_out) continue;
    for (size_t t = 0; t < CK_GROUP_TOKENS; t++) {
      block32 r = nothing;
      if (t < tokens) {
        const float *values = x + t * columns + 32 * b;
        const block32 first = quantize32(values);
        // Only what stands out in its own token, as for a single vector: results don't depend on a token's neighbours.
        if (first.d > threshold[t]) r = quantize_rest(values, first);
      }
      store_token(g.rest, count, t, r, step);
    }
    ((uint16_t *)g.rest_block)[count++] = (uint16_t)b;
  }
  *(uint32_t *)g.rest_count = count;
}
