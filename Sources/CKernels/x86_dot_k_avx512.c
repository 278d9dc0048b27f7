// Dot products of quantised rows with a few activation vectors, AVX-512 with VNNI: formats with blocks of 256.
//
// A step is 64 weights; see x86_dot_avx512.c. Scales of 32 (Q4_K, Q5_K) or 16 (Q6_K) elements are spread over the
// eight or four lanes of their products.
#include "ck_internal.h"

#if defined(__x86_64__)
#include <immintrin.h>

#include "x86_dot_loop.h"
#include "x86_rest.h"
#include "x86_step512.h"

// Q4_K and Q5_K: 256 weights d * scale * q - dmin * minimum, q unsigned, in eight groups of 32.
CK_INLINE CK_TARGET_AVX512 void dot_row_q45_k(
  int five, const uint8_t *row, size_t columns, const char *vectors, size_t vector_bytes, size_t n, float *out,
  size_t out_stride
) {
  const size_t block_bytes = five ? 176 : 144;
  // Two sums a vector where registers allow, so that an addition needn't wait for the one before.
  const size_t sums = n <= 4 ? 2 : 1, padded = ck_padded(columns);
  __m512 sum[8][2];
  __m256 minimum[8];
  for (size_t t = 0; t < n; t++) {
    sum[t][0] = sum[t][1] = _mm512_setzero_ps();
    minimum[t] = _mm256_setzero_ps();
  }
  for (size_t b = 0; b < columns / 256; b++) {
    const uint8_t *p = row + b * block_bytes;
    ck_prefetch(p + CK_PREFETCH_DISTANCE);
    ck_prefetch(p + CK_PREFETCH_DISTANCE + 64);
    ck_prefetch(p + CK_PREFETCH_DISTANCE + 128);
    const ck_scales packed = ck_unpack_scales(p + 4);
    const __m256 d = _mm256_set1_ps(_cvtsh_ss(ck_load16(p))), dmin = _mm256_set1_ps(_cvtsh_ss(ck_load16(p + 2)));
    const __m512 scales = _mm512_castps256_ps512(_mm256_mul_ps(bytes_to_float(packed.scales), d));
    const __m256 minimums = _mm256_mul_ps(bytes_to_float(packed.minimums), dmin);
    for (size_t t = 0; t < n; t++) {
      const char *s = vectors + t * vector_bytes + 3 * padded + padded / 8;
      minimum[t] = _mm256_fmadd_ps(minimums, _mm256_load_ps((const float *)s + 8 * b), minimum[t]);
    }
    const uint8_t *quants = five ? p + 48 : p + 16;
#pragma clang loop unroll(full)
    for (int j = 0; j < 4; j++) {
      __m512i q = _mm512_and_si512(shift_halves(both_halves(quants + 32 * j), 0, 4), _mm512_set1_epi8(0x0F));
      if (five) {
        const __m512i bit = _mm512_inserti64x4(
          _mm512_set1_epi8((char)(1 << 2 * j)), _mm256_set1_epi8((char)(2 << 2 * j)), 1);
        const __mmask64 set = _mm512_test_epi8_mask(both_halves(p + 16), bit);
        q = _mm512_mask_add_epi8(q, set, q, _mm512_set1_epi8(16));
      }
      const __m512 scale = spread(scales, j, 8);
      for (size_t t = 0; t < n; t++) {
        const char *v = vectors + t * vector_bytes + 256 * b + 64 * (size_t)j;
        const __m512i products = _mm512_dpbusd_epi32(_mm512_setzero_si512(), q, _mm512_load_si512(v));
        const __m512 part = _mm512_mul_ps(_mm512_cvtepi32_ps(products), _mm512_load_ps(v + padded));
        sum[t][(size_t)j % sums] = _mm512_fmadd_ps(scale, part, sum[t][(size_t)j % sums]);
      }
    }
  }
  for (size_t t = 0; t < n; t++) {
    const __m512 low = _mm512_zextps256_ps512(minimum[t]);
    const __m512 total = sums > 1 ? _mm512_add_ps(sum[t][0], sum[t][1]) : sum[t][0];
    out[t * out_stride] = _mm512_reduce_add_ps(_mm512_sub_ps(total, low));
  }
}

