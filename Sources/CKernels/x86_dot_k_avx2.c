// Dot products of quantised rows with a few activation vectors, AVX2: formats with blocks of 256.
//
// A step is 32 weights; see x86_dot_avx2.c. Pairs in int16 are at most 2 * 63 * 127 = 16,002 for six bits.
#include "ck_internal.h"

#if defined(__x86_64__)
#include <immintrin.h>

#include "x86_dot_loop.h"
#include "x86_rest.h"

CK_INLINE CK_TARGET_AVX2 float sum_lanes(__m256 v) {
  __m128 s = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
  s = _mm_add_ps(s, _mm_movehl_ps(s, s));
  return _mm_cvtss_f32(_mm_add_ss(s, _mm_movehdup_ps(s)));
}

CK_INLINE CK_TARGET_AVX2 __m256 bytes_to_float(uint64_t bytes) {
  return _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(_mm_cvtsi64_si128((long long)bytes)));
}

CK_INLINE CK_TARGET_AVX2 __m256i load32(const uint8_t *p) { return _mm256_loadu_si256((const __m256i *)p); }

// Lane i of the result is scales[i] everywhere.
CK_INLINE CK_TARGET_AVX2 __m256 spread(__m256 scales, int i) {
  return _mm256_permutevar8x32_ps(scales, _mm256_set1_epi32(i));
}

// Products of 32 weights with a vector's elements from k on, by fours, times the activations' scale.
CK_INLINE CK_TARGET_AVX2 __m256 scaled_products(__m256i w, ck_vector v, size_t k) {
  const __m256i q = _mm256_load_si256((const __m256i *)(v.q + k));
  const __m256i products = _mm256_madd_epi16(_mm256_maddubs_epi16(w, q), _mm256_set1_epi16(1));
  return _mm256_mul_ps(_mm256_cvtepi32_ps(products), _mm256_load_ps(v.d8 + k / 4));
}

// Q4_K and Q5_K: 256 weights d * scale * q - dmin * minimum, q unsigned, in eight groups of 32.
CK_INLINE CK_TARGET_AVX2 void dot_row_q45_k(
  int five, const uint8_t *row, size_t columns, const char *vectors, size_t vector_bytes, size_t n, float *out,
  size_t out_stride
) {
  const size_t block_bytes = five ? 176 : 144;
  // Two sums a vector where registers allow, so that an addition needn't wait for the one before.
  const size_t sums = n <= 2 ? 2 : 1;
  __m256 sum[4][2], minimum[4];
  ck_vector v[4];
  for (size_t t = 0; t < n; t++) {
    sum[t][0] = sum[t][1] = minimum[t] = _mm256_setzero_ps();
    v[t] = ck_vector_at(vectors + t * vector_bytes, columns);
  }
  const __m256i low4 = _mm256_set1_epi8(0x0F);
  for (size_t b = 0; b < columns / 256; b++) {
    const uint8_t *p = row + b * block_bytes, *quants = five ? p + 48 : p + 16;
    for (int i = 0; i < 3; i++) ck_prefetch(p + CK_PREFETCH_DISTANCE + 64 * i);
    const ck_scales packed = ck_unpack_scales(p + 4);
    const __m256 d = _mm256_set1_ps(_cvtsh_ss(ck_load16(p))), dmin = _mm256_set1_ps(_cvtsh_ss(ck_load16(p + 2)));
    const __m256 scales = _mm256_mul_ps(bytes_to_float(packed.scales), d);
    const __m256 minimums = _mm256_mul_ps(bytes_to_float(packed.minimums), dmin);
    for (size_t t = 0; t < n; t++) {
      minimum[t] = _mm256_fmadd_ps(minimums, _mm256_load_ps(v[t].s + 8 * b), minimum[t]);
    }
    const __m256i high = five ? load32(p + 16) : _mm256_setzero_si256();
#pragma clang loop unroll(full)
    for (int j = 0; j < 4; j++) {
      const __m256i bytes = load32(quants + 32 * j);
      __m256i q0 = _mm256_and_si256(bytes, low4), q1 = _mm256_and_si256(_mm256_srli_epi16(bytes, 4), low4);
      if (five) {
        // Bits 2j and 2j + 1 of a byte are the fifth bits of its two elements.
        const __m256i sixteen = _mm256_set1_epi8(16);
        const __m256i bit0 = j < 2 ? _mm256_slli_epi16(high, 4 - 2 * j) : _mm256_srli_epi16(high, 2 * j - 4);
        const __m256i bit1 = j < 2 ? _mm256_slli_epi16(high, 3 - 2 * j) : _mm256_srli_epi16(high, 2 * j - 3);
        q0 = _mm256_or_si256(q0, _mm256_and_si256(bit0, sixteen));
        q1 = _mm256_or_si256(q1, _mm256_and_si256(bit1, sixteen));
      }
      const __m256 scale0 = spread(scales, 2 * j), scale1 = spread(scales, 2 * j + 1);
      for (size_t t = 0; t < n; t++) {
        const size_t k = 256 * b + 64 * (size_t)j;
        sum[t][0] = _mm256_fmadd_ps(scale0, scaled_products(q0, v[t], k), sum[t][0]);
        sum[t][sums - 1] = _mm256_fmadd_ps(scale1, scaled_products(q1, v[t], k + 32), sum[t][sums - 1]);
      }
    }
  }
  for (size_t t = 0; t < n; t++) {
    const __m256 total = sums > 1 ? _mm256_add_ps(sum[t][0], sum[t][1]) : sum[t][0];
    out[t * out_stride] = sum_lanes(_mm256_sub_ps(total, minimum[t]));
  }
}

