// A small batch's activations rounded to 8 bits (see ck_batch.h), exactly as single vectors are: AVX2, for every x86-64
// level.
#include "ck_internal.h"

#if defined(__x86_64__)
#include "ck_batch.h"
#include "x86_round.h"

// Writes place `t` (0 to 3) of a quad's block: its first four steps of four elements belong to the first half block.
// Steps are `stride` bytes apart, and so are scales and sums from the first step as `scales` says.
CK_INLINE CK_TARGET_AVX2 void store_place(char *q, size_t stride, char *scales, char *sums, size_t t, block32 r) {
  int32_t fours[8], quads[8];
  _mm256_storeu_si256((__m256i *)fours, r.q);
  _mm256_storeu_si256((__m256i *)quads, r.sums4);
  for (size_t half = 0; half < 2; half++) {
    for (size_t i = 0; i < 4; i++) memcpy(q + i * stride + 16 * half + 4 * t, fours + 4 * half + i, 4);
    const int32_t *four = quads + 4 * half;
    const float sum = r.d * (float)(four[0] + four[1] + four[2] + four[3]);
    memcpy(scales + 16 * half + 4 * t, &r.d, 4);
    memcpy(sums + 16 * half + 4 * t, &sum, 4);
  }
}

CK_TARGET_AVX2 void ck_quantize_batch_avx2(const float *x, size_t columns, size_t tokens, void *batch) {
  const ck_batch b = ck_batch_at(batch, columns, tokens);
  const size_t blocks = columns / 32, padded_blocks = (columns + 63) / 64 * 2, places = 4 * b.quads;
  const block32 nothing = {_mm256_setzero_si256(), 0, _mm256_setzero_si256()};
  float threshold[CK_BATCH_TOKENS] = {0};
  // Blocks that stand out in any token; their scales are read back from where they were stored.
  for (size_t t = 0; t < places; t++) {
    float roots = 0;
    for (size_t i = 0; i < padded_blocks; i++) {
      const block32 r = t < tokens && i < blocks ? quantize32(x + t * columns + 32 * i) : nothing;
      char *at = (char *)b.steps + (i / 2 * b.quads + t / 4) * CK_QUAD_BYTES + 32 * (i % 2);
      store_place(at, 64, at + 256, at + 320, t % 4, r);
      if (i < blocks) roots += __builtin_sqrtf(r.d);
    }
    const float mean = roots / (float)blocks;
    threshold[t] = CK_REST_FACTOR * mean * mean;
  }
  uint32_t count = 0;
  for (size_t i = 0; i < blocks; i++) {
    int stands_out[CK_BATCH_TOKENS], any = 0;
    for (size_t t = 0; t < tokens; t++) {
      const char *at = b.steps + (i / 2 * b.quads + t / 4) * CK_QUAD_BYTES + 32 * (i % 2) + 256 + 4 * (t % 4);
      float d;
      memcpy(&d, at, 4);
      stands_out[t] = d > threshold[t];
      any |= stands_out[t];
    }
    if (!any) continue;
    for (size_t t = 0; t < places; t++) {
      block32 r = nothing;
      if (t < tokens && stands_out[t]) {
        const float *values = x + t * columns + 32 * i;
        r = quantize_rest(values, quantize32(values));
      }
      char *at = (char *)b.rests + (count * b.quads + t / 4) * CK_QUAD_REST_BYTES;
      store_place(at, 32, at + 128, at + 160, t % 4, r);
    }
    ((uint16_t *)b.rest_block)[count++] = (uint16_t)i;
  }
  *(uint32_t *)b.rest_count = count;
}
#endif