// Q6_K: 256 weights d * scale * (q - 32), q of six bits, in sixteen groups of 16.
CK_INLINE CK_TARGET_AVX512 void dot_row_q6_k(
  const uint8_t *row, size_t columns, const char *vectors, size_t vector_bytes, size_t n, float *out, size_t out_stride
) {
  const size_t sums = n <= 4 ? 2 : 1, padded = ck_padded(columns);
  __m512 sum[8][2];
  for (size_t t = 0; t < n; t++) sum[t][0] = sum[t][1] = _mm512_setzero_ps();
  const __m512 zeros = _mm512_set1_ps(32);
  for (size_t b = 0; b < columns / 256; b++) {
    const uint8_t *p = row + b * 210;
    for (int i = 0; i < 4; i++) ck_prefetch(p + CK_PREFETCH_DISTANCE + 64 * i);
    const __m512i groups = _mm512_cvtepi8_epi32(_mm_loadu_si128((const __m128i *)(p + 192)));
    const __m512 scales = _mm512_mul_ps(_mm512_cvtepi32_ps(groups), _mm512_set1_ps(_cvtsh_ss(ck_load16(p + 208))));
#pragma clang loop unroll(full)
    for (int j = 0; j < 4; j++) {
      // Each half of the block: 64 bytes hold the low four bits of 128 elements, 32 bytes their high two bits.
      const __m512i low = _mm512_loadu_si512(p + 64 * (j / 2));
      const __m512i high = shift_halves(both_halves(p + 128 + 32 * (j / 2)), 0, 2);
      const __m512i low4 = _mm512_and_si512(
        j % 2 == 0 ? low : _mm512_srli_epi16(low, 4), _mm512_set1_epi8(0x0F));
      const __m512i high2 = j % 2 == 0 ? _mm512_slli_epi16(high, 4) : high;
      const __m512i q = _mm512_or_si512(low4, _mm512_and_si512(high2, _mm512_set1_epi8(0x30)));
      const __m512 scale = spread(scales, j, 4);
      for (size_t t = 0; t < n; t++) {
        const char *v = vectors + t * vector_bytes + 256 * b + 64 * (size_t)j;
        const __m512i products = _mm512_dpbusd_epi32(_mm512_setzero_si512(), q, _mm512_load_si512(v));
        __m512 part = _mm512_mul_ps(_mm512_cvtepi32_ps(products), _mm512_load_ps(v + padded));
        part = _mm512_fnmadd_ps(zeros, _mm512_load_ps(v + 2 * padded), part);
        sum[t][(size_t)j % sums] = _mm512_fmadd_ps(scale, part, sum[t][(size_t)j % sums]);
      }
    }
  }
  for (size_t t = 0; t < n; t++) {
    out[t * out_stride] = _mm512_reduce_add_ps(sums > 1 ? _mm512_add_ps(sum[t][0], sum[t][1]) : sum[t][0]);
  }
}

CK_TARGET_AVX512 CK_DOT_SIGNATURE(ck_dot_q4_K_avx512) {
  CK_DOT_LOOP(8, dot_row_q45_k(0, row, columns, v, vector_bytes, CK_COUNT, o, out_stride),
              CK_ADD_RESTS(q4_K, 0, 0, 1, count))
}

CK_TARGET_AVX512 CK_DOT_SIGNATURE(ck_dot_q5_K_avx512) {
  CK_DOT_LOOP(8, dot_row_q45_k(1, row, columns, v, vector_bytes, CK_COUNT, o, out_stride),
              CK_ADD_RESTS(q5_K, 0, 0, 1, count))
}

CK_TARGET_AVX512 CK_DOT_SIGNATURE(ck_dot_q6_K_avx512) {
  CK_DOT_LOOP(8, dot_row_q6_k(row, columns, v, vector_bytes, CK_COUNT, o, out_stride),
              CK_ADD_RESTS(q6_K, 32, 0, 0, count))
}
#endif
