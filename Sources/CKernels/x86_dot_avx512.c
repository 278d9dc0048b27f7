// Dot products of quantised rows with a few activation vectors, AVX-512 with VNNI: formats with blocks of 32.
//
// One row after the other, front to back, so that memory is read as one stream; a row is unpacked once for up to eight
// vectors. A step is two blocks: 64 weights as unsigned bytes, whose products with the signed activations vpdpbusd adds
// by fours into sixteen int32, eight a block. These are exact: at most 4 * 255 * 127.
#include "ck_internal.h"

#if defined(__x86_64__)
#include <immintrin.h>

#include "x86_dot_loop.h"
#include "x86_rest.h"
#include "x86_step512.h"

typedef step64 (*loader)(const uint8_t *, size_t);

// One row with `n` vectors; everything that is constant at the call is folded. Each vector has two sums where registers
// allow, so that an addition needn't wait for the one before.
CK_INLINE CK_TARGET_AVX512 void dot_row(
  loader load, const uint8_t *row, size_t block_bytes, float zero, int has_minimum, size_t blocks, const char *vectors,
  size_t vector_bytes, size_t columns, size_t n, float *out, size_t out_stride
) {
  enum { STEPS = 2 };
  const size_t sums = n <= 4 ? STEPS : 1, padded = ck_padded(columns);
  __m512 sum[8][STEPS], minimum[8][STEPS];
  for (size_t t = 0; t < n; t++) {
    for (size_t i = 0; i < sums; i++) sum[t][i] = minimum[t][i] = _mm512_setzero_ps();
  }
  const __m512 zeros = _mm512_set1_ps(zero);
#define STEP(b, i, count)                                                                                    \
  {                                                                                                          \
    const step64 w = load(row + (b) * block_bytes, count);                                                   \
    for (size_t t = 0; t < n; t++) {                                                                         \
      const char *v = vectors + t * vector_bytes + 32 * (b);                                                 \
      const __m512i products = _mm512_dpbusd_epi32(_mm512_setzero_si512(), w.q, _mm512_load_si512(v));       \
      __m512 part = _mm512_mul_ps(_mm512_cvtepi32_ps(products), _mm512_load_ps(v + padded));                 \
      if (zero != 0) part = _mm512_fnmadd_ps(zeros, _mm512_load_ps(v + 2 * padded), part);                   \
      sum[t][i] = _mm512_fmadd_ps(w.d, part, sum[t][i]);                                                     \
      if (has_minimum) minimum[t][i] = _mm512_fmadd_ps(w.m, _mm512_load_ps(v + 2 * padded), minimum[t][i]);  \
    }                                                                                                        \
  }
  size_t b = 0;
  for (; b + 4 <= blocks; b += 4) {
    ck_prefetch(row + b * block_bytes + CK_PREFETCH_DISTANCE);
    if (block_bytes > 18) ck_prefetch(row + b * block_bytes + CK_PREFETCH_DISTANCE + 64);
    STEP(b, 0, 2)
    STEP(b + 2, sums - 1, 2)
  }
  if (b + 2 <= blocks) {
    STEP(b, 0, 2)
    b += 2;
  }
  if (b < blocks) STEP(b, 0, 1)
#undef STEP
  for (size_t t = 0; t < n; t++) {
    __m512 total = sum[t][0];
    if (sums > 1) total = _mm512_add_ps(total, sum[t][1]);
    if (has_minimum) total = _mm512_add_ps(total, minimum[t][0]);
    if (has_minimum && sums > 1) total = _mm512_add_ps(total, minimum[t][1]);
    out[t * out_stride] = _mm512_reduce_add_ps(total);
  }
}

#define DOT(NAME, BYTES, ZERO, HAS_MINIMUM, REST_ZERO, IS_SIGNED)                                            \
  CK_TARGET_AVX512 CK_DOT_SIGNATURE(ck_dot_##NAME##_avx512) {                                                \
    CK_DOT_LOOP(8, dot_row(load_##NAME, row, BYTES, ZERO, HAS_MINIMUM, columns / 32, v, vector_bytes, columns, \
                           CK_COUNT, o, out_stride),                                                         \
                CK_ADD_RESTS(NAME, REST_ZERO, IS_SIGNED, HAS_MINIMUM, count))                                \
  }

DOT(q4_0, 18, 8, 0, 8, 0)
DOT(q4_1, 20, 0, 1, 0, 0)
DOT(q5_0, 22, 16, 0, 16, 0)
DOT(q5_1, 24, 0, 1, 0, 0)
DOT(q8_0, 34, 128, 0, 0, 1)
#endif
