// Dot products of Q2_K and Q3_K rows with a few activation vectors: blocks of 256 with a scale for every 16 elements.
// AVX2 by steps of 32 (pairs in int16 are at most 2 * 7 * 127), AVX-512 with VNNI by steps of 64.
#include "ck_internal.h"

#if defined(__x86_64__)
#include <immintrin.h>

#include "x86_dot_loop.h"
#include "x86_rest.h"
#include "x86_step512.h"

CK_INLINE CK_TARGET_AVX2 float sum_lanes(__m256 v) {
  __m128 s = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
  s = _mm_add_ps(s, _mm_movehl_ps(s, s));
  return _mm_cvtss_f32(_mm_add_ss(s, _mm_movehdup_ps(s)));
}

// One row with `n` vectors; everything that is constant at the call is folded.
CK_INLINE CK_TARGET_AVX2 void dot_row_avx2(
  ck_unpacker unpack, ck_scaler scaler, size_t block_bytes, float zero, int has_minimum, const uint8_t *row, size_t columns,
  const char *vectors, size_t vector_bytes, size_t n, float *out, size_t out_stride
) {
  // Two sums a vector where registers allow, so that an addition needn't wait for the one before.
  const size_t sums = n <= 2 ? 2 : 1;
  __m256 sum[4][2];
  ck_vector v[4];
  for (size_t t = 0; t < n; t++) {
    sum[t][0] = sum[t][1] = _mm256_setzero_ps();
    v[t] = ck_vector_at(vectors + t * vector_bytes, columns);
  }
  for (size_t b = 0; b < columns / 256; b++) {
    const uint8_t *p = row + b * block_bytes;
    for (size_t i = 0; i < block_bytes; i += 64) ck_prefetch(p + CK_PREFETCH_DISTANCE + i);
#pragma clang loop unroll(full)
    for (size_t j = 0; j < 8; j++) {
      const __m256i w = unpack(p, j);
      const ck_block_scale scale = scaler(p, j);
      const size_t k = 256 * b + 32 * j;
      for (size_t t = 0; t < n; t++) {
        const __m256i q = _mm256_load_si256((const __m256i *)(v[t].q + k));
        const __m256i products = _mm256_madd_epi16(_mm256_maddubs_epi16(w, q), _mm256_set1_epi16(1));
        const __m256 s = _mm256_load_ps(v[t].s8 + k / 4);
        __m256 part = _mm256_mul_ps(_mm256_cvtepi32_ps(products), _mm256_load_ps(v[t].d8 + k / 4));
        if (zero != 0) part = _mm256_fnmadd_ps(_mm256_set1_ps(zero), s, part);
        __m256 *total = &sum[t][j % sums];
        *total = _mm256_fmadd_ps(scale.d, part, *total);
        if (has_minimum) *total = _mm256_fmadd_ps(scale.m, s, *total);
      }
    }
  }
  for (size_t t = 0; t < n; t++) {
    out[t * out_stride] = sum_lanes(sums > 1 ? _mm256_add_ps(sum[t][0], sum[t][1]) : sum[t][0]);
  }
}

CK_INLINE CK_TARGET_AVX512 void dot_row_avx512(
  step64 (*load)(const uint8_t *, int), size_t block_bytes, float zero, int has_minimum, const uint8_t *row,
  size_t columns, const char *vectors, size_t vector_bytes, size_t n, float *out, size_t out_stride
) {
  const size_t sums = n <= 4 ? 2 : 1, padded = ck_padded(columns);
  __m512 sum[8][2];
  for (size_t t = 0; t < n; t++) sum[t][0] = sum[t][1] = _mm512_setzero_ps();
  for (size_t b = 0; b < columns / 256; b++) {
    const uint8_t *p = row + b * block_bytes;
    for (size_t i = 0; i < block_bytes; i += 64) ck_prefetch(p + CK_PREFETCH_DISTANCE + i);
#pragma clang loop unroll(full)
    for (int j = 0; j < 4; j++) {
      const step64 w = load(p, j);
      for (size_t t = 0; t < n; t++) {
        const char *v = vectors + t * vector_bytes + 256 * b + 64 * (size_t)j;
        const __m512i products = _mm512_dpbusd_epi32(_mm512_setzero_si512(), w.q, _mm512_load_si512(v));
        const __m512 s = _mm512_load_ps(v + 2 * padded);
        __m512 part = _mm512_mul_ps(_mm512_cvtepi32_ps(products), _mm512_load_ps(v + padded));
        if (zero != 0) part = _mm512_fnmadd_ps(_mm512_set1_ps(zero), s, part);
        __m512 *total = &sum[t][(size_t)j % sums];
        *total = _mm512_fmadd_ps(w.d, part, *total);
        if (has_minimum) *total = _mm512_fmadd_ps(w.m, s, *total);
      }
    }
  }
  for (size_t t = 0; t < n; t++) {
    out[t * out_stride] = _mm512_reduce_add_ps(sums > 1 ? _mm512_add_ps(sum[t][0], sum[t][1]) : sum[t][0]);
  }
}

#define DOT(NAME, BYTES, ZERO, HAS_MINIMUM)                                                                  \
  CK_TARGET_AVX2 CK_DOT_SIGNATURE(ck_dot_##NAME##_avx2) {                                                    \
    CK_DOT_LOOP(4, dot_row_avx2(ck_unpack_##NAME, ck_scale_##NAME, BYTES, ZERO, HAS_MINIMUM, row, columns, v, \
                                vector_bytes, CK_COUNT, o, out_stride),                                      \
                CK_ADD_RESTS(NAME, ZERO, 0, HAS_MINIMUM, count))                                             \
  }                                                                                                          \
  CK_TARGET_AVX512 CK_DOT_SIGNATURE(ck_dot_##NAME##_avx512) {                                                \
    CK_DOT_LOOP(8, dot_row_avx512(load_##NAME, BYTES, ZERO, HAS_MINIMUM, row, columns, v, vector_bytes, CK_COUNT, o, \
                                  out_stride),                                                               \
                CK_ADD_RESTS(NAME, ZERO, 0, HAS_MINIMUM, count))                                             \
  }

DOT(q2_K, 84, 0, 1)
DOT(q3_K, 110, 4, 0)
#endif
