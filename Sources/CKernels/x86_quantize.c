// Activations rounded to 8 bits in blocks of 32: the AVX2 functions serve every x86-64 level.
#include "ck_internal.h"

#if defined(__x86_64__)
#include "x86_round.h"

CK_INLINE CK_TARGET_AVX2 block32 no_block(void) {
  return (block32){_mm256_setzero_si256(), 0, _mm256_setzero_si256()};
}

// Writes the scale of a block and the sums of its halves to `d` and `s`, `stride` apart.
CK_INLINE CK_TARGET_AVX2 void store_halves(float *d, float *s, size_t stride, block32 r) {
  int32_t fours[8];
  _mm256_storeu_si256((__m256i *)fours, r.sums4);
  for (size_t half = 0; half < 2; half++) {
    const int32_t *four = fours + 4 * half;
    d[half * stride] = r.d;
    s[half * stride] = r.d * (float)(four[0] + four[1] + four[2] + four[3]);
  }
}

CK_TARGET_AVX2 void ck_quantize_vector_avx2(const float *x, size_t columns, void *vector) {
  const ck_vector v = ck_vector_at(vector, columns);
  int8_t *q = (int8_t *)v.q, *rest_q = (int8_t *)v.rest_q;
  float *d = (float *)v.d, *s = (float *)v.s, roots = 0;
  const size_t blocks = columns / 32, padded_blocks = ck_padded(columns) / 32;
  for (size_t b = 0; b < padded_blocks; b++) {
    block32 r = no_block();
    if (b < blocks) {
      r = quantize32(x + 32 * b);
      roots += __builtin_sqrtf(r.d);
    }
    _mm256_storeu_si256((__m256i *)(q + 32 * b), r.q);
    store_halves(d + ck_place(b, 0), s + ck_place(b, 0), 4, r);
  }
  const float mean = roots / (float)blocks, threshold = CK_REST_FACTOR * mean * mean;
  uint32_t count = 0;
  for (size_t b = 0; b < blocks; b++) {
    // Not so for an infinite or NaN scale: the threshold is one as well.
    const float scale = d[ck_place(b, 0)];
    if (!(scale > threshold)) continue;
    float rest[32], same[2];
    rest32(x + 32 * b, q + 32 * b, scale, rest);
    const block32 r = quantize32(rest);
    _mm256_storeu_si256((__m256i *)(rest_q + 32 * count), r.q);
    store_halves(same, (float *)v.rest_s + 2 * count, 1, r);
    ((float *)v.rest_d)[count] = r.d;
    ((uint16_t *)v.rest_block)[count++] = (uint16_t)b;
  }
  *(uint32_t *)v.rest_count = count;
}

// Writes token `t` of a group's block `b`, four elements of the eight tokens side by side.
CK_INLINE CK_TARGET_AVX2 void store_token(ck_group_blocks g, size_t b, size_t t, block32 r, size_t step) {
  (void)step;
  int32_t fours[8], quads[8], *q = (int32_t *)(g.q + 256 * b) + t, *sums = (int32_t *)g.sums + 16 * b + t;
  _mm256_storeu_si256((__m256i *)fours, r.q);
  _mm256_storeu_si256((__m256i *)quads, r.sums4);
  for (size_t k = 0; k < 8; k++) q[8 * k] = fours[k];
  sums[0] = quads[0] + quads[1] + quads[2] + quads[3];
  sums[8] = quads[4] + quads[5] + quads[6] + quads[7];
  ((float *)g.d)[8 * b + t] = r.d;
  ((float *)g.s)[8 * b + t] = r.d * (float)(sums[0] + sums[8]);
}

#define GROUP_TARGET CK_TARGET_AVX2
#include "quantize_group.h"

CK_TARGET_AVX2 void ck_quantize_group_avx2(const float *x, size_t columns, size_t tokens, void *group) {
  quantize_group(x, columns, tokens, group, 4);
}
#endif