// Q6_K: 256 weights d * scale * (q - 32), q of six bits, in sixteen groups of 16.
CK_INLINE CK_TARGET_AVX2 void dot_row_q6_k(
  const uint8_t *row, size_t columns, const char *vectors, size_t vector_bytes, size_t n, float *out, size_t out_stride
) {
  const size_t sums = n <= 2 ? 2 : 1;
  __m256 sum[4][2];
  ck_vector v[4];
  for (size_t t = 0; t < n; t++) {
    sum[t][0] = sum[t][1] = _mm256_setzero_ps();
    v[t] = ck_vector_at(vectors + t * vector_bytes, columns);
  }
  const __m256 zeros = _mm256_set1_ps(32);
  const __m256i low4 = _mm256_set1_epi8(0x0F), bits45 = _mm256_set1_epi8(0x30);
  for (size_t b = 0; b < columns / 256; b++) {
    const uint8_t *p = row + b * 210;
    for (int i = 0; i < 4; i++) ck_prefetch(p + CK_PREFETCH_DISTANCE + 64 * i);
    const __m128i groups = _mm_loadu_si128((const __m128i *)(p + 192));
    const __m256 d = _mm256_set1_ps(_cvtsh_ss(ck_load16(p + 208)));
    const __m256 scales[2] = {
      _mm256_mul_ps(_mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(groups)), d),
      _mm256_mul_ps(_mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(_mm_srli_si128(groups, 8))), d)};
#pragma clang loop unroll(full)
    for (int j = 0; j < 8; j++) {
      // Each half of the block: 64 bytes hold the low four bits of 128 elements, 32 bytes their high two bits. Within
      // a half, elements 0-63 are in the low nibbles and 64-127 in the high ones.
      const int half = j / 4, part = j % 4;
      const __m256i low = load32(p + 64 * half + 32 * (part % 2)), high = load32(p + 128 + 32 * half);
      const __m256i q4 = _mm256_and_si256(part < 2 ? low : _mm256_srli_epi16(low, 4), low4);
      const __m256i q2 = part == 0 ? _mm256_slli_epi16(high, 4)
        : part == 1 ? _mm256_slli_epi16(high, 2)
        : part == 2 ? high : _mm256_srli_epi16(high, 2);
      const __m256i q = _mm256_or_si256(q4, _mm256_and_si256(q2, bits45));
      const int g = 2 * part;
      const __m256 scale =
        _mm256_permutevar8x32_ps(scales[half], _mm256_setr_epi32(g, g, g, g, g + 1, g + 1, g + 1, g + 1));
      for (size_t t = 0; t < n; t++) {
        const size_t k = 256 * b + 32 * (size_t)j;
        const __m256 products = scaled_products(q, v[t], k);
        const __m256 centred = _mm256_fnmadd_ps(zeros, _mm256_load_ps(v[t].s8 + k / 4), products);
        sum[t][(size_t)j % sums] = _mm256_fmadd_ps(scale, centred, sum[t][(size_t)j % sums]);
      }
    }
  }
  for (size_t t = 0; t < n; t++) {
    out[t * out_stride] = sum_lanes(sums > 1 ? _mm256_add_ps(sum[t][0], sum[t][1]) : sum[t][0]);
  }
}

CK_TARGET_AVX2 CK_DOT_SIGNATURE(ck_dot_q4_K_avx2) {
  CK_DOT_LOOP(4, dot_row_q45_k(0, row, columns, v, vector_bytes, CK_COUNT, o, out_stride),
              CK_ADD_RESTS(q4_K, 0, 0, 1, count))
}

CK_TARGET_AVX2 CK_DOT_SIGNATURE(ck_dot_q5_K_avx2) {
  CK_DOT_LOOP(4, dot_row_q45_k(1, row, columns, v, vector_bytes, CK_COUNT, o, out_stride),
              CK_ADD_RESTS(q5_K, 0, 0, 1, count))
}

CK_TARGET_AVX2 CK_DOT_SIGNATURE(ck_dot_q6_K_avx2) {
  CK_DOT_LOOP(4, dot_row_q6_k(row, columns, v, vector_bytes, CK_COUNT, o, out_stride),
              CK_ADD_RESTS(q6_K, 32, 0, 0, count))
}
#endif
